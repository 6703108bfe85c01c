/**
 * Stores a repository as it is now. What it has in common with what is stored, its own past or any other repository, is not
 * written again. Everything that is new is written first, and then one transaction makes it the repository: readers see the
 * one before or this one, and a writer that dies half-way has changed nothing but what the next one clears up.
 */
import { lexiconForPath } from '../engine/languages/lexicon.ts';
import type { DocumentIndex } from '../engine/documents/documents.ts';
import type { Skipped } from '../engine/report/report.ts';
import type { Database } from '../database/openDatabase.ts';
import type { Connection } from '../database/server.ts';
import type { Asked, RepositoryRules } from './catalogue.ts';
import { keepingContents, writingRepository } from './locks.ts';
import { beginMethod, type Method } from './method.ts';
import { filesOf, type FileRead, readFiles, type Reading } from './readFiles.ts';
import { clearWriter, sweep } from './sweep.ts';
import { type ContentName, nameOf, type NewContent, writeContents } from './writeContents.ts';

/** What is to be stored. */
export interface RepositoryInput extends Omit<Reading, 'options' | 'digestOf'> {
  readonly name: string;
  /** The folder it is read from, and the commit that it has. */
  readonly origin: string;
  readonly commit: string | undefined;
  readonly rules: RepositoryRules;
}

/** What became of it. */
export interface Added {
  readonly files: number;
  readonly lines: number;
  /** Files by what they are to what was stored: new or of another text; of a text that was there already; gone. */
  readonly written: number;
  readonly shared: number;
  readonly removed: number;
  readonly unchanged: number;
}

/** Undefined when it was cancelled, and nothing has changed. */
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

/** A file as it is stored. */
interface StoredFile extends ContentName {
  readonly content: number;
  readonly lines: number;
}

/** A file as it is to be stored: its content, or why it is left out. */
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

/** Of files with one content the first. */
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

/** What a repository has, by path: its files, and why others were left out. */
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

/** Looks up contents that are stored already, by any repository. */
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

/** The one transaction by which all that was written becomes the repository. */
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
