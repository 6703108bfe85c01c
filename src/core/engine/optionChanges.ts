/**
 * Determines which work must be repeated after a change of options. The data of a document depend on the document and
 * some of the options. Each later stage depends on the previous stages and on a few more options.
 */
import type { DocumentIndex } from './documents/documents.ts';
import { isShort, needsSketch } from './documents/fileSketch.ts';
import type { Options } from './options.ts';

/**
 * Kinds of work to repeat, from the least to the most. Each kind includes all kinds before it:
 *
 *   nothing       the options are the same
 *   files         the comparison of whole files
 *   groups        groups and rows, made from the clusters of passages; also needed if the user changes categories
 *   matches       the search for seeds, and their matches and groups
 *   fingerprints  shingles, fingerprints of windows, and sketches, made from the tokens
 *   tokens        reading and lexing
 */
export const works = ['nothing', 'files', 'groups', 'matches', 'fingerprints', 'tokens'] as const;
export type Work = (typeof works)[number];

/** Name of an option. Options for prose begin with `prose.`. */
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
  // This option decides which files are read.
  'prose.enabled': 'tokens',
  readComments: 'tokens',
};

export interface OptionChanges {
  /** Names of the changed options and settings, in a fixed order. */
  readonly names: readonly (OptionName | 'categories' | 'overrides')[];
  readonly work: Work;
}

/** Adds the work for changed categories to the changes. */
export function withCategories({ names, work }: OptionChanges): OptionChanges {
  return { names: [...names, 'categories'], work: atLeast('groups', work) };
}

/** Returns the changes together with a change of overrides that affects matches. */
export function withOverrides({ names, work }: OptionChanges): OptionChanges {
  return { names: [...names, 'overrides'], work: atLeast('matches', work) };
}

function atLeast(minimum: Work, work: Work): Work {
  return works[Math.max(works.indexOf(work), works.indexOf(minimum))];
}

export function changesBetween(before: Options, after: Options): OptionChanges {
  const names = (Object.keys(workOfOption) as OptionName[]).filter(
    (name) => JSON.stringify(valueOf(before, name)) !== JSON.stringify(valueOf(after, name)),
  );
  const work = names.reduce((maxWork, name) => Math.max(maxWork, works.indexOf(workOfOption[name])), 0);
  return { names, work: works[work] };
}

/** Returns true if a document with the same tokens would have a different index with the new options. */
export function changesDocument(before: Options, after: Options, index: DocumentIndex): boolean {
  const names = new Set<string>(changesBetween(before, after).names);
  const { prose, comments, quoted } = index;
  return (
    names.has('weights') ||
    names.has(prose ? 'prose.shingleSize' : 'shingleSize') ||
    (names.has('renamed') && !prose) ||
    // A short document has no sketch, or one that is used only to find equal documents. So its sketch must be computed
    // again if it becomes short, or stops being short, under the new options.
    isShort(index, before) !== isShort(index, after) ||
    needsSketch(index, before) !== needsSketch(index, after) ||
    [comments, quoted].some((part) => part !== undefined && changesDocument(before, after, part))
  );
}

function valueOf(options: Options, name: OptionName): unknown {
  const [key, inProse] = name.split('.') as [keyof Options, keyof Options['prose'] | undefined];
  return inProse === undefined ? options[key] : options.prose[inProse];
}
