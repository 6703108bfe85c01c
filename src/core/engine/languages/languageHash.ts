/** Hashes of language ids, 0 to 255. Inverse document frequencies are counted per language. */

/** Language hash of all comments. It does not depend on the language of the code around them. */
export const commentLanguageHash = languageHashOf('comment');

/**
 * Returns the hash of a language id. If two languages happen to have the same hash, their tokens are counted together,
 * so these tokens look slightly more common than they are.
 */
export function languageHashOf(id: string): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) & 0xff;
  return hash;
}

/** Hashes of languages with headers of C. A declaration in a header is no port of its definition. */
const withHeadersOfC: ReadonlySet<number> = new Set(['cpp', 'objective-c'].map(languageHashOf));

/** Returns the hash of a language, or that of C if the language has headers of C. */
export function familyOf(languageHash: number): number {
  return withHeadersOfC.has(languageHash) ? languageHashOf('c') : languageHash;
}

/** Returns the hash of the language with the most tokens. If several have the same number, the first one wins. */
export function mainLanguageHash(tokensOf: ReadonlyMap<string, number>): number {
  const [main] = [...tokensOf].sort(([, x], [, y]) => y - x);
  return languageHashOf(main?.[0] ?? '');
}
