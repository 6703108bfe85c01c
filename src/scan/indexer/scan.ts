/** Runs a scan for the command line or the worker: reads, indexes, and matches files on all scan threads. */
import { nextTurn, sharedBytes } from '../../core/collections/threads.ts';
import type { Comparisons, CorpusPlan } from '../../core/engine/comparison.ts';
import type { Corpus } from '../../core/engine/corpus.ts';
import { DocumentIndexer } from '../../core/engine/documents/indexDocument.ts';
import type { SimilarPassages } from '../../core/engine/similar/findSimilar.ts';
import { hashBytes64 } from '../../core/methods/hash64.ts';
import { fileLexicons, lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { textOfCells } from '../../core/engine/languages/notebook.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import type { SearchedText } from '../../core/engine/windowIndex.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import type { Findings, SkippedFile } from '../../core/engine/report/report.ts';
import { byPath } from '../io/byPath.ts';
import { type ConfiguredRoot, configuredPaths } from './configuredPaths.ts';
import { judgeText } from '../io/judgeContent.ts';
import { type FolderLimits, limitsAt, type ListedFile, type ScanListing } from '../io/sources.ts';
import { systemLimitOf } from '../io/systemLimits.ts';
import type { IndexingTask, ReadFile } from './indexFiles.ts';
import { indexOnThreads } from './indexOnThreads.ts';
import { removeNothingSteps, removeKnownSteps } from './earlierMatches.ts';
import { endOf } from './endOf.ts';
import { beginEpoch, digestOfEpoch } from './epoch.ts';
import type { StoredDocuments } from './documentsFile.ts';
import type { IndexedFile } from './indexedFile.ts';
import { digestOfContents, type IndexState, type IndexStore, type WeightOrigin } from './indexStore.ts';
import { matchPlan } from './matchPlan.ts';
import { indexBytes, keepWithin, maxIndexBytes } from './memoryBudget.ts';
import { type CorpusInput, fillCorpus, planWithin } from './planWithin.ts';
import { type FollowedScan, LiveScan } from './liveScan.ts';
import { recall } from './recall.ts';
import { proseIsOff } from '../../core/engine/documents/proseIsOff.ts';
import type { ScanInput, ScanMonitor, Text } from './scanInput.ts';
import { searchBeside } from './searchBeside.ts';
import { endStage } from './stages.ts';
import { type ScanThread, type ScanSystem, startScanThreads } from './scanThread.ts';

export interface ScanRequest extends ScanInput {
  /**
   * `all`: compares all passages and files. `files`: compares whole files only. A list of texts: only searches for
   * copies of these texts. With `files` or a list of texts, the scan stores documents, but no matches and no report.
   */
  readonly scope: 'all' | 'files' | readonly SearchedText[];
  readonly options: Options;
  readonly sources: FolderLimits;
  /** Configurations of folders, with categories and overrides. They are part of the identity of the stored index. */
  readonly configured: readonly ConfiguredRoot[];
  /** Lexicons of languages without a built-in lexicon. */
  readonly lexicons: readonly Lexicon[];
  /** Words to search for in each text while it is in memory. */
  readonly soughtWords?: readonly string[];
  /** Number of threads that read and index, including this one; at least 1. */
  readonly workers: number;
  /** Memory budget in MB, at least `minMemoryMB`. 0 if only the 4 GiB of the kernel limit it. */
  readonly memoryMB: number;
  readonly system: ScanSystem;
  /** Stored results. Valid ones are reused, and new ones are stored. */
  readonly store: IndexStore | undefined;
  readonly weighing: WeightOrigin;
  /** Idf table of another scan. If omitted, the stored table is used or a new one is measured. */
  readonly idfTable?: Uint8Array | undefined;
  /**
   * Behavior after a cancellation. `group`: matches found so far are grouped, which takes some time. `stop`: the scan
   * ends immediately, without groups.
   */
  readonly whenCancelled: 'group' | 'stop';
}

/** Minimum number of files per thread at which another thread is worth starting. */
const filesWorthThread = 300;

/** Number of texts to index between two yields to the event loop. Indexing them takes a few milliseconds. */
const textsAtOnce = 16;

export interface ScanOutcome {
  readonly findings: Findings;
  /** The scan, ready for updates; `undefined` if it was canceled, or a stored report was valid. */
  readonly live: LiveScan | undefined;
  /** Results of a search for texts, and its duration without reading and lexing; `undefined` if canceled. */
  readonly found?: { readonly similar: readonly SimilarPassages[]; readonly searchMs: number };
  /** Returns the idf table that was used. `undefined` if nothing was compared. */
  readonly idfTable?: () => Uint8Array | undefined;
  /** Paths of the files that were read and contain none of `soughtWords`. `undefined` if no files were read. */
  readonly withoutSought?: ReadonlySet<string>;
}

/**
 * Runs a scan.
 *
 * @param result  `findings` to return the stored report if it is still valid; `index` to compare the documents anyway
 */
export async function scanToFollow(
  request: ScanRequest,
  monitor: ScanMonitor,
  result: 'findings' | 'index',
): Promise<ScanOutcome> {
  try {
    return await scanWithStored(request, monitor, result);
  } catch (error) {
    // The additional threads may have exceeded a limit on file descriptors or address space. Try again without them.
    if (request.workers > 1 && systemLimitOf(error) !== undefined) {
      return scanToFollow({ ...request, workers: 1 }, monitor, result);
    }
    // The error may be due to the stored files, which anyone with access to them can forge. Ignore them and try again.
    // If no stored file was used, the error is a bug.
    if (request.store?.distrust() !== true) throw error;
    return scanWithStored(request, monitor, result);
  }
}

async function scanWithStored(
  request: ScanRequest,
  monitor: ScanMonitor,
  result: 'findings' | 'index',
): Promise<ScanOutcome> {
  const { options, sources, workers, memoryMB, store, weighing } = request;
  const listed = filesToRead(request);
  // A stored report is useful only for a complete scan.
  const takesStored = result === 'findings' && request.scope === 'all';
  const reportCondition = takesStored && request.texts.length === 0 ? { weighing } : undefined;
  const maxBytes = maxIndexBytes(memoryMB);
  const listedFiles = { ...listed, fetch: request.fetch, reader: request.system.reader };
  const stored = await recall(store, listedFiles, reportCondition, maxBytes, monitor.cancelled);
  const storedTable = (): Uint8Array | undefined => store?.matches()?.epoch.idfTable;
  if ('findings' in stored) return { findings: stored.findings, live: undefined, idfTable: storedTable };
  const { kernel, kept, files, documents } = stored;
  // Live updates need the digests of texts, even if nothing is stored.
  const digests = stored.digests ?? (weighing === 'kept' ? new BigUint64Array(files.length) : undefined);
  const task: IndexingTask = {
    options,
    sources,
    lexicons: request.lexicons,
    files,
    digests,
    maxBytes,
    soughtWords: request.soughtWords ?? [],
    keptBytes: bytesBefore(files, kept),
    shared: new Int32Array(sharedBytes(3 * 4)),
  };
  // If all files are compared, the threads also match, so the number of threads depends on all files. Otherwise, the
  // threads only read, so it depends only on the files to read.
  const shared = request.scope === 'all' ? listed.files : files;
  const threads = Math.min(workers, 1 + Math.floor(shared.length / filesWorthThread)) - 1;
  const scanThreads = await startScanThreads(threads, request.system, kernel.memory);
  try {
    const indexing = { reader: request.system.reader, task, scanThreads };
    const found = await indexOnThreads(kernel, indexing, monitor, endingOf(request, monitor));
    const read = found.map((it) => named(files[it.place]!.path, it, documents));
    const all = [...kept, ...read, ...(await indexTexts(kernel, request, monitor))];
    endStage({ stage: 'read', bytes: kernel.usedBytes() });
    const taken = new Set(found.map(({ place }) => place));
    const unread = monitor.cancelled() ? [] : files.filter((_, place) => !taken.has(place));
    const budget = keepWithin(all, unread, maxBytes, memoryMB);
    const leftOut = [...listed.skipped, ...budget.leftOut];
    // Do not store files that are skipped for lack of memory. Otherwise, each scan would add some of them to the stored
    // files.
    const index = { kernel, files: budget.files, changedFiles: countChanges(documents, kept, read) };
    const contents = store === undefined ? 0n : digestOfContents(budget.files);
    const report = takesStored && !monitor.cancelled() ? store?.findingsOf(budget.files, leftOut, weighing) : undefined;
    if (report !== undefined) {
      store?.replace({ ...index, report, matches: undefined });
      return { findings: report.findings, live: undefined, idfTable: storedTable };
    }
    const indexed = { index, within: budget.files, leftOut, contents };
    const withoutSought = new Set(found.filter((it) => !it.hasSought).map(({ place }) => files[place]!.path));
    const compared = await compare(request, indexed, scanThreads, monitor);
    return { ...compared, withoutSought };
  } catch (error) {
    // End the threads, because the next attempt needs their file descriptors and memory.
    await Promise.all(scanThreads.map((scanThread) => scanThread.end()));
    throw error;
  } finally {
    for (const scanThread of scanThreads) void scanThread.end();
  }
}

/** Indexes texts in memory. Uses only this thread, because there are few texts. */
async function indexTexts(kernel: Kernel, request: ScanRequest, monitor: ScanMonitor): Promise<IndexedFile[]> {
  const indexer = new DocumentIndexer(kernel, request.options);
  const indexed: IndexedFile[] = [];
  for (const text of request.texts) {
    if (monitor.cancelled()) break;
    indexed.push(indexText(text, indexer, request));
    if (indexed.length % textsAtOnce === 0) await nextTurn();
  }
  return indexed;
}

interface IndexedTree {
  readonly index: Pick<IndexState, 'kernel' | 'files' | 'changedFiles'>;
  /** Files that fit in the memory budget. */
  readonly within: readonly IndexedFile[];
  readonly leftOut: readonly SkippedFile[];
  readonly contents: bigint;
}

function compare(
  request: ScanRequest,
  indexed: IndexedTree,
  scanThreads: readonly ScanThread[],
  monitor: ScanMonitor,
): Promise<ScanOutcome> {
  switch (request.scope) {
    case 'all':
      return compareAll(request, indexed, scanThreads, monitor);
    case 'files':
      return compareFiles(request, indexed, monitor);
    default:
      return search(request, indexed, request.scope, monitor);
  }
}

/** Compares whole files only. Stores their documents. */
async function compareFiles(request: ScanRequest, indexed: IndexedTree, monitor: ScanMonitor): Promise<ScanOutcome> {
  const { index, within } = indexed;
  const { corpus, skipped } = fillCorpus(index.kernel, corpusInput(request, indexed), within);
  if (monitor.cancelled()) return stopped(corpus, skipped);
  const reported = await endOf(corpus.reportFilesSteps({ skipped, complete: true }), monitor);
  if (reported === undefined) return stopped(corpus, skipped);
  request.store?.replace({ ...index, report: undefined, matches: undefined });
  return { findings: reported.result, live: undefined };
}

/** Searches the documents for copies of texts. Stores the documents. */
async function search(
  request: ScanRequest,
  indexed: IndexedTree,
  texts: readonly SearchedText[],
  monitor: ScanMonitor,
): Promise<ScanOutcome> {
  const { store } = request;
  const { index, within, contents } = indexed;
  const stored = store?.idfTableOf(contents);
  // Check the length. A valid checksum is not enough, because anyone can write a file with one.
  const usableTable = stored?.length === index.kernel.exports.idfTableBytes() ? stored : undefined;
  const { corpus, skipped } = fillCorpus(index.kernel, corpusInput(request, indexed, usableTable), within);
  const findings = corpus.reportUncompared({ skipped, complete: true });
  const started = performance.now();
  const found = await endOf(corpus.findSimilarSteps(texts), monitor);
  if (found === undefined) return { findings: { ...findings, complete: false }, live: undefined };
  store?.replace({ ...index, report: undefined, matches: undefined });
  if (usableTable === undefined) store?.replaceWeights({ contents, idfTable: corpus.idfTable()! });
  return { findings, live: undefined, found: { similar: found.result, searchMs: performance.now() - started } };
}

/** @param idfTable  token weights; measured if omitted */
function corpusInput(
  { options, memoryMB, configured, lexicons }: ScanRequest,
  { within, leftOut }: IndexedTree,
  idfTable?: Uint8Array,
): CorpusInput {
  const paths = configuredPaths(configured, fileLexicons(lexicons));
  return { files: within, leftOut, options, idfTable, memoryMB, paths };
}

async function compareAll(
  request: ScanRequest,
  indexed: IndexedTree,
  scanThreads: readonly ScanThread[],
  monitor: ScanMonitor,
): Promise<ScanOutcome> {
  const { options, store, weighing } = request;
  const { index, within, contents } = indexed;
  const { kernel } = index;
  const epoch = weighing === 'kept' ? store?.matches()?.epoch : undefined;
  const input = { ...corpusInput(request, indexed, epoch?.idfTable ?? request.idfTable), earlier: store?.matches() };
  const pause = async (): Promise<void> => monitor.onPause?.(searchBeside(kernel, input, monitor));
  await pause();
  const { corpus, plan, skipped } = await planWithin(kernel, input, monitor, scanThreads[0]);
  if (plan === undefined) return stopped(corpus, skipped);
  await reportFirst(plan, skipped, monitor);
  await pause();
  // Collect matches only if live updates or the stored index need them.
  const isKept = weighing === 'kept' || store !== undefined;
  const leaving = isKept ? removeKnownSteps(kernel, plan, within, input.earlier) : removeNothingSteps(plan);
  const matched = await matchPlan({ kernel, options, plan, leaving, threadsFor: () => scanThreads }, monitor);
  const ending = endingOf(request, monitor);
  if (matched === undefined || ending.cancelled()) return stopped(corpus, skipped);
  const { records, compared, keep } = matched;
  const complete = !monitor.cancelled();
  await pause();
  const grouped = await endOf(
    plan.finishSteps(records, { skipped, complete, compared, isFinal: keep === undefined }),
    ending,
  );
  endStage({ stage: 'grouped' });
  if (grouped === undefined) return stopped(corpus, skipped);
  const findings = grouped.result;
  const idfTable = (): Uint8Array | undefined => corpus.idfTable();
  if (!complete || keep === undefined) return { findings, live: undefined, idfTable };
  const comparisons = (): Comparisons => corpus.comparisons();
  const matches = keep(records, epoch ?? beginEpoch(corpus.idfTable()!, within), comparisons);
  store?.replace({ ...index, matches, report: { contents, idfTable: digestOfEpoch(matches.epoch), findings } });
  return { findings, live: follow({ ...index, corpus, request, matches, findings }), idfTable };
}

/** Minimum number of seeds for computing first findings. With fewer, the result is about a second away. */
const seedsWorthFirst = 150_000;

/** Reports the first findings of a large tree. */
async function reportFirst(plan: CorpusPlan, skipped: readonly SkippedFile[], monitor: ScanMonitor): Promise<void> {
  if (monitor.onFirst === undefined || plan.task.seeds.count < seedsWorthFirst) return;
  const first = await endOf(plan.firstSteps({ skipped, complete: false }), monitor);
  if (first !== undefined && first.result.groups.length > 0) await monitor.onFirst(first.result);
}

/** Returns the scan, ready for updates. Returns `undefined` if files were skipped for lack of memory. */
function follow(followed: FollowedScan): LiveScan | undefined {
  const isWhole = !followed.findings.skipped.some(({ setting }) => setting === 'memory');
  return isWhole ? new LiveScan(followed) : undefined;
}

/**
 * Returns a monitor for the work that follows matching. If matches found so far are to be grouped after a cancellation,
 * this monitor does not cancel.
 */
function endingOf({ whenCancelled }: ScanRequest, monitor: ScanMonitor): Pick<ScanMonitor, 'cancelled'> {
  return whenCancelled === 'group' ? { cancelled: () => false } : monitor;
}

/** Returns the result of a scan that was canceled before it found anything. */
function stopped(corpus: Corpus, skipped: readonly SkippedFile[]): ScanOutcome {
  return { findings: corpus.reportUncompared({ skipped, complete: false }), live: undefined };
}

/** Returns the listing without files that texts in memory replace and, if prose is disabled, prose files. */
function filesToRead({ listing, texts, options, lexicons }: ScanRequest): ScanListing {
  const own = new Set(texts.map((text) => text.path));
  const read = own.size > 0 ? listing.files.filter(({ path }) => !own.has(path)) : listing.files;
  const others = fileLexicons(lexicons);
  const files: ListedFile[] = [];
  const skipped = [...listing.skipped];
  for (const file of read) {
    const isOff = proseIsOff(file.path, options, others);
    if (isOff) skipped.push(isOff);
    else files.push(file);
  }
  return { files, skipped };
}

/** Returns, for each file, the total size in bytes of the unchanged documents before it in the order of paths. */
function bytesBefore(files: readonly ListedFile[], kept: readonly IndexedFile[]): Float64Array {
  const sorted = [...kept].sort(byPath);
  let [next, bytes] = [0, 0];
  return Float64Array.from(files, ({ path }) => {
    for (; next < sorted.length && sorted[next]!.path < path; next++) bytes += indexBytes(sorted[next]!.content);
    return bytes;
  });
}

/** Returns the number of files that differ from the stored ones, counting added and removed files. */
function countChanges(
  documents: StoredDocuments | undefined,
  kept: readonly IndexedFile[],
  read: readonly IndexedFile[],
): number {
  if (documents === undefined) return Number.POSITIVE_INFINITY;
  const storedFiles = read.filter(({ path }) => documents.stampOf(path) !== undefined);
  return read.length + documents.size - kept.length - storedFiles.length;
}

/** Converts the result of a scan thread for one file to an indexed file. */
function named(path: string, read: ReadFile, documents: StoredDocuments | undefined): IndexedFile {
  const { content, digest, stamp } = read;
  if (content !== 'same') return { path, content, digest, stamp };
  if (documents === undefined) throw new Error(`${path} is said to be stored, but nothing is.`);
  return { ...documents.fileOf(path), stamp };
}

/** Indexes a text like a file. Returns the reason if it is skipped. */
function indexText({ path, bytes }: Text, indexer: DocumentIndexer, request: ScanRequest): IndexedFile {
  const { options, sources, lexicons } = request;
  const others = fileLexicons(lexicons);
  const refused =
    proseIsOff(path, options, others) ?? judgeText(path, bytes, { ...limitsAt(path, sources), textOfCells });
  if (refused) return { path, content: refused, digest: 0n, stamp: undefined };
  const room = indexer.reserve(bytes.length);
  room.set(bytes);
  return {
    path,
    content: indexer.index(room, lexiconForPath(path, others)),
    digest: hashBytes64(bytes),
    stamp: undefined,
  };
}
