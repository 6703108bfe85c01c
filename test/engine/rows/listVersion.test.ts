/** Versions of a list: each can be read at any time, and differences between successive ones lead to the next. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { changeList } from '../../../src/core/collections/listDifference.ts';
import { ListVersion } from '../../../src/core/collections/listVersion.ts';

/** For each item, whether it is removed; for each gap, the number of items that are added there. */
const step = fc.record({
  removals: fc.array(fc.boolean(), { maxLength: 90, size: 'max' }),
  additions: fc.array(fc.oneof(fc.constant(0), fc.constant(0), fc.nat(2)), { maxLength: 90, size: 'max' }),
  isReadBefore: fc.boolean(),
  /** Which earlier versions are read after the step. */
  read: fc.array(fc.nat(9), { maxLength: 2 }),
});

suite('versions of a list', () => {
  test('can be read at any time, and keep their items', () => {
    let next = 0;
    let copies = 0;
    fc.assert(
      fc.property(fc.nat(80), fc.array(step, { maxLength: 10, size: 'max' }), (length, steps) => {
        const first = Array.from({ length }, () => next++);
        const versions = [
          { version: new ListVersion([...first]), items: first, readings: [] as (readonly number[])[] },
        ];
        for (const { removals, additions, isReadBefore, read } of steps) {
          const before = versions.at(-1)!;
          if (isReadBefore) before.readings.push(before.version.read());
          const items: number[] = [];
          const added: number[] = [];
          const add = (gap: number): void => {
            for (let i = additions[gap] ?? 0; i > 0; i--) added.push(items.push(next++) - 1);
          };
          for (const [place, item] of before.items.entries()) {
            add(place);
            if (!removals[place]) items.push(item);
          }
          add(before.items.length);
          const removed = before.items.flatMap((_, place) => (removals[place] ? [place] : []));
          const version = before.version.next({ removed, added, items: added.map((place) => items[place]) });
          const change = version.changeFrom(before.version)!;
          assert.deepEqual(changeList(before.items, change).items, items);
          assert.deepEqual(
            [...change.removed],
            removed.map((place) => before.items[place]),
          );
          assert.equal(before.version.changeFrom(version), undefined);
          if (versions.length > 1) assert.equal(version.changeFrom(versions.at(-2)!.version), undefined);
          versions.push({ version, items, readings: [] });
          for (const back of read) {
            const one = versions.at(-1 - back);
            one?.readings.push(one.version.read());
            if (one && back > 0) copies++;
          }
        }
        for (const { version, items, readings } of versions) {
          for (const reading of [...readings, version.read()]) assert.deepEqual(reading, items);
          assert.equal(version.length, items.length);
          assert.deepEqual(changeList(items, version.changeFrom(version)!).items, items);
        }
      }),
      { numRuns: scaled(500) },
    );
    assert.ok(copies > scaled(200), `${copies}`);
  });
});
