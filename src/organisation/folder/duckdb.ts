/**
 * DuckDB in this process, from the npm package @duckdb/node-api. It has 70 MB of native code, so it is installed only
 * on request, and only for commands that need it.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Package from '@duckdb/node-api';
import { CancellationError, type Cancellation, checkCancelled } from './cancellation.ts';
import { IndexError } from './indexError.ts';

const require = createRequire(import.meta.url);
const packageName = '@duckdb/node-api';
const packageVersion = '1.5.6-r.1';

/** Number of rows in a data chunk: DuckDB's vector size. */
const chunkRows = 2_048;

export interface DuckDBSettings {
  /** Folder in which `installCommand` installs the DuckDB package. */
  readonly packages: string;
  readonly threads: number;
  /** Maximum size of tables in memory. */
  readonly memoryMB: number;
  /** Folder to which DuckDB writes data that do not fit into memory. DuckDB creates it when needed. */
  readonly spill: string;
}

/** Values of one table column, one per row. */
export type Column = ArrayLike<number | bigint | string | null>;

/** Interval at which a running statement is interrupted if the user has cancelled the command. */
const pollMs = 50;

/** An in-memory DuckDB database. */
export class DuckDB {
  readonly #package: typeof Package;
  readonly #instance: Package.DuckDBInstance;
  readonly #connection: Package.DuckDBConnection;
  #cancellation: Cancellation = { cancelled: () => false };

  constructor(loaded: typeof Package, instance: Package.DuckDBInstance, connection: Package.DuckDBConnection) {
    this.#package = loaded;
    this.#instance = instance;
    this.#connection = connection;
  }

  /**
   * Calls `work`. If the user cancels it, interrupts its statements.
   *
   * @throws CancellationError
   */
  async interruptible<Result>(cancellation: Cancellation, work: () => Promise<Result>): Promise<Result> {
    const outer = this.#cancellation;
    this.#cancellation = cancellation;
    const poll = setInterval(() => {
      if (cancellation.cancelled()) this.#connection.interrupt();
    }, pollMs);
    try {
      return await work();
    } finally {
      clearInterval(poll);
      this.#cancellation = outer;
    }
  }

  /** Waits for a statement. One that was interrupted has various errors, such as those of invalid input. */
  async #ended<Result>(statement: Promise<Result>): Promise<Result> {
    try {
      return await statement;
    } catch (error) {
      throw this.#cancellation.cancelled() ? new CancellationError() : error;
    }
  }

  async run(sql: string): Promise<void> {
    await this.#ended(this.#connection.run(sql));
  }

  /** Runs a query and returns its rows as objects. Suited to results of up to a few thousand rows. */
  async rows<Row>(sql: string): Promise<Row[]> {
    const rows: Row[] = [];
    await this.#receive(sql, (vectors, count, names) => {
      for (let row = 0; row < count; row++) {
        rows.push(Object.fromEntries(names.map((name, column) => [name, vectors[column]!.getItem(row)])) as Row);
      }
    });
    return rows;
  }

  /** Runs a query that returns `count` columns of numbers without nulls. */
  async columns(sql: string, count: number): Promise<WordColumn[]> {
    const columns = Array.from({ length: count }, () => new WordColumn());
    await this.#receive(sql, (vectors, rows) => {
      for (const [i, column] of columns.entries()) column.add(vectors[i]!, rows);
    });
    return columns;
  }

  /** Runs a query, and passes on its rows in chunks. */
  async #receive(
    sql: string,
    receive: (vectors: readonly Package.DuckDBVector[], rows: number, names: readonly string[]) => void,
  ): Promise<void> {
    const result = await this.#ended(this.#connection.stream(sql));
    const names = result.columnNames();
    for (;;) {
      const chunk = await this.#ended(result.fetchChunk());
      // An interrupted query may end like one without more rows.
      await checkCancelled(this.#cancellation);
      if (chunk === null || chunk.rowCount === 0) return;
      const vectors = names.map((_, column) => chunk.getColumnVector(column));
      receive(vectors, chunk.rowCount, names);
    }
  }

  async append(table: string, columns: readonly Column[], rows: number): Promise<void> {
    const appender = await this.#connection.createAppender(table);
    const types = columns.map((_, column) => appender.columnType(column));
    for (let from = 0; from < rows; from += chunkRows) {
      await checkCancelled(this.#cancellation);
      const some = Math.min(chunkRows, rows - from);
      const chunk = this.#package.DuckDBDataChunk.create(types, some);
      for (const [i, column] of columns.entries()) {
        const vector = chunk.getColumnVector(i);
        for (let row = 0; row < some; row++) vector.setItem(row, column[from + row]!);
        vector.flush();
      }
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
    appender.closeSync();
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

/** One column of a query result. A column can have millions of numbers, so they are kept in a typed array. */
export class WordColumn {
  count = 0;
  #values: Uint32Array | BigUint64Array = new Uint32Array(chunkRows);

  add(vector: Package.DuckDBVector, rows: number): void {
    const isWide = typeof vector.getItem(0) === 'bigint';
    if (isWide && this.#values instanceof Uint32Array) this.#values = new BigUint64Array(this.#values.length);
    if (this.count + rows > this.#values.length) {
      const more = isWide ? new BigUint64Array(2 * this.#values.length) : new Uint32Array(2 * this.#values.length);
      more.set(this.#values as never);
      this.#values = more;
    }
    const values = this.#values;
    for (let row = 0; row < rows; row++) values[this.count + row] = vector.getItem(row) as never;
    this.count += rows;
  }

  /** The numbers of a column whose type has at most 32 bits. */
  get words(): Uint32Array {
    return this.#values.subarray(0, this.count) as Uint32Array;
  }

  /** The numbers of a column whose type has 64 bits. */
  get wide(): BigUint64Array {
    return this.count === 0 ? new BigUint64Array() : (this.#values.subarray(0, this.count) as BigUint64Array);
  }
}

/** @throws IndexError if the package is not installed or does not run on this machine */
export async function openDuckDB({ packages, threads, memoryMB, spill }: DuckDBSettings): Promise<DuckDB> {
  const loaded = loadDuckDB(packages);
  const instance = await loaded.DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: `${memoryMB}MiB`,
    temp_directory: spill,
    // Kindred must not download DuckDB extensions.
    autoinstall_known_extensions: 'false',
  });
  const connection = await instance.connect();
  // Cache the footers of Parquet files, so that a long-running process reads each footer only once.
  await connection.run('LOAD parquet; SET parquet_metadata_cache = true');
  return new DuckDB(loaded, instance, connection);
}

/**
 * Loads the DuckDB package from the folder in which it was installed for Kindred, or from a `node_modules` folder that
 * Node searches for Kindred.
 *
 * @param beside  `node_modules` folders that Node searches for Kindred
 * @throws IndexError if the package is in none of these folders or does not run
 */
export function loadDuckDB(packages: string, beside = require.resolve.paths(packageName) ?? []): typeof Package {
  const folders = [path.join(packages, 'node_modules'), ...beside];
  const folder = folders.map((modules) => path.join(modules, packageName)).find((found) => existsSync(found));
  if (folder === undefined) {
    throw new IndexError(
      `An index of many repositories needs DuckDB, which is not installed: run "npm install --prefix ${packages} ${packageName}@${packageVersion}" once, and repeat the command.`,
    );
  }
  try {
    return require(folder) as typeof Package;
  } catch (error) {
    throw new IndexError(
      `DuckDB in ${folder} cannot be loaded (${String(error)}): install it again with "npm install --prefix ${packages} ${packageName}@${packageVersion}".`,
    );
  }
}

/** Returns a text as an SQL string literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
