/**
 * Compares all documents of a corpus with each other, by calling the stages in the following order; `liveCorpus.ts`
 * calls them again for later changes:
 *
 *   bytes → tokens, windows, fingerprints (indexDocument) → seeds → matches → clusters, clusters of files → report
 */
import type { DocumentIndex } from './documents/documents.ts';
import { bracketTokens } from './matches/bracketTokens.ts';
import { Clusters, type MatchVerifier } from './groups/cluster.ts';
import { ComparedPassages, comparisonWords } from './groups/comparedPassages.ts';
import { clusterFilesSteps, type FileCluster } from './files/fileClusters.ts';
import { KnownOverlaps } from './files/fileOverlap.ts';
import { CorpusDocuments } from './corpusDocuments.ts';
import type { Kernel } from './kernel.ts';
import type { Lexicon } from './languages/lexicalRules.ts';
import { sortedWords } from './matches/knownMatches.ts';
import { MinimumMatch, type MinimumOfPath } from './matches/minimumMatch.ts';
import { Groups, type MadeGroups } from './report/makeReport.ts';
import type { ChosenCategory } from './rows/categories.ts';
import { recordsOnly } from './groups/matchedPassages.ts';
import { beginSearch, completeSearch, type MatchPlan, searchSteps } from './matches/matchPlan.ts';
import type { Match, TokenRange } from './matches/matchRecord.ts';
import { matchWords } from '../kernel/matches/matchRecordLayout.ts';
import { joinRecords, Matcher, sliceSeeds } from './matches/matches.ts';
import { type DocumentTotals, type NamedDocument, totalsOf } from './documents/namedDocument.ts';
import type { Options } from './options.ts';
import { BegunPlan, ComparedFiles, Plan } from './plan.ts';
import type { Findings, SkippedFile } from './report/report.ts';
import { allocateIdfTable, copyIdfTable, measureIdf } from './matches/idf.ts';
import { distancesOf, writeDocuments } from './seeds/seeds.ts';
import { type Category, judgeText } from './rows/category.ts';
import { type PairLimits, seedsOfLongestRuns } from './seeds/longestRuns.ts';
import { TextSpans } from './groups/textSpans.ts';

/** Comparisons that grouping has made. Documents are identified by number. */
export interface Comparisons {
  /** Comparisons of passages (`ComparedPassages`), sorted by docA, then docB. */
  readonly passages: Uint32Array;
  /** Comparisons of files, `storedOverlapWords` each, in any order. */
  readonly files: Uint32Array;
}

/** Inputs of a report other than the documents. */
export interface ReportContext {
  readonly skipped: readonly SkippedFile[];
  readonly complete: boolean;
  /**
   * Stored comparisons of passages (`ComparedPassages`), by the document numbers of the plan. They must have been made
   * with the same options and token weights. If omitted, all passages are compared.
   */
  readonly compared?: Uint32Array;
  /** True if the report will never be updated, so that its clusters are released early, which saves memory. */
  readonly isFinal?: boolean;
  /** Receives the share of grouping that is done, in increasing order: half for clusters, half for their groups. */
  readonly onGrouped?: (share: number) => void;
}

/** A comparison in progress, which produces a report. */
export type CorpusPlan = Plan<ReportContext, Findings>;

/** Results of the stages, from which the report is made. The index into each array is a document number. */
export interface StageResults {
  readonly documents: (NamedDocument | undefined)[];
  /** `undefined` after a final report (`ReportContext.isFinal`). */
  clusters: Clusters | undefined;
  groups: Groups;
  readonly minimumMatch: MinimumMatch;
  /** Number of truncated buckets; see `AllSeeds`. A live index counts them itself, and ignores this field. */
  readonly truncated: number;
  totals: DocumentTotals;
  /** Address of an array with the rank of each document, a 32-bit word each; 0 if ranks equal numbers. */
  ranks: number;
}

/**
 * Rules that depend on the path of a file: its category, and extra requirements for its matches. They must always
 * return the same result for the same path.
 */
