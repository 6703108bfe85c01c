/** Texts of numbered words and their groups of files. */
import type { Method } from '../../../src/core/engine/options.ts';
import type { Group } from '../../../src/core/engine/report/report.ts';
import { fileGroupsOf } from '../corpusOf.ts';

/** Words of a prose text. Each word is one token, and shingles of prose have three. */
export type Words = readonly string[];

/** Returns `count` words numbered from `start`. */
export function wordsFrom(start: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `word${start + i}`);
}

/** Returns the text. Texts shorter than a passage have ten lines, so that equal ones are found. */
export function textOf(words: Words): string {
  return words.length < 40 ? `${words.join(' ')}${'\n'.repeat(10)}` : `${words.join(' ')}\n`;
}

export function fileGroups(documents: Readonly<Record<string, Words>>, method: Method = 'minhash'): readonly Group[] {
  const texts = Object.entries(documents).map(([name, words]) => [`${name}.md`, textOf(words)] as const);
  return fileGroupsOf(Object.fromEntries(texts), { method });
}
