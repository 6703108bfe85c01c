/** Categories that the user has assigned to files by globs. The globs have the same format as in `include`. */
import * as l10n from '@vscode/l10n';
import type { ChosenCategory } from '../../core/engine/rows/categories.ts';
import { categories, type Category } from '../../core/engine/rows/category.ts';
import { problemsOfGlobLists } from './globLists.ts';
import { compileGlobs, shortened } from './globs.ts';
import { nearestName } from './nearestName.ts';

/** Globs of each category. If several categories match a path, the first one in `categories` applies. */
export type CategoryGlobs = Readonly<Partial<Record<Category, readonly string[]>>>;

/** Returns an error message for each invalid glob, beginning with its category: none if all are valid. */
export function problemsOfCategories(globs: CategoryGlobs): string[] {
  const unknown = Object.keys(globs).filter((name) => !(categories as readonly string[]).includes(name));
  return [...unknown.map((name) => `categories: ${noCategory(name)}`), ...problemsOfGlobLists('categories', globs)];
}

/** Returns the error message for an unknown category. The caller adds the name of the option in front. */
export function noCategory(name: string): string {
  const nearest = nearestName(name, categories);
  return nearest
    ? l10n.t('there is no category "{0}"; did you mean "{1}"?', shortened(name), nearest)
    : l10n.t('there is no category "{0}"; the categories are {1}.', shortened(name), categories.join(', '));
}

export interface CategorizedRoot {
  /** Prefix of its files' paths in the report. Globs match the rest of a path. */
  readonly prefix: string;
  readonly categories: CategoryGlobs;
}

/** Returns a function from paths to the user's categories. The globs of the innermost folder around it apply. */
export function chosenCategories(roots: readonly CategorizedRoot[]): ChosenCategory {
  const choices = roots
    .map(({ prefix, categories: chosenGlobs }) => ({
      prefix,
      globs: categories.flatMap((category) => {
        const globs = chosenGlobs[category] ?? [];
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

/** Returns true if two lists of folders assign the same categories to every path. */
export function choosesAlike(before: readonly CategorizedRoot[], after: readonly CategorizedRoot[]): boolean {
  return setAlike(before, after, ({ categories: chosenGlobs }) => categories.map((name) => chosenGlobs[name] ?? []));
}

/**
 * Returns true if two lists of folders set the same values for every path. A folder overrides the folders around it,
 * even if it sets nothing. The order of the folders does not matter.
 *
 * @param valuesOf  returns the values that a folder sets. If all of them are empty, the folder sets nothing
 */
export function setAlike<Root extends { readonly prefix: string }>(
  before: readonly Root[],
  after: readonly Root[],
  valuesOf: (root: Root) => readonly { readonly length: number }[],
): boolean {
  const [x, y] = [before, after].map((roots) => {
    const setting = roots.filter((root) => valuesOf(root).some(({ length }) => length > 0));
    return roots
      .filter(({ prefix }) => setting.some((other) => prefix.startsWith(other.prefix)))
      .map((root) => JSON.stringify([root.prefix, valuesOf(root)]))
      .sort()
      .join();
  });
  return x === y;
}
