import assert from 'node:assert/strict';
import xxhash from 'xxhash-wasm';
import { hash64, hashBytes64 } from '../../src/core/methods/hash64.ts';

suite('hash64', () => {
  test('returns xxHash64', () => {
    assert.equal(hash64(''), 0xef46db3751d8e999n);
    assert.equal(hash64('a'), 0xd24ec4f1a98c6e5bn);
    assert.equal(hash64('abc'), 0x44bc2cf5ad770999n);
    assert.throws(() => hash64(1 as never), { name: 'TypeError', message: /^text must be a string/ });
  });

  test('equals the hash of the package for texts and bytes of all sizes', async () => {
    const original = await xxhash();
    // The memory of the module has 64 KiB at first, and grows for the last two texts.
    for (const text of [
      '',
      'é',
      '\ud800',
      'a'.repeat(31),
      'a'.repeat(32),
      '€'.repeat(40_000),
      'ab'.repeat(200_000),
      'c',
    ]) {
      const bytes = new TextEncoder().encode(text);
      assert.equal(hash64(text), original.h64(text), `${text.length} units`);
      assert.equal(hashBytes64(bytes), original.h64Raw(bytes), `${bytes.length} bytes`);
    }
  });
});
