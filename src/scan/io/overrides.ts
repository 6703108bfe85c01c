/**
 * Overrides: limits and categories for the files that some globs or languages select. If several overrides set the same
 * value for a file, the last one wins.
 */
import type { Minimum } from '../../core/engine/matches/minimumMatch.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import { setAlike } from './chosenCategories.ts';
import { compileGlobs } from './globs.ts';
import type { Override } from './overrideKeys.ts';

/** Values that overrides set for a file. */
export interface OverrideValues extends Minimum {
  readonly category?: Category;
}

export interface OverriddenRoot {
  /** Prefix of its files' paths in the report. Globs match the rest of a path. */
  readonly prefix: string;
  readonly overrides: readonly Override[];
}

/** Functions of the engine that determine languages. */
export interface Languages {
  /** Returns the language identifier of a path in the report. */
  readonly ofPath: (path: string) => string;
  /** Several languages may share a lexicon. Returns the language that the lexicon of a language belongs to. */
  readonly readAs: (id: string) => string;
}

/** Returns a function from paths to the values of overrides. Those of the innermost folder around them apply. */
export function overridesOfPaths(
  roots: readonly OverriddenRoot[],
  languages: Languages,
): (path: string) => OverrideValues | undefined {
  const compiled = roots
    .map(({ prefix, overrides }) => ({ prefix, rules: overrides.map((override) => compile(override, languages)) }))
    .sort((left, right) => right.prefix.length - left.prefix.length);
  const overriddenByPath = new Map<string, OverrideValues | undefined>();
  return (path) => {
    if (overriddenByPath.has(path)) return overriddenByPath.get(path);
    const root = compiled.find(({ prefix }) => path.startsWith(prefix));
    const own = path.slice(root?.prefix.length);
    const appliedOverrides =
      root?.rules.filter(({ applies }) => applies(own, path)).map(({ overridden }) => overridden) ?? [];
    const all = appliedOverrides.length === 0 ? undefined : (Object.assign({}, ...appliedOverrides) as OverrideValues);
    overriddenByPath.set(path, all);
    return all;
  };
}

function compile(
  { files, languages, minTokens, minLines, minSimilarity, category }: Override,
  { ofPath, readAs }: Languages,
) {
  const matches = files === undefined ? undefined : compileGlobs([files].flat());
  const ids = languages && new Set(languages.map(readAs));
  const overridden: OverrideValues = {
    ...(minTokens !== undefined && { tokens: minTokens }),
    ...(minLines !== undefined && { lines: minLines }),
    ...(minSimilarity !== undefined && { similarity: minSimilarity }),
    ...(category !== undefined && { category }),
  };
  const applies = (own: string, path: string): boolean =>
    (matches === undefined || matches(own)) && (ids === undefined || ids.has(ofPath(path)));
  return { applies, overridden };
}

/** Returns true if two lists of folders set the same values for every path. */
export function overridesAlike(before: readonly OverriddenRoot[], after: readonly OverriddenRoot[]): boolean {
  return setAlike(before, after, ({ overrides }) => [overrides]);
}
