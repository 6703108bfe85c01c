import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FindingsModel } from '../../src/surfaces/vscode/findings/findings.ts';
import { type Filter, isFilter } from '../../src/surfaces/vscode/tree/filter.ts';
import { groupOf, passageOf, snapshotOf } from './reports.ts';
import { filterOf } from './filters.ts';

suite('the filter', () => {
  test('shows groups that meet all of its conditions', async () => {
    const model = new FindingsModel();
    const filter = filterOf(model, () => vscode.Uri.file('/w/src/a.ts'));
    const old = [
      { ...groupOf('source', [passageOf('src/a.ts', 1, 9), passageOf('src/b.ts', 1, 9)]), type: 'exact' as const },
      {
        ...groupOf('tests', [passageOf('src/a.ts', 20, 29), passageOf('srcs/c.ts', 1, 9)]),
        category: 'tests' as const,
      },
      { ...groupOf('data', [passageOf('x/d.ts', 1, 9), passageOf('x/e.ts', 1, 9)]), category: 'data' as const },
      { ...groupOf('whole', [passageOf('y/f.ts', 1, 9), passageOf('y/g.ts', 1, 9)]), kind: 'file' as const },
    ];
    model.replace(await snapshotOf(old, 1));
    model.replace(await snapshotOf([...old, groupOf('new')], 2));
    const check = async (filters: readonly Filter[], ids: readonly string[]): Promise<void> => {
      assert.ok(filters.every(isFilter));
      assert.equal(await filter.use(filters), undefined);
      assert.deepEqual(
        model.groups.filter((group) => filter.accepts(group)).map(({ id }) => id),
        ids,
        JSON.stringify(filters),
      );
    };
    await check([], ['source', 'tests', 'data', 'new']);
    await check([{ type: 'new' }], ['new']);
    assert.deepEqual(
      model.fileGroups.map((group) => [group.id, filter.accepts(group)]),
      [['whole', false]],
    );
    await check([{ type: 'active' }], ['source', 'tests']);
    await check([{ type: 'folder', path: 'src' }], ['source', 'tests']);
    await check([{ type: 'folder', path: 'src/b.ts' }], ['source']);
    await check([{ type: 'folder', path: 'srcs' }], ['tests']);
    await check([{ type: 'folder', path: 'src', isInside: true }], ['source']);
    await check([{ type: 'folder', path: 'x', isInside: true }], ['data']);
    await check([{ type: 'folder', path: 'src/a.ts', isInside: true }], []);
    await check([{ type: 'likeness', of: ['exact'] }], ['source']);
    await check([{ type: 'category', of: ['tests', 'data'] }], ['tests', 'data']);
    await check([{ type: 'active' }, { type: 'category', of: ['tests', 'data'] }], ['tests']);
    for (const wrong of [
      { type: 'category', of: [] },
      { type: 'likeness', of: ['same'] },
      { type: 'folder' },
      { type: 'folder', path: 'x', isInside: 1 },
      'new',
    ]) {
      assert.equal(isFilter(wrong), false);
    }
    filter.dispose();
  });
});
