/** PostgreSQL server: a connection pool, statements with parameters, transactions, COPY, and cursors. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import Cursor from 'pg-cursor';
import { CopyRows } from './copyRows.ts';
import { CopyStatement } from './copyStatement.ts';
import { DatabaseError, explainDatabaseError, type ServerPlace } from './databaseError.ts';

/** Defaults for settings that the URL may override (`connect_timeout`, `statement_timeout`, `sslmode`, …). */
export interface ConnectionSettings {
  /** Maximum number of connections. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** 0 disables the timeout. */
  readonly statementTimeoutMs: number;
}

export const connectionDefaults: ConnectionSettings = {
  connections: 4,
  // A distant server answers within one second, and users do not wait longer than ten.
  connectTimeoutMs: 10_000,
  // For the largest indexes, scans and index builds take hours.
  statementTimeoutMs: 0,
};

/** A row, by column name. `bigint` is returned as bigint, `bytea` as Buffer, `numeric` as text. */
export type Row = Record<string, unknown>;

/** Type id of `bigint` in the catalog of PostgreSQL. */
const int8Type: number = pg.types.builtins.INT8;

/** Type parsers. Counts of 64 bits are never rounded. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    (type as number) === int8Type && format !== 'binary'
      ? (text: string) => BigInt(text)
      : (pg.types.getTypeParser(type, format) as (text: string) => unknown),
};

/** Signal of the enclosing `cancellable` call, for all servers and connections. */
const patience = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs work that can be cancelled. On cancellation, running statements are cancelled at their servers, no further ones
 * start, and the pending calls reject.
 */
export function cancellable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return patience.run(signal, work);
}

export class Server {
  /** Name in the index: `s1` is the home. Empty until the server belongs to an index. */
  name = '';
  readonly place: ServerPlace;
  readonly #settings: pg.ClientConfig;
  readonly #pool: pg.Pool;

  /** Does not connect yet. Throws DatabaseError for an invalid URL. */
  constructor(url: string, settings: Partial<ConnectionSettings> = {}) {
    const { connections, connectTimeoutMs, statementTimeoutMs } = { ...connectionDefaults, ...settings };
    const parameters = parametersOf(url);
    const secondsOf = (name: string, otherwise: number): number =>
      parameters.has(name) ? Number(parameters.get(name)) * 1000 : otherwise;
    const millisecondsOf = (name: string, otherwise: number): number =>
      parameters.has(name) ? Number(parameters.get(name)) : otherwise;
    this.#settings = {
      connectionString: url,
      // As in libpq: connect_timeout in seconds, statement_timeout in milliseconds.
      connectionTimeoutMillis: secondsOf('connect_timeout', connectTimeoutMs),
      statement_timeout: millisecondsOf('statement_timeout', statementTimeoutMs),
      application_name: parameters.get('application_name') ?? 'kindred',
      keepAlive: true,
      types,
    };
    this.#pool = new pg.Pool({
      ...this.#settings,
      max: connections,
      // Idle connections must not keep a command running.
      allowExitOnIdle: true,
    });
    // If the server stops, idle connections fail. The next statement reports it.
    this.#pool.on('error', () => {});
    this.place = placeOf(url);
  }

  /** `host:port/database` for messages, without a password. */
  get label(): string {
    return this.place.label;
  }

  /** Runs one statement on any connection and returns its rows. */
  query<R extends object = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return this.session((connection) => connection.query<R>(text, values));
  }

  /** Provides a connection without a transaction. If `work` throws, the connection is closed. */
  async session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const signal = patience.getStore();
    signal?.throwIfAborted();
    const client = await this.#connect();
    const cancel = (): void => void this.#cancel(client);
    signal?.addEventListener('abort', cancel);
    // The current or next statement reports that the connection is lost.
    const ignore = (): void => {};
    client.on('error', ignore);
    let failed = true;
    try {
      const result = await work(new Connection(client, this.place));
      failed = false;
      return result;
    } finally {
      client.off('error', ignore);
      signal?.removeEventListener('abort', cancel);
      // After a failure the state of the connection is unknown, and a cancel request may still be on its way.
      client.release(failed || signal?.aborted === true);
    }
  }

  /**
   * Runs a transaction: commits when `work` returns, and rolls back if it throws or the connection is lost.
   *
   * @param settings  `SET LOCAL` statements, sent together with BEGIN
   */
  transaction<T>(work: (connection: Connection) => Promise<T>, settings = ''): Promise<T> {
    return this.session(async (connection) => {
      await connection.run(`BEGIN; ${settings}`);
      // If it throws, the connection is closed, which rolls back the transaction.
      const result = await work(connection);
      await connection.query('COMMIT');
      return result;
    });
  }

  /** Waits for connections in use, and closes all. */
  async close(): Promise<void> {
    await this.#pool.end();
  }

  /**
   * Cancels the statement of a connection. This needs another connection; if the server has none left, the statement
   * continues.
   */
  async #cancel(client: pg.PoolClient): Promise<void> {
    // The client has this property, but its types lack it.
    const { processID } = client as unknown as { readonly processID: number };
    const other = new pg.Client(this.#settings);
    other.on('error', () => {});
    try {
      await other.connect();
      await other.query('SELECT pg_cancel_backend($1)', [processID]);
    } catch {
      // The server is unreachable or out of connections. `statement_timeout` still applies.
    } finally {
      await other.end().catch(() => {});
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw explainDatabaseError(error, this.place);
    }
  }
}

