// Exports of pairs.wasm, written by scripts/build.mjs: change the kernel, not this file.
// Addresses and counts are unsigned 32-bit numbers that come back as signed ones; truth is 0 or 1.
export interface PairsExports {
  readonly scatter: (fingerprints: number, n: number, mask: bigint, bits: number, starts: number, parts: number) => number;
  readonly distinct: (parts: number, starts: number, bits: number, heads: number, next: number, out: number) => number;
  readonly joinParts: (parts: number, starts: number, firstPart: number, endPart: number, choices: number, choiceCount: number, choiceBytes: number, distance: number, heads: number, next: number, linkedFirst: number, out: number, room: number, found: number) => number;
  readonly compareRows: (fingerprints: number, n: number, first: number, end: number, distance: number, out: number, room: number, found: number) => number;
  readonly sortPairs: (pairs: number, other: number, count: number, counts: number) => void;
}
