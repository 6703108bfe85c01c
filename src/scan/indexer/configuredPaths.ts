/** Rules for paths, from the configurations of folders: categories, and extra requirements for matches. */
import { type FileLexicons, lexiconForLanguage, lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { noMinimum, type MinimumOfPath } from '../../core/engine/matches/minimumMatch.ts';
import type { ChosenCategory } from '../../core/engine/rows/categories.ts';
import { type CategorizedRoot, chosenCategories, choosesAlike } from '../io/chosenCategories.ts';
import { type OverriddenRoot, overridesAlike, overridesOfPaths } from '../io/overrides.ts';

export type ConfiguredRoot = CategorizedRoot & OverriddenRoot;

/** The rules, in the form that a corpus requires. */
export interface ConfiguredPaths {
  readonly chosenCategory: ChosenCategory;
  readonly minimumOf: MinimumOfPath;
}

/** @param lexicons  lexicons of languages without a built-in lexicon */
export function configuredPaths(roots: readonly ConfiguredRoot[], lexicons: FileLexicons): ConfiguredPaths {
  const chosenCategory = chosenCategories(roots);
  if (roots.every(({ overrides }) => overrides.length === 0)) return { chosenCategory, minimumOf: noMinimum };
  const overriddenBy = overridesOfPaths(roots, {
    ofPath: (path) => lexiconForPath(path, lexicons).id,
    readAs: (id) => lexiconForLanguage(id)?.id ?? id,
  });
  return { chosenCategory: (path) => overriddenBy(path)?.category ?? chosenCategory(path), minimumOf: overriddenBy };
}

/** Kinds of rules that have changed for at least one path. */
export interface ConfiguredChanges {
  readonly categories: boolean;
  readonly overrides: boolean;
}

export function configuredChanges(
  before: readonly ConfiguredRoot[],
  after: readonly ConfiguredRoot[],
): ConfiguredChanges {
  const overrides = !overridesAlike(before, after);
  return { categories: overrides || !choosesAlike(before, after), overrides };
}
