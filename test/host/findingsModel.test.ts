/** The model of the findings: news, and copies by file. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Group } from '../../src/core/engine/report/report.ts';
import { FindingsModel } from '../../src/surfaces/vscode/findings/findings.ts';
import type { Snapshot } from '../../src/surfaces/vscode/findings/snapshot.ts';
import { groupOf, passageOf, snapshotOf } from './reports.ts';

suite('the findings model', () => {
  test('treats additions of a later report as news until they are forgotten', async () => {
    const model = new FindingsModel();
    for (const [generation, ids, news] of [
      [1, ['a', 'b'], 0],
      [2, ['a', 'b', 'c'], 1],
      [3, ['b'], 0],
      [4, ['b', 'd', 'e'], 2],
    ] as const) {
      model.replace(
        await snapshotOf(
          ids.map((id) => groupOf(id)),
          generation,
        ),
      );
      assert.equal(model.newRows, news, `after report ${generation}`);
    }
    model.forgetNews();
    model.replace(
      await snapshotOf(
        ['x', 'y'].map((id) => groupOf(id)),
        5,
      ),
    );
    assert.equal(model.newRows, 0);
  });

  test('reports changed rows only if a row shows something else', async () => {
    const model = new FindingsModel();
    const first = await snapshotOf([groupOf('a')], 1);
    const { findings, judgement } = first;
    let fired = 0;
    model.onDidChangeRows(() => fired++);
    const check = (snapshot: Snapshot, expected: number, what: string): void => {
      fired = 0;
      model.replace(snapshot);
      assert.equal(fired, expected, what);
    };
    check(first, 1, 'the first report');
    const totals = { ...findings.totals, files: 7, lines: 900 };
    check({ ...first, generation: 2, findings: { ...findings, totals } }, 0, 'a file without copies');
    const unknown = { ...first, generation: 3, judgement: { ...judgement, unknown: ['a'] } };
    check(unknown, 1, 'a baseline');
    check({ ...unknown, generation: 4, judgement: { ...judgement, unknown: ['a'] } }, 0, 'an equal baseline');
    check({ ...unknown, generation: 5, all: [], found: { ...first.found, all: [] } }, 1, 'no group');
    model.dispose();
  });

  test('treats additions after a scan without changes as news', async () => {
    const model = new FindingsModel();
    const groupsOf = (ids: readonly string[]) => ids.map((id) => groupOf(id));
    model.replace(await snapshotOf(groupsOf(['a']), 1));
    // The extension does this for a report of the last session, and after settings without effect.
    model.forgetNews();
    model.stay();
    model.replace(await snapshotOf(groupsOf(['a', 'b']), 2));
    assert.equal(model.newRows, 1);
    model.forgetNews();
    assert.equal(model.newRows, 1);
    model.stay();
    assert.equal(model.newRows, 0);
  });

  test('treats an additional copy of the same text as news, and a removed one not', async () => {
    const model = new FindingsModel();
    const places = ['a.ts', 'b.ts', 'c.ts'].map((path) => passageOf(path, 1, 9));
    for (const [generation, copies, news] of [
      [1, 2, 0],
      [2, 3, 1],
      [3, 2, 0],
    ] as const) {
      model.replace(await snapshotOf([groupOf('same', places.slice(0, copies))], generation));
      assert.equal(model.newRows, news, `${copies} copies`);
      assert.equal(model.isNew(model.groups[0]), news > 0);
    }
  });

  test('treats added copies as news, and removed ones not, if the id of the group changes', async () => {
    const model = new FindingsModel();
    const copies = (id: string, ...contents: readonly string[]): Group =>
      groupOf(
        id,
        contents.map((content, at) => ({ ...passageOf(`${at}.ts`, 1, 9), content })),
      );
    for (const [generation, group, news] of [
      [1, copies('one', 'a', 'b', 'b'), 0],
      // The longest copy, which determines the id, was removed.
      [2, copies('two', 'b', 'b'), 0],
      [3, copies('two', 'b', 'b', 'b'), 1],
      [4, copies('three', 'b', 'c'), 1],
    ] as const) {
      model.replace(await snapshotOf([group], generation));
      assert.equal(model.newRows, news, `after report ${generation}`);
    }
  });

  test('counts a row once, whatever is new inside it', async () => {
    const model = new FindingsModel();
    const inside = (id: string, parent: string): Group => ({ ...groupOf(id), parent });
    for (const [generation, groups, news] of [
      [1, [groupOf('row'), inside('part', 'row')], 0],
      [2, [groupOf('row'), inside('part', 'row'), inside('third', 'row'), inside('fourth', 'row')], 1],
      [3, [groupOf('row'), groupOf('other'), inside('its', 'other')], 1],
      [4, [groupOf('row'), inside('third', 'row'), groupOf('other'), inside('its', 'other')], 2],
    ] as const) {
      model.replace(await snapshotOf(groups, generation));
      assert.equal(model.newRows, news, `after report ${generation}`);
    }
  });

  test('returns the copies of a file by line, and those at a line by length', async () => {
    const model = new FindingsModel();
    const groups = [
      groupOf('late', [passageOf('a.ts', 50, 60), passageOf('b.ts', 1, 11)]),
      groupOf('long', [passageOf('a.ts', 1, 40), passageOf('c.ts', 1, 40)]),
      groupOf('short', [passageOf('a.ts', 10, 20), passageOf('d.ts', 1, 11)]),
    ];
    model.replace(await snapshotOf(groups, 1));
    const uri = vscode.Uri.file('/w/a.ts');
    assert.deepEqual(
      model.copiesIn(uri).map(({ group }) => group.id),
      ['long', 'short', 'late'],
    );
    const idsAt = (line: number) => model.copiesAt(uri, line).map(({ group }) => group.id);
    assert.deepEqual([idsAt(9), idsAt(19), idsAt(20), idsAt(44)], [['short', 'long'], ['short', 'long'], ['long'], []]);
  });
});
