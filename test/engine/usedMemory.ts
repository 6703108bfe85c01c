/** Memory with old contents, so that reads of uninitialized memory are detected. */
import { createMemory, Kernel, type KernelMemory } from '../../src/core/engine/kernel.ts';

/** Number of bytes that most corpora of tests use. */
const usedBytes = 2 ** 24;

/** Returns memory that was released and is not zero. */
export function usedMemory(): KernelMemory {
  const memory = createMemory();
  const kernel = new Kernel(memory);
  const mark = kernel.mark();
  const address = kernel.allocate(usedBytes);
  kernel.bytes.fill(0xa5, address, address + usedBytes);
  kernel.release(mark);
  return memory;
}

/** Returns memories that are used in turn, each after the previous one, so that data lies where other data was. */
export function memoriesInTurn(count: number): () => KernelMemory {
  const memories = Array.from({ length: count }, () => usedMemory());
  const start = new Kernel(createMemory()).mark();
  let turn = 0;
  return () => {
    const memory = memories[turn++ % count];
    new Kernel(memory).release(start);
    return memory;
  };
}
