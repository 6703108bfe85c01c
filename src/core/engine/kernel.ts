/**
 * The WebAssembly kernel and its memory. One memory is shared by all threads of a scan; each thread opens its own
 * instance over it. Memory is allocated by atomically advancing a pointer (bump allocation). The pointer is stored in
 * the memory itself, so that threads need no lock.
 *
 * Bytes 0–1023 are reserved for this class. They are followed by the kernel's constants and (from `arenaStart`) the
 * allocations:
 *
 *   0        8            1024                 65536
 *   | unused | bump (u32) |   kernel constants  |  arena …
 */
import wasm from '../kernel/kernel.wasm';
import type { KernelExports } from '../kernel/kernelExports.ts';
import { ThreadArena } from './threadArena.ts';

/** The memory that threads share: `WebAssembly.Memory`, declared here for a layer without platform types. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  grow(pages: number): number;
}

const pageBytes = 65_536;
const arenaStart = pageBytes;
/** Minimum number of pages by which the memory grows (4 MiB). Each growth requires new views. */
const growPages = 64;
const maxBytes = 65_536 * pageBytes;
/** Index of the bump pointer, a 32-bit word. It counts units of 16 bytes, so 32 bits are enough for 4 GiB. */
const bumpWord = 2;
const unitBytes = 16;

/** Thrown if an allocation fails. The bump pointer was advanced anyway; `release` resets it. */
export class MemoryExhaustedError extends RangeError {}

/** Maximum sizes of the memory in pages, tried in this order: 4, 2, and 1 GiB. Some browsers refuse the larger ones. */
const maxPages = [65_536, 32_768, 16_384];

/** Creates a shared memory with the largest maximum size that the platform allows. */
export function createMemory(): KernelMemory {
  const memory = reserveMemory();
  new Int32Array(memory.buffer)[bumpWord] = arenaStart / unitBytes;
  return memory;
}

function reserveMemory([maximum, ...smaller] = maxPages): KernelMemory {
  try {
    return new WebAssembly.Memory({ initial: 2, maximum, shared: true });
  } catch (error) {
    if (smaller.length === 0) throw error;
    return reserveMemory(smaller);
  }
}

/** An instance of the kernel for one thread. When the memory grows, its views are replaced. */
export class Kernel {
  readonly exports: KernelExports;
  readonly memory: KernelMemory;
  #bytes: Uint8Array;
  #words: Uint32Array;
  /** The bump pointer. Its view stays valid when the memory grows. */
  readonly #bump: Int32Array;
  #own: ThreadArena | undefined;

  constructor(memory: KernelMemory) {
    this.memory = memory;
    const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), {
      env: { memory, allocate: (size: number) => this.allocate(size) },
    });
    this.exports = instance.exports as unknown as KernelExports;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Uint32Array(memory.buffer);
    this.#bump = new Int32Array(memory.buffer, 4 * bumpWord, 1);
  }

  /** View of all bytes of the memory. Becomes invalid when this or another thread allocates. */
  get bytes(): Uint8Array {
    if (this.#bytes.byteLength !== this.memory.buffer.byteLength) this.#renewViews();
    return this.#bytes;
  }

  /** View of all 32-bit words of the memory. Word i is at byte 4 i. */
  get words(): Uint32Array {
    if (this.#words.byteLength !== this.memory.buffer.byteLength) this.#renewViews();
    return this.#words;
  }

  /**
   * Returns the address of `size` new bytes, aligned to 16. Safe from any thread.
   *
   * @throws MemoryExhaustedError if the 4 GiB are exhausted, or the platform grants less
   */
  allocate(size: number): number {
    return this.#own ? this.#own.allocate(size) : this.#take(size);
  }

  #take(size: number): number {
    const units = Math.ceil(size / unitBytes);
    const start = Atomics.add(this.#bump, 0, units) >>> 0;
    const end = (start + units) * unitBytes;
    if (end > maxBytes) throw new MemoryExhaustedError('The index needs more than 4 GiB.');
    let bytes = this.memory.buffer.byteLength;
    while (end > bytes) {
      const missing = Math.ceil((end - bytes) / pageBytes);
      const isLarger = this.#grow(Math.max(missing, growPages)) || this.#grow(missing);
      const before = bytes;
      bytes = this.memory.buffer.byteLength;
      // Another thread may have grown the memory in the meantime.
      if (!isLarger && bytes === before)
        throw new MemoryExhaustedError(`The platform grants no more than ${bytes} bytes.`);
    }
    return start * unitBytes;
  }

  /** Grows the memory. Returns false at the maximum, or if the machine is out of memory. */
  #grow(pages: number): boolean {
    try {
      this.memory.grow(pages);
      return true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  /** Returns the current end of the arena, for `release`. */
  mark(): number {
    return this.#own?.mark() ?? this.#end();
  }

  #end(): number {
    return Atomics.load(this.#bump, 0) >>> 0;
  }

  /** Number of bytes that all threads together use. */
  usedBytes(): number {
    return this.#end() * unitBytes;
  }

  /**
   * Releases everything that was allocated since `mark`. Precondition: since then, no other thread has allocated
   * memory, unless it has called `apart`.
   */
  release(mark: number): void {
    if (this.#own) this.#own.release(mark);
    else Atomics.store(this.#bump, 0, mark);
  }

  /**
   * Until `together` is called, this kernel allocates from a separate block of memory. `mark` and `release` then affect
   * only this block, so other threads may allocate at the same time. The block is released together with the arena.
   *
   * @param expected  approximate number of bytes that are in use at a time, which are reserved
   */
  apart(expected: number): void {
    this.#own = new ThreadArena((size) => this.#take(size), expected);
  }

  together(): void {
    this.#own = undefined;
  }

  /**
   * Allows this kernel to allocate and release blocks. Only one of the kernels that share a memory may do so. `release`
   * must not be called afterwards.
   */
  keepBlocks(): Blocks {
    const table = this.allocate(this.exports.blockListBytes());
    this.exports.prepareBlocks(table, this.mark());
    return new Blocks(this);
  }

  #renewViews(): void {
    this.#bytes = new Uint8Array(this.memory.buffer);
    this.#words = new Uint32Array(this.memory.buffer);
  }
}

/** Blocks of a kernel's memory, which can be released individually. Only `Kernel.keepBlocks` creates one. */
export class Blocks {
  readonly kernel: Kernel;

  constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  /** Returns the address of a block of `size` bytes, aligned to 16. Released blocks are reused. */
  allocate(size: number): number {
    return this.kernel.exports.allocateBlock(size) >>> 0;
  }

  /** Releases a block of `size` bytes. Does nothing if the address is 0. */
  free(address: number, size: number): void {
    if (address !== 0) this.kernel.exports.freeBlock(address, size);
  }

  /** Adds memory of the arena, which could not be released individually, to the pool of free blocks. */
  donate(address: number, size: number): void {
    this.kernel.exports.donateBlock(address, size);
  }
}
