/** Returns the tokens of a text without comments, white space, and lines. */
import { DocumentIndexer } from './documents/indexDocument.ts';
import { createMemory, Kernel } from './kernel.ts';
import { lexiconForPath } from './languages/allLexicons.ts';
import { defaultOptions } from './options.ts';

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
    const room = this.#indexer.reserve(bytes.byteLength);
    room.set(bytes);
    const { tokens, tokenCount } = this.#indexer.index(room, lexiconForPath(path));
    return this.#kernel.words.slice(tokens >>> 2, (tokens >>> 2) + tokenCount);
  }
}

/** Returns true if two lists contain the same tokens in the same order. */
export function areSameTokens(x: Uint32Array, y: Uint32Array): boolean {
  return x.length === y.length && x.every((token, place) => token === y[place]);
}
