/**
 * Removes unreferenced data: documents of earlier generations, contents without documents, and leftovers of crashed
 * writers. If another command is adding or comparing, does nothing; a later sweep removes them.
 */
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import type { Database } from '../database/openDatabase.ts';
import type { Server } from '../database/server.ts';
import { blockKey, type BlockTable, blockTables, distanceOf, type View, views } from './blockKeys.ts';
import { type Asked, readShapes } from './catalogue.ts';
import { forEachWindow, keyPart, payloadPart, turned, windowsPart } from './fingerprintRows.ts';
import { aloneWithContents } from './locks.ts';
import { loadContents, payloadsOf } from './payloads.ts';

/** Writer of contents whose writer has crashed. No repository has this id. */
const nobody = 0;

/** Batch size of the removal. */
const contentsAtOnce = 500;

export async function sweep(database: Database, options: Options): Promise<void> {
  const { home } = database;
  await aloneWithContents(home, async () => {
    await home.query(
      `DELETE FROM kindred.document USING kindred.repository
       WHERE repository.id = document.repository AND document.until <= repository.generation`,
    );
    // Contents with a writer are removed by it or by the next writer of its repository.
    const rows = await home.query<{ id: bigint }>(
      `SELECT id FROM kindred.content WHERE writer = $1 OR (writer IS NULL
       AND NOT EXISTS (SELECT FROM kindred.document WHERE document.content = content.id))`,
      [nobody],
    );
    await removeContents(
      database,
      options,
      rows.map(({ id }) => Number(id)),
    );
  });
}

/** Removes leftovers of a crashed writer of a repository. The caller must be its only writer. */
export async function clearWriter(database: Database, options: Options, repository: number): Promise<void> {
  const left = (): Promise<{ id: bigint }[]> =>
    database.home.query('SELECT id FROM kindred.content WHERE writer = $1', [repository]);
  if ((await left()).length === 0) return;
  const isDone = await aloneWithContents(database.home, async () => {
    await removeContents(
      database,
      options,
      (await left()).map(({ id }) => Number(id)),
    );
    return true;
  });
  // If other commands add or compare, the contents are assigned to `nobody`, for the next sweep.
  if (!isDone)
    await database.home.query('UPDATE kindred.content SET writer = $2 WHERE writer = $1', [repository, nobody]);
}

async function removeContents(database: Database, options: Options, contents: readonly number[]): Promise<void> {
  for (let from = 0; from < contents.length; from += contentsAtOnce) {
    await removeSome(database, options, contents.slice(from, from + contentsAtOnce));
  }
}

/** The arrays are removed last, because the other rows of a content are found by them. */
async function removeSome(database: Database, options: Options, contents: readonly number[]): Promise<void> {
  const fingerprints = await fingerprintsOf(database, contents);
  for (const view of views) {
    const own = fingerprints.get(view)!;
    await removeWindows(database, view, own, contents);
    const gone = await withoutWindows(database, view, own);
    for (const table of blockTables(view, distanceOf(view, options))) await removeKeys(database, table, gone);
  }
  for (const server of database.servers) {
    const own = contents.filter((content) => database.serverOf(payloadPart(content, database.parts)) === server);
    const parts = [...new Set(own.map((content) => payloadPart(content, database.parts)))];
    await server.query('DELETE FROM kindred.payload WHERE part = ANY($1::smallint[]) AND content = ANY($2::bigint[])', [
      parts,
      own,
    ]);
  }
  await database.home.query('DELETE FROM kindred.content WHERE id = ANY($1::bigint[])', [contents]);
}

interface Halves {
  readonly high: number;
  readonly low: number;
}

/** Returns the distinct fingerprints of contents. A content without arrays has no other rows either. */
async function fingerprintsOf(database: Database, contents: readonly number[]): Promise<Map<View, Halves[]>> {
  const kernel = new Kernel(createMemory());
  const there = await storedPayloads(database, contents);
  const shapes = await readShapes(database.home, new Set(there));
  const loaded = await loadContents(payloadsOf(database), kernel, shapes, there);
  const found = new Map(views.map((view) => [view, new Map<bigint, Halves>()]));
  for (const content of there) {
    const index: DocumentIndex = loaded.place(content);
    forEachWindow(kernel, content, index, ({ view, high, low }) => {
      found.get(view)!.set((BigInt(high) << 32n) | BigInt(low), { high, low });
    });
  }
  return new Map([...found].map(([view, byValue]) => [view, [...byValue.values()]]));
}

