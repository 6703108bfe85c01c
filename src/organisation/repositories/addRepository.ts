/**
 * Stores the current state of a repository. Contents that are already stored, by an earlier state or by another
 * repository, are not written again. New contents are written first; then one transaction makes them the repository.
 * Readers see either the old or the new state. An interrupted writer leaves only unreferenced contents, which the next
 * one removes.
 */
import { lexiconForPath } from '../../core/engine/languages/lexicon.ts';
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import type { Skipped } from '../../core/engine/report/report.ts';
import type { Database } from '../database/openDatabase.ts';
import type { Connection } from '../database/server.ts';
import type { Asked, RepositoryRules } from './catalogue.ts';
import { keepingContents, writingRepository } from './locks.ts';
import { beginMethod, type Method } from './method.ts';
import { filesOf, type FileRead, readFiles, type Reading } from './readFiles.ts';
import { clearWriter, sweep } from './sweep.ts';
import { type ContentName, nameOf, type NewContent, writeContents } from './writeContents.ts';

export interface RepositoryInput extends Omit<Reading, 'options' | 'digestOf'> {
  readonly name: string;
  /** Source folder and its commit. */
  readonly origin: string;
  readonly commit: string | undefined;
  readonly rules: RepositoryRules;
}

export interface Added {
  readonly files: number;
  readonly lines: number;
  /** Number of files by their state: new or changed; with contents that were already stored; removed. */
  readonly written: number;
  readonly shared: number;
  readonly removed: number;
  readonly unchanged: number;
}

/** Returns `undefined` if it was cancelled; nothing has changed then. */
export async function addRepository(
  database: Database,
  method: Method,
  input: RepositoryInput,
): Promise<Added | undefined> {
  const { home } = database;
  await beginMethod(home, method);
  const id = await repositoryId(home, input.name);
  return writingRepository(home, id, async () => {
    await database.writing(() => clearWriter(database, method.options, id));
    const added = await database.writing((connection) =>
      keepingContents(home, () => store(database, connection, method, { ...input, id })),
    );
    await database.writing(() => sweep(database, method.options));
    return added;
  });
}

async function repositoryId(home: Asked, name: string): Promise<number> {
  await home.query('INSERT INTO kindred.repository (name) VALUES ($1) ON CONFLICT DO NOTHING', [name]);
  const [row] = await home.query<{ id: number }>('SELECT id FROM kindred.repository WHERE name = $1', [name]);
  return row!.id;
}

interface StoredFile extends ContentName {
  readonly content: number;
  readonly lines: number;
}

/** Entry for a file: its content, or the reason why it is skipped. */
type FileNow = { readonly content: number; readonly lines: number } | Omit<Skipped, 'path'>;

async function store(
  database: Database,
  connection: Connection,
  { options }: Method,
  input: RepositoryInput & { readonly id: number },
): Promise<Added | undefined> {
  const { home } = database;
  const before = await storedFiles(home, input.id);
  const now = new Map<string, FileNow>();
  const known = new Map<string, number>();
  const counts = { written: 0, shared: 0, unchanged: 0 };
  const digestOf = (path: string): bigint => {
    const stored = before.files.get(path);
    return stored === undefined || stored.language !== languageOf(path) ? 0n : stored.digest;
  };
  const reading = { ...input, options, digestOf };
  const { files, skipped } = filesOf(reading);
  for await (const read of readFiles(files, reading)) {
    const fresh: FileRead[] = [];
    for (const file of read.files) {
      const stored = before.files.get(file.path);
      if (file.content === 'same') {
        now.set(file.path, stored!);
        counts.unchanged++;
      } else if ('reason' in file.content) now.set(file.path, withoutPath(file.content));
      else fresh.push(file);
    }
    await findKnown(home, fresh, known);
    const isKnown = (file: FileRead): boolean => known.has(nameOf(contentOf(file)));
    counts.shared += fresh.filter(isKnown).length;
    const unknown = onceEach(fresh.filter((file) => !isKnown(file)));
    counts.written += unknown.length;
    const ids = await writeContents({ database, kernel: read.kernel, options, writer: input.id }, unknown);
    unknown.forEach((content, i) => known.set(nameOf(content), ids[i]!));
    for (const file of fresh) {
      const content = contentOf(file);
      now.set(file.path, { content: known.get(nameOf(content))!, lines: content.index.totalLines });
    }
  }
  if (input.cancelled()) return undefined;
  for (const { path, ...why } of skipped) now.set(path, why);
  const removed = [...before.files.keys()].filter((path) => !now.has(path)).length;
  const compared = [...now.values()].flatMap((file) => ('content' in file ? file : []));
  const totals = { files: compared.length, lines: compared.reduce((sum, { lines }) => sum + lines, 0) };
  await makeCurrent(connection, input, before, now, totals);
  return { ...totals, ...counts, removed };
}

function languageOf(path: string): string {
  return lexiconForPath(path).id;
}

