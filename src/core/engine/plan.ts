/**
 * A plan of a corpus. It ends once: it is either finished or abandoned, which releases its memory. Methods of an ended
 * plan throw, because its memory belongs to someone else.
 *
 *   BegunPlan ── complete ──▶ Plan ── finishSteps ──▶ findings
 *       └─────── abandon        └──── abandon
 */
import type { FileCluster } from './files/fileClusters.ts';
import type { NamedDocument } from './documents/namedDocument.ts';
import type { MatchPlan, PlanSearch } from './matches/matchPlan.ts';
import type { MatchTask } from './matches/matches.ts';
import type { AllSeeds } from './seeds/seeds.ts';

/** The comparison of whole files, done once. */
export class ComparedFiles {
  readonly #compare: () => Generator<void, readonly FileCluster[]>;
  #clusters: readonly FileCluster[] | undefined;

  /** @param compare  depends only on the documents */
  constructor(compare: () => Generator<void, readonly FileCluster[]>) {
    this.#compare = compare;
  }

  /** Returns the clusters, in steps, which may be ended early by `return`. */
  *clustersSteps(): Generator<void, readonly FileCluster[]> {
    return (this.#clusters ??= yield* this.#compare());
  }
}

/** Callbacks of a plan to its corpus. */
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
 * The seeds of all documents. Any thread may match slices of them. The corpus must not change until the plan has ended.
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
   * Compares whole files ahead of time, so that finishing is faster, in steps, which may be ended early by `return`.
   * Other threads may match meanwhile, because this depends only on the documents.
   */
  *compareFilesSteps(): Generator<void, void> {
    this.#open();
    yield* this.#files.clustersSteps();
  }

  /**
   * Groups the matches, which may be in any order, and releases the plan's memory, in steps of a few milliseconds. If
   * ended early by `return`, the plan must be abandoned.
   */
  *finishSteps(records: Uint32Array, report: Report): Generator<void, Result> {
    const result = yield* this.#ways.finishSteps(this.#open(), records, this.#files, report);
    this.#hasEnded = true;
    return result;
  }

  /**
   * Releases the memory. The next report requires another plan. After the plan of a renewal, the corpus is unchanged.
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

/** Callbacks of a begun plan to its corpus. */
interface BegunWays<Completed> {
  readonly complete: (found: AllSeeds) => Completed;
  readonly abandon: () => void;
}

/**
 * A plan whose seeds are searched by another thread (`searchApart`). Until it is completed or abandoned, no method of
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

  /** As `Plan.compareFilesSteps`. The plan keeps the result. */
  *compareFilesSteps(): Generator<void, void> {
    yield* this.#files.clustersSteps();
  }

  /** Returns the plan. The search must have ended. */
  complete(found: AllSeeds): Completed {
    this.#end();
    return this.#ways.complete(found);
  }

  /** Releases the memory. No other thread may be using it. */
  abandon(): void {
    this.#end();
    this.#ways.abandon();
  }

  #end(): void {
    if (this.#hasEnded) throw new Error('The plan has been completed or abandoned.');
    this.#hasEnded = true;
  }
}
