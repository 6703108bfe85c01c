/**
 * A file format that protects readers from incomplete and damaged files. A file consists of pieces of bytes, each with
 * a checksum, and a key that identifies their origin. It is written to a temporary file, which is then moved into
 * place. So readers see either the old or the new file, and the last of several writers wins.
 *
 *   0   "kindred\n"      8   version u32     12  pieces u32     16  key u64     24  length of the file f64
 *   32  checksum of the directory u64        40  checksum of bytes 0 to 39, u64
 *   48  piece, piece, …                      then the directory: length f64, checksum u64 of each piece
 *
 * Numbers are little-endian, as in the kernel memory from which the pieces are copied.
 */
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { openRegular, type RegularFile } from './regularFile.ts';
import { causeOf } from './systemErrors.ts';
import { beginTemporary, type TemporaryFile } from './temporaryFile.ts';

export type Checksum = (bytes: Uint8Array) => bigint;

/** First bytes of a file, which identify the program and the format. */
const magic = new TextEncoder().encode('kindred\n');
const version = 1;
const headerBytes = 48;
const entryBytes = 16;

/** Result of opening a file. `other`: the file is valid, but has another key. */
export type OpenedFile =
  | CheckedFile
  | { readonly type: 'missing' }
  | { readonly type: 'other' }
  | { readonly type: 'damaged'; readonly reason: string };

/** An open file. The caller must close it. */
export interface CheckedFile {
  readonly type: 'file';
  readonly sizes: readonly number[];
  /** Reads a piece into a buffer of the same size. Returns false if its checksum is wrong. */
  readonly read: (piece: number, into: Uint8Array) => boolean;
  readonly close: () => void;
}

/**
 * Opens a file. Does not throw if it cannot be read. Rejects files that belong to other users, because anyone can
 * compute valid checksums.
 *
 * @param user  id of the current user; `undefined` on systems without ids
 */
export function openChecked(file: string, key: bigint, checksum: Checksum, user = process.geteuid?.()): OpenedFile {
  return open(file, key, checksum, user);
}

/** Opens a file like `openChecked`, but accepts any key. */
export function openAnyChecked(file: string, checksum: Checksum): OpenedFile {
  return open(file, undefined, checksum, process.geteuid?.());
}

function open(file: string, key: bigint | undefined, checksum: Checksum, user: number | undefined): OpenedFile {
  let opened: RegularFile | undefined;
  try {
    opened = openRegular(file);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing ? { type: 'missing' } : { type: 'damaged', reason: `unreadable (${causeOf(error)})` };
  }
  if (opened === undefined) return { type: 'damaged', reason: 'not a file' };
  if (user !== undefined && opened.status.uid !== user) {
    closeSync(opened.descriptor);
    return { type: 'damaged', reason: 'it belongs to another user' };
  }
  const content = openHeader(opened, key, checksum);
  if (content.type !== 'file') closeSync(opened.descriptor);
  return content;
}

function openHeader({ descriptor, status }: RegularFile, key: bigint | undefined, checksum: Checksum): OpenedFile {
  try {
    const damaged = (reason: string): OpenedFile => ({ type: 'damaged', reason });
    const header = new Uint8Array(headerBytes);
    if (!fill(descriptor, header, 0)) return damaged('too short');
    if (magic.some((byte, i) => header[i] !== byte)) return damaged('not written by Kindred');
    const view = new DataView(header.buffer);
    if (view.getBigUint64(40, true) !== checksum(header.subarray(0, 40))) return damaged('its header is damaged');
    const isOther = key !== undefined && view.getBigUint64(16, true) !== key;
    if (view.getUint32(8, true) !== version || isOther) return { type: 'other' };
    if (view.getFloat64(24, true) !== status.size) return damaged('it is truncated');
    const count = view.getUint32(12, true);
    if (headerBytes + count * entryBytes > status.size) return damaged('it is truncated');
    const directory = new Uint8Array(count * entryBytes);
    if (!fill(descriptor, directory, status.size - directory.length)) return damaged('it is truncated');
    if (view.getBigUint64(32, true) !== checksum(directory)) return damaged('its directory is damaged');
    const content = readable(descriptor, new DataView(directory.buffer), checksum);
    const end = content.sizes.reduce((sum, size) => sum + size, headerBytes + directory.length);
    return end === status.size && content.sizes.every((size) => size >= 0) ? content : damaged('it is truncated');
  } catch (error) {
    return { type: 'damaged', reason: `unreadable (${causeOf(error)})` };
  }
}

