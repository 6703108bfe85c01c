/** Memory that a thread has reserved: allocations of two kernels on one memory never overlap. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';

/** Next action of a kernel: allocate memory, save a position, or return to a saved one. */
const action = fc.oneof(
  fc.record({ type: fc.constant('take' as const), size: fc.oneof(fc.nat(200), fc.nat(3_000_000)) }),
  fc.record({ type: fc.constant('mark' as const) }),
  fc.record({ type: fc.constant('release' as const), back: fc.nat(3) }),
);

/** A kernel with its allocations and the positions to which it can return. */
interface Holder {
  readonly kernel: Kernel;
  held: { readonly start: number; readonly end: number }[];
  marks: { readonly mark: number; readonly count: number }[];
}

function act({ kernel, held, marks }: Holder, next: typeof action extends fc.Arbitrary<infer A> ? A : never): void {
  switch (next.type) {
    case 'take': {
      const start = kernel.allocate(next.size);
      assert.equal(start % 16, 0);
      assert.ok(start + next.size <= kernel.memory.buffer.byteLength);
      held.push({ start, end: start + next.size });
      return;
    }
    case 'mark':
      marks.push({ mark: kernel.mark(), count: held.length });
      return;
    case 'release': {
      const to = marks[marks.length - 1 - next.back];
      if (to === undefined) return;
      kernel.release(to.mark);
      held.length = to.count;
      marks.length -= next.back;
    }
  }
}

suite('memory of a thread', () => {
  test('never overlaps that of another thread, whatever both allocate and release', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1), action), { maxLength: 60 }), fc.nat(4_000_000), (actions, expected) => {
        const memory = createMemory();
        const holders = [0, 1].map((): Holder => ({ kernel: new Kernel(memory), held: [], marks: [] }));
        const before = holders[0].kernel.mark();
        for (const { kernel } of holders) kernel.apart(expected);
        for (const [who, next] of actions) {
          act(holders[who], next);
          const all = holders.flatMap(({ held }) => held).filter(({ start, end }) => end > start);
          all.sort((x, y) => x.start - y.start);
          for (let i = 1; i < all.length; i++) assert.ok(all[i].start >= all[i - 1].end);
        }
        for (const { kernel } of holders) kernel.together();
        holders[0].kernel.release(before);
        assert.equal(holders[1].kernel.mark(), before);
      }),
      { numRuns: scaled(60) },
    );
  });

  test('is reused after release', () => {
    const kernel = new Kernel(createMemory());
    kernel.apart(1_000_000);
    const once = (): void => {
      const mark = kernel.mark();
      for (const size of [5_000_000, 100, 3_000_000, 64]) kernel.allocate(size);
      kernel.release(mark);
    };
    once();
    const used = kernel.usedBytes();
    for (let i = 0; i < 20; i++) once();
    assert.equal(kernel.usedBytes(), used);
  });
});
