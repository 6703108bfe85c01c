/** Assignment of rows to parts, and of parts to servers. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { defaultParts, partOf, rendezvous } from '../../src/organisation/database/parts.ts';

suite('parts', () => {
  test('have permanent numbers below their count, because stored rows are found by them', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.integer({ min: 1, max: 1000 }), (first, second, parts) => {
        const part = partOf(first, second, parts);
        assert.ok(Number.isInteger(part) && part >= 0 && part < parts);
        assert.equal(partOf(first | 0, second >>> 0, parts), part);
      }),
    );
    assert.deepEqual(
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [3, 65535],
        [258, -1],
      ].map(([a, b]) => partOf(a, b, defaultParts)),
      [33, 45, 38, 31, 10],
    );
  });

  test('are assigned evenly to successive keys', () => {
    const counts = new Array<number>(defaultParts).fill(0);
    for (let t = 0; t < 4; t++) for (let key = 0; key < 65536; key++) counts[partOf(t, key, defaultParts)]++;
    const mean = (4 * 65536) / defaultParts;
    for (const count of counts) assert.ok(Math.abs(count - mean) < mean / 10, `${count} of ${mean}`);
  });

  test('are assigned to servers evenly and regardless of their order', () => {
    const names = ['s1', 's2', 's3', 's4'];
    const places = rendezvous(names, 1024);
    assert.deepEqual(rendezvous([...names].reverse(), 1024), places);
    for (const name of names) {
      const share = places.filter((place) => place === name).length;
      assert.ok(share > 200 && share < 312, `${name} has ${share}`);
    }
  });

  test('move only to an added server', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 8 }), (names) => {
        const before = rendezvous(names.slice(1), defaultParts);
        const after = rendezvous(names, defaultParts);
        for (let part = 0; part < defaultParts; part++) {
          assert.ok(after[part] === before[part] || after[part] === names[0]);
        }
      }),
    );
  });
});
