/** Returns the tokens of a text without comments, white space, and lines; and the lines without tokens. */
import type { DocumentIndex } from './documents/documents.ts';
import { DocumentIndexer } from './documents/indexDocument.ts';
import { placeOfToken } from './documents/tokenPlaces.ts';
import { createMemory, Kernel } from './kernel.ts';
import { lexiconForPath } from './languages/allLexicons.ts';
import { defaultOptions } from './options.ts';

const lineFeed = 10;
const space = 32;

export class PassageTokens {
  readonly #kernel = new Kernel(createMemory());
  readonly #indexer = new DocumentIndexer(this.#kernel, defaultOptions);

  /**
   * Returns the tokens of a text as numbers. Equal numbers mean equal tokens; names are not abstracted.
   *
   * @param path   determines the language
   * @param bytes  UTF-8
   */
  of(path: string, bytes: Uint8Array): Uint32Array {
    const { tokens, tokenCount } = this.#index(path, bytes);
    return this.#kernel.words.slice(tokens >>> 2, (tokens >>> 2) + tokenCount);
  }

  /**
   * Returns the numbers, counted from 1, of lines with text but without tokens: comments, imports, and lines that only
   * end a string.
   *
   * @param path   determines the language
   * @param bytes  UTF-8, with line feeds between lines
   */
  commentLines(path: string, bytes: Uint8Array): ReadonlySet<number> {
    const index = this.#index(path, bytes);
    const found = new Set<number>();
    let [line, at] = [1, 0];
    for (const byte of bytes) {
      if (byte === lineFeed) line++;
      else if (byte > space) found.add(line);
    }
    line = 1;
    for (let token = 0; token < index.tokenCount; token++) {
      const { start } = placeOfToken(this.#kernel, index, token);
      for (; at < start; at++) if (bytes[at] === lineFeed) line++;
      found.delete(line);
    }
    return found;
  }

  #index(path: string, bytes: Uint8Array): DocumentIndex {
    const room = this.#indexer.reserve(bytes.byteLength);
    room.set(bytes);
    return this.#indexer.index(room, lexiconForPath(path));
  }
}

/** Returns true if two lists contain the same tokens in the same order. */
export function areSameTokens(x: Uint32Array, y: Uint32Array): boolean {
  return x.length === y.length && x.every((token, place) => token === y[place]);
}
