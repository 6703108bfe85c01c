/**
 * The keys of .kindredrc.jsonc in the order of a new file, with their types, ranges, descriptions, and defaults.
 * docs/kindredrc.schema.json and the comments of a new file are generated from this declaration.
 */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { isObject } from '../../core/collections/parsedValues.ts';
import { presetNames } from '../../core/engine/dials.ts';
import { tokenKinds } from '../../core/engine/languages/tokenKind.ts';
import { methods, optionRanges, type Options, readCommentsChoices } from '../../core/engine/options.ts';
import { partName } from './boundaries.ts';
import { fileSizePattern, formatFileSize } from './fileSize.ts';
import { shortened } from './globs.ts';
import { nearestName } from './nearestName.ts';
import { overrideSchema } from './overrideKeys.ts';
import { defaultSourceOptions, highestFileSizeBytes } from './sources.ts';
import { boolean, globs, key, keysOf, object, oneOf, string, type KeyMessage, whole, within } from './valueSchemas.ts';

const older = v.exactOptional(
  v.pipe(whole(optionRanges.maxDistance), v.metadata({ description: 'Older name of maxDistance.', deprecated: true })),
);

const prose = object(
  {
    k: older,
    enabled: key(boolean, 'Whether to compare prose.'),
    maxDistance: key(
      whole(optionRanges.maxDistance),
      'Maximum number of differing bits (of 64) between two prose fingerprints.',
    ),
    shingleSize: key(
      whole(optionRanges.shingleSize),
      'Number of consecutive words in each feature (shingle) of a prose fingerprint.',
    ),
    minWords: key(whole(optionRanges.minWords), 'Minimum number of words in a prose passage.'),
    minSimilarity: key(within(optionRanges.minSimilarity), 'Minimum similarity of two prose passages.'),
  },
  () => l10n.t('true, false or an object'),
  noKey('prose.'),
);

