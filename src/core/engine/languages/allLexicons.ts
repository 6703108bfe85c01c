/** All lexicons, and their lookup by file or language. The tables of the languages are in lexicons/. */
import { byFileName } from '../../collections/byFileName.ts';
import { sum } from '../../collections/lists.ts';
import type { Lexicon } from './lexicalRules.ts';
import { cLexicons } from './lexicons/c.ts';
import { classicLexicons } from './lexicons/classic.ts';
import { dataLexicons } from './lexicons/data.ts';
import { dynamicLexicons } from './lexicons/dynamic.ts';
import { fallbackLexicon } from './lexicons/fallback.ts';
import { functionalLexicons } from './lexicons/functional.ts';
import { markupLexicons } from './lexicons/markup.ts';
import { modernLexicons } from './lexicons/modern.ts';
import { proseLexicons } from './lexicons/prose.ts';
import { scriptLexicons } from './lexicons/script.ts';

export const lexicons: readonly Lexicon[] = [
  ...cLexicons,
  ...modernLexicons,
  ...scriptLexicons,
  ...dynamicLexicons,
  ...functionalLexicons,
  ...classicLexicons,
  ...dataLexicons,
  ...markupLexicons,
  ...proseLexicons,
  fallbackLexicon,
];

/** Lexicon of each file extension or full file name, in lowercase. */
export type FileLexicons = ReadonlyMap<string, Lexicon>;

/** Returns a map from extensions and file names to lexicons. If several lexicons claim a file, the first one wins. */
export function fileLexicons(some: readonly Lexicon[]): FileLexicons {
  const pairs = some.flatMap((lexicon) =>
    wordsOf(lexicon.files).map((file): [string, Lexicon] => [file.toLowerCase(), lexicon]),
  );
  return new Map(pairs.reverse());
}

const byFile = fileLexicons(lexicons);
const noLexicons: FileLexicons = new Map();
const byLanguage = new Map(
  lexicons.flatMap((lexicon) => [lexicon.id, ...wordsOf(lexicon.aliases)].map((id) => [id, lexicon])),
);

/** Identifiers and aliases of all languages with a lexicon. */
export const languageIds: readonly string[] = [...byLanguage.keys()];

/**
 * Returns the lexicon for a file by its name: first by its full name, then by its longest known extension. Returns a
 * fallback lexicon for unknown files.
 *
 * @param others  lexicons for files that no built-in lexicon claims
 */
export function lexiconForPath(path: string, others: FileLexicons = noLexicons): Lexicon {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  const lexiconByName = byFileName(byFile, name) ?? byFileName(others, name);
  if (lexiconByName) return lexiconByName;
  // Try the name up to the first period, as in Dockerfile.release and Makefile.am.
  const stem = name.indexOf('.');
  return (stem > 0 ? byFile.get(name.slice(0, stem)) : undefined) ?? fallbackLexicon;
}

/** Returns true if there is a built-in lexicon for files with this extension (`.ts`) or full name. */
export function hasTable(file: string): boolean {
  return byFileName(byFile, file.toLowerCase()) !== undefined;
}

/** Returns the lexicon of a VS Code language identifier, or `undefined` if there is none. */
export function lexiconForLanguage(languageId: string): Lexicon | undefined {
  return byLanguage.get(languageId);
}

/** Language id of the lexicon that `unnamedLexicon` returns. */
export const unnamedId = 'unnamed';
let unnamed: Lexicon | undefined;

/**
 * Returns the lexicon for code whose language is unknown: the fallback lexicon with the keywords of many languages.
 * With it, most tokens are the same as if the language were known.
 */
export function unnamedLexicon(): Lexicon {
  if (unnamed) return unnamed;
  const counts = new Map<string, number[]>();
  for (const lexicon of lexicons) {
    if (lexicon.prose || lexicon.data || lexicon.markup || lexicon.foldCase) continue;
    const { keywords, values, introducing, between } = lexicon;
    for (const [list, words] of [`${keywords ?? ''} ${values ?? ''}`, introducing, between].entries()) {
      for (const word of new Set(wordsOf(words))) {
        const ofWord = counts.get(word) ?? [0, 0, 0];
        ofWord[list]++;
        counts.set(word, ofWord);
      }
    }
  }
  // A word that is contextual in most languages is contextual here.
  const lists = [0, 1, 2].map((list) =>
    [...counts]
      .filter(([, ofWord]) => sum(ofWord) >= minLanguages && ofWord.indexOf(Math.max(...ofWord)) === list)
      .map(([word]) => word)
      .join(' '),
  );
  unnamed = { ...fallbackLexicon, id: unnamedId, keywords: lists[0], introducing: lists[1], between: lists[2] };
  return unnamed;
}

/**
 * Minimum number of languages that must have a word as a keyword. Below 8, common names such as `get`, `string`, and
 * `object` become keywords; above 8, `import` and `def` are no longer keywords.
 */
const minLanguages = 8;

function wordsOf(list = ''): string[] {
  return list.split(/\s+/).filter((word) => word !== '');
}
