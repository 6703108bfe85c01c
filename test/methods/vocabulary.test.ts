import assert from 'node:assert/strict';
import { vocabularyWeights } from '../../src/library/vocabulary.ts';

suite('vocabulary', () => {
  test('is 1 + log₂(documents / documents with the token)', () => {
    const documents = Array.from({ length: 1024 }, (_, i) => [
      'always',
      ...(i % 2 ? ['half', 'half'] : []),
      ...(i % 4 ? [] : ['quarter']),
      ...(i ? [] : ['once']),
    ]);
    assert.deepEqual(
      vocabularyWeights(documents),
      new Map([
        ['always', 1],
        ['quarter', 3],
        ['once', 11],
        ['half', 2],
      ]),
    );
  });
  test('is empty without documents or tokens', () => {
    assert.deepEqual(vocabularyWeights([]), new Map());
    assert.deepEqual(vocabularyWeights([[], []]), new Map());
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => vocabularyWeights(1 as never), { name: 'TypeError', message: /^documents must be iterable/ });
    assert.throws(() => vocabularyWeights(['a'] as never), { name: 'TypeError', message: /^documents: each must be/ });
  });
});
