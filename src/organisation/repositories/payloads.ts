/** Loads the arrays of contents from the index into kernel memory, in the layout of the local index. */
import {
  documentBytes,
  type DocumentIndex,
  type DocumentShape,
  placeDocument,
} from '../../core/engine/documents/documents.ts';
import type { DocumentPart } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { copiedRows } from '../database/copyRows.ts';
import type { Database } from '../database/openDatabase.ts';
import { payloadPart } from './fingerprintRows.ts';

/** Batch size: some megabytes. */
const contentsAtOnce = 200;

/** Thrown if a content was removed while it was needed. */
export class ContentGone extends Error {}

/** The arrays of contents, as an index stores them. */
export interface ContentSource {
  /**
   * Loads distinct contents into newly allocated memory, and records their addresses.
   *
   * @throws ContentGone if one was removed
   */
  loadInto(addresses: Map<number, number>, kernel: Kernel, wanted: readonly number[]): Promise<void>;
}

/** Returns the arrays in a database. */
export function payloadsOf(database: Database): ContentSource {
  return { loadInto: (addresses, kernel, wanted) => loadInto(addresses, database, kernel, wanted) };
}

/** Loads contents into newly allocated memory. Each can be placed under several names. */
export async function loadContents(
  source: ContentSource,
  kernel: Kernel,
  shapes: ReadonlyMap<number, DocumentShape>,
  contents: Iterable<number>,
): Promise<LoadedContents> {
  const addresses = new Map<number, number>();
  await source.loadInto(addresses, kernel, [...new Set(contents)]);
  return new LoadedContents(shapes, addresses);
}

async function loadInto(
  addresses: Map<number, number>,
  database: Database,
  kernel: Kernel,
  wanted: readonly number[],
): Promise<void> {
  for (const server of database.servers) {
    const own = wanted.filter((content) => database.serverOf(payloadPart(content, database.parts)) === server);
    for (let from = 0; from < own.length; from += contentsAtOnce) {
      const some = own.slice(from, from + contentsAtOnce);
      const parts = [...new Set(some.map((content) => payloadPart(content, database.parts)))];
      const query = `SELECT content, arrays FROM kindred.payload
        WHERE part = ANY(${listOf(parts)}::smallint[]) AND content = ANY(${listOf(some)}::bigint[])`;
      const copied = await server.session((connection) => connection.copyOut(query));
      for (const [content, arrays] of copiedRows(copied) as Iterable<readonly [Buffer, Buffer]>) {
        const address = kernel.allocate(arrays.length);
        kernel.bytes.set(arrays, address);
        addresses.set(Number(content.readBigInt64BE()), address);
      }
    }
  }
  const missing = wanted.find((content) => !addresses.has(content));
  if (missing !== undefined) throw new ContentGone(`Content ${missing} is not in the database.`);
}

function listOf(numbers: readonly number[]): string {
  return `'{${numbers.map(Math.trunc).join(',')}}'`;
}

export class LoadedContents {
  readonly #shapes: ReadonlyMap<number, DocumentShape>;
  readonly #addresses: ReadonlyMap<number, number>;

  constructor(shapes: ReadonlyMap<number, DocumentShape>, addresses: ReadonlyMap<number, number>) {
    this.#shapes = shapes;
    this.#addresses = addresses;
  }

  /** Returns a content as a separate document, without arrays if it was not loaded. */
  place(content: number): DocumentIndex {
    return placeDocument(this.#shapes.get(content)!, this.#addresses.get(content) ?? 0);
  }

  has(content: number): boolean {
    return this.#addresses.has(content);
  }
}

/** Returns a part of a document, which must exist. */
export function partOfIndex(index: DocumentIndex, part: DocumentPart): DocumentIndex {
  return part === 'text' ? index : index[part]!;
}

export function contentBytes(shapes: ReadonlyMap<number, DocumentShape>, content: number): number {
  return documentBytes(shapes.get(content)!);
}
