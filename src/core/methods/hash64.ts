/**
 * The hash of the library: xxHash64 (Collet 2012), seed 0, in the WebAssembly module of the package xxhash-wasm. The
 * package itself loads its module asynchronously. This file embeds the module and instantiates it synchronously. So the
 * library has no top-level await, and can be loaded with `require`.
 */
import wasm from 'xxhash-wasm/workerd/xxhash.wasm';
import { nameOf } from './checkArgument.ts';

/** TextEncoder, which Node and browsers provide. This project does not include their types. */
declare const TextEncoder: new () => { encodeInto(text: string, target: Uint8Array): { readonly written: number } };

interface Hasher {
  /** Memory of the module. The input begins at address 0. The hash function needs no memory besides it. */
  readonly mem: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Returns the hash of `length` bytes at `address`, as a signed number. */
  readonly xxh64: (address: number, length: number, seed: bigint) => bigint;
}

const pageBytes = 65_536;
/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const maxBytesPerUnit = 3;

const { mem: memory, xxh64 } = new WebAssembly.Instance(new WebAssembly.Module(wasm), {}).exports as unknown as Hasher;
const encoder = new TextEncoder();
let input = new Uint8Array(memory.buffer);

/**
 * Returns the 64-bit hash of a text, encoded as UTF-8 (an unpaired surrogate counts as U+FFFD). The hash of the empty
 * text is 0xef46db3751d8e999.
 *
 * @throws TypeError  if `text` is not a string
 * @example
 * ```js
 * hash64('kindred'); // 3084641325589576841n
 * ```
 */
export function hash64(text: string): bigint {
  if (typeof text !== 'string') throw new TypeError(`text must be a string, not ${nameOf(text)}.`);
  growInput(text.length * maxBytesPerUnit);
  return hashInput(encoder.encodeInto(text, input).written);
}

export function hashBytes64(bytes: Uint8Array): bigint {
  growInput(bytes.length);
  input.set(bytes);
  return hashInput(bytes.length);
}

function hashInput(length: number): bigint {
  return BigInt.asUintN(64, xxh64(0, length, 0n));
}

/** Grows the memory if it is too small for an input of `size` bytes. */
function growInput(size: number): void {
  if (size <= input.length) return;
  memory.grow(Math.ceil((size - input.length) / pageBytes));
  input = new Uint8Array(memory.buffer);
}
