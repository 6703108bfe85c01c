/** List from which the user selects a language. Each language is identified by a file extension. */
import * as l10n from '@vscode/l10n';
import { element } from '../report/elements.ts';

const languages: Readonly<Record<string, string>> = {
  '.c': 'C',
  '.cpp': 'C++',
  '.cs': 'C#',
  '.go': 'Go',
  '.java': 'Java',
  '.js': 'JavaScript',
  '.kt': 'Kotlin',
  '.php': 'PHP',
  '.py': 'Python',
  '.rb': 'Ruby',
  '.rs': 'Rust',
  '.sql': 'SQL',
  '.swift': 'Swift',
  '.ts': 'TypeScript',
};
export const proseLanguage = '.md';

/** Returns the most common language of the files; prose if no language is known. */
export function languageOfMost(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const ending = path.slice(path.lastIndexOf('.'));
    if (ending in languages) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? proseLanguage;
}

export function languageChoice(id: string, value: string, onChange: (language: string) => void): HTMLElement {
  const choice = element(
    'select',
    { id },
    element('option', { value: proseLanguage }, l10n.t('Prose')),
    ...Object.entries(languages).map(([ending, name]) => element('option', { value: ending }, name)),
  );
  choice.value = value;
  choice.addEventListener('change', () => onChange(choice.value));
  return element('span', {}, element('label', { for: id }, l10n.t('Language')), ' ', choice);
}
