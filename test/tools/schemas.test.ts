/** Validation of tool inputs, for clients that do not validate. */
import assert from 'node:assert/strict';
import { problemOfInput } from '../../src/surfaces/tools/schemas.ts';
import { isIn, parseWrittenPlace, writePlace } from '../../src/surfaces/tools/places.ts';
import { findSimilarInput } from '../../src/surfaces/tools/findSimilar.ts';
import { getDuplicateInput } from '../../src/surfaces/tools/getDuplicate.ts';

suite('input of a tool', () => {
  const cases: readonly [input: unknown, problem: string | undefined][] = [
    [{}, undefined],
    [{ text: 'a', limit: 50, minSimilarity: 0.5 }, undefined],
    [{ text: undefined }, undefined],
    [undefined, 'The input must be an object.'],
    [[], 'The input must be an object.'],
    [{ text: 1 }, 'text must be a string, not 1.'],
    [{ limit: 51 }, 'limit must be a whole number from 1 to 50, not 51.'],
    [{ limit: 1.5 }, 'limit must be a whole number from 1 to 50, not 1.5.'],
    [{ minSimilarity: '0.5' }, 'minSimilarity must be a number from 0.3 to 1, not "0.5".'],
    [{ texts: ['a', 'b'] }, undefined],
    [{ texts: [] }, 'texts must be a list of 1 to 20 strings, not [].'],
    [{ texts: ['a', 1] }, 'texts must be a list of 1 to 20 strings, not ["a",1].'],
    [{ texts: 'a'.repeat(200) }, `texts must be a list of 1 to 20 strings, not "${'a'.repeat(99)}….`],
    [
      { constructor: 1 },
      'There is no input constructor; the inputs are text, texts, language, place, minSimilarity, limit.',
    ],
  ];
  for (const [input, problem] of cases) {
    test(`${JSON.stringify(input)}: ${problem ?? 'is valid'}`, () => {
      assert.equal(problemOfInput(input, findSimilarInput), problem);
    });
  }

  test('must have required properties', () => {
    assert.equal(problemOfInput({}, getDuplicateInput), 'id is missing.');
  });
});

suite('places in tool inputs and outputs', () => {
  test('are paths with optional lines', () => {
    assert.deepEqual(parseWrittenPlace('src/a.ts'), { path: 'src/a.ts', lines: undefined });
    assert.deepEqual(parseWrittenPlace('src/a.ts:7'), { path: 'src/a.ts', lines: { start: 7, end: 7 } });
    assert.deepEqual(parseWrittenPlace('C:\\a.ts:7-9'), { path: 'C:\\a.ts', lines: { start: 7, end: 9 } });
    assert.equal(writePlace({ path: 'a', startLine: 3, endLine: 3 }), 'a:3');
    assert.equal(writePlace({ path: 'a', startLine: 3, endLine: 4 }), 'a:3-4');
  });

  test('are in a folder if they begin with its name and a slash', () => {
    assert.deepEqual(
      ['src', 'src/', '', 'src/a.ts'].map((folder) => isIn(folder, 'src/a.ts')),
      [true, true, true, true],
    );
    assert.deepEqual(
      ['sr', 'src/a', 'src/a.ts/x'].map((folder) => isIn(folder, 'src/a.ts')),
      [false, false, false],
    );
  });
});