const keys = {
  $schema: v.exactOptional(string),
  exclude: key(
    globs,
    'Globs of files and folders to exclude. A glob without a slash matches at any depth; a glob with a slash matches from the root.',
  ),
  include: key(
    globs,
    'Compare only files that match one of these globs; if empty, all files. A glob without a slash matches at any depth; a glob with a slash matches from the root. A glob that matches a folder matches everything in it. To include node_modules or *.svg, name them in a glob.',
  ),
  preset: key(
    oneOf(presetNames),
    'Defaults of the minimums and of maxDistance, for code and prose: strict finds less, loose finds more. Any of them that you set overrides the preset.',
  ),
  minTokens: key(whole(optionRanges.minTokens), 'Minimum number of tokens in a code passage.'),
  minLines: key(whole(optionRanges.minLines), 'Minimum number of lines in a code passage.'),
  minSimilarity: key(
    within(optionRanges.minSimilarity),
    'Minimum similarity of two code passages: 2 × aligned tokens / tokens of both.',
  ),
  renamed: key(boolean, 'Whether to also find copies with consistently changed names and literals.'),
  prose: key(
    v.union([boolean, prose], () => l10n.t('true, false or an object')),
    'Options for prose, such as Markdown and plain text.',
  ),
  readComments: key(
    oneOf(readCommentsChoices),
    'Whether to ignore comments or to compare them as prose, separately from the code.',
  ),
  categories: key(
    object(
      {
        source: key(globs, 'Source code.'),
        text: key(globs, 'Text, such as documentation.'),
        tests: key(globs, 'Tests.'),
        examples: key(globs, 'Examples, demos, tutorials, benchmarks, fixtures, and templates of new projects.'),
        data: key(globs, 'Data: configuration, tables, and recorded output.'),
        boilerplate: key(globs, 'Boilerplate, such as licenses and notices.'),
      },
      () => l10n.t('an object with lists of globs, such as {0}', '{ "data": ["**/golden/**"] }'),
      noKey('categories.'),
    ),
    'Categories of files, by globs in the form of `include`. If a file matches globs of several categories, the first one counts, in the order source, text, tests, examples, data, boilerplate. Kindred determines the category of all other files from their content and path.',
  ),
  overrides: key(
    v.array(overrideSchema, () => l10n.t('a list of objects, such as {0}', '[{ "files": "*.md", "minTokens": 80 }]')),
    'Minimums and categories for some files, by globs in the form of `include` and by language. If several apply to a file, the last one that sets a value counts. A minimum that is lower than that of all files has no effect. Two passages must meet the minimums of both files.',
  ),
  boundaries: key(
    v.pipe(
      v.custom<Readonly<Record<string, readonly string[]>>>(
        (value) => isObject(value) && Object.keys(value).every((name) => partName.test(name)),
        () =>
          l10n.t(
            'an object with lists of globs under names of letters, digits, - and _, such as {0}',
            '{ "api": ["packages/api/**"], "web": ["packages/web/**"] }',
          ),
      ),
      // A map, because the library ignores keys of records such as "constructor".
      v.transform((parts) => new Map(Object.entries(parts))),
      v.map(v.pipe(v.string(), v.regex(partName)), globs),
    ),
    'Named parts of the tree that must have no copies in common: `kindred check --boundaries` fails if a group has passages in two of them. Globs are in the form of `include`. If a file matches globs of several parts, the first one counts; files that match none may be copied anywhere.',
  ),
  gitignore: key(boolean, 'Whether to exclude files listed in .gitignore, .ignore, and .git/info/exclude.'),
  generated: key(
    boolean,
    'Whether to also compare generated and minified files, lock files, source maps, and translations.',
  ),
  maxFileSize: key(
    v.union([whole({ min: 1, max: highestFileSizeBytes }), v.pipe(string, v.regex(fileSizePattern))], () =>
      l10n.t('a number of bytes or a size such as {0} or {1}', '"500k"', '"2mb"'),
    ),
    'Maximum file size: a number of bytes, or a size such as "500k" or "2mb". At most 1 GB. For notebooks, only the text of the cells counts.',
  ),
  k: older,
  maxDistance: key(
    whole(optionRanges.maxDistance),
    'Maximum number of differing bits (of 64) between two code fingerprints. Higher values find more edited copies but take longer.',
  ),
  shingleSize: key(
    whole(optionRanges.shingleSize),
    'Number of consecutive tokens in each feature (shingle) of a code fingerprint.',
  ),
  method: key(
    oneOf(methods),
    'How to compare whole files: by the shingles that they have in common (minhash), by their fingerprints (simhash), or by both (combined).',
  ),
  weights: key(
    object(
      v.entriesFromList(tokenKinds, v.exactOptional(within(optionRanges.weight))),
      () => l10n.t('an object with numbers, such as {0}', '{ "string": 0.5 }'),
      noKey('weights.'),
    ),
    'Weight of each kind of token. Only the ratios matter.',
  ),
};

export const configurationSchema = keysOf(keys, noKey(''));

export function defaultValues(options: Options): Readonly<Record<string, unknown>> {
  const { maxFileSizeBytes, ...sources } = defaultSourceOptions;
  const maxFileSize = formatFileSize(maxFileSizeBytes).replace(' ', '').toLowerCase();
  return { ...options, ...sources, maxFileSize, preset: 'balanced', boundaries: {} };
}

/** Returns a function that returns the error message for an unknown key. It suggests a key with a similar name. */
function noKey(prefix: string): KeyMessage {
  return (key, knownKeys) => {
    const shownKey = prefix + shortened(key);
    // The configuration of a project must not choose the organization's index for its users.
    if (prefix === '' && isOfOrganisation(key)) {
      return l10n.t(
        'there is no key "{0}"; the folder of an organization\'s index is not set for a project; set kindred.organisation.index in your own settings of VS Code, or KINDRED_INDEX for the command line.',
        shownKey,
      );
    }
    const nearest = nearestName(key, knownKeys);
    return nearest
      ? l10n.t('there is no key "{0}"; did you mean "{1}"?', shownKey, prefix + nearest)
      : l10n.t('there is no key "{0}"; the keys are {1}.', shownKey, knownKeys.join(', '));
  };
}

function isOfOrganisation(key: string): boolean {
  return /^(?:kindred\.)?(?:organi[sz]ation|database)\b/.test(key);
}
