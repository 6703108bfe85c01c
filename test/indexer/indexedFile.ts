/** A file as a scan represents it after reading, made from a text. */
import type { DocumentIndex } from '../../src/core/engine/documents/documents.ts';
import { hashBytes64 } from '../../src/core/methods/hash64.ts';
import type { DocumentIndexer } from '../../src/core/engine/documents/indexDocument.ts';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import type { IndexedFile } from '../../src/scan/indexer/indexedFile.ts';

/** @param path path whose extension determines the language */
export function indexedFile(
  indexer: DocumentIndexer,
  path: string,
  text: string,
): IndexedFile & { readonly content: DocumentIndex } {
  const bytes = new TextEncoder().encode(text);
  const room = indexer.reserve(bytes.length);
  room.set(bytes);
  const content = indexer.index(room.subarray(0, bytes.length), lexiconForPath(path));
  return { path, content, digest: hashBytes64(bytes), stamp: undefined };
}
