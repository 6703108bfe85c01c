/** The keys of overrides, with their types, ranges, and descriptions. */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { optionRanges } from '../../core/engine/options.ts';
import { categories } from '../../core/engine/rows/category.ts';
import { noCategory } from './chosenCategories.ts';
import { problemOfGlobs, shortened } from './globs.ts';
import { nearestName } from './nearestName.ts';
import { glob, key, mustBe, object, whole, within } from './valueSchemas.ts';

const files = (): string => l10n.t('a glob or a list of globs');
const languages = (): string => l10n.t('a list of languages, such as {0}', '["java"]');

/** Schema of an override, for files that match a glob and have a language of the lists. A missing one has all. */
export const overrideSchema = object(
  {
    files: key(
      v.union([glob, v.pipe(v.array(glob), v.minLength(1, files))], files),
      'Globs of the files that it applies to: one, or a list.',
    ),
    languages: key(
      v.pipe(v.array(v.string(languages), languages), v.minLength(1, languages)),
      'Languages of the files that it applies to, by their identifiers in VS Code. With files, both must apply.',
    ),
    minTokens: key(
      whole(optionRanges.minTokens),
      'Minimum number of tokens in a passage of code, and of words in a passage of prose.',
    ),
    minLines: key(whole(optionRanges.minLines), 'Minimum number of lines in a code passage.'),
    minSimilarity: key(within(optionRanges.minSimilarity), 'Minimum similarity of two passages, of code or prose.'),
    category: key(
      v.picklist(categories, ({ input }) => noCategory(String(input))),
      'The category of the files.',
    ),
  },
  () => l10n.t('an object, such as {0}', '{ "files": "*.md", "minTokens": 80 }'),
  noSuchKey,
);

export type Override = v.InferInput<typeof overrideSchema>;

/**
 * Returns an error message for each invalid override. Each message begins with the name of the key, such as
 * `overrides.0.files`. Returns an empty list if all are valid. The values may have any type.
 *
 * @param languageIds  known languages, from which a correct spelling is suggested. VS Code may know others
 */
export function problemsOfOverrides(overrides: readonly unknown[], languageIds: readonly string[] = []): string[] {
  return overrides.flatMap((override, place) => {
    const name = `overrides.${place}`;
    const { typed, output, issues = [] } = v.safeParse(overrideSchema, override);
    const problems = issues.filter(({ type }) => type !== 'regex').map((issue) => problemOf(issue, name));
    if (!typed || problems.length > 0) return problems;
    const { files, languages = [] } = output;
    const problem = files === undefined ? undefined : problemOfFiles([files].flat());
    if (problem !== undefined) return [`${name}.files: ${problem}`];
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

/** Returns the error message for an issue of an override. */
function problemOf(issue: v.BaseIssue<unknown>, name: string): string {
  const place = [name, ...(issue.path ?? []).map(({ key }) => shortened(String(key)))].join('.');
  return ['strict_object', 'picklist'].includes(issue.type) ? `${place}: ${issue.message}` : mustBe(place, issue);
}

function problemOfFiles(globs: readonly string[]): string | undefined {
  const negated = globs.find((glob) => glob.startsWith('!'));
  return negated === undefined
    ? problemOfGlobs(globs)
    : l10n.t('"{0}" begins with "!"; list the files it applies to only.', shortened(negated));
}

function noSuchKey(key: string, knownKeys: readonly string[]): string {
  const nearest = nearestName(key, knownKeys);
  return nearest
    ? l10n.t('there is no such key; did you mean "{0}"?', nearest)
    : l10n.t('there is no such key; the keys are {0}.', knownKeys.join(', '));
}
