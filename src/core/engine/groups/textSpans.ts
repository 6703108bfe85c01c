/**
 * Data about texts that grouping needs: the positions of passages, and the runs of equal tokens in two passages. A file
 * with comments or quoted code has several documents (`namedDocument.ts`). So one passage can lie inside another
 * although the two share no token. For example, a passage of a page contains the fences on that page, whose comments
 * belong to another document.
 */
import { firstPlace } from '../../collections/lists.ts';
import type { Kernel } from '../kernel.ts';
import { unitBytes, unitEndAt, unitStartAt } from '../../kernel/documents/unitLayout.ts';
import type { TokenRange } from '../matches/matchRecord.ts';
import { minTokensOf, type Options } from '../options.ts';
import { everyEqualStretch } from './equalStretches.ts';
import type { NamedDocument } from '../documents/namedDocument.ts';
import { placeOfToken } from '../documents/tokenPlaces.ts';
import { constants } from '../constants.ts';

/** A range [from, to) of a text: in bytes, or in tokens if the text has only one document. */
export interface Span {
  readonly text: number;
  readonly from: number;
  readonly to: number;
}

export interface Texts {
  /** Returns the position of a passage in its text. Precondition: the passage is not empty. */
  readonly spanOf: (passage: TokenRange) => Span;
  /** Returns, for a document, the minimum length in tokens of an equal run that some cluster must contain. */
  readonly minEqual: (document: number) => number;
  /** The smallest result of `minEqual` for any document. */
  readonly minEqualOfAll: number;
  /**
   * Returns the minimum overlap at which two sides of matches become one passage: their intersection as a share of
   * their union.
   */
  readonly samePassage: (document: number) => number;
  /** Returns true if a passage is a whole unit: a function, class, or top-level block. */
  readonly isUnit: (passage: TokenRange) => boolean;
  /**
   * Calls `holds` for every sufficiently long run of equal tokens in two passages. Returns true if all results are
   * true.
   */
  readonly everyEqualRun: (a: TokenRange, b: TokenRange, holds: (x: TokenRange, y: TokenRange) => boolean) => boolean;
}

function spanOfTokens({ document, start, end }: TokenRange): Span {
  return { text: document, from: start, to: end };
}

export class TextSpans implements Texts {
  readonly #kernel: Kernel;
  readonly #documentOf: (document: number) => NamedDocument;
  readonly #loadedOf: (document: number) => NamedDocument;
  readonly #options: Options;
  readonly minEqualOfAll: number;
  /**
   * Numbers of the texts with several documents, by path. They are negative, so that they differ from all document
   * numbers.
   */
  readonly #texts = new Map<string, number>();

  /** @param loadedOf  returns a document after its arrays have been loaded */
  constructor(
    kernel: Kernel,
    documentOf: (document: number) => NamedDocument,
    loadedOf: (document: number) => NamedDocument,
    options: Options,
  ) {
    this.#kernel = kernel;
    this.#loadedOf = loadedOf;
    this.#options = options;
    this.minEqualOfAll = Math.min(options.minTokens, options.prose.minWords);
    this.#documentOf = documentOf;
  }

  spanOf(passage: TokenRange): Span {
    const { path, index, part } = this.#documentOf(passage.document);
    if (part === 'text' && !index.comments && !index.quoted) return spanOfTokens(passage);
    const text = this.#texts.get(path) ?? -1 - this.#texts.size;
    this.#texts.set(path, text);
    this.#loadedOf(passage.document);
    const from = placeOfToken(this.#kernel, index, passage.start).start;
    return { text, from, to: placeOfToken(this.#kernel, index, passage.end - 1).end };
  }

  minEqual(document: number): number {
    return minTokensOf(this.#documentOf(document).index, this.#options);
  }

  samePassage(document: number): number {
    const { code, prose } = constants.groups.samePassage;
    return this.#documentOf(document).index.prose ? prose : code;
  }

  isUnit({ document, start, end }: TokenRange): boolean {
    const { units, unitCount } = this.#loadedOf(document).index;
    const { words } = this.#kernel;
    const startOf = (unit: number): number => words[(units + unit * unitBytes + unitStartAt) >>> 2];
    let unit = firstPlace(unitCount, (place) => startOf(place) < start);
    for (; unit < unitCount && startOf(unit) === start; unit++) {
      if (words[(units + unit * unitBytes + unitEndAt) >>> 2] === end) return true;
    }
    return false;
  }

  everyEqualRun(a: TokenRange, b: TokenRange, holds: (x: TokenRange, y: TokenRange) => boolean): boolean {
    const [ofA, ofB] = [a, b].map(({ document }) => this.#loadedOf(document).index.tokens >>> 2);
    return everyEqualStretch(
      this.#kernel,
      [ofA + a.start, ofA + a.end],
      [ofB + b.start, ofB + b.end],
      this.minEqual(a.document),
      (x, y, length) =>
        holds(
          { document: a.document, start: x - ofA, end: x - ofA + length },
          { document: b.document, start: y - ofB, end: y - ofB + length },
        ),
    );
  }
}
