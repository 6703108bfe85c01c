/** A number from 0 to 255 for each language: inverse document frequencies are counted by language. */

/** Comments are in one language, whatever the code around them is in. */
export const commentLanguageHash = languageHashOf('comment');

/** A small hash: languages that share a number only make their tokens look a little more common. */
export function languageHashOf(id: string): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) & 0xff;
  return hash;
}

/** That of the language with most tokens, by the number of tokens of each language; of several the first. */
export function mainLanguageHash(tokensOf: ReadonlyMap<string, number>): number {
  const [main] = [...tokensOf].sort(([, x], [, y]) => y - x);
  return languageHashOf(main?.[0] ?? '');
}
