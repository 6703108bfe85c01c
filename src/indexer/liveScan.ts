/**
 * A scan that is followed up: its index is kept, and takes in what has changed since. The findings are those of a new
 * scan, but for how telling tokens are: that stays as it was counted.
 */
import { setImmediate } from 'node:timers/promises';
import type { CorpusPlan } from '../engine/comparison.ts';
import type { Corpus } from '../engine/corpus.ts';
import type { LiveCorpus } from '../engine/liveCorpus.ts';
import type { MatchedPairs } from '../engine/matches/matchedPairs.ts';
import { hashBytes64 } from '../methods/hash64.ts';
import type { Kernel } from '../engine/kernel.ts';
import { fileLexicons, type FileLexicons, lexiconForPath } from '../engine/languages/lexicon.ts';
import { textOfCells } from '../engine/languages/notebook.ts';
import type { Lexicon } from '../engine/languages/lexicalRules.ts';
import type { Options } from '../engine/options.ts';
import type { CountedFile } from '../engine/report/makeReport.ts';
import type { Findings, Skipped } from '../engine/report/report.ts';
import type { SimilarPassages, SimilarQuery } from '../engine/similar/findSimilar.ts';
import { byPath } from '../io/byPath.ts';
import { judgeText, readSource, stampOf } from '../io/readSource.ts';
import { type FolderLimits, isSameStamp, limitsAt, type ListedFile, type ReadLimits } from '../io/sources.ts';
import { configuredChanges, type ConfiguredRoot, configuredPaths } from './configuredPaths.ts';
import { type EarlierMatches, type KeepMatches, leaveKnownSteps } from './earlierMatches.ts';
import { endOf } from './endOf.ts';
import { beginEpoch, digestOfEpoch, driftOf, type Epoch, staleShare } from './epoch.ts';
import { FollowedMatches } from './followedMatches.ts';
import type { IndexedFile } from './indexedFile.ts';
import { digestOfContents, type IndexState, storesAlike } from './indexStore.ts';
import { type ScanThread, startScanThreads } from './scanThread.ts';
import { withoutOthers } from './matchesFile.ts';
import { threadsForSeeds } from './matchOnThreads.ts';
import { type Matched, matchPlan } from './matchPlan.ts';
import { withContents } from './remoteFiles.ts';
import { proseIsOff } from './proseIsOff.ts';
import type { ScanInput, ScanMonitor, Text } from './scanInput.ts';

/** What a scan found, for it to be followed up. */
export interface Followed {
  readonly kernel: Kernel;
  readonly corpus: Corpus;
  readonly request: FollowedRequest;
  readonly files: readonly IndexedFile[];
  /** As in `IndexState`. */
  readonly changedFiles: number;
  readonly matches: EarlierMatches;
  readonly findings: Findings;
}

/** A text to look for. */
export interface SimilarText {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  readonly lexicon: Lexicon;
}

interface FollowedRequest extends ScanInput {
  readonly options: Options;
  readonly configured: readonly ConfiguredRoot[];
  readonly sources: FolderLimits;
  readonly lexicons: readonly Lexicon[];
  readonly workers: number;
  readonly scanThread: URL;
}

/** What comparing all documents came to. */
interface Compared {
  readonly findings: Findings;
  /** What is to be kept of it, in an epoch. */
  readonly keep: (epoch: Epoch) => EarlierMatches;
}

/** Files that are read before anything else gets its turn. */
const filesAtOnce = 8;
/** Files whose stamps are looked at before anything else does: a millisecond or two. */
const stampsAtOnce = 500;

export class LiveScan {
  readonly #kernel: Kernel;
  readonly #corpus: LiveCorpus;
  readonly #request: Pick<FollowedRequest, 'sources' | 'lexicons' | 'workers' | 'scanThread'>;
  readonly #lexicons: FileLexicons;
  #options: Options;
  #configured: readonly ConfiguredRoot[];
  readonly #files: Map<string, IndexedFile>;
  #input: ScanInput;
  #findings: Findings;
  #matches: FollowedMatches;
  #changedFiles: number;
  /** Whether something was taken in that no report has yet. */
  #isBehind = false;

  constructor({ kernel, corpus, request, files, changedFiles, matches, findings }: Followed) {
    this.#kernel = kernel;
    this.#corpus = corpus.keep();
    this.#options = request.options;
    this.#configured = request.configured;
    this.#request = request;
    this.#lexicons = fileLexicons(request.lexicons);
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#input = { listing: request.listing, texts: request.texts };
    this.#findings = findings;
    this.#matches = new FollowedMatches(matches);
    this.#changedFiles = changedFiles;
  }

