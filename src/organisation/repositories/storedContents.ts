/**
 * Keys of the texts that an index contains. They are read once for all repositories that a command stores, and then
 * updated. A text that another process adds meanwhile may be stored twice.
 */
import { firstPlace } from '../../core/collections/lists.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import type { IndexFolder, RepositoryState } from '../folder/indexFolder.ts';

/** Sorted keys, and the number of the partition of each. There may be millions, so they are in typed arrays. */
interface Run {
  /** In shared memory, because scan threads read it. */
  readonly keys: BigUint64Array;
  readonly partitions: Uint32Array;
}

/** Location of a stored text, and its sizes. */
export interface ContentPlace {
  readonly partition: string;
  readonly content: number;
  readonly lines: number;
  readonly tokens: number;
}

export class StoredContents {
  readonly #index: IndexFolder;
  readonly #duckdb: DuckDB;
  readonly #partitions: string[] = [];
  /**
   * Each run has more than twice as many keys as the next one. So there are few runs to search, and adding keys rarely
   * copies older ones.
   */
  readonly #runs: Run[] = [];

  private constructor(index: IndexFolder, duckdb: DuckDB) {
    [this.#index, this.#duckdb] = [index, duckdb];
  }

  static async read(index: IndexFolder, duckdb: DuckDB, states: readonly RepositoryState[]): Promise<StoredContents> {
    const stored = new StoredContents(index, duckdb);
    const ids = new Set(states.flatMap(({ partitions }) => partitions.map(({ id }) => id)));
    if (ids.size === 0) return stored;
    stored.#partitions.push(...ids);
    const [keys, partitions] = await duckdb.columns<[BigUint64Array, Uint32Array]>(
      `SELECT key, min(file_index)::UINTEGER FROM ${stored.#files(stored.#partitions)} GROUP BY key ORDER BY key`,
    );
    const run = { ...newRun(keys.length), partitions };
    run.keys.set(keys);
    stored.#runs.push(run);
    return stored;
  }

  /** Returns the tables of partitions as SQL. The column `file_index` is the index of the partition. */
  #files(partitions: readonly string[]): string {
    return `read_parquet([${partitions.map((id) => quoted(this.#index.contentsFile(id))).join(', ')}])`;
  }

  /** Sorted lists. */
  keys(): readonly BigUint64Array[] {
    return this.#runs.map(({ keys }) => keys);
  }

  add(partition: string, keys: readonly bigint[]): void {
    if (keys.length === 0) return;
    let run = newRun(keys.length);
    run.keys.set(keys);
    run.keys.sort();
    run.partitions.fill(this.#partitions.push(partition) - 1);
    for (let last = this.#runs.at(-1); last && last.keys.length <= 2 * run.keys.length; last = this.#runs.at(-1)) {
      run = merged(last, run);
      this.#runs.pop();
    }
    this.#runs.push(run);
  }

  /** Returns the id of a partition that contains the text with a key; `undefined` if there is none. */
  partitionOf(key: bigint): string | undefined {
    for (const { keys, partitions } of this.#runs) {
      const place = firstPlace(keys.length, (i) => keys[i]! < key);
      if (keys[place] === key) return this.#partitions[partitions[place]!];
    }
    return undefined;
  }

  /**
   * Returns the location of each text by its key.
   *
   * @param preferred  partitions whose texts are used first
   */
  async find(keys: readonly bigint[], preferred: readonly string[]): Promise<Map<bigint, ContentPlace>> {
    const places = new Map<bigint, ContentPlace>();
    if (keys.length === 0) return places;
    const partitions = [...new Set([...preferred, ...keys.map((key) => this.partitionOf(key)!)])];
    await this.#duckdb.run('CREATE OR REPLACE TEMP TABLE wanted (key UBIGINT)');
    await this.#duckdb.append('wanted', [keys], keys.length);
    const rows = await this.#duckdb.rows<Omit<ContentPlace, 'partition'> & { key: bigint; file: number }>(
      `SELECT key, content, lines, tokens, file_index::UINTEGER AS file
FROM ${this.#files(partitions)} JOIN wanted USING (key) ORDER BY file`,
    );
    for (const { key, file, ...row } of rows) {
      if (!places.has(key)) places.set(key, { ...row, partition: partitions[file]! });
    }
    return places;
  }
}

function newRun(count: number): Run {
  return { keys: new BigUint64Array(new SharedArrayBuffer(8 * count)), partitions: new Uint32Array(count) };
}

function merged(x: Run, y: Run): Run {
  const all = newRun(x.keys.length + y.keys.length);
  let [ofX, ofY] = [0, 0];
  for (let i = 0; i < all.keys.length; i++) {
    const takesX = ofY === y.keys.length || (ofX < x.keys.length && x.keys[ofX]! <= y.keys[ofY]!);
    const from = takesX ? x : y;
    const place = takesX ? ofX++ : ofY++;
    all.keys[i] = from.keys[place]!;
    all.partitions[i] = from.partitions[place]!;
  }
  return all;
}
