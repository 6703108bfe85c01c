import assert from 'node:assert/strict';
import { byReason } from '../../src/scan/io/byReason.ts';

suite('skipped files by reason', () => {
  const files = (...reasons: string[]) => reasons.map((reason, place) => ({ path: `${place}`, reason }));

  test('are sorted by frequency, then by reason', () => {
    const [a, b, c, d] = files('generated', 'minified', 'binary', 'minified');
    assert.deepEqual(byReason([a, b, c, d]), [
      ['minified', [b, d]],
      ['binary', [c]],
      ['generated', [a]],
    ]);
  });

  test('ignore text in parentheses, which is specific to a file', () => {
    const large = files('too large (2 MB, limit 1 MB)', 'too large (3 GB, limit 1 MB)');
    assert.deepEqual(byReason(large), [['too large', large]]);
  });

  test('are empty without files', () => {
    assert.deepEqual(byReason([]), []);
  });
});
