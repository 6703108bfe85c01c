/**
 * A scanned corpus that accepts incremental changes. The stored results determine the next possible operation:
 *
 *   nothing              `planSteps` produces a report
 *   a report             `indexSteps` adds an index, as does the first update
 *   a report, an index   `updateSteps` makes the next report from the changes, and `findSimilar` queries the index
 *
 * Large changes and some option changes drop the report and the index. Then an update returns `undefined`, and the
 * caller must make a plan.
 */
import {
  type Comparison,
  type Comparisons,
  comparisonsOf,
  type CorpusPlan,
  type StageResults,
  matchMade,
  type PlanEnds,
  rankOf,
  type ReportContext,
} from './comparison.ts';
import type { DocumentIndex } from './documents/documents.ts';
import type { NamedDocument } from './documents/namedDocument.ts';
import { type Replacement, totalsAfter, fileChangesOf } from './documents/liveNumbers.ts';
import { LiveFiles } from './files/liveFiles.ts';
import type { Blocks } from './kernel.ts';
import type { Lexicon } from './languages/lexicalRules.ts';
import { pairsOf } from './matches/knownMatches.ts';
import type { MatchedPairs } from './matches/matchedPairs.ts';
import { joinRecords, Matcher, type MatchTask, sliceSeeds } from './matches/matches.ts';
import type { MinimumOfPath } from './matches/minimumMatch.ts';
import { changesBetween } from './optionChanges.ts';
import type { Options } from './options.ts';
import type { CountedFile } from './report/makeReport.ts';
import type { Findings } from './report/report.ts';
import type { ChosenCategory } from './rows/categories.ts';
import { documentsOf, type PairKey, pairKey } from './seeds/liveSeeds.ts';
import { writeDocument } from './seeds/seeds.ts';
import type { SimilarPassages, SimilarQuery } from './similar/findSimilar.ts';
import { addLanguages, dropWindows, findInWindows, indexWindowsSteps, type WindowIndex } from './windowIndex.ts';
import { lastOf, restOf } from './steps.ts';

export interface UpdateContext extends ReportContext {
  /** Called at the end of each stage, for measurements. */
  readonly onStage?: (stage: UpdateStage) => void;
  /** Called with the new matches, so that the caller can store them. */
  readonly onMatched?: (matched: MatchedPairs) => void;
}

export type UpdateStage = 'seeds' | 'matches' | 'clusters' | 'groups' | 'files';

/** The last report, and the data for updating it. */
interface LastReport {
  readonly made: StageResults;
  index: Index | undefined;
  /** Generator that builds the index. If the generator was interrupted, the next call resumes it. */
  indexing: Generator<void, void> | undefined;
  /** Changes that are being applied. If an update was interrupted, the next one continues with these changes. */
  ingestion: Ingestion | undefined;
}

interface Index extends WindowIndex {
  files: LiveFiles;
}

interface Ingestion {
  /** Generator that applies the changes. Returns false if they require a plan. */
  readonly steps: Generator<void, boolean>;
  /** The versions of the changed documents before the change. */
  readonly before: readonly (DocumentIndex | undefined)[];
}

/** Number of changed documents that `updateSteps` applies in one batch. Derived data are updated once per batch. */
const documentsAtATime = 8;
const seedsOfStep = 256;

