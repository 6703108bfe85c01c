/**
 * The stored documents of an index: the file NAME.documents. It consists of these pieces:
 *
 *   paths, and for each file the shape of its document or the reason why it was skipped, as JSON  ·  for each file its
 *   size, time, and the digest of its text  ·  then the arrays of the documents as in kernel memory, in pieces of some
 *   megabytes
 *
 * The arrays are copied to and from kernel memory without conversion.
 */
import {
  documentBytes,
  type DocumentShape,
  isPossibleShape,
  placeDocument,
  shapeOf,
} from '../../core/engine/documents/documents.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { isRefusal } from '../../core/engine/report/isPossible.ts';
import type { SkippedFile } from '../../core/engine/report/report.ts';
import type { CheckedFile } from '../io/checkedFile.ts';
import type { FileStamp } from '../io/sources.ts';
import type { IndexedFile } from './indexedFile.ts';

export class StoredDocuments {
  readonly #file: CheckedFile;
  readonly #files: ReadonlyMap<string, StoredFile>;
  /** Address in kernel memory at which the arrays begin. Valid after `load`. */
  #base = 0;

  private constructor(file: CheckedFile, files: ReadonlyMap<string, StoredFile>) {
    this.#file = file;
    this.#files = files;
  }

  /** Returns the stored documents, or `undefined` if the stored file is damaged. */
  static read(file: CheckedFile): StoredDocuments | undefined {
    const texts = new Uint8Array(file.sizes[0] ?? 0);
    const numbers = new Float64Array((file.sizes[1] ?? 0) / 8);
    if (!file.read(0, texts) || !file.read(1, new Uint8Array(numbers.buffer))) return undefined;
    const { paths, contents } = JSON.parse(new TextDecoder().decode(texts)) as StoredTexts;
    if (numbers.length !== numbersOfFile * paths.length || contents.length !== paths.length) return undefined;
    const files = new Map<string, StoredFile>();
    let offset = 0;
    paths.forEach((path, place) => {
      const content = contents[place]!;
      const fileNumbers = readNumbers(numbers, place);
      if (isRefusal(content)) {
        files.set(path, { ...fileNumbers, content: { path, ...refusalOf(content as SkippedFile) } });
        return;
      }
      // An impossible shape has no size. The check below rejects it.
      if (!isPossibleShape(content)) {
        offset = Number.NaN;
        return;
      }
      files.set(path, { ...fileNumbers, content: { shape: content, offset } });
      offset += documentBytes(content);
    });
    const documents = new StoredDocuments(file, files);
    return documents.sizeBytes() === offset ? documents : undefined;
  }

  get size(): number {
    return this.#files.size;
  }

  /** Returns the total size in bytes of all documents. */
  sizeBytes(): number {
    return this.#file.sizes.slice(2).reduce((sum, size) => sum + size, 0);
  }

  /** Returns the stored stamp and digest of a file, or `undefined` if it is not stored. */
  stampOf(path: string): Pick<StoredFile, 'stamp' | 'digest'> | undefined {
    return this.#files.get(path);
  }

