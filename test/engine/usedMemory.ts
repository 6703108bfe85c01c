/** Memory as it is after use: what is read of it but was not written shows. */
import { createMemory, Kernel, type KernelMemory } from '../../src/engine/kernel.ts';

/** As much of a memory as most corpora of tests take. */
const usedBytes = 2 ** 24;

/** A memory that was given back, with something else than zeros in it. */
export function usedMemory(): KernelMemory {
  const memory = createMemory();
  const kernel = new Kernel(memory);
  const mark = kernel.mark();
  const address = kernel.allocate(usedBytes);
  kernel.bytes.fill(0xa5, address, address + usedBytes);
  kernel.release(mark);
  return memory;
}

/** Memories that are used in turn, each only after the one before it: so a history of one lies where that of another was. */
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
