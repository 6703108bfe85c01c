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

/* eslint-disable max-params -- numbers are all that WebAssembly takes */
/** Functions of src/kernel/kernel.ts. Addresses and counts are unsigned 32-bit numbers. */
export interface KernelExports {
  /** Bytes [start, end) of a text to tokens; src/kernel/lex.ts has the details. */
  readonly lex: (
    source: number,
    length: number,
    lexicon: number,
    tokens: number,
    starts: number,
    lengths: number,
    lines: number,
    result: number,
    tokenBase: number,
    start: number,
    end: number,
  ) => void;
}
/* eslint-enable max-params */

const pageBytes = 65_536;
const arenaStart = pageBytes;
/** Where the bump pointer is, as an index of 32-bit words. It counts units of 16 bytes, to reach 4 GiB unsigned. */
const bumpWord = 2;
const unitBytes = 16;

/** A new shared memory, empty. */
export function createMemory(): WebAssembly.Memory {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 65_536, shared: true });
  new Int32Array(memory.buffer)[bumpWord] = arenaStart / unitBytes;
  return memory;
}

/** One thread's instance of the kernel, with views of the memory that are renewed when it grows. */
export class Kernel {
  readonly exports: KernelExports;
  #bytes: Uint8Array;
  #words: Uint32Array;

  readonly memory: WebAssembly.Memory;

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
    const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env: { memory } });
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
   * @throws RangeError when 4 GiB are used up
   */
  allocate(size: number): number {
    const units = Math.ceil(size / unitBytes);
    const start = Atomics.add(new Int32Array(this.memory.buffer), bumpWord, units) >>> 0;
    const end = (start + units) * unitBytes;
    if (end > 65_536 * pageBytes) throw new RangeError('The index needs more than 4 GiB.');
    for (
      let missing = end - this.memory.buffer.byteLength;
      missing > 0;
      missing = end - this.memory.buffer.byteLength
    ) {
      this.memory.grow(Math.ceil(missing / pageBytes));
    }
    return start * unitBytes;
  }

  #renewViews(): void {
    this.#bytes = new Uint8Array(this.memory.buffer);
    this.#words = new Uint32Array(this.memory.buffer);
  }
}
