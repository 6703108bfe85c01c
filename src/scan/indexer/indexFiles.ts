/** Reads and indexes files on one scan thread. All scan threads take files from the same list until none are left. */
import { DocumentIndexer } from '../../core/engine/documents/indexDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { type FileLexicons, fileLexicons, lexiconForPath } from '../../core/engine/languages/lexicon.ts';
import { textOfCells } from '../../core/engine/languages/notebook.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import type { Options } from '../../core/engine/options.ts';
import { firstPlace } from '../../core/collections/lists.ts';
import { hash64, hashBytes64 } from '../../core/methods/hash64.ts';
import type { SourceReader } from '../io/sourceReader.ts';
import { type FolderLimits, limitsAt, type ListedFile } from '../io/sources.ts';
import type { IndexedFile } from './indexedFile.ts';
import { indexBytes } from './memoryBudget.ts';

/** Inputs for a scan thread. Cloned to the thread, except for the shared counters. */
export interface IndexingTask {
  readonly options: Options;
  readonly sources: FolderLimits;
  /** For languages without a built-in table. */
  readonly lexicons: readonly Lexicon[];
  readonly files: readonly ListedFile[];
  /** Words to search for while texts are in memory. Files without them need not be read again later. */
  readonly soughtWords: readonly string[];
  /** Digest of the stored text of each file, 0 if there is none; `undefined` if digests are not needed. */
  readonly digests: BigUint64Array | undefined;
  /** Ascending content keys of texts that are stored under any path (`contentKey`); optional. */
  readonly known?: readonly BigUint64Array[];
  /**
   * Words shared by all scan threads: [0] the next file, [1] not 0 if cancelled, [2] the index size of all files read
   * so far, in units of 16 bytes.
   */
  readonly shared: Int32Array;
  /** For each file, total bytes of the stored documents before it in path order, which need not be read. */
  readonly keptBytes: Float64Array;
  /** If the documents before a file are larger, it and all later files are skipped. */
  readonly maxBytes: number;
}

export interface IndexingResult {
  readonly read: readonly ReadFile[];
}

export interface ReadFile extends Pick<IndexedFile, 'digest' | 'stamp'> {
  /** Index in `files`. */
  readonly place: number;
  /** `same`: the text has the stored digest, or is known. */
  readonly content: IndexedFile['content'] | 'same';
  /** True if the text contains one of the searched words, or if there is no text. */
  readonly hasSought: boolean;
}

const unitBytes = 16;

/** Batch size: small enough that scan threads finish together, and large enough that the overhead is negligible. */
const takeFiles = 16;

/** Interval for yielding between files. A large file takes some dozen milliseconds. */
const turnEveryMs = 20;

/** Indexes files until none are left or it is cancelled. Calls `onTurn` regularly. */
export async function indexFiles(
  kernel: Kernel,
  reader: SourceReader,
  task: IndexingTask,
  onTurn: () => Promise<void>,
): Promise<IndexingResult> {
  const { options, files, shared, keptBytes, maxBytes } = task;
  const indexer = new DocumentIndexer(kernel, options);
  const lexicons = fileLexicons(task.lexicons);
  const read: ReadFile[] = [];
  let turn = Number.NEGATIVE_INFINITY;
  for (;;) {
    const first = Atomics.add(shared, 0, takeFiles);
    if (first >= files.length) return { read };
    if (keptBytes[first]! + Atomics.load(shared, 2) * unitBytes > maxBytes) return { read };
    const end = Math.min(first + takeFiles, files.length);
    for (let place = first; place < end; place++) {
      if (Atomics.load(shared, 1) !== 0) return { read };
      const file = indexFile(task, place, indexer, { reader, lexicons });
      if (file.content !== 'same') Atomics.add(shared, 2, Math.ceil(indexBytes(file.content) / unitBytes));
      read.push(file);
      if (performance.now() - turn < turnEveryMs) continue;
      await onTurn();
      turn = performance.now();
    }
  }
}

/** Returns the key of a text: a hash of the digest of its bytes and of the language in which it is lexed. */
export function contentKey(digest: bigint, language: string): bigint {
  return digest ^ hash64(language);
}

function isKnown(known: readonly BigUint64Array[], key: bigint): boolean {
  return known.some((keys) => keys[firstPlace(keys.length, (place) => keys[place]! < key)] === key);
}

function indexFile(
  { sources, files, digests, known, soughtWords }: IndexingTask,
  place: number,
  indexer: DocumentIndexer,
  { reader, lexicons }: { reader: SourceReader; lexicons: FileLexicons },
): ReadFile {
  const file = files[place]!;
  const source = reader.read(file, { ...limitsAt(file.path, sources), textOfCells }, (size) => indexer.reserve(size));
  const { stamp } = source;
  if ('skipped' in source) return { place, content: source.skipped, digest: 0n, stamp, hasSought: true };
  const hasSought = hasOneOf(source.bytes, soughtWords);
  const digest = digests === undefined ? 0n : hashBytes64(source.bytes);
  if (digests !== undefined && digest === digests[place]) return { place, content: 'same', digest, stamp, hasSought };
  const lexicon = lexiconForPath(file.path, lexicons);
  if (known && isKnown(known, contentKey(digest, lexicon.id)))
    return { place, content: 'same', digest, stamp, hasSought };
  return { place, content: indexer.index(source.bytes, lexicon), digest, stamp, hasSought };
}

function hasOneOf({ buffer, byteOffset, length }: Uint8Array, words: readonly string[]): boolean {
  if (words.length === 0) return false;
  // Only the command line searches for words, so a browser needs no substitute for Buffer.
  const text = Buffer.from(buffer, byteOffset, length);
  return words.some((word) => text.includes(word));
}
