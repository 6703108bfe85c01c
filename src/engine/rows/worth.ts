/**
 * Worth of a group: approximate number of tokens saved by merging the copies, discounted if that is of little use. It
 * depends only on the group, so every surface shows the same order. See docs/methods.md for the formula.
 */
import { branchShare, logicShare, type Makeup } from '../documents/makeup.ts';
import type { Group } from '../report/report.ts';
import type { Category } from './category.ts';

/** Factors of the worth. The first one is in tokens. */
export interface Worth {
  readonly tokens: number;
  /** 1 for two copies, 2 for three, 3 for five: each doubling of the removable copies adds one. */
  readonly copies: number;
  /** Squared similarity, because differences require thought. */
  readonly likeness: number;
  /** Share of logic: lists of values are rarely merged. */
  readonly logic: number;
  /** Squared probability that a developer acts on such a repetition; .25 for prose. */
  readonly usefulness: number;
  /** Lower if all copies are in one file, where they are visible together, or if one file contains another. */
  readonly spread: number;
  readonly category: number;
}

/** Longest passage of a group, if it is code. */
export interface LongestCode {
  readonly makeup: Makeup;
  /** See `shapeVariety`. */
  readonly variety: number;
}

/** @param code  `undefined` for prose and for whole files of prose */
export function worthOf(
  { tokens, similarity, passages, inside }: Pick<Group, 'tokens' | 'similarity' | 'passages' | 'inside'>,
  category: Category,
  code: LongestCode | undefined,
): Worth {
  const isOneFile = passages.every(({ path }) => path === passages[0].path);
  return {
    tokens,
    copies: 1 + Math.log2(passages.length - 1),
    likeness: similarity ** 2,
    logic: code ? 0.3 + 0.7 * Math.min(1, logicShare(code.makeup) / fullLogic) : 1,
    usefulness: (code ? probability(code, passages.length) : 0.5) ** 2,
    // A note that became part of a longer one, or a file and its bundle, is often intentional.
    spread: inside !== undefined ? 0.4 : isOneFile ? 0.6 : 1,
    category: ofCategory[category],
  };
}

/** Returns the product, rounded to an integer. */
export function worthNumber({ tokens, copies, likeness, logic, usefulness, spread, category }: Worth): number {
  return Math.round(tokens * copies * likeness * logic * usefulness * spread * category);
}

/** Returns the probability that a developer acts on a repetition instead of accepting it as a convention. */
function probability({ makeup, variety }: LongestCode, copies: number): number {
  const { bias, branches, copies: ofCopies, variety: ofVariety } = useful;
  const sum = bias + branches * branchShare(makeup) + ofCopies * Math.log2(copies) + ofVariety * variety;
  return 1 / (1 + Math.exp(-sum));
}

/**
 * Weights of a logistic regression on the labeled rows of bench/labels/first-rows.tsv, by bench/firstRows.py. Branches
 * tell repeated decisions from declarations. Many copies and a passage that repeats its own shape tell conventions.
 */
const useful = { bias: -0.3, branches: 25, copies: -0.5, variety: 1.3 };

/** Share of logic in code that consists of logic throughout. */
const fullLogic = 0.12;

const ofCategory: Readonly<Record<Category, number>> = {
  source: 1,
  text: 1,
  tests: 0.5,
  examples: 0.4,
  data: 0.3,
  boilerplate: 0.1,
};
