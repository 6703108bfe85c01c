/**
 * What a change of options leaves as it was, so that no more is done again than has to be: what is computed for a document
 * depends on that document and some of the options, and each stage on the ones before it and a few options more.
 */
import type { DocumentIndex } from './documents/documents.ts';
import type { Options } from './options.ts';

/**
 * What is to be done again, each with all that comes before it in this list:
 *
 *   nothing       the options are the same
 *   files         the comparison of files as wholes
 *   groups        the groups and rows, from the clusters of passages; only chosen categories, which are no option, ask for it
 *   matches       the search for seeds, and the matches and groups they lead to
 *   fingerprints  shingles, windows' fingerprints and sketches, from the tokens
 *   tokens        reading and lexing
 */
export const works = ['nothing', 'files', 'groups', 'matches', 'fingerprints', 'tokens'] as const;
export type Work = (typeof works)[number];

/** An option by its path in `Options`. */
export type OptionName = Exclude<keyof Options, 'prose'> | `prose.${keyof Options['prose']}`;

const workOfOption: Readonly<Record<OptionName, Work>> = {
  method: 'files',
  maxDistance: 'matches',
  minTokens: 'matches',
  minLines: 'matches',
  minSimilarity: 'matches',
  'prose.maxDistance': 'matches',
  'prose.minWords': 'matches',
  'prose.minSimilarity': 'matches',
  shingleSize: 'fingerprints',
  weights: 'fingerprints',
  renamed: 'fingerprints',
  'prose.shingleSize': 'fingerprints',
  // Which files are read depends on this one; of comments no tokens are kept unless they are read.
  'prose.enabled': 'tokens',
  readComments: 'tokens',
};

export interface OptionChanges {
  /** The options that are others, in a fixed order. */
  readonly names: readonly (OptionName | 'categories' | 'overrides')[];
  readonly work: Work;
}

/** The same changes when categories are chosen otherwise as well. */
export function withCategories({ names, work }: OptionChanges): OptionChanges {
  return { names: [...names, 'categories'], work: atLeast('groups', work) };
}

/** The same changes when overrides ask for other matches as well. */
export function withOverrides({ names, work }: OptionChanges): OptionChanges {
  return { names: [...names, 'overrides'], work: atLeast('matches', work) };
}

function atLeast(least: Work, work: Work): Work {
  return works[Math.max(works.indexOf(work), works.indexOf(least))];
}

export function changesBetween(before: Options, after: Options): OptionChanges {
  const names = (Object.keys(workOfOption) as OptionName[]).filter(
    (name) => JSON.stringify(valueOf(before, name)) !== JSON.stringify(valueOf(after, name)),
  );
  const work = names.reduce((most, name) => Math.max(most, works.indexOf(workOfOption[name])), 0);
  return { names, work: works[work] };
}

/** Whether other options make another index of a document, of the same tokens. */
export function changesDocument(before: Options, after: Options, index: DocumentIndex): boolean {
  const names = new Set<string>(changesBetween(before, after).names);
  const { tokenCount, prose, comments, quoted } = index;
  const [least, now] = [before, after].map((options) => (prose ? options.prose.minWords : options.minTokens));
  return (
    names.has('weights') ||
    names.has(prose ? 'prose.shingleSize' : 'shingleSize') ||
    (names.has('renamed') && !prose) ||
    // Documents shorter than a passage have no sketch.
    tokenCount < least !== tokenCount < now ||
    [comments, quoted].some((part) => part !== undefined && changesDocument(before, after, part))
  );
}

function valueOf(options: Options, name: OptionName): unknown {
  const [key, inProse] = name.split('.') as [keyof Options, keyof Options['prose'] | undefined];
  return inProse === undefined ? options[key] : options.prose[inProse];
}
