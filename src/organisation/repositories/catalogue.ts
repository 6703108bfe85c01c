/** Catalog of an index, stored at its home: the method, the repositories, and the documents of each generation. */
import type { DocumentShape } from '../../core/engine/documents/documents.ts';
import { compareNames, documentParts, type NamedDocument } from '../../core/engine/documents/namedDocument.ts';
import type { AdmittingSetting, Skipped } from '../../core/engine/report/report.ts';
import type { ConfiguredRoot } from '../../scan/indexer/configuredPaths.ts';
import { byPath } from '../../scan/io/byPath.ts';
import { DatabaseError } from '../database/databaseError.ts';
import type { Connection, Server } from '../database/server.ts';

/** A server, or one of its connections. */
export type Asked = Pick<Server | Connection, 'query'>;

/** Rules of a repository for its files: as in `ConfiguredRoot`, without the prefix. */
export type RepositoryRules = Omit<ConfiguredRoot, 'prefix'>;

export interface Repository {
  readonly name: string;
  /** Path of the source folder, as it was given, and its commit; `undefined` if unknown. */
  readonly origin: string | undefined;
  readonly commit: string | undefined;
  /** Incremented with each change. 0 if nothing is stored yet. */
  readonly generation: number;
  readonly rules: RepositoryRules;
  readonly files: number;
  readonly lines: number;
  readonly storedAt: Date;
}

/** A repository in a database. */
export interface DatabaseRepository extends Repository {
  readonly id: number;
}

interface RepositoryRow {
  readonly id: number;
  readonly name: string;
  readonly origin: string | null;
  readonly commit: string | null;
  readonly generation: bigint;
  readonly rules: RepositoryRules;
  readonly files: number;
  readonly lines: bigint;
  readonly stored_at: Date;
}

/** Reads all repositories with stored documents, by name. */
export async function readRepositories(home: Asked): Promise<DatabaseRepository[]> {
  const rows = await home.query<RepositoryRow>(
    `SELECT id, name, origin, commit, generation, rules, files, lines, stored_at
     FROM kindred.repository WHERE generation > 0 ORDER BY name`,
  );
  return rows.map(({ origin, commit, generation, lines, stored_at: storedAt, ...others }) => ({
    ...others,
    origin: origin ?? undefined,
    commit: commit ?? undefined,
    storedAt,
    generation: Number(generation),
    lines: Number(lines),
  }));
}

/** Creates the error for an index without repositories. */
export function noRepository(): DatabaseError {
  return new DatabaseError('The index has no repository yet: store one with kindred org add PATH.');
}

/** Returns the prefix of a repository's paths in reports. */
export function prefixOf({ name }: Pick<Repository, 'name'>): string {
  return `${name}/`;
}

export type Generations = readonly (readonly [
  repository: Pick<DatabaseRepository, 'id' | 'name'>,
  generation: number,
])[];

/** Documents of some generations. Their names are those of one scan with each repository as a folder. */
export class StoredDocuments {
  /** In the order of names; parts follow their text. The index of a document is its number. */
  readonly documents: readonly StoredDocument[];
  readonly skipped: readonly Skipped[];
  readonly shapes: ReadonlyMap<number, DocumentShape>;
  readonly #numbers = new Map<number, number[][]>();

  constructor(documents: readonly StoredDocument[], shapes: ReadonlyMap<number, DocumentShape>, skipped: Skipped[]) {
    this.documents = documents;
    this.shapes = shapes;
    this.skipped = skipped;
    documents.forEach(({ content, part }, number) => {
      let ofContent = this.#numbers.get(content);
      if (ofContent === undefined) this.#numbers.set(content, (ofContent = documentParts.map(() => [])));
      ofContent[documentParts.indexOf(part)]!.push(number);
    });
  }

  /** Returns the numbers of the documents with a part of a content; none if these generations do not have it. */
  numbersOf(content: number, part: number): readonly number[] {
    return this.#numbers.get(content)?.[part] ?? [];
  }
}

export interface StoredDocument extends Pick<NamedDocument, 'path' | 'part'> {
  readonly content: number;
}

interface DocumentRow {
  readonly repository: number;
  readonly path: string;
  readonly content: bigint | null;
  readonly reason: string | null;
  readonly setting: AdmittingSetting | null;
}

export async function readDocuments(home: Asked, generations: Generations): Promise<StoredDocuments> {
  const prefixes = new Map(generations.map(([repository]) => [repository.id, prefixOf(repository)]));
  const rows = await home.query<DocumentRow>(
    `SELECT repository, path, content, reason, setting FROM kindred.document
     JOIN unnest($1::int[], $2::bigint[]) AS wanted (repository, generation) USING (repository)
     WHERE since <= wanted.generation AND (until IS NULL OR until > wanted.generation)`,
    [generations.map(([{ id }]) => id), generations.map(([, generation]) => generation)],
  );
  const skipped: Skipped[] = [];
  const files: { readonly path: string; readonly content: number }[] = [];
  for (const { repository, path: own, content, reason, setting } of rows) {
    const path = prefixes.get(repository)! + own;
    if (content !== null) files.push({ path, content: Number(content) });
    else skipped.push({ path, reason: reason ?? '', ...(setting !== null && { setting }) });
  }
  const shapes = await readShapes(home, new Set(files.map(({ content }) => content)));
  return documentsOf(files, skipped, shapes);
}

/** Returns the documents of files, in any order. */
export function documentsOf(
  files: readonly { readonly path: string; readonly content: number }[],
  skipped: readonly Skipped[],
  shapes: ReadonlyMap<number, DocumentShape>,
): StoredDocuments {
  const documents = files.flatMap(({ path, content }) => partsOfShape(path, content, shapes.get(content)!));
  return new StoredDocuments(documents.sort(byName), shapes, [...skipped].sort(byPath));
}

export async function readShapes(home: Asked, contents: ReadonlySet<number>): Promise<Map<number, DocumentShape>> {
  const rows = await home.query<{ id: bigint; shape: StoredShape }>(
    'SELECT id, shape FROM kindred.content WHERE id = ANY($1::bigint[])',
    [[...contents]],
  );
  return new Map(rows.map(({ id, shape }) => [Number(id), shapeFrom(shape)]));
}

/** JSON form of a shape, without undefined fields. */
type StoredShape = Omit<DocumentShape, 'comments' | 'quoted'> & { comments?: StoredShape; quoted?: StoredShape };

function shapeFrom({ comments, quoted, ...own }: StoredShape): DocumentShape {
  return { ...own, comments: comments && shapeFrom(comments), quoted: quoted && shapeFrom(quoted) };
}

function partsOfShape(path: string, content: number, { comments, quoted }: DocumentShape): StoredDocument[] {
  const parts: StoredDocument[] = [{ path, content, part: 'text' }];
  if (comments) parts.push({ path, content, part: 'comments' });
  if (quoted) parts.push({ path, content, part: 'quoted' });
  return parts;
}

// Compares documents as a corpus does, which uses only their names.
function byName(x: StoredDocument, y: StoredDocument): number {
  return compareNames(x as unknown as NamedDocument, y as unknown as NamedDocument);
}
