/**
 * The hash of the library: xxHash64 (Collet 2012), seed 0, from the package xxhash-wasm. The package creates its
 * WebAssembly instance asynchronously. This module awaits it once, at load time, so that hashing is synchronous.
 */
import xxhash from 'xxhash-wasm';
import { nameOf } from './checkArgument.ts';

const hasher = await xxhash();

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
  return hasher.h64(text);
}

/** Returns the 64-bit hash of raw bytes. */
export function hashBytes64(bytes: Uint8Array): bigint {
  return hasher.h64Raw(bytes);
}