function readable(descriptor: number, directory: DataView, checksum: Checksum): CheckedFile {
  const sizes = Array.from({ length: directory.byteLength / entryBytes }, (_, i) =>
    directory.getFloat64(i * entryBytes, true),
  );
  const starts: number[] = [];
  let start = headerBytes;
  for (const size of sizes) {
    starts.push(start);
    start += size;
  }
  return {
    type: 'file',
    sizes,
    read: (piece, into) => {
      try {
        if (!fill(descriptor, into, starts[piece]!)) return false;
      } catch {
        return false;
      }
      return checksum(into) === directory.getBigUint64(piece * entryBytes + 8, true);
    },
    close: () => closeSync(descriptor),
  };
}

export interface Content {
  readonly key: bigint;
  /** Pieces of the file. Each one is written before the next one is requested, so all may use the same memory. */
  readonly pieces: Iterable<Uint8Array>;
}

/**
 * Writes a file. Returns the reason if this fails. If it fails, or if `cancelled` returns true between two pieces, the
 * existing file stays. Yields to the event loop between pieces.
 */
export async function writeChecked(
  file: string,
  { key, pieces }: Content,
  checksum: Checksum,
  cancelled: () => boolean = () => false,
): Promise<string | undefined> {
  let temporary: TemporaryFile | undefined;
  try {
    temporary = beginTemporary(file);
    if (await writeAll(temporary.descriptor, key, pieces, checksum, cancelled)) temporary.commit();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'its folder does not exist' : causeOf(error);
  } finally {
    temporary?.discard();
  }
}

async function writeAll(
  descriptor: number,
  key: bigint,
  pieces: Iterable<Uint8Array>,
  checksum: Checksum,
  cancelled: () => boolean,
): Promise<boolean> {
  const entries: { readonly size: number; readonly sum: bigint }[] = [];
  let end = headerBytes;
  for (const piece of pieces) {
    writeFully(descriptor, piece, end);
    entries.push({ size: piece.length, sum: checksum(piece) });
    end += piece.length;
    await setImmediate();
    if (cancelled()) return false;
  }
  const directory = new DataView(new ArrayBuffer(entries.length * entryBytes));
  entries.forEach(({ size, sum }, i) => {
    directory.setFloat64(i * entryBytes, size, true);
    directory.setBigUint64(i * entryBytes + 8, sum, true);
  });
  const directoryBytes = new Uint8Array(directory.buffer);
  writeFully(descriptor, directoryBytes, end);
  const header = new Uint8Array(headerBytes);
  const view = new DataView(header.buffer);
  header.set(magic);
  view.setUint32(8, version, true);
  view.setUint32(12, entries.length, true);
  view.setBigUint64(16, key, true);
  view.setFloat64(24, end + directoryBytes.length, true);
  view.setBigUint64(32, checksum(directoryBytes), true);
  view.setBigUint64(40, checksum(header.subarray(0, 40)), true);
  writeFully(descriptor, header, 0);
  return true;
}

/**
 * Replaces a piece of a valid file. Precondition: no other program reads the file yet.
 *
 * @throws RangeError if another piece would have to be moved
 */
export function replacePiece(file: string, piece: number, bytes: Uint8Array, checksum: Checksum): void {
  const descriptor = openSync(file, 'r+');
  try {
    const header = new Uint8Array(headerBytes);
    fill(descriptor, header, 0);
    const view = new DataView(header.buffer);
    const count = view.getUint32(12, true);
    const directory = new Uint8Array(count * entryBytes);
    fill(descriptor, directory, view.getFloat64(24, true) - directory.length);
    const entries = new DataView(directory.buffer);
    const sizes = Array.from({ length: count }, (_, i) => entries.getFloat64(i * entryBytes, true));
    if (bytes.length !== sizes[piece] && piece !== count - 1) throw new RangeError('The piece has another size.');
    sizes[piece] = bytes.length;
    const start = sizes.slice(0, piece).reduce((sum, size) => sum + size, headerBytes);
    const end = sizes.slice(piece).reduce((sum, size) => sum + size, start);
    entries.setFloat64(piece * entryBytes, bytes.length, true);
    entries.setBigUint64(piece * entryBytes + 8, checksum(bytes), true);
    view.setFloat64(24, end + directory.length, true);
    view.setBigUint64(32, checksum(directory), true);
    view.setBigUint64(40, checksum(header.subarray(0, 40)), true);
    writeFully(descriptor, bytes, start);
    writeFully(descriptor, directory, end);
    writeFully(descriptor, header, 0);
    ftruncateSync(descriptor, end + directory.length);
  } finally {
    closeSync(descriptor);
  }
}

function writeFully(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
  }
}

function fill(descriptor: number, into: Uint8Array, position: number): boolean {
  for (let done = 0; done < into.length;) {
    const count = readSync(descriptor, into, done, into.length - done, position + done);
    if (count === 0) return false;
    done += count;
  }
  return true;
}
