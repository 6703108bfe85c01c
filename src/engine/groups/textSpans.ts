/**
 * Where passages lie in their texts. A text may have several documents (`namedDocument.ts`), whose passages lie in each other
 * though they have no token in common: that of a page goes on around the comments in its fences.
 */
import type { Kernel } from '../kernel.ts';
import type { TokenRange } from '../matches/matchRecord.ts';
import type { NamedDocument } from '../documents/namedDocument.ts';
import { placeOfToken } from '../documents/tokenPlaces.ts';

/** A stretch [from, to) of a text: in its bytes, or in the tokens of its only document. */
export interface Span {
  readonly text: number;
  readonly from: number;
  readonly to: number;
}

/** Tells of a passage, not empty, where it lies. */
export interface Spans {
  readonly spanOf: (passage: TokenRange) => Span;
}

/** Of texts that have one document each. */
export const spansOfTokens: Spans = {
  spanOf: ({ document, start, end }) => ({ text: document, from: start, to: end }),
};

export class TextSpans implements Spans {
  readonly #kernel: Kernel;
  readonly #documentOf: (document: number) => NamedDocument;
  /** Numbers of the texts that have several documents, by path: below all numbers of documents. */
  readonly #texts = new Map<string, number>();

  constructor(kernel: Kernel, documentOf: (document: number) => NamedDocument) {
    this.#kernel = kernel;
    this.#documentOf = documentOf;
  }

  spanOf(passage: TokenRange): Span {
    const { path, index, part } = this.#documentOf(passage.document);
    if (part === 'text' && !index.comments && !index.quoted) return spansOfTokens.spanOf(passage);
    const text = this.#texts.get(path) ?? -1 - this.#texts.size;
    this.#texts.set(path, text);
    const from = placeOfToken(this.#kernel, index, passage.start).start;
    return { text, from, to: placeOfToken(this.#kernel, index, passage.end - 1).end };
  }
}
