/** Reads and indexes the files of a repository in batches, so that memory does not grow with the repository. */
import { sharedBytes } from '../../core/collections/threads.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import { fileLexicons } from '../../core/engine/languages/allLexicons.ts';
import type { Options } from '../../core/engine/options.ts';
import type { IndexingTask, ReadFile } from '../../scan/indexer/indexFiles.ts';
import { indexOnThreads } from '../../scan/indexer/indexOnThreads.ts';
import { proseIsOff } from '../../core/engine/documents/proseIsOff.ts';
import { nodeSystem } from '../../scan/indexer/nodeSystem.ts';
import { diskReader } from '../../scan/io/readSource.ts';
import { type ScanThread, startScanThreads } from '../../scan/indexer/scanThread.ts';
import type { ScanListing, ListedFile, SourceOptions } from '../../scan/io/sources.ts';
import type { SkippedFile } from '../../core/engine/report/report.ts';

/** Number of files in a batch. The index data of a batch take a few dozen megabytes. */
const filesAtOnce = 2_000;
/** Minimum number of files per thread. With fewer files, starting a thread takes longer than it saves. */
const filesWorthThread = 300;

export interface ReadInput {
  readonly listing: Pick<ScanListing, 'files' | 'skipped'>;
  readonly options: Options;
  readonly sources: SourceOptions;
  /** Returns sorted lists of the keys of all texts that are already stored, under any path. Called once per batch. */
  readonly knownKeys: () => readonly BigUint64Array[];
  readonly workers: number;
  readonly scanThread: URL;
  /** Called with the number of files read so far. */
  readonly onProgress: (done: number, total: number) => void;
  readonly cancelled: () => boolean;
}

/** A file that was read. The kernel releases its token arrays when the next batch is requested. */
export interface RepositoryFile extends Pick<ReadFile, 'content' | 'digest'> {
  readonly path: string;
}

export function filesOf({ listing, options }: Pick<ReadInput, 'listing' | 'options'>): {
  readonly files: readonly ListedFile[];
  readonly skipped: readonly SkippedFile[];
} {
  const others = fileLexicons([]);
  const off = new Map(listing.files.map(({ path }) => [path, proseIsOff(path, options, others)]));
  return {
    files: listing.files.filter(({ path }) => off.get(path) === undefined),
    skipped: [...listing.skipped, ...listing.files.flatMap(({ path }) => off.get(path) ?? [])],
  };
}

/** Reads files in the order of the listing, and yields them in batches. Ends early if canceled. */
export async function* readFiles(
  files: readonly ListedFile[],
  input: ReadInput,
): AsyncGenerator<{ readonly kernel: Kernel; readonly files: readonly RepositoryFile[] }> {
  const kernel = new Kernel(createMemory());
  const threads = Math.min(input.workers, 1 + Math.floor(files.length / filesWorthThread)) - 1;
  const scanThreads = await startScanThreads(threads, nodeSystem(input.scanThread), kernel.memory);
  try {
    for (let from = 0; from < files.length; from += filesAtOnce) {
      if (input.cancelled()) return;
      const mark = kernel.mark();
      const some = files.slice(from, from + filesAtOnce);
      yield { kernel, files: await readSome(kernel, some, scanThreads, input) };
      kernel.release(mark);
      input.onProgress(Math.min(from + filesAtOnce, files.length), files.length);
    }
  } finally {
    for (const scanThread of scanThreads) void scanThread.end();
  }
}

async function readSome(
  kernel: Kernel,
  files: readonly ListedFile[],
  scanThreads: readonly ScanThread[],
  { options, sources, knownKeys, cancelled }: ReadInput,
): Promise<RepositoryFile[]> {
  const task: IndexingTask = {
    options,
    sources,
    lexicons: [],
    files,
    shared: new Int32Array(sharedBytes(3 * 4)),
    soughtWords: [],
    digests: new BigUint64Array(files.length),
    knownKeys: knownKeys(),
    keptBytes: new Float64Array(files.length),
    maxBytes: Number.POSITIVE_INFINITY,
  };
  // After a cancellation, wait for the threads, because they use the memory of the batch.
  const monitor = { onProgress: () => undefined, cancelled };
  const found = await indexOnThreads(kernel, { reader: diskReader, task, scanThreads }, monitor, {
    cancelled: () => false,
  });
  const read = [...found].sort((x, y) => x.place - y.place);
  return read.map(({ place, content, digest }) => ({ path: files[place]!.path, content, digest }));
}
