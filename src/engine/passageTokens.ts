/** The tokens of texts alone, as the lexers read them: without comments and white space, whatever lines they are on. */
import { DocumentIndexer } from './documents/indexDocument.ts';
import { createMemory, Kernel } from './kernel.ts';
import { lexiconForPath } from './languages/lexicon.ts';
import { defaultOptions } from './options.ts';

export class PassageTokens {
  readonly #kernel = new Kernel(createMemory());
  readonly #indexer = new DocumentIndexer(this.#kernel, defaultOptions);

  /**
   * A number for each token: equal for equal tokens as written.
   *
   * @param path  its name decides the language
   * @param bytes  UTF-8
   */
  of(path: string, bytes: Uint8Array): Uint32Array {
    const room = this.#indexer.reserve(bytes.byteLength);
    room.set(bytes);
    const { tokens, tokenCount } = this.#indexer.index(room, lexiconForPath(path));
    return this.#kernel.words.slice(tokens >>> 2, (tokens >>> 2) + tokenCount);
  }
}

/** Whether two lists of tokens are the same. */
export function areSameTokens(x: Uint32Array, y: Uint32Array): boolean {
  return x.length === y.length && x.every((token, place) => token === y[place]);
}
