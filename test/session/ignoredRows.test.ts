/** Number of rows that an ignore command hides, and the resulting change of the total. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ignoredRows } from '../../src/session/client/ignoredRows.ts';
import { outermost } from '../../src/session/client/outermost.ts';
import type { Group } from '../../src/core/engine/report/report.ts';
import { categories, type Category } from '../../src/core/engine/rows/category.ts';
import { withoutIgnored } from '../../src/review/gate/withoutIgnored.ts';

function group(id: string, category: Category, parent?: string): Group {
  return {
    id,
    kind: 'code',
    type: 'exact',
    similarity: 1,
    lines: 1,
    tokens: 60,
    category,
    worth: 1,
    passages: [],
    pairs: [],
    ...(parent !== undefined && { parent }),
  } as unknown as Group;
}

/** Returns the parts of a `Report` that depend on the ignored groups. */
function reportWithout(groups: readonly Group[], ignored: readonly string[]) {
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
    const { counted, others, risen } = ignoredRows(reportWithout(groups, []), reportWithout(groups, ignored), [
      'source',
      'text',
    ]);
    assert.deepEqual([counted, others, risen], expected);
  };

  test('count only groups that the total counts, without nested groups', () => {
    check(['files', 'inner', 'elsewhere', 'row'], [2, 0, 0]);
  });

  test('are counted apart from rows of other sections and from groups inside visible rows', () => {
    check(['row', 'test', 'inner'], [1, 2, 0]);
    check(['test'], [0, 1, 0]);
  });

  test('count nested groups that become rows', () => {
    check(['files', 'inner'], [1, 0, 1]);
  });

  test('minus the nested groups that become rows equal the change of the total', () => {
    const places = fc.record({ category: fc.constantFrom(...categories), parent: fc.nat(), state: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(places, { maxLength: 12 }), fc.subarray([...categories]), (list, shownCategories) => {
        const all: Group[] = [];
        for (const [at, { category, parent }] of list.entries()) {
          const row = parent % (at + 1);
          all.push(row === at ? group(`${at}`, category) : group(`${at}`, category, `${row}`));
        }
        const idsOf = (minState: number): string[] =>
          list.flatMap(({ state }, at) => (state >= minState ? [`${at}`] : []));
        const [before, after] = [reportWithout(all, idsOf(2)), reportWithout(all, idsOf(1))];
        const total = (report: typeof before): number =>
          report.all.filter(({ parent, category }) => parent === undefined && shownCategories.includes(category))
            .length;
        const { counted, risen } = ignoredRows(before, after, shownCategories);
        assert.equal(total(before) - total(after), counted - risen);
      }),
    );
  });
});
