/**
 * Texts that an index contains: their keys, which scan threads read, and their places, in a table of DuckDB. They are
 * read once for all repositories that a command stores, and then updated. A text that another process adds meanwhile
 * may be stored twice.
 */
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import type { IndexFolder } from '../folder/indexFolder.ts';

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
  readonly #keys: BigUint64Array[] = [];

  private constructor(index: IndexFolder, duckdb: DuckDB) {
    [this.#index, this.#duckdb] = [index, duckdb];
  }

  /** Reads the texts in partitions. */
  static async read(index: IndexFolder, duckdb: DuckDB, partitions: readonly string[]): Promise<StoredContents> {
    await duckdb.run(
      'CREATE OR REPLACE TABLE stored (key UBIGINT, partition UINTEGER, content UINTEGER, lines UINTEGER, tokens UINTEGER)',
    );
    const contents = new StoredContents(index, duckdb);
    await contents.add(partitions);
    return contents;
  }

  /**
   * Sorted lists of keys, in shared memory. Each list has more than twice as many keys as the next one. So there are
   * few lists to search, and adding keys rarely sorts older ones again.
   */
  get keys(): readonly BigUint64Array[] {
    return this.#keys;
  }

  /** Adds the texts in partitions. */
  async add(partitions: readonly string[]): Promise<void> {
    if (partitions.length === 0) return;
    const first = this.#partitions.length;
    this.#partitions.push(...partitions);
    const files = partitions.map((id) => quoted(this.#index.file('contents', id, 'contents.parquet')));
    await this.#duckdb.run(`INSERT INTO stored SELECT key, file_index + ${first}, content, lines, tokens
FROM read_parquet([${files.join(', ')}])`);
    const added = `SELECT DISTINCT key FROM stored WHERE partition >= ${first}`;
    const lists: BigUint64Array[] = [await this.#duckdb.numbers(added, BigUint64Array)];
    let size = lists[0]!.length;
    for (let last = this.#keys.at(-1); last && last.length <= 2 * size; last = this.#keys.at(-1)) {
      size += last.length;
      lists.push(this.#keys.pop()!);
    }
    const keys = new BigUint64Array(new SharedArrayBuffer(8 * size));
    let end = 0;
    for (const list of lists) {
      keys.set(list, end);
      end += list.length;
    }
    this.#keys.push(keys.sort());
  }

  /**
   * Returns the location of each text by its key.
   *
   * @param preferred  partitions whose texts are used first
   */
  async find(keys: readonly bigint[], preferred: readonly string[]): Promise<Map<bigint, ContentPlace>> {
    await this.#duckdb.createTable('wanted', { 'key UBIGINT': keys });
    const own = new Set(preferred);
    const ofOwn = this.#partitions.flatMap((id, number) => (own.has(id) ? number : []));
    // The last place of a key is used.
    const rows = await this.#duckdb.rows<Omit<ContentPlace, 'partition'> & { key: bigint; partition: number }>(
      `SELECT stored.* FROM stored JOIN wanted USING (key)
ORDER BY partition IN (${[-1, ...ofOwn].join(', ')}), partition DESC`,
    );
    return new Map(
      rows.map(({ key, partition, ...row }) => [key, { ...row, partition: this.#partitions[partition]! }]),
    );
  }
}
