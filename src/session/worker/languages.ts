/** Lexicons for languages without a built-in table, made from the language configurations of VS Code's extensions. */
import { lexiconFromLanguageConfiguration } from '../../core/engine/languages/languageConfiguration.ts';
import {
  type FileLexicons,
  fileLexicons,
  hasTable,
  languageIds,
  lexiconForLanguage,
  lexiconForPath,
} from '../../core/engine/languages/lexicon.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { fallbackLexicon } from '../../core/engine/languages/lexicons/fallback.ts';
import type { ContributedLanguage } from '../protocol/messages.ts';
import type { Disk } from './disk.ts';

export class Languages {
  readonly #disk: Disk | undefined;
  #asked = '';
  #lexicons: readonly Lexicon[] = [];

  constructor(disk: Disk | undefined) {
    this.#disk = disk;
  }

  /** Returns the lexicons of these languages for files without a built-in table. Configurations are read once. */
  lexiconsFor(languages: readonly ContributedLanguage[]): readonly Lexicon[] {
    const asked = JSON.stringify(languages);
    if (asked !== this.#asked) this.#lexicons = makeLexicons(languages, this.#disk);
    this.#asked = asked;
    return this.#lexicons;
  }
}

/**
 * Returns the lexicon of a text, by its file name, or else by its language in VS Code.
 *
 * @param others  as for `lexiconForPath`
 */
export function lexiconOfText(path: string, languageId: string, others: FileLexicons): Lexicon | undefined {
  const ofPath = lexiconForPath(path, others);
  if (ofPath !== fallbackLexicon) return ofPath;
  // VS Code uses plain text for unknown languages. Such a file is read as in a scan.
  if (path !== '' && languageId === 'plaintext') return undefined;
  const ofOthers = (): Lexicon | undefined => [...others.values()].find(({ id }) => id === languageId);
  return lexiconForLanguage(languageId) ?? ofOthers();
}

/** Returns the problem of an unknown language, which lists the known ones; `undefined` if the language is known. */
export function problemOfLanguage(path: string, languageId: string, others: FileLexicons): string | undefined {
  if (languageId === 'plaintext' || lexiconOfText(path, languageId, others) !== undefined) return undefined;
  const ids = [...new Set([...languageIds, ...[...others.values()].map(({ id }) => id)])].sort();
  return `There is no language ${languageId}; specify a file extension, such as ts or py, or one of ${ids.join(', ')}.`;
}

/**
 * Returns a message that some files are read with VS Code's language configurations; `undefined` if there are none. The
 * command line lacks these, so its number of groups may differ slightly.
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
    // Several extensions may contribute to a language; the first one with a configuration applies.
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

/** Names in a lexicon are separated by blanks. */
function isName(file: string): boolean {
  return /^\S+$/.test(file);
}

function lexiconOf(id: string, parsed: unknown): Lexicon | undefined {
  return parsed === undefined ? undefined : lexiconFromLanguageConfiguration(id, parsed);
}
