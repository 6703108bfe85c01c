/** Lexicons of languages without a built-in lexicon, made from the language configurations of VS Code's extensions. */
import { lexiconFromLanguageConfiguration } from '../../core/engine/languages/languageConfiguration.ts';
import {
  type FileLexicons,
  fileLexicons,
  hasTable,
  languageIds,
  lexiconForLanguage,
  lexiconForPath,
} from '../../core/engine/languages/allLexicons.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { fallbackLexicon } from '../../core/engine/languages/lexicons/fallback.ts';
import { nearestName } from '../../scan/io/nearestName.ts';
import type { ContributedLanguage } from '../protocol/messages.ts';
import type { Disk } from './disk.ts';

export class Languages {
  readonly #disk: Disk | undefined;
  #key = '';
  #lexicons: readonly Lexicon[] = [];

  constructor(disk: Disk | undefined) {
    this.#disk = disk;
  }

  /** Returns lexicons for languages without a built-in one. Each configuration is read only once. */
  lexiconsFor(languages: readonly ContributedLanguage[]): readonly Lexicon[] {
    const key = JSON.stringify(languages);
    if (key !== this.#key) this.#lexicons = makeLexicons(languages, this.#disk);
    this.#key = key;
    return this.#lexicons;
  }
}

/**
 * Returns the lexicon of a text. It is determined by the file name or, if that is unknown, by VS Code's language.
 *
 * @param others  lexicons for files that no built-in lexicon claims
 */
export function lexiconOfText(path: string, languageId: string, others: FileLexicons): Lexicon | undefined {
  const ofPath = lexiconForPath(path, others);
  if (ofPath !== fallbackLexicon) return ofPath;
  // VS Code treats files in unknown languages as plain text. Lex such a file as a scan does.
  if (path !== '' && languageId === 'plaintext') return undefined;
  const ofOthers = (): Lexicon | undefined => [...others.values()].find(({ id }) => id === languageId);
  return lexiconForLanguage(languageId) ?? ofOthers();
}

/** Language for which the message lists all languages. The list has 2.5 kB, too much for each misspelled name. */
const allLanguages = 'all';
const maxSuggested = 8;

/** If a language is unknown or missing, returns a message that suggests similar ones; otherwise `undefined`. */
export function problemOfLanguage(path: string, languageId: string, others: FileLexicons): string | undefined {
  if (languageId === 'plaintext' || lexiconOfText(path, languageId, others) !== undefined) return undefined;
  const ids = [...new Set([...languageIds, ...[...others.values()].map(({ id }) => id)])].sort();
  const remedy = 'specify a file name or extension, such as src/a.ts or py, or the id of a language';
  if (languageId === allLanguages) return `The ids of the languages are ${ids.join(', ')}; ${remedy}.`;
  const problem = languageId === '' ? 'The language of the text is missing' : `There is no language ${languageId}`;
  const similar = languageId === '' ? [] : similarNames(languageId, ids);
  const suggested = similar.length === 0 ? '' : ` Similar ids: ${similar.join(', ')}.`;
  return `${problem}; ${remedy}.${suggested} The language "${allLanguages}" lists all ids.`;
}

/** Returns the nearest name, and names that begin with the same letters. */
function similarNames(misspelledName: string, ids: readonly string[]): readonly string[] {
  const nearest = nearestName(misspelledName, ids);
  const beginning = misspelledName.slice(0, 3);
  const others = ids.filter((id) => id.startsWith(beginning));
  return [...new Set([...(nearest === undefined ? [] : [nearest]), ...others])].slice(0, maxSuggested);
}

/**
 * Returns a message that some files are lexed with language configurations of VS Code, or `undefined` if there are no
 * such files. The command line does not have these configurations, so it may find a slightly different number of
 * groups.
 */
export function describeKnownToEditor(
  files: readonly { readonly path: string }[],
  lexicons: readonly Lexicon[],
): string | undefined {
  const others = fileLexicons(lexicons);
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const { id } = lexiconForPath(path, others);
    if (id !== lexiconForPath(path).id) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  const sum = [...counts.values()].reduce((total, count) => total + count, 0);
  const languages = [...counts]
    .sort(([x, a], [y, b]) => b - a || (x < y ? -1 : 1))
    .map(([id, count]) => `${count} ${id}`);
  return `${sum === 1 ? '1 file uses a language' : `${sum} files use languages`} known only to VS Code (${languages.join(', ')}). The command line may report slightly different groups for such files.`;
}

function makeLexicons(languages: readonly ContributedLanguage[], disk: Disk | undefined): Lexicon[] {
  const files = new Map<string, Set<string>>();
  const configurations = new Map<string, string>();
  for (const language of languages) {
    const unknown = language.files.filter((file) => isName(file) && !hasTable(file));
    files.set(language.id, new Set([...(files.get(language.id) ?? []), ...unknown]));
    const { configuration } = language;
    // If several extensions contribute to a language, the first one with a configuration applies.
    if (configuration !== undefined && !configurations.has(language.id)) configurations.set(language.id, configuration);
  }
  return [...files]
    .filter(([, names]) => names.size > 0)
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .flatMap(([id, names]) => {
      const configuration = configurations.get(id);
      const lexicon =
        lexiconForLanguage(id) ?? (configuration && lexiconOf(id, disk?.languageConfigurationIn(configuration)));
      return lexicon ? [{ ...lexicon, files: [...names].sort().join(' ') }] : [];
    });
}

/** Returns true if a name can be part of a lexicon, in which names are separated by spaces. */
function isName(file: string): boolean {
  return /^\S+$/.test(file);
}

function lexiconOf(id: string, parsed: unknown): Lexicon | undefined {
  return parsed === undefined ? undefined : lexiconFromLanguageConfiguration(id, parsed);
}
