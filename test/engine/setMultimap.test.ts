/** Sets of items by key, compared with a map of sets. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SetMultimap } from '../../src/core/collections/setMultimap.ts';

const key = fc.nat(2);
const item = fc.nat(11);
const operation = fc.record({ isAdded: fc.oneof(fc.constant(true), fc.boolean()), key, item });

suite('sets by key', () => {
  test('have the items of a map of sets, in the same order', () => {
    let long = 0;
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80, size: 'max' }), (operations) => {
        const sets = new SetMultimap<number, number>();
        const expected = new Map<number, Set<number>>();
        for (const step of operations) {
          const set = expected.get(step.key) ?? new Set();
          if (step.isAdded) {
            sets.add(step.key, step.item);
            expected.set(step.key, set.add(step.item));
          } else {
            sets.delete(step.key, step.item);
            set.delete(step.item);
            if (set.size === 0) expected.delete(step.key);
          }
          const items = expected.get(step.key) ?? new Set();
          assert.deepEqual([...sets.get(step.key)], [...items]);
          assert.equal(sets.count(step.key), items.size);
          assert.equal(sets.has(step.key, step.item), items.has(step.item));
          assert.equal(sets.size, expected.size);
          if (items.size > 8) long++;
        }
        assert.deepEqual(
          Array.from(sets.values(), (items) => [...items]),
          Array.from(expected.values(), (items) => [...items]),
        );
      }),
    );
    assert.ok(long > 0, 'some sets are longer than an array may be');
  });

  test('can change while their items are read', () => {
    const sets = new SetMultimap<string, number>();
    for (let number = 0; number < 20; number++) {
      sets.add('long', number);
      if (number < 5) sets.add('short', number);
    }
    for (const name of ['short', 'long']) {
      const before = [...sets.get(name)];
      const read: number[] = [];
      for (const number of sets.get(name)) {
        read.push(number);
        sets.delete(name, number);
      }
      assert.deepEqual(read, before);
      assert.equal(sets.count(name), 0);
    }
  });
});
