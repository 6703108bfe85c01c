/**
 * Overrides: limits and categories for the files that some globs or languages select. If several overrides set the same
 * value for a file, the last one wins.
 */
import * as l10n from '@vscode/l10n';
import type { Least } from '../../core/engine/matches/leastMatch.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import { categoryNames, noCategory, setAlike } from './chosenCategories.ts';
import { compileGlobs, problemOfGlobs, shortened } from './globs.ts';
import { nearestName } from './nearestName.ts';

/**
 * An override. It applies to files that match one of the globs and have one of the languages. A missing list matches
 * all files.
 */
export interface Override {
  /** A glob or a list of globs, in the same format as `include`. */
  readonly files?: string | readonly string[];
  /** Language identifiers of VS Code. */
  readonly languages?: readonly string[];
  readonly minTokens?: number;
  readonly minLines?: number;
  readonly minSimilarity?: number;
  readonly category?: Category;
}

/** Values that overrides set for a file. */
export interface Overridden extends Least {
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

/**
 * Returns a function that maps a path to the values that overrides set for it. Only the overrides of the innermost
 * folder around the path apply.
 */
export function overridesOfPaths(
  roots: readonly OverriddenRoot[],
  languages: Languages,
): (path: string) => Overridden | undefined {
  const compiled = roots
    .map(({ prefix, overrides }) => ({ prefix, rules: overrides.map((override) => compile(override, languages)) }))
    .sort((left, right) => right.prefix.length - left.prefix.length);
  const known = new Map<string, Overridden | undefined>();
  return (path) => {
    if (known.has(path)) return known.get(path);
    const root = compiled.find(({ prefix }) => path.startsWith(prefix));
    const own = path.slice(root?.prefix.length);
    const said = root?.rules.filter(({ applies }) => applies(own, path)).map(({ overridden }) => overridden) ?? [];
    const all = said.length === 0 ? undefined : (Object.assign({}, ...said) as Overridden);
    known.set(path, all);
    return all;
  };
}

function compile(
  { files, languages, minTokens, minLines, minSimilarity, category }: Override,
  { ofPath, readAs }: Languages,
) {
  const matches = files === undefined ? undefined : compileGlobs(listOf(files));
  const ids = languages && new Set(languages.map(readAs));
  const overridden: Overridden = {
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

/**
 * Checks for the keys of an override. Each returns an error message that begins with `name`, or `undefined` if the
 * value is valid.
 */
const keys: Readonly<Record<keyof Override, (value: unknown, name: string) => string | undefined>> = {
  files: (value, name) => {
    if (typeof value !== 'string' && !isListOfStrings(value))
      return l10n.t('{0} must be a glob or a list of globs.', name);
    const globs = listOf(value);
    const negated = globs.find((glob) => glob.startsWith('!'));
    if (negated !== undefined) {
      return l10n.t('{0}: "{1}" begins with "!"; list the files it applies to only.', name, shortened(negated));
    }
    const problem = problemOfGlobs(globs);
    return problem === undefined ? undefined : `${name}: ${problem}`;
  },
  languages: (value, name) =>
    isListOfStrings(value) ? undefined : l10n.t('{0} must be a list of languages, such as {1}.', name, '["java"]'),
  minTokens: (value, name) => notWhole(name, value, 10, 10_000),
  minLines: (value, name) => notWhole(name, value, 1, 1_000),
  minSimilarity: (value, name) =>
    typeof value === 'number' && value >= 0.3 && value <= 1
      ? undefined
      : l10n.t('{0} must be a number from {1} to {2}, not {3}.', name, 0.3, 1, JSON.stringify(value)),
  category: (value, name) =>
    (categoryNames as readonly unknown[]).includes(value) ? undefined : `${name}: ${noCategory(String(value))}`,
};

/**
 * Returns an error message for each invalid override. Each message begins with the name of the key, such as
 * `overrides.0.files`. Returns an empty list if all are valid. The values may have any type.
 *
 * @param languageIds  known languages, from which a correct spelling is suggested. VS Code may know others
 */
export function problemsOfOverrides(overrides: readonly unknown[], languageIds: readonly string[] = []): string[] {
  return overrides.flatMap((override, place) => {
    const name = `overrides.${place}`;
    if (typeof override !== 'object' || override === null || Array.isArray(override)) {
      return [l10n.t('{0} must be an object, such as {1}.', name, '{ "files": "*.md", "minTokens": 80 }')];
    }
    const problems = Object.entries(override).flatMap(([key, value]) => {
      if (!Object.hasOwn(keys, key)) return [noKey(name, key)];
      const problem = keys[key as keyof Override](value, `${name}.${key}`);
      return problem === undefined ? [] : [problem];
    });
    if (problems.length > 0) return problems;
    const { files, languages = [] } = override as Override;
    if (files === undefined && languages.length === 0) {
      return [l10n.t('{0} must have files or languages that it applies to.', name)];
    }
    return languages.flatMap((language) => {
      const nearest = languageIds.includes(language) ? undefined : nearestName(language, languageIds);
      if (nearest === undefined) return [];
      const shownName = shortened(language);
      return [l10n.t('{0}: there is no language "{1}"; did you mean "{2}"?', `${name}.languages`, shownName, nearest)];
    });
  });
}

function listOf(files: string | readonly string[]): readonly string[] {
  return typeof files === 'string' ? [files] : files;
}

function noKey(name: string, key: string): string {
  const nearest = nearestName(key, Object.keys(keys));
  const shownName = `${name}.${shortened(key)}`;
  return nearest
    ? l10n.t('{0}: there is no such key; did you mean "{1}"?', shownName, nearest)
    : l10n.t('{0}: there is no such key; the keys are {1}.', shownName, Object.keys(keys).join(', '));
}

function notWhole(name: string, value: unknown, least: number, most: number): string | undefined {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return undefined;
  return l10n.t('{0} must be a whole number from {1} to {2}, not {3}.', name, least, most, JSON.stringify(value));
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}
