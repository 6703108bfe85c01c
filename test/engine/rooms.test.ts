/**
 * Where the rooms that the kernel works in are used up, work is split and nothing is dropped: each document here has more of
 * something than one of them holds.
 */
import assert from 'node:assert/strict';
import { groupsOf, matchesOf } from './corpusOf.ts';

/** Eight lines of their own, 56 tokens. */
function block(i: number): string {
  return Array.from({ length: 8 }, (_, j) => `set${i}_${j}(from${i}, to${j + i});\n`).join('');
}

suite('rooms', () => {
  test('of runs, pieces and matches: more equal runs in two documents than any of them holds', function () {
    this.timeout(60_000);
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

  test('of runs of one alignment: a gap in each line', function () {
    this.timeout(60_000);
    const line = (i: number, more: string): string => `const own${i} = call${i}(arg${i}${more}, ${i});\n`;
    const text = (more: string): string => Array.from({ length: 40_000 }, (_, i) => line(i, more)).join('');
    const documents = { 'a.ts': text(''), 'b.ts': text(', more') };
    const groups = groupsOf(documents);
    const lines = new Set<number>();
    for (const { passages } of groups) {
      if (new Set(passages.map(({ path }) => path)).size < 2) continue;
      for (const { path, startLine, endLine } of passages) {
        if (path === 'a.ts') for (let at = startLine; at <= endLine; at++) lines.add(at);
      }
    }
    // The gap in the first and the last line costs what the half line before or behind it gives.
    const missed = Array.from({ length: 39_998 }, (_, i) => i + 2).filter((i) => !lines.has(i));
    assert.deepEqual(missed, []);
    assert.equal(groups.length, 1);
  });
});
