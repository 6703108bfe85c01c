/** The number of rows that are announced as ignored: by so much the total of the rows falls. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ignoredRows } from '../../src/client/ignoredRows.ts';
import { outermost } from '../../src/client/outermost.ts';
import type { Group } from '../../src/engine/report/report.ts';
import { categories, type Category } from '../../src/engine/rows/category.ts';
import { withoutIgnored } from '../../src/gate/withoutIgnored.ts';

function group(id: string, category: Category, parent?: string): Group {
  return {
    ...{ id, kind: 'code', type: 'exact', similarity: 1, lines: 1, tokens: 60, category, worth: 1 },
    ...{ passages: [], pairs: [], ...(parent !== undefined && { parent }) },
  } as unknown as Group;
}

/** A report without some of its groups, as `Report` has it. */
function judged(groups: readonly Group[], ignored: readonly string[]) {
  const ids = new Set(ignored);
  const { groups: all } = withoutIgnored({ groups, files: [], folders: [] }, { groups: ids, passages: new Map() });
  return { all, ignored: outermost(groups.filter(({ id }) => ids.has(id))) };
}

suite('ignored rows', () => {
  const groups = [
    group('files', 'source'),
    group('inner', 'source', 'files'),
    group('elsewhere', 'source', 'files'),
    group('row', 'text'),
    group('test', 'tests'),
  ];
  const check = (ignored: readonly string[], expected: readonly number[]): void => {
    const { counted, others, risen } = ignoredRows(judged(groups, []), judged(groups, ignored), ['source', 'text']);
    assert.deepEqual([counted, others, risen], expected);
  };

  test('are those that the total counts, without the groups in them', () => {
    check(['files', 'inner', 'elsewhere', 'row'], [2, 0, 0]);
  });

  test('are apart from those of other sections, and from groups in rows that stay', () => {
    check(['row', 'test', 'inner'], [1, 2, 0]);
    check(['test'], [0, 1, 0]);
  });

  test('may leave groups that are rows of their own from then on', () => {
    check(['files', 'inner'], [1, 0, 1]);
  });

  test('are as many as the total falls by, with those that rise', () => {
    const places = fc.record({ category: fc.constantFrom(...categories), parent: fc.nat(), state: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(places, { maxLength: 12 }), fc.subarray([...categories]), (list, wanted) => {
        const all: Group[] = [];
        for (const [at, { category, parent }] of list.entries()) {
          const row = parent % (at + 1);
          all.push(row === at ? group(`${at}`, category) : group(`${at}`, category, `${row}`));
        }
        const idsOf = (least: number): string[] => list.flatMap(({ state }, at) => (state >= least ? [`${at}`] : []));
        const [before, after] = [judged(all, idsOf(2)), judged(all, idsOf(1))];
        const total = (report: typeof before): number =>
          report.all.filter(({ parent, category }) => parent === undefined && wanted.includes(category)).length;
        const { counted, risen } = ignoredRows(before, after, wanted);
        assert.equal(total(before) - total(after), counted - risen);
      }),
    );
  });
});
