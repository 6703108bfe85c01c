/**
 * The near-duplicates of one text in all repositories. The database tells which documents have windows near to those of the
 * text; these alone are loaded, and asked as the index of a scan is asked (`engine/similar/findSimilar.ts`).
 */
import { Corpus } from '../engine/corpus.ts';
import type { DocumentIndex } from '../engine/documents/documents.ts';
import { DocumentIndexer } from '../engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../engine/kernel.ts';
import type { Lexicon } from '../engine/languages/lexicalRules.ts';
import type { Options } from '../engine/options.ts';
import type { SimilarPassages, SimilarQuery } from '../engine/similar/findSimilar.ts';
import { lastOf } from '../engine/steps.ts';
import { tuning } from '../engine/tuning.ts';
import type { SimilarText } from '../indexer/liveScan.ts';
import { DatabaseError } from '../database/databaseError.ts';
import type { Database } from '../database/openDatabase.ts';
import { blockKey, blockTables, distanceOf, type View, views } from './blockKeys.ts';
import { type Asked, readShapes } from './catalogue.ts';
import { forEachWindow, keyPart, turned, windowsPart } from './fingerprintRows.ts';
import { checkMethod, storedMethod } from './method.ts';
import { ContentGone, loadContents } from './payloads.ts';
import { storedRarity } from './rarity.ts';

/** How often a look-up is begun again, because repositories change under its hands. */
const attempts = 3;

/**
 * @param scanThread  see `methodOf`
 * @throws DatabaseError when nothing is stored, or when the text cannot be compared with what is
 */
export async function findSimilarIn(
  database: Database,
  scanThread: URL,
  text: SimilarText,
  query: SimilarQuery,
): Promise<SimilarPassages> {
  const method = await storedMethod(database.home);
  const idfTable = method && (await storedRarity(database.home));
  if (method === undefined || idfTable === undefined) {
    throw new DatabaseError('The index has no repository yet: store one with kindred org add PATH.');
  }
  checkMethod(method, scanThread);
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.stable(() => search(database, { options: method.options, idfTable }, text, query));
    } catch (error) {
      if (!(error instanceof ContentGone) || attempt === attempts) throw error;
    }
  }
}

interface Weighed {
  readonly options: Options;
  readonly idfTable: Uint8Array;
}

async function search(
  database: Database,
  { options, idfTable }: Weighed,
  { bytes, lexicon }: SimilarText,
  query: SimilarQuery,
): Promise<SimilarPassages> {
  const kernel = new Kernel(createMemory());
  const near = await nearContents(database, options, windowsOf(kernel, options, bytes, lexicon));
  const found = near.slice(0, tuning.similar.documents);
  const paths = await pathsOf(database.home, found);
  const named = found.filter((content) => paths.has(content));
  const shapes = await readShapes(database.home, new Set(named));
  const loaded = await loadContents(database, kernel, shapes, named);
  const corpus = new Corpus(kernel, options, idfTable);
  for (const content of named) {
    for (const path of paths.get(content)!) corpus.adopt(path, withoutSketch(loaded.place(content)));
  }
  const plan = corpus.beginPlan().complete({ address: 0, count: 0, truncated: 0 });
  lastOf(plan.finishSteps(new Uint32Array(), { skipped: [], complete: true }));
  const live = corpus.keep();
  lastOf(live.indexSteps());
  const asked = live.reserve(bytes.length);
  asked.set(bytes);
  const similar = live.findSimilar(asked, lexicon, query)!;
  const { leftOut } = similar;
  return { ...similar, leftOut: { ...leftOut, documents: leftOut.documents + near.length - found.length } };
}

/** Nobody asks which of the files are alike as wholes. */
function withoutSketch(index: DocumentIndex): DocumentIndex {
  return { ...index, hasSketch: false, sketch: 0 };
}

/** A fingerprint of the text, as its halves. */
interface AskedWindow {
  readonly view: View;
  readonly high: number;
  readonly low: number;
}

