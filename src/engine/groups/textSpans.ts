/**
 * What grouping has to know of texts: where passages lie in them, and what is equal in two passages. A text may have several documents (`namedDocument.ts`), whose passages lie in each other
 * though they have no token in common: that of a page goes on around the comments in its fences.
 */
import type { Kernel } from '../kernel.ts';
import type { TokenRange } from '../matches/matchRecord.ts';
import type { Options } from '../options.ts';
import { everyEqualStretch } from './equalStretches.ts';
import type { NamedDocument } from '../documents/namedDocument.ts';
import { placeOfToken } from '../documents/tokenPlaces.ts';
import { tuning } from '../tuning.ts';

/** A stretch [from, to) of a text: in its bytes, or in the tokens of its only document. */
export interface Span {
  readonly text: number;
  readonly from: number;
  readonly to: number;
}

export interface Texts {
  /** Where a passage, not empty, lies. */
  readonly spanOf: (passage: TokenRange) => Span;
  /** Tokens of a document that are never left without a cluster when they are equal in a row. */
  readonly leastEqual: (document: number) => number;
  /** The least of these. */
  readonly leastEqualOfAll: number;
  /** Ends of matches in a document that overlap by this share of their union are one passage. */
  readonly samePassage: (document: number) => number;
  /** Whether something holds for all runs of at least so many equal tokens in two passages. */
  readonly everyEqualRun: (a: TokenRange, b: TokenRange, holds: (x: TokenRange, y: TokenRange) => boolean) => boolean;
}

/** Texts that have one document each, and of whose tokens nothing is known. */
export function unknownTexts(leastEqual: number): Texts {
  return {
    spanOf: spanOfTokens,
    leastEqual: () => leastEqual,
    leastEqualOfAll: leastEqual,
    samePassage: () => tuning.groups.samePassage.code,
    everyEqualRun: () => true,
  };
}

function spanOfTokens({ document, start, end }: TokenRange): Span {
  return { text: document, from: start, to: end };
}

export class TextSpans implements Texts {
  readonly #kernel: Kernel;
  readonly #documentOf: (document: number) => NamedDocument;
  readonly #options: Options;
  readonly leastEqualOfAll: number;
  /** Numbers of the texts that have several documents, by path: below all numbers of documents. */
  readonly #texts = new Map<string, number>();

  constructor(kernel: Kernel, documentOf: (document: number) => NamedDocument, options: Options) {
    this.#kernel = kernel;
    this.#options = options;
    this.leastEqualOfAll = Math.min(options.minTokens, options.prose.minWords);
    this.#documentOf = documentOf;
  }

  spanOf(passage: TokenRange): Span {
    const { path, index, part } = this.#documentOf(passage.document);
    if (part === 'text' && !index.comments && !index.quoted) return spanOfTokens(passage);
    const text = this.#texts.get(path) ?? -1 - this.#texts.size;
    this.#texts.set(path, text);
    const from = placeOfToken(this.#kernel, index, passage.start).start;
    return { text, from, to: placeOfToken(this.#kernel, index, passage.end - 1).end };
  }

  leastEqual(document: number): number {
    const { prose, minTokens } = this.#options;
    return this.#documentOf(document).index.prose ? prose.minWords : minTokens;
  }

  samePassage(document: number): number {
    const { code, prose } = tuning.groups.samePassage;
    return this.#documentOf(document).index.prose ? prose : code;
  }

  everyEqualRun(a: TokenRange, b: TokenRange, holds: (x: TokenRange, y: TokenRange) => boolean): boolean {
    const [ofA, ofB] = [a, b].map(({ document }) => this.#documentOf(document).index.tokens >>> 2);
    return everyEqualStretch(
      this.#kernel.words,
      [ofA + a.start, ofA + a.end],
      [ofB + b.start, ofB + b.end],
      this.leastEqual(a.document),
      (x, y, length) =>
        holds(
          { document: a.document, start: x - ofA, end: x - ofA + length },
          { document: b.document, start: y - ofB, end: y - ofB + length },
        ),
    );
  }
}
