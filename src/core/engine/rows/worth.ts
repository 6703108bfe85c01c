/**
 * Computes the worth of a group: the approximate number of tokens saved by merging the copies, reduced if merging them
 * is of little use. It depends only on the group, so all views have the same order. The formula is in docs/methods.md.
 */
import { assignmentShare, branchShare, declarationShare, logicShare, type Makeup } from '../documents/makeup.ts';
import type { Group } from '../report/report.ts';
import type { Category } from './category.ts';

/** Factors whose product is the worth. The first one is a number of tokens; the others have no unit. */
export interface Worth {
  readonly tokens: number;
  /** Factor for the number of copies; see `ofCopies`. */
  readonly copies: number;
  /** Squared similarity: the more copies differ, the more thought merging them takes. */
  readonly likeness: number;
  /** Factor for the share of logic among the tokens. Developers rarely merge lists of values. */
  readonly logic: number;
  /** Squared probability that a developer acts on the repetition. For prose, always .25. */
  readonly usefulness: number;
  /**
   * Less than 1 if one file contains the other, or if all copies are in one file, where a reader sees them together.
   * Both values are measured (bench/results/2026-11-25-first-rows.md).
   */
  readonly spread: number;
  readonly category: number;
}

/** The longest passage of a group, if it is code. */
export interface LongestCode {
  readonly makeup: Makeup;
  /** Variety of the passage's code; see `shapeVariety`. */
  readonly variety: number;
}

/** @param code  longest passage; `undefined` for prose and for whole files of prose */
export function worthOf(
  { tokens, similarity, passages, inside }: Pick<Group, 'tokens' | 'similarity' | 'passages' | 'inside'>,
  category: Category,
  code: LongestCode | undefined,
): Worth {
  const isOneFile = passages.every(({ path }) => path === passages[0].path);
  return {
    tokens,
    copies: ofCopies(passages.length),
    likeness: similarity ** 2,
    logic: code ? Math.max(minLogic, Math.min(1, logicShare(code.makeup) / fullLogic)) : 1,
    usefulness: (code ? probability(code, passages.length) : 0.5) ** 2,
    // If one file contains the other, the repetition is often intentional: a note that became part of a longer one, or
    // a file and a bundle that includes it.
    spread: inside !== undefined ? 0.4 : isOneFile ? 0.6 : 1,
    category: ofCategory[category],
  };
}

/** Returns the factor for the number of copies: 1 for two, 1.4 for three, 1.7 for five, and 2 for nine copies. */
function ofCopies(count: number): number {
  return Math.sqrt(1 + Math.log2(count - 1));
}

/** Returns the product of the factors, rounded to an integer. */
export function worthNumber({ tokens, copies, likeness, logic, usefulness, spread, category }: Worth): number {
  return Math.round(tokens * copies * likeness * logic * usefulness * spread * category);
}

/** Estimates the probability that a developer would remove a repetition instead of accepting it as a convention. */
function probability({ makeup, variety }: LongestCode, copies: number): number {
  const sum =
    useful.bias +
    useful.branches * branchShare(makeup) +
    useful.copies * Math.log2(copies) +
    useful.variety * variety +
    useful.assignments * assignmentShare(makeup) +
    useful.declarations * declarationShare(makeup);
  return 1 / (1 + Math.exp(-sum));
}

/**
 * Weights of a logistic regression on the labeled rows of bench/labels/first-rows.tsv, by bench/firstRows.mjs. Branches
 * and assignments indicate repeated logic. Declarations, many copies, and a passage that repeats its own shape indicate
 * conventions.
 */
const useful = { bias: -0.19, branches: 4.8, copies: -0.52, variety: 1.8, assignments: 14.6, declarations: -39 };

/** Typical share of logic in code that is not data. At this share, the factor `logic` is 1. */
const fullLogic = 0.12;
/** Minimum of the factor `logic`. With .1, the labeled trees have as many useful rows among the first ones. */
const minLogic = 0.3;

/**
 * Factors of the categories. Only their order is meaningful: most people read source and text first. They are not
 * fitted, because the labeled rows have no category.
 */
const ofCategory: Readonly<Record<Category, number>> = {
  source: 1,
  text: 1,
  tests: 0.5,
  examples: 0.4,
  data: 0.3,
  boilerplate: 0.1,
};
