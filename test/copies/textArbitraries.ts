/** Generators of code-like texts, of renamings of their names, and of edits. */
import fc from 'fast-check';

/** Names that occur in the texts. No renaming maps to one of them. */
const names = ['row', 'total', 'load', 'x1', '$id', 'größe'];
const fixed = ['return', 'if', '(', ')', ';', '{', '}', '+', '12', '0x1f', "'some text'", '"a b"', 'true', '.'];

const line = fc
  .tuple(fc.nat(3), fc.array(fc.constantFrom(...names, ...fixed), { maxLength: 8 }))
  .map(([indent, words]) => '  '.repeat(indent) + words.join(' '));

export const texts = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

/** Renamings of some names to names that no text contains. */
export const renamings = fc
  .subarray(names)
  .map((some) => new Map(some.map((name, at): [string, string] => [name, `other${at}`])));

/** Edits of a text. Each removes some words and inserts others in their place. */
export const edits = fc.array(
  fc.record({
    at: fc.nat(1000),
    take: fc.nat(4),
    put: fc.array(fc.constantFrom(...names, ...fixed, '\n'), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 3 },
);

export type Edits = typeof edits extends fc.Arbitrary<infer Value> ? Value : never;

export function edited(text: string, changes: Edits): string {
  return changes.reduce((now, { at, take, put }) => {
    const words = now.split(/(?<=\s)/);
    return spliced(words, at % (words.length + 1), take, ...put.map((word) => `${word} `)).join('');
  }, text);
}

/** Returns a copy of the list in which `take` items at `at` are replaced. */
export function spliced(list: readonly string[], at: number, take: number, ...put: readonly string[]): string[] {
  return [...list.slice(0, at), ...put, ...list.slice(at + take)];
}
