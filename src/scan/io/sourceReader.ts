/** Reads sources in memory, and decides if they are compared. readSource.ts does the same for files on disk. */
import type { SkippedFile } from '../../core/engine/report/report.ts';
import type { MemoryProvider } from './decode.ts';
import { judgeBytes, maxBytesOf, tooLarge } from './judgeContent.ts';
import type { FileStamp, ListedFile, ReadLimits, Refusal, RemoteFile } from './sources.ts';

/**
 * Text of a source as UTF-8 without a byte order mark, with its original line endings, or the reason to skip it. The
 * stamp, which was determined before reading, is `undefined` if the file could not be opened.
 */
export type Source =
  | { readonly bytes: Uint8Array; readonly stamp: FileStamp | undefined }
  | { readonly skipped: SkippedFile; readonly stamp: FileStamp | undefined };

/** Reads listed files. Node and browsers have different implementations, because browsers have no disk. */
export interface SourceReader {
  /**
   * Reads a source into memory that `reserve` allocates. Afterwards, the last view that `reserve` returned contains the
   * text. If the file cannot be read, returns the reason. Invalid UTF-8 is kept unchanged.
   */
  read(file: ListedFile, limits: ReadLimits, reserve: MemoryProvider): Source;
  /** Returns the stamp of a file without reading the file. Returns `undefined` if the stamp is not available. */
  stampOf(file: ListedFile): FileStamp | undefined;
}

/** Bytes of a file, or the reason why it could not be read. */
export type ReadResult =
  | { readonly bytes: Uint8Array; readonly stamp: FileStamp | undefined }
  | { readonly refusal: Refusal; readonly stamp: FileStamp | undefined };

/** Reads files whose bytes are already in memory, as part of the listing. */
export const memoryReader: SourceReader = {
  read: (file, limits, reserve) => {
    const maxBytes = maxBytesOf(file.path, limits.maxFileSizeBytes);
    return judgeRead(file.path, copyBytes(remote(file), maxBytes, reserve), limits, reserve);
  },
  stampOf: (file) => remote(file).stamp,
};

function remote(file: ListedFile): RemoteFile {
  if ('file' in file) throw new Error(`${file.path} is on disk, which this platform cannot read.`);
  return file;
}

/** Decodes the bytes of a file. Returns the text, or the reason to skip the file. */
export function judgeRead(path: string, read: ReadResult, limits: ReadLimits, reserve: MemoryProvider): Source {
  const { stamp } = read;
  if ('refusal' in read) return { skipped: { path, ...read.refusal }, stamp };
  const text = judgeBytes(path, read.bytes, limits, reserve);
  return 'reason' in text ? { skipped: { path, ...text }, stamp } : { bytes: text.bytes, stamp };
}

/** Copies the bytes of a file, which are part of its entry in the listing, to memory from `reserve`. */
export function copyBytes({ content, stamp }: RemoteFile, maxSizeBytes: number, reserve: MemoryProvider): ReadResult {
  if (content === undefined) return { refusal: { reason: 'unreadable (not requested)' }, stamp: undefined };
  if (!(content instanceof Uint8Array)) return { refusal: content, stamp };
  if (content.length > maxSizeBytes) return { refusal: tooLarge(content.length, maxSizeBytes), stamp };
  const bytes = reserve(content.length).subarray(0, content.length);
  bytes.set(content);
  return { bytes, stamp };
}
