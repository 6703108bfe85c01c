/**
 * Finds near-duplicates of one text in all repositories. The database finds the documents with windows near those of
 * the text. Only these are loaded, and then searched like the index of a scan (`core/engine/similar/findSimilar.ts`).
 */
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { append } from '../../core/collections/lists.ts';
import { Corpus } from '../../core/engine/corpus.ts';
import type { DocumentShape } from '../../core/engine/documents/documents.ts';
import { DocumentIndexer } from '../../core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import type { Options } from '../../core/engine/options.ts';
import type { SimilarPassages, SimilarQuery } from '../../core/engine/similar/findSimilar.ts';
import { lastOf } from '../../core/engine/steps.ts';
import type { SearchedText } from '../../core/engine/windowIndex.ts';
import { tuning } from '../../core/engine/tuning.ts';
import type { SimilarText } from '../../scan/indexer/liveScan.ts';
import { DatabaseError } from '../database/databaseError.ts';
import type { Database } from '../database/openDatabase.ts';
import { blockKey, blockTables, distanceOf, type View, views } from './blockKeys.ts';
import { type Asked, noRepository, readRepositories, readShapes } from './catalogue.ts';
import { forEachWindow, keyPart, turned, windowsPart } from './fingerprintRows.ts';
import { checkMethod, type Method } from './method.ts';
import { ContentGone, type ContentSource, loadContents, payloadsOf } from './payloads.ts';
import { storedEpoch } from './rarity.ts';

/** Number of attempts if repositories change during the search. */
const attempts = 3;

/**
 * @param scanThread  see `methodOf`
 * @throws DatabaseError if nothing is stored, or if the text is not comparable with the index
 */
export async function findSimilarIn(
  database: Database,
  scanThread: URL,
  text: SimilarText,
  query: SimilarQuery,
): Promise<SimilarPassages> {
  const weighing = await weighingOf(database);
  checkMethod(weighing.method, scanThread);
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.stable(() => search(database, weighing, text, query));
    } catch (error) {
      if (!(error instanceof ContentGone) || attempt === attempts) throw error;
    }
  }
}

/** Method and token weights of the index. */
interface Weighing {
  readonly method: Method;
  readonly epoch: number;
  readonly idfTable: Promise<Uint8Array>;
}

/** Cached state of each open database, so that long-running programs read the idf table once. */
const known = new WeakMap<Database, Weighing>();

async function weighingOf(database: Database): Promise<Weighing> {
  const last = known.get(database);
  const stored = await storedEpoch(database.home, last?.epoch);
  if (stored === undefined) {
    if ((await readRepositories(database.home)).length === 0) throw noRepository();
    throw new DatabaseError(
      'The index has no token weights yet, because a command was interrupted: run kindred org scan once, or add any repository again.',
    );
  }
  const { method, epoch, deflated } = stored;
  // Inflated on another thread while windows are queried.
  const idfTable = deflated === undefined ? last!.idfTable : promisify(inflateRaw)(deflated);
  // A failure before the table is awaited is reported instead.
  idfTable.catch(() => known.delete(database));
  const weighing = { method, epoch, idfTable };
  known.set(database, weighing);
  return weighing;
}

async function search(
  database: Database,
  { method: { options }, idfTable }: Weighing,
  { bytes, lexicon }: SimilarText,
  query: SimilarQuery,
): Promise<SimilarPassages> {
  const kernel = new Kernel(createMemory());
  const windows = windowsOf(kernel, options, bytes, lexicon);
  const fingerprints = await nearFingerprints(database, options, windows);
  const near = await nearContents(database, fingerprints);
  const found = near.slice(0, tuning.similar.documents);
  const paths = await pathsOf(database.home, found);
  const shapes = await readShapes(database.home, new Set(paths.keys()));
  const candidates = { paths, shapes, source: payloadsOf(database), leftOut: near.length - found.length };
  return searchCandidates(kernel, { options, idfTable: await idfTable }, candidates, { bytes, lexicon, query });
}

/** Contents with windows near those of a text. */
export interface Candidates {
  /** Paths of each content, prefixed with their repository. */
  readonly paths: ReadonlyMap<number, readonly string[]>;
  readonly shapes: ReadonlyMap<number, DocumentShape>;
  readonly source: ContentSource;
  /** Number of others, which are not compared. */
  readonly leftOut: number;
}

/** Compares a text with candidates like the index of a scan. */
export async function searchCandidates(
  kernel: Kernel,
  { options, idfTable }: { readonly options: Options; readonly idfTable: Uint8Array },
  { paths, shapes, source, leftOut: others }: Candidates,
  text: SearchedText,
): Promise<SimilarPassages> {
  const loaded = await loadContents(source, kernel, shapes, paths.keys());
  const corpus = new Corpus(kernel, options, idfTable);
  for (const [content, all] of paths) for (const path of all) corpus.adopt(path, loaded.place(content));
  const [similar] = lastOf(corpus.findSimilarSteps([text]));
  const { leftOut } = similar!;
  return { ...similar!, leftOut: { ...leftOut, documents: leftOut.documents + others } };
}

/** A fingerprint of a text, as two halves. */
export interface AskedWindow {
  readonly view: View;
  readonly high: number;
  readonly low: number;
}