/** A single connection. Statements run one after another. */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #place: ServerPlace;

  constructor(client: pg.PoolClient, place: ServerPlace) {
    this.#client = client;
    this.#place = place;
  }

  async query<R extends object = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const { rows } = await this.#explained(this.#client.query<R>(text, [...values]));
    return rows;
  }

  /** Runs statements separated by semicolons, without parameters or results. */
  async run(statements: string): Promise<void> {
    await this.#explained(this.#client.query(statements));
  }

  /** Yields the rows of a statement in batches, so that memory does not grow. */
  async *stream<R extends object = Row>(
    text: string,
    values: readonly unknown[] = [],
    rows = 10_000,
  ): AsyncGenerator<R[]> {
    yield* this.#read<R>(new Cursor<R>(text, [...values]), rows);
  }

  /** Yields rows as arrays in column order, at half the cost of objects. */
  async *streamArrays<R extends unknown[]>(
    text: string,
    values: readonly unknown[] = [],
    rows = 10_000,
  ): AsyncGenerator<R[]> {
    yield* this.#read<R>(new Cursor<R>(text, [...values], { rowMode: 'array' }), rows);
  }

  async *#read<R>(cursor: Cursor<R>, rows: number): AsyncGenerator<R[]> {
    this.#client.query(cursor);
    try {
      for (;;) {
        const read = await this.#explained(cursor.read(rows));
        if (read.length === 0) return;
        yield read;
      }
    } finally {
      // If the statement failed, the server has already closed the cursor.
      await cursor.close().catch(() => {});
    }
  }

  /**
   * Writes rows into a table with binary COPY; returns their number. If `write` throws, the statement fails and nothing
   * is stored.
   *
   * @param table    SQL name from the schema, never user input
   * @param columns  SQL names of its columns, in the order in which `write` adds values
   */
  async copyIn(
    table: string,
    columns: readonly string[],
    write: (rows: CopyRows) => Promise<void> | void,
  ): Promise<number> {
    checkNames([...table.split('.'), ...columns]);
    const statement = new CopyStatement(`COPY ${table} (${columns.join(', ')}) FROM STDIN (FORMAT binary)`);
    this.#client.query(statement);
    const rows = new CopyRows(columns.length, (chunk) => this.#explained(statement.send(chunk)));
    try {
      await write(rows);
      await rows.finish();
    } catch (error) {
      await statement.cancel();
      throw error;
    }
    await this.#explained(statement.finish());
    return rows.count;
  }

  /**
   * Returns the rows of a query by binary COPY, for `copiedRows`. Bytes are sent as they are, while other statements
   * return them as text.
   *
   * @param query  without parameters, which COPY does not support; never user input
   */
  async copyOut(query: string): Promise<Buffer> {
    const source = this.#client.query(copyTo(`COPY (${query}) TO STDOUT (FORMAT binary)`));
    return this.#explained(
      (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of source) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks);
      })(),
    );
  }

  /** Copies the rows of a part into the table of the same name and columns at another server. */
  async copyTo(target: Connection, table: string, part: number): Promise<void> {
    checkNames(table.split('.'));
    const rows = `SELECT * FROM ${table} WHERE part = ${Math.trunc(part)}`;
    const statement = new CopyStatement(`COPY ${table} FROM STDIN (FORMAT binary)`);
    target.#client.query(statement);
    const source = this.#client.query(copyTo(`COPY (${rows}) TO STDOUT (FORMAT binary)`));
    try {
      await this.#explained(
        (async () => {
          for await (const chunk of source) await target.#explained(statement.send(chunk as Buffer));
        })(),
      );
    } catch (error) {
      await statement.cancel();
      throw error;
    }
    await target.#explained(statement.finish());
  }

  async #explained<T>(statement: Promise<T>): Promise<T> {
    try {
      return await statement;
    } catch (error) {
      throw explainDatabaseError(error, this.#place);
    }
  }
}

/** Names come from the program and must not need quotes. */
function checkNames(names: readonly string[]): void {
  const wrong = names.find((name) => !/^[a-z_][a-z0-9_]*$/.test(name));
  if (wrong !== undefined) throw new Error(`${wrong} is not the name of a table or column`);
}

function parametersOf(url: string): URLSearchParams {
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
}

function placeOf(url: string): ServerPlace {
  try {
    // The client parses the URL, and reads the environment as libpq does.
    const { host, port, user, database } = new pg.Client({ connectionString: url });
    const name = database ?? user ?? '';
    const at = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    return { label: `${at}/${name}`, user: user ?? '', database: name };
  } catch (error) {
    // The reason contains no password; the client removes it.
    throw new DatabaseError(`--database is not a valid PostgreSQL address (${(error as Error).message}).`);
  }
}
