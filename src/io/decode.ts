/**
 * Which encoding bytes are in, by their first ones. Kindred works on UTF-8; what is not valid in it (Latin-1, Shift-JIS)
 * is compared byte by byte, which finds its copies as well.
 */
import type { Refusal } from './sources.ts';

export type Encoding = 'utf-8' | 'utf-8 with mark' | 'utf-16le' | 'utf-16be' | 'binary';

/**
 * Provides memory for `size` bytes: a view at least that long, which may lie in a SharedArrayBuffer. It is asked more
 * than once for a file that changes while it is read or is in UTF-16; then only the last view counts.
 */
export type Reserve = (size: number) => Uint8Array;

/** Git's rule for binary files: a NUL among the first 8,000 bytes. */
const binaryCheckBytes = 8_000;

/** The encoding of a whole file. UTF-16 is recognised by its byte order mark only; without it, its NULs read as binary. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8 with mark';
  // FF FE 00 00 is the mark of UTF-32, which no compiler reads.
  if (bytes[0] === 0xff && bytes[1] === 0xfe && !(bytes[2] === 0 && bytes[3] === 0)) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return hasNul(bytes) ? 'binary' : 'utf-8';
}

/** UTF-16 bytes, mark included, as UTF-8 without a mark. Half a character at the end, or alone, becomes U+FFFD or is left out. */
export function utf16ToUtf8(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): Uint8Array {
  // A copy, since the order is changed in place and the argument is the caller's.
  const units = Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)));
  if (encoding === 'utf-16be') units.swap16();
  return Buffer.from(units.toString('utf16le'), 'utf8');
}

/** Whether a NUL is among the first bytes. */
export function hasNul(bytes: Uint8Array): boolean {
  // Buffer's search is native for shared memory too: 0.3 µs for 8 KB; that of a shared Uint8Array takes 6 µs.
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, binaryCheckBytes)).includes(0);
}

/**
 * The text in the bytes of a file, as UTF-8 without byte order mark, or why it is none. UTF-16 takes memory of its own, all
 * other text stays where it is.
 */
export function decodeText(bytes: Uint8Array, reserve: Reserve): { bytes: Uint8Array } | Refusal {
  const encoding = encodingOf(bytes);
  switch (encoding) {
    case 'utf-8':
      return { bytes };
    case 'utf-8 with mark':
      return hasNul(bytes) ? { reason: 'binary' } : { bytes: bytes.subarray(3) };
    case 'binary':
      return { reason: 'binary' };
    case 'utf-16le':
    case 'utf-16be': {
      const text = utf16ToUtf8(bytes, encoding);
      if (hasNul(text)) return { reason: 'binary' };
      const view = reserve(text.length);
      view.set(text);
      return { bytes: view.subarray(0, text.length) };
    }
  }
}

/** The bytes of a text as UTF-8; undefined when they are none. */
export function textOfBytes(given: Uint8Array): Buffer | undefined {
  const decoded = decodeText(given, (size) => new Uint8Array(size));
  return 'bytes' in decoded
    ? Buffer.from(decoded.bytes.buffer, decoded.bytes.byteOffset, decoded.bytes.length)
    : undefined;
}
