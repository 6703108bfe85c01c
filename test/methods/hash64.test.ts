import assert from 'node:assert/strict';
import { hash64 } from '../../src/core/methods/hash64.ts';

suite('hash64', () => {
  test('returns xxHash64', () => {
    assert.equal(hash64(''), 0xef46db3751d8e999n);
    assert.equal(hash64('a'), 0xd24ec4f1a98c6e5bn);
    assert.equal(hash64('abc'), 0x44bc2cf5ad770999n);
    assert.throws(() => hash64(1 as never), { name: 'TypeError', message: /^text must be a string/ });
  });
});
