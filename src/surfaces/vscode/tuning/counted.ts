/**
 * Selects which groups *Tune Sensitivity* counts and shows as examples. The tree's filter determines the types and
 * categories. If the filter has no such conditions, counts all types, and the categories in the headline.
 */
import type { Category } from '../../../core/engine/rows/category.ts';
import type { Totals } from '../../../core/engine/report/report.ts';
import type { Counts } from '../../../session/protocol/messages.ts';
import type { CountedKinds, ShownCounts } from '../../../presentation/pages/tunerMessages.ts';
import { headlineOf } from '../../../presentation/wording/headline.ts';
import { categories, type Filter, likenesses } from '../tree/filter.ts';

/** @param totals  totals of the report, which show what categories exist */
export function countedBy(filters: readonly Filter[], totals: Totals): CountedKinds {
  const category = filters.find(({ type }) => type === 'category');
  const likeness = filters.find(({ type }) => type === 'likeness');
  return {
    types: likeness?.type === 'likeness' ? likeness.of : likenesses,
    categories: category?.type === 'category' ? category.of : headlineOf(totals).categories,
  };
}

export function filtersFor(
  active: readonly Filter[],
  { types, categories: wantedCategories }: CountedKinds,
  totals: Totals,
): readonly Filter[] {
  const others = active.filter(({ type }) => type !== 'category' && type !== 'likeness');
  const isAll = types.length === 0 || types.length === likenesses.length;
  const usual = headlineOf(totals).categories;
  const isUsual =
    wantedCategories.length === 0 ||
    (wantedCategories.length === usual.length && wantedCategories.every((it) => usual.includes(it)));
  return [
    ...others,
    ...(isUsual ? [] : [{ type: 'category', of: wantedCategories } as const]),
    ...(isAll ? [] : [{ type: 'likeness', of: types } as const]),
  ];
}

/** Returns the categories that a report contains, in the order of the tree. */
export function categoriesIn(totals: Totals): readonly Category[] {
  return categories.filter((category) => totals.categories[category] !== undefined);
}

/** Returns the counts for a selection. Lines, which are not counted by type, are known if all types are selected. */
export function countsShown({ totals, rows }: Counts, { types, categories: counted }: CountedKinds): ShownCounts {
  const sum = (type: CountedKinds['types'][number]): number =>
    types.includes(type) ? counted.reduce((count, category) => count + (rows[category]?.[type] ?? 0), 0) : 0;
  const ofTypes = { exact: sum('exact'), renamed: sum('renamed'), near: sum('near') };
  const total = ofTypes.exact + ofTypes.renamed + ofTypes.near;
  if (types.length < likenesses.length) return { rows: ofTypes, total, lines: undefined };
  const sumOfLines = (key: 'lines' | 'duplicatedLines'): number =>
    counted.reduce((count, category) => count + (totals.categories[category]?.[key] ?? 0), 0);
  const lines = { lines: sumOfLines('lines'), duplicatedLines: sumOfLines('duplicatedLines') };
  return { rows: ofTypes, total, lines };
}
