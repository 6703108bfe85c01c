/** Memory blocks that are released: blocks never overlap, keep their contents, and are merged again. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';

interface Block {
  readonly address: number;
  readonly size: number;
  readonly mark: number;
}

/** Blocks of a separate kernel, each filled with its own mark until it is released. */
class MarkedBlocks {
  readonly kernel = new Kernel(createMemory());
  readonly memory = this.kernel.keepBlocks();
  readonly blocks: Block[] = [];
  #taken = 0;

  take(size: number): Block {
    const block = { address: this.memory.allocate(size), size, mark: 1 + (this.#taken++ % 255) };
    assert.equal(block.address % 16, 0);
    this.#bytesOf(block).fill(block.mark);
    this.blocks.push(block);
    return block;
  }

  give(place: number): void {
    const [block] = this.blocks.splice(place, 1);
    this.check(block);
    this.memory.free(block.address, block.size);
  }

  /** Checks that the mark of a block is intact. */
  check(block: Block): void {
    const bytes = this.#bytesOf(block);
    const damage = bytes.findIndex((byte) => byte !== block.mark);
    assert.equal(damage, -1, `byte ${damage} of the ${block.size} at ${block.address}`);
  }

  #bytesOf({ address, size }: Block): Uint8Array {
    return this.kernel.bytes.subarray(address, address + size);
  }
}

const size = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 300 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(16, 240, 256, 65_536, 65_537, 3_000_000) },
);
/** Size of a block to allocate, or index of a block to release. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: size.map((bytes) => ({ type: 'take' as const, bytes })) },
    { weight: 2, arbitrary: fc.nat().map((which) => ({ type: 'give' as const, which })) },
    { weight: 1, arbitrary: size.map((bytes) => ({ type: 'donate' as const, bytes })) },
  ),
  { maxLength: 200, size: 'max' },
);

suite('blocks', () => {
  test('do not overlap, whatever was released before', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const marked = new MarkedBlocks();
        for (const step of history) {
          if (step.type === 'take') marked.take(step.bytes);
          else if (step.type === 'donate') {
            marked.memory.donate(marked.kernel.allocate(step.bytes), step.bytes);
          } else if (marked.blocks.length > 0) marked.give(step.which % marked.blocks.length);
        }
        for (const block of marked.blocks) marked.check(block);
      }),
      { numRuns: scaled(40) },
    );
  });

  test('are allocated within donated memory and nowhere else', () => {
    const { kernel, memory } = new MarkedBlocks();
    const address = kernel.allocate(128);
    kernel.bytes.fill(7, address, address + 128);
    memory.donate(address + 8, 88);
    assert.equal(memory.allocate(80), address + 16);
    const around = [kernel.bytes.slice(address, address + 8), kernel.bytes.slice(address + 96, address + 128)];
    for (const bytes of around) assert.ok(bytes.every((byte) => byte === 7));
  });

  test('merge into one block after all are released', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(sizes, fc.infiniteStream(fc.nat()), (blockSizes, order) => {
        const marked = new MarkedBlocks();
        // Start with fresh memory, so that the returned block has the same bounds.
        const whole = marked.take(1_000_000);
        marked.give(0);
        const used = marked.kernel.usedBytes();
        for (const bytes of blockSizes) marked.take(bytes);
        for (const which of order) {
          marked.give(which % marked.blocks.length);
          if (marked.blocks.length === 0) break;
        }
        assert.equal(marked.take(1_000_000).address, whole.address);
        assert.equal(marked.kernel.usedBytes(), used);
      }),
    );
  });

  test('of changing sizes need little more memory than their total', () => {
    const marked = new MarkedBlocks();
    const before = marked.kernel.usedBytes();
    let maxUsed = 0;
    for (let n = 0, bytes = 0; n < 20_000; n++) {
      if (n >= 500) {
        const place = (n * 31) % 500;
        bytes -= marked.blocks[place].size;
        marked.give(place);
      }
      bytes += marked.take(1 + ((n * 7919) % 5000)).size;
      maxUsed = Math.max(maxUsed, bytes);
    }
    const taken = marked.kernel.usedBytes() - before;
    assert.ok(taken < 1.2 * maxUsed, `${taken} bytes were taken for ${maxUsed}`);
  });
});
