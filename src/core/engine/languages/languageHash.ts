/**
 * Hashes of languages, 0 to 255. Inverse document frequencies are counted per language, and only functions in different
 * languages are compared as ports. So the languages with a lexicon have different hashes.
 */
import { lexicons, unnamedId } from './allLexicons.ts';

const hashCount = 256;
const commentId = 'comment';

/** The hash of each id. An id whose hash an earlier one has gets the next free hash. */
const hashes: ReadonlyMap<string, number> = distinctHashes([...lexicons.map(({ id }) => id), unnamedId, commentId]);
/** Hashes of other languages, such as those that only VS Code knows. */
const otherHashes = [...Array(hashCount).keys()].filter((hash) => ![...hashes.values()].includes(hash));

/** Language hash of all comments. It does not depend on the language of the code around them. */
export const commentLanguageHash = languageHashOf(commentId);

/** Returns the hash of a language id. Languages without a built-in lexicon may share theirs with each other. */
export function languageHashOf(id: string): number {
  return hashes.get(id) ?? otherHashes[hashOf(id) % otherHashes.length];
}

function hashOf(id: string): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) % hashCount;
  return hash;
}

function distinctHashes(ids: readonly string[]): Map<string, number> {
  const ofIds = new Map<string, number>();
  const taken = new Set<number>();
  const assign = (id: string, hash: number): void => {
    ofIds.set(id, hash);
    taken.add(hash);
  };
  for (const id of ids) if (!taken.has(hashOf(id))) assign(id, hashOf(id));
  for (const id of ids) {
    if (ofIds.has(id)) continue;
    let hash = hashOf(id);
    while (taken.has(hash)) hash = (hash + 1) % hashCount;
    assign(id, hash);
  }
  return ofIds;
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