  /**
   * Loads all arrays into kernel memory, some megabytes per step. Returns false if they are damaged. After a failure,
   * or if the caller ends the generator early with `return`, the memory is released.
   */
  *loadSteps(kernel: Kernel): Generator<void, boolean> {
    const mark = kernel.mark();
    let isLoaded = false;
    try {
      this.#base = kernel.allocate(this.sizeBytes());
      let start = this.#base;
      for (const [place, size] of this.#file.sizes.slice(2).entries()) {
        if (!this.#file.read(place + 2, kernel.bytes.subarray(start, start + size))) return false;
        start += size;
        yield;
      }
      return (isLoaded = true);
    } finally {
      if (!isLoaded) kernel.release(mark);
    }
  }

  /** Returns a stored file: its document, or why it was skipped. Precondition: the documents have been loaded. */
  fileOf(path: string): IndexedFile {
    const stored = this.#files.get(path);
    if (stored === undefined) throw new RangeError(`${path} is not stored.`);
    const { stamp, digest, content } = stored;
    if ('reason' in content) return { path, content, digest, stamp };
    return { path, content: placeDocument(content.shape, this.#base + content.offset), digest, stamp };
  }

  close(): void {
    this.#file.close();
  }
}

/**
 * Replaces the stamps of files in the piece that contains them. Returns the new bytes of this piece and its index, or
 * `undefined` if the stored file is damaged.
 *
 * @param stampFor  returns the new stamp of a file, or `undefined` to keep the old one
 */
export function restampedNumbers(
  file: CheckedFile,
  stampFor: (path: string, stamp: FileStamp) => FileStamp | undefined,
): { readonly piece: number; readonly bytes: Uint8Array } | undefined {
  const texts = new Uint8Array(file.sizes[0] ?? 0);
  const numbers = new Float64Array((file.sizes[1] ?? 0) / 8);
  const bytes = new Uint8Array(numbers.buffer);
  if (!file.read(0, texts) || !file.read(1, bytes)) return undefined;
  const { paths } = JSON.parse(new TextDecoder().decode(texts)) as StoredTexts;
  if (numbers.length !== numbersOfFile * paths.length) return undefined;
  for (const [place, path] of paths.entries()) {
    const stamp = stampFor(path, readNumbers(numbers, place).stamp);
    if (stamp) numbers.set(stampNumbers(stamp), place * numbersOfFile);
  }
  return { piece: 1, bytes };
}

interface StoredFile {
  readonly stamp: FileStamp;
  readonly digest: bigint;
  readonly content: SkippedFile | { readonly shape: DocumentShape; readonly offset: number };
}

/** Content of the first piece, as JSON. The second piece has the numbers for each file. */
interface StoredTexts {
  readonly paths: readonly string[];
  /** For each path, the shape of its document, or the reason why the file was skipped. */
  readonly contents: readonly (DocumentShape | Omit<SkippedFile, 'path'>)[];
}

/** Number of 64-bit numbers for each file in the second piece: its stamp, and its digest in two halves. */
const numbersOfFile = 6;
/** Approximate size of a piece in bytes. Writing one takes a few milliseconds. */
const pieceBytes = 1 << 23;

/** Indexed files, and the kernel whose memory contains their documents. */
interface IndexedFiles {
  readonly kernel: Kernel;
  readonly files: readonly IndexedFile[];
}

/** Yields the pieces of the file to write. Files without a stamp are left out. */
export function* documentPieces({ kernel, files }: IndexedFiles): Generator<Uint8Array> {
  const stamped = files.flatMap((file) => (file.stamp === undefined ? [] : [{ ...file, stamp: file.stamp }]));
  const texts: StoredTexts = {
    paths: stamped.map(({ path }) => path),
    contents: stamped.map(({ content }) => ('reason' in content ? refusalOf(content) : shapeOf(content))),
  };
  yield new TextEncoder().encode(JSON.stringify(texts));
  const numbers = stamped.flatMap(({ stamp, digest }) => [
    ...[...stampNumbers(stamp), Number(digest >> 32n), Number(digest & 0xffff_ffffn)],
  ]);
  yield new Uint8Array(Float64Array.from(numbers).buffer);

  let piece = new Uint8Array(pieceBytes);
  let end = 0;
  for (const { content } of stamped) {
    if ('reason' in content) continue;
    const size = documentBytes(content);
    if (end + size > piece.length) {
      if (end > 0) yield piece.subarray(0, end);
      end = 0;
      if (size > piece.length) piece = new Uint8Array(size);
    }
    piece.set(kernel.bytes.subarray(content.tokens, content.tokens + size), end);
    end += size;
  }
  if (end > 0) yield piece.subarray(0, end);
}

function refusalOf({ reason, setting }: SkippedFile): Omit<SkippedFile, 'path'> {
  return setting === undefined ? { reason } : { reason, setting };
}

function stampNumbers({ sizeBytes, mtimeMs, ctimeMs, inode }: FileStamp): readonly number[] {
  return [sizeBytes, mtimeMs, ctimeMs, inode];
}

function readNumbers(numbers: Float64Array, place: number): Pick<StoredFile, 'stamp' | 'digest'> {
  const [sizeBytes = 0, mtimeMs = 0, ctimeMs = 0, inode = 0, high = 0, low = 0] = numbers.subarray(
    place * numbersOfFile,
  );
  return { stamp: { sizeBytes, mtimeMs, ctimeMs, inode }, digest: (BigInt(high) << 32n) | BigInt(low) };
}
