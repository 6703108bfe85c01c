/** A test that fails. */
import assert from 'node:assert/strict';

suite('sabotage', () => {
  test('passes', () => {});
  test('fails', () => {
    assert.equal(1, 2);
  });
});
