/**
 * The worth of a group: about how many tokens somebody is rid of who makes one of its copies, less where that helps little.
 * It depends on the group alone, so every surface has the same order. docs/methods.md has the formula.
 */
import { logicShare, type Makeup } from '../documents/makeup.ts';
import type { Group } from '../report/report.ts';
import type { Category } from './category.ts';

/** What worth is a product of: the first in tokens, the others factors. */
export interface Worth {
  readonly tokens: number;
  /** 1 for two copies, 2 for three, 3 for five: each doubling of what is left over adds one. */
  readonly copies: number;
  /** Squared similarity: what differs has to be thought about. */
  readonly likeness: number;
  /** How much of it is logic: what only lists values is seldom made one. */
  readonly logic: number;
  /** Less when all copies are in one file, where they are seen together, or one file lies inside another. */
  readonly spread: number;
  readonly category: number;
}

/** @param makeup  of the longest passage of code; undefined for prose and for whole files of prose or data */
export function worthOf(
  { tokens, similarity, passages, inside }: Pick<Group, 'tokens' | 'similarity' | 'passages' | 'inside'>,
  category: Category,
  makeup: Makeup | undefined,
): Worth {
  const isOneFile = passages.every(({ path }) => path === passages[0].path);
  return {
    tokens,
    copies: 1 + Math.log2(passages.length - 1),
    likeness: similarity ** 2,
    logic: makeup ? 0.3 + 0.7 * Math.min(1, logicShare(makeup) / fullLogic) : 1,
    // A note that was taken up into a longer one, a file and the bundle of it: often that is meant.
    spread: inside !== undefined ? 0.4 : isOneFile ? 0.6 : 1,
    category: ofCategory[category],
  };
}

/** The product, a whole number. */
export function worthNumber({ tokens, copies, likeness, logic, spread, category }: Worth): number {
  return Math.round(tokens * copies * likeness * logic * spread * category);
}

/** The share of logic in code that does something throughout. */
const fullLogic = 0.12;

const ofCategory: Readonly<Record<Category, number>> = {
  source: 1,
  text: 1,
  tests: 0.5,
  data: 0.3,
  boilerplate: 0.1,
};
