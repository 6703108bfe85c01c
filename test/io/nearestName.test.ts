import assert from 'node:assert/strict';
import { nearestName } from '../../src/scan/io/nearestName.ts';

suite('nearestName', () => {
  const names = ['minTokens', 'minLines', 'weights', 'k', 'prose', 'text', 'tests'];
  const cases: readonly (readonly [name: string, expected: string | undefined])[] = [
    ['minToken', 'minTokens'],
    ['mintokens', 'minTokens'],
    ['minLinse', 'minLines'],
    ['wieghts', 'weights'],
    ['min-lines', 'minLines'],
    ['K', 'k'],
    ['pros', 'prose'],
    ['test', 'tests'],
    ['tex', 'text'],
    ['threshold', undefined],
    ['', undefined],
  ];
  for (const [name, expected] of cases) {
    test(`"${name}" is nearest to ${expected ?? 'no known name'}`, () => {
      assert.equal(nearestName(name, names), expected);
    });
  }
});
