/** Runs of equal tokens in two ranges, compared with all diagonals. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { everyEqualStretch } from '../../../src/core/engine/groups/equalStretches.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';

/** `length` tokens that are equal from `a` and `b` on. */
interface EqualStretch {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

const kernel = new Kernel(createMemory());
const memory = kernel.allocate(4 * 5000) >>> 2;

/** Copies words to the kernel's memory. Returns the index of the first one. */
function inKernel(words: readonly number[]): number {
  kernel.words.set(words, memory);
  return memory;
}

/** Returns the runs between two texts, whose words are stored consecutively with a unique word before each. */
function runsOf(a: readonly number[], b: readonly number[], minLength: number): EqualStretch[] {
  const to = inKernel([9, ...a, 8, ...b]) + 1;
  const from = to + a.length + 1;
  const runs: EqualStretch[] = [];
  const isEach = everyEqualStretch(kernel, [to, to + a.length], [from, from + b.length], minLength, (x, y, length) => {
    runs.push({ a: x - to, b: y - from, length });
    return true;
  });
  assert.ok(isEach);
  return runs.sort(inOrder);
}

function runsByDefinition(a: readonly number[], b: readonly number[], minLength: number): EqualStretch[] {
  const runs: EqualStretch[] = [];
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      if (i > 0 && j > 0 && a[i - 1] === b[j - 1]) continue;
      let length = 0;
      while (i + length < a.length && j + length < b.length && a[i + length] === b[j + length]) length++;
      if (length >= minLength) runs.push({ a: i, b: j, length });
    }
  }
  return runs.sort(inOrder);
}

function inOrder(x: EqualStretch, y: EqualStretch): number {
  return x.a - y.a || x.b - y.b;
}

const long = [1, 2, 3, 4, 5, 6, 7];
const short = long.slice(1, 6);

suite('equal stretches', () => {
  test('include each occurrence of a piece in each text, also within longer ones', () => {
    // The short piece of the first text equals part of a longer equal stretch.
    assert.deepEqual(runsOf([...short, 20, ...long], [30, ...long], 5), [
      { a: 0, b: 2, length: 5 },
      { a: 6, b: 1, length: 7 },
    ]);
    assert.deepEqual(runsOf([30, ...long], [...short, 20, ...long], 5), [
      { a: 1, b: 6, length: 7 },
      { a: 2, b: 0, length: 5 },
    ]);
  });
  test('are complete in texts that repeat themselves', () => {
    // The minimum is six tokens, so blocks have three. There are fewer blocks than the limit.
    const text = fc.array(fc.nat(2), { maxLength: 48, size: 'max' });
    fc.assert(
      fc.property(text, text, (a, b) => {
        assert.deepEqual(runsOf(a, b, 6), runsByDefinition(a, b, 6));
      }),
      { numRuns: scaled(300) },
    );
  });
  test('are enumerated until one fails the condition', () => {
    const at = inKernel([...long, 20, ...long, 30, ...long]);
    const seen: number[] = [];
    const isEach = everyEqualStretch(kernel, [at, at + 15], [at + 16, at + 23], 5, (a) => {
      seen.push(a);
      return false;
    });
    assert.ok(!isEach);
    assert.equal(seen.length, 1);
  });
  test('in text of one token are few and include the longest', () => {
    const text = new Array<number>(2000).fill(1);
    const runs = runsOf(text, text, 6);
    assert.deepEqual(
      runs.filter(({ length }) => length === 2000),
      [{ a: 0, b: 0, length: 2000 }],
    );
    assert.ok(runs.length < 100, `${runs.length} of 3989 runs`);
  });
});
