/**
 * Overrides: what is asked of some files, by globs and languages, besides what is asked of all. Of several that apply to a file,
 * the last one that says something of a thing counts.
 */
import type { Least } from '../engine/matches/leastMatch.ts';
import type { Category } from '../engine/rows/category.ts';
import { categoryNames, noCategory } from './chosenCategories.ts';
import { compileGlobs, problemOfGlobs, shortened } from './globs.ts';
import { nearestName } from './nearestName.ts';

/** It applies to files that one of its globs matches, if it has some, and that are in one of its languages, if it has some. */
export interface Override {
  /** As those of `include`: one, or a list. */
  readonly files?: string | readonly string[];
  /** Identifiers of languages in VS Code. */
  readonly languages?: readonly string[];
  readonly minTokens?: number;
  readonly minLines?: number;
  readonly minSimilarity?: number;
  readonly category?: Category;
}

/** What the overrides say of a file. */
export interface Overridden extends Least {
  readonly category?: Category;
}

/** A folder with overrides of its own. */
export interface OverriddenRoot {
  /** What the paths of its files begin with in the report; globs are matched against the rest. */
  readonly prefix: string;
  readonly overrides: readonly Override[];
}

/** Languages as the engine knows them. */
export interface Languages {
  /** The identifier of the language of a file, by its path in the report. */
  readonly ofPath: (path: string) => string;
  /** The one that a language is read as: files of several are read alike. */
  readonly readAs: (id: string) => string;
}

/** Tells what is said of a path of the report: by the innermost folder that has it, and by no other. */
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

/** Whether two lists of folders say the same of every path. */
export function overridesAlike(before: readonly OverriddenRoot[], after: readonly OverriddenRoot[]): boolean {
  const [x, y] = [before, after].map((roots) => JSON.stringify(whatCounts(roots)));
  return x === y;
}

/** The folders that override something, or keep another one from it, in one order. */
function whatCounts(roots: readonly OverriddenRoot[]): unknown[] {
  const overriding = roots.filter(({ overrides }) => overrides.length > 0);
  return roots
    .filter(({ prefix }) => overriding.some((other) => prefix.startsWith(other.prefix)))
    .map(({ prefix, overrides }) => [prefix, overrides] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

/** The keys of an override, and what is wrong with a value, in words that follow its name; undefined when it can be used. */
const keys: Readonly<Record<keyof Override, (value: unknown) => string | undefined>> = {
  files: (value) => {
    if (typeof value !== 'string' && !isListOfStrings(value)) return ' must be a glob or a list of globs.';
    const globs = listOf(value);
    const negated = globs.find((glob) => glob.startsWith('!'));
    if (negated !== undefined) return `: "${shortened(negated)}" begins with "!"; list the files it applies to only.`;
    const problem = problemOfGlobs(globs);
    return problem === undefined ? undefined : `: ${problem}`;
  },
  languages: (value) => (isListOfStrings(value) ? undefined : ' must be a list of languages, such as ["java"].'),
  minTokens: (value) => notWhole(value, 10, 10_000),
  minLines: (value) => notWhole(value, 1, 1_000),
  minSimilarity: (value) =>
    typeof value === 'number' && value >= 0.3 && value <= 1
      ? undefined
      : ` must be a number from 0.3 to 1, not ${JSON.stringify(value)}.`,
  category: (value) =>
    (categoryNames as readonly unknown[]).includes(value) ? undefined : `: ${noCategory(String(value))}`,
};

/**
 * What is wrong with overrides of any shape, a sentence for each that begins with its name (`overrides.0.files`); empty when
 * they can be used.
 *
 * @param languageIds  the languages that are known, for names that are mistyped; others may be known to VS Code
 */
export function problemsOfOverrides(overrides: readonly unknown[], languageIds: readonly string[] = []): string[] {
  return overrides.flatMap((override, place) => {
    const name = `overrides.${place}`;
    if (typeof override !== 'object' || override === null || Array.isArray(override)) {
      return [`${name} must be an object, such as { "files": "*.md", "minTokens": 80 }.`];
    }
    const problems = Object.entries(override).flatMap(([key, value]) => {
      if (!Object.hasOwn(keys, key)) return [`${name}.${noKey(key)}`];
      const problem = keys[key as keyof Override](value);
      return problem === undefined ? [] : [`${name}.${key}${problem}`];
    });
    if (problems.length > 0) return problems;
    const { files, languages = [] } = override as Override;
    if (files === undefined && languages.length === 0) return [`${name} needs files or languages that it applies to.`];
    return languages.flatMap((language) => {
      const nearest = languageIds.includes(language) ? undefined : nearestName(language, languageIds);
      if (nearest === undefined) return [];
      return [`${name}.languages: there is no language "${shortened(language)}"; did you mean "${nearest}"?`];
    });
  });
}

function listOf(files: string | readonly string[]): readonly string[] {
  return typeof files === 'string' ? [files] : files;
}

function noKey(key: string): string {
  const nearest = nearestName(key, Object.keys(keys));
  const help = nearest ? `did you mean "${nearest}"?` : `the keys are ${Object.keys(keys).join(', ')}.`;
  return `${shortened(key)}: there is no such key; ${help}`;
}

function notWhole(value: unknown, least: number, most: number): string | undefined {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return undefined;
  return ` must be a whole number from ${least} to ${most}, not ${JSON.stringify(value)}.`;
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}
