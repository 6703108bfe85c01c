/** Reads and indexes files on one scan thread. All scan threads take files from the same list until it is empty. */
import { DocumentIndexer } from '../../core/engine/documents/indexDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { type FileLexicons, fileLexicons, lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { textOfCells } from '../../core/engine/languages/notebook.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import type { Options } from '../../core/engine/options.ts';
import { firstPlace } from '../../core/collections/lists.ts';
import { hash64, hashBytes64 } from '../../core/methods/hash64.ts';
import type { SourceReader } from '../io/sourceReader.ts';
import { type FolderLimits, limitsAt, type ListedFile } from '../io/sources.ts';
import type { IndexedFile } from './indexedFile.ts';
import { indexBytes } from './memoryBudget.ts';

/** Input of a scan thread. It is cloned to the thread, except for the shared memory in it. */
export interface IndexingTask {
  readonly options: Options;
  readonly sources: FolderLimits;
  /** Lexicons of languages without a built-in lexicon. */
  readonly lexicons: readonly Lexicon[];
  readonly files: readonly ListedFile[];
  /**
   * ASCII words to search for in each text while it is in memory. Files that contain none of these words need not be
   * read again to search for them.
   */
  readonly soughtWords: readonly string[];
  /** For each file, the digest of its stored text, or 0 if it is not stored. `undefined` if digests are not needed. */
  readonly digests: BigUint64Array | undefined;
  /** Content keys (`contentKey`) of all stored texts, ascending. A file with one of them need not be indexed. */
  readonly knownKeys?: readonly BigUint64Array[];
  /**
   * Three words that all scan threads share: [0] index of the next file, [1] other than 0 if the scan is canceled, [2]
   * size of all documents indexed so far, in units of 16 bytes.
   */
  readonly shared: Int32Array;
  /** For each file, the total size in bytes of the unchanged documents that come before it in the order of paths. */
  readonly keptBytes: Float64Array;
  /**
   * Maximum total size of all documents in bytes. If the documents that come before a file in the order of paths exceed
   * it, this file and all later ones are skipped.
   */
  readonly maxBytes: number;
}

export interface IndexingResult {
  readonly read: readonly ReadFile[];
}

export interface ReadFile extends Pick<IndexedFile, 'digest' | 'stamp'> {
  /** Index of the file in `files`. */
  readonly place: number;
  /** Document, or reason for skipping the file. `same` if the digest is the stored one, or `knownKeys` has the key. */
  readonly content: IndexedFile['content'] | 'same';
  /** True if the text contains one of `soughtWords`, or if this is unknown because the file was not read. */
  readonly hasSought: boolean;
}

const unitBytes = 16;

/**
 * Number of files that a thread takes from the list at a time. With larger numbers, threads would finish at different
 * times; with smaller numbers, taking files from the list would cost too much.
 */
const takeFiles = 16;

/** Interval at which a thread yields, between files only. A large file takes a few dozen milliseconds. */
const turnEveryMs = 20;

/** Indexes files until none are left or the scan is canceled. Calls `onTurn` about every `turnEveryMs`. */
export async function indexFiles(
  kernel: Kernel,
  reader: SourceReader,
  task: IndexingTask,
  onTurn: () => Promise<void>,
): Promise<IndexingResult> {
  const { options, files, shared, keptBytes, maxBytes } = task;
  const indexer = new DocumentIndexer(kernel, options);
  const isSought = searchFor(kernel, task.soughtWords);
  const tools = { reader, lexicons: fileLexicons(task.lexicons), isSought };
  const read: ReadFile[] = [];
  let turn = Number.NEGATIVE_INFINITY;
  for (;;) {
    const first = Atomics.add(shared, 0, takeFiles);
    if (first >= files.length) return { read };
    if (keptBytes[first]! + Atomics.load(shared, 2) * unitBytes > maxBytes) return { read };
    const end = Math.min(first + takeFiles, files.length);
    for (let place = first; place < end; place++) {
      if (Atomics.load(shared, 1) !== 0) return { read };
      const file = indexFile(task, place, indexer, tools);
      if (file.content !== 'same') Atomics.add(shared, 2, Math.ceil(indexBytes(file.content) / unitBytes));
      read.push(file);
      if (performance.now() - turn < turnEveryMs) continue;
      await onTurn();
      turn = performance.now();
    }
  }
}

/** Returns the content key of a text. It combines the digest of the bytes with the language whose lexicon is used. */
export function contentKey(digest: bigint, language: string): bigint {
  return digest ^ hash64(language);
}

function isKnown(knownKeys: readonly BigUint64Array[], key: bigint): boolean {
  return knownKeys.some((keys) => keys[firstPlace(keys.length, (place) => keys[place]! < key)] === key);
}

interface Tools {
  readonly reader: SourceReader;
  readonly lexicons: FileLexicons;
  readonly isSought: (text: Uint8Array) => boolean;
}

function indexFile(
  { sources, files, digests, knownKeys }: IndexingTask,
  place: number,
  indexer: DocumentIndexer,
  { reader, lexicons, isSought }: Tools,
): ReadFile {
  const file = files[place]!;
  const source = reader.read(file, { ...limitsAt(file.path, sources), textOfCells }, (size) => indexer.reserve(size));
  const { stamp } = source;
  if ('skipped' in source) return { place, content: source.skipped, digest: 0n, stamp, hasSought: true };
  const hasSought = isSought(source.bytes);
  const digest = digests === undefined ? 0n : hashBytes64(source.bytes);
  if (digests !== undefined && digest === digests[place]) return { place, content: 'same', digest, stamp, hasSought };
  const lexicon = lexiconForPath(file.path, lexicons);
  if (knownKeys && isKnown(knownKeys, contentKey(digest, lexicon.id)))
    return { place, content: 'same', digest, stamp, hasSought };
  return { place, content: indexer.index(source.bytes, lexicon), digest, stamp, hasSought };
}

/** Returns a function that searches texts in the kernel's memory for words of ASCII. */
function searchFor(kernel: Kernel, words: readonly string[]): Tools['isSought'] {
  const places = words.map((word) => {
    const address = kernel.allocate(word.length);
    kernel.bytes.set(new TextEncoder().encode(word), address);
    return { address, length: word.length };
  });
  const { hasWord } = kernel.exports;
  return ({ byteOffset, byteLength }) =>
    places.some(({ address, length }) => hasWord(byteOffset, byteLength, address, length) !== 0);
}
