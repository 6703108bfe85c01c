/** One PostgreSQL server: a pool of connections, statements with parameters, transactions, COPY and cursors. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import Cursor from 'pg-cursor';
import { CopyRows } from './copyRows.ts';
import { CopyStatement } from './copyStatement.ts';
import { DatabaseError, explainDatabaseError, type ServerPlace } from './databaseError.ts';

/** What may be set beside the URL, whose parameters go first (`connect_timeout`, `statement_timeout`, `sslmode` …). */
export interface ConnectionSettings {
  /** The most connections at a time. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** 0: none. */
  readonly statementTimeoutMs: number;
}

export const connectionDefaults: ConnectionSettings = {
  connections: 4,
  // A server on the other side of the world answers in one; a person waits no longer.
  connectTimeoutMs: 10_000,
  // Scans and the building of an index take hours at the largest sizes.
  statementTimeoutMs: 0,
};

/** A row, by the names of its columns. `bigint` comes as bigint, `bytea` as Buffer, `numeric` as text. */
export type Row = Record<string, unknown>;

/** `bigint`, by its number in the catalogue of PostgreSQL. */
const int8Type: number = pg.types.builtins.INT8;

/** Values as Kindred has them: a count of 64 bits is never rounded. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    (type as number) === int8Type && format !== 'binary'
      ? (text: string) => BigInt(text)
      : (pg.types.getTypeParser(type, format) as (text: string) => unknown),
};

/** Whoever is waited for by `cancellable`, whichever servers and connections its statements use. */
const patience = new AsyncLocalStorage<AbortSignal>();

/**
 * Does something until the signal is given: statements that run then are ended at their servers, which otherwise go on with
 * them for nobody, and no further one begins. What was under way throws.
 */
export function cancellable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return patience.run(signal, work);
}

export class Server {
  /** What the index calls it: `s1` is the home. Empty until it belongs to one. */
  name = '';
  readonly place: ServerPlace;
  readonly #settings: pg.ClientConfig;
  readonly #pool: pg.Pool;

  /** Connects to nothing yet. Throws DatabaseError for a URL that cannot be read. */
  constructor(url: string, settings: Partial<ConnectionSettings> = {}) {
    const { connections, connectTimeoutMs, statementTimeoutMs } = { ...connectionDefaults, ...settings };
    const parameters = parametersOf(url);
    const secondsOf = (name: string, otherwise: number): number =>
      parameters.has(name) ? Number(parameters.get(name)) * 1000 : otherwise;
    const millisecondsOf = (name: string, otherwise: number): number =>
      parameters.has(name) ? Number(parameters.get(name)) : otherwise;
    this.#settings = {
      connectionString: url,
      // As libpq: connect_timeout in seconds, statement_timeout in milliseconds.
      connectionTimeoutMillis: secondsOf('connect_timeout', connectTimeoutMs),
      statement_timeout: millisecondsOf('statement_timeout', statementTimeoutMs),
      application_name: parameters.get('application_name') ?? 'kindred',
      keepAlive: true,
      types,
    };
    this.#pool = new pg.Pool({
      ...this.#settings,
      max: connections,
      // A command ends when it has nothing more to do, whatever waits in the pool.
      allowExitOnIdle: true,
    });
    // A server that goes away takes idle connections with it; the next statement will tell.
    this.#pool.on('error', () => {});
    this.place = placeOf(url);
  }

  /** `host:port/database`: for people, without a password. */
  get label(): string {
    return this.place.label;
  }

  /** Runs one statement on any connection and returns its rows. */
  query<R extends object = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return this.session((connection) => connection.query<R>(text, values));
  }

  /** Lends one connection, without a transaction. After whatever `work` throws, the connection is closed. */
  async session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const signal = patience.getStore();
    signal?.throwIfAborted();
    const client = await this.#connect();
    const cancel = (): void => void this.#cancel(client);
    signal?.addEventListener('abort', cancel);
    // The statement that waits, or the next one, tells that the connection is lost.
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
      // After a failure nobody knows what it is in the middle of; and what ends its statement may be on its way.
      client.release(failed || signal?.aborted === true);
    }
  }

  /**
   * All or nothing: commits when `work` returns, and rolls back when it throws or the connection is lost.
   *
   * @param settings  `SET LOCAL` statements, which go to the server with its beginning
   */
  transaction<T>(work: (connection: Connection) => Promise<T>, settings = ''): Promise<T> {
    return this.session(async (connection) => {
      await connection.run(`BEGIN; ${settings}`);
      // When it throws, the connection is closed, and with it the transaction.
      const result = await work(connection);
      await connection.query('COMMIT');
      return result;
    });
  }

  /** Waits for connections that are lent, and closes all. */
  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Ends the statement of a connection. It needs another one, which the pool may not have; without one it goes on. */
  async #cancel(client: pg.PoolClient): Promise<void> {
    // The client knows it, and its types do not tell.
    const { processID } = client as unknown as { readonly processID: number };
    const other = new pg.Client(this.#settings);
    other.on('error', () => {});
    try {
      await other.connect();
      await other.query('SELECT pg_cancel_backend($1)', [processID]);
    } catch {
      // The server is away, or takes no more connections: `statement_timeout` remains.
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

/** One connection: statements follow each other, and no two run at a time. */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #place: ServerPlace;

  constructor(client: pg.PoolClient, place: ServerPlace) {
    this.#client = client;
    this.#place = place;
  }

  /** Runs a statement and returns its rows. */
  async query<R extends object = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const { rows } = await this.#explained(this.#client.query<R>(text, [...values]));
    return rows;
  }

  /** Runs statements without parameters or results, of which there may be several with semicolons between them. */
  async run(statements: string): Promise<void> {
    await this.#explained(this.#client.query(statements));
  }

  /** The rows of a statement, some at a time, so that memory does not grow with them. */
  async *stream<R extends object = Row>(
    text: string,
    values: readonly unknown[] = [],
    rows = 10_000,
  ): AsyncGenerator<R[]> {
    yield* this.#read<R>(new Cursor<R>(text, [...values]), rows);
  }

  /** The same with an array for each row, in the order of the columns: half the work of objects. */
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
      // The server has closed it when the statement failed.
      await cursor.close().catch(() => {});
    }
  }

  /**
   * Writes rows into a table with binary COPY; returns how many. When `write` throws, the statement fails and nothing of it
   * is stored.
   *
   * @param table    as it stands in SQL: a name of the schema, never text of a user
   * @param columns  of the table, likewise, in the order in which `write` gives values
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
   * The rows of a query by binary COPY, for `copiedRows`: bytes come as they are, where other statements return them as text.
   *
   * @param query  without parameters, which COPY has none of: never text of a user
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

/** Names come from the program, and are held to what needs no quotes. */
function checkNames(names: readonly string[]): void {
  const wrong = names.find((name) => !/^[a-z_][a-z0-9_]*$/.test(name));
  if (wrong !== undefined) throw new Error(`${wrong} is no name of a table or column`);
}

function parametersOf(url: string): URLSearchParams {
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
}

function placeOf(url: string): ServerPlace {
  try {
    // The client reads the URL, and the environment as libpq does.
    const { host, port, user, database } = new pg.Client({ connectionString: url });
    const name = database ?? user ?? '';
    const at = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    return { label: `${at}/${name}`, user: user ?? '', database: name };
  } catch (error) {
    // The reason has no password: the client takes care of that.
    throw new DatabaseError(`--database cannot be read as an address of PostgreSQL (${(error as Error).message}).`);
  }
}
