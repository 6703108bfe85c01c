/**
 * The hash of the library: xxHash64 (Collet 2012), seed 0, from the package xxhash-wasm. The package makes its WebAssembly
 * instance asynchronously; this module waits for it once, when it is loaded, so that hashing itself is synchronous.
 */
import xxhash from 'xxhash-wasm';
import { nameOf } from './checkArgument.ts';

const hasher = await xxhash();

/**
 * The 64-bit hash of a text, read as UTF-8 (half of a surrogate pair counts as U+FFFD). The empty text has
 * 0xef46db3751d8e999.
 *
 * @throws TypeError  when `text` is no string
 * @example
 * ```js
 * hash64('kindred'); // 3084641325589576841n
 * ```
 */
export function hash64(text: string): bigint {
  if (typeof text !== 'string') throw new TypeError(`text must be a string, not ${nameOf(text)}.`);
  return hasher.h64(text);
}

/** The same of bytes as they are. */
export function hashBytes64(bytes: Uint8Array): bigint {
  return hasher.h64Raw(bytes);
}
