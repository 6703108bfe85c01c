/**
 * The stored report of an index: the file NAME.findings. The first piece is JSON: the report without its groups,
 * digests of its inputs, and the texts of the packed groups. The numbers of the packed groups follow, in pieces of a
 * few megabytes. Groups are stored packed because a new window spends most of its startup time reading them, and
 * because packed groups can be sent to the window as they are.
 */
import { sharedBytes } from '../../core/collections/threads.ts';
import { possibleReport } from '../../core/engine/report/isPossible.ts';
import { arePossible, packGroups, type PackedGroups, unpackGroups } from '../io/packedGroups.ts';
import type { Findings } from '../../core/engine/report/report.ts';
import type { CheckedFile } from '../io/checkedFile.ts';

/** A report, and its groups in packed form if it was read from a file. */
export interface Packable {
  readonly findings: Findings;
  readonly packed?: PackedGroups;
}

/** A report, the digest of the compared files (`digestOfContents`), and the digest of its idf table. */
export interface StoredFindings extends Packable {
  readonly contents: bigint;
  readonly idfTable: bigint;
}

interface StoredSummary extends Pick<Findings, 'totals' | 'files' | 'folders' | 'skipped'> {
  /** Digests as hexadecimal numbers. */
  readonly contents: string;
  readonly idfTable: string;
  readonly packed: Omit<PackedGroups, 'numbers'>;
}

/** Approximate size of a piece in bytes. Writing one takes a few milliseconds. */
const pieceBytes = 1 << 23;

export function* findingsPieces({ findings, packed, contents, idfTable }: StoredFindings): Generator<Uint8Array> {
  const { totals, skipped, groups, files, folders } = findings;
  const { numbers, ids, parents, paths } = packed ?? packGroups(groups);
  const digests = { contents: contents.toString(16), idfTable: idfTable.toString(16) };
  const summary: StoredSummary = { ...digests, totals, files, folders, skipped, packed: { ids, parents, paths } };
  yield new TextEncoder().encode(JSON.stringify(summary));
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}

/** Returns the stored report, or `undefined` if the stored file is damaged or the report is invalid. */
export function readFindings(file: CheckedFile): StoredFindings | undefined {
  const text = new Uint8Array(file.sizes[0] ?? 0);
  const bytes = sharedBytes(file.sizes.slice(1).reduce((sum, size) => sum + size, 0));
  if (!file.read(0, text)) return undefined;
  let start = 0;
  for (const [place, size] of file.sizes.slice(1).entries()) {
    if (!file.read(place + 1, new Uint8Array(bytes, start, size))) return undefined;
    start += size;
  }
  const { contents, idfTable, packed: texts, ...rest } = JSON.parse(new TextDecoder().decode(text)) as StoredSummary;
  const packed = { ...texts, numbers: new Int32Array(bytes) };
  if (!arePossible(packed)) return undefined;
  const findings = possibleReport({ ...rest, complete: true }, [...unpackGroups(packed)]);
  return findings && { contents: BigInt(`0x${contents}`), idfTable: BigInt(`0x${idfTable}`), findings, packed };
}