export interface PathRules {
  readonly chosenCategory: ChosenCategory;
  readonly minimumOf: MinimumOfPath;
}

/**
 * Loads the arrays of a document that are not in memory. They must stay there while other documents with a total size
 * of some hundred megabytes are loaded. Sketches are always in memory.
 *
 * @param document  number of the document in the sorted list of all documents
 */
export type DocumentLoader = (document: number) => void;

/** Callbacks for the end of a plan: finished or abandoned. */
export interface PlanEnds {
  /** Called when the report is complete. `made` contains the data from which the report was created. */
  readonly finished: (made: StageResults) => void;
  /** Called after the plan was abandoned and its memory released. */
  readonly abandoned: () => void;
}

/** Limits of the first report, which fills more than a screen. */
const limitsOfFirst: PairLimits = { pairs: 100, ofDocument: 6, seeds: 50_000 };
/**
 * Maximum share of the seeds that the first report may use. With it, the report costs about 2% of a scan
 * (bench/results/2026-11-28-rows-before-grouping.md).
 */
const shareOfFirst = 1 / 16;
/** Categories of the first report. Their sections come first in all views. */
const categoriesOfFirst: ReadonlySet<Category> = new Set(['source', 'text']);
/** Number of seeds to match between two yields. Matching them takes a few milliseconds. */
const seedsOfStep = 2_000;

export class Comparison {
  readonly kernel: Kernel;
  readonly documents: CorpusDocuments;
  readonly brackets: readonly number[];
  /** Results of earlier comparisons of whole files. */
  readonly overlaps = new KnownOverlaps();
  /** Address of the table of inverse document frequencies, which weight matches. */
  readonly idfTable: number;
  /** If set, arrays are loaded before they are read, and records are not filtered by `MinimumMatch` again. */
  load: DocumentLoader | undefined;
  #hasIdfTable = false;
  #options: Options;
  #rules: PathRules;

  constructor(kernel: Kernel, options: Options, idfTable: Uint8Array | undefined, rules: PathRules) {
    this.kernel = kernel;
    this.#options = options;
    this.#rules = rules;
    this.documents = new CorpusDocuments(
      kernel,
      () => this.#options,
      (index) => this.overlaps.forget(index),
    );
    this.brackets = bracketTokens(kernel, options);
    this.idfTable = allocateIdfTable(kernel);
    if (idfTable) {
      kernel.bytes.set(idfTable, this.idfTable);
      this.#hasIdfTable = true;
    }
  }

  get options(): Options {
    return this.#options;
  }

  get rules(): PathRules {
    return this.#rules;
  }

  /** Replaces the options and rules. Existing results are not recomputed. */
  setOptions(options: Options, rules: PathRules): void {
    [this.#options, this.#rules] = [options, rules];
  }

  /** Returns a copy of the table of inverse document frequencies, or `undefined` before the first plan. */
  copyOfIdfTable(): Uint8Array | undefined {
    return this.#hasIdfTable ? copyIdfTable(this.kernel, this.idfTable) : undefined;
  }

  /**
   * Finds the seeds, in steps of a few dozen milliseconds. If the caller ends the generator early with `return`, no
   * plan is created.
   *
   * @param table  `new` to measure the inverse document frequencies of the current documents; when the plan finishes,
   *   they replace the stored table
   */
  *planSteps(table: 'kept' | 'new', ends: PlanEnds): Generator<void, CorpusPlan> {
    const { kernel } = this;
    const mark = kernel.mark();
    let isDone = false;
    try {
      const documents = this.documents.sorted();
      const idfTable = table === 'new' ? allocateIdfTable(kernel) : this.idfTable;
      const isMeasured = table === 'kept' && this.#hasIdfTable;
      const found = yield* this.#searchSteps(documents, this.#options, { idfTable, isMeasured });
      this.#hasIdfTable = isDone = true;
      return this.#plan(
        { mark, documents, ...found },
        this.#options,
        this.#comparedFiles(documents, this.#options),
        ends,
      );
    } finally {
      if (!isDone) kernel.release(mark);
    }
  }

