/** Search for a match around a run, compared with its definition. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KernelRecords, type Place, type Run } from './kernelAlignment.ts';

/** Number of tokens of both texts, small enough that places collide. */
const tokens = 2000;

const place: fc.Arbitrary<Place> = fc
  .tuple(
    fc.nat(tokens),
    fc.nat(tokens),
    fc.oneof(fc.nat(16), fc.nat(150), fc.nat(tokens)),
    fc.integer({ min: 50, max: 150 }),
  )
  .map(([a0, b0, length, percent]) => ({ a0, a1: a0 + length, b0, b1: b0 + Math.floor((length * percent) / 100) }));

/**
 * A place to add, and a run to search for. The run is near the beginning of the place, because a random run would
 * seldom be inside one.
 */
interface Step {
  readonly added: Place;
  readonly shift: readonly [number, number];
  readonly length: number;
  readonly trimmed: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  added: place,
  shift: fc.tuple(fc.integer({ min: -4, max: 60 }), fc.integer({ min: -4, max: 60 })),
  length: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 200 })),
  trimmed: fc.nat(8),
});

function leftOut(start: number, length: number, from: number, to: number): number {
  return length - Math.max(0, Math.min(start + length, to) - Math.max(start, from));
}

function firstAround(places: readonly Place[], { a, b, length }: Run, room: number): number {
  return places.findIndex(
    ({ a0, a1, b0, b1 }) => leftOut(a, length, a0, a1) <= room && leftOut(b, length, b0, b1) <= room,
  );
}

suite('grid of matches', () => {
  test('finds the first match around a run', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 100, maxLength: 600, size: 'max' }), (steps) => {
        const records = new KernelRecords(steps.length);
        const places: Place[] = [];
        for (const { added, shift, length, trimmed } of steps) {
          places.push(added);
          records.add(added);
          const { a0, b0 } = places[(17 * places.length + length) % places.length];
          const run = { a: Math.max(0, a0 + shift[0]), b: Math.max(0, b0 + shift[1]), length };
          const room = Math.min(trimmed, length >> 2);
          assert.equal(records.around(run, room), firstAround(places, run, room));
        }
      }),
    );
  });
});
