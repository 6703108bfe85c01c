/** One scan thread's share of reading and indexing: it takes the next files, as all scan threads do, until none are left. */
import { DocumentIndexer } from '../engine/documents/indexDocument.ts';
import type { Kernel } from '../engine/kernel.ts';
import { type FileLexicons, fileLexicons, lexiconForPath } from '../engine/languages/lexicon.ts';
import { textOfCells } from '../engine/languages/notebook.ts';
import type { Lexicon } from '../engine/languages/lexicalRules.ts';
import type { Options } from '../engine/options.ts';
import { hashBytes64 } from '../methods/hash64.ts';
import { readSource } from '../io/readSource.ts';
import { type FolderLimits, limitsAt, type ListedFile } from '../io/sources.ts';
import type { IndexedFile } from './indexedFile.ts';
import { indexBytes } from './memoryBudget.ts';

/** What a scan thread needs to know to read. It is cloned to the thread; the counters are shared. */
export interface IndexingTask {
  readonly options: Options;
  readonly sources: FolderLimits;
  /** For files that have no table of ours. */
  readonly lexicons: readonly Lexicon[];
  readonly files: readonly ListedFile[];
  /** What texts are searched for while they are in memory: whoever asks later reads no file that has none of it. */
  readonly soughtWords: readonly string[];
  /** The digest of the text that is stored of each file, 0 where none is; undefined when nobody asks for digests. */
  readonly digests: BigUint64Array | undefined;
  /**
   * Words shared by all scan threads: [0] the next file to take, [1] not 0 when cancelled, [2] the index of all files read so
   * far, in units of 16 bytes.
   */
  readonly shared: Int32Array;
  /** Of each file, the bytes of the documents before it in the order of paths that are stored and need not be read. */
  readonly keptBytes: Float64Array;
  /** No more files are taken once the documents before them are larger: all behind is left out, whatever it is. */
  readonly mostBytes: number;
}

/** What a scan thread found. */
export interface IndexingResult {
  readonly read: readonly ReadFile[];
}

export interface ReadFile extends Pick<IndexedFile, 'digest' | 'stamp'> {
  /** Its place in `files`. */
  readonly place: number;
  /** `same`: its text is that of the stored digest. */
  readonly content: IndexedFile['content'] | 'same';
  /** Whether its text has one of the words that are sought; true when there is no text. */
  readonly hasSought: boolean;
}

const unitBytes = 16;

/** Files taken at a time: few enough that scan threads end together, enough that taking costs nothing. */
const takeFiles = 16;

/** A large file takes some dozens of milliseconds: whoever has others to think of does so between two files. */
const turnEveryMs = 20;

/** Indexes files until none are left or it is cancelled; `onTurn` is called now and then. */
export async function indexFiles(
  kernel: Kernel,
  task: IndexingTask,
  onTurn: () => Promise<void>,
): Promise<IndexingResult> {
  const { options, files, shared, keptBytes, mostBytes } = task;
  const indexer = new DocumentIndexer(kernel, options);
  const lexicons = fileLexicons(task.lexicons);
  const sought = task.soughtWords.map((word) => Buffer.from(word));
  const read: ReadFile[] = [];
  let turn = Number.NEGATIVE_INFINITY;
  for (;;) {
    const first = Atomics.add(shared, 0, takeFiles);
    if (first >= files.length) return { read };
    if (keptBytes[first]! + Atomics.load(shared, 2) * unitBytes > mostBytes) return { read };
    const end = Math.min(first + takeFiles, files.length);
    for (let place = first; place < end; place++) {
      if (Atomics.load(shared, 1) !== 0) return { read };
      const file = indexFile(task, place, indexer, { lexicons, sought });
      if (file.content !== 'same') Atomics.add(shared, 2, Math.ceil(indexBytes(file.content) / unitBytes));
      read.push(file);
      if (performance.now() - turn < turnEveryMs) continue;
      await onTurn();
      turn = performance.now();
    }
  }
}

function indexFile(
  { sources, files, digests }: IndexingTask,
  place: number,
  indexer: DocumentIndexer,
  { lexicons, sought }: { lexicons: FileLexicons; sought: readonly Buffer[] },
): ReadFile {
  const file = files[place]!;
  const source = readSource(file, { ...limitsAt(file.path, sources), textOfCells }, (size) => indexer.reserve(size));
  const { stamp } = source;
  if ('skipped' in source) return { place, content: source.skipped, digest: 0n, stamp, hasSought: true };
  const hasSought = hasOneOf(source.bytes, sought);
  const digest = digests === undefined ? 0n : hashBytes64(source.bytes);
  if (digests !== undefined && digest === digests[place]) return { place, content: 'same', digest, stamp, hasSought };
  return { place, content: indexer.index(source.bytes, lexiconForPath(file.path, lexicons)), digest, stamp, hasSought };
}

function hasOneOf({ buffer, byteOffset, length }: Uint8Array, sought: readonly Buffer[]): boolean {
  const text = Buffer.from(buffer, byteOffset, length);
  return sought.some((word) => text.includes(word));
}
