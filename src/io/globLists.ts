/** Lists of globs under names: what somebody has chosen for categories, or calls a part of the tree. */
import { problemOfGlobs, shortened } from './globs.ts';

/** Globs by the name of what they match. */
export type GlobLists = Readonly<Record<string, readonly string[]>>;

/**
 * What is wrong with globs under names, a sentence for each that begins with the option and the name.
 *
 * @param what  what a list is of, to follow "list the files of"
 */
export function problemsOfGlobLists(option: string, lists: GlobLists, what: string): string[] {
  const problems: string[] = [];
  for (const [name, list] of Object.entries(lists)) {
    const negated = list.find((glob) => glob.startsWith('!'));
    if (negated !== undefined) {
      problems.push(`${option}.${name}: "${shortened(negated)}" begins with "!"; list the files of ${what} only.`);
    }
    const problem = problemOfGlobs(list);
    if (problem !== undefined) problems.push(`${option}.${name}: ${problem}`);
  }
  const problem = problems.length > 0 ? undefined : problemOfGlobs(Object.values(lists).flat());
  return problem === undefined ? problems : [`${option}: ${problem}`];
}
