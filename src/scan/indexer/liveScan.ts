/** A scan that keeps its index and accepts changes. Its findings equal those of a new scan with the same weights. */
import { nextTurn } from '../../core/collections/threads.ts';
import type { Comparisons, CorpusPlan } from '../../core/engine/comparison.ts';
import type { Corpus } from '../../core/engine/corpus.ts';
import type { LiveCorpus } from '../../core/engine/liveCorpus.ts';
import type { MatchedPairs } from '../../core/engine/matches/matchedPairs.ts';
import { hashBytes64 } from '../../core/methods/hash64.ts';
import { partsOf } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { fileLexicons, type FileLexicons, lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { textOfCells } from '../../core/engine/languages/notebook.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import type { Options } from '../../core/engine/options.ts';
import type { CountedFile } from '../../core/engine/report/makeReport.ts';
import type { Findings, SkippedFile } from '../../core/engine/report/report.ts';
import type { SimilarPassages, SimilarQuery } from '../../core/engine/similar/findSimilar.ts';
import { byPath } from '../io/byPath.ts';
import { judgeText } from '../io/judgeContent.ts';
import { type FolderLimits, isSameStamp, limitsAt, type ListedFile, type ReadLimits } from '../io/sources.ts';
import { configuredChanges, type ConfiguredRoot, configuredPaths } from './configuredPaths.ts';
import {
  type ComparedDocument,
  type EarlierMatches,
  type MatchKeeper,
  removeKnownSteps,
  noComparisons,
} from './earlierMatches.ts';
import { endOf } from './endOf.ts';
import { beginEpoch, digestOfEpoch, driftOf, type Epoch, staleShare } from './epoch.ts';
import { FollowedMatches } from './followedMatches.ts';
import type { IndexedFile } from './indexedFile.ts';
import { digestOfContents, type IndexState, storesAlike } from './indexStore.ts';
import { type ScanThread, type ScanSystem, startScanThreads } from './scanThread.ts';
import { withoutOthers } from './matchesFile.ts';
import { threadsForSeeds } from './matchOnThreads.ts';
import { type MatchedPlan, matchPlan } from './matchPlan.ts';
import { withContents } from './remoteFiles.ts';
import { proseIsOff } from '../../core/engine/documents/proseIsOff.ts';
import { filesByPath, type ScanInput, type ScanMonitor, type Text } from './scanInput.ts';

/** Result of a scan, to which updates are applied. */
export interface FollowedScan {
  readonly kernel: Kernel;
  readonly corpus: Corpus;
  readonly request: FollowedRequest;
  readonly files: readonly IndexedFile[];
  /** Number of files that differ from the stored ones; see `IndexState`. */
  readonly changedFiles: number;
  readonly matches: EarlierMatches;
  readonly findings: Findings;
}

export interface SimilarText {
  /** Text in UTF-8. */
  readonly bytes: Uint8Array;
  readonly lexicon: Lexicon;
}

interface FollowedRequest extends ScanInput {
  readonly options: Options;
  readonly configured: readonly ConfiguredRoot[];
  readonly sources: FolderLimits;
  readonly lexicons: readonly Lexicon[];
  readonly workers: number;
  readonly system: ScanSystem;
}

interface ComparedFindings {
  readonly findings: Findings;
  /** Returns the matches to store for the next comparison. */
  readonly keep: (epoch: Epoch) => EarlierMatches;
}

/** Number of files to read between two yields to the event loop. */
const filesAtOnce = 8;
/** Number of files to check between two yields to the event loop, which takes one or two milliseconds. */
const stampsAtOnce = 500;

export class LiveScan {
  readonly #kernel: Kernel;
  readonly #corpus: LiveCorpus;
  readonly #request: Pick<FollowedRequest, 'sources' | 'lexicons' | 'workers' | 'system'>;
  readonly #lexicons: FileLexicons;
  #options: Options;
  #configured: readonly ConfiguredRoot[];
  readonly #files: Map<string, IndexedFile>;
  #input: ScanInput;
  /** Skipped files, sorted as in a report. `undefined` if they must be collected again. */
  #skipped: readonly SkippedFile[] | undefined;
  #findings: Findings;
  #matches: FollowedMatches;
  #changedFiles: number;
  /** True if changes have been applied that are in no report yet. */
  #isBehind = false;
  /** Files in which a canceled `catchUp` has found a change. `update`, which checks no stamps, must read them. */
  readonly #unread = new Set<string>();

  constructor({ kernel, corpus, request, files, changedFiles, matches, findings }: FollowedScan) {
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

  /** Builds the index for updates, which takes time. Stops when `stop` returns true; a later call then continues. */
  async prepare(stop: () => boolean): Promise<void> {
    await endOf(this.#corpus.indexSteps(), { cancelled: stop });
  }

  get options(): Options {
    return this.#options;
  }

  get configured(): readonly ConfiguredRoot[] {
    return this.#configured;
  }

  /**
   * Applies changes and returns the current findings, or `undefined` if nothing has changed. If the monitor cancels,
   * returns the last findings, marked as incomplete. The caller must then pass the same `touched` paths again.
   *
   * @param touched  paths of texts that may have changed; all other existing files are assumed to be unchanged
   */
  async update(input: ScanInput, touched: ReadonlySet<string>, monitor: ScanMonitor): Promise<Findings | undefined> {
    await this.prepare(monitor.cancelled);
    if (monitor.cancelled()) return this.#cut();
    const left =
      input.listing !== this.#input.listing &&
      JSON.stringify(input.listing.skipped) !== JSON.stringify(this.#input.listing.skipped);
    const changed = await this.#readTouched(input, new Set([...touched, ...this.#unread]), monitor);
    if (changed > 0 || left) this.#isBehind = true;
    this.#changedFiles += changed;
    if (monitor.cancelled()) return this.#cut();
    this.#unread.clear();
    if (left) this.#skipped = undefined;
    this.#input = input;
    return this.#isBehind ? this.#compare(monitor) : undefined;
  }

  /** Same as `update`, but also reads the files whose stamps have changed, in case changes were missed. */
  async catchUp(input: ScanInput, touched: ReadonlySet<string>, monitor: ScanMonitor): Promise<Findings | undefined> {
    for (const path of this.#rewritten(input)) this.#unread.add(path);
    return this.update(input, touched, monitor);
  }

  /**
   * Applies new options, categories, and overrides, and changed files, with as little work as possible. Precondition:
   * the options do not change the tokens. If the monitor cancels, returns the same as `update`, or `undefined`. After
   * `undefined`, this object must be discarded, because only some changes were applied.
   *
   * @param touched  paths of texts that may have changed, even if the stamp of the file has not
   */
  async applySettings(
    { options, configured }: Pick<FollowedRequest, 'options' | 'configured'>,
    input: ScanInput,
    touched: ReadonlySet<string>,
    monitor: ScanMonitor,
  ): Promise<Findings | undefined> {
    const changed = configuredChanges(this.#configured, configured);
    const { chosenCategory, minimumOf } = configuredPaths(configured, this.#lexicons);
    const turning = this.#corpus.applyOptionsSteps(
      options,
      (path) => lexiconForPath(path, this.#lexicons),
      changed.categories ? chosenCategory : undefined,
      changed.overrides ? minimumOf : undefined,
    );
    if ((await endOf(turning, monitor)) === undefined) return undefined;
    if (!storesAlike(this.#options, options)) this.#changedFiles = Number.POSITIVE_INFINITY;
    const storedMatches = this.#matches.read([...this.#files.values()]);
    const kept = withoutOthers(storedMatches, [this.#options, options], (document) => this.#isProse(document));
    // Comparisons depend on more options than matches do.
    this.#matches = new FollowedMatches({ ...kept, comparisons: noComparisons });
    this.#options = options;
    this.#configured = configured;
    for (const [path, file] of this.#files) {
      const content = this.#corpus.document(path);
      if (content) this.#files.set(path, { ...file, content });
    }
    this.#isBehind = true;
    return this.catchUp(input, touched, monitor);
  }

  /** Returns true if a new epoch should begin: the documents differ too much from those of the idf table. */
  isStale(): boolean {
    return !this.#isBehind && driftOf(this.#matches.epoch, this.#files.values()) > staleShare;
  }

  /**
   * Begins a new epoch: measures the idf table again, and returns the new findings. Pairs of documents whose token
   * weights have not changed are not matched again. If `stop` returns true before the end, returns `undefined` and
   * changes nothing.
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
   * Returns the findings that a scan with other options and the same idf table would have. They equal the findings
   * after `applySettings`, but the current options stay in effect. Returns `undefined` if the monitor cancels, or if
   * some changes have not been included in a report yet.
   *
   * @param options  must lead to the same tokens
   */
  async trial(options: Options, monitor: ScanMonitor): Promise<Findings | undefined> {
    await this.prepare(monitor.cancelled);
    if (!this.#corpus.hasIndex || this.#isBehind || monitor.cancelled()) return undefined;
    const planning = this.#corpus.planTrialSteps(options, (path) => lexiconForPath(path, this.#lexicons));
    return (await this.#compareBy(planning, options, monitor))?.findings;
  }

  /**
   * Returns the passages in the scanned documents that nearly duplicate a text. Returns `undefined` if `prepare` has
   * not been completed, or if all documents must be compared first because of changes.
   */
  findSimilar({ bytes, lexicon }: SimilarText, query: SimilarQuery): SimilarPassages | undefined {
    return this.#corpus.findSimilar(bytes, lexicon, query);
  }

  /** Returns the files that the last report counted, in any order; `undefined` if it lacks some changes. */
  countedFiles(): CountedFile[] | undefined {
    return this.#isBehind ? undefined : this.#corpus.countedFiles();
  }

  get findings(): Findings {
    return this.#findings;
  }

  get idfTable(): Uint8Array {
    return this.#matches.epoch.idfTable;
  }

  /** Returns the state to store. Kernel memory must not change until it has been stored. */
  state(): IndexState {
    const files = [...this.#files.values()];
    const onWritten = (): number => (this.#changedFiles = 0);
    const index = { kernel: this.#kernel, files, changedFiles: this.#changedFiles };
    // There is no report of the current files, so store neither matches nor a report.
    if (this.#isBehind) return { ...index, matches: undefined, report: undefined, onWritten };
    return {
      ...index,
      matches: this.#matches.read(files, () => this.#corpus.comparisons()),
      report: {
        contents: digestOfContents(files),
        idfTable: digestOfEpoch(this.#matches.epoch),
        findings: this.#findings,
      },
      onWritten,
    };
  }

  /** Returns the last findings, marked as incomplete. Used for a canceled request. */
  #cut(): Findings {
    return { ...this.#findings, complete: false };
  }

  /**
   * Returns the files whose stamps have changed since they were read. If the monitor cancels, returns an empty list.
   * Files that could not be read have no stamp, and are not included.
   */
  async rewritten(
    { listing, texts }: Pick<ScanInput, 'listing' | 'texts'>,
    cancelled: () => boolean,
  ): Promise<string[]> {
    const own = new Set(texts.map(({ path }) => path));
    const found: string[] = [];
    for (const [place, file] of listing.files.entries()) {
      if (place % stampsAtOnce === 0) await nextTurn();
      if (cancelled()) return [];
      const before = this.#files.get(file.path);
      if (before === undefined || own.has(file.path) || ('reason' in before.content && !before.stamp)) continue;
      if (this.#isRewritten(file)) found.push(file.path);
    }
    return found;
  }

  /** Returns the files whose stamps have changed since they were read. */
  #rewritten({ listing, texts }: ScanInput): string[] {
    const own = new Set(texts.map(({ path }) => path));
    return listing.files.filter((file) => !own.has(file.path) && this.#isRewritten(file)).map(({ path }) => path);
  }

  #isRewritten(file: ListedFile): boolean {
    const before = this.#files.get(file.path)?.stamp;
    const now = this.#request.system.reader.stampOf(file);
    return now !== undefined && !isSameStamp(before, now);
  }

  /** Reads the touched files, unless the monitor cancels. Returns the number of changed documents. */
  async #readTouched(
    { listing, texts, fetch }: ScanInput,
    touched: ReadonlySet<string>,
    monitor: ScanMonitor,
  ): Promise<number> {
    const isListedAlike = listing === this.#input.listing;
    const listed = filesByPath(listing);
    const sources = new Map<string, ListedFile | Text>(isListedAlike ? [] : listed);
    for (const path of isListedAlike ? touched : []) {
      const file = listed.get(path);
      if (file) sources.set(path, file);
    }
    for (const text of texts) sources.set(text.path, text);
    let changed = 0;
    let read = 0;
    const unread = [...sources.values()].filter(({ path }) => touched.has(path) || !this.#files.has(path));
    const readable = await withContents(unread, fetch, monitor.cancelled);
    if (monitor.cancelled()) return changed;
    for (const source of readable) {
      if (this.#read(source.path, source)) changed++;
      if (++read % filesAtOnce !== 0) continue;
      await nextTurn();
      if (monitor.cancelled()) return changed;
    }
    const checkedPaths = isListedAlike ? touched : this.#files.keys();
    for (const path of [...checkedPaths]) {
      if (sources.has(path) || listed.has(path) || !this.#files.has(path)) continue;
      this.#replace(path, undefined);
      this.#corpus.remove(path);
      changed++;
    }
    return changed;
  }

  /** Reads a file or text and applies its content. Returns true if the content has changed. */
  #read(path: string, source: ListedFile | Text): boolean {
    const before = this.#files.get(path);
    const now = 'bytes' in source ? this.#judge(source) : this.#readFile(source);
    if ('reason' in now.content) {
      this.#replace(path, { path, content: now.content, digest: 0n, stamp: now.stamp });
      this.#corpus.remove(path);
      return before === undefined || !('reason' in before.content) || before.content.reason !== now.content.reason;
    }
    const digest = hashBytes64(now.content);
    if (before && !('reason' in before.content) && before.digest === digest) {
      this.#files.set(path, { ...before, stamp: now.stamp });
      return false;
    }
    const content = this.#corpus.put(path, now.content, lexiconForPath(path, this.#lexicons));
    this.#replace(path, { path, content, digest, stamp: now.stamp });
    return true;
  }

  #replace(path: string, file: IndexedFile | undefined): void {
    const before = this.#files.get(path);
    if ([before, file].some((one) => one && 'reason' in one.content)) this.#skipped = undefined;
    if (file) this.#files.set(path, file);
    else this.#files.delete(path);
  }

  #readFile(file: ListedFile): { content: Uint8Array | SkippedFile; stamp: IndexedFile['stamp'] } {
    const isOff = proseIsOff(file.path, this.#options, this.#lexicons);
    if (isOff) return { content: isOff, stamp: undefined };
    const { reader } = this.#request.system;
    const source = reader.read(file, this.#limits(file.path), (size) => this.#corpus.reserve(size));
    return { content: 'skipped' in source ? source.skipped : source.bytes, stamp: source.stamp };
  }

  #limits(path: string): ReadLimits {
    return { ...limitsAt(path, this.#request.sources), textOfCells };
  }

  #judge({ path, bytes }: Text): { content: Uint8Array | SkippedFile; stamp: undefined } {
    const refused = proseIsOff(path, this.#options, this.#lexicons) ?? judgeText(path, bytes, this.#limits(path));
    if (refused) return { content: refused, stamp: undefined };
    const room = this.#corpus.reserve(bytes.length);
    room.set(bytes);
    return { content: room, stamp: undefined };
  }

  async #compare(monitor: ScanMonitor): Promise<Findings> {
    const onMatched = (matched: MatchedPairs): void => this.#matches.add(matched);
    const updated = await endOf(this.#corpus.updateSteps({ ...this.#context(), onMatched }), monitor);
    if (updated === undefined) return this.#cut();
    const findings = updated.result ?? (await this.#compareAll(monitor));
    if (findings === undefined) return this.#cut();
    this.#isBehind = false;
    this.#findings = findings;
    return findings;
  }

  /** Compares all documents, if too much has changed for an update. Returns `undefined` if the monitor cancels. */
  async #compareAll(monitor: ScanMonitor): Promise<Findings | undefined> {
    const compared = await this.#compareBy(this.#corpus.planSteps(), this.#options, monitor);
    if (compared === undefined) return undefined;
    this.#matches = new FollowedMatches(compared.keep(this.#matches.epoch));
    return compared.findings;
  }

  /** Runs all stages of a plan, and releases its memory in any case. Returns `undefined` if the monitor cancels. */
  async #compareBy(
    planning: Generator<void, CorpusPlan>,
    options: Options,
    monitor: ScanMonitor,
  ): Promise<ComparedFindings | undefined> {
    const planned = await endOf(planning, monitor);
    if (planned === undefined) return undefined;
    const plan = planned.result;
    let compared: ComparedFindings | undefined;
    try {
      const matched = await this.#match(plan, options, monitor);
      if (matched === undefined) return undefined;
      const finished = await endOf(plan.finishSteps(matched.records, this.#context()), monitor);
      const { records, keep } = matched;
      // The corpus now contains the report of the plan, unless the plan was a trial. Matches of a trial are not kept.
      const comparisons = (): Comparisons => this.#corpus.comparisons()!;
      if (finished) compared = { findings: finished.result, keep: (epoch) => keep(records, epoch, comparisons) };
      return compared;
    } finally {
      if (compared === undefined) plan.abandon();
    }
  }

  /** Runs the matching stage of a plan. Returns `undefined` if the monitor cancels. */
  async #match(
    plan: CorpusPlan,
    options: Options,
    monitor: ScanMonitor,
  ): Promise<MatchedPlan<MatchKeeper> | undefined> {
    const kernel = this.#kernel;
    const files = [...this.#files.values()];
    const earlier = this.#matches.read(files);
    const keptMatches = withoutOthers(earlier, [this.#options, options], (document) => this.#isProse(document));
    const leaving = removeKnownSteps(kernel, plan, files, keptMatches);
    const { workers, system } = this.#request;
    const threadsFor = (seeds: number): Promise<readonly ScanThread[]> =>
      startScanThreads(threadsForSeeds(seeds, workers), system, kernel.memory);
    const matched = await matchPlan({ kernel, options, plan, leaving, threadsFor }, monitor);
    return monitor.cancelled() ? undefined : matched;
  }

  #isProse({ path, part }: ComparedDocument): boolean {
    const content = this.#files.get(path)?.content;
    if (content === undefined || 'reason' in content) return false;
    return partsOf(path, content).some((it) => it.part === part && it.index.prose);
  }

  #context(): { readonly skipped: readonly SkippedFile[]; readonly complete: boolean } {
    this.#skipped ??= [
      ...this.#input.listing.skipped,
      ...[...this.#files.values()].flatMap(({ content }) => ('reason' in content ? [content] : [])),
    ].sort(byPath);
    return { skipped: this.#skipped, complete: true };
  }
}
