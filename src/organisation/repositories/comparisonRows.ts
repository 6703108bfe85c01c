/**
 * JSON Lines format of the rows that the steps of a comparison pass to each other. Every row is self-contained, so
 * other programs can split, sort, and distribute the rows (docs/organisation.md).
 */
import { isObject, type Values } from '../../core/collections/parsedValues.ts';
import { documentParts, type DocumentPart } from '../../core/engine/documents/namedDocument.ts';
import { grown } from '../../core/engine/grown.ts';
import { IndexError } from '../folder/indexError.ts';

/** Both documents of a pair or match. Paths start with the repository name; parts are those of `documentParts`. */
export interface RowEnds {
  readonly pathA: string;
  readonly partA: number;
  readonly pathB: string;
  readonly partB: number;
}

/** Format of the rows that a step reads. */
export interface RowKind<Field extends string> {
  /** Command that writes rows in this format. */
  readonly command: string;
  /** Names of the row's number fields, with the maximum value of each. */
  readonly numbers: Readonly<Record<Field, number>>;
}

const maxToken = 2 ** 27 - 1;
const maxWord = 2 ** 32 - 1;

/**
 * Candidate pairs: the first tokens of two windows, and the number of differing bits. The value 31 marks a pair that is
 * used only to follow a run of equal tokens (`runOnly`).
 */
export const pairKind = {
  command: 'kindred org pairs',
  numbers: { tokenA: maxToken, tokenB: maxToken, bits: 31 },
} satisfies RowKind<string>;

/** Matches: the fields of `Match`, except for the similarity. */
export const matchKind = {
  command: 'kindred org align',
  numbers: {
    a0: maxToken,
    a1: maxToken,
    b0: maxToken,
    b1: maxToken,
    equal: maxToken,
    consistent: maxToken,
    once: maxToken,
    differing: maxToken,
    bits: maxWord,
    score: maxWord,
    longest: maxToken,
  },
} satisfies RowKind<string>;

export const matchFields = Object.keys(matchKind.numbers) as (keyof (typeof matchKind)['numbers'])[];

/** Rows read from the input. `ends` has two items per row, and `values` has one item per row and field. */
export class ReadRows<Field extends string> {
  /** Id of the index state from which the rows were computed; `undefined` if no rows were read. */
  state: string | undefined;
  /**
   * Number of fingerprints with more near fingerprints than are kept, summed over all rows that contain such a number.
   */
  crowded = 0;
  count = 0;
  /** Distinct documents in the rows; and, in `ends`, the indices of both documents for each row. */
  readonly documents: { readonly path: string; readonly part: DocumentPart }[] = [];
  ends = new Uint32Array(2 * 1_024);
  /** Numbers of each row, in the order of the format's fields. */
  values: Uint32Array;
  readonly fields: readonly Field[];
  readonly kind: RowKind<Field>;
  readonly #indices = new Map<string, number>();

  constructor(kind: RowKind<Field>) {
    this.kind = kind;
    this.fields = Object.keys(kind.numbers) as Field[];
    this.values = new Uint32Array(this.fields.length * 1_024);
  }

  /**
   * @throws IndexError if the line does not have this format, or belongs to a different index state than earlier lines
   */
  add(line: string, number: number): void {
    const row = parsed(line);
    if (row === undefined || typeof row['state'] !== 'string') throw this.#notARow(number);
    this.state ??= row['state'];
    if (this.state !== row['state']) {
      throw new IndexError(
        `Line ${number} of the input is of another state of the index than the lines before: pass lines of one run of kindred org pairs.`,
      );
    }
    if (isWhole(row['crowded'], maxWord)) {
      this.crowded += row['crowded'];
      return;
    }
    const [a, b] = [this.#documentOf(row['pathA'], row['partA']), this.#documentOf(row['pathB'], row['partB'])];
    const values = this.fields.map((field) => row[field]);
    if (a === undefined || b === undefined || !this.#arePossible(values)) throw this.#notARow(number);
    if (2 * this.count === this.ends.length) {
      this.ends = grown(this.ends, 2 * this.ends.length);
      this.values = grown(this.values, 2 * this.values.length);
    }
    this.ends.set([a, b], 2 * this.count);
    this.values.set(values, this.fields.length * this.count++);
  }

  #arePossible(values: readonly unknown[]): values is number[] {
    return values.every((value, i) => isWhole(value, this.kind.numbers[this.fields[i]!]));
  }

  #notARow(number: number): IndexError {
    return new IndexError(`Line ${number} of the input is not from ${this.kind.command}: pass its output.`);
  }

  #documentOf(path: unknown, part: unknown): number | undefined {
    if (typeof path !== 'string' || !isWhole(part, documentParts.length - 1)) return undefined;
    const key = `${part}${path}`;
    let index = this.#indices.get(key);
    if (index === undefined) {
      index = this.documents.push({ path, part: documentParts[part]! }) - 1;
      this.#indices.set(key, index);
    }
    return index;
  }
}

function parsed(line: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isWhole(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}

export type PairRows = ReadRows<keyof (typeof pairKind)['numbers']>;
export type MatchRows = ReadRows<keyof (typeof matchKind)['numbers']>;
