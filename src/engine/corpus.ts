/**
 * The corpus: documents in, findings out. This is the one file that calls the stages, in this order:
 *
 *   bytes → tokens, windows, fingerprints (indexDocument) → seeds → matches → clusters, clusters of files → report
 */
import { bracketTokens } from './matches/bracketTokens.ts';
import { Clusters } from './groups/cluster.ts';
import { clusterFilesSteps, type FileCluster } from './files/fileClusters.ts';
import type { KnownOverlaps } from './files/fileOverlap.ts';
import { CorpusDocuments } from './corpusDocuments.ts';
import type { DocumentIndex } from './documents/documents.ts';
import type { Kernel } from './kernel.ts';
import { pairsOf } from './matches/knownMatches.ts';
import type { Lexicon } from './languages/lexicon.ts';
import { LeastLines } from './matches/leastLines.ts';
import { LiveFiles } from './files/liveFiles.ts';
import { LiveSeeds, documentsOf, type PairKey, pairKey } from './seeds/liveSeeds.ts';
import { LiveNumbers, type Replacement, totalsAfter, wholesOf } from './documents/liveNumbers.ts';
import { Groups } from './report/makeReport.ts';
import type { ChosenCategory } from './rows/categories.ts';
import { recordsOnly } from './groups/matchedPassages.ts';
import { beginSearch, completeSearch, type MatchPlan, searchSteps } from './matches/matchPlan.ts';
import type { Match, TokenRange } from './matches/matchRecord.ts';
import type { MatchedPairs } from './matches/matchedPairs.ts';
import { joinRecords, Matcher, type MatchTask, sliceSeeds } from './matches/matches.ts';
import { type DocumentTotals, type NamedDocument, totalsOf } from './documents/namedDocument.ts';
import { changesBetween } from './optionChanges.ts';
import type { Options } from './options.ts';
import { BegunPlan, ComparedFiles, Plan } from './plan.ts';
import type { Findings, Skipped } from './report/report.ts';
import { allocateIdfTable, copyIdfTable } from './matches/idf.ts';
import { distancesOf, tableBytes, windowsOf, writeDocument, writeDocuments } from './seeds/seeds.ts';
import { findSimilar, type SearchedCorpus, type SimilarPassages, type SimilarQuery } from './similar/findSimilar.ts';
import { lastOf } from './steps.ts';
import { TextSpans } from './groups/textSpans.ts';

/** What a report needs besides the documents. */
export interface ReportContext {
  readonly skipped: readonly Skipped[];
  readonly complete: boolean;
  /** Called when a stage of an update has ended, for whoever measures. */
  readonly onStage?: (stage: UpdateStage) => void;
  /** Called with what an update has matched, for whoever keeps it. */
  readonly onMatched?: (matched: MatchedPairs) => void;
}

/** A plan whose end is a report. */
export type CorpusPlan = Plan<ReportContext, Findings>;

export type UpdateStage = 'seeds' | 'matches' | 'clusters' | 'groups' | 'files';

/** What the last report was made of, by number of document. */
interface Made {
  readonly documents: (NamedDocument | undefined)[];
  readonly clusters: Clusters;
  groups: Groups;
  readonly leastLines: LeastLines;
  /** See `AllSeeds`; when it is kept, the live seeds keep count. */
  readonly truncated: number;
  totals: DocumentTotals;
  /** Where the ranks of the documents are, a word each; 0 while their numbers are their ranks. */
  ranks: number;
}

/** What is kept besides to take changes in. */
interface Live {
  readonly numbers: LiveNumbers;
  readonly seeds: LiveSeeds;
  files: LiveFiles;
  readonly matcher: Matcher;
  readonly task: MatchTask;
}

/** Windows that `keepSteps` takes in at a time. */
const windowsOfStep = 10_000;
/** Documents that `updateSteps` takes in at a time: what comes of them is brought up to date for all at once. */
const documentsAtATime = 8;
/** Seeds that `updateSteps` has matched at a time. */
const seedsOfStep = 256;

