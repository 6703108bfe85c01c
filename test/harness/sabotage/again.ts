/** A test that passes when it is run again. */
import assert from 'node:assert/strict';

let runs = 0;
suite('sabotage', () => {
  test('passes the second time', function () {
    this.retries(1);
    assert.equal(++runs, 2);
  });
});
