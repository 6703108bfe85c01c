/**
 * The corpus: documents in, findings out. This is the one file that calls the stages, in this order:
 *
 *   bytes → tokens, windows, fingerprints (indexDocument) → seeds → matches → clusters, clusters of files → report
 */
import { bracketTokens } from './bracketTokens.ts';
import { Clusters, recordsOnly } from './cluster.ts';
import { clusterFiles, type FileCluster } from './fileClusters.ts';
import type { KnownOverlaps } from './fileOverlap.ts';
import { documentBytes, DocumentIndexer, type DocumentIndex, shapeOf } from './indexDocument.ts';
import type { Kernel } from './kernel.ts';
import type { Lexicon } from './lexicon.ts';
import { lineRecord } from './lines.ts';
import { LiveFiles } from './liveFiles.ts';
import { LiveSeeds, documentsOf, type PairKey, pairKey } from './liveSeeds.ts';
import { type DocumentTotals, Groups, type NamedDocument, totalsOf } from './makeReport.ts';
import { type Match, recordWords, type TokenRange } from './matchRecord.ts';
import { Matcher, type MatchTask } from './matches.ts';
import { changesBetween, changesDocument } from './optionChanges.ts';
import type { Options } from './options.ts';
import type { Findings, Skipped } from './report.ts';
import { allocateRarities, copyRarities, measureRarity } from './rarity.ts';
import { type Distances, documentBytes as recordBytes, findingSeeds, writeDocument, writeDocuments } from './seeds.ts';

/** What a report needs besides the documents. */
export interface ReportContext {
  readonly skipped: readonly Skipped[];
  readonly complete: boolean;
  /** Called when a stage of an update has ended, for whoever measures. */
  readonly onStage?: (stage: UpdateStage) => void;
}

export type UpdateStage = 'seeds' | 'matches' | 'clusters' | 'groups' | 'files';

/** The seeds of a corpus as it is now. The corpus must not change until `finish`. */
export interface MatchPlan {
  readonly task: MatchTask;
  readonly documents: readonly NamedDocument[];
  /** Where the kernel's memory ended before. */
  readonly mark: number;
}

/** What the last report was made of, by number of document. */
interface Made {
  readonly documents: (NamedDocument | undefined)[];
  readonly clusters: Clusters;
  readonly groups: Groups;
  totals: DocumentTotals;
}

/** What is kept besides to take changes in. Addresses and rooms (documents) of the table of documents and of their ranks. */
interface Live {
  readonly seeds: LiveSeeds;
  files: LiveFiles;
  readonly matcher: Matcher;
  readonly task: MatchTask;
  readonly ranks: number;
  readonly room: number;
  /** Numbers of all documents, by path and comments behind their code. */
  order: number[];
  readonly numbers: Map<string, number>;
  /** Numbers that no document has. */
  readonly free: number[];
}

/** Windows that `keeping` takes in at a time. */
const windowsOfStep = 10_000;
/** Documents that `updating` takes in at a time: some dozens of milliseconds' worth. */
const documentsOfStep = 8;

/** A document that takes the place of another, or of none, or goes. */
interface Replacement {
  readonly number: number;
  readonly before: NamedDocument | undefined;
  readonly after: NamedDocument | undefined;
}

export class Corpus {
  readonly #kernel: Kernel;
  #options: Options;
  readonly #documents = new Map<string, DocumentIndex>();
  readonly #brackets: readonly number[];
  /** Files that were compared as wholes. */
  readonly #overlaps: KnownOverlaps = new WeakMap();
  readonly #rarities: number;
  #hasRarities = false;
  #made: Made | undefined;
  #live: Live | undefined;
  /** Of a plan that is matched now. */
  #fileClusters: { readonly plan: MatchPlan; readonly clusters: readonly FileCluster[] } | undefined;
  /** Made once: its scratch memory is not given back. */
  #matcher: Matcher | undefined;
  #indexer: DocumentIndexer | undefined;
  /** What documents were that have changed since the last report; undefined: not there. */
  readonly #before = new Map<string, DocumentIndex | undefined>();
  /** Whether memory is taken and given back in blocks: from the first `keep` on. */
  #keepsBlocks = false;
  /** Documents whose memory was taken as a block. */
  readonly #blocks = new WeakSet<DocumentIndex>();