  /**
   * Plans a trial: a comparison of the current documents with other options and the stored inverse document
   * frequencies. Only the findings of a trial are kept.
   *
   * @param lexiconOf  returns the lexicon with which the document at a path was lexed
   */
  *planTrialSteps(options: Options, lexiconOf: (path: string) => Lexicon, ends: PlanEnds): Generator<void, CorpusPlan> {
    const { kernel } = this;
    const mark = kernel.mark();
    let isDone = false;
    try {
      const documents = yield* this.documents.remadeAsideSteps(options, lexiconOf);
      const found = yield* this.#searchSteps(documents, options, { idfTable: this.idfTable, isMeasured: true });
      isDone = true;
      return this.#plan({ mark, documents, ...found }, options, this.#comparedFiles(documents, options), ends);
    } finally {
      if (!isDone) {
        kernel.release(mark);
        ends.abandoned();
      }
    }
  }

  *#searchSteps(
    documents: readonly NamedDocument[],
    options: Options,
    { idfTable, isMeasured }: { readonly idfTable: number; readonly isMeasured: boolean },
  ): Generator<void, Pick<MatchPlan, 'truncated' | 'task'>> {
    const { kernel, brackets } = this;
    const indexes = documents.map((d) => d.index);
    const table = writeDocuments(kernel, indexes);
    const search = { table, documents: indexes, distances: distancesOf(options) };
    const seeds = yield* searchSteps(kernel, { ...search, idfTable: isMeasured ? undefined : idfTable });
    return { truncated: seeds.truncated, task: { table, idfTable, seeds, brackets } };
  }

  /** Begins a plan. Another thread searches for its seeds. */
  beginPlan(ends: PlanEnds): BegunPlan<CorpusPlan> {
    const { kernel } = this;
    const documents = this.documents.sorted();
    const options = this.#options;
    const files = this.#comparedFiles(documents, options);
    const unmeasured = this.#hasIdfTable ? undefined : this.idfTable;
    const begun = beginSearch(kernel, documents, distancesOf(options), unmeasured);
    const { mark, search } = begun;
    return new BegunPlan(search, files, {
      complete: (found) => {
        const { truncated, ...seeds } = completeSearch(kernel, begun, found);
        this.#hasIdfTable = true;
        const task = { table: search.table, idfTable: this.idfTable, seeds, brackets: this.brackets };
        return this.#plan({ mark, documents, truncated, task }, options, files, ends);
      },
      abandon: () => {
        kernel.together();
        kernel.release(mark);
        ends.abandoned();
      },
    });
  }

  /** Returns the sorted documents. If the inverse document frequencies have not been measured, measures them first. */
  weighedDocuments(): NamedDocument[] {
    const { kernel } = this;
    const documents = this.documents.sorted();
    const mark = kernel.mark();
    const table = writeDocuments(
      kernel,
      documents.map(({ index }) => index),
    );
    if (!this.#hasIdfTable) measureIdf(kernel, table, documents.length, this.idfTable);
    this.#hasIdfTable = true;
    kernel.release(mark);
    return documents;
  }

  /** Indexes a text that is not part of the corpus. The caller must release its memory with `documents.release`. */
  indexText(text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const room = this.documents.reserve(text.length);
    room.set(text);
    return this.documents.index(room, lexicon);
  }

  #plan(plan: MatchPlan, options: Options, files: ComparedFiles, ends: PlanEnds): CorpusPlan {
    return new Plan(plan, files, {
      finishSteps: (...what) => this.#finishSteps({ options, ends }, ...what),
      firstSteps: (...what) => this.#firstSteps(options, ...what),
      abandon: () => {
        this.kernel.release(plan.mark);
        ends.abandoned();
      },
    });
  }

  *#finishSteps(
    { options, ends }: { readonly options: Options; readonly ends: PlanEnds },
    plan: MatchPlan,
    records: Uint32Array,
    files: ComparedFiles,
    context: ReportContext,
  ): Generator<void, Findings> {
    const { truncated, task } = plan;
    const { kernel } = this;
    const made = yield* this.#groupSteps(plan, options, new Matcher(kernel, task, options), records, context);
    made.groups.updateFiles({ removed: [], added: yield* files.clustersSteps() });
    const findings = made.groups.findings({ totals: made.totals, truncated, ...context });
    // The report exists now, so the plan cannot be abandoned from here on.
    ends.finished(made);
    if (task.idfTable !== this.idfTable) kernel.bytes.set(copyIdfTable(kernel, task.idfTable), this.idfTable);
    kernel.release(plan.mark);
    return findings;
  }

  /** See `Plan.firstSteps`. Releases all memory that it has allocated. */
  *#firstSteps(options: Options, plan: MatchPlan, context: ReportContext): Generator<void, Findings> {
    const { kernel } = this;
    const { documents, task } = plan;
    const mark = kernel.mark();
    try {
      const isWanted = (document: number): boolean => this.#isFirst(documents[document]);
      const limits = { ...limitsOfFirst, seeds: Math.min(limitsOfFirst.seeds, task.seeds.count * shareOfFirst) };
      const seeds = seedsOfLongestRuns(kernel, task.seeds, limits, isWanted);
      yield;
      const matcher = new Matcher(kernel, task, options);
      const bounds = sliceSeeds(kernel, seeds, seedsOfStep);
      const records: Uint32Array[] = [];
      for (const [slice, end] of bounds.slice(1).entries()) {
        records.push(matcher.matchSeeds(bounds[slice], end, seeds));
        yield;
      }
      const { groups, totals } = yield* this.#groupSteps(plan, options, matcher, joinRecords(records), {});
      return groups.findings({ totals, truncated: 0, ...context });
    } finally {
      kernel.release(mark);
    }
  }

  #isFirst({ path, index }: NamedDocument): boolean {
    return categoriesOfFirst.has(this.#rules.chosenCategory(path) ?? judgeText(path, index).category);
  }

  /** Groups match records. */
  *#groupSteps(
    plan: MatchPlan,
    options: Options,
    matcher: Matcher,
    records: Uint32Array,
    { compared, isFinal = false, onGrouped }: Pick<ReportContext, 'compared' | 'isFinal' | 'onGrouped'>,
  ): Generator<void, StageResults> {
    const made = makeNothing(this.kernel, plan, options, this.#rules, this.load);
    const comparedPassages = compared && new ComparedPassages(compared);
    const groups = yield* this.#makeGroupsSteps(made, matcher, records, comparedPassages, onGrouped);
    if (isFinal) {
      made.clusters = undefined;
      made.groups.releaseClusters();
    }
    yield;
    yield* made.groups.arrangeSteps(groups);
    yield;
    return made;
  }

  *#makeGroupsSteps(
    made: StageResults,
    matcher: Matcher,
    records: Uint32Array,
    compared: ComparedPassages | undefined,
    onGrouped?: (share: number) => void,
  ): Generator<void, MadeGroups> {
    const { kernel, load } = this;
    const clusters = made.clusters!;
    const matching = { kernel, matcher, compared };
    const places = load ? placesOf(records) : yield* made.minimumMatch.allowed(records);
    const verify: MatchVerifier = (a, b) => {
      load?.(a.document);
      load?.(b.document);
      return matchMade(matching, made, a, b);
    };
    const changes = yield* clusters.updateSteps(recordsOnly(records, places), verify, (share) =>
      onGrouped?.(share / 2),
    );
    yield;
    return yield* made.groups.makeSteps(
      changes,
      (kept) => clusters.read(kept),
      (share) => onGrouped?.((1 + share) / 2),
    );
  }

  #comparedFiles(documents: readonly NamedDocument[], options: Options): ComparedFiles {
    return new ComparedFiles(() => this.clusterFilesSteps(documents, options));
  }

  /** Returns a function that loads one of the files by its index. */
  #loadOf(files: readonly number[], indexes: readonly DocumentIndex[]): ((index: DocumentIndex) => void) | undefined {
    const { load } = this;
    if (load === undefined) return undefined;
    const numbers = new Map(indexes.map((index, place) => [index, files[place]]));
    return (index) => load(numbers.get(index)!);
  }

  /**
   * Returns the clusters of near-duplicate files. Their members are document numbers. Comments and quoted code are
   * documents, but not files, so they are excluded. The memory allocated here is not released.
   */
  *clusterFilesSteps(documents: readonly NamedDocument[], options = this.#options): Generator<void, FileCluster[]> {
    const files = documents.flatMap(({ part }, number) => (part === 'text' ? [number] : []));
    const indexes = files.map((number) => documents[number].index);
    const clusters = yield* clusterFilesSteps(
      this.kernel,
      indexes,
      options,
      this.overlaps,
      this.#loadOf(files, indexes),
    );
    return clusters.map((cluster) => ({ ...cluster, members: cluster.members.map((place) => files[place]) }));
  }
}

