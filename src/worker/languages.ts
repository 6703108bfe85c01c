/** Languages that VS Code knows and we have no table for: their lexicons, made from what extensions say of them. */
import { lexiconFromLanguageConfiguration } from '../engine/languageConfiguration.ts';
import { hasTable, type Lexicon, lexiconForLanguage } from '../engine/lexicon.ts';
import { readLanguageConfiguration } from '../io/languageConfiguration.ts';
import type { ContributedLanguage } from '../protocol/messages.ts';

export class Languages {
  #asked = '';
  #lexicons: readonly Lexicon[] = [];

  /** The lexicons for the files of these languages that have no table of ours. Configurations are read once. */
  lexiconsFor(languages: readonly ContributedLanguage[]): readonly Lexicon[] {
    const asked = JSON.stringify(languages);
    if (asked !== this.#asked) this.#lexicons = makeLexicons(languages);
    this.#asked = asked;
    return this.#lexicons;
  }
}

function makeLexicons(languages: readonly ContributedLanguage[]): Lexicon[] {
  const files = new Map<string, Set<string>>();
  const configurations = new Map<string, string>();
  for (const language of languages) {
    const unknown = language.files.filter((file) => isName(file) && !hasTable(file));
    files.set(language.id, new Set([...(files.get(language.id) ?? []), ...unknown]));
    const { configuration } = language;
    // Several extensions may add to a language; the first that configures it counts.
    if (configuration !== undefined && !configurations.has(language.id)) configurations.set(language.id, configuration);
  }
  return [...files]
    .filter(([, names]) => names.size > 0)
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .flatMap(([id, names]) => {
      const configuration = configurations.get(id);
      const lexicon = lexiconForLanguage(id) ?? (configuration && lexiconOf(id, configuration));
      return lexicon ? [{ ...lexicon, files: [...names].sort().join(' ') }] : [];
    });
}

/** Lists of names in a lexicon are separated by blanks. */
function isName(file: string): boolean {
  return /^\S+$/.test(file);
}

function lexiconOf(id: string, configuration: string): Lexicon | undefined {
  const parsed = readLanguageConfiguration(configuration);
  return parsed === undefined ? undefined : lexiconFromLanguageConfiguration(id, parsed);
}
