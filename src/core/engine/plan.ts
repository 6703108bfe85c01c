/**
 * A comparison in progress. It ends when it is either finished or abandoned, which releases its memory. Methods of an
 * ended plan throw, because its memory may be in use for something else.
 *
 *   BegunPlan ── complete ──▶ Plan ── finishSteps ──▶ findings
 *       └─────── abandon        └──── abandon
 */
import type { FileCluster } from './files/fileClusters.ts';
import type { NamedDocument } from './documents/namedDocument.ts';
import type { MatchPlan, PlanSearch } from './matches/matchPlan.ts';
import type { MatchTask } from './matches/matches.ts';
import type { AllSeeds } from './seeds/seeds.ts';

/** The comparison of whole files. It runs once, and its result is kept. */
export class ComparedFiles {
  readonly #compare: () => Generator<void, readonly FileCluster[]>;
  #clusters: readonly FileCluster[] | undefined;

  /** @param compare  compares the files. The result must depend only on the documents */
  constructor(compare: () => Generator<void, readonly FileCluster[]>) {
    this.#compare = compare;
  }

  /** Returns the clusters, in steps. The caller may end it early with `return`. */
  *clustersSteps(): Generator<void, readonly FileCluster[]> {
    return (this.#clusters ??= yield* this.#compare());
  }
}

/** Operations of the corpus that a plan needs. */
interface PlanWays<Report, Result> {
  readonly finishSteps: (
    plan: MatchPlan,
    records: Uint32Array,
    files: ComparedFiles,
    report: Report,
  ) => Generator<void, Result>;
  readonly abandon: () => void;
}

/**
 * The seeds of all documents, to be matched. Any thread may match slices of the seeds. The corpus must not change until
 * the plan has ended.
 */
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
   * Compares whole files ahead of time, so that finishing is faster. Runs in steps; the caller may end it early with
   * `return`. Other threads may match meanwhile, because the comparison depends only on the documents.
   */
  *compareFilesSteps(): Generator<void, void> {
    this.#open();
    yield* this.#files.clustersSteps();
  }

  /**
   * Groups the matches of all slices, which may be in any order, and releases the plan's memory. Runs in steps of a few
   * milliseconds. If the caller ends it early with `return`, it must abandon the plan.
   */
  *finishSteps(records: Uint32Array, report: Report): Generator<void, Result> {
    const result = yield* this.#ways.finishSteps(this.#open(), records, this.#files, report);
    this.#hasEnded = true;
    return result;
  }

  /**
   * Releases the memory. The next report requires another plan, except after `planRenewalSteps`, which leaves the last
   * report unchanged.
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

/** Operations of the corpus that a begun plan needs. */
interface BegunWays<Completed> {
  readonly complete: (found: AllSeeds) => Completed;
  readonly abandon: () => void;
}

/**
 * A plan while another thread searches for its seeds (`searchApart`). Until it is completed or abandoned, no method of
 * the corpus may be called.
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

  /** Same as `Plan.compareFilesSteps`. The plan reuses the result. */
  *compareFilesSteps(): Generator<void, void> {
    yield* this.#files.clustersSteps();
  }

  /** Returns the plan. The other thread's search must have ended. */
  complete(found: AllSeeds): Completed {
    this.#end();
    return this.#ways.complete(found);
  }

  /** Releases the memory. No other thread may be using it anymore. */
  abandon(): void {
    this.#end();
    this.#ways.abandon();
  }

  #end(): void {
    if (this.#hasEnded) throw new Error('The plan has been completed or abandoned.');
    this.#hasEnded = true;
  }
}
