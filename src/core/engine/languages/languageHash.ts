/** Hashes of languages, 0 to 255. Inverse document frequencies are counted per language. */

/** Hash for comments. It is the same for all comments, regardless of the language of the code around them. */
export const commentLanguageHash = languageHashOf('comment');

/**
 * Returns the hash of a language. If two languages have the same hash, their tokens merely look slightly more common.
 */
export function languageHashOf(id: string): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) & 0xff;
  return hash;
}

/** Returns the hash of the language with the most tokens; in a tie, the first one. */
export function mainLanguageHash(tokensOf: ReadonlyMap<string, number>): number {
  const [main] = [...tokensOf].sort(([, x], [, y]) => y - x);
  return languageHashOf(main?.[0] ?? '');
}