export class LiveCorpus {
  readonly #comparison: Comparison;
  readonly #blocks: Blocks;
  readonly #ends: PlanEnds = {
    finished: (made) => this.#keep(made),
    abandoned: () => this.#restoreMatcher(),
  };
  readonly #trialEnds: PlanEnds = {
    finished: () => this.#restoreMatcher(),
    abandoned: () => this.#restoreMatcher(),
  };
  #kept: LastReport | undefined;
  /** Created on first use and never replaced, because its scratch memory cannot be released. */
  #matcher: Matcher | undefined;

  /** Only `Corpus.keep` calls this. */
  constructor(comparison: Comparison, made: StageResults | undefined) {
    this.#comparison = comparison;
    this.#blocks = comparison.documents.keepBlocks();
    if (made) this.#keep(made);
  }

  /** Returns a view of `size` bytes. The caller fills it with the next text for `put` or `findSimilar`. */
  reserve(size: number): Uint8Array {
    return this.#comparison.documents.reserve(size);
  }

  /** Indexes the text in memory from `reserve`, and adds the document. Replacing the document releases its memory. */
  put(path: string, text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    return this.#comparison.documents.put(path, text, lexicon);
  }

  remove(path: string): void {
    const { documents } = this.#comparison;
    if (documents.get(path)) documents.replace(path, undefined);
  }

  document(path: string): DocumentIndex | undefined {
    return this.#comparison.documents.get(path);
  }

  /** Returns a copy of the table of inverse document frequencies, or `undefined` before the first report. */
  idfTable(): Uint8Array | undefined {
    return this.#comparison.copyOfIdfTable();
  }

  /** See `Corpus.planSteps`. Drops the last report and its index. */
  *planSteps(): Generator<void, CorpusPlan> {
    this.#drop();
    this.#comparison.documents.releaseOldVersions();
    yield;
    return yield* this.#comparison.planSteps('kept', this.#ends);
  }

  /**
   * Plans a report with new inverse document frequencies, measured from the current documents. The last report stays
   * valid until the plan finishes. Precondition: nothing has changed since the last report.
   */
  planRenewalSteps(): Generator<void, CorpusPlan> {
    return this.#comparison.planSteps('new', this.#ends);
  }

  /**
   * Creates a plan for trying other options with the current documents and inverse document frequencies. The trial does
   * not change the corpus. Precondition: there is an index, and nothing has changed since the last report.
   *
   * @param lexiconOf  returns the lexicon with which the document at a path was lexed
   * @throws if the other options require other tokens
   */
  planTrialSteps(options: Options, lexiconOf: (path: string) => Lexicon): Generator<void, CorpusPlan> {
    if (changesBetween(this.#comparison.options, options).work === 'tokens') {
      throw new Error('Documents have to be read again for these options.');
    }
    if (this.#kept?.index === undefined || this.#comparison.documents.changedCount > 0) {
      throw new Error('There is no up-to-date index on which to try other options.');
    }
    return this.#comparison.planTrialSteps(options, lexiconOf, this.#trialEnds);
  }

  /** Restores the task and options of the kernel's matcher, which a plan may have set for another one. */
  #restoreMatcher(): void {
    const index = this.#kept?.index;
    index?.matcher.setTask(index.task, this.#comparison.options);
  }

  get hasIndex(): boolean {
    return this.#kept?.index !== undefined;
  }

  /**
   * Builds the index for incremental updates of the last report, in steps of a few milliseconds. If the caller ends the
   * generator early with `return`, the next call resumes the work. Does nothing if there is no report.
   */
  *indexSteps(): Generator<void, void> {
    const kept = this.#kept;
    if (kept === undefined || kept.index !== undefined) return;
    kept.indexing ??= this.#makeIndexSteps(kept);
    yield* restOf(kept.indexing);
  }

  *#makeIndexSteps(kept: LastReport): Generator<void, void> {
    const { made } = kept;
    const { kernel, options } = this.#comparison;
    // Keep the matcher also if the work is interrupted.
    const matcherFor = (task: MatchTask): Matcher => (this.#matcher ??= new Matcher(kernel, task, options));
    const index = yield* indexWindowsSteps(this.#comparison, made, matcherFor);
    try {
      index.seeds.fitPartners();
      yield;
      made.ranks = index.numbers.ranks;
      kept.index = { ...index, files: yield* this.#newLiveFiles(made) };
    } finally {
      if (kept.index === undefined) {
        made.ranks = 0;
        dropWindows(this.#blocks, index);
      }
    }
  }

  *#newLiveFiles(made: StageResults): Generator<void, LiveFiles> {
    const { kernel, options, overlaps } = this.#comparison;
    const files = new LiveFiles(this.#blocks, options, overlaps, (document) => rankOf(kernel, made, document));
    const added = made.documents.map((after, number) => ({ number, before: undefined, after }));
    const { added: addedClusters } = yield* files.updateSteps(fileChangesOf(added.filter(({ after }) => after)));
    made.groups.replaceFiles(addedClusters);
    return files;
  }

  /**
   * Returns the findings after the changes since the last report, in steps of a few milliseconds. They equal the
   * findings of a new corpus with the same documents and inverse document frequencies. Returns `undefined` if a plan is
   * required, because there is no report or too much has changed. If the caller ends the generator early with `return`,
   * it may change more documents; the next update resumes the work.
   */
  *updateSteps(context: UpdateContext, documentsAtOnce = documentsAtATime): Generator<void, Findings | undefined> {
    const { documents } = this.#comparison;
    const kept = this.#kept;
    if (kept === undefined || documents.changedCount > 32 + documents.count / 8) return undefined;
    yield* this.indexSteps();
    const { made, index } = kept;
    // Building the index has failed before, so do not try again.
    if (index === undefined) return undefined;
    while (kept.ingestion !== undefined || documents.changedCount > 0) {
      kept.ingestion ??= this.#beginIngestion(made, index, documentsAtOnce, context);
      if (!(yield* this.#ingestRestSteps(kept, kept.ingestion))) return undefined;
      yield;
    }
    return made.groups.findings({ totals: made.totals, truncated: index.seeds.truncated, ...context });
  }

  /** Applies the rest of the changes. If the caller ends the generator with `return`, the next call resumes. */
  *#ingestRestSteps(kept: LastReport, { steps, before }: Ingestion): Generator<void, boolean> {
    const isTaken = yield* restOf(steps);
    if (isTaken) {
      kept.ingestion = undefined;
      for (const index of before) this.#comparison.documents.release(index);
    } else this.#drop();
    return isTaken;
  }

  #beginIngestion(made: StageResults, index: Index, limit: number, context: UpdateContext): Ingestion {
    const changes = this.#comparison.documents.takeChanges(limit);
    const replacements = index.numbers.replace(changes);
    return {
      steps: this.#ingest(made, index, replacements, context),
      before: changes.map(({ before }) => before),
    };
  }

  /** Applies document changes to everything except the report. Returns false if they require a plan. */
  *#ingest(
    made: StageResults,
    index: Index,
    replacements: readonly Replacement[] | undefined,
    { onStage, onMatched }: UpdateContext,
  ): Generator<void, boolean> {
    if (replacements === undefined) return false;
    const added = replacements.flatMap(({ after }) => after?.index ?? []);
    if (!addLanguages(index, added)) return false;
    const { kernel } = this.#comparison;
    const changed = new Set<PairKey>();
    for (const { number, before, after } of replacements) {
      index.seeds.replace(number, before?.index, after?.index, changed);
      yield;
    }
    // The number of partners to which a window may be linked is limited. If this limit changes, the seeds of all
    // documents may change.
    if (index.seeds.fitPartners()) return false;
    for (const { number, after } of replacements) {
      made.documents[number] = after;
      if (after) writeDocument(kernel, index.task.table, number, after.index);
    }
    // Clear the caches of the matcher. They may refer to old texts at the same addresses.
    index.matcher.setTask(index.task, this.#comparison.options);
    made.totals = totalsAfter(made.totals, replacements);
    made.groups.replaceDocuments(replacements);
    const renewed = new Set(replacements.map(({ number }) => number));
    const present = new Set([...renewed].filter((number) => made.documents[number] !== undefined));
    const others = new Set([...changed].filter((key) => documentsOf(key).every((number) => !renewed.has(number))));
    const documentOf = (number: number): DocumentIndex => made.documents[number]!.index;
    const seeds = index.seeds.seedsOf(present, others, documentOf);
    onStage?.('seeds');
    const pairs = onMatched && pairsOf(kernel, seeds);
    yield;
    const bounds = sliceSeeds(kernel, seeds, seedsOfStep);
    const slices: Uint32Array[] = [];
    for (let slice = 0; slice + 1 < bounds.length; slice++) {
      slices.push(index.matcher.matchSeeds(bounds[slice], bounds[slice + 1], seeds));
      yield;
    }
    const records = joinRecords(slices);
    if (pairs) onMatched({ renewed, others, pairs, records, documentOf });
    onStage?.('matches');
    const matching = { kernel, matcher: index.matcher };
    const changes = yield* made.clusters!.updateSteps(
      {
        renewed,
        touched: new Set([...others].flatMap(documentsOf)),
        isVoid: (x, y) => others.has(pairKey(x, y)),
        records,
        places: yield* made.minimumMatch.allowed(records),
      },
      (a, b) => matchMade(matching, made, a, b),
    );
    onStage?.('clusters');
    yield;
    yield* made.groups.updateSteps(changes, (kept) => made.clusters!.read(kept));
    onStage?.('groups');
    yield;
    made.groups.updateFiles(yield* index.files.updateSteps(fileChangesOf(replacements)));
    index.numbers.freeNumbers(replacements);
    onStage?.('files');
    return true;
  }

  /**
   * Applies other options and path rules, in steps of a few milliseconds. The caller must run the generator to
   * completion before calling any other method. Keeps all results that the new options do not affect. The next step
   * depends on the kind of work, which `changesBetween` returns:
   *
   *   nothing, files, groups  an update makes the next report, without seeds or matches of unchanged documents
   *   matches, fingerprints   a plan is required; fingerprints are already rebuilt from the existing tokens
   *
   * @param lexiconOf       returns the lexicon with which the document at a path was lexed
   * @param chosenCategory  returns the user's category of a path. Pass the same function as before if no path's
   *   category has changed
   * @param minimumOf       returns requirements of a path. Pass the same function as before if no path's requirements
   *   have changed; otherwise a plan is required, as for `matches`
   * @throws if the options require other tokens: documents must then be read again into another corpus
   */
  *applyOptionsSteps(
    options: Options,
    lexiconOf: (path: string) => Lexicon,
    chosenCategory: ChosenCategory = this.#comparison.rules.chosenCategory,
    minimumOf: MinimumOfPath = this.#comparison.rules.minimumOf,
  ): Generator<void, void> {
    const { options: before, rules, documents } = this.#comparison;
    const { work } = changesBetween(before, options);
    if (work === 'tokens') throw new Error('Documents have to be read again for these options.');
    const isMatchedAgain = (work !== 'nothing' && work !== 'files') || minimumOf !== rules.minimumOf;
    // Building the index compares files, which must happen with the previous options.
    if (work === 'files' && !isMatchedAgain) yield* this.indexSteps();
    this.#comparison.setOptions(options, { chosenCategory, minimumOf });
    if (!isMatchedAgain) {
      if (this.#kept?.ingestion) yield* this.#ingestRestSteps(this.#kept, this.#kept.ingestion);
      const kept = this.#kept;
      if (kept === undefined) return;
      const { made, index } = kept;
      if (work === 'files' && index) index.files = yield* this.#newLiveFiles(made);
      if (chosenCategory !== rules.chosenCategory) {
        made.groups = yield* made.groups.regroupSteps(chosenCategory, made.documents, (cluster) =>
          made.clusters!.read(cluster),
        );
      }
      return;
    }
    this.#drop();
    documents.releaseOldVersions();
    yield* documents.remakeSteps(before, lexiconOf);
  }

  /**
   * Finds the passages of documents that a text nearly duplicates. Searches the documents of the last report. The text
   * is not added to the corpus. Returns `undefined` if there is no index.
   */
  findSimilar(text: Uint8Array, lexicon: Lexicon, query: SimilarQuery): SimilarPassages | undefined {
    const kept = this.#kept;
    if (kept?.index === undefined) return undefined;
    // An interrupted update has applied only some changes, so finish it first.
    if (kept.ingestion && !lastOf(this.#ingestRestSteps(kept, kept.ingestion))) return undefined;
    const indexed = this.#comparison.indexText(text, lexicon);
    try {
      return findInWindows(this.#comparison, kept.index, kept.made.documents, indexed, query);
    } finally {
      this.#comparison.documents.release(indexed);
    }
  }

  /** Returns the files that the last report counted, in any order; `undefined` without a current report. */
  countedFiles(): CountedFile[] | undefined {
    return this.#kept?.ingestion ? undefined : this.#kept?.made.groups.countedFiles();
  }

  /**
   * Returns the comparisons of the last report, and its documents by number. Returns `undefined` if there is no report,
   * or while it is being updated.
   */
  comparisons(): (Comparisons & { readonly documents: readonly (NamedDocument | undefined)[] }) | undefined {
    const kept = this.#kept;
    if (kept === undefined || kept.ingestion) return undefined;
    const { documents } = kept.made;
    return { ...comparisonsOf(kept.made, this.#comparison.overlaps), documents };
  }

  /** Stores the data of a new report in place of the previous one. */
  #keep(made: StageResults): void {
    this.#drop();
    this.#kept = { made, index: undefined, indexing: undefined, ingestion: undefined };
  }

  /** Drops the last report and its index. */
  #drop(): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    this.#kept = undefined;
    // Let interrupted generators release their temporary memory.
    kept.indexing?.return();
    kept.ingestion?.steps.return(false);
    if (kept.index) dropWindows(this.#blocks, kept.index);
    for (const index of kept.ingestion?.before ?? []) this.#comparison.documents.release(index);
  }
}
