/** Categories that somebody has chosen for files by globs, which have the same rules as those of `include`. */
import * as l10n from '@vscode/l10n';
import type { ChosenCategory } from '../engine/rows/categories.ts';
import type { Category } from '../engine/rows/category.ts';
import { problemsOfGlobLists } from './globLists.ts';
import { compileGlobs, shortened } from './globs.ts';
import { nearestName } from './nearestName.ts';

/** Globs by the category of what they match. Of several that match, the first category in the order of `categoryNames` counts. */
export type CategoryGlobs = Readonly<Partial<Record<Category, readonly string[]>>>;

/** In the order in which they count. */
export const categoryNames = ['source', 'text', 'tests', 'data', 'boilerplate'] as const satisfies readonly Category[];

/** What is wrong with globs of categories, a sentence for each that begins with its name; empty when they can be used. */
export function problemsOfCategories(globs: CategoryGlobs): string[] {
  const unknown = Object.keys(globs).filter((name) => !(categoryNames as readonly string[]).includes(name));
  return [...unknown.map((name) => `categories: ${noCategory(name)}`), ...problemsOfGlobLists('categories', globs)];
}

/** That there is none of this name, in words that follow a name. */
export function noCategory(name: string): string {
  const nearest = nearestName(name, categoryNames);
  return nearest
    ? l10n.t('there is no category "{0}"; did you mean "{1}"?', shortened(name), nearest)
    : l10n.t('there is no category "{0}"; the categories are {1}.', shortened(name), categoryNames.join(', '));
}

/** A folder with globs of its own. */
export interface CategorizedRoot {
  /** What the paths of its files begin with in the report; the globs are matched against the rest. */
  readonly prefix: string;
  readonly categories: CategoryGlobs;
}

/** Tells what is chosen for a path of the report: by the innermost folder that has it, and by no other. */
export function chosenCategories(roots: readonly CategorizedRoot[]): ChosenCategory {
  const choices = roots
    .map(({ prefix, categories }) => ({
      prefix,
      globs: categoryNames.flatMap((category) => {
        const globs = categories[category] ?? [];
        return globs.length === 0 ? [] : [{ category, matches: compileGlobs(globs) }];
      }),
    }))
    .sort((left, right) => right.prefix.length - left.prefix.length);
  return (path) => {
    const root = choices.find(({ prefix }) => path.startsWith(prefix));
    if (root === undefined || root.globs.length === 0) return undefined;
    const own = path.slice(root.prefix.length);
    return root.globs.find(({ matches }) => matches(own))?.category;
  };
}

/** Whether two lists of folders choose the same for every path. */
export function choosesAlike(before: readonly CategorizedRoot[], after: readonly CategorizedRoot[]): boolean {
  const [x, y] = [before, after].map((roots) => JSON.stringify(whatCounts(roots)));
  return x === y;
}

/** The folders that choose something, or keep another one from it, in one order. */
function whatCounts(roots: readonly CategorizedRoot[]): unknown[] {
  const choosing = roots.filter(({ categories }) => categoryNames.some((name) => categories[name]?.length));
  return roots
    .filter(({ prefix }) => choosing.some((other) => prefix.startsWith(other.prefix)))
    .map(({ prefix, categories }) => [prefix, ...categoryNames.map((name) => categories[name] ?? [])] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
}
