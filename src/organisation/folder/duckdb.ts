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
  /** Folder in which the user may have installed the DuckDB package. */
  readonly packages: string;
  readonly threads: number;
  /** Maximum size of tables in memory. */
  readonly memoryMB: number;
  /** Folder to which DuckDB writes data that do not fit into memory. DuckDB creates it when needed. */
  readonly spill: string;
}

/** Values of one table column, one per row. */
export type Column = readonly (number | bigint | string | null)[] | Uint8Array | Uint32Array | BigUint64Array;

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
    const result = await this.#ended(this.#connection.stream(sql));
    const names = result.columnNames();
    await this.#receive(result, (chunk) => rows.push(...(chunk.getRowObjects(names) as Row[])));
    return rows;
  }

  /**
   * Runs a query, and returns its rows one after another. All columns have numbers of `type`, and no nulls.
   *
   * @param type  array for numbers of up to 32 bits, or of 64 bits
   */
  async numbers<Numbers extends Uint32Array | BigUint64Array>(
    sql: string,
    type: new (length: number) => Numbers,
  ): Promise<Numbers> {
    const result = await this.#ended(this.#connection.run(sql));
    const { columnCount, rowCount } = result;
    const numbers = new type(columnCount * rowCount);
    let from = 0;
    await this.#receive(result, (chunk) => {
      for (let column = 0; column < columnCount; column++) {
        const vector = chunk.getColumnVector(column);
        for (let row = 0; row < chunk.rowCount; row++) {
          numbers[from + row * columnCount + column] = vector.getItem(row) as never;
        }
      }
      from += chunk.rowCount * columnCount;
    });
    return numbers;
  }

  async #receive(result: Package.DuckDBResult, receive: (chunk: Package.DuckDBDataChunk) => void): Promise<void> {
    for (;;) {
      const chunk = await this.#ended(result.fetchChunk());
      // An interrupted query may end like one without more rows.
      await checkCancelled(this.#cancellation);
      if (chunk === null || chunk.rowCount === 0) return;
      receive(chunk);
    }
  }

  /** Creates a temporary table. Its columns have definitions in SQL, and a value for each row. */
  async createTable(name: string, columns: Readonly<Record<string, Column>>): Promise<void> {
    await this.run(`CREATE OR REPLACE TEMP TABLE ${name} (${Object.keys(columns).join(', ')})`);
    await this.append(name, Object.values(columns));
  }

  async append(table: string, columns: readonly Column[]): Promise<void> {
    const appender = await this.#connection.createAppender(table);
    const types = columns.map((_, column) => appender.columnType(column));
    for (let from = 0; from < columns[0]!.length; from += chunkRows) {
      await checkCancelled(this.#cancellation);
      const rows = Math.min(chunkRows, columns[0]!.length - from);
      const chunk = this.#package.DuckDBDataChunk.create(types, rows);
      // The method `setColumns` of chunks takes twice as long.
      for (const [i, column] of columns.entries()) {
        const vector = chunk.getColumnVector(i);
        for (let row = 0; row < rows; row++) vector.setItem(row, column[from + row]!);
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
  const command = `"npm install --prefix ${packages} ${packageName}@${packageVersion}"`;
  if (folder === undefined) {
    throw new IndexError(
      `An index of many repositories needs DuckDB, which is not installed: run ${command} once, and repeat the command.`,
    );
  }
  try {
    return require(folder) as typeof Package;
  } catch (error) {
    throw new IndexError(`DuckDB in ${folder} cannot be loaded (${String(error)}): install it again with ${command}.`);
  }
}

/** Returns a text as an SQL string literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
