/** Texts of numbered words, and their groups of files. */
import type { Method } from '../../../src/engine/options.ts';
import type { Group } from '../../../src/engine/report/report.ts';
import { fileGroupsOf } from '../corpusOf.ts';

/** Words of a text in prose, each a token. Shingles of prose have three. */
export type Words = readonly string[];

/** `count` words that no other number begins. */
export function wordsFrom(start: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `word${start + i}`);
}

/** A text too short to be a passage has ten lines, so that its equals are found. */
export function textOf(words: Words): string {
  return words.length < 40 ? `${words.join(' ')}${'\n'.repeat(10)}` : `${words.join(' ')}\n`;
}

export function fileGroups(documents: Readonly<Record<string, Words>>, method: Method = 'minhash'): readonly Group[] {
  const texts = Object.entries(documents).map(([name, words]) => [`${name}.md`, textOf(words)] as const);
  return fileGroupsOf(Object.fromEntries(texts), { method });
}
