/** Stored comparisons as text, for tests in which their order does not matter. */
import { storedOverlapWords } from '../../src/core/engine/files/fileOverlap.ts';
import { comparisonWords } from '../../src/core/engine/groups/comparedPassages.ts';
import type { Comparisons } from '../../src/core/engine/comparison.ts';

/** Returns the comparisons of passages, sorted. */
export function passageEntries({ passages }: Comparisons): string[] {
  return entriesOf(passages, comparisonWords).sort();
}

/** Returns the comparisons of files by their documents. */
export function fileEntries({ files }: Comparisons): Map<string, string> {
  const entries = entriesOf(files, storedOverlapWords).map((entry) => entry.split(' '));
  return new Map(entries.map(([a, b, ...counts]) => [`${a} ${b}`, counts.join(' ')]));
}

function entriesOf(words: Uint32Array, width: number): string[] {
  return Array.from({ length: words.length / width }, (_, i) => words.subarray(i * width, (i + 1) * width).join(' '));
}
