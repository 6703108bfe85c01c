/**
 * The corpus: documents in, findings out. This is the one file that calls the stages, in this order:
 *
 *   bytes → tokens, windows, fingerprints (indexDocument) → seeds → matches → clusters → report
 */
import { cluster } from './cluster.ts';
import { DocumentIndexer, type DocumentIndex } from './indexDocument.ts';
import type { Kernel } from './kernel.ts';
import { lexiconForPath } from './lexicon.ts';
import { lineRecord } from './lines.ts';
import { makeReport, type NamedDocument } from './makeReport.ts';
import { type Match, Matcher, type MatchTask, readMatches, type TokenRange } from './matches.ts';
import type { Options } from './options.ts';
import type { Findings, Skipped } from './report.ts';
import { measureRarity } from './rarity.ts';
import { findSeeds, writeDocuments } from './seeds.ts';

/** What a report needs besides the documents. */
export interface ReportContext {
  readonly skipped: readonly Skipped[];
  readonly complete: boolean;
}

/** The seeds of a corpus as it is now. The corpus must not change until `finish`. */
export interface MatchPlan {
  readonly task: MatchTask;
  readonly documents: readonly NamedDocument[];
  /** Where the kernel's memory ended before. */
  readonly mark: number;
}

export class Corpus {
  readonly #kernel: Kernel;
  readonly #options: Options;
  readonly #documents = new Map<string, DocumentIndex>();
  readonly #brackets: readonly number[];

  constructor(kernel: Kernel, options: Options) {
    this.#kernel = kernel;
    this.#options = options;
    this.#brackets = bracketTokens(kernel, options);
  }

  /** Takes a document that some thread has indexed; one of the same path is replaced. */
  adopt(path: string, index: DocumentIndex): void {
    this.#documents.set(path, index);
  }

  remove(path: string): void {
    this.#documents.delete(path);
  }

  /** The whole way at once: what a program does that has no threads to share the matching with. */
  report(context: ReportContext): Findings {
    const plan = this.planMatching();
    const records = new Matcher(this.#kernel, plan.task, this.#options).matchSeeds(0, plan.task.seeds.count);
    return this.finish(plan, records, context);
  }

  /** Finds the seeds. Any thread may then match slices of them; `finish` takes what all have found. */
  planMatching(): MatchPlan {
    const kernel = this.#kernel;
    const mark = kernel.mark();
    // By path, so that the order in which documents came cannot matter.
    const documents: NamedDocument[] = [...this.#documents]
      .map(([path, index]) => ({ path, index }))
      .sort((x, y) => (x.path < y.path ? -1 : 1))
      // Comments are a document of their own, next to that of their code.
      .flatMap(({ path, index }) => [{ path, index }, ...(index.comments ? [{ path, index: index.comments }] : [])]);
    const indexes = documents.map((d) => d.index);
    const table = writeDocuments(kernel, indexes);
    const seeds = findSeeds(kernel, indexes, table, {
      code: this.#options.maxDistance,
      prose: this.#options.prose.maxDistance,
    });
    const rarities = measureRarity(kernel, table, indexes.length);
    return { mark, documents, task: { table, rarities, seeds, brackets: this.#brackets } };
  }

  /** Groups what matching has found, in any order, and gives the plan's memory back. */
  finish({ mark, documents, task }: MatchPlan, records: Uint32Array, context: ReportContext): Findings {
    const kernel = this.#kernel;
    const indexes = documents.map((d) => d.index);
    const matcher = new Matcher(kernel, task, this.#options);
    const longEnough = (match: Match): boolean => coversLines(kernel, indexes, match, this.#options.minLines);
    const clusters = cluster(readMatches(records).filter(longEnough), (a, b) => verify(a, b));
    const findings = makeReport({ kernel, documents, clusters, ...context });
    kernel.release(mark);
    return findings;

    function verify(a: TokenRange, b: TokenRange): Match | undefined {
      const [x, y] = a.document < b.document || (a.document === b.document && a.start <= b.start) ? [a, b] : [b, a];
      if (x.document === y.document && x.end > y.start) return undefined;
      const match = matcher.matchPassages(x, y);
      return match && longEnough(match) ? match : undefined;
    }
  }
}

// The tokens ( [ { ) ] } ; as the lexer makes them, for the kernel to know them by.
function bracketTokens(kernel: Kernel, options: Options): number[] {
  const indexer = new DocumentIndexer(kernel, options);
  const text = '([{)]};';
  const bytes = indexer.reserve(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const { tokens, tokenCount } = indexer.index(bytes, lexiconForPath('brackets.c'));
  return [...kernel.words.subarray(tokens >>> 2, (tokens >>> 2) + tokenCount)];
}

// Prose has no least number of lines: a paragraph may be one.
function coversLines(kernel: Kernel, indexes: readonly DocumentIndex[], match: Match, minLines: number): boolean {
  const { docA, docB, a0, a1, b0, b1 } = match;
  if (indexes[docA].prose) return true;
  const lines = (index: DocumentIndex, start: number, end: number): number =>
    lineOfToken(kernel, index, end - 1) - lineOfToken(kernel, index, start) + 1;
  return Math.max(lines(indexes[docA], a0, a1), lines(indexes[docB], b0, b1)) >= minLines;
}

function lineOfToken(kernel: Kernel, index: DocumentIndex, token: number): number {
  return kernel.words[lineRecord(kernel, index, token) + 1];
}
