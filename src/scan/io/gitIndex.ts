/**
 * Reads the index file of a Git worktree, which contains the object id and the stamp of each file. If a file still has
 * this stamp, it has the content of the object. Format: gitformat-index(5).
 */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gitFolderOf } from './worktrees.ts';
import type { FileStamp } from './sources.ts';

export interface GitIndex {
  /**
   * Returns the id of a file's object, given the file's current stamp. Returns `undefined` if the index does not
   * contain the file, or if only reading the file would show whether it has changed.
   *
   * @param name  path relative to the top of the worktree
   */
  readonly objectOf: (name: string, stamp: FileStamp) => string | undefined;
}

interface Entry {
  readonly id: string;
  /** Size, times, and inode of the file, by which a change is detected. The inode is truncated to 32 bits. */
  readonly stamp: FileStamp;
}

/** Number of bytes in an entry before its object id. */
const statBytes = 40;
/** Lengths of object ids in bytes: SHA-1 and SHA-256. */
const idLengths = [20, 32];

/** Reads the index of a worktree. Returns `undefined` if there is none or it cannot be used. Never throws. */
export function readGitIndex(top: string): GitIndex | undefined {
  try {
    const folder = gitFolderOf(top);
    if (folder === undefined) return undefined;
    const descriptor = openSync(path.join(folder, 'index'), 'r');
    try {
      const { mtimeMs } = fstatSync(descriptor);
      const bytes = readFileSync(descriptor);
      const entries = idLengths.map((length) => entriesIn(bytes, length)).find((found) => found !== undefined);
      return entries && { objectOf: (name, stamp) => objectOf(entries.get(name), stamp, mtimeMs) };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

function objectOf(entry: Entry | undefined, stamp: FileStamp, writtenMs: number): string | undefined {
  if (entry === undefined) return undefined;
  const { sizeBytes, mtimeMs, ctimeMs, inode } = entry.stamp;
  const isSame =
    sizeBytes === stamp.sizeBytes % 2 ** 32 &&
    mtimeMs === stamp.mtimeMs &&
    ctimeMs === stamp.ctimeMs &&
    inode === stamp.inode % 2 ** 32;
  // A file that was written in the same instant as the index may have changed since then without a change of its stamp.
  return isSame && mtimeMs < writtenMs ? entry.id : undefined;
}

/** Returns the regular files in an index that have no conflicts; `undefined` if object ids have another length. */
function entriesIn(bytes: Buffer, idLength: number): Map<string, Entry> | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const entries = new Map<string, Entry>();
  let at = 12;
  let name = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const word = (place: number): number => bytes.readUInt32BE(start + 4 * place);
    const mode = word(6);
    const flags = bytes.readUInt16BE(start + statBytes + idLength);
    const isExtended = (flags & 0x4000) !== 0;
    at = start + statBytes + idLength + 2;
    const more = isExtended ? bytes.readUInt16BE(at) : 0;
    if (isExtended) at += 2;
    let kept = 0;
    if (version === 4) {
      const removed = numberAt(bytes, at);
      at = removed.end;
      kept = name.length - removed.value;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0 || kept < 0 || !isMode(mode)) return undefined;
    const next = Buffer.concat([name.subarray(0, kept), bytes.subarray(at, end)]);
    // Entries are sorted by name. If they do not seem to be sorted, the assumed length of ids is wrong.
    if (Buffer.compare(name, next) > 0) return undefined;
    name = next;
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
    // Skip conflicts, and files that Git assumes to be unchanged, has left out of the worktree, or will add later.
    const isPlain = (flags & 0xb000) === 0 && (more & 0x6000) === 0;
    if (!isPlain || mode >>> 12 !== regularFile) continue;
    const id = bytes.toString('hex', start + statBytes, start + statBytes + idLength);
    const stamp = {
      ctimeMs: milliseconds(word(0), word(1)),
      mtimeMs: milliseconds(word(2), word(3)),
      inode: word(5),
      sizeBytes: word(9),
    };
    entries.set(name.toString('utf8'), { id, stamp });
  }
  return entries;
}

const regularFile = 0o10;
/** Valid types of entries: folders of sparse checkouts, regular files, symbolic links, and submodules. */
const types = new Set([0o4, regularFile, 0o12, 0o16]);

function isMode(mode: number): boolean {
  return mode < 2 ** 16 && types.has(mode >>> 12);
}

/** Converts a time to milliseconds in the same way as Node, so that equal times become equal numbers. */
function milliseconds(seconds: number, nanoseconds: number): number {
  return seconds * 1_000 + nanoseconds / 1_000_000;
}

/** Reads a number of variable length, encoded like the offsets in packs. Also returns the position after it. */
function numberAt(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let at = start;
  let byte = bytes.readUInt8(at++);
  let value = byte & 127;
  while (byte >= 128) {
    byte = bytes.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end: at };
}
