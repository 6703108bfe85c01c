/**
 * Scans files: reads and indexes them on all scan threads, and matches. The command line and the editor's worker both call this.
 */
import { setImmediate } from 'node:timers/promises';
import type { Corpus } from '../engine/corpus.ts';
import { DocumentIndexer } from '../engine/documents/indexDocument.ts';
import { hashBytes64 } from '../methods/hash64.ts';
import { fileLexicons, lexiconForPath } from '../engine/languages/lexicon.ts';
import { textOfCells } from '../engine/languages/notebook.ts';
import type { Lexicon } from '../engine/languages/lexicalRules.ts';
import type { Kernel } from '../engine/kernel.ts';
import type { Options } from '../engine/options.ts';
import type { Findings, Skipped } from '../engine/report/report.ts';
import { byPath } from '../io/byPath.ts';
import { type ConfiguredRoot, configuredPaths } from './configuredPaths.ts';
import { judgeText } from '../io/readSource.ts';
import { type FolderLimits, limitsAt, type ListedFile, type ScanListing } from '../io/sources.ts';
import { indexFiles, type IndexingTask, type ReadFile } from './indexFiles.ts';
import { leaveAllSteps, leaveKnownSteps } from './earlierMatches.ts';
import { endOf } from './endOf.ts';
import { beginEpoch, digestOfEpoch } from './epoch.ts';
import type { StoredDocuments } from './documentsFile.ts';
import type { IndexedFile } from './indexedFile.ts';
import { digestOfContents, type IndexState, type IndexStore, type Weighing } from './indexStore.ts';
import { matchPlan } from './matchPlan.ts';
import { indexBytes, keepWithin, mostIndexBytes } from './memoryBudget.ts';
import { fillCorpus, planWithin } from './planWithin.ts';
import { type Followed, LiveScan } from './liveScan.ts';
import { recall } from './recall.ts';
import { proseIsOff } from './proseIsOff.ts';
import type { ScanInput, ScanMonitor, Text } from './scanInput.ts';
import { resultsOf, unlessCancelled } from './sharedWork.ts';
import { endStage } from './stages.ts';
import { type ScanThread, startScanThreads } from './scanThread.ts';

export interface ScanRequest extends ScanInput {
  /** Whether passages are looked for, or whole files only; what is stored is of a whole scan. */
  readonly scope: 'all' | 'files';
  readonly options: Options;
  readonly sources: FolderLimits;
  /** Where and how somebody has chosen categories; part of what the store is for. */
  readonly configured: readonly ConfiguredRoot[];
  /** For files that have no table of ours. */
  readonly lexicons: readonly Lexicon[];
  /** What texts are searched for on the way; nothing without. */
  readonly soughtWords?: readonly string[];
  /** Threads that read and index, this one included; at least 1. */
  readonly workers: number;
  /** What the scan may take of the machine's memory, in MB, at least `leastMemoryMB`; 0 for 4 GB of index. */
  readonly memoryMB: number;
  /** The script of a scan thread: dist/scanThread.js. */
  readonly scanThread: URL;
  /** What was kept of an earlier scan: what still holds is not done again. What this one finds is handed to it. */
  readonly store: IndexStore | undefined;
  readonly weighing: Weighing;
  /** A table of inverse document frequencies to weigh tokens by, of another scan; without, one is measured, or taken from the store. */
  readonly idfTable?: Uint8Array | undefined;
  /** What becomes of the matches of a scan that is cancelled: they are grouped, which takes a while, or it stops at once. */
  readonly whenCancelled: 'group' | 'stop';
}

/** Fewer files than this are read faster by one thread than it takes to start another. */
const filesWorthThread = 300;

/** Texts that are indexed before anything else gets its turn: some milliseconds' worth. */
const textsAtOnce = 16;

/** What came of a scan. */
export interface Scanned {
  readonly findings: Findings;
  /** To follow it up; undefined when it was cancelled, or when a stored report still holds and nothing was compared. */
  readonly live: LiveScan | undefined;
  /** The table of inverse document frequencies that the findings are weighed by; undefined when nothing was compared. */
  readonly idfTable?: () => Uint8Array | undefined;
  /** The paths of files that were read and have none of the words that were sought; undefined when none were read. */
  readonly withoutSought?: ReadonlySet<string>;
}

/** The findings; when a stored report still holds, they are those of the store themselves. */
export async function scan(request: ScanRequest, monitor: ScanMonitor): Promise<Findings> {
  return (await scanToFollow(request, monitor, 'findings')).findings;
}

/** @param wanted  `index`: the documents are compared even when a stored report holds */
export async function scanToFollow(
  request: ScanRequest,
  monitor: ScanMonitor,
  wanted: 'findings' | 'index',
): Promise<Scanned> {
  try {
    return await scanWithStored(request, monitor, wanted);
  } catch (error) {
    // Whoever can write to the store can make valid checksums. Without it, an error is a mistake of ours.
    if (request.store?.distrust() !== true) throw error;
    return scanWithStored(request, monitor, wanted);
  }
}

