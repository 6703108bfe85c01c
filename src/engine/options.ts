/**
 * Every number that a person may turn, with its default and the reason for it. Other layers read them from here: the
 * command line's help, the settings in package.json (a test compares them) and the report.
 */
import * as l10n from '@vscode/l10n';
import { type TokenKind, tokenKinds } from './languages/tokenKind.ts';

/**
 * How files that nearly repeat each other are found. minhash: by the share of shingles that they have in common. simhash: by
 * the bits in which their fingerprints differ. combined: by shingles, of which
 * pairs those are kept whose fingerprints are near enough too.
 */
export const methods = ['minhash', 'simhash', 'combined'] as const;
export type Method = (typeof methods)[number];

/** What decides which passages are near-duplicates. Shapes: counts are whole numbers, similarities are in [0, 1]. */
export interface Options {
  /** k: how many of the 64 bits of two window fingerprints may differ for the pair to be looked at. 0 to 16. */
  readonly maxDistance: number;
  /** Tokens in a shingle of code. 1 to 16. */
  readonly shingleSize: number;
  /** The least a passage of code has: tokens (10 to 10,000) and lines (1 to 1,000). */
  readonly minTokens: number;
  readonly minLines: number;
  /** The least similarity of a match: 2 × aligned tokens / tokens of both passages. */
  readonly minSimilarity: number;
  /** Whether copies with consistently changed names and literals are found as well. */
  readonly renamed: boolean;
  /** How much a token of each kind counts. 0 to 100; compared with each other only, so only their ratios matter. */
  readonly weights: Readonly<Record<TokenKind, number>>;
  /** Whether comments are compared: not at all, or as prose, apart from the code. */
  readonly readComments: ReadComments;
  /** What makes two files alike as wholes: see `methods`. */
  readonly method: Method;
  /** The same for prose, which is cut into words. */
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

/** What is wrong with options, in words for the person who set them; empty when they can be used. */
export function checkOptions(options: Options): string[] {
  const problems: string[] = [];
  whole('maxDistance', options.maxDistance, 0, 16);
  whole('shingleSize', options.shingleSize, 1, 16);
  whole('minTokens', options.minTokens, 10, 10_000);
  whole('minLines', options.minLines, 1, 1_000);
  share('minSimilarity', options.minSimilarity);
  whole('prose.maxDistance', options.prose.maxDistance, 0, 16);
  whole('prose.shingleSize', options.prose.shingleSize, 1, 16);
  whole('prose.minWords', options.prose.minWords, 10, 10_000);
  share('prose.minSimilarity', options.prose.minSimilarity);
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
    } else if (!(weight >= 0 && weight <= 100)) {
      problems.push(
        l10n.t('{0} must be a number from {1} to {2}, not {3}.', `weights.${kind}`, 0, 100, String(weight)),
      );
    }
  }
  return problems;

  function whole(name: string, value: number, least: number, most: number): void {
    if (!Number.isInteger(value) || value < least || value > most) {
      problems.push(l10n.t('{0} must be a whole number from {1} to {2}, not {3}.', name, least, most, String(value)));
    }
  }

  function share(name: string, value: number): void {
    if (value >= 0.3 && value <= 1) return;
    problems.push(l10n.t('{0} must be a number from {1} to {2}, not {3}.', name, 0.3, 1, String(value)));
  }
}

/** That an option has a value that is none of its choices, in a sentence. There are two choices at least. */
export function notOneOf(name: string, choices: readonly string[], value: unknown): string {
  const quoted = choices.map((choice) => `"${choice}"`);
  const [others, last] = [quoted.slice(0, -1).join(', '), quoted.at(-1)!];
  return l10n.t('{0} must be {1} or {2}, not {3}.', name, others, last, JSON.stringify(value));
}
