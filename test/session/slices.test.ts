/**
 * Time slices of long work on the extension host's thread. The tests use a clock that the work advances, and the real
 * event loop.
 */
import assert from 'node:assert/strict';
import { Slices, sliceMs } from '../../src/session/client/slices.ts';

/** Simulates work whose pieces take the given milliseconds each. Returns the duration of each slice. */
async function sliced(pieces: readonly number[], pauseMs = 0): Promise<number[]> {
  let now = 1000;
  let began = now;
  const slices: number[] = [];
  const turns = {
    now: () => now,
    pass: () => {
      slices.push(now - began);
      now += pauseMs;
      began = now;
      return Promise.resolve();
    },
  };
  const work = new Slices(turns);
  for (const ms of pieces) {
    now += ms;
    if (work.isUsedUp) await work.next();
  }
  slices.push(now - began);
  return slices;
}

suite('slices', () => {
  test('work of less than a slice is not interrupted', async () => {
    assert.deepEqual(await sliced([1, 1, sliceMs - 3]), [sliceMs - 1]);
  });

  test('work is interrupted as soon as its slice is used up, and the next slice starts from zero', async () => {
    const pieces = new Array<number>(4 * sliceMs).fill(0.5);
    assert.deepEqual(await sliced(pieces), [sliceMs, sliceMs, 0]);
  });

  test('a slice exceeds its limit by at most one piece', async () => {
    assert.deepEqual(await sliced([sliceMs - 1, 30, 1, 1]), [sliceMs + 29, 2]);
  });

  test('do not count the time of other work', async () => {
    assert.deepEqual(await sliced([sliceMs, 1, 1, 1], 1000), [sliceMs, 3]);
  });

  test('the event loop runs pending callbacks between two slices', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('other'));
    const slices = new Slices();
    order.push('first');
    await slices.next();
    order.push('second');
    assert.deepEqual(order, ['first', 'other', 'second']);
  });
});
