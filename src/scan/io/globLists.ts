/** Named lists of globs. They define categories or parts of a tree. */
import * as l10n from '@vscode/l10n';
import { problemOfGlobs, shortened } from './globs.ts';

export type GlobLists = Readonly<Record<string, readonly string[]>>;

/** Returns an error message for each invalid list. Each message begins with the names of the option and of the list. */
export function problemsOfGlobLists(option: 'boundaries' | 'categories', lists: GlobLists): string[] {
  const problems: string[] = [];
  for (const [name, list] of Object.entries(lists)) {
    const negated = list.find((glob) => glob.startsWith('!'));
    if (negated !== undefined) {
      const glob = shortened(negated);
      problems.push(
        option === 'categories'
          ? l10n.t('{0}: "{1}" begins with "!"; list the files of the category only.', `${option}.${name}`, glob)
          : l10n.t('{0}: "{1}" begins with "!"; list the files of the part only.', `${option}.${name}`, glob),
      );
    }
    const problem = problemOfGlobs(list);
    if (problem !== undefined) problems.push(`${option}.${name}: ${problem}`);
  }
  const problem = problems.length > 0 ? undefined : problemOfGlobs(Object.values(lists).flat());
  return problem === undefined ? problems : [`${option}: ${problem}`];
}