async function scanWithStored(
  request: ScanRequest,
  monitor: ScanMonitor,
  wanted: 'findings' | 'index',
): Promise<Scanned> {
  const { options, sources, workers, memoryMB, store, weighing } = request;
  const listed = filesToRead(request);
  // What is stored is a report of a whole scan.
  const takesStored = wanted === 'findings' && request.scope === 'all';
  const reportWanted = takesStored && request.texts.length === 0 ? { weighing } : undefined;
  const mostBytes = mostIndexBytes(memoryMB);
  const stored = await recall(store, { ...listed, fetch: request.fetch }, reportWanted, mostBytes, monitor.cancelled);
  const storedTable = (): Uint8Array | undefined => store?.matches?.epoch.idfTable;
  if ('findings' in stored) return { findings: stored.findings, live: undefined, idfTable: storedTable };
  const { kernel, kept, files, documents } = stored;
  // What is followed up has to know its texts again.
  const digests = stored.digests ?? (weighing === 'kept' ? new BigUint64Array(files.length) : undefined);
  const task: IndexingTask = {
    ...{ options, sources, lexicons: request.lexicons, files, digests, mostBytes },
    soughtWords: request.soughtWords ?? [],
    keptBytes: bytesBefore(files, kept),
    shared: new Int32Array(new SharedArrayBuffer(3 * 4)),
  };
  const threads = Math.min(workers, 1 + Math.floor(listed.files.length / filesWorthThread)) - 1;
  const scanThreads = await startScanThreads(threads, request.scanThread, kernel.memory);
  try {
    const found = await indexOnThreads(kernel, task, scanThreads, monitor, endingOf(request, monitor));
    const read = found.map((it) => named(files[it.place]!.path, it, documents));
    const all = [...kept, ...read, ...(await indexTexts(kernel, request, monitor))];
    endStage({ stage: 'read', bytes: kernel.usedBytes() });
    const taken = new Set(found.map(({ place }) => place));
    const unread = monitor.cancelled() ? [] : files.filter((_, place) => !taken.has(place));
    const budget = keepWithin(all, unread, mostBytes, memoryMB);
    const leftOut = [...listed.skipped, ...budget.leftOut];
    // What is left out is not stored: each scan would add to it.
    const index = { kernel, files: budget.files, changedFiles: countChanges(documents, kept, read) };
    const contents = store === undefined ? 0n : digestOfContents(budget.files, leftOut);
    const report =
      takesStored && !monitor.cancelled() ? store?.findingsOf(contents, budget.files, weighing) : undefined;
    if (report !== undefined) {
      store?.replace({ ...index, report, matches: undefined });
      return { findings: report.findings, live: undefined, idfTable: storedTable };
    }
    const indexed = { index, within: budget.files, leftOut, contents };
    const withoutSought = new Set(found.filter((it) => !it.hasSought).map(({ place }) => files[place]!.path));
    const compared = await (request.scope === 'files'
      ? compareFiles(request, indexed, monitor)
      : compareAll(request, indexed, scanThreads, monitor));
    return { ...compared, withoutSought };
  } finally {
    for (const scanThread of scanThreads) scanThread.end();
  }
}

/**
 * Reads and indexes files on this thread and others. When that is cancelled and a report of what was read is not asked for,
 * scan threads are not waited for, which may be starting still: they go on.
 */
async function indexOnThreads(
  kernel: Kernel,
  task: IndexingTask,
  scanThreads: readonly ScanThread[],
  monitor: ScanMonitor,
  ending: Pick<ScanMonitor, 'cancelled'>,
): Promise<readonly ReadFile[]> {
  const { shared } = task;
  const total = task.files.length;
  const stop = (): void => void Atomics.store(shared, 1, 1);
  // Between files: how far all scan threads are, and whether they shall stop.
  const onTurn = async (): Promise<void> => {
    monitor.onProgress({ phase: 'reading', done: Math.min(Atomics.load(shared, 0), total), total });
    await setImmediate();
    if (monitor.cancelled()) stop();
  };
  const own = indexFiles(kernel, task, onTurn);
  const all = await unlessCancelled(
    resultsOf([own, ...scanThreads.map((scanThread) => scanThread.index(task))], stop),
    ending,
  );
  if (all) return all.result.flatMap(({ read }) => read);
  stop();
  return (await own).read;
}

/** Indexes texts on this thread alone: they are few, or have been read one by one already. */
async function indexTexts(kernel: Kernel, request: ScanRequest, monitor: ScanMonitor): Promise<IndexedFile[]> {
  const indexer = new DocumentIndexer(kernel, request.options);
  const indexed: IndexedFile[] = [];
  for (const text of request.texts) {
    if (monitor.cancelled()) break;
    indexed.push(indexText(text, indexer, request));
    if (indexed.length % textsAtOnce === 0) await setImmediate();
  }
  return indexed;
}

/** All documents of a scan, and what else becomes part of its report. */
interface Indexed {
  readonly index: Pick<IndexState, 'kernel' | 'files' | 'changedFiles'>;
  /** The files that there is memory for. */
  readonly within: readonly IndexedFile[];
  readonly leftOut: readonly Skipped[];
  readonly contents: bigint;
}

