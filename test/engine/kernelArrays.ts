/** Arrays in the memory of a kernel, for tests that call the kernel directly. */
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';

const kernel = new Kernel(createMemory());
/** Fill byte that no result consists of, so that missing writes are detected. */
const untouched = 0xa5;

/** Writes arrays to the kernel's memory and reads them back. Addresses are in bytes. */
export class KernelArrays {
  readonly kernel = kernel;
  readonly exports = kernel.exports;

  /** Returns the address of `size` bytes that are not zero. */
  room(size: number): number {
    const address = kernel.allocate(size + 16);
    kernel.bytes.fill(untouched, address, address + size);
    return address;
  }

  putWords(values: readonly number[]): number {
    const address = this.room(4 * values.length);
    kernel.words.set(values, address >>> 2);
    return address;
  }

  putShorts(values: readonly number[]): number {
    const address = this.room(2 * values.length);
    new Uint16Array(kernel.memory.buffer, address, values.length).set(values);
    return address;
  }

  putLongs(values: readonly bigint[]): number {
    const address = this.room(8 * values.length);
    new BigUint64Array(kernel.memory.buffer, address, values.length).set(values);
    return address;
  }

  words(address: number, count: number): number[] {
    return [...kernel.words.subarray(address >>> 2, (address >>> 2) + count)];
  }

  longs(address: number, count: number): bigint[] {
    return [...new BigUint64Array(kernel.memory.buffer, address, count)];
  }

  /** Returns records of `width` words. */
  records(address: number, count: number, width: number): number[][] {
    const words = this.words(address, count * width);
    return Array.from({ length: count }, (_, i) => words.slice(i * width, (i + 1) * width));
  }
}

/** Calls `use` with arrays and releases their memory afterwards. */
export function withArrays<Answer>(use: (arrays: KernelArrays) => Answer): Answer {
  const mark = kernel.mark();
  try {
    return use(new KernelArrays());
  } finally {
    kernel.release(mark);
  }
}