/** Returns the data of an empty report. */
function makeNothing(
  kernel: Kernel,
  { documents, truncated }: Pick<MatchPlan, 'documents' | 'truncated'>,
  options: Options,
  { chosenCategory, minimumOf }: PathRules,
  load: DocumentLoader | undefined,
): StageResults {
  const documentOf = (document: number): NamedDocument => made.documents[document]!;
  const loadedOf = (document: number): NamedDocument => {
    load?.(document);
    return documentOf(document);
  };
  const made: StageResults = {
    documents: [...documents],
    clusters: new Clusters(
      (document) => rankOf(kernel, made, document),
      new TextSpans(kernel, documentOf, loadedOf, options),
    ),
    groups: new Groups(kernel, documentOf, chosenCategory, loadedOf),
    minimumMatch: new MinimumMatch(kernel, options.minLines, loadedOf, minimumOf),
    truncated,
    totals: totalsOf(documents),
    ranks: 0,
  };
  made.groups.replaceDocuments(documents.map((after) => ({ after })));
  return made;
}

/** Returns the offset of each record. */
function placesOf(records: Uint32Array): number[] {
  return Array.from({ length: records.length / matchWords }, (_, place) => place * matchWords);
}

/** Returns the rank of a document: its position in the sorted list of all documents. */
export function rankOf(kernel: Kernel, { ranks }: Pick<StageResults, 'ranks'>, document: number): number {
  return ranks === 0 ? document : kernel.words[(ranks >>> 2) + document];
}

