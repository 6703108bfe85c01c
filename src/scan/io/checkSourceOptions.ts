/** Checks the options that select and classify source files. */
import * as l10n from '@vscode/l10n';
import { problemsOfCategories } from './chosenCategories.ts';
import { formatExceeded } from './fileSize.ts';
import { problemOfGlobs, shortened } from './globs.ts';
import { problemsOfOverrides } from './overrideKeys.ts';
import { highestFileSizeBytes, type SourceOptions } from './sources.ts';

/**
 * Returns an error message for each invalid source option. Returns an empty list if all are valid.
 *
 * @param languageIds  known languages, from which a correct spelling is suggested
 */
export function checkSourceOptions(options: SourceOptions, languageIds: readonly string[] = []): string[] {
  const problems: string[] = [];
  for (const name of ['include', 'exclude'] as const) {
    const negated = options[name].find((glob) => glob.startsWith('!'));
    if (negated !== undefined) {
      const [shownGlob, meant] = [negated, negated.slice(1)].map(shortened);
      problems.push(
        l10n.t('{0}: "{1}" begins with "!"; use {2} with "{3}" instead.', name, shownGlob!, opposite[name], meant!),
      );
    }
    const problem = problemOfGlobs(options[name]);
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  problems.push(...problemsOfCategories(options.categories), ...problemsOfOverrides(options.overrides, languageIds));
  const limit = options.maxFileSizeBytes;
  if (Number.isNaN(limit)) {
    const size = l10n.t('a number of bytes or a size such as {0} or {1}', '"500k"', '"2mb"');
    problems.push(l10n.t('{0} must be {1}.', 'maxFileSize', size));
  } else if (!Number.isInteger(limit) || limit < 1 || limit > highestFileSizeBytes) {
    const [shownSize] = formatExceeded(limit, highestFileSizeBytes);
    problems.push(l10n.t('maxFileSize must be from 1 byte to 1 GB, not {0}.', shownSize));
  }
  return problems;
}

const opposite = { include: 'exclude', exclude: 'include' } as const;