async function storedPayloads(database: Database, contents: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const server of database.servers) {
    const rows = await server.query<{ content: bigint }>(
      'SELECT content FROM kindred.payload WHERE part = ANY($1::smallint[]) AND content = ANY($2::bigint[])',
      [database.partsOf(server), contents],
    );
    found.push(...rows.map(({ content }) => Number(content)));
  }
  return found;
}

function stored({ high, low }: Halves): bigint {
  return BigInt.asIntN(64, (BigInt(turned(high)) << 32n) | BigInt(low));
}

/** Returns the fingerprints of a server with their parts. */
function ofServer(
  database: Database,
  server: Server,
  fingerprints: readonly Halves[],
  partOf: (fingerprint: Halves) => number,
): { readonly parts: number[]; readonly values: bigint[] } {
  const own = fingerprints.filter((fingerprint) => database.serverOf(partOf(fingerprint)) === server);
  return { parts: own.map(partOf), values: own.map(stored) };
}

async function removeWindows(
  database: Database,
  view: View,
  fingerprints: readonly Halves[],
  contents: readonly number[],
): Promise<void> {
  const partOf = ({ high, low }: Halves): number => windowsPart(view, high, low, database.parts);
  for (const server of database.servers) {
    const { parts, values } = ofServer(database, server, fingerprints, partOf);
    await server.query(
      `DELETE FROM kindred.fingerprint USING unnest($2::smallint[], $3::bigint[]) AS gone (part, fp)
       WHERE fingerprint.part = gone.part AND fingerprint.view = $1 AND fingerprint.fp = gone.fp
       AND fingerprint.document / 4 = ANY($4::bigint[])`,
      [view, parts, values, contents],
    );
  }
}

/** Returns the fingerprints without windows. */
async function withoutWindows(database: Database, view: View, fingerprints: readonly Halves[]): Promise<Halves[]> {
  const partOf = ({ high, low }: Halves): number => windowsPart(view, high, low, database.parts);
  const left = new Set<bigint>();
  for (const server of database.servers) {
    const { parts, values } = ofServer(database, server, fingerprints, partOf);
    const rows = await (server as Asked).query<{ fp: bigint }>(
      `SELECT DISTINCT fingerprint.fp FROM kindred.fingerprint JOIN unnest($2::smallint[], $3::bigint[]) AS asked (part, fp)
       ON fingerprint.part = asked.part AND fingerprint.fp = asked.fp WHERE fingerprint.view = $1`,
      [view, parts, values],
    );
    for (const { fp } of rows) left.add(fp);
  }
  return fingerprints.filter((fingerprint) => !left.has(stored(fingerprint)));
}

async function removeKeys(database: Database, table: BlockTable, fingerprints: readonly Halves[]): Promise<void> {
  const keyOf = ({ high, low }: Halves): number => blockKey(table, high, low);
  const partOf = (fingerprint: Halves): number => keyPart(table.number, keyOf(fingerprint), database.parts);
  for (const server of database.servers) {
    const own = fingerprints.filter((fingerprint) => database.serverOf(partOf(fingerprint)) === server);
    await server.query(
      `DELETE FROM kindred.block_key USING unnest($2::smallint[], $3::bigint[], $4::bigint[]) AS gone (part, key, fp)
       WHERE block_key.part = gone.part AND block_key.t = $1 AND block_key.key = gone.key AND block_key.fp = gone.fp`,
      [table.number, own.map(partOf), own.map(keyOf), own.map(stored)],
    );
  }
}

/** Removes repositories and their documents. */
export async function dropRepositories(database: Database, options: Options, ids: readonly number[]): Promise<void> {
  await database.home.query('DELETE FROM kindred.repository WHERE id = ANY($1::int[])', [ids]);
  await database.writing(() => sweep(database, options));
}
