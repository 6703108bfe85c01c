/**
 * The WebAssembly kernel and its memory. One memory is shared by all threads of a scan; each thread opens its own
 * instance over it. Space is handed out by a bump pointer that lives in the memory itself, so that threads need no lock.
 *
 * Bytes 0–1023 are ours, then come the kernel's constants, then (from `arenaStart`) what is allocated:
 *
 *   0        8            1024                 65536
 *   | unused | bump (u32) |   kernel constants  |  arena …
 */
import wasm from '../kernel/kernel.wasm';
import type { KernelExports } from '../kernel/kernelExports.ts';
import { ThreadArena } from './threadArena.ts';

/** The memory that threads share: a WebAssembly.Memory, passed on as it is. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  grow(pages: number): number;
}

const pageBytes = 65_536;
const arenaStart = pageBytes;
/** The memory grows by 4 MiB at least, so that views of it are renewed seldom. */
const growPages = 64;
const maxBytes = 65_536 * pageBytes;
/** Where the bump pointer is, as an index of 32-bit words. It counts units of 16 bytes, to reach 4 GiB unsigned. */
const bumpWord = 2;
const unitBytes = 16;

/** Why an allocation failed. What was asked for counts as allocated all the same: `release` gives it back. */
export class MemoryUsedUp extends RangeError {}

/** A new shared memory, empty. */
export function createMemory(): KernelMemory {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 65_536, shared: true });
  new Int32Array(memory.buffer)[bumpWord] = arenaStart / unitBytes;
  return memory;
}

/** One thread's instance of the kernel, with views of the memory that are renewed when it grows. */
export class Kernel {
  readonly exports: KernelExports;
  readonly memory: KernelMemory;
  #bytes: Uint8Array;
  #words: Uint32Array;
  #own: ThreadArena | undefined;

  constructor(memory: KernelMemory) {
    this.memory = memory;
    const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), {
      env: { memory, allocate: (size: number) => this.allocate(size) },
    });
    this.exports = instance.exports as unknown as KernelExports;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Uint32Array(memory.buffer);
  }

  /** All bytes of the memory. Not to be kept over an allocation, here or in another thread. */
  get bytes(): Uint8Array {
    if (this.#bytes.byteLength !== this.memory.buffer.byteLength) this.#renewViews();
    return this.#bytes;
  }

  /** The same as 32-bit words: word i is at byte 4 i. */
  get words(): Uint32Array {
    if (this.#words.byteLength !== this.memory.buffer.byteLength) this.#renewViews();
    return this.#words;
  }

  /**
   * The address of `size` fresh bytes, aligned to 16. Safe from any thread.
   *
   * @throws MemoryUsedUp when 4 GiB are used up
   */
  allocate(size: number): number {
    return this.#own ? this.#own.allocate(size) : this.#take(size);
  }

  #take(size: number): number {
    const units = Math.ceil(size / unitBytes);
    const start = Atomics.add(new Int32Array(this.memory.buffer), bumpWord, units) >>> 0;
    const end = (start + units) * unitBytes;
    if (end > maxBytes) throw new MemoryUsedUp('The index needs more than 4 GiB.');
    for (
      let missing = end - this.memory.buffer.byteLength;
      missing > 0;
      missing = end - this.memory.buffer.byteLength
    ) {
      const pages = Math.max(Math.ceil(missing / pageBytes), growPages);
      this.memory.grow(Math.min(pages, (maxBytes - this.memory.buffer.byteLength) / pageBytes));
    }
    return start * unitBytes;
  }

  /** Where the arena ends now, to `release` back to. */
  mark(): number {
    return this.#own?.mark() ?? this.#end();
  }

  #end(): number {
    return Atomics.load(new Int32Array(this.memory.buffer), bumpWord) >>> 0;
  }

  /** Bytes of the memory in use, by all threads together. */
  usedBytes(): number {
    return this.#end() * unitBytes;
  }

  /** Gives back all that was allocated since `mark`. Only while no other thread allocates, but for `apart`. */
  release(mark: number): void {
    if (this.#own) this.#own.release(mark);
    else Atomics.store(new Int32Array(this.memory.buffer), bumpWord, mark);
  }

  /**
   * Until `together`, marks are this kernel's own: what it releases is free for itself alone, and others may allocate
   * meanwhile. What it takes so is given back when the arena is released to a mark of before.
   *
   * @param expected  how many bytes it will have at a time, about: so many are put aside
   */
  apart(expected: number): void {
    this.#own = new ThreadArena((size) => this.#take(size), expected);
  }

  together(): void {
    this.#own = undefined;
  }

  /**
   * The address of `size` bytes that can be given back, aligned to 16: of memory given back before, else fresh. For one
   * kernel of a memory only, which has to `keepBlocks` before.
   */
  takeBlock(size: number): number {
    return this.exports.allocateBlock(size) >>> 0;
  }

  /** Gives back what `takeBlock` gave for this size; nothing for address 0. */
  giveBlock(address: number, size: number): void {
    if (address !== 0) this.exports.freeBlock(address, size);
  }

  /** Gives away what was allocated for good, so that blocks are taken of it. */
  donateBlock(address: number, size: number): void {
    this.exports.donateBlock(address, size);
  }

  /** Makes this kernel the one that takes blocks and gives them back. Nothing may be released after that. */
  keepBlocks(): void {
    const table = this.allocate(this.exports.blockListBytes());
    this.exports.prepareBlocks(table, this.mark());
  }

  #renewViews(): void {
    this.#bytes = new Uint8Array(this.memory.buffer);
    this.#words = new Uint32Array(this.memory.buffer);
  }
}
