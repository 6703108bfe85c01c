/**
 * A comparison in progress. It ends when the caller finishes or abandons it, which releases its memory. After that, its
 * methods throw, because its memory may have been reused.
 *
 *   BegunPlan ── complete ──▶ Plan ── finishSteps ──▶ findings
 *       └─────── abandon        └──── abandon
 */
import type { FileCluster } from './files/fileClusters.ts';
import type { NamedDocument } from './documents/namedDocument.ts';
import type { MatchPlan, PlanSearch } from './matches/matchPlan.ts';
import type { MatchTask } from './matches/matches.ts';
import type { AllSeeds } from './seeds/seeds.ts';

/** The comparison of whole files. It runs at most once, and its result is stored. */
export class ComparedFiles {
  readonly #compare: () => Generator<void, readonly FileCluster[]>;
  #clusters: readonly FileCluster[] | undefined;

  /** @param compare  compares the files. Its result must depend only on the documents */
  constructor(compare: () => Generator<void, readonly FileCluster[]>) {
    this.#compare = compare;
  }

  /** Returns the clusters of files, in steps. The caller may end the generator early with `return`. */
  *clustersSteps(): Generator<void, readonly FileCluster[]> {
    return (this.#clusters ??= yield* this.#compare());
  }
}

/** Functions of the corpus that finish or abandon a plan. */
interface PlanWays<Report, Result> {
  readonly finishSteps: (
    plan: MatchPlan,
    records: Uint32Array,
    files: ComparedFiles,
    report: Report,
  ) => Generator<void, Result>;
  readonly firstSteps: (plan: MatchPlan, report: Report) => Generator<void, Result>;
  readonly abandon: () => void;
}

/** The seeds of all documents. Any thread may match slices. The corpus must not change until the plan ends. */
export class Plan<Report, Result> {
  readonly #plan: MatchPlan;
  readonly #files: ComparedFiles;
  readonly #ways: PlanWays<Report, Result>;
  #hasEnded = false;

  constructor(plan: MatchPlan, files: ComparedFiles, ways: PlanWays<Report, Result>) {
    this.#plan = plan;
    this.#files = files;
    this.#ways = ways;
  }

  get task(): MatchTask {
    return this.#open().task;
  }

  get documents(): readonly NamedDocument[] {
    return this.#open().documents;
  }

  /**
   * Compares whole files ahead of time, so that finishing takes less time. Runs in steps; the caller may end the
   * generator early with `return`. Meanwhile other threads may match seeds, because the comparison depends only on the
   * documents.
   */
  *compareFilesSteps(): Generator<void, void> {
    this.#open();
    yield* this.#files.clustersSteps();
  }

  /**
   * Reports the pairs of documents with the longest equal runs, before any seeds are matched. Does not change the plan.
   * Runs in steps; the caller may end the generator early with `return`. Precondition: no other thread uses the plan.
   */
  firstSteps(report: Report): Generator<void, Result> {
    return this.#ways.firstSteps(this.#open(), report);
  }

  /**
   * Finishes the plan: groups the matches of all slices, in any order, and releases the plan's memory. Runs in steps of
   * a few milliseconds. If the caller ends the generator early with `return`, it must then abandon the plan.
   */
  *finishSteps(records: Uint32Array, report: Report): Generator<void, Result> {
    const result = yield* this.#ways.finishSteps(this.#open(), records, this.#files, report);
    this.#hasEnded = true;
    return result;
  }

  /**
   * Ends the plan without a report and releases its memory. Afterwards there is no last report, so the next one
   * requires another plan. Exception: a plan of `planRenewalSteps` does not affect the last report.
   */
  abandon(): void {
    this.#open();
    this.#hasEnded = true;
    this.#ways.abandon();
  }

  #open(): MatchPlan {
    if (this.#hasEnded) throw new Error('The plan has been finished or abandoned.');
    return this.#plan;
  }
}

/** Functions of the corpus that complete or abandon a begun plan. */
interface BegunWays<Completed> {
  readonly complete: (found: AllSeeds) => Completed;
  readonly abandon: () => void;
}

/**
 * A plan whose seeds another thread is still searching for (`searchApart`). Until it is completed or abandoned, no
 * method of the corpus may be called.
 */
export class BegunPlan<Completed> {
  readonly search: PlanSearch;
  readonly #files: ComparedFiles;
  readonly #ways: BegunWays<Completed>;
  #hasEnded = false;

  constructor(search: PlanSearch, files: ComparedFiles, ways: BegunWays<Completed>) {
    this.search = search;
    this.#files = files;
    this.#ways = ways;
  }

  /** Compares whole files ahead of time, as `Plan.compareFilesSteps` does. The completed plan reuses the result. */
  *compareFilesSteps(): Generator<void, void> {
    yield* this.#files.clustersSteps();
  }

  /** Returns the plan with the found seeds. Precondition: the other thread has ended its search. */
  complete(found: AllSeeds): Completed {
    this.#end();
    return this.#ways.complete(found);
  }

  /** Ends the plan and releases its memory. Precondition: no other thread uses this memory anymore. */
  abandon(): void {
    this.#end();
    this.#ways.abandon();
  }

  #end(): void {
    if (this.#hasEnded) throw new Error('The plan has been completed or abandoned.');
    this.#hasEnded = true;
  }
}