interface TakingIn {
  /** They lead to whether it can be done so, and not by a plan. */
  readonly steps: Generator<void, boolean>;
  /** What was in the place of the documents before. */
  readonly before: readonly (DocumentIndex | undefined)[];
}

export class Corpus {
  readonly #kernel: Kernel;
  #chosen: ChosenCategory;
  #options: Options;
  readonly #documents: CorpusDocuments;
  readonly #brackets: readonly number[];
  /** Files that were compared as wholes. */
  readonly #overlaps: KnownOverlaps = new WeakMap();
  readonly #idfTable: number;
  #hasIdfTable = false;
  #made: Made | undefined;
  #live: Live | undefined;
  /** Made once: its scratch memory is not given back. */
  #matcher: Matcher | undefined;
  /** Documents that are being taken in, where that was ended early: the next update goes on with it. */
  #takingIn: TakingIn | undefined;

  /**
   * @param idfTable  of another corpus, to weigh matches as it does; without, they are measured with the first report
   * @param chosen    what somebody has chosen to be the categories of paths: always the same for the same path
   */
  constructor(kernel: Kernel, options: Options, idfTable?: Uint8Array, chosen: ChosenCategory = () => undefined) {
    this.#chosen = chosen;
    this.#kernel = kernel;
    this.#options = options;
    this.#documents = new CorpusDocuments(kernel, () => this.#options);
    this.#brackets = bracketTokens(kernel, options);
    this.#idfTable = allocateIdfTable(kernel);
    if (idfTable) {
      kernel.bytes.set(idfTable, this.#idfTable);
      this.#hasIdfTable = true;
    }
  }

  /** Takes a document that some thread has indexed; one of the same path is replaced. */
  adopt(path: string, index: DocumentIndex): void {
    this.#documents.replace(path, index);
  }

  remove(path: string): void {
    if (this.#documents.get(path)) this.#documents.replace(path, undefined);
  }

  /** A view of `size` bytes to put the text of a document into that is `put` next. Only after `keepSteps`. */
  reserve(size: number): Uint8Array {
    return this.#documents.reserve(size);
  }

  /** Indexes a text that lies in `reserve`d memory and takes it in, in memory that is given back when it is replaced. */
  put(path: string, text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    return this.#documents.put(path, text, lexicon);
  }

  /** The document of a path, as it is now. */
  document(path: string): DocumentIndex | undefined {
    return this.#documents.get(path);
  }

  /**
   * Turns to other options and chosen categories, step by step, of some milliseconds each; nothing else may be asked for
   * until the end. What they leave as it was is kept, as `changesBetween` tells of them: after it,
   *
   *   nothing, files, groups  an update makes the next report, without seeds or matches of what has not changed
   *   matches, fingerprints   it takes a plan; fingerprints are made already, of the tokens there are
   *
   * @param lexiconOf  of a path, as it was lexed
   * @param chosen     the same function as before when no path is of another category
   * @throws when other options ask for other tokens: then a corpus of documents that are read again is needed
   */
  *turnSteps(
    options: Options,
    lexiconOf: (path: string) => Lexicon,
    chosen: ChosenCategory = this.#chosen,
  ): Generator<void, void> {
    const [before, chosenBefore] = [this.#options, this.#chosen];
    const { work } = changesBetween(before, options);
    if (work === 'tokens') throw new Error('Documents have to be read again for these options.');
    [this.#options, this.#chosen] = [options, chosen];
    if (work === 'nothing' || work === 'files') {
      if (this.#takingIn) yield* this.#takeInRestSteps();
      if (work === 'files' && this.#live) this.#live.files = yield* this.#newLiveFiles(this.#made!);
      const made = this.#made;
      if (made && chosen !== chosenBefore) {
        made.groups = yield* made.groups.regroupSteps(chosen, made.documents, (kept) => made.clusters.read(kept));
      }
      return;
    }
    this.#documents.keepBlocks();
    this.#dropMade();
    this.#documents.settle();
    yield* this.#documents.remakeSteps(before, lexiconOf);
  }

  /** A copy of the table by which matches are weighed; there is none before the first report. */
  idfTable(): Uint8Array | undefined {
    return this.#hasIdfTable ? copyIdfTable(this.#kernel, this.#idfTable) : undefined;
  }

  /** The files that nearly repeat each other, and no passages; in steps, which may be ended early by `return`. */
  *reportFilesSteps(context: ReportContext): Generator<void, Findings> {
    const mark = this.#kernel.mark();
    try {
      return this.#reportNoPassages(yield* this.#clusterFilesSteps(this.#documents.sorted(), this.#options), context);
    } finally {
      this.#kernel.release(mark);
    }
  }

  /** A report of documents that were not compared. */
  reportUncompared(context: ReportContext): Findings {
    return this.#reportNoPassages([], context);
  }

  #reportNoPassages(fileClusters: readonly FileCluster[], context: ReportContext): Findings {
    const documents = this.#documents.sorted();
    const none = new Groups(this.#kernel, (document) => documents[document], this.#chosen);
    none.replaceDocuments(documents.map((after) => ({ after })));
    return none.findings({ totals: totalsOf(documents), truncated: 0, fileClusters, ...context });
  }

  /**
   * Finds the seeds, in steps of some dozens of milliseconds. When they are ended early by `return`, there is no plan. Any
   * thread may then match slices of them; to finish the plan takes what all have found.
   */
  *planSteps(): Generator<void, CorpusPlan> {
    this.#dropMade();
    this.#documents.settle();
    yield;
    return yield* this.#planBySteps('kept');
  }

  /**
   * The same with an idf table that is measured of the documents there are now. What is kept stays until the plan is
   * finished, which takes the table over. Only while nothing has changed since the last report.
   */
  planRenewalSteps(): Generator<void, CorpusPlan> {
    return this.#planBySteps('new');
  }

  *#planBySteps(table: 'kept' | 'new'): Generator<void, CorpusPlan> {
    const kernel = this.#kernel;
    const mark = kernel.mark();
    const documents = this.#documents.sorted();
    let isDone = false;
    try {
      const idfTable = table === 'new' ? allocateIdfTable(kernel) : this.#idfTable;
      const isMeasured = table === 'kept' && this.#hasIdfTable;
      const found = yield* this.#searchSteps(documents, this.#options, idfTable, isMeasured);
      this.#hasIdfTable = isDone = true;
      return this.#plan({ mark, documents, ...found }, this.#comparedFiles(documents, this.#options));
    } finally {
      if (!isDone) kernel.release(mark);
    }
  }

  /**
   * A plan of what other options would find in the documents there are, by the same idf table. Whether it is finished or
   * abandoned, everything is as it was: nothing is kept of it but its findings. Only after `keepSteps`, and while nothing has
   * changed since the last report.
   *
   * @param lexiconOf  of a path, as it was lexed
   * @throws when other options ask for other tokens
   */
  *planTrialSteps(options: Options, lexiconOf: (path: string) => Lexicon): Generator<void, CorpusPlan> {
    if (changesBetween(this.#options, options).work === 'tokens') {
      throw new Error('Documents have to be read again for these options.');
    }
    if (this.#live === undefined || this.#documents.changedCount > 0) {
      throw new Error('There is no index that is up to date to try other options on.');
    }
    const mark = this.#kernel.mark();
    let isDone = false;
    try {
      const documents = yield* this.#documents.remadeAsideSteps(options, lexiconOf);
      const found = yield* this.#searchSteps(documents, options, this.#idfTable, true);
      isDone = true;
      const plan = { mark, documents, ...found };
      return new Plan(plan, this.#comparedFiles(documents, options), {
        finishSteps: (...what) => this.#finishTrialSteps(options, ...what),
        abandon: () => this.#abandon(mark),
      });
    } finally {
      if (!isDone) this.#abandon(mark);
    }
  }

  *#searchSteps(
    documents: readonly NamedDocument[],
    options: Options,
    idfTable: number,
    isMeasured: boolean,
  ): Generator<void, Pick<MatchPlan, 'truncated' | 'task'>> {
    const kernel = this.#kernel;
    const indexes = documents.map((d) => d.index);
    const table = writeDocuments(kernel, indexes);
    const search = { table, documents: indexes, distances: distancesOf(options) };
    const seeds = yield* searchSteps(kernel, { ...search, idfTable: isMeasured ? undefined : idfTable });
    return { truncated: seeds.truncated, task: { table, idfTable, seeds, brackets: this.#brackets } };
  }

  /** Begins a plan whose search another thread does. */
  beginPlan(): BegunPlan<CorpusPlan> {
    this.#dropMade();
    this.#documents.settle();
    const kernel = this.#kernel;
    const documents = this.#documents.sorted();
    const files = this.#comparedFiles(documents, this.#options);
    const unmeasured = this.#hasIdfTable ? undefined : this.#idfTable;
    const begun = beginSearch(kernel, documents, distancesOf(this.#options), unmeasured);
    const { mark, search } = begun;
    return new BegunPlan(search, files, {
      complete: (found) => {
        const { truncated, ...seeds } = completeSearch(kernel, begun, found);
        this.#hasIdfTable = true;
        const task = { table: search.table, idfTable: this.#idfTable, seeds, brackets: this.#brackets };
        return this.#plan({ mark, documents, truncated, task }, files);
      },
      abandon: () => {
        kernel.together();
        this.#abandon(mark);
      },
    });
  }

  #plan(plan: MatchPlan, files: ComparedFiles): CorpusPlan {
    return new Plan(plan, files, {
      finishSteps: (...what) => this.#finishSteps(...what),
      abandon: () => this.#abandon(plan.mark),
    });
  }

  #comparedFiles(documents: readonly NamedDocument[], options: Options): ComparedFiles {
    return new ComparedFiles(() => this.#clusterFilesSteps(documents, options));
  }

  /** Gives the memory of a plan back that is not finished. */
  #abandon(mark: number): void {
    this.#kernel.release(mark);
    // Another matcher may have been made of the plan, in memory that is given back now.
    if (this.#live) this.#live.matcher.turnTo(this.#live.task, this.#options);
  }

  *#finishSteps(
    plan: MatchPlan,
    records: Uint32Array,
    files: ComparedFiles,
    context: ReportContext,
  ): Generator<void, Findings> {
    const { task } = plan;
    const kernel = this.#kernel;
    const isRenewal = task.idfTable !== this.#idfTable;
    if (!isRenewal) this.#dropMade();
    const { made, findings } = yield* this.#makeSteps(plan, records, this.#options, { files, context });
    // From here on there is no way back.
    if (isRenewal) {
      this.#dropMade();
      kernel.bytes.set(copyIdfTable(kernel, task.idfTable), this.#idfTable);
    }
    this.#made = made;
    kernel.release(plan.mark);
    return findings;
  }

  *#finishTrialSteps(
    options: Options,
    plan: MatchPlan,
    records: Uint32Array,
    files: ComparedFiles,
    context: ReportContext,
  ): Generator<void, Findings> {
    const { findings } = yield* this.#makeSteps(plan, records, options, { files, context });
    this.#abandon(plan.mark);
    return findings;
  }

  /** Makes clusters, groups and the report of matches. */
  *#makeSteps(
    plan: MatchPlan,
    records: Uint32Array,
    options: Options,
    { files, context }: { readonly files: ComparedFiles; readonly context: ReportContext },
  ): Generator<void, { readonly made: Made; readonly findings: Findings }> {
    const kernel = this.#kernel;
    const matcher = new Matcher(kernel, plan.task, options);
    const made = makeNothing(kernel, plan, options, this.#chosen);
    const places = yield* made.leastLines.allowed(records);
    const changes = yield* made.clusters.updateSteps(recordsOnly(records, places), (a, b) =>
      this.#verify(made, matcher, a, b),
    );
    yield;
    yield* made.groups.updateSteps(changes, (kept) => made.clusters.read(kept));
    yield;
    const fileClusters = yield* files.clustersSteps();
    const { truncated } = plan;
    return { made, findings: made.groups.findings({ totals: made.totals, truncated, fileClusters, ...context }) };
  }

  /**
   * Keeps what the last report was made of, so that an update makes the next one of what has changed; step by step, of some
   * milliseconds each. From now on no other thread may use the kernel's memory, but while a plan is matched. Nothing else
   * may be asked for until the end, or until it is ended early by `return`: then nothing is kept.
   */
  *keepSteps(): Generator<void, void> {
    const made = this.#made;
    if (made === undefined || this.#live !== undefined) throw new Error('There is no report to keep, or it is kept.');
    const kernel = this.#kernel;
    this.#documents.keepBlocks();
    const numbers = new LiveNumbers(kernel, made.documents);
    const task: MatchTask = {
      // A place more, for a text that is looked for.
      table: kernel.takeBlock(tableBytes(numbers.room + 1)),
      idfTable: this.#idfTable,
      seeds: { address: 0, count: 0 },
      brackets: this.#brackets,
    };
    this.#matcher ??= new Matcher(kernel, task, this.#options);
    this.#matcher.turnTo(task, this.#options);
    const windows = windowsOf(made.documents.map((document) => document!.index));
    const seeds = new LiveSeeds(kernel, distancesOf(this.#options), windows, numbers.ranks, made.truncated);
    let live: Live | undefined;
    try {
      let windowsLeft = windowsOfStep;
      for (const [number, document] of made.documents.entries()) {
        const { index } = document!;
        writeDocument(kernel, task.table, number, index);
        seeds.insert(number, index);
        windowsLeft -= index.windowCount;
        if (windowsLeft > 0) continue;
        windowsLeft = windowsOfStep;
        yield;
      }
      seeds.fitPartners();
      yield;
      made.ranks = numbers.ranks;
      const files = yield* this.#newLiveFiles(made);
      live = { numbers, seeds, files, matcher: this.#matcher, task };
      this.#live = live;
    } finally {
      if (live === undefined) {
        made.ranks = 0;
        this.#giveLive({ numbers, seeds, task });
      }
    }
  }

  /** Whether an update can take the changes in; else it takes a plan. */
  get #canUpdate(): boolean {
    return this.#live !== undefined && this.#documents.changedCount <= 32 + this.#documents.count / 8;
  }

  /**
   * The findings after the changes since the last report, the same as those of a corpus that had these documents from the
   * start and the same idf weights; in steps of some milliseconds. Undefined when so much has changed that it takes a plan.
   * Only after `keepSteps`. It may be ended early by `return`, and documents may change then: the next update goes on where
   * it was, and takes in what is left.
   */
  *updateSteps(context: ReportContext, documentsAtOnce = documentsAtATime): Generator<void, Findings | undefined> {
    const [live, made] = [this.#live, this.#made];
    if (live === undefined || made === undefined || !this.#canUpdate) return undefined;
    while (this.#takingIn !== undefined || this.#documents.changedCount > 0) {
      this.#takingIn ??= this.#beginTakingIn(live, made, documentsAtOnce, context);
      if (!(yield* this.#takeInRestSteps())) return undefined;
      yield;
    }
    const fileClusters = live.files.clusters();
    context.onStage?.('files');
    return made.groups.findings({ totals: made.totals, truncated: live.seeds.truncated, fileClusters, ...context });
  }

  /** Goes on with what is being taken in. What is ended early by `return` stays, to be gone on with. */
  *#takeInRestSteps(): Generator<void, boolean> {
    const { steps, before } = this.#takingIn!;
    for (;;) {
      // Not `yield*`, which would end these steps too.
      const step = steps.next();
      if (step.done !== true) {
        yield;
        continue;
      }
      if (step.value) {
        this.#takingIn = undefined;
        for (const index of before) this.#documents.giveBack(index);
      } else this.#dropMade();
      return step.value;
    }
  }

  #beginTakingIn(live: Live, made: Made, most: number, context: ReportContext): TakingIn {
    const changes = this.#documents.takeChanges(most);
    const replacements = live.numbers.replace(changes);
    return { steps: this.#takeIn(live, made, replacements, context), before: changes.map(({ before }) => before) };
  }

  /** Brings all but the report up to date with what has become of some documents; false when that takes a plan. */
  *#takeIn(
    live: Live,
    made: Made,
    replacements: readonly Replacement[] | undefined,
    { onStage, onMatched }: ReportContext,
  ): Generator<void, boolean> {
    if (replacements === undefined) return false;
    const kernel = this.#kernel;
    const changed = new Set<PairKey>();
    for (const { number, before, after } of replacements) {
      live.seeds.replace(number, before?.index, after?.index, changed);
      yield;
    }
    // With another number of partners there may be other seeds of all documents.
    if (live.seeds.fitPartners()) return false;
    for (const { number, after } of replacements) {
      made.documents[number] = after;
      if (after) writeDocument(kernel, live.task.table, number, after.index);
    }
    made.totals = totalsAfter(made.totals, replacements);
    made.groups.replaceDocuments(replacements);
    const renewed = new Set(replacements.map(({ number }) => number));
    const present = new Set([...renewed].filter((number) => made.documents[number] !== undefined));
    const others = new Set([...changed].filter((key) => documentsOf(key).every((number) => !renewed.has(number))));
    const documentOf = (number: number): DocumentIndex => made.documents[number]!.index;
    const seeds = live.seeds.seedsOf(present, others, documentOf);
    onStage?.('seeds');
    const pairs = onMatched && pairsOf(kernel, seeds);
    yield;
    const bounds = sliceSeeds(kernel, seeds, seedsOfStep);
    const slices: Uint32Array[] = [];
    for (let slice = 0; slice + 1 < bounds.length; slice++) {
      slices.push(live.matcher.matchSeeds(bounds[slice], bounds[slice + 1], seeds));
      yield;
    }
    const records = joinRecords(slices);
    if (pairs) onMatched({ renewed, others, pairs, records, documentOf });
    onStage?.('matches');
    const changes = yield* made.clusters.updateSteps(
      {
        renewed,
        touched: new Set([...others].flatMap(documentsOf)),
        isVoid: (x, y) => others.has(pairKey(x, y)),
        records,
        places: yield* made.leastLines.allowed(records),
      },
      (a, b) => this.#verify(made, live.matcher, a, b),
    );
    onStage?.('clusters');
    yield;
    yield* made.groups.updateSteps(changes, (kept) => made.clusters.read(kept));
    onStage?.('groups');
    yield;
    yield* live.files.updateSteps(wholesOf(replacements));
    live.numbers.settle(replacements);
    return true;
  }

  /**
   * The passages that a text is a near-duplicate of, in the documents of the last report. The text is in no document, and
   * nothing is another after it. Undefined when there is no index that is up to date: only after `keepSteps`, and between
   * updates.
   *
   * @param text  in `reserve`d memory
   */
  findSimilar(text: Uint8Array, lexicon: Lexicon, query: SimilarQuery): SimilarPassages | undefined {
    const [live, made] = [this.#live, this.#made];
    if (live === undefined || made === undefined) return undefined;
    // An update that was ended early has left documents half taken in.
    if (this.#takingIn && !lastOf(this.#takeInRestSteps())) return undefined;
    const kernel = this.#kernel;
    const index = this.#documents.index(text, lexicon);
    try {
      const { numbers, seeds, matcher, task } = live;
      const number = numbers.room;
      const searched: SearchedCorpus = {
        ...{ kernel, seeds, matcher, task, number, options: this.#options },
        place: (part) => writeDocument(kernel, task.table, number, part),
        documentOf: (other) => made.documents[other]!,
      };
      return findSimilar(searched, index, query);
    } finally {
      live.matcher.turnTo(live.task, this.#options);
      this.#documents.giveBack(index);
    }
  }

  /** Clusters of files by number. Parts are no files. Memory that is allocated is not given back. */
  *#clusterFilesSteps(documents: readonly NamedDocument[], options: Options): Generator<void, FileCluster[]> {
    const files = documents.flatMap(({ part }, number) => (part === 'text' ? [number] : []));
    const indexes = files.map((number) => documents[number].index);
    const clusters = yield* clusterFilesSteps(this.#kernel, indexes, options, this.#overlaps);
    return clusters.map((cluster) => ({ ...cluster, members: cluster.members.map((place) => files[place]) }));
  }

  *#newLiveFiles(made: Made): Generator<void, LiveFiles> {
    const files = new LiveFiles(this.#kernel, this.#options, this.#overlaps, (document) =>
      rankOf(this.#kernel, made, document),
    );
    const added = made.documents.map((after, number) => ({ number, before: undefined, after }));
    yield* files.updateSteps(wholesOf(added.filter(({ after }) => after)));
    return files;
  }

  /** Forgets what the last report was made of. */
  #dropMade(): void {
    // What it has taken for a while it gives back then.
    this.#takingIn?.steps.return(false);
    if (this.#live) this.#giveLive(this.#live);
    this.#live = undefined;
    this.#made = undefined;
    for (const index of this.#takingIn?.before ?? []) this.#documents.giveBack(index);
    this.#takingIn = undefined;
  }

  #giveLive({ numbers, seeds, task }: Pick<Live, 'numbers' | 'seeds' | 'task'>): void {
    seeds.drop();
    this.#kernel.giveBlock(task.table, tableBytes(numbers.room + 1));
    numbers.drop();
  }

  #verify(made: Made, matcher: Matcher, a: TokenRange, b: TokenRange): Match | undefined {
    const rank = (document: number): number => rankOf(this.#kernel, made, document);
    const inOrder = a.document === b.document ? a.start <= b.start : rank(a.document) < rank(b.document);
    const [x, y] = inOrder ? [a, b] : [b, a];
    if (x.document === y.document && x.end > y.start) return undefined;
    const match = matcher.matchPassages(x, y);
    return match && made.leastLines.allows(match) ? match : undefined;
  }
}

/** What a report is made of, before anything is made. */
function makeNothing(
  kernel: Kernel,
  { documents, truncated }: Pick<MatchPlan, 'documents' | 'truncated'>,
  options: Options,
  chosen: ChosenCategory,
): Made {
  const made: Made = {
    documents: [...documents],
    clusters: new Clusters(
      (document) => rankOf(kernel, made, document),
      new TextSpans(kernel, (document) => made.documents[document]!, options),
    ),
    groups: new Groups(kernel, (document) => made.documents[document]!, chosen),
    leastLines: new LeastLines(kernel, options.minLines, (document) => made.documents[document]!.index),
    truncated,
    totals: totalsOf(documents),
    ranks: 0,
  };
  made.groups.replaceDocuments(documents.map((after) => ({ after })));
  return made;
}

/** The place of a document in the order of all. */
function rankOf(kernel: Kernel, { ranks }: Made, document: number): number {
  return ranks === 0 ? document : kernel.words[(ranks >>> 2) + document];
}
