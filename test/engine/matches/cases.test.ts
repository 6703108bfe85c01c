/** The first and the last case of a block that lines of code contain, without those of blocks inside these lines. */
import assert from 'node:assert/strict';
import { lineBytes } from '../../../src/core/kernel/documents/placesLayout.ts';
import { DocumentIndexer } from '../../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { bracketTokens } from '../../../src/core/engine/matches/bracketTokens.ts';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import { KernelAlignment } from './kernelAlignment.ts';

const kernel = new Kernel(createMemory());
const indexer = new DocumentIndexer(kernel, defaultOptions);
const brackets = bracketTokens(kernel, defaultOptions);

/** Returns the lines of the first and of the last case in lines of a text, and true if it is not only a label. */
function casesIn(
  text: readonly string[],
  [from, to]: readonly [number, number],
): readonly [number, number, boolean] | undefined {
  const bytes = Buffer.from(text.join('\n'));
  const room = indexer.reserve(bytes.byteLength);
  room.set(bytes);
  const { tokens, tokenCount, lines, lineCount } = indexer.index(room, lexiconForPath('a.ts'));
  const words = (at: number, count: number): number[] => [...kernel.words.subarray(at >>> 2, (at >>> 2) + count)];
  const records = words(lines, (lineCount * lineBytes) / 4);
  /** First tokens of the lines, all of which have tokens, and the end. */
  const starts = [...records.filter((_, i) => i % 2 === 0), tokenCount];
  assert.equal(lineCount, text.length);
  const alignment = new KernelAlignment(words(tokens, tokenCount), [], false, records);
  const found = alignment.casesIn(starts[from - 1], starts[to], brackets);
  return found && [1 + starts.indexOf(found.first), 1 + starts.indexOf(found.last), found.hasCase];
}

suite('findCases', () => {
  const text = [
    ...['function f(x) {', 'first(x);', 'switch (x) {', 'case 1:', 'a();', 'case 2: {', 'switch (y) {'],
    ...['case 3:', 'b();', 'default:', 'c();', '}', '}', 'case 4: d();', 'default:', 'e();', '}', 'last(x);', '}'],
  ];
  const check = (from: number, to: number, expected: readonly [number, number, boolean] | undefined): void =>
    assert.deepEqual(casesIn(text, [from, to]), expected, text.slice(from - 1, to).join('\n'));

  test('finds the cases of the block in which the lines lie, but none of blocks inside them', () => {
    check(4, 16, [4, 15, true]);
    check(5, 14, [6, 14, true]);
    check(8, 11, [8, 10, true]);
    check(7, 12, undefined);
    check(6, 13, [6, 6, true]);
  });

  test('finds nothing in a whole switch, and in lines without cases', () => {
    check(3, 17, undefined);
    check(1, 19, undefined);
    check(2, 2, undefined);
    check(18, 18, undefined);
  });

  test('finds cases without braces around their statements', () => {
    check(14, 14, [14, 14, true]);
    check(5, 5, undefined);
    check(4, 5, [4, 4, true]);
  });

  test('finds a default, which alone is only a label', () => {
    check(15, 16, [15, 15, false]);
    check(14, 16, [14, 15, true]);
  });

  test('forgets the cases of a block that ends inside the lines, and finds those after it', () => {
    check(14, 18, undefined);
    check(9, 12, undefined);
    check(9, 14, [14, 14, true]);
    check(8, 16, [14, 15, true]);
  });
});
