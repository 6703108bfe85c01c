/**
 * A plan of a corpus, as a value that ends once: it is finished, or abandoned, which gives its memory back. What is asked of
 * one that has ended throws, since that memory is another's then.
 *
 *   BegunPlan ── complete ──▶ Plan ── finishSteps ──▶ findings
 *       └─────── abandon        └──── abandon
 */
import type { FileCluster } from './files/fileClusters.ts';
import type { NamedDocument } from './documents/namedDocument.ts';
import type { MatchPlan, PlanSearch } from './matches/matchPlan.ts';
import type { MatchTask } from './matches/matches.ts';
import type { AllSeeds } from './seeds/seeds.ts';

/** The files of a plan as wholes, compared once. */
export class ComparedFiles {
  readonly #compare: () => Generator<void, readonly FileCluster[]>;
  #clusters: readonly FileCluster[] | undefined;

  /** @param compare  depends on the documents alone */
  constructor(compare: () => Generator<void, readonly FileCluster[]>) {
    this.#compare = compare;
  }

  /** The clusters, when they are there; in steps, which may be ended early by `return`. */
  *clustersSteps(): Generator<void, readonly FileCluster[]> {
    return (this.#clusters ??= yield* this.#compare());
  }
}

/** What a corpus does with a plan. */
interface PlanWays<Report, Result> {
  readonly finishSteps: (
    plan: MatchPlan,
    records: Uint32Array,
    files: ComparedFiles,
    report: Report,
  ) => Generator<void, Result>;
  readonly abandon: () => void;
}

/** The seeds of all documents. Any thread may match slices of them. The corpus must not change until the plan has ended. */
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
   * Compares the files as wholes, which is ready then when the plan is finished; in steps, which may be ended early by
   * `return`. Other threads may match meanwhile: this depends on the documents alone.
   */
  *compareFilesSteps(): Generator<void, void> {
    this.#open();
    yield* this.#files.clustersSteps();
  }

  /**
   * Groups what matching has found, in any order, and gives the plan's memory back; in steps of some milliseconds. When
   * they are ended early by `return`, the plan is to be abandoned.
   */
  *finishSteps(records: Uint32Array, report: Report): Generator<void, Result> {
    const result = yield* this.#ways.finishSteps(this.#open(), records, this.#files, report);
    this.#hasEnded = true;
    return result;
  }

  /** Gives the memory back. The next report takes another plan; after the plan of a renewal everything is as it was. */
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

/** What a corpus does with a plan that it has begun. */
interface BegunWays<Completed> {
  readonly complete: (found: AllSeeds) => Completed;
  readonly abandon: () => void;
}

/**
 * A plan whose search another thread does (`searchApart`). Until it is completed or abandoned, nothing else may be asked of
 * the corpus.
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

  /** As that of the plan, which has it from here then. */
  *compareFilesSteps(): Generator<void, void> {
    yield* this.#files.clustersSteps();
  }

  /** The plan, when all that was begun has ended. */
  complete(found: AllSeeds): Completed {
    this.#end();
    return this.#ways.complete(found);
  }

  /** Gives the memory back, when nobody works on it any more. */
  abandon(): void {
    this.#end();
    this.#ways.abandon();
  }

  #end(): void {
    if (this.#hasEnded) throw new Error('The plan has been completed or abandoned.');
    this.#hasEnded = true;
  }
}