/** Returns the comparisons from which a report was made. */
export function comparisonsOf(made: StageResults, overlaps: KnownOverlaps): Comparisons {
  return {
    passages: sortedWords(made.clusters!.comparedPassages(), comparisonWords),
    files: overlaps.among(made.documents.map((document) => document?.index)),
  };
}

interface MatchContext {
  readonly kernel: Kernel;
  readonly matcher: Matcher;
  /** Earlier comparisons, which need not be repeated. */
  readonly compared?: ComparedPassages | undefined;
}

/** Aligns two passages. Returns the match, or `undefined` if they are not similar enough. */
export function matchMade(
  { kernel, matcher, compared }: MatchContext,
  made: StageResults,
  a: TokenRange,
  b: TokenRange,
): Match | undefined {
  const rank = (document: number): number => rankOf(kernel, made, document);
  const inOrder = a.document === b.document ? a.start <= b.start : rank(a.document) < rank(b.document);
  const [x, y] = inOrder ? [a, b] : [b, a];
  if (x.document === y.document && x.end > y.start) return undefined;
  const earlier = compared?.find(x, y);
  if (earlier !== undefined) return earlier === 'refused' ? undefined : earlier;
  const match = matcher.matchPassages(x, y);
  return match && made.minimumMatch.allows(match) ? match : undefined;
}
