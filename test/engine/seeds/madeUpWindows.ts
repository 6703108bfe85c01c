/** Documents of synthetic windows, for tests of code that uses fingerprints. */
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import type { Kernel } from '../../../src/core/engine/kernel.ts';

/** Windows of a document: the distance of each from the previous one, and its fingerprints in both views. */
export type Windows = readonly { readonly step: number; readonly written: bigint; readonly renamed: bigint }[];

/** Tokens of a document in a language. The document counts as a unit if it has tokens. */
export interface Text {
  readonly tokens?: readonly number[];
  readonly languageHash?: number;
}

export function documentOf(
  kernel: Kernel,
  list: Windows,
  prose: boolean,
  { tokens = [], languageHash = 0 }: Text = {},
): DocumentIndex {
  const tokensAt = kernel.allocate(4 * tokens.length + 16);
  kernel.words.set(tokens, tokensAt >>> 2);
  const positions: number[] = [];
  for (const { step } of list) positions.push((positions.at(-1) ?? 0) + 1 + step);
  const windowsAt = kernel.allocate(4 * list.length + 16);
  kernel.words.set(positions, windowsAt >>> 2);
  const longs = (values: readonly bigint[]): number => {
    const address = kernel.allocate(8 * values.length + 16);
    new BigUint64Array(kernel.memory.buffer, address, values.length).set(values);
    return address;
  };
  return {
    sizeBytes: 0,
    tokens: tokensAt,
    tokenCount: tokens.length,
    places: 0,
    placesBytes: 0,
    lines: 0,
    lineCount: 0,
    totalLines: 0,
    unitless: 0,
    isAscii: true,
    prose,
    apart: false,
    languageHash,
    data: false,
    generated: false,
    endColumn: 1,
    comments: undefined,
    quoted: undefined,
    sketch: 0,
    hasSketch: false,
    sketchSample: 0,
    units: 0,
    unitCount: Math.min(tokens.length, 1),
    hasRenamed: !prose,
    windows: windowsAt,
    windowStride: 4,
    windowCount: list.length,
    written: longs(list.map((w) => w.written)),
    renamed: prose ? 0 : longs(list.map((w) => w.renamed)),
  };
}
