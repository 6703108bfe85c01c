/**
 * Parquet files that the steps of a comparison pass to each other (docs/organisation.md). Every row names its documents
 * and the state of the index, so other programs can split and distribute the rows. DuckDB reads and writes them: it
 * replaces the names of documents by their numbers, which differ between steps that load different documents.
 */
import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { documentParts } from '../../core/engine/documents/namedDocument.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import { IndexError } from '../folder/indexError.ts';
import { explained } from '../folder/folderFiles.ts';
import { type FolderContents, partOf, type StoredDocuments } from './folderContents.ts';

/** Rows of one step. `x` and `y` are the documents of a row in the table `document`. */
export interface RowKind {
  /** Command that writes these rows. */
  readonly command: string;
  readonly numbers: readonly string[];
  /** SQL conditions: the tokens of a row are in its documents, and its other numbers are possible. */
  readonly isInX: string;
  readonly isInY: string;
  readonly isPossible: string;
}

/**
 * Candidate pairs: the first tokens of two windows, and the number of differing bits. The value 31 marks a pair that is
 * used only to follow a run of equal tokens (`runOnly`), and 30 one of which only units are compared (`unitOnly`).
 */
export const pairKind: RowKind = {
  command: 'kindred org pairs',
  numbers: ['tokenA', 'tokenB', 'bits'],
  isInX: 'tokenA < x.tokens',
  isInY: 'tokenB < y.tokens',
  isPossible: 'bits <= 31',
};

export const matchFields = [
  ...['a0', 'a1', 'b0', 'b1'],
  ...['equal', 'consistent', 'once', 'differing', 'bits', 'score', 'longest'],
] as const;

/** Matches: the fields of a record after both documents, in its order. */
export const matchKind: RowKind = {
  command: 'kindred org align',
  numbers: matchFields,
  isInX: 'a0 < a1 AND a1 <= x.tokens',
  isInY: 'b0 < b1 AND b1 <= y.tokens',
  isPossible: 'bits IS NOT NULL AND equal + consistent + once + differing + score + longest IS NOT NULL',
};

const nameTypes = { state: 'VARCHAR', pathA: 'VARCHAR', partA: 'UTINYINT', pathB: 'VARCHAR', partB: 'UTINYINT' };
const namesOfEnds = 'x.path AS pathA, x.part AS partA, y.path AS pathB, y.part AS partB';
/** Rows of files, with the numbers and sizes of their documents. */
const namedRows = `step_row LEFT JOIN document x ON x.path = pathA AND x.part = partA
LEFT JOIN document y ON y.path = pathB AND y.part = partB`;

/** Paths of the files that the rows name, as SQL. */
export const pathsOfRows = '(SELECT pathA FROM step_row UNION SELECT pathB FROM step_row)';

/** Creates the table `document`: the documents that are compared, and that rows may name. */
export async function nameDocuments(
  duckdb: DuckDB,
  { partitionOf, bases }: FolderContents,
  { documents, shapes }: StoredDocuments,
): Promise<void> {
  const partitions = documents.map(({ content }) => partitionOf(content));
  await duckdb.createTable('document', {
    'path VARCHAR': documents.map(({ path }) => path),
    'partition UINTEGER': partitions,
    'content UINTEGER': documents.map(({ content }, number) => content - bases[partitions[number]!]!),
    'part UTINYINT': documents.map(({ part }) => documentParts.indexOf(part)),
    'number UINTEGER': documents.map((_, number) => number),
    'tokens UINTEGER': documents.map(({ content, part }) => partOf(shapes.get(content)!, part)!.tokenCount),
  });
}

export interface RowsState {
  /** Id of the index state from which the rows were computed; `undefined` if there are none. */
  readonly state: string | undefined;
  /** Number of windows with more near ones than are kept. */
  readonly crowded: number;
}

/** The rows of the files that were opened last, which are the table `step_row`. */
export class StepRows implements RowsState {
  readonly duckdb: DuckDB;
  state: string | undefined;
  crowded = 0;
  readonly #kind: RowKind;
  readonly #files: readonly string[];

  private constructor(duckdb: DuckDB, kind: RowKind, files: readonly string[]) {
    this.duckdb = duckdb;
    this.#kind = kind;
    this.#files = files;
  }