function contentOf({ path, content, digest }: FileRead): NewContent {
  const index = content as DocumentIndex;
  return { digest, bytes: index.sizeBytes, language: languageOf(path), index };
}

/** Returns the first file of each distinct content. */
function onceEach(files: readonly FileRead[]): NewContent[] {
  const contents = new Map<string, NewContent>();
  for (const file of files) {
    const content = contentOf(file);
    if (!contents.has(nameOf(content))) contents.set(nameOf(content), content);
  }
  return [...contents.values()];
}

function withoutPath({ reason, setting }: Skipped): Omit<Skipped, 'path'> {
  return setting === undefined ? { reason } : { reason, setting };
}

/** Stored state of a repository by path: its files, and the reasons for skipped ones. */
interface Before {
  readonly generation: bigint;
  readonly files: ReadonlyMap<string, StoredFile>;
  readonly leftOut: ReadonlyMap<string, Omit<Skipped, 'path'>>;
}

interface StoredRow {
  readonly path: string;
  readonly content: bigint | null;
  readonly reason: string | null;
  readonly setting: Skipped['setting'] | null;
  readonly digest: bigint;
  readonly bytes: number;
  readonly language: string;
  readonly lines: number;
}

async function storedFiles(home: Asked, repository: number): Promise<Before> {
  const [row] = await home.query<{ generation: bigint }>('SELECT generation FROM kindred.repository WHERE id = $1', [
    repository,
  ]);
  const rows = await home.query<StoredRow>(
    `SELECT path, content, reason, setting, digest, bytes, language, (shape ->> 'totalLines')::int AS lines
     FROM kindred.document LEFT JOIN kindred.content ON content.id = document.content
     WHERE repository = $1 AND until IS NULL`,
    [repository],
  );
  const files = new Map<string, StoredFile>();
  const leftOut = new Map<string, Omit<Skipped, 'path'>>();
  for (const { path, content, reason, setting, digest, ...others } of rows) {
    if (content === null) leftOut.set(path, { reason: reason ?? '', ...(setting && { setting }) });
    else files.set(path, { ...others, content: Number(content), digest: BigInt.asUintN(64, digest) });
  }
  return { generation: row!.generation, files, leftOut };
}

/** Finds contents that are already stored, by any repository. */
async function findKnown(home: Asked, files: readonly FileRead[], known: Map<string, number>): Promise<void> {
  if (files.length === 0) return;
  const digests = files.map(({ digest }) => BigInt.asIntN(64, digest));
  const rows = await home.query<ContentName & { id: bigint }>(
    'SELECT id, digest, bytes, language FROM kindred.content WHERE digest = ANY($1::bigint[]) AND writer IS NULL ORDER BY id DESC',
    [digests],
  );
  for (const { id, digest, bytes, language } of rows) {
    known.set(nameOf({ digest: BigInt.asUintN(64, digest), bytes, language }), Number(id));
  }
}

/** Makes all contents written the current state of the repository, in one transaction. */
async function makeCurrent(
  connection: Connection,
  { id, origin, commit, rules }: RepositoryInput & { readonly id: number },
  before: Before,
  now: ReadonlyMap<string, FileNow>,
  totals: Pick<Added, 'files' | 'lines'>,
): Promise<void> {
  const generation = before.generation + 1n;
  const changed = [...now].filter(([path, file]) => !isSame(before, path, file));
  const gone = [...before.files.keys(), ...before.leftOut.keys()].filter((path) => !now.has(path));
  const ended = [...changed.map(([path]) => path), ...gone];
  await connection.run('BEGIN');
  await connection.query(
    'UPDATE kindred.document SET until = $2 WHERE repository = $1 AND until IS NULL AND path = ANY($3::text[])',
    [id, generation, ended],
  );
  await connection.copyIn(
    'kindred.document',
    ['repository', 'path', 'since', 'content', 'reason', 'setting'],
    async (to) => {
      for (const [path, file] of changed) {
        to.begin();
        to.int4(id);
        to.text(path);
        to.bigint(generation);
        if ('content' in file) {
          to.bigint(BigInt(file.content));
          to.null();
          to.null();
        } else {
          to.null();
          to.text(file.reason);
          if (file.setting === undefined) to.null();
          else to.text(file.setting);
        }
        if (to.isFull) await to.flush();
      }
    },
  );
  await connection.query('UPDATE kindred.content SET writer = NULL WHERE writer = $1', [id]);
  await connection.query(
    `UPDATE kindred.repository SET generation = $2, origin = $3, commit = $4, rules = $5, files = $6, lines = $7,
     stored_at = now() WHERE id = $1`,
    [id, generation, origin, commit ?? null, JSON.stringify(rules), totals.files, totals.lines],
  );
  await connection.run('COMMIT');
}

function isSame({ files, leftOut }: Before, path: string, now: FileNow): boolean {
  if ('content' in now) return files.get(path)?.content === now.content;
  const before = leftOut.get(path);
  return before?.reason === now.reason && before.setting === now.setting;
}
