/**
 * Detects the encoding of a file by its first bytes, and converts it to UTF-8. Text in other encodings (Latin-1,
 * Shift-JIS) is treated as UTF-8 with invalid bytes; this does not prevent copies from being found.
 */
import type { Refusal } from './sources.ts';

export type Encoding = 'utf-8' | 'utf-8 with mark' | 'utf-16le' | 'utf-16be' | 'binary';

/**
 * Returns memory of at least `size` bytes. It may be shared memory. If a file changes while it is read, or is in
 * UTF-16, this function is called several times, and only the last result is used.
 */
export type MemoryProvider = (size: number) => Uint8Array;

/** Number of first bytes in which a NUL makes a file binary. This is Git's rule. */
const binaryCheckBytes = 8_000;

/**
 * Returns the encoding of a file. UTF-16 is recognized only by its byte order mark. Without one, a UTF-16 file counts
 * as binary because of its NULs.
 */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8 with mark';
  // FF FE 00 00 would be the byte order mark of UTF-32, which compilers do not support.
  if (bytes[0] === 0xff && bytes[1] === 0xfe && !(bytes[2] === 0 && bytes[3] === 0)) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return hasNul(bytes) ? 'binary' : 'utf-8';
}

/** Converts UTF-16 to UTF-8, without a byte order mark or an odd last byte, and with U+FFFD for lone surrogates. */
export function utf16ToUtf8(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): Uint8Array {
  const units = bytes.subarray(2, bytes.length - (bytes.length % 2));
  return new TextEncoder().encode(new TextDecoder(encoding, { ignoreBOM: true }).decode(unshared(units)));
}

/** Returns true if there is a NUL among the first `binaryCheckBytes` bytes. */
export function hasNul(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, binaryCheckBytes);
  if (typeof Buffer === 'undefined') return bytes.subarray(0, length).includes(0);
  // `Buffer` has a native search even for shared memory. For 8 KB, it takes 0.3 µs, compared to 6 µs for a shared
  // Uint8Array.
  return Buffer.from(bytes.buffer, bytes.byteOffset, length).includes(0);
}

/**
 * Returns the text of a file as UTF-8 without a byte order mark, or the reason why it is not text. UTF-16 is converted
 * into memory from `reserve`; other text is not copied.
 */
export function decodeText(bytes: Uint8Array, reserve: MemoryProvider): { bytes: Uint8Array } | Refusal {
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

/** Decodes UTF-8. Replaces invalid bytes by U+FFFD. Keeps a byte order mark. */
export function textOf(bytes: Uint8Array): string {
  if (typeof Buffer !== 'undefined') return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(unshared(bytes));
}

/** Returns the bytes in memory that is not shared, because browsers cannot decode shared memory. */
export function unshared(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice();
}

/** Returns the bytes of a file as UTF-8 text, or `undefined` if they are not text. */
export function textOfBytes(fileBytes: Uint8Array): Buffer | undefined {
  const decoded = decodeText(fileBytes, (size) => new Uint8Array(size));
  return 'bytes' in decoded
    ? Buffer.from(decoded.bytes.buffer, decoded.bytes.byteOffset, decoded.bytes.length)
    : undefined;
}