  /** @param rarities  of another corpus, to weigh matches as it does; without, they are measured with the first report */
  constructor(kernel: Kernel, options: Options, rarities?: Uint8Array) {
    this.#kernel = kernel;
    this.#options = options;
    this.#brackets = bracketTokens(kernel, options);
    this.#rarities = allocateRarities(kernel);
    if (rarities) {
      kernel.bytes.set(rarities, this.#rarities);
      this.#hasRarities = true;
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
    return this.#ownIndexer().reserve(size);
  }

  /** Indexes a text that lies in `reserve`d memory and takes it in, in memory that is given back when it is replaced. */
  put(path: string, text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const index = this.#ownIndexer().index(text, lexicon);
    this.#blocks.add(index);
    this.#replace(path, index);
    return index;
  }

  /** The document of a path, as it is now. */
  document(path: string): DocumentIndex | undefined {
    return this.#documents.get(path);
  }

  /**
   * Turns to other options, step by step, of some milliseconds each; nothing else may be asked for until the end. What they
   * leave as it was is kept, as `changesBetween` tells of them: after it,
   *
   *   nothing, files         `update` makes the next report, without seeds or matches of what has not changed
   *   matches, fingerprints  it takes a plan; fingerprints are made already, of the tokens there are
   *
   * @param lexiconOf  of a path, as it was lexed
   * @throws when other options ask for other tokens: then a corpus of documents that are read again is needed
   */
  *turning(options: Options, lexiconOf: (path: string) => Lexicon): Generator<void, void> {
    const before = this.#options;
    const { work } = changesBetween(before, options);
    if (work === 'tokens') throw new Error('Documents have to be read again for these options.');
    this.#options = options;
    if (work === 'nothing') return;
    if (work === 'files') {
      if (this.#live) this.#live.files = yield* this.#newLiveFiles(this.#made!.documents);
      return;
    }
    this.#keepBlocks();
    this.#dropLive();
    this.#settleAll();
    const indexer = this.#ownIndexer();
    indexer.turnTo(options);
    let windowsLeft = windowsOfStep;
    for (const [path, index] of this.#documents) {
      if (!changesDocument(before, options, index)) continue;
      const made = indexer.remake(index, lexiconOf(path));
      this.#blocks.add(made);
      this.#documents.set(path, made);
      this.#giveBack(index);
      windowsLeft -= index.windowCount;
      if (windowsLeft > 0) continue;
      windowsLeft = windowsOfStep;
      yield;
    }
  }

  /** A copy of the table by which matches are weighed; there is none before the first report. */
  rarities(): Uint8Array | undefined {
    return this.#hasRarities ? copyRarities(this.#kernel, this.#rarities) : undefined;
  }

  /** The whole way at once: what a program does that has no threads to share the matching with. */
  report(context: ReportContext): Findings {
    const plan = this.planMatching();
    const records = new Matcher(this.#kernel, plan.task, this.#options).matchSeeds(0, plan.task.seeds.count);
    return this.finish(plan, records, context);
  }

  /** The files that nearly repeat each other, and no passages; in steps, which may be ended early by `return`. */
  *reportingFiles(context: ReportContext): Generator<void, Findings> {
    const mark = this.#kernel.mark();
    try {
      return this.#reportNoPassages(yield* this.#clusteringFiles(this.#sortedDocuments()), context);
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
    const none = new Groups(this.#kernel, (document) => documents[document]);
    return none.findings({ totals: totalsOf(documents), fileClusters, ...context });
  }

  /** Finds the seeds. Any thread may then match slices of them; `finish` takes what all have found. */
  planMatching(): MatchPlan {
    return lastOf(this.planning());
  }

  /** The same in steps of some dozens of milliseconds. When they are ended early by `return`, there is no plan. */
  *planning(): Generator<void, MatchPlan> {
    this.#dropLive();
    this.#settleAll();
    yield;
    return yield* this.#planningBy('kept');
  }

  /**
   * The same with a table of rarities that is measured of the documents there are now. What is kept stays until `finish`
   * takes the table over. Only while nothing has changed since the last report.
   */
  planningRenewal(): Generator<void, MatchPlan> {
    return this.#planningBy('new');
  }

  *#planningBy(table: 'kept' | 'new'): Generator<void, MatchPlan> {
    const kernel = this.#kernel;
    const mark = kernel.mark();
    const documents = this.#sortedDocuments();
    const indexes = documents.map((d) => d.index);
    let isDone = false;
    try {
      const rarities = table === 'new' ? allocateRarities(kernel) : this.#rarities;
      const records = writeDocuments(kernel, indexes);
      const seeds = yield* findingSeeds(kernel, indexes, records, distancesOf(this.#options));
      if (table === 'new' || !this.#hasRarities) measureRarity(kernel, records, indexes.length, rarities);
      this.#hasRarities = isDone = true;
      return { mark, documents, task: { table: records, rarities, seeds, brackets: this.#brackets } };
    } finally {
      if (!isDone) kernel.release(mark);
    }
  }

  /**
   * Compares the files of a plan as wholes, which is ready then when it is finished; in steps, which may be ended early by
   * `return`. Other threads may match meanwhile: this depends on the documents alone.
   */
  *comparingFiles(plan: MatchPlan): Generator<void, void> {
    this.#fileClusters = { plan, clusters: yield* this.#clusteringFiles(plan.documents) };
  }

  /**
   * Gives the memory of a plan back that is not finished. The next report takes another plan; after that of a renewal
   * everything is as it was.
   */
  abandon({ mark, task }: MatchPlan): void {
    this.#kernel.release(mark);
    if (task.rarities === this.#rarities) this.#made = undefined;
    this.#fileClusters = undefined;
  }

  /** Groups what matching has found, in any order, and gives the plan's memory back. */
  finish(plan: MatchPlan, records: Uint32Array, context: ReportContext): Findings {
    return lastOf(this.finishing(plan, records, context));
  }

  /**
   * The same in steps, a stage each. When they are ended early by `return`, the plan is to be abandoned; those of a renewal
   * are not to be ended early.
   */
  *finishing(plan: MatchPlan, records: Uint32Array, context: ReportContext): Generator<void, Findings> {
    const { mark, documents } = plan;
    const kernel = this.#kernel;
    const task = { ...plan.task, rarities: this.#rarities };
    if (plan.task.rarities !== task.rarities) {
      this.#dropLive();
      kernel.bytes.set(copyRarities(kernel, plan.task.rarities), task.rarities);
    }
    const matcher = new Matcher(kernel, task, this.#options);
    const made: Made = {
      documents: [...documents],
      clusters: new Clusters((document) => this.#rankOf(document)),
      groups: new Groups(kernel, (document) => made.documents[document]!),
      totals: totalsOf(documents),
    };
    this.#made = made;
    const changes = made.clusters.update(recordsOnly(records, this.#longEnough(records)), (a, b) =>
      this.#verify(matcher, a, b),
    );
    yield;
    made.groups.update(changes, (kept) => made.clusters.read(kept));
    yield;
    if (this.#fileClusters?.plan !== plan) yield* this.comparingFiles(plan);
    const { clusters: fileClusters } = this.#fileClusters!;
    this.#fileClusters = undefined;
    const findings = made.groups.findings({ totals: made.totals, fileClusters, ...context });
    kernel.release(mark);
    return findings;
  }

  /**
   * Keeps what the last report was made of, so that `update` makes the next one of what has changed. From now on no other
   * thread may use the kernel's memory, but while a plan is matched.
   */
  keep(): void {
    lastOf(this.keeping());
  }

  /**
   * The same step by step, of some milliseconds each. Nothing else may be asked for until the end, or until it is ended
   * early by `return`: then nothing is kept.
   */
  *keeping(): Generator<void, void> {
    const made = this.#made;
    if (made === undefined || this.#live !== undefined) throw new Error('There is no report to keep, or it is kept.');
    const kernel = this.#kernel;
    this.#keepBlocks();
    const count = made.documents.length;
    const room = 2 * count + 1024;
    const ranks = kernel.takeBlock(4 * room);
    const task: MatchTask = {
      table: kernel.takeBlock(recordBytes * room),
      rarities: this.#rarities,
      seeds: { address: 0, count: 0 },
      brackets: this.#brackets,
    };
    this.#matcher ??= new Matcher(kernel, task, this.#options);
    this.#matcher.turnTo(task, this.#options);
    const windows = (prose: boolean): number =>
      made.documents.reduce((sum, d) => sum + (d!.index.prose === prose ? d!.index.windowCount : 0), 0);
    const seeds = new LiveSeeds(
      kernel,
      distancesOf(this.#options),
      { code: windows(false), prose: windows(true) },
      ranks,
    );
    const order = made.documents.map((_, number) => number);
    const numbers = new Map(made.documents.map((d, number) => [partKey(d!.path, d!.isPart), number]));
    writeRanks(kernel, order, ranks);
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
      seeds.fitMasks();
      yield;
      const rankOf = (document: number): number => kernel.words[(ranks >>> 2) + document];
      const files = yield* this.#newLiveFiles(made.documents, rankOf);
      live = { seeds, files, matcher: this.#matcher, task, ranks, room, order, numbers, free: [] };
      this.#live = live;
    } finally {
      if (live === undefined) this.#giveLive({ seeds, ranks, task, room });
    }
  }

  /** Whether `update` can take the changes in; else it takes a plan. */
  get isKept(): boolean {
    return this.#live !== undefined && this.#before.size <= 32 + this.#documents.size / 8;
  }

  /**
   * The findings after the changes since the last report, the same as those of a corpus that had these documents from the
   * start and the same rarities. Undefined when so much has changed that it takes a plan. Only after `keep`.
   */
  update(context: ReportContext): Findings | undefined {
    return lastOf(this.updating(context));
  }

  /**
   * The same in steps, each of which takes some documents in. It may be ended early by `return`, and documents may change
   * then: the next update takes in what is left.
   */
  *updating(context: ReportContext, documentsAtOnce = documentsOfStep): Generator<void, Findings | undefined> {
    const [live, made] = [this.#live, this.#made];
    if (live === undefined || made === undefined || !this.isKept) return undefined;
    while (this.#before.size > 0) {
      const paths = [...this.#before.keys()].slice(0, documentsAtOnce);
      if (!this.#takeIn(live, made, paths, context)) return undefined;
      if (this.#before.size > 0) yield;
    }
    const fileClusters = live.files.clusters();
    context.onStage?.('files');
    return made.groups.findings({ totals: made.totals, fileClusters, ...context });
  }

  /** Brings all but the report up to date with what has become of some paths; false when that takes a plan. */
  #takeIn(live: Live, made: Made, paths: readonly string[], { onStage }: ReportContext): boolean {
    const replacements = this.#replacements(live, made, paths);
    if (replacements === undefined) return false;
    const kernel = this.#kernel;
    const changed = new Set<PairKey>();
    for (const { number, before, after } of replacements)
      live.seeds.replace(number, before?.index, after?.index, changed);
    // Other masks may change the seeds of all documents.
    if (live.seeds.fitMasks()) return false;
    for (const { number, after } of replacements) {
      made.documents[number] = after;
      if (after) writeDocument(kernel, live.task.table, number, after.index);
    }
    made.totals = totalsAfter(made.totals, replacements);
    const renewed = new Set(replacements.map(({ number }) => number));
    const present = new Set([...renewed].filter((number) => made.documents[number] !== undefined));
    const others = new Set([...changed].filter((key) => documentsOf(key).every((number) => !renewed.has(number))));
    const seeds = live.seeds.seedsOf(present, others, (number) => made.documents[number]!.index);
    onStage?.('seeds');
    const records = live.matcher.matchSeeds(0, seeds.count, seeds);
    onStage?.('matches');
    const changes = made.clusters.update(
      {
        renewed,
        touched: new Set([...others].flatMap(documentsOf)),
        isVoid: (x, y) => others.has(pairKey(x, y)),
        records,
        places: this.#longEnough(records),
      },
      (a, b) => this.#verify(live.matcher, a, b),
    );
    onStage?.('clusters');
    made.groups.update(changes, (kept) => made.clusters.read(kept));
    onStage?.('groups');
    lastOf(this.#followFiles(live.files, replacements));
    for (const path of paths) this.#settle(path);
    const gone = replacements.filter(({ after }) => after === undefined).map(({ number }) => number);
    if (gone.length > 0) {
      live.free.push(...gone);
      live.order = live.order.filter((number) => made.documents[number] !== undefined);
      writeRanks(kernel, live.order, live.ranks);
    }
    return true;
  }

  // By path, so that the order in which documents came cannot matter.
  #sortedDocuments(): NamedDocument[] {
    return [...this.#documents].sort(([x], [y]) => (x < y ? -1 : 1)).flatMap(([path, index]) => partsOf(path, index));
  }

  /** Clusters of files by number. Comments are no files. Memory that is allocated is not given back. */
  *#clusteringFiles(documents: readonly NamedDocument[]): Generator<void, FileCluster[]> {
    const files = documents.flatMap(({ isPart }, number) => (isPart ? [] : [number]));
    const indexes = files.map((number) => documents[number].index);
    yield;
    const clusters = clusterFiles(this.#kernel, indexes, this.#options, this.#overlaps);
    return clusters.map((cluster) => ({ ...cluster, members: cluster.members.map((place) => files[place]) }));
  }

  *#newLiveFiles(
    documents: readonly (NamedDocument | undefined)[],
    rankOf = (document: number): number => this.#rankOf(document),
  ): Generator<void, LiveFiles> {
    const files = new LiveFiles(this.#kernel, this.#options, this.#overlaps, rankOf);
    const changes = documents.map((after, number) => ({ number, before: undefined, after }));
    yield* this.#followFiles(
      files,
      changes.filter(({ after }) => after),
    );
    return files;
  }

  *#followFiles(files: LiveFiles, replacements: readonly Replacement[]): Generator<void, void> {
    const mark = this.#kernel.mark();
    const wholes = replacements
      .filter(({ before, after }) => !(before ?? after)!.isPart)
      .map(({ number, before, after }) => ({ number, before: before?.index, after: after?.index }));
    try {
      yield* files.updating(wholes);
    } finally {
      this.#kernel.release(mark);
    }
  }

  #replace(path: string, index: DocumentIndex | undefined): void {
    const before = this.#documents.get(path);
    // What was never in a report is of no use any more.
    if (this.#before.has(path)) this.#giveBack(before);
    else this.#before.set(path, before);
    if (index) this.#documents.set(path, index);
    else this.#documents.delete(path);
  }

  /** Gives the memory of what a document was back, of which no report is made any more. */
  #settle(path: string): void {
    this.#giveBack(this.#before.get(path));
    this.#before.delete(path);
  }

  #settleAll(): void {
    for (const path of [...this.#before.keys()]) this.#settle(path);
  }

  #giveBack(index: DocumentIndex | undefined): void {
    // Before blocks are kept, all memory is given back at once.
    if (index === undefined || !this.#keepsBlocks) return;
    const size = documentBytes(shapeOf(index));
    if (this.#blocks.delete(index)) this.#kernel.giveBlock(index.tokens, size);
    else this.#kernel.donateBlock(index.tokens, size);
  }

  #keepBlocks(): void {
    if (!this.#keepsBlocks) this.#kernel.keepBlocks();
    this.#keepsBlocks = true;
  }

  #ownIndexer(): DocumentIndexer {
    const kernel = this.#kernel;
    if (!this.#keepsBlocks) throw new Error('Documents are put into a corpus that is kept only.');
    return (this.#indexer ??= new DocumentIndexer(kernel, this.#options, (size) => kernel.takeBlock(size)));
  }

  #dropLive(): void {
    if (this.#live) this.#giveLive(this.#live);
    this.#live = undefined;
  }

  #giveLive({ seeds, ranks, task, room }: Pick<Live, 'seeds' | 'ranks' | 'task' | 'room'>): void {
    seeds.drop();
    this.#kernel.giveBlock(ranks, 4 * room);
    this.#kernel.giveBlock(task.table, recordBytes * room);
  }

  /** Numbers for what has changed, and their ranks. Undefined when there is no room for so many documents. */
  #replacements(live: Live, made: Made, paths: readonly string[]): Replacement[] | undefined {
    const replacements: Replacement[] = [];
    const added: { readonly number: number; readonly document: NamedDocument }[] = [];
    let next = made.documents.length;
    for (const path of paths) {
      const [old, now] = [this.#before.get(path), this.#documents.get(path)].map((index) =>
        index ? partsOf(path, index) : [],
      );
      for (const isPart of [false, true]) {
        const was = old.find((part) => part.isPart === isPart);
        const is = now.find((part) => part.isPart === isPart);
        if (was === undefined && is === undefined) continue;
        const number = was ? live.numbers.get(partKey(path, isPart))! : (live.free.pop() ?? next++);
        if (is) live.numbers.set(partKey(path, isPart), number);
        else live.numbers.delete(partKey(path, isPart));
        replacements.push({ number, before: was, after: is });
        if (was === undefined && is) added.push({ number, document: is });
      }
    }
    if (next > live.room) return undefined;
    if (added.length > 0) {
      for (const { number, document } of added) made.documents[number] = document;
      live.order = [...live.order, ...added.map(({ number }) => number)].sort((x, y) =>
        byPath(made.documents[x]!, made.documents[y]!),
      );
      writeRanks(this.#kernel, live.order, live.ranks);
    }
    return replacements;
  }

  #rankOf(number: number): number {
    return this.#live ? this.#kernel.words[(this.#live.ranks >>> 2) + number] : number;
  }

  #verify(matcher: Matcher, a: TokenRange, b: TokenRange): Match | undefined {
    const inOrder =
      a.document === b.document ? a.start <= b.start : this.#rankOf(a.document) < this.#rankOf(b.document);
    const [x, y] = inOrder ? [a, b] : [b, a];
    if (x.document === y.document && x.end > y.start) return undefined;
    const match = matcher.matchPassages(x, y);
    if (match === undefined) return undefined;
    const { a0, a1, b0, b1 } = match;
    return this.#isLongEnough(x.document, a0, a1) || this.#isLongEnough(y.document, b0, b1) ? match : undefined;
  }

  /** The places of the records of matches one end of which is long enough. */
  #longEnough(records: Uint32Array): number[] {
    const places: number[] = [];
    for (let at = 0; at < records.length; at += recordWords) {
      const isLong =
        this.#isLongEnough(records[at], records[at + 2], records[at + 3]) ||
        this.#isLongEnough(records[at + 1], records[at + 4], records[at + 5]);
      if (isLong) places.push(at);
    }
    return places;
  }

  // Prose has no least number of lines: a paragraph may be one.
  #isLongEnough(document: number, start: number, end: number): boolean {
    const { index } = this.#made!.documents[document]!;
    return index.prose || linesOf(this.#kernel, index, start, end) >= this.#options.minLines;
  }
}

/** What steps lead to, all at once. */
function lastOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function totalsAfter(totals: DocumentTotals, replacements: readonly Replacement[]): DocumentTotals {
  const before = totalsOf(replacements.flatMap((replacement) => replacement.before ?? []));
  const after = totalsOf(replacements.flatMap((replacement) => replacement.after ?? []));
  return {
    files: totals.files - before.files + after.files,
    lines: totals.lines - before.lines + after.lines,
    tokens: totals.tokens - before.tokens + after.tokens,
  };
}

/** The documents of a path: comments are one of their own, next to that of their code. */
function partsOf(path: string, index: DocumentIndex): NamedDocument[] {
  const whole = { path, index, isPart: false };
  return index.comments ? [whole, { path, index: index.comments, isPart: true }] : [whole];
}

function byPath(x: NamedDocument, y: NamedDocument): number {
  return x.path < y.path ? -1 : x.path > y.path ? 1 : Number(x.isPart) - Number(y.isPart);
}

function partKey(path: string, isPart: boolean): string {
  return isPart ? `${path}\0` : path;
}

function distancesOf({ maxDistance, prose }: Options): Distances {
  return { code: maxDistance, prose: prose.maxDistance };
}

function writeRanks(kernel: Kernel, order: readonly number[], ranks: number): void {
  const words = kernel.words;
  order.forEach((number, rank) => (words[(ranks >>> 2) + number] = rank));
}

function linesOf(kernel: Kernel, index: DocumentIndex, start: number, end: number): number {
  return lineOfToken(kernel, index, end - 1) - lineOfToken(kernel, index, start) + 1;
}

function lineOfToken(kernel: Kernel, index: DocumentIndex, token: number): number {
  return kernel.words[lineRecord(kernel, index, token) + 1];
}
