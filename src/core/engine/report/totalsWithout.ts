/** Totals of a report after some of its groups were excluded. */
import { groupBy, sum } from '../../collections/lists.ts';
import { lexiconForPath } from '../languages/allLexicons.ts';
import type { ChosenCategory } from '../rows/categories.ts';
import { categories, type Category, countByCategory, judgeText } from '../rows/category.ts';
import { percentOf } from '../rows/shares.ts';
import { coveredLines } from './duplicatedLines.ts';
import type { CategoryTotals, Findings, Group, Totals } from './report.ts';

/**
 * Returns the totals of a report after some of its groups were excluded. The text of files is not available, so their
 * categories are derived from their names only.
 *
 * @param left            the remaining groups, with their remaining passages and parents
 * @param chosenCategory  returns the category that the user has chosen for a path
 */
export function totalsWithout(
  { totals, groups }: Pick<Findings, 'totals' | 'groups'>,
  left: readonly Group[],
  chosenCategory: ChosenCategory,
): Totals {
  if (left === groups) return totals;
  const [before, after] = [groups, left].map(linesByPath) as [Map<string, number>, Map<string, number>];
  const removedLines = countByCategory();
  for (const [path, lines] of before) {
    const fewer = lines - (after.get(path) ?? 0);
    if (fewer > 0) removedLines[categoryOf(path, chosenCategory)] += fewer;
  }
  const rows = countByCategory();
  for (const { category, parent } of left) if (parent === undefined) rows[category]++;
  const counted = spread(removedLines, totals);
  const duplicatedLines = totals.duplicatedLines - sum(Object.values(removedLines));
  return {
    ...totals,
    groups: left.length,
    passages: sum(left.map(({ passages }) => passages.length)),
    duplicatedLines,
    duplicatedPercent: percentOf(duplicatedLines, totals.lines),
    categories: Object.fromEntries(
      Object.entries(totals.categories).map(([name, of]): [string, CategoryTotals] => {
        const category = name as Category;
        const lines = of.duplicatedLines - counted[category];
        return [
          name,
          { ...of, rows: rows[category], duplicatedLines: lines, duplicatedPercent: percentOf(lines, of.lines) },
        ];
      }),
    ),
  };
}

function linesByPath(groups: readonly Group[]): Map<string, number> {
  const copies = groups.flatMap((group) => (group.kind === 'file' ? [] : group.passages));
  const passages = groupBy(copies, ({ path }) => path);
  return new Map(Array.from(passages, ([path, list]) => [path, coveredLines(list)]));
}

function categoryOf(path: string, chosenCategory: ChosenCategory): Category {
  const { prose = false, data = false } = lexiconForPath(path);
  return chosenCategory(path) ?? judgeText(path, { prose, data, generated: false }).category;
}

/**
 * Returns the number of lines to subtract from each category. If a category has fewer lines than were excluded from it,
 * the excess is subtracted from the others, data first. This happens because a table counts as data regardless of its
 * name.
 */
function spread(removedLines: Readonly<Record<Category, number>>, totals: Totals): Record<Category, number> {
  const counted = countByCategory();
  let rest = 0;
  for (const category of categories) {
    counted[category] = Math.min(removedLines[category], totals.categories[category]?.duplicatedLines ?? 0);
    rest += removedLines[category] - counted[category];
  }
  for (const category of ['data', ...categories] as const) {
    const room = (totals.categories[category]?.duplicatedLines ?? 0) - counted[category];
    const taken = Math.min(rest, room);
    counted[category] += taken;
    rest -= taken;
  }
  return counted;
}
