/**
 * Writes new contents: their arrays, the windows of their fingerprints, and the keys of new fingerprints. They are
 * referenced only after everything is written. Leftovers of an interrupted writer carry its id.
 */
import { documentBytes, type DocumentIndex, shapeOf } from '../../core/engine/documents/documents.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import type { Database } from '../database/openDatabase.ts';
import type { Connection, Server } from '../database/server.ts';
import { type BlockTable, blockKey, blockTables, distanceOf, type View, views } from './blockKeys.ts';
import { forEachWindow, keyPart, payloadPart, turned, windowsPart } from './fingerprintRows.ts';

export interface ContentName {
  readonly digest: bigint;
  readonly bytes: number;
  readonly language: string;
}

/** Returns the map key of a content. */
export function nameOf({ digest, bytes, language }: ContentName): string {
  return `${digest.toString(16)} ${bytes} ${language}`;
}

export interface NewContent extends ContentName {
  readonly index: DocumentIndex;
}

export interface Writing {
  readonly database: Database;
  readonly kernel: Kernel;
  readonly options: Options;
  /** Id of the repository that the contents belong to. */
  readonly writer: number;
}

interface Numbered {
  readonly id: number;
  readonly index: DocumentIndex;
}

/** Stores contents, and returns their ids. They belong to the writer until `settle`. */
export async function writeContents(writing: Writing, contents: readonly NewContent[]): Promise<number[]> {
  const { database } = writing;
  const ids = await announce(database.home, writing.writer, contents);
  const numbered = contents.map(({ index }, i) => ({ id: ids[i]!, index }));
  // Arrays are written first, because the cleanup finds the other rows by them.
  for (const server of database.servers) await server.transaction((c) => copyPayloads(c, server, writing, numbered));
  const tables = new Map(views.map((view) => [view, blockTables(view, distanceOf(view, writing.options))]));
  for (const server of database.servers) {
    await server.transaction(async (connection) => {
      await copyWindows(connection, server, writing, numbered);
      await copyKeys(connection, server, writing, numbered, tables);
    });
  }
  return ids;
}

async function announce(home: Server, writer: number, contents: readonly NewContent[]): Promise<number[]> {
  const rows = await home.query<{ id: bigint }>(
    `SELECT nextval('kindred.content_id') AS id FROM generate_series(1, $1::int)`,
    [contents.length],
  );
  const ids = rows.map(({ id }) => Number(id));
  await home.session((connection) =>
    connection.copyIn('kindred.content', ['id', 'digest', 'bytes', 'language', 'shape', 'writer'], async (to) => {
      for (const [i, { digest, bytes, language, index }] of contents.entries()) {
        to.begin();
        to.bigint(BigInt(ids[i]!));
        to.bigint(digest);
        to.int4(bytes);
        to.text(language);
        // Binary jsonb is a version byte followed by the text.
        to.bytes(Buffer.from(`\u0001${JSON.stringify(shapeOf(index))}`));
        to.int4(writer);
        if (to.isFull) await to.flush();
      }
    }),
  );
  return ids;
}

async function copyPayloads(
  connection: Connection,
  server: Server,
  { database, kernel }: Writing,
  contents: readonly Numbered[],
): Promise<void> {
  await connection.copyIn('kindred.payload', ['part', 'content', 'arrays'], async (to) => {
    for (const { id, index } of contents) {
      const part = payloadPart(id, database.parts);
      if (database.serverOf(part) !== server) continue;
      to.begin();
      to.int2(part);
      to.bigint(BigInt(id));
      to.bytes(kernel.bytes.slice(index.tokens, index.tokens + documentBytes(index)));
      if (to.isFull) await to.flush();
    }
  });
}

async function copyWindows(
  connection: Connection,
  server: Server,
  { database, kernel }: Writing,
  contents: readonly Numbered[],
): Promise<void> {
  const columns = ['part', 'view', 'fp', 'document', 'position'];
  await connection.run(
    'CREATE TEMP TABLE new_window (part smallint, view smallint, fp bigint, document bigint, position integer) ON COMMIT DROP',
  );
  await connection.copyIn('new_window', columns, async (to) => {
    for (const { id, index } of contents) {
      forEachWindow(kernel, id, index, ({ view, high, low, document, position }) => {
        const part = windowsPart(view, high, low, database.parts);
        if (database.serverOf(part) !== server) return;
        to.begin();
        to.int2(part);
        to.int2(view);
        to.int8(turned(high), low);
        to.bigint(BigInt(document));
        to.int4(position);
      });
      if (to.isFull) await to.flush();
    }
  });
  // Inserting in index order is three times faster.
  await connection.query(
    `INSERT INTO kindred.fingerprint (part, view, fp, document, position)
     SELECT part, view, fp, document, position FROM new_window ORDER BY part, view, fp`,
  );
}

async function copyKeys(
  connection: Connection,
  server: Server,
  { database, kernel }: Writing,
  contents: readonly Numbered[],
  tables: ReadonlyMap<View, readonly BlockTable[]>,
): Promise<void> {
  await connection.run('CREATE TEMP TABLE new_key (part smallint, t smallint, key bigint, fp bigint) ON COMMIT DROP');
  const written = new Map(views.map((view) => [view, new Set<bigint>()]));
  await connection.copyIn('new_key', ['part', 't', 'key', 'fp'], async (to) => {
    for (const { id, index } of contents) {
      forEachWindow(kernel, id, index, ({ view, high, low }) => {
        const fingerprint = (BigInt(high) << 32n) | BigInt(low);
        const known = written.get(view)!;
        if (known.has(fingerprint)) return;
        known.add(fingerprint);
        for (const table of tables.get(view)!) {
          const key = blockKey(table, high, low);
          const part = keyPart(table.number, key, database.parts);
          if (database.serverOf(part) !== server) continue;
          to.begin();
          to.int2(part);
          to.int2(table.number);
          to.int8(0, key);
          to.int8(turned(high), low);
        }
      });
      if (to.isFull) await to.flush();
    }
  });
  // A fixed order prevents deadlocks between two writers.
  await connection.query(
    `INSERT INTO kindred.block_key (part, t, key, fp) SELECT part, t, key, fp FROM new_key ORDER BY 1, 2, 3, 4
     ON CONFLICT DO NOTHING`,
  );
}
