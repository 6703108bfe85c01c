/** All lexicons, and which of them a file or a language has. The tables of the languages are in lexicons/. */
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

/** Every language with a table. */
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

/** Lexicons by the endings and whole names of their files, in small letters. */
export type FileLexicons = ReadonlyMap<string, Lexicon>;

/** The lexicons by their files; of two for one file the first. */
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

/** The identifiers of languages that have a table, and their other names. */
export const languageIds: readonly string[] = [...byLanguage.keys()];

/**
 * The lexicon for a file, by its name: the whole name first, then its longest known ending. Never a miss.
 *
 * @param others  lexicons for files that have no table here
 */
export function lexiconForPath(path: string, others: FileLexicons = noLexicons): Lexicon {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  const known = lexiconIn(byFile, name) ?? lexiconIn(others, name);
  if (known) return known;
  // Dockerfile.release, Makefile.am
  const stem = name.indexOf('.');
  return (stem > 0 ? byFile.get(name.slice(0, stem)) : undefined) ?? fallbackLexicon;
}

function lexiconIn(files: FileLexicons, name: string): Lexicon | undefined {
  const whole = files.get(name);
  if (whole) return whole;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const lexicon = files.get(name.slice(dot));
    if (lexicon) return lexicon;
  }
  return undefined;
}

/** Whether there is a table for files with this ending (`.ts`) or whole name. */
export function hasTable(file: string): boolean {
  return lexiconIn(byFile, file.toLowerCase()) !== undefined;
}

/** The lexicon for a language identifier of VS Code, or undefined where there is no table for it. */
export function lexiconForLanguage(languageId: string): Lexicon | undefined {
  return byLanguage.get(languageId);
}

let unnamed: Lexicon | undefined;

/**
 * The lexicon for code whose language nobody has named: that of unknown files, and as keywords those of many languages, so
 * that most of its tokens are what they are where the code is from.
 */
export function unnamedLexicon(): Lexicon {
  if (unnamed) return unnamed;
  const counts = new Map<string, number>();
  for (const { prose, data, markup, foldCase, keywords, values } of lexicons) {
    if (prose || data || markup || foldCase) continue;
    for (const word of new Set([...wordsOf(keywords), ...wordsOf(values)]))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].filter(([, count]) => count >= leastLanguages).map(([word]) => word);
  unnamed = { ...fallbackLexicon, id: 'unnamed', keywords: words.join(' ') };
  return unnamed;
}

/** With fewer, names that code has often count too (`get`, `string`, `object`); with more, `import` and `def` do not. */
const leastLanguages = 8;

function wordsOf(list = ''): string[] {
  return list.split(/\s+/).filter((word) => word !== '');
}
