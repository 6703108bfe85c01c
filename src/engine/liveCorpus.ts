/**
 * The corpus after a scan, which takes in what changes. It has one of these:
 *
 *   nothing              `planSteps` leads to a report
 *   a report             `indexSteps` adds its index; an update does so itself
 *   a report, its index  `updateSteps` makes the next report of what has changed, and `findSimilar` asks the index
 *
 * After other options, and where too much has changed, it has nothing again: then an update says that it takes a plan.
 */
import {
  type Comparison,
  type CorpusPlan,
  type Made,
  matchMade,
  type PlanEnds,
  rankOf,
  type ReportContext,
} from './comparison.ts';
import type { DocumentIndex } from './documents/documents.ts';
import { LiveNumbers, type Replacement, totalsAfter, wholesOf } from './documents/liveNumbers.ts';
import { LiveFiles } from './files/liveFiles.ts';
import type { Lexicon } from './languages/lexicalRules.ts';
import { pairsOf } from './matches/knownMatches.ts';
import type { MatchedPairs } from './matches/matchedPairs.ts';
import { joinRecords, Matcher, type MatchTask, sliceSeeds } from './matches/matches.ts';
import type { LeastOfPath } from './matches/leastMatch.ts';
import { changesBetween } from './optionChanges.ts';
import type { Options } from './options.ts';
import type { CountedFile } from './report/makeReport.ts';
import type { Findings } from './report/report.ts';
import type { ChosenCategory } from './rows/categories.ts';
import { documentsOf, LiveSeeds, type PairKey, pairKey } from './seeds/liveSeeds.ts';
import { distancesOf, tableBytes, windowsOf, writeDocument } from './seeds/seeds.ts';
import { findSimilar, type SearchedCorpus, type SimilarPassages, type SimilarQuery } from './similar/findSimilar.ts';
import { lastOf, restOf } from './steps.ts';

/** What the report of an update needs besides. */
export interface UpdateContext extends ReportContext {
  /** Called when a stage has ended, for whoever measures. */
  readonly onStage?: (stage: UpdateStage) => void;
  /** Called with what was matched, for whoever keeps it. */
  readonly onMatched?: (matched: MatchedPairs) => void;
}

export type UpdateStage = 'seeds' | 'matches' | 'clusters' | 'groups' | 'files';

/** The last report, and what takes changes in. */
interface Kept {
  readonly made: Made;
  index: Index | undefined;
  /** They make the index, and go on where they were ended early. */
  indexing: Generator<void, void> | undefined;
  /** Documents that are being taken in; where that was ended early, the next update goes on with it. */
  takingIn: TakingIn | undefined;
}

interface Index {
  readonly numbers: LiveNumbers;
  readonly seeds: LiveSeeds;
  files: LiveFiles;
  readonly matcher: Matcher;
  readonly task: MatchTask;
}

interface TakingIn {
  /** They lead to whether it can be done so, and not by a plan. */
  readonly steps: Generator<void, boolean>;
  /** What was in the place of the documents before. */
  readonly before: readonly (DocumentIndex | undefined)[];
}

/** Windows that `indexSteps` takes in at a time. */
const windowsOfStep = 10_000;
/** Documents that `updateSteps` takes in at a time: what comes of them is brought up to date for all at once. */
const documentsAtATime = 8;
/** Seeds that `updateSteps` has matched at a time. */
const seedsOfStep = 256;

