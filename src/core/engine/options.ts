/**
 * The options that users can set, with their defaults and the reasons for these. Everything else that mentions options
 * is derived from this file or compared with it by a test: the help of the command line, the settings in package.json,
 * and the report.
 */
import * as l10n from '@vscode/l10n';
import { type TokenKind, tokenKinds } from './languages/tokenKind.ts';

/**
 * Methods of finding near-duplicate files. minhash: by the share of shingles that both files have. simhash: by the
 * number of differing fingerprint bits. combined: as minhash, but only for pairs whose fingerprints are also near.
 */
export const methods = ['minhash', 'simhash', 'combined'] as const;
export type Method = (typeof methods)[number];

/** Options that define which passages are near-duplicates. Counts are integers; similarities are in [0, 1]. */
export interface Options {
  /** Maximum number of differing bits (k) at which the fingerprints of two windows lead to a comparison. 0 to 16. */
  readonly maxDistance: number;
  /** Number of tokens in a shingle of code. 1 to 16. */
  readonly shingleSize: number;
  /** Minimum size of a passage of code in tokens (10 to 10,000) and in lines (1 to 1,000). */
  readonly minTokens: number;
  readonly minLines: number;
  /** Minimum similarity of a match, in [0, 1]: 2 × aligned tokens / tokens of both passages. */
  readonly minSimilarity: number;
  /** True to also find copies in which names and literals were changed consistently. */
  readonly renamed: boolean;
  /** Weight of each kind of token, 0 to 100. Only the ratios of the weights matter. */
  readonly weights: Readonly<Record<TokenKind, number>>;
  /** Comments that are compared. They are compared as prose, separately from the code. */
  readonly readComments: ReadComments;
  /** Criterion for similar files: see `methods`. */
  readonly method: Method;
  /** The same options for prose. Sizes are in words instead of tokens. */
  readonly prose: {
    readonly enabled: boolean;
    readonly maxDistance: number;
    readonly shingleSize: number;
    readonly minWords: number;
    readonly minSimilarity: number;
  };
}

export const readCommentsChoices = ['none', 'asText'] as const;
export type ReadComments = (typeof readCommentsChoices)[number];

export const defaultOptions: Options = {
  maxDistance: 3,
  shingleSize: 4,
  minTokens: 50,
  minLines: 5,
  minSimilarity: 0.55,
  renamed: true,
  weights: {
    punctuation: 0.5,
    operator: 1,
    keyword: 1,
    identifier: 1,
    call: 1,
    number: 1,
    string: 1,
    word: 1,
    heading: 1,
    comment: 0,
  },
  readComments: 'none',
  method: 'minhash',
  prose: { enabled: true, maxDistance: 3, shingleSize: 3, minWords: 40, minSimilarity: 0.6 },
};

/** Ranges of the options that are numbers. Counts are integers. */
export const optionRanges = {
  maxDistance: { min: 0, max: 16 },
  shingleSize: { min: 1, max: 16 },
  minTokens: { min: 10, max: 10_000 },
  minLines: { min: 1, max: 1_000 },
  minWords: { min: 10, max: 10_000 },
  minSimilarity: { min: 0.3, max: 1 },
  weight: { min: 0, max: 100 },
} as const;

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Returns the minimum number of tokens in a passage of prose or of code. */
export function minTokensOf({ prose }: { readonly prose: boolean }, options: Options): number {
  return prose ? options.prose.minWords : options.minTokens;
}

/** Checks the options. Returns a message for the user for each problem, and an empty list if all options are valid. */
export function checkOptions(options: Options): string[] {
  const problems: string[] = [];
  for (const name of ['maxDistance', 'shingleSize', 'minTokens', 'minLines'] as const) {
    problems.push(...problemsOfCount(name, options[name], optionRanges[name]));
  }
  problems.push(...problemsOfNumber('minSimilarity', options.minSimilarity, optionRanges.minSimilarity));
  for (const name of ['maxDistance', 'shingleSize', 'minWords'] as const) {
    problems.push(...problemsOfCount(`prose.${name}`, options.prose[name], optionRanges[name]));
  }
  problems.push(...problemsOfNumber('prose.minSimilarity', options.prose.minSimilarity, optionRanges.minSimilarity));
  if (!methods.includes(options.method)) {
    problems.push(notOneOf('method', methods, options.method));
  }
  if (!readCommentsChoices.includes(options.readComments)) {
    problems.push(notOneOf('readComments', readCommentsChoices, options.readComments));
  }
  for (const [kind, weight] of Object.entries(options.weights)) {
    if (!(tokenKinds as readonly string[]).includes(kind)) {
      problems.push(
        l10n.t('weights: there is no kind of token "{0}"; the kinds are {1}.', kind, tokenKinds.join(', ')),
      );
    } else problems.push(...problemsOfNumber(`weights.${kind}`, weight, optionRanges.weight));
  }
  return problems;
}

/** Returns an error message if a value is not an integer in the range; otherwise an empty list. */
function problemsOfCount(name: string, value: number, { min, max }: Range): string[] {
  if (Number.isInteger(value) && value >= min && value <= max) return [];
  return [l10n.t('{0} must be a whole number from {1} to {2}, not {3}.', name, min, max, String(value))];
}

/** Returns an error message if a value is not a number in the range; otherwise an empty list. */
function problemsOfNumber(name: string, value: number, { min, max }: Range): string[] {
  if (value >= min && value <= max) return [];
  return [l10n.t('{0} must be a number from {1} to {2}, not {3}.', name, min, max, String(value))];
}

/** Returns a message for the user: an option has an invalid value. It lists the valid choices, at least two. */
export function notOneOf(name: string, choices: readonly string[], value: unknown): string {
  const quoted = choices.map((choice) => `"${choice}"`);
  const [others, last] = [quoted.slice(0, -1).join(', '), quoted.at(-1)!];
  return l10n.t('{0} must be {1} or {2}, not {3}.', name, others, last, JSON.stringify(value));
}