  /** Gets ready for changes, which takes a while; when `stop` says so, the rest is left for later. */
  async prepare(stop: () => boolean): Promise<void> {
    await endOf(this.#corpus.indexSteps(), { cancelled: stop });
  }

  /** The options of what it has. */
  get options(): Options {
    return this.#options;
  }

  /** What folders decide for the files of what it has. */
  get configured(): readonly ConfiguredRoot[] {
    return this.#configured;
  }

  /**
   * The findings of what there is now; undefined when nothing is different. When the monitor cancels, they are the last
   * ones, marked as incomplete, and what was touched is to be named again.
   *
   * @param touched  paths whose text may be another one; all others that were there before are as they were
   */
  async update(input: ScanInput, touched: ReadonlySet<string>, monitor: ScanMonitor): Promise<Findings | undefined> {
    await this.prepare(monitor.cancelled);
    if (monitor.cancelled()) return this.#cut();
    const left = JSON.stringify(input.listing.skipped) !== JSON.stringify(this.#input.listing.skipped);
    const changed = await this.#takeIn(input, touched, monitor);
    if (changed > 0 || left) this.#isBehind = true;
    this.#changedFiles += changed;
    if (monitor.cancelled()) return this.#cut();
    this.#input = input;
    return this.#isBehind ? this.#compare(monitor) : undefined;
  }

  /** As `update`, where changes may have gone unheard: files that their stamps say to be others are read as well. */
  async catchUp(input: ScanInput, touched: ReadonlySet<string>, monitor: ScanMonitor): Promise<Findings | undefined> {
    return this.update(input, new Set([...touched, ...this.#rewritten(input)]), monitor);
  }

  /**
   * Turns to other options, which ask for no other tokens, other categories and overrides, and to what there is now, with as little
   * work as these leave. When the monitor cancels, it is as with `update`, or undefined: then not all of it has turned, and it
   * is of no more use.
   *
   * @param touched  paths whose text may be another one though the stamp of the file is the same
   */
  async turnTo(
    { options, configured }: Pick<FollowedRequest, 'options' | 'configured'>,
    input: ScanInput,
    touched: ReadonlySet<string>,
    monitor: ScanMonitor,
  ): Promise<Findings | undefined> {
    const changed = configuredChanges(this.#configured, configured);
    const { chosen, leastOf } = configuredPaths(configured, this.#lexicons);
    const turning = this.#corpus.turnSteps(
      options,
      (path) => lexiconForPath(path, this.#lexicons),
      changed.categories ? chosen : undefined,
      changed.overrides ? leastOf : undefined,
    );
    if ((await endOf(turning, monitor)) === undefined) return undefined;
    if (!storesAlike(this.#options, options)) this.#changedFiles = Number.POSITIVE_INFINITY;
    const known = this.#matches.read(this.#files.values());
    const kept = withoutOthers(known, this.#options, options);
    if (kept !== known) this.#matches = new FollowedMatches(kept);
    this.#options = options;
    this.#configured = configured;
    for (const [path, file] of this.#files) {
      const content = this.#corpus.document(path);
      if (content) this.#files.set(path, { ...file, content });
    }
    this.#isBehind = true;
    return this.catchUp(input, touched, monitor);
  }

  /** Whether a new epoch is due: the idf table was measured of other documents than there are. */
  get isStale(): boolean {
    return !this.#isBehind && driftOf(this.#matches.epoch, this.#files.values()) > staleShare;
  }

  /**
   * The findings of a new epoch: by an idf table that is measured anew. What it leaves as it was is not matched
   * again. Undefined when `stop` says so before they are there: then everything is as it was.
   */
  async renew(stop: () => boolean): Promise<Findings | undefined> {
    await this.prepare(stop);
    if (stop()) return undefined;
    const monitor = { onProgress: () => undefined, cancelled: stop };
    const compared = await this.#compareBy(this.#corpus.planRenewalSteps(), this.#options, monitor);
    if (compared === undefined) return undefined;
    this.#findings = compared.findings;
    this.#matches = new FollowedMatches(compared.keep(beginEpoch(this.#corpus.idfTable()!, this.#files.values())));
    return this.#findings;
  }

  /**
   * What a scan with other options would find in what there is, by the same idf table: the findings that `turnTo` would lead to,
   * and nothing is another after it. Undefined when the monitor cancels, and while what has changed is in no report yet.
   *
   * @param options  that ask for no other tokens
   */
  async trial(options: Options, monitor: ScanMonitor): Promise<Findings | undefined> {
    await this.prepare(monitor.cancelled);
    if (!this.#corpus.hasIndex || this.#isBehind || monitor.cancelled()) return undefined;
    const planning = this.#corpus.planTrialSteps(options, (path) => lexiconForPath(path, this.#lexicons));
    return (await this.#compareBy(planning, options, monitor))?.findings;
  }

  /**
   * The passages of its documents that a text is a near-duplicate of. Undefined while it is not `prepare`d, and when what has
   * changed takes a comparison of all documents first.
   */
  findSimilar({ bytes, lexicon }: SimilarText, query: SimilarQuery): SimilarPassages | undefined {
    const room = this.#corpus.reserve(bytes.length);
    room.set(bytes);
    return this.#corpus.findSimilar(room, lexicon, query);
  }

  /** The files of the last report, in no order; undefined while some of what has changed is in no report. */
  countedFiles(): CountedFile[] | undefined {
    return this.#isBehind ? undefined : this.#corpus.countedFiles();
  }

  /** The last report. */
  get findings(): Findings {
    return this.#findings;
  }

  /** The table of inverse document frequencies that it weighs by. */
  get idfTable(): Uint8Array {
    return this.#matches.epoch.idfTable;
  }

  /** What is to be stored. The kernel's memory must not change until it is. */
  state(): IndexState {
    const files = [...this.#files.values()];
    const onWritten = (): number => (this.#changedFiles = 0);
    const index = { kernel: this.#kernel, files, changedFiles: this.#changedFiles };
    // Of files that no report has yet there is none to be stored.
    if (this.#isBehind) return { ...index, matches: undefined, report: undefined, onWritten };
    return {
      ...index,
      matches: this.#matches.read(files),
      report: {
        contents: digestOfContents(files, this.#input.listing.skipped),
        idfTable: digestOfEpoch(this.#matches.epoch),
        findings: this.#findings,
      },
      onWritten,
    };
  }

  /** The last findings, when what is asked for now was cut short. */
  #cut(): Findings {
    return { ...this.#findings, complete: false };
  }

  /**
   * Files of those it has that their stamps say to be others than when they were read; none when it is cancelled. A file that
   * could not be read has no stamp: of that it says nothing.
   */
  async rewritten(
    { listing, texts }: Pick<ScanInput, 'listing' | 'texts'>,
    cancelled: () => boolean,
  ): Promise<string[]> {
    const own = new Set(texts.map(({ path }) => path));
    const found: string[] = [];
    for (const [place, file] of listing.files.entries()) {
      if (place % stampsAtOnce === 0) await setImmediate();
      if (cancelled()) return [];
      const before = this.#files.get(file.path);
      if (before === undefined || own.has(file.path) || ('reason' in before.content && !before.stamp)) continue;
      if (this.#isRewritten(file)) found.push(file.path);
    }
    return found;
  }

  /** Files that their stamps say to be others than those that were read. */
  #rewritten({ listing, texts }: ScanInput): string[] {
    const own = new Set(texts.map(({ path }) => path));
    return listing.files.filter((file) => !own.has(file.path) && this.#isRewritten(file)).map(({ path }) => path);
  }

  #isRewritten(file: ListedFile): boolean {
    const before = this.#files.get(file.path)?.stamp;
    const now = stampOf(file);
    return now !== undefined && !isSameStamp(before, now);
  }

  /** Reads what may be different, until it is cancelled; returns how many documents are. */
  async #takeIn(
    { listing, texts, fetch }: ScanInput,
    touched: ReadonlySet<string>,
    monitor: ScanMonitor,
  ): Promise<number> {
    const sources = new Map<string, ListedFile | Text>();
    if (listing === this.#input.listing) {
      const own = new Set(texts.map((text) => text.path));
      for (const file of listing.files) if (touched.has(file.path) && !own.has(file.path)) sources.set(file.path, file);
    } else for (const file of listing.files) sources.set(file.path, file);
    for (const text of texts) sources.set(text.path, text);
    let changed = 0;
    let read = 0;
    const unread = [...sources.values()].filter(({ path }) => touched.has(path) || !this.#files.has(path));
    const readable = await withContents(unread, fetch, monitor.cancelled);
    if (monitor.cancelled()) return changed;
    for (const source of readable) {
      if (this.#read(source.path, source)) changed++;
      if (++read % filesAtOnce !== 0) continue;
      await setImmediate();
      if (monitor.cancelled()) return changed;
    }
    const gone = listing === this.#input.listing ? touched : this.#files.keys();
    const listed = listing === this.#input.listing ? new Set(listing.files.map((file) => file.path)) : sources;
    for (const path of [...gone]) {
      if (sources.has(path) || listed.has(path) || !this.#files.delete(path)) continue;
      this.#corpus.remove(path);
      changed++;
    }
    return changed;
  }

  /** Takes a source as it is now; returns whether that is something else than before. */
  #read(path: string, source: ListedFile | Text): boolean {
    const before = this.#files.get(path);
    const now = 'bytes' in source ? this.#judge(source) : this.#readFile(source);
    if ('reason' in now.content) {
      this.#files.set(path, { path, content: now.content, digest: 0n, stamp: now.stamp });
      this.#corpus.remove(path);
      return before === undefined || !('reason' in before.content) || before.content.reason !== now.content.reason;
    }
    const digest = hashBytes64(now.content);
    if (before && !('reason' in before.content) && before.digest === digest) {
      this.#files.set(path, { ...before, stamp: now.stamp });
      return false;
    }
    const content = this.#corpus.put(path, now.content, lexiconForPath(path, this.#lexicons));
    this.#files.set(path, { path, content, digest, stamp: now.stamp });
    return true;
  }

  #readFile(file: ListedFile): { content: Uint8Array | Skipped; stamp: IndexedFile['stamp'] } {
    const isOff = proseIsOff(file.path, this.#options, this.#lexicons);
    if (isOff) return { content: isOff, stamp: undefined };
    const source = readSource(file, this.#limits(file.path), (size) => this.#corpus.reserve(size));
    return { content: 'skipped' in source ? source.skipped : source.bytes, stamp: source.stamp };
  }

  #limits(path: string): ReadLimits {
    return { ...limitsAt(path, this.#request.sources), textOfCells };
  }

  #judge({ path, bytes }: Text): { content: Uint8Array | Skipped; stamp: undefined } {
    const refused = proseIsOff(path, this.#options, this.#lexicons) ?? judgeText(path, bytes, this.#limits(path));
    if (refused) return { content: refused, stamp: undefined };
    const room = this.#corpus.reserve(bytes.length);
    room.set(bytes);
    return { content: room, stamp: undefined };
  }

  /** The findings of what was taken in. */
  async #compare(monitor: ScanMonitor): Promise<Findings> {
    const onMatched = (matched: MatchedPairs): void => this.#matches.take(matched);
    const updated = await endOf(this.#corpus.updateSteps({ ...this.#context(), onMatched }), monitor);
    if (updated === undefined) return this.#cut();
    const findings = updated.result ?? (await this.#compareAll(monitor));
    if (findings === undefined) return this.#cut();
    this.#isBehind = false;
    this.#findings = findings;
    return findings;
  }

  /** Compares all documents with each other, when too much has changed; undefined when it was cancelled. */
  async #compareAll(monitor: ScanMonitor): Promise<Findings | undefined> {
    const compared = await this.#compareBy(this.#corpus.planSteps(), this.#options, monitor);
    if (compared === undefined) return undefined;
    this.#matches = new FollowedMatches(compared.keep(this.#matches.epoch));
    return compared.findings;
  }

  /** Plans, matches and groups; undefined when it was cancelled. Then, and when it fails, the plan's memory is given back. */
  async #compareBy(
    planning: Generator<void, CorpusPlan>,
    options: Options,
    monitor: ScanMonitor,
  ): Promise<Compared | undefined> {
    const planned = await endOf(planning, monitor);
    if (planned === undefined) return undefined;
    const plan = planned.result;
    let compared: Compared | undefined;
    try {
      const matched = await this.#match(plan, options, monitor);
      if (matched === undefined) return undefined;
      const finished = await endOf(plan.finishSteps(matched.records, this.#context()), monitor);
      const { records, keep } = matched;
      if (finished) compared = { findings: finished.result, keep: (epoch) => keep(records, epoch) };
      return compared;
    } finally {
      if (compared === undefined) plan.abandon();
    }
  }

  /** Undefined when it was cancelled. */
  async #match(plan: CorpusPlan, options: Options, monitor: ScanMonitor): Promise<Matched<KeepMatches> | undefined> {
    const kernel = this.#kernel;
    const files = [...this.#files.values()];
    const known = withoutOthers(this.#matches.read(files), this.#options, options);
    const leaving = leaveKnownSteps(kernel, plan, files, known);
    const { workers, scanThread } = this.#request;
    const threadsFor = (seeds: number): Promise<readonly ScanThread[]> =>
      startScanThreads(threadsForSeeds(seeds, workers), scanThread, kernel.memory);
    const matched = await matchPlan({ kernel, options, plan, leaving, threadsFor }, monitor);
    return monitor.cancelled() ? undefined : matched;
  }

  #context(): { readonly skipped: readonly Skipped[]; readonly complete: boolean } {
    const skipped = [...this.#input.listing.skipped];
    for (const { content } of this.#files.values()) if ('reason' in content) skipped.push(content);
    skipped.sort(byPath);
    return { skipped, complete: true };
  }
}