/** Compares whole files only. Of that the documents are stored. */
async function compareFiles(
  { options, memoryMB, store, configured, lexicons }: ScanRequest,
  { index, within, leftOut }: Indexed,
  monitor: ScanMonitor,
): Promise<Scanned> {
  const input = {
    files: within,
    leftOut,
    options,
    idfTable: undefined,
    memoryMB,
    paths: configuredPaths(configured, fileLexicons(lexicons)),
  };
  const { corpus, skipped } = fillCorpus(index.kernel, input, within);
  if (monitor.cancelled()) return stopped(corpus, skipped);
  const reported = await endOf(corpus.reportFilesSteps({ skipped, complete: true }), monitor);
  if (reported === undefined) return stopped(corpus, skipped);
  store?.replace({ ...index, report: undefined, matches: undefined });
  return { findings: reported.result, live: undefined };
}

async function compareAll(
  request: ScanRequest,
  { index, within, leftOut, contents }: Indexed,
  scanThreads: readonly ScanThread[],
  monitor: ScanMonitor,
): Promise<Scanned> {
  const { options, memoryMB, store, weighing, configured, lexicons } = request;
  const { kernel } = index;
  const epoch = weighing === 'kept' ? store?.matches?.epoch : undefined;
  const input = {
    files: within,
    leftOut,
    options,
    idfTable: epoch?.idfTable ?? request.idfTable,
    memoryMB,
    paths: configuredPaths(configured, fileLexicons(lexicons)),
  };
  const { corpus, plan, skipped } = await planWithin(kernel, input, monitor, scanThreads[0]);
  if (plan === undefined) return stopped(corpus, skipped);
  // What nobody follows up or stores is not kept.
  const isKept = weighing === 'kept' || store !== undefined;
  const leaving = isKept ? leaveKnownSteps(kernel, plan, within, store?.matches) : leaveAllSteps(plan);
  const matched = await matchPlan({ kernel, options, plan, leaving, threadsFor: () => scanThreads }, monitor);
  const ending = endingOf(request, monitor);
  if (matched === undefined || ending.cancelled()) return stopped(corpus, skipped);
  const { records, keep } = matched;
  const complete = !monitor.cancelled();
  const grouped = await endOf(plan.finishSteps(records, { skipped, complete }), ending);
  endStage({ stage: 'grouped' });
  if (grouped === undefined) return stopped(corpus, skipped);
  const findings = grouped.result;
  const idfTable = (): Uint8Array | undefined => corpus.idfTable();
  if (!complete || keep === undefined) return { findings, live: undefined, idfTable };
  const matches = keep(records, epoch ?? beginEpoch(corpus.idfTable()!, within));
  store?.replace({ ...index, matches, report: { contents, idfTable: digestOfEpoch(matches.epoch), findings } });
  return { findings, live: follow({ ...index, corpus, request, matches, findings }), idfTable };
}

/** What follows a scan up; undefined when not everything fits: such a one is not followed. */
function follow(followed: Followed): LiveScan | undefined {
  const isWhole = !followed.findings.skipped.some(({ setting }) => setting === 'memory');
  return isWhole ? new LiveScan(followed) : undefined;
}

/** Whether what was begun is to be ended early, that is for nothing. */
function endingOf({ whenCancelled }: ScanRequest, monitor: ScanMonitor): Pick<ScanMonitor, 'cancelled'> {
  return whenCancelled === 'group' ? { cancelled: () => false } : monitor;
}

/** What a scan has that was cancelled before it found anything. */
function stopped(corpus: Corpus, skipped: readonly Skipped[]): Scanned {
  return { findings: corpus.reportUncompared({ skipped, complete: false }), live: undefined };
}

/** The listing without files that a text stands for, and without prose where that is switched off: such files are not even opened. */
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

/** Of each file, in the order of paths, the bytes of the kept documents before it. */
function bytesBefore(files: readonly ListedFile[], kept: readonly IndexedFile[]): Float64Array {
  const sorted = [...kept].sort(byPath);
  let [next, bytes] = [0, 0];
  return Float64Array.from(files, ({ path }) => {
    for (; next < sorted.length && sorted[next]!.path < path; next++) bytes += indexBytes(sorted[next]!.content);
    return bytes;
  });
}

/** How many files differ from what is stored of them, come or gone. */
function countChanges(
  documents: StoredDocuments | undefined,
  kept: readonly IndexedFile[],
  read: readonly IndexedFile[],
): number {
  if (documents === undefined) return Number.POSITIVE_INFINITY;
  const known = read.filter(({ path }) => documents.stampOf(path) !== undefined);
  return read.length + documents.size - kept.length - known.length;
}

/** What became of a file that a scan thread has read. */
function named(path: string, read: ReadFile, documents: StoredDocuments | undefined): IndexedFile {
  const { content, digest, stamp } = read;
  if (content !== 'same') return { path, content, digest, stamp };
  if (documents === undefined) throw new Error(`${path} is said to be stored, but nothing is.`);
  return { ...documents.fileOf(path), stamp };
}

/** Indexes a text as a scan thread does a file, or says why not. */
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
