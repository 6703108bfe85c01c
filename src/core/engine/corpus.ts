/**
 * The corpus of a scan: documents in, findings out. It can be converted into a live corpus, which accepts later
 * changes:
 *
 *   Corpus ── planSteps, beginPlan ──▶ plan ── finishSteps ──▶ findings
 *      └───── keep ──▶ LiveCorpus
 */
import {
  Comparison,
  type Comparisons,
  comparisonsOf,
  type CorpusPlan,
  type DocumentLoader,
  type StageResults,
  type PlanEnds,
  type ReportContext,
} from './comparison.ts';
import type { DocumentIndex } from './documents/documents.ts';
import { totalsOf } from './documents/namedDocument.ts';
import type { FileCluster } from './files/fileClusters.ts';
import type { ShingleCounts } from './files/fileOverlap.ts';
import type { Kernel } from './kernel.ts';
import { LiveCorpus } from './liveCorpus.ts';
import { noMinimum, type MinimumOfPath } from './matches/minimumMatch.ts';
import type { Options } from './options.ts';
import type { BegunPlan } from './plan.ts';
import { type CountedFile, Groups } from './report/makeReport.ts';
import type { Findings } from './report/report.ts';
import type { ChosenCategory } from './rows/categories.ts';
import type { PhraseFilter } from './seeds/phrases.ts';
import type { SimilarPassages } from './similar/findSimilar.ts';
import { findOnceSteps, type SearchedText } from './windowIndex.ts';

export class Corpus {
  readonly #comparison: Comparison;
  readonly #ends: PlanEnds = { finished: (made) => (this.#made = made), abandoned: () => undefined };
  #made: StageResults | undefined;

  /**
   * @param idfTable        inverse document frequencies of another corpus, so that both corpora weight matches alike.
   *                        If omitted, they are measured for the first report
   * @param chosenCategory  categories that the user has chosen for paths; must always return the same for the same path
   * @param minimumOf       returns extra requirements for the matches of a path
   */
  constructor(
    kernel: Kernel,
    options: Options,
    idfTable?: Uint8Array,
    chosenCategory: ChosenCategory = () => undefined,
    minimumOf: MinimumOfPath = noMinimum,
  ) {
    this.#comparison = new Comparison(kernel, options, idfTable, { chosenCategory, minimumOf });
  }

  /** Adds a document that this or another thread has indexed. Replaces a document of the same path. */
  adopt(path: string, index: DocumentIndex): void {
    this.#comparison.documents.replace(path, index);
  }

  /**
   * Loads arrays of documents when they are needed, because they do not fit into memory together. Records that finish a
   * plan must already be those that `MinimumMatch` allows.
   */
  loadWith(load: DocumentLoader): void {
    this.#comparison.load = load;
  }

  /** Returns a copy of the table of inverse document frequencies, or `undefined` before the first report. */
  idfTable(): Uint8Array | undefined {
    return this.#comparison.copyOfIdfTable();
  }

  /** Reports only near-duplicate files. Runs in steps; the caller may end the generator with `return`. */
  *reportFilesSteps(context: ReportContext): Generator<void, Findings> {
    const { kernel, documents } = this.#comparison;
    const mark = kernel.mark();
    try {
      return this.#reportNoPassages(yield* this.#comparison.clusterFilesSteps(documents.sorted()), context);
    } finally {
      kernel.release(mark);
    }
  }

  /** Returns a report without groups. No documents are compared. */
  reportUncompared(context: ReportContext): Findings {
    return this.#reportNoPassages([], context);
  }

  #reportNoPassages(fileClusters: readonly FileCluster[], context: ReportContext): Findings {
    const { kernel, rules } = this.#comparison;
    const documents = this.#comparison.documents.sorted();
    const none = new Groups(kernel, (document) => documents[document], rules.chosenCategory);
    none.replaceDocuments(documents.map((after) => ({ after })));
    none.updateFiles({ removed: [], added: fileClusters });
    return none.findings({ totals: totalsOf(documents), truncated: 0, ...context });
  }

  /**
   * Finds the seeds, in steps of a few dozen milliseconds, and returns a plan to match them. If the caller ends the
   * generator early with `return`, no plan is created. Any thread may match a slice of the plan's seeds. The plan can
   * be finished when all slices are matched.
   */
  *planSteps(): Generator<void, CorpusPlan> {
    this.#dropMade();
    yield;
    return yield* this.#comparison.planSteps('kept', this.#ends);
  }

  /** Begins a plan. Another thread searches for its seeds. */
  beginPlan(): BegunPlan<CorpusPlan> {
    this.#dropMade();
    return this.#comparison.beginPlan(this.#ends);
  }

  /** Adds the result of an earlier comparison of two files, by their documents. */
  knowOverlap(a: DocumentIndex, b: DocumentIndex, counts: ShingleCounts): void {
    this.#comparison.overlaps.set(a, b, counts);
  }

  /** Returns the last report's comparisons, by the document numbers of its plan. Precondition: there is a report. */
  comparisons(): Comparisons {
    return comparisonsOf(this.#made!, this.#comparison.overlaps);
  }

  /** Returns the files that the last report counted, in arbitrary order, or `undefined` if there is no report. */
  countedFiles(): CountedFile[] | undefined {
    return this.#made?.groups.countedFiles();
  }

  /**
   * Converts this corpus into a live corpus with the same documents and the results of the last report. Afterwards,
   * only the live corpus may be used. From then on, other threads may use the kernel's memory only while they match a
   * plan.
   */
  keep(): LiveCorpus {
    // A final report cannot be updated.
    const made = this.#made?.clusters && this.#made;
    this.#made = undefined;
    return new LiveCorpus(this.#comparison, made);
  }

  /**
   * For each text, finds the passages of documents that nearly duplicate it. The documents are not compared with each
   * other. The corpus must not be used afterwards.
   *
   * @param isLinked  see `findOnceSteps`
   */
  *findSimilarSteps(texts: readonly SearchedText[], isLinked?: PhraseFilter): Generator<void, SimilarPassages[]> {
    const { documents } = this.#comparison;
    documents.releaseOldVersions();
    const weighed = this.#comparison.weighedDocuments();
    documents.keepBlocks();
    return yield* findOnceSteps(this.#comparison, weighed, texts, isLinked);
  }

  #dropMade(): void {
    this.#made = undefined;
    this.#comparison.documents.releaseOldVersions();
  }
}
