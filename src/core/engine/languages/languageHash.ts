/** Hashes of languages, 0 to 255. Inverse document frequencies are counted per language. */

/** All comments have the same language, regardless of the code around them. */
export const commentLanguageHash = languageHashOf('comment');

/** Languages with the same hash only make each other's tokens look slightly more common. */
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
