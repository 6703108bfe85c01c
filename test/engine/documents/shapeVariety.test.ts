/** Variety of shapes, compared with its definition. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tokenOf } from '../../../src/core/engine/languages/tokenKind.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { shapeVariety } from '../../../src/core/engine/documents/shapeVariety.ts';

const name = (word: string): number => tokenOf(word, 'identifier');
const sign = (word: string): number => tokenOf(word, 'punctuation');

const kernel = new Kernel(createMemory());

function varietyOf(tokens: readonly number[]): number {
  const mark = kernel.mark();
  const address = kernel.allocate(4 * tokens.length);
  kernel.words.set(tokens, address >>> 2);
  const variety = shapeVariety(kernel, address, tokens.length);
  kernel.release(mark);
  return variety;
}

suite('variety of shapes', () => {
  test('is the share of distinct runs of eight tokens', () => {
    const signs = ['(', ')', ';', '{', '}'].map(sign);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs), { minLength: 9, maxLength: 200 }), (tokens) => {
        const runs = tokens.slice(7).map((_, i) => tokens.slice(i, i + 8).join());
        assert.equal(varietyOf(tokens), new Set(runs).size / runs.length);
      }),
    );
  });

  test('is low if a text repeats its own shape with other names', () => {
    const fields = Array.from({ length: 40 }, (_, i) => [name(`field${i}`), sign(':'), name(`Type${i}`), sign(';')]);
    assert.ok(varietyOf(fields.flat()) < 0.1);
  });

  test('does not depend on names and values', () => {
    const text = (names: readonly string[]): number[] => names.flatMap((word) => [name(word), sign('.')]);
    const words = [...'abcdefgh'];
    assert.equal(varietyOf(text(words)), varietyOf(text([...words].reverse())));
    assert.equal(
      varietyOf([...text(words), tokenOf('1', 'number')]),
      varietyOf([...text(words), tokenOf('"a"', 'string')]),
    );
  });

  test('is 1 for a text of few tokens', () => {
    assert.equal(varietyOf([name('a'), sign(';')]), 1);
  });
});