/** The different fingerprints of a text. */
function windowsOf(kernel: Kernel, options: Options, bytes: Uint8Array, lexicon: Lexicon): AskedWindow[] {
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

/** The contents with windows near to those asked for: those with most of them first, then the older ones. */
async function nearContents(database: Database, options: Options, asked: readonly AskedWindow[]): Promise<number[]> {
  const counts = new Map<number, number>();
  for (const view of views) {
    const own = asked.filter((window) => window.view === view);
    const near = await nearFingerprints(database, view, distanceOf(view, options), own);
    await countContents(database, view, near, counts);
  }
  return [...counts].sort(([x, ofX], [y, ofY]) => ofY - ofX || x - y).map(([content]) => content);
}

/** The stored fingerprints within k of some, these included whether they are stored or not. */
async function nearFingerprints(
  database: Database,
  view: View,
  distance: number,
  asked: readonly AskedWindow[],
): Promise<Set<bigint>> {
  const found = new Set(asked.map(storedOf));
  const keys = blockTables(view, distance).flatMap((table) =>
    asked.map((window) => {
      const key = blockKey(table, window.high, window.low);
      return { part: keyPart(table.number, key, database.parts), table: table.number, key, fp: storedOf(window) };
    }),
  );
  await Promise.all(
    database.servers.map(async (server) => {
      const own = keys.filter(({ part }) => database.serverOf(part) === server);
      if (own.length === 0) return;
      const rows = await server.transaction(async (connection) => {
        await connection.run(byIndex);
        return connection.query<{ fp: bigint }>(
          `SELECT DISTINCT block_key.fp FROM unnest($1::smallint[], $2::smallint[], $3::bigint[], $4::bigint[])
           AS asked (part, t, key, fp) JOIN kindred.block_key USING (part, t, key)
           WHERE bit_count((block_key.fp # asked.fp)::bit(64)) <= $5`,
          [
            own.map(({ part }) => part),
            own.map(({ table }) => table),
            own.map(({ key }) => key),
            own.map(({ fp }) => fp),
            distance,
          ],
        );
      });
      for (const { fp } of rows) found.add(fp);
    }),
  );
  return found;
}

/** Some hundred keys are looked up, whatever the planner makes of the size of the tables. */
const byIndex = 'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off';

/** Adds to the counts of contents how many windows they have of some fingerprints. */
async function countContents(
  database: Database,
  view: View,
  fingerprints: ReadonlySet<bigint>,
  counts: Map<number, number>,
): Promise<void> {
  const asked = Array.from(fingerprints, (fp) => {
    const [high, low] = [turned(Number(BigInt.asUintN(64, fp) >> 32n)), Number(BigInt.asUintN(32, fp))];
    return { fp, part: windowsPart(view, high, low, database.parts) };
  });
  await Promise.all(
    database.servers.map(async (server) => {
      const own = asked.filter(({ part }) => database.serverOf(part) === server);
      if (own.length === 0) return;
      const rows = await server.transaction(async (connection) => {
        await connection.run(byIndex);
        return connection.query<{ content: bigint; windows: number }>(
          `SELECT document / 4 AS content, count(*)::int AS windows
           FROM unnest($2::smallint[], $3::bigint[]) AS asked (part, fp) JOIN kindred.fingerprint USING (part, fp)
           WHERE view = $1 GROUP BY 1`,
          [view, own.map(({ part }) => part), own.map(({ fp }) => fp)],
        );
      });
      for (const { content, windows } of rows) {
        counts.set(Number(content), (counts.get(Number(content)) ?? 0) + windows);
      }
    }),
  );
}

/** Where contents stand now, with the names of their repositories before the paths. */
async function pathsOf(home: Asked, contents: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await home.query<{ content: bigint; path: string }>(
    `SELECT content, name || '/' || path AS path FROM kindred.document JOIN kindred.repository ON repository.id = repository
     WHERE content = ANY($1::bigint[]) AND since <= generation AND (until IS NULL OR until > generation) ORDER BY 2`,
    [contents],
  );
  const paths = new Map<number, string[]>();
  for (const { content, path } of rows) {
    const own = paths.get(Number(content));
    if (own) own.push(path);
    else paths.set(Number(content), [path]);
  }
  return paths;
}