  /** @throws IndexError if a file is not of this kind, or if the rows are of different states */
  static async open(duckdb: DuckDB, kind: RowKind, files: readonly string[]): Promise<StepRows> {
    const rows = new StepRows(duckdb, kind, files);
    const numbers = [...kind.numbers, 'crowded'].map((name) => [name, 'UINTEGER']);
    const types = [...Object.entries(nameTypes), ...numbers];
    const columnsOf = (value?: string): string =>
      types.map(([name, type]) => `${value ?? name}::${type} AS ${name}`).join(', ');
    const source =
      files.length > 0
        ? `SELECT ${columnsOf()}, filename, file_row_number
FROM read_parquet([${files.map(quoted).join(', ')}], filename = true, file_row_number = true)`
        : `SELECT ${columnsOf('NULL')}, '' AS filename, 0 AS file_row_number LIMIT 0`;
    const [row] = await rows.#explaining(async () => {
      await duckdb.run(`CREATE OR REPLACE TEMP VIEW step_row AS ${source}`);
      return duckdb.rows<{ state: string | null; other: string | null; unknown: bigint; crowded: bigint }>(
        `SELECT min(state) AS state, max(state) AS other, count(*) - count(state) AS unknown,
  coalesce(sum(crowded), 0)::BIGINT AS crowded FROM step_row`,
      );
    });
    const { state, other, unknown, crowded } = row!;
    if (unknown > 0) throw rows.#notRows();
    if (state !== other) {
      throw new IndexError(
        'The input has rows of several states of the index: pass the output of one run of kindred org pairs.',
      );
    }
    [rows.state, rows.crowded] = [state ?? undefined, Number(crowded)];
    return rows;
  }

  /**
   * Reads numbers of each row, and returns the rows one after another. In `select` and `order`, `x` and `y` are the
   * documents of a row.
   *
   * @throws IndexError if a row names a document that `document` does not contain, or tokens that it does not have
   */
  async read(select: readonly string[], order: string): Promise<Uint32Array> {
    const { isInX, isInY, isPossible } = this.#kind;
    const isWrong = `NOT coalesce(${isInX} AND ${isInY} AND ${isPossible}, false)`;
    return this.#explaining(async () => {
      const [wrong] = await this.duckdb.rows<{ isUnknown: boolean; file: string | null }>(
        `SELECT x.number IS NULL OR y.number IS NULL AS isUnknown,
  CASE WHEN pathA IS NULL OR pathB IS NULL THEN NULL
    WHEN x.number IS NULL THEN pathA WHEN y.number IS NULL THEN pathB
    WHEN NOT coalesce(${isInX}, false) THEN pathA WHEN NOT coalesce(${isInY}, false) THEN pathB END AS file
FROM ${namedRows} WHERE crowded IS NULL AND ${isWrong} LIMIT 1`,
      );
      if (wrong?.file === null) throw this.#notRows();
      if (wrong) {
        const { isUnknown, file } = wrong;
        const words = isUnknown ? `names ${file}, which the index does` : `has a token that ${file} does`;
        throw new IndexError(`The input ${words} not have: pass the output of ${this.#kind.command}.`);
      }
      const numbers = select.map((number) => `(${number})::UINTEGER`).join(', ');
      return this.duckdb.numbers(
        `SELECT ${numbers} FROM ${namedRows} WHERE crowded IS NULL ORDER BY ${order}`,
        Uint32Array,
      );
    });
  }

  #notRows(cause?: unknown): IndexError {
    const files = this.#files.length === 1 ? this.#files[0]! : 'A file of the input';
    return new IndexError(`${files} is not from ${this.#kind.command}: pass its output.`, { cause });
  }

  async #explaining<Read>(read: () => Promise<Read>): Promise<Read> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof IndexError || !(error instanceof Error)) throw error;
      // Not Parquet, truncated, without one of the columns, or with values of other types.
      if (/Parquet|magic bytes|Binder Error|Conversion Error|Invalid Input/i.test(error.message))
        throw this.#notRows(error);
      throw explained(error, this.#files[0]!);
    }
  }
}

export interface WrittenRows extends RowsState {
  readonly kind: RowKind;
  /** Table with the numbers of both documents of each row (`docA`, `docB`), and the columns of its kind. */
  readonly table: string;
  readonly order?: string;
}

/** Writes a file of rows, all at once: the file has all rows, or does not exist. */
export async function writeRows(
  duckdb: DuckDB,
  file: string,
  { kind, table, order, state, crowded }: WrittenRows,
): Promise<void> {
  const id = `${quoted(state!)} AS state`;
  const rows = `SELECT ${id}, ${namesOfEnds}, ${kind.numbers.join(', ')}, NULL::UINTEGER AS crowded
FROM ${table} r JOIN document x ON x.number = docA JOIN document y ON y.number = docB${order ? ` ORDER BY ${order}` : ''}`;
  const all = crowded === 0 ? rows : `(${rows}) UNION ALL BY NAME SELECT ${id}, ${crowded}::UINTEGER AS crowded`;
  const draft = `${file}.${randomUUID()}`;
  try {
    await duckdb.run(`COPY (${all}) TO ${quoted(draft)} (FORMAT parquet, COMPRESSION zstd)`);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw explained(error, file);
  }
}
