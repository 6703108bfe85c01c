/**
 * Subject of the counts and examples of *Tune Sensitivity*: the types and categories in the filter of the view; without
 * such a filter all types, and the categories of the headline.
 */
import type { Category } from '../../../core/engine/rows/category.ts';
import type { Totals } from '../../../core/engine/report/report.ts';
import type { Counts } from '../../../session/protocol/messages.ts';
import type { Counted, ShownCounts } from '../../../session/protocol/tunerMessages.ts';
import { headlineOf } from '../findings/headline.ts';
import { categories, type Filter, likenesses } from '../tree/filter.ts';

/** @param totals  contains the existing categories */
export function countedBy(filters: readonly Filter[], totals: Totals): Counted {
  const category = filters.find(({ type }) => type === 'category');
  const likeness = filters.find(({ type }) => type === 'likeness');
  return {
    types: likeness?.type === 'likeness' ? likeness.of : likenesses,
    categories: category?.type === 'category' ? category.of : headlineOf(totals).categories,
  };
}

/** Returns the filters with the given types and categories instead of their own. */
export function filtersFor(
  active: readonly Filter[],
  { types, categories: wanted }: Counted,
  totals: Totals,
): readonly Filter[] {
  const others = active.filter(({ type }) => type !== 'category' && type !== 'likeness');
  const isAll = types.length === 0 || types.length === likenesses.length;
  const usual = headlineOf(totals).categories;
  const isUsual = wanted.length === 0 || (wanted.length === usual.length && wanted.every((it) => usual.includes(it)));
  return [
    ...others,
    ...(isUsual ? [] : [{ type: 'category', of: wanted } as const]),
    ...(isAll ? [] : [{ type: 'likeness', of: types } as const]),
  ];
}

/** Returns the existing categories in the order of the view. */
export function categoriesIn(totals: Totals): readonly Category[] {
  return categories.filter((category) => totals.categories[category] !== undefined);
}

/** Returns the counts of the subject. Lines are not counted by type, so they are only known for all types. */
export function countsShown({ totals, rows }: Counts, { types, categories: counted }: Counted): ShownCounts {
  const sum = (type: Counted['types'][number]): number =>
    types.includes(type) ? counted.reduce((count, category) => count + (rows[category]?.[type] ?? 0), 0) : 0;
  const ofTypes = { exact: sum('exact'), renamed: sum('renamed'), near: sum('near') };
  const total = ofTypes.exact + ofTypes.renamed + ofTypes.near;
  if (types.length < likenesses.length) return { rows: ofTypes, total, lines: undefined };
  const [duplicated, all] = (['duplicatedLines', 'lines'] as const).map((key) =>
    counted.reduce((count, category) => count + (totals.categories[category]?.[key] ?? 0), 0),
  ) as [number, number];
  return { rows: ofTypes, total, lines: { duplicated, percent: all === 0 ? 0 : (100 * duplicated) / all } };
}
