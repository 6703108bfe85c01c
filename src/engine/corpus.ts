/**
 * The corpus of a scan: documents in, findings out. What changes afterwards is taken in by the live corpus that it becomes:
 *
 *   Corpus ── planSteps, beginPlan ──▶ plan ── finishSteps ──▶ findings
 *      └───── keep ──▶ LiveCorpus
 */
import { Comparison, type CorpusPlan, type Made, type PlanEnds, type ReportContext } from './comparison.ts';
import type { DocumentIndex } from './documents/documents.ts';
import { totalsOf } from './documents/namedDocument.ts';
import type { FileCluster } from './files/fileClusters.ts';
import type { Kernel } from './kernel.ts';
import { LiveCorpus } from './liveCorpus.ts';
import { asksForNothing, type LeastOfPath } from './matches/leastMatch.ts';
import type { Options } from './options.ts';
import type { BegunPlan } from './plan.ts';
import { Groups } from './report/makeReport.ts';
import type { Findings } from './report/report.ts';
import type { ChosenCategory } from './rows/categories.ts';

export class Corpus {
  readonly #comparison: Comparison;
  readonly #ends: PlanEnds = { finished: (made) => (this.#made = made), abandoned: () => undefined };
  #made: Made | undefined;

  /**
   * @param idfTable  of another corpus, to weigh matches as it does; without, they are measured with the first report
   * @param chosen    what somebody has chosen to be the categories of paths: always the same for the same path
   * @param leastOf   what is asked of the matches of paths besides
   */
  constructor(
    kernel: Kernel,
    options: Options,
    idfTable?: Uint8Array,
    chosen: ChosenCategory = () => undefined,
    leastOf: LeastOfPath = asksForNothing,
  ) {
    this.#comparison = new Comparison(kernel, options, idfTable, { chosen, leastOf });
  }

  /** Takes a document that some thread has indexed; one of the same path is replaced. */
  adopt(path: string, index: DocumentIndex): void {
    this.#comparison.documents.replace(path, index);
  }

  /** A copy of the table by which matches are weighed; there is none before the first report. */
  idfTable(): Uint8Array | undefined {
    return this.#comparison.copyOfIdfTable();
  }

  /** The files that nearly repeat each other, and no passages; in steps, which may be ended early by `return`. */
  *reportFilesSteps(context: ReportContext): Generator<void, Findings> {
    const { kernel, documents } = this.#comparison;
    const mark = kernel.mark();
    try {
      return this.#reportNoPassages(yield* this.#comparison.clusterFilesSteps(documents.sorted()), context);
    } finally {
      kernel.release(mark);
    }
  }

  /** A report of documents that were not compared. */
  reportUncompared(context: ReportContext): Findings {
    return this.#reportNoPassages([], context);
  }

  #reportNoPassages(fileClusters: readonly FileCluster[], context: ReportContext): Findings {
    const { kernel, rules } = this.#comparison;
    const documents = this.#comparison.documents.sorted();
    const none = new Groups(kernel, (document) => documents[document], rules.chosen);
    none.replaceDocuments(documents.map((after) => ({ after })));
    return none.findings({ totals: totalsOf(documents), truncated: 0, fileClusters, ...context });
  }

  /**
   * Finds the seeds, in steps of some dozens of milliseconds. When they are ended early by `return`, there is no plan. Any
   * thread may then match slices of them; to finish the plan takes what all have found.
   */
  *planSteps(): Generator<void, CorpusPlan> {
    this.#dropMade();
    yield;
    return yield* this.#comparison.planSteps('kept', this.#ends);
  }

  /** Begins a plan whose search another thread does. */
  beginPlan(): BegunPlan<CorpusPlan> {
    this.#dropMade();
    return this.#comparison.beginPlan(this.#ends);
  }

  /**
   * The live corpus of the same documents, which has what the last report was made of. From here on it alone may be asked, and
   * no other thread may use the kernel's memory, but while a plan is matched.
   */
  keep(): LiveCorpus {
    const made = this.#made;
    this.#made = undefined;
    return new LiveCorpus(this.#comparison, made);
  }

  #dropMade(): void {
    this.#made = undefined;
    this.#comparison.documents.settle();
  }
}
