/** Converts the rows of a report to the data of a page. */
import type { Findings, Group } from '../../core/engine/report/report.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import { kindOf } from './kindOf.ts';
import { similarityOf, sizeOf } from './likeness.ts';
import { countInSection, type OutlineRow, outlineOf } from './outline.ts';
import type { PageData, PageGroup, PageRow } from './pageData.ts';
import { sharedLines } from './peers.ts';
import { equalsIn } from './siblings.ts';

type PageRows = Pick<PageData, 'categories' | 'paths' | 'groups' | 'sections'>;

/**
 * Returns the rows of a report. Paths are sorted; groups have the order of the findings.
 *
 * @param totals   totals to show; may exclude ignored groups
 * @param marksOf  returns additional properties of a group
 */
export function pageRowsOf<Item extends Group>(
  findings: Pick<Findings, 'files' | 'folders'> & { readonly groups: readonly Item[] },
  totals: Findings['totals'],
  marksOf: (group: Item) => Pick<PageGroup, 'fresh' | 'ignored'>,
): PageRows {
  const { groups } = findings;
  const paths = [...new Set(groups.flatMap(({ passages }) => passages.map(({ path }) => path)))].sort();
  const placeOf = new Map(paths.map((path, place) => [path, place]));
  const placeOfGroup = new Map(groups.map(({ id }, place) => [id, place]));
  return {
    categories: Object.entries(totals.categories).map(([name, { files, lines, rows, duplicatedLines }]) => ({
      name: name as Category,
      files,
      lines,
      rows,
      duplicatedLines,
    })),
    paths,
    groups: groups.map((group) => ({ ...groupOf(group, placeOf), ...marksOf(group) })),
    sections: outlineOf(findings).map(({ name, rows }) => ({
      name,
      count: countInSection({ name, rows }, totals),
      rows: rows.map((row) => rowOf(row, placeOfGroup)),
    })),
  };
}

function groupOf(group: Group, placeOf: ReadonlyMap<string, number>): PageGroup {
  const { id, kind, type, category, worth, passages } = group;
  const equals = equalsIn(group);
  return {
    id,
    words: kindOf(group),
    isFile: kind === 'file',
    isExact: type === 'exact',
    isContained: group.inside !== undefined,
    similarity: similarityOf(group),
    ...sizeOf(group),
    category,
    worth,
    passages: passages.flatMap(({ path, startLine, endLine }) => [placeOf.get(path)!, startLine, endLine]),
    ...(type !== 'exact' && equals.some((first, place) => first !== place) && { equals }),
  };
}

function rowOf(row: OutlineRow, placeOf: ReadonlyMap<string, number>): PageRow {
  const rows = row.rows.map((inner) => rowOf(inner, placeOf));
  const inner = rows.length > 0 ? { rows } : {};
  if (row.type === 'group') return { group: placeOf.get(row.group.id)!, ...inner };
  if (row.type === 'peers') {
    const { name, paths, groups, worth } = row.peers;
    return { paths, worth, peers: { name, groups: groups.length, ...sharedLines(row.peers) }, ...inner };
  }
  const { paths, shares, worth } = row.type === 'files' ? row.files : row.folders;
  return { paths, shares, worth, ...inner };
}
