/**
 * Which matches count: those one end of which has as many lines as are asked for, and that meet what is asked of their files
 * besides. Of two files that ask for different things, the stricter one counts.
 */
import type { DocumentIndex } from '../documents/documents.ts';
import type { NamedDocument } from '../documents/namedDocument.ts';
import type { Kernel } from '../kernel.ts';
import { linesOf, writtenLinesOf } from '../documents/lines.ts';
import { recordWords } from '../../kernel/matches/matchLayout.ts';
import { type Match, readMatch } from './matchRecord.ts';
import { Pace } from '../steps.ts';

/** What is asked of matches with a side in a file. It can only be more than what the options ask of all. */
export interface Least {
  /** Of each side: tokens of code, words of prose. */
  readonly tokens?: number;
  /** Of the longer side, of code. */
  readonly lines?: number;
  readonly similarity?: number;
}

/** Tells what is asked of a path: always the same for the same path; undefined for nothing. */
export type LeastOfPath = (path: string) => Least | undefined;

export const asksForNothing: LeastOfPath = () => undefined;

/** The document of a side: its path is not asked for when no path asks for anything. */
type Side = Pick<NamedDocument, 'path' | 'index'>;

export class LeastMatch {
  readonly #kernel: Kernel;
  readonly #lines: number;
  readonly #documentOf: (document: number) => Side;
  readonly #leastOf: LeastOfPath;

  /** @param lines  of code, at least 1 */
  constructor(
    kernel: Kernel,
    lines: number,
    documentOf: (document: number) => Side,
    leastOf: LeastOfPath = asksForNothing,
  ) {
    this.#kernel = kernel;
    this.#lines = lines;
    this.#documentOf = documentOf;
    this.#leastOf = leastOf;
  }

  allows({ docA, a0, a1, docB, b0, b1, similarity }: Match): boolean {
    const [a, b] = [this.#documentOf(docA), this.#documentOf(docB)];
    const least = this.#leastOfBoth(a, b);
    if (least !== undefined && !meets(least, Math.min(a1 - a0, b1 - b0), similarity)) return false;
    const lines = Math.max(this.#lines, least?.lines ?? 0);
    return this.#isReached(a.index, a0, a1, lines) || this.#isReached(b.index, b0, b1, lines);
  }

  /** The places in records of matches, one behind the other, of those that count; in steps of some milliseconds. */
  *allowed(records: Uint32Array): Generator<void, number[]> {
    const pace = new Pace();
    const places: number[] = [];
    for (let at = 0; at < records.length; at += recordWords) {
      if (pace.isDue(0.25)) yield;
      if (this.allows(readMatch(records, at))) places.push(at);
    }
    return places;
  }

  #leastOfBoth(a: Side, b: Side): Least | undefined {
    if (this.#leastOf === asksForNothing) return undefined;
    const [x, y] = [this.#leastOf(a.path), this.#leastOf(b.path)];
    if (x === undefined || y === undefined || x === y) return x ?? y;
    const stricter = (key: keyof Least): number => Math.max(x[key] ?? 0, y[key] ?? 0);
    return { tokens: stricter('tokens'), lines: stricter('lines'), similarity: stricter('similarity') };
  }

  // Prose has no least number of lines: a paragraph may be one.
  #isReached(index: DocumentIndex, start: number, end: number, lines: number): boolean {
    return (
      index.prose ||
      linesOf(this.#kernel, index, start, end) >= lines ||
      writtenLinesOf(this.#kernel, index, start, end) >= lines
    );
  }
}

function meets({ tokens = 0, similarity = 0 }: Least, ofShorter: number, ofMatch: number): boolean {
  return ofShorter >= tokens && ofMatch >= similarity;
}