/** Returns the distinct fingerprints of a text. */
export function windowsOf(kernel: Kernel, options: Options, bytes: Uint8Array, lexicon: Lexicon): AskedWindow[] {
  const mark = kernel.mark();
  const indexer = new DocumentIndexer(kernel, options);
  const reserved = indexer.reserve(bytes.length);
  reserved.set(bytes);
  const windows = new Map<string, AskedWindow>();
  forEachWindow(kernel, 0, indexer.index(reserved, lexicon), ({ view, high, low }) => {
    windows.set(`${view} ${high} ${low}`, { view, high, low });
  });
  kernel.release(mark);
  return [...windows.values()];
}

function storedOf({ high, low }: AskedWindow): bigint {
  return BigInt.asIntN(64, (BigInt(turned(high)) << 32n) | BigInt(low));
}

function windowOf({ view, fp }: { readonly view: View; readonly fp: bigint }): AskedWindow {
  return { view, high: turned(Number(BigInt.asUintN(64, fp) >> 32n)), low: Number(BigInt.asUintN(32, fp)) };
}

const nearStatement = `SELECT DISTINCT asked.view, block_key.fp
   FROM unnest($1::smallint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::smallint[], $6::smallint[])
   AS asked (part, t, key, fp, view, distance) JOIN kindred.block_key USING (part, t, key)
   WHERE bit_count((block_key.fp # asked.fp)::bit(64)) <= asked.distance`;

const countStatement = `SELECT document / 4 AS content, count(*)::int AS windows
   FROM unnest($1::smallint[], $2::smallint[], $3::bigint[]) AS asked (part, view, fp)
   JOIN kindred.fingerprint USING (part, view, fp) GROUP BY 1`;

/** Returns the contents with windows near the given ones, most windows first, then lowest id. */
async function nearContents(database: Database, fingerprints: NearFingerprints): Promise<number[]> {
  const counts = await countContents(database, fingerprints);
  return [...counts].sort(([x, ofX], [y, ofY]) => ofY - ofX || x - y).map(([content]) => content);
}

/** Fingerprints by low half, which distinguishes nearly all of them. */
type NearFingerprints = ReadonlyMap<number, readonly AskedWindow[]>;

/**
 * Returns the stored fingerprints within k of the given ones, for all views in one statement. The given ones are
 * included even if not stored.
 */
async function nearFingerprints(
  database: Database,
  options: Options,
  asked: readonly AskedWindow[],
): Promise<NearFingerprints> {
  const tables = new Map(views.map((view) => [view, blockTables(view, distanceOf(view, options))]));
  const keys = asked.flatMap((window) =>
    tables.get(window.view)!.map((table) => {
      const key = blockKey(table, window.high, window.low);
      const part = keyPart(table.number, key, database.parts);
      return { part, table: table.number, key, view: window.view, fp: storedOf(window) };
    }),
  );
  const rows = await askParts<(typeof keys)[number], { view: View; fp: bigint }>(
    database,
    keys,
    nearStatement,
    (own) => [
      own.map(({ part }) => part),
      own.map(({ table }) => table),
      own.map(({ key }) => key),
      own.map(({ fp }) => fp),
      own.map(({ view }) => view),
      own.map(({ view }) => distanceOf(view, options)),
    ],
  );
  const found = new Map<number, AskedWindow[]>();
  for (const window of [...asked, ...rows.map(windowOf)]) {
    const own = found.get(window.low) ?? [];
    if (own.some(({ view, high }) => view === window.view && high === window.high)) continue;
    found.set(window.low, [...own, window]);
  }
  return found;
}

/** Counts the windows of each content with one of the fingerprints. */
async function countContents(database: Database, fingerprints: NearFingerprints): Promise<Map<number, number>> {
  const asked = [...fingerprints.values()].flat().map((window) => {
    const { view, high, low } = window;
    return { view, fp: storedOf(window), part: windowsPart(view, high, low, database.parts) };
  });
  const rows = await askParts<(typeof asked)[number], { content: bigint; windows: number }>(
    database,
    asked,
    countStatement,
    (own) => [own.map(({ part }) => part), own.map(({ view }) => view), own.map(({ fp }) => fp)],
  );
  const counts = new Map<number, number>();
  for (const { content, windows } of rows) {
    counts.set(Number(content), (counts.get(Number(content)) ?? 0) + windows);
  }
  return counts;
}

/** Queries each server for the entries in its parts, and returns all rows. */
async function askParts<Asked extends { readonly part: number }, Row extends object>(
  database: Database,
  asked: readonly Asked[],
  statement: string,
  parametersOf: (own: readonly Asked[]) => unknown[],
): Promise<Row[]> {
  const answers = await Promise.all(
    database.servers.map(async (server) => {
      const own = asked.filter(({ part }) => database.serverOf(part) === server);
      if (own.length === 0) return [];
      return server.transaction((connection) => connection.query<Row>(statement, parametersOf(own)), byIndex);
    }),
  );
  return answers.flat();
}

/** A few hundred keys are queried. The planner would choose other joins because of the size of the tables. */
const byIndex = 'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off';

/** Returns the current paths of contents, prefixed with their repository. */
async function pathsOf(home: Asked, contents: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await home.query<{ content: bigint; path: string }>(
    `SELECT content, name || '/' || path AS path FROM kindred.document JOIN kindred.repository ON repository.id = repository
     WHERE content = ANY($1::bigint[]) AND since <= generation AND (until IS NULL OR until > generation) ORDER BY 2`,
    [contents],
  );
  const paths = new Map<number, string[]>();
  for (const { content, path } of rows) append(paths, Number(content), path);
  return paths;
}
