/**
 * Stored index whose files are always read and written completely, for storage that only supports this. Layout of a
 * file:
 *
 *   0  checksum of the rest u64    8  key u64    16  pieces u32    20  sizes of the pieces, f64 each    pieces
 */
import { nextTurn } from '../../core/collections/threads.ts';
import { hashBytes64 } from '../../core/methods/hash64.ts';
import type { CheckedFile, OpenedFile } from '../io/checkedFile.ts';
import { formatFileSize } from '../io/fileSize.ts';
import type { FileName, StoreFiles } from './indexStore.ts';

/** Storage for the files of an index. */
export interface StoredBytes {
  /** Maximum size of a file in bytes. Larger files are not written. */
  readonly maxBytes: number;
  nameOf(name: FileName): string;
  read(name: FileName): Uint8Array | undefined;
  /** Stores a file. Returns the reason if this fails. */
  write(name: FileName, bytes: Uint8Array): Promise<string | undefined>;
}

const headBytes = 20;
const sizeBytes = 8;

export function storeInMemory(stored: StoredBytes): StoreFiles {
  return {
    nameOf: (name) => stored.nameOf(name),
    open: (name, key) => openBytes(stored.read(name), key),
    write: async (name, { key, pieces }, cancelled) => {
      const copies = await copiesOf(pieces, stored.maxBytes, cancelled);
      if (copies === undefined) return undefined;
      return 'problem' in copies ? copies.problem : stored.write(name, join(copies, key));
    },
  };
}

/** Returns copies of the pieces, or the reason why they cannot be stored. Returns `undefined` after a cancellation. */
async function copiesOf(
  pieces: Iterable<Uint8Array>,
  maxBytes: number,
  cancelled: () => boolean,
): Promise<readonly Uint8Array[] | { readonly problem: string } | undefined> {
  const copies: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) return { problem: `it is larger than ${formatFileSize(maxBytes)}` };
    // Copy the piece now, because the next one may use the same memory.
    copies.push(piece.slice());
    await nextTurn();
    if (cancelled()) return undefined;
  }
  return copies;
}

function join(pieces: readonly Uint8Array[], key: bigint): Uint8Array {
  const start = headBytes + pieces.length * sizeBytes;
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, start));
  const view = new DataView(bytes.buffer);
  view.setBigUint64(8, key, true);
  view.setUint32(16, pieces.length, true);
  let at = start;
  for (const [place, piece] of pieces.entries()) {
    view.setFloat64(headBytes + place * sizeBytes, piece.length, true);
    bytes.set(piece, at);
    at += piece.length;
  }
  view.setBigUint64(0, hashBytes64(bytes.subarray(sizeBytes)), true);
  return bytes;
}

function openBytes(bytes: Uint8Array | undefined, key: bigint): OpenedFile {
  if (bytes === undefined) return { type: 'missing' };
  if (bytes.length < headBytes) return { type: 'damaged', reason: 'too short' };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getBigUint64(0, true) !== hashBytes64(bytes.subarray(sizeBytes))) {
    return { type: 'damaged', reason: 'its content is damaged' };
  }
  return view.getBigUint64(8, true) === key ? readable(bytes, view) : { type: 'other' };
}

function readable(bytes: Uint8Array, view: DataView): CheckedFile {
  const sizes = Array.from({ length: view.getUint32(16, true) }, (_, place) =>
    view.getFloat64(headBytes + place * sizeBytes, true),
  );
  const starts: number[] = [];
  let at = headBytes + sizes.length * sizeBytes;
  for (const size of sizes) {
    starts.push(at);
    at += size;
  }
  return {
    type: 'file',
    sizes,
    read: (piece, into) => {
      into.set(bytes.subarray(starts[piece], starts[piece]! + into.length));
      return true;
    },
    close: () => undefined,
  };
}
