/**
 * The corpus: documents in, findings out. This is the one file that calls the stages, in this order:
 *
 *   bytes → tokens, windows, fingerprints (indexDocument) → seeds → matches → clusters, clusters of files → report
 */
import { bracketTokens } from './matches/bracketTokens.ts';
import { Clusters } from './groups/cluster.ts';
import { clusterFilesSteps, type FileCluster } from './files/fileClusters.ts';
import type { KnownOverlaps } from './files/fileOverlap.ts';
import { DocumentMemory } from './documents/documentMemory.ts';
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
import { beginPlan, type BegunPlan, completePlan, type MatchPlan, searchSteps } from './matches/matchPlan.ts';
import type { Match, TokenRange } from './matches/matchRecord.ts';
import type { MatchedPairs } from './matches/matchedPairs.ts';
import { joinRecords, Matcher, type MatchTask, sliceSeeds } from './matches/matches.ts';
import { compareNames, type DocumentTotals, type NamedDocument, partsOf, totalsOf } from './documents/namedDocument.ts';
import { changesBetween, changesDocument } from './optionChanges.ts';
import type { Options } from './options.ts';
import type { Findings, Skipped } from './report/report.ts';
import { allocateIdfTable, copyIdfTable } from './matches/idf.ts';
import { type AllSeeds, distancesOf, tableBytes, windowsOf, writeDocument, writeDocuments } from './seeds/seeds.ts';
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
  readonly #documents = new Map<string, DocumentIndex>();
  readonly #brackets: readonly number[];
  /** Files that were compared as wholes. */
  readonly #overlaps: KnownOverlaps = new WeakMap();
  readonly #idfTable: number;
  #hasIdfTable = false;
  #made: Made | undefined;
  #live: Live | undefined;
  /** Of the documents of a plan that is matched now. */
  #fileClusters: (Pick<MatchPlan, 'documents'> & { readonly clusters: readonly FileCluster[] }) | undefined;
  /** Made once: its scratch memory is not given back. */
  #matcher: Matcher | undefined;
  readonly #memory: DocumentMemory;
  /** What documents were that have changed since the last report; undefined: not there. */
  readonly #before = new Map<string, DocumentIndex | undefined>();
  /** Documents that are being taken in, where that was ended early: the next update goes on with it. */
  #takingIn: TakingIn | undefined;

  /**
   * @param idfTable  of another corpus, to weigh matches as it does; without, they are measured with the first report
   * @param chosen    what somebody has chosen to be the categories of paths: always the same for the same path
   */
  constructor(kernel: Kernel, options: Options, idfTable?: Uint8Array, chosen: ChosenCategory = () => undefined) {
    this.#chosen = chosen;
    this.#kernel = kernel;
    this.#memory = new DocumentMemory(kernel);
    this.#options = options;
    this.#brackets = bracketTokens(kernel, options);
    this.#idfTable = allocateIdfTable(kernel);
    if (idfTable) {
      kernel.bytes.set(idfTable, this.#idfTable);
      this.#hasIdfTable = true;
    }
  }

  /** Takes a document that some thread has indexed; one of the same path is replaced. */
  adopt(path: string, index: DocumentIndex): void {
    this.#replace(path, index);
  }

  remove(path: string): void {
    if (this.#documents.has(path)) this.#replace(path, undefined);
  }

  /** A view of `size` bytes to put the text of a document into that is `put` next. Only after `keep`. */
  reserve(size: number): Uint8Array {
    return this.#memory.indexer(this.#options).reserve(size);
  }

  /** Indexes a text that lies in `reserve`d memory and takes it in, in memory that is given back when it is replaced. */
  put(path: string, text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const index = this.#memory.index(text, lexicon, this.#options);
    this.#replace(path, index);
    return index;
  }

  /** The document of a path, as it is now. */
  document(path: string): DocumentIndex | undefined {
    return this.#documents.get(path);
  }

  /**
   * Turns to other options and chosen categories, step by step, of some milliseconds each; nothing else may be asked for
   * until the end. What they leave as it was is kept, as `changesBetween` tells of them: after it,
   *
   *   nothing, files, groups  `update` makes the next report, without seeds or matches of what has not changed
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
    this.#memory.keepBlocks();
    this.#dropMade();
    this.#settleAll();
    const indexer = this.#memory.indexer(options);
    indexer.turnTo(options);
    let windowsLeft = windowsOfStep;
    for (const [path, index] of this.#documents) {
      if (!changesDocument(before, options, index)) continue;
      const made = this.#memory.own(indexer.remake(index, lexiconOf(path)));
      this.#documents.set(path, made);
      this.#memory.giveBack(index);
      windowsLeft -= index.windowCount;
      if (windowsLeft > 0) continue;
      windowsLeft = windowsOfStep;
      yield;
    }
  }

  /** A copy of the table by which matches are weighed; there is none before the first report. */
  idfTable(): Uint8Array | undefined {
    return this.#hasIdfTable ? copyIdfTable(this.#kernel, this.#idfTable) : undefined;
  }

  /** The whole way at once: what a program does that has no threads to share the matching with. */
  report(context: ReportContext): Findings {
    const plan = this.planMatching();
    const records = new Matcher(this.#kernel, plan.task, this.#options).matchSeeds(0, plan.task.seeds.count);
    return this.finish(plan, records, context);
  }

  /** The files that nearly repeat each other, and no passages; in steps, which may be ended early by `return`. */
  *reportFilesSteps(context: ReportContext): Generator<void, Findings> {
    const mark = this.#kernel.mark();
    try {
      return this.#reportNoPassages(yield* this.#clusterFilesSteps(this.#sortedDocuments()), context);
    } finally {
      this.#kernel.release(mark);
    }
  }

  /** A report of documents that were not compared. */
  reportUncompared(context: ReportContext): Findings {
    return this.#reportNoPassages([], context);
  }

  #reportNoPassages(fileClusters: readonly FileCluster[], context: ReportContext): Findings {
    const documents = this.#sortedDocuments();
    const none = new Groups(this.#kernel, (document) => documents[document], this.#chosen);
    none.replaceDocuments(documents.map((after) => ({ after })));
    return none.findings({ totals: totalsOf(documents), truncated: 0, fileClusters, ...context });
  }

  /** Finds the seeds. Any thread may then match slices of them; `finish` takes what all have found. */
  planMatching(): MatchPlan {
    return lastOf(this.planSteps());
  }

  /** The same in steps of some dozens of milliseconds. When they are ended early by `return`, there is no plan. */
  *planSteps(): Generator<void, MatchPlan> {
    this.#dropMade();
    this.#settleAll();
    yield;
    return yield* this.#planBySteps('kept');
  }

  /**
   * The same with an idf table that is measured of the documents there are now. What is kept stays until `finish`
   * takes the table over. Only while nothing has changed since the last report.
   */
  planningRenewal(): Generator<void, MatchPlan> {
    return this.#planBySteps('new');
  }

  *#planBySteps(table: 'kept' | 'new'): Generator<void, MatchPlan> {
    const kernel = this.#kernel;
    const mark = kernel.mark();
    const documents = this.#sortedDocuments();
    const indexes = documents.map((d) => d.index);
    let isDone = false;
    try {
      const idfTable = table === 'new' ? allocateIdfTable(kernel) : this.#idfTable;
      const records = writeDocuments(kernel, indexes);
      const search = { table: records, documents: indexes, distances: distancesOf(this.#options) };
      const unmeasured = table === 'new' || !this.#hasIdfTable ? idfTable : undefined;
      const seeds = yield* searchSteps(kernel, { ...search, idfTable: unmeasured });
      this.#hasIdfTable = isDone = true;
      return {
        mark,
        documents,
        truncated: seeds.truncated,
        task: { table: records, idfTable, seeds, brackets: this.#brackets },
      };
    } finally {
      if (!isDone) kernel.release(mark);
    }
  }

  /**
   * Begins a plan whose search another thread does (`searchApart`). Until it is completed or given up, only
   * `compareFilesSteps` may be asked for.
   */
  beginPlan(): BegunPlan {
    this.#dropMade();
    this.#settleAll();
    const idfTable = this.#hasIdfTable ? undefined : this.#idfTable;
    return beginPlan(this.#kernel, this.#sortedDocuments(), distancesOf(this.#options), idfTable);
  }

  /** The plan, when all that was begun has ended. */
  completePlan(begun: BegunPlan, found: AllSeeds): MatchPlan {
    const { mark, documents, search } = begun;
    const { truncated, ...seeds } = completePlan(this.#kernel, begun, found);
    this.#hasIdfTable = true;
    const task = { table: search.table, idfTable: this.#idfTable, seeds, brackets: this.#brackets };
    return { mark, documents, truncated, task };
  }

  /** Gives a plan up that was begun, when nobody works on it any more. */
  giveUp(begun: BegunPlan): void {
    this.#kernel.together();
    this.abandon(begun);
  }

  /**
   * Compares the files of a plan as wholes, which is ready then when it is finished; in steps, which may be ended early by
   * `return`. Other threads may match meanwhile: this depends on the documents alone.
   */
  *compareFilesSteps({ documents }: Pick<MatchPlan, 'documents'>): Generator<void, void> {
    if (this.#fileClusters?.documents === documents) return;
    this.#fileClusters = { documents, clusters: yield* this.#clusterFilesSteps(documents) };
  }

  /**
   * Gives the memory of a plan back that is not finished. The next report takes another plan; after that of a renewal
   * everything is as it was.
   */
  abandon({ mark }: Pick<MatchPlan, 'mark'>): void {
    this.#kernel.release(mark);
    this.#fileClusters = undefined;
    // Another matcher may have been made of the plan, in memory that is given back now.
    if (this.#live) this.#live.matcher.turnTo(this.#live.task, this.#options);
  }

  /** Groups what matching has found, in any order, and gives the plan's memory back. */
  finish(plan: MatchPlan, records: Uint32Array, context: ReportContext): Findings {
    return lastOf(this.finishSteps(plan, records, context));
  }

  /** The same in steps of some milliseconds. When they are ended early by `return`, the plan is to be abandoned. */
  *finishSteps(plan: MatchPlan, records: Uint32Array, context: ReportContext): Generator<void, Findings> {
    const { truncated, task } = plan;
    const kernel = this.#kernel;
    const isRenewal = task.idfTable !== this.#idfTable;
    if (!isRenewal) this.#dropMade();
    const matcher = new Matcher(kernel, task, this.#options);
    const made = makeNothing(kernel, plan, this.#options, this.#chosen);
    const places = yield* made.leastLines.allowed(records);
    const changes = yield* made.clusters.updateSteps(recordsOnly(records, places), (a, b) =>
      this.#verify(made, matcher, a, b),
    );
    yield;
    yield* made.groups.updateSteps(changes, (kept) => made.clusters.read(kept));
    yield;
    yield* this.compareFilesSteps(plan);
    const { clusters: fileClusters } = this.#fileClusters!;
    const findings = made.groups.findings({ totals: made.totals, truncated, fileClusters, ...context });
    // From here on there is no way back.
    if (isRenewal) {
      this.#dropMade();
      kernel.bytes.set(copyIdfTable(kernel, task.idfTable), this.#idfTable);
    }
    this.#fileClusters = undefined;
    this.#made = made;
    kernel.release(plan.mark);
    return findings;
  }

  /**
   * Keeps what the last report was made of, so that `update` makes the next one of what has changed. From now on no other
   * thread may use the kernel's memory, but while a plan is matched.
   */
  keep(): void {
    lastOf(this.keepSteps());
  }

  /**
   * The same step by step, of some milliseconds each. Nothing else may be asked for until the end, or until it is ended
   * early by `return`: then nothing is kept.
   */
  *keepSteps(): Generator<void, void> {
    const made = this.#made;
    if (made === undefined || this.#live !== undefined) throw new Error('There is no report to keep, or it is kept.');
    const kernel = this.#kernel;
    this.#memory.keepBlocks();
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

  /** Whether `update` can take the changes in; else it takes a plan. */
  get isKept(): boolean {
    return this.#live !== undefined && this.#before.size <= 32 + this.#documents.size / 8;
  }

  /**
   * The findings after the changes since the last report, the same as those of a corpus that had these documents from the
   * start and the same idf weights. Undefined when so much has changed that it takes a plan. Only after `keep`.
   */
  update(context: ReportContext): Findings | undefined {
    return lastOf(this.updateSteps(context));
  }

  /**
   * The same in steps of some milliseconds. It may be ended early by `return`, and documents may change then: the next update
   * goes on where it was, and takes in what is left.
   */
  *updateSteps(context: ReportContext, documentsAtOnce = documentsAtATime): Generator<void, Findings | undefined> {
    const [live, made] = [this.#live, this.#made];
    if (live === undefined || made === undefined || !this.isKept) return undefined;
    while (this.#takingIn !== undefined || this.#before.size > 0) {
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
        for (const index of before) this.#memory.giveBack(index);
      } else this.#dropMade();
      return step.value;
    }
  }

  #beginTakingIn(live: Live, made: Made, most: number, context: ReportContext): TakingIn {
    const paths = [...this.#before.keys()].slice(0, most);
    const changes = paths.map((path) => {
      return { path, before: this.#before.get(path), after: this.#documents.get(path) };
    });
    const replacements = live.numbers.replace(changes);
    // From here on these are what the documents were before, when they change once more.
    for (const path of paths) this.#before.delete(path);
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
   * nothing is another after it. Undefined when there is no index that is up to date: only after `keep`, and between updates.
   *
   * @param text  in `reserve`d memory
   */
  findSimilar(text: Uint8Array, lexicon: Lexicon, query: SimilarQuery): SimilarPassages | undefined {
    const [live, made] = [this.#live, this.#made];
    if (live === undefined || made === undefined) return undefined;
    // An update that was ended early has left documents half taken in.
    if (this.#takingIn && !lastOf(this.#takeInRestSteps())) return undefined;
    const kernel = this.#kernel;
    const index = this.#memory.index(text, lexicon, this.#options);
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
      this.#memory.giveBack(index);
    }
  }

  #sortedDocuments(): NamedDocument[] {
    return [...this.#documents].flatMap(([path, index]) => partsOf(path, index)).sort(compareNames);
  }

  /** Clusters of files by number. Parts are no files. Memory that is allocated is not given back. */
  *#clusterFilesSteps(documents: readonly NamedDocument[]): Generator<void, FileCluster[]> {
    const files = documents.flatMap(({ part }, number) => (part === 'text' ? [number] : []));
    const indexes = files.map((number) => documents[number].index);
    const clusters = yield* clusterFilesSteps(this.#kernel, indexes, this.#options, this.#overlaps);
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

  #replace(path: string, index: DocumentIndex | undefined): void {
    const before = this.#documents.get(path);
    // What was never in a report is of no use any more.
    if (this.#before.has(path)) this.#memory.giveBack(before);
    else this.#before.set(path, before);
    if (index) this.#documents.set(path, index);
    else this.#documents.delete(path);
  }

  /** Gives the memory of what a document was back, of which no report is made any more. */
  #settle(path: string): void {
    this.#memory.giveBack(this.#before.get(path));
    this.#before.delete(path);
  }

  #settleAll(): void {
    for (const path of [...this.#before.keys()]) this.#settle(path);
  }

  /** Forgets what the last report was made of. */
  #dropMade(): void {
    // What it has taken for a while it gives back then.
    this.#takingIn?.steps.return(false);
    if (this.#live) this.#giveLive(this.#live);
    this.#live = undefined;
    this.#made = undefined;
    for (const index of this.#takingIn?.before ?? []) this.#memory.giveBack(index);
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