export class LiveCorpus {
  readonly #comparison: Comparison;
  readonly #ends: PlanEnds = {
    finished: (made) => this.#keep(made),
    abandoned: () => this.#turnMatcherBack(),
  };
  readonly #trialEnds: PlanEnds = {
    finished: () => this.#turnMatcherBack(),
    abandoned: () => this.#turnMatcherBack(),
  };
  #kept: Kept | undefined;
  /** Made once: its scratch memory is not given back. */
  #matcher: Matcher | undefined;

  /** As `Corpus.keep` makes it. */
  constructor(comparison: Comparison, made: Made | undefined) {
    this.#comparison = comparison;
    comparison.documents.keepBlocks();
    if (made) this.#keep(made);
  }

  /** A view of `size` bytes to put the text of a document into that is `put` next, or looked for. */
  reserve(size: number): Uint8Array {
    return this.#comparison.documents.reserve(size);
  }

  /** Indexes a text that lies in `reserve`d memory and takes it in, in memory that is given back when it is replaced. */
  put(path: string, text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    return this.#comparison.documents.put(path, text, lexicon);
  }

  remove(path: string): void {
    const { documents } = this.#comparison;
    if (documents.get(path)) documents.replace(path, undefined);
  }

  /** The document of a path, as it is now. */
  document(path: string): DocumentIndex | undefined {
    return this.#comparison.documents.get(path);
  }

  /** A copy of the table by which matches are weighed; there is none before the first report. */
  idfTable(): Uint8Array | undefined {
    return this.#comparison.copyOfIdfTable();
  }

  /** As of `Corpus`. What is kept is dropped. */
  *planSteps(): Generator<void, CorpusPlan> {
    this.#drop();
    this.#comparison.documents.settle();
    yield;
    return yield* this.#comparison.planSteps('kept', this.#ends);
  }

  /**
   * The same with an idf table that is measured of the documents there are now. What is kept stays until the plan is
   * finished, which takes the table over. Only while nothing has changed since the last report.
   */
  planRenewalSteps(): Generator<void, CorpusPlan> {
    return this.#comparison.planSteps('new', this.#ends);
  }

  /**
   * A plan of what other options would find in the documents there are, by the same idf table. Whether it is finished or
   * abandoned, everything is as it was: nothing is kept of it but its findings. Only with an index, and while nothing has
   * changed since the last report.
   *
   * @param lexiconOf  of a path, as it was lexed
   * @throws when other options ask for other tokens
   */
  planTrialSteps(options: Options, lexiconOf: (path: string) => Lexicon): Generator<void, CorpusPlan> {
    if (changesBetween(this.#comparison.options, options).work === 'tokens') {
      throw new Error('Documents have to be read again for these options.');
    }
    if (this.#kept?.index === undefined || this.#comparison.documents.changedCount > 0) {
      throw new Error('There is no index that is up to date to try other options on.');
    }
    return this.#comparison.planTrialSteps(options, lexiconOf, this.#trialEnds);
  }

  /** Another matcher may have been made of a plan, in memory that has been given back. */
  #turnMatcherBack(): void {
    const index = this.#kept?.index;
    index?.matcher.turnTo(index.task, this.#comparison.options);
  }

  /** Whether there is an index of the last report. */
  get hasIndex(): boolean {
    return this.#kept?.index !== undefined;
  }

  /**
   * Makes the index of the last report, so that an update makes the next one of what has changed; in steps of some
   * milliseconds. When they are ended early by `return`, the next ones go on where they were. Without a report there is
   * nothing to be done.
   */
  *indexSteps(): Generator<void, void> {
    const kept = this.#kept;
    if (kept === undefined || kept.index !== undefined) return;
    kept.indexing ??= this.#makeIndexSteps(kept);
    yield* restOf(kept.indexing);
  }

  *#makeIndexSteps(kept: Kept): Generator<void, void> {
    const { made } = kept;
    const { kernel, options, idfTable, brackets } = this.#comparison;
    const numbers = new LiveNumbers(kernel, made.documents);
    const task: MatchTask = {
      // A place more, for a text that is looked for.
      table: kernel.takeBlock(tableBytes(numbers.room + 1)),
      ...{ idfTable, brackets, seeds: { address: 0, count: 0 } },
    };
    this.#matcher ??= new Matcher(kernel, task, options);
    this.#matcher.turnTo(task, options);
    const windows = windowsOf(made.documents.map((document) => document!.index));
    const seeds = new LiveSeeds(kernel, distancesOf(options), windows, numbers.ranks, made.truncated);
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
      made.groups.keepFiles(files.clusters());
      kept.index = { numbers, seeds, files, matcher: this.#matcher, task };
    } finally {
      if (kept.index === undefined) {
        made.ranks = 0;
        this.#giveBack({ numbers, seeds, task });
      }
    }
  }

  *#newLiveFiles(made: Made): Generator<void, LiveFiles> {
    const { kernel, options, overlaps } = this.#comparison;
    const files = new LiveFiles(kernel, options, overlaps, (document) => rankOf(kernel, made, document));
    const added = made.documents.map((after, number) => ({ number, before: undefined, after }));
    yield* files.updateSteps(wholesOf(added.filter(({ after }) => after)));
    return files;
  }

  /**
   * The findings after the changes since the last report, the same as those of a corpus that had these documents from the
   * start and the same idf weights; in steps of some milliseconds. Undefined when it takes a plan: when there is no report, or
   * so much has changed. They may be ended early by `return`, and documents may change then: the next update goes on where it
   * was, and takes in what is left.
   */
  *updateSteps(context: UpdateContext, documentsAtOnce = documentsAtATime): Generator<void, Findings | undefined> {
    const { documents } = this.#comparison;
    const kept = this.#kept;
    if (kept === undefined || documents.changedCount > 32 + documents.count / 8) return undefined;
    yield* this.indexSteps();
    const { made, index } = kept;
    // What failed once is not tried again.
    if (index === undefined) return undefined;
    while (kept.takingIn !== undefined || documents.changedCount > 0) {
      kept.takingIn ??= this.#beginTakingIn(made, index, documentsAtOnce, context);
      if (!(yield* this.#takeInRestSteps(kept, kept.takingIn))) return undefined;
      yield;
    }
    const fileClusters = index.files.clusters();
    context.onStage?.('files');
    return made.groups.findings({ totals: made.totals, truncated: index.seeds.truncated, fileClusters, ...context });
  }

  /** Goes on with what is being taken in. What is ended early by `return` stays, to be gone on with. */
  *#takeInRestSteps(kept: Kept, { steps, before }: TakingIn): Generator<void, boolean> {
    const isTaken = yield* restOf(steps);
    if (isTaken) {
      kept.takingIn = undefined;
      for (const index of before) this.#comparison.documents.giveBack(index);
    } else this.#drop();
    return isTaken;
  }

  #beginTakingIn(made: Made, index: Index, most: number, context: UpdateContext): TakingIn {
    const changes = this.#comparison.documents.takeChanges(most);
    const replacements = index.numbers.replace(changes);
    return {
      steps: this.#takeIn(made, index, replacements, context),
      before: changes.map(({ before }) => before),
    };
  }

  /** Brings all but the report up to date with what has become of some documents; false when that takes a plan. */
  *#takeIn(
    made: Made,
    index: Index,
    replacements: readonly Replacement[] | undefined,
    { onStage, onMatched }: UpdateContext,
  ): Generator<void, boolean> {
    if (replacements === undefined) return false;
    const { kernel } = this.#comparison;
    const changed = new Set<PairKey>();
    for (const { number, before, after } of replacements) {
      index.seeds.replace(number, before?.index, after?.index, changed);
      yield;
    }
    // With another number of partners there may be other seeds of all documents.
    if (index.seeds.fitPartners()) return false;
    for (const { number, after } of replacements) {
      made.documents[number] = after;
      if (after) writeDocument(kernel, index.task.table, number, after.index);
    }
    // What it knows of texts may be of those before, in the same memory.
    index.matcher.turnTo(index.task, this.#comparison.options);
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
    const changes = yield* made.clusters.updateSteps(
      {
        renewed,
        touched: new Set([...others].flatMap(documentsOf)),
        isVoid: (x, y) => others.has(pairKey(x, y)),
        records,
        places: yield* made.leastMatch.allowed(records),
      },
      (a, b) => matchMade(kernel, made, index.matcher, a, b),
    );
    onStage?.('clusters');
    yield;
    yield* made.groups.updateSteps(changes, (kept) => made.clusters.read(kept));
    onStage?.('groups');
    yield;
    yield* index.files.updateSteps(wholesOf(replacements));
    index.numbers.settle(replacements);
    return true;
  }

  /**
   * Turns to other options and rules of paths, step by step, of some milliseconds each; nothing else may be asked for
   * until the end. What they leave as it was is kept, as `changesBetween` tells of them: after it,
   *
   *   nothing, files, groups  an update makes the next report, without seeds or matches of what has not changed
   *   matches, fingerprints   it takes a plan; fingerprints are made already, of the tokens there are
   *
   * @param lexiconOf  of a path, as it was lexed
   * @param chosen     the same function as before when no path is of another category
   * @param leastOf    the same when no path asks for anything else; else it takes a plan, as with other `matches`
   * @throws when other options ask for other tokens: then a corpus of documents that are read again is needed
   */
  *turnSteps(
    options: Options,
    lexiconOf: (path: string) => Lexicon,
    chosen: ChosenCategory = this.#comparison.rules.chosen,
    leastOf: LeastOfPath = this.#comparison.rules.leastOf,
  ): Generator<void, void> {
    const { options: before, rules, documents } = this.#comparison;
    const { work } = changesBetween(before, options);
    if (work === 'tokens') throw new Error('Documents have to be read again for these options.');
    const isMatchedAgain = (work !== 'nothing' && work !== 'files') || leastOf !== rules.leastOf;
    // Its files are compared by the options until now.
    if (work === 'files' && !isMatchedAgain) yield* this.indexSteps();
    this.#comparison.turnTo(options, { chosen, leastOf });
    if (!isMatchedAgain) {
      if (this.#kept?.takingIn) yield* this.#takeInRestSteps(this.#kept, this.#kept.takingIn);
      const kept = this.#kept;
      if (kept === undefined) return;
      const { made, index } = kept;
      if (work === 'files' && index) index.files = yield* this.#newLiveFiles(made);
      if (chosen !== rules.chosen) {
        made.groups = yield* made.groups.regroupSteps(chosen, made.documents, (cluster) => made.clusters.read(cluster));
      }
      return;
    }
    this.#drop();
    documents.settle();
    yield* documents.remakeSteps(before, lexiconOf);
  }

  /**
   * The passages that a text is a near-duplicate of, in the documents of the last report. The text is in no document, and
   * nothing is another after it. Undefined when there is no index of a report.
   *
   * @param text  in `reserve`d memory
   */
  findSimilar(text: Uint8Array, lexicon: Lexicon, query: SimilarQuery): SimilarPassages | undefined {
    const kept = this.#kept;
    if (kept?.index === undefined) return undefined;
    // An update that was ended early has left documents half taken in.
    if (kept.takingIn && !lastOf(this.#takeInRestSteps(kept, kept.takingIn))) return undefined;
    const { kernel, documents, options } = this.#comparison;
    const { made, index } = kept;
    const { numbers, seeds, matcher, task } = index;
    const asked = documents.index(text, lexicon);
    try {
      const number = numbers.room;
      const searched: SearchedCorpus = {
        ...{ kernel, seeds, matcher, task, number, options },
        place: (part) => writeDocument(kernel, task.table, number, part),
        documentOf: (other) => made.documents[other]!,
      };
      return findSimilar(searched, asked, query);
    } finally {
      matcher.turnTo(task, options);
      documents.giveBack(asked);
    }
  }

  /** The files of the last report, in no order; undefined when there is none, or it is being changed. */
  countedFiles(): CountedFile[] | undefined {
    return this.#kept?.takingIn ? undefined : this.#kept?.made.groups.countedFiles();
  }

  /** Keeps what a report was made of, in the place of what there was. */
  #keep(made: Made): void {
    this.#drop();
    this.#kept = { made, index: undefined, indexing: undefined, takingIn: undefined };
  }

  /** Forgets what the last report was made of. */
  #drop(): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    this.#kept = undefined;
    // What they have taken for a while they give back then.
    kept.indexing?.return();
    kept.takingIn?.steps.return(false);
    if (kept.index) this.#giveBack(kept.index);
    for (const index of kept.takingIn?.before ?? []) this.#comparison.documents.giveBack(index);
  }

  #giveBack({ numbers, seeds, task }: Pick<Index, 'numbers' | 'seeds' | 'task'>): void {
    const { kernel } = this.#comparison;
    seeds.drop();
    kernel.giveBlock(task.table, tableBytes(numbers.room + 1));
    numbers.drop();
  }
}
