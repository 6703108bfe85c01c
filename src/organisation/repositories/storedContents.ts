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
  readonly #duckdb: DuckDB;
  readonly #partitions: string[];
  readonly #keys: BigUint64Array[] = [];

  private constructor(duckdb: DuckDB, partitions: readonly string[]) {
    [this.#duckdb, this.#partitions] = [duckdb, [...partitions]];
  }

  static async read(index: IndexFolder, duckdb: DuckDB, partitions: readonly string[]): Promise<StoredContents> {
    await duckdb.run(
      'CREATE OR REPLACE TEMP TABLE stored (key UBIGINT, partition UINTEGER, content UINTEGER, lines UINTEGER, tokens UINTEGER)',
    );
    const contents = new StoredContents(duckdb, partitions);
    if (partitions.length === 0) return contents;
    const files = partitions.map((id) => quoted(index.file('contents', id, 'contents.parquet')));
    await duckdb.run(
      `INSERT INTO stored SELECT key, file_index, content, lines, tokens FROM read_parquet([${files.join(', ')}])`,
    );
    contents.#addKeys(await duckdb.numbers('SELECT DISTINCT key FROM stored', BigUint64Array));
    return contents;
  }

  /**
   * Sorted lists of keys, in shared memory. Each list has more than twice as many keys as the next one. So there are
   * few lists to search, and adding keys rarely sorts older ones again.
   */
  get keys(): readonly BigUint64Array[] {
    return this.#keys;
  }

  /** Adds texts in new partitions. */
  async add(texts: ReadonlyMap<bigint, ContentPlace>): Promise<void> {
    if (texts.size === 0) return;
    const places = [...texts.values()];
    this.#partitions.push(...new Set(places.map(({ partition }) => partition)));
    await this.#duckdb.append('stored', [
      [...texts.keys()],
      places.map(({ partition }) => this.#partitions.lastIndexOf(partition)),
      places.map(({ content }) => content),
      places.map(({ lines }) => lines),
      places.map(({ tokens }) => tokens),
    ]);
    this.#addKeys(BigUint64Array.from(texts.keys()));
  }

  #addKeys(added: BigUint64Array): void {
    const lists = [added];
    let size = added.length;
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
    if (keys.length === 0) return new Map();
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
