/** Rows of tables and listings: copies are found where long parts are equal, whatever their line breaks. */
import assert from 'node:assert/strict';
import { randomNumbers } from '../../bench/randomNumbers.mjs';
import { groupsOf, placesOf } from './corpusOf.ts';

/** Pseudorandom numbers, different for each seed. */
function numbers(count: number, seed: number): string[] {
  const next = randomNumbers(seed);
  return Array.from({ length: count }, () => `0x${Math.floor(next() * 256).toString(16)}`);
}

function table(values: readonly string[], columns: number): string {
  const rows: string[] = [];
  for (let at = 0; at < values.length; at += columns) rows.push(`  ${values.slice(at, at + columns).join(', ')},\n`);
  return rows.join('');
}

function found(a: string, b: string, name = 'c'): string[][] {
  return groupsOf({ [`a.${name}`]: a, [`b.${name}`]: b }).map(placesOf);
}

suite('listings', () => {
  test('a table of numbers is found, also with different line breaks', () => {
    const values = numbers(160, 1);
    const [wide, narrow] = [table(values, 16), table(values, 9)];
    assert.equal(found(`int a[] = {\n${wide}};\n`, `long b[] = {\n${wide}};\n`).length, 1);
    const [[a, b] = []] = found(`int a[] = {\n${wide}};\n`, `long b[] = {\n${narrow}};\n`);
    assert.match(a, /^a\.c:[12]-1[12]$/);
    assert.match(b, /^b\.c:[12]-(19|20)$/);
  });

  test('different numbers in a table of one form are not a copy', () => {
    const [one, other] = [1, 2].map((seed) => table(numbers(160, seed), 16));
    assert.deepEqual(found(`int a[] = {\n${one}};\n`, `int a[] = {\n${other}};\n`), []);
  });

  test('a listing is found if twice the minimum size is equal', () => {
    const row = (i: number): string => `    case ${i}: return A${i};\n`;
    const rows = (count: number): string => Array.from({ length: count }, (_, i) => row(i)).join('');
    const pair = (count: number): string[][] =>
      found(`first();\n${rows(count)}one(1, 2);\n`, `second[0] = 1;\n${rows(count)}two.three();\n`);
    assert.deepEqual(pair(8), []);
    // The last case continues with text that differs, so it is not whole.
    assert.deepEqual(pair(20), [['a.c:2-20', 'b.c:2-20']]);
  });
});
