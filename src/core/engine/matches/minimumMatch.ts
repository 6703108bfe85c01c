/** Minimum sizes of matches. They apply for both files; the number of lines, to at least one side. */
import type { DocumentIndex } from '../documents/documents.ts';
import type { NamedDocument } from '../documents/namedDocument.ts';
import type { Kernel } from '../kernel.ts';
import { linesCovered } from '../documents/lines.ts';
import * as layout from '../../kernel/matches/matchRecordLayout.ts';
import { type Match, readMatch } from './matchRecord.ts';
import { Pace } from '../steps.ts';

/** Minimum size of matches in a file. It applies in addition to the minimum sizes in the options. */
export interface Minimum {
  /** Minimum length of each side, in tokens of code or in words of prose. */
  readonly tokens?: number;
  /** Minimum number of lines of the longer side. Applies to code only. */
  readonly lines?: number;
  readonly similarity?: number;
}

/** Returns the extra requirements of a path, if it has any; always the same ones for the same path. */
export type MinimumOfPath = (path: string) => Minimum | undefined;

export const noMinimum: MinimumOfPath = () => undefined;

/** The document of one side of a match. `path` is read only if some path has extra requirements. */
type Side = Pick<NamedDocument, 'path' | 'index'>;

export class MinimumMatch {
  readonly #kernel: Kernel;
  readonly #lines: number;
  readonly #documentOf: (document: number) => Side;
  readonly #minimumOf: MinimumOfPath;

  /** @param lines  minimum number of lines of code, at least 1 */
  constructor(
    kernel: Kernel,
    lines: number,
    documentOf: (document: number) => Side,
    minimumOf: MinimumOfPath = noMinimum,
  ) {
    this.#kernel = kernel;
    this.#lines = lines;
    this.#documentOf = documentOf;
    this.#minimumOf = minimumOf;
  }

  allows({ docA, a0, a1, docB, b0, b1, similarity }: Match): boolean {
    const [a, b] = [this.#documentOf(docA), this.#documentOf(docB)];
    const minimum = this.#minOfBoth(a, b);
    if (minimum !== undefined && !meets(minimum, Math.min(a1 - a0, b1 - b0), similarity)) return false;
    const lines = Math.max(this.#lines, minimum?.lines ?? 0);
    return this.#isReached(a.index, a0, a1, lines) || this.#isReached(b.index, b0, b1, lines);
  }

  /**
   * Same as `allows`, but reads a match record and ignores extra requirements of paths. It avoids objects, because a
   * large tree has a million records.
   */
  #allowsRecord(records: Uint32Array, at: number): boolean {
    const [a, b] = [
      this.#documentOf(records[at + layout.matchDocAWord]),
      this.#documentOf(records[at + layout.matchDocBWord]),
    ];
    return (
      this.#isReached(a.index, records[at + layout.matchA0Word], records[at + layout.matchA1Word], this.#lines) ||
      this.#isReached(b.index, records[at + layout.matchB0Word], records[at + layout.matchB1Word], this.#lines)
    );
  }

  /** Returns the offsets of the records that meet the requirements. Runs in steps of a few milliseconds. */
  *allowed(records: Uint32Array): Generator<void, number[]> {
    const pace = new Pace();
    const hasNoMinimum = this.#minimumOf === noMinimum;
    const places: number[] = [];
    for (let at = 0; at < records.length; at += layout.matchWords) {
      if (pace.endsStep(0.25)) yield;
      if (hasNoMinimum ? this.#allowsRecord(records, at) : this.allows(readMatch(records, at))) places.push(at);
    }
    return places;
  }

  #minOfBoth(a: Side, b: Side): Minimum | undefined {
    if (this.#minimumOf === noMinimum) return undefined;
    const [x, y] = [this.#minimumOf(a.path), this.#minimumOf(b.path)];
    if (x === undefined || y === undefined || x === y) return x ?? y;
    const stricter = (key: keyof Minimum): number => Math.max(x[key] ?? 0, y[key] ?? 0);
    return { tokens: stricter('tokens'), lines: stricter('lines'), similarity: stricter('similarity') };
  }

  // Returns true if one side of a match has enough lines. Prose has no minimum, because a whole paragraph may be on one
  // line.
  #isReached(index: DocumentIndex, start: number, end: number, lines: number): boolean {
    return index.prose || linesCovered(this.#kernel, index, start, end) >= lines;
  }
}

function meets({ tokens = 0, similarity = 0 }: Minimum, ofShorter: number, ofMatch: number): boolean {
  return ofShorter >= tokens && ofMatch >= similarity;
}
