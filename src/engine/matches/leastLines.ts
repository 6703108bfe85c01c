/** Which matches count: those one end of which has as many lines as are asked for. */
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';
import { linesOf } from '../documents/lines.ts';
import { a0Word, a1Word, b0Word, b1Word, docAWord, docBWord, recordWords } from '../../kernel/matches/matchLayout.ts';
import type { Match } from './matchRecord.ts';
import { Pace } from '../steps.ts';

export class LeastLines {
  readonly #kernel: Kernel;
  readonly #least: number;
  readonly #indexOf: (document: number) => DocumentIndex;

  /** @param least  lines of code, at least 1 */
  constructor(kernel: Kernel, least: number, indexOf: (document: number) => DocumentIndex) {
    this.#kernel = kernel;
    this.#least = least;
    this.#indexOf = indexOf;
  }

  allows({ docA, a0, a1, docB, b0, b1 }: Match): boolean {
    return this.#isReached(docA, a0, a1) || this.#isReached(docB, b0, b1);
  }

  /** The places in records of matches, one behind the other, of those that count; in steps of some milliseconds. */
  *allowed(records: Uint32Array): Generator<void, number[]> {
    const pace = new Pace();
    const places: number[] = [];
    for (let at = 0; at < records.length; at += recordWords) {
      if (pace.isDue(0.25)) yield;
      const isAllowed =
        this.#isReached(records[at + docAWord], records[at + a0Word], records[at + a1Word]) ||
        this.#isReached(records[at + docBWord], records[at + b0Word], records[at + b1Word]);
      if (isAllowed) places.push(at);
    }
    return places;
  }

  // Prose has no least number of lines: a paragraph may be one.
  #isReached(document: number, start: number, end: number): boolean {
    const index = this.#indexOf(document);
    return index.prose || linesOf(this.#kernel, index, start, end) >= this.#least;
  }
}
