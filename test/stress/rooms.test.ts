/**
 * If the kernel's work areas are full, work is split and nothing is dropped. Each document here has more entries than
 * an area holds.
 */
import assert from 'node:assert/strict';
import { type Documents, groupsOf, matchesOf } from '../engine/corpusOf.ts';

/** Eight unique lines with 56 tokens. */
function block(i: number): string {
  return Array.from({ length: 8 }, (_, j) => `set${i}_${j}(from${i}, to${j + i});\n`).join('');
}

suite('work areas', () => {
  test('for runs, pieces, and matches: more equal runs in two documents than each holds', () => {
    const count = 4500;
    const blocks = Array.from({ length: count }, (_, i) => block(i));
    const documents = { 'a.ts': blocks.join(''), 'b.ts': [...blocks].reverse().join('') };
    const { matches } = matchesOf(documents);
    const found = new Set(
      matches.map(({ a0, b0, a1 }) => (a1 - a0 >= 50 ? `${Math.round(a0 / 56)} ${Math.round(b0 / 56)}` : '')),
    );
    const missed = blocks.filter((_, i) => !found.has(`${i} ${count - 1 - i}`));
    assert.deepEqual(missed, []);
  });

  test('for runs of one alignment: a gap in each line', () => {
    const line = (i: number, more: string): string => `const own${i} = call${i}(arg${i}${more}, ${i});\n`;
    const text = (more: string): string => Array.from({ length: 40_000 }, (_, i) => line(i, more)).join('');
    const documents = { 'a.ts': text(''), 'b.ts': text(', more') };
    // The gap in the first and the last line costs as much as the half line before or after it gains.
    checkCovered(documents, 'a.ts', 40_000);
    assert.equal(groupsOf(documents).length, 1);
  });

  test('for pairs of names: more renamings in one alignment', () => {
    const line = (i: number, own: string): string =>
      `const ${own}${i} = call(${own}${i - 1}, ${i}) ${'+-*%/'[i % 5]} next[${own}${i - 1}].${i % 3 ? 'left' : 'right()'};\n`;
    const text = (own: string): string => Array.from({ length: 30_000 }, (_, i) => line(i + 1, own)).join('');
    const { matches } = matchesOf({ 'a.ts': text('first'), 'b.ts': text('other') });
    const [{ differing, consistent, once }] = matches.filter(({ docA, docB }) => docA !== docB);
    // Each line has three places of two names. At the borders of parts, a name can be isolated, and some names have
    // equal hashes.
    assert.equal(differing + consistent + once, 90_000);
    assert.ok(differing < 60 && once < 60, `${differing} inconsistent, ${once} once`);
  });

  test('for cells: two diverging alignments of the same texts', () => {
    const [a, b] = forkedWays(9000);
    const page = (words: readonly string[]): string =>
      words.map((word, i) => word + (i % 12 === 11 ? '\n' : ' ')).join('');
    checkCovered({ 'a.md': page(a), 'b.md': page(b) }, 'b.md', 9000 / 12);
  });
});

/** Checks that all lines of a document, except one at either end, are in groups with another document. */
function checkCovered(documents: Documents, name: string, lineCount: number): void {
  const lines = new Set<number>();
  for (const { passages } of groupsOf(documents)) {
    if (new Set(passages.map(({ path }) => path)).size < 2) continue;
    for (const { path, startLine, endLine } of passages) {
      if (path === name) for (let at = startLine; at <= endLine; at++) lines.add(at);
    }
  }
  const missed = Array.from({ length: lineCount - 2 }, (_, i) => i + 2).filter((i) => !lines.has(i));
  assert.deepEqual(missed, []);
}

/**
 * Returns two texts, the second with `count` words, with two equally good alignments throughout. In one, each fifth
 * word differs. In the other, the first text has two additional words in nine.
 */
function forkedWays(count: number): [string[], string[]] {
  const countOfA = Math.ceil((count * 11) / 9) + 2;
  // Union-find forest of places in both texts that must have the same word.
  const above = Array.from({ length: countOfA + count }, (_, i) => i);
  const root = (place: number): number => (above[place] === place ? place : root(above[place]));
  for (let i = 0; i < count; i++) {
    if (i % 5 !== 4) above[root(countOfA + i)] = root(i);
    const shifted = i + Math.floor((2 * i) / 9);
    above[root(shifted)] = root(countOfA + i);
  }
  const words = above.map((_, place) => `word${root(place)}`);
  return [words.slice(0, countOfA), words.slice(countOfA)];
}
