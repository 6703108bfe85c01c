/** The first rows of a scan: the Duplicates view shows them, and nothing else relies on them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Group } from '../../src/core/engine/report/report.ts';
import { type CommandTargets, makeCommands } from '../../src/surfaces/vscode/commands.ts';
import { FindingsModel } from '../../src/surfaces/vscode/findings/findings.ts';
import type { Snapshot } from '../../src/surfaces/vscode/findings/snapshot.ts';
import type { Scanner, ScanState } from '../../src/surfaces/vscode/scanning/scanner.ts';
import type { Row } from '../../src/surfaces/vscode/tree/rows.ts';
import { TreeHeader } from '../../src/surfaces/vscode/tree/treeHeader.ts';
import { filterOf } from './filters.ts';
import { groupOf, passageOf, snapshotOf, totalsOf } from './reports.ts';
import { treeOf } from './trees.ts';

suite('the first rows of a scan', () => {
  const uri = vscode.Uri.file('/w/a.ts');
  let model: FindingsModel;

  setup(() => (model = new FindingsModel()));
  teardown(() => model.dispose());

  test('are displayed until the report arrives, and are not news then', async () => {
    assert.equal(model.showFirst(await first([groupOf('long'), groupOf('gone')])), true);
    assert.deepEqual(idsOf(model.groups), ['long', 'gone']);
    model.replace(await snapshotOf([groupOf('long'), groupOf('short')], 1));
    assert.deepEqual(idsOf(model.groups), ['long', 'short']);
    assert.deepEqual([model.areFirst, model.newRows], [false, 0]);
    assert.equal(model.showFirst(await first([groupOf('late')])), false);
    assert.deepEqual(idsOf(model.groups), ['long', 'short']);
  });

  test('are not a report: they mark no editor, and are not settled', async () => {
    model.showFirst(await first([groupOf('long')]));
    assert.deepEqual([model.copiesIn(uri), model.copiesAt(uri, 3)], [[], []]);
    assert.deepEqual([model.report, model.settled, model.areFirst], [undefined, undefined, true]);
    model.replace(await snapshotOf([groupOf('long')], 1));
    assert.deepEqual([model.copiesIn(uri).length, model.copiesAt(uri, 3).length], [1, 1]);
    assert.equal(model.settled, model.report);
  });

  test('stay if the scan is stopped before it has found anything else', async () => {
    model.showFirst(await first([groupOf('long')]));
    const stopped = await first([]);
    assert.equal(model.replace({ ...stopped, generation: 1 }), false);
    assert.deepEqual(idsOf(model.groups), ['long']);
  });

  test('respect the baseline', async () => {
    const snapshot = await first([groupOf('known'), groupOf('unknown')]);
    model.showFirst({ ...snapshot, judgement: { ...snapshot.judgement, unknown: ['unknown'] } });
    assert.deepEqual(
      model.groups.map((group) => model.isUnknown(group)),
      [false, true],
    );
  });

  test('have no shares, and keep their tree ids when copies are added', async () => {
    const tree = treeOf(model);
    const items = async (): Promise<vscode.TreeItem[]> => {
      const rows = tree.getChildren({ type: 'section', name: 'source' });
      return Promise.all([...tree.getChildren(), ...rows].map((row) => tree.getTreeItem(row)));
    };
    const categories = { source: totalsOf(12, 200, 1) };
    const passages = ['a.ts', 'b.ts'].map((path) => passageOf(path, 1, 9));
    model.showFirst(await first([groupOf('id', passages)], categories));
    const [sectionBefore, rowBefore] = await items();
    assert.equal(sectionBefore.description, '1');
    model.replace(await snapshotOf([groupOf('id', [...passages, passageOf('c.ts', 1, 9)])], 1, { categories }));
    const [section, row] = await items();
    assert.equal(section.description, '1 · 6% of source');
    assert.deepEqual([section.id, row.id], [sectionBefore.id, rowBefore.id]);
    tree.dispose();
  });

  test('are announced as such in the view while the scan goes on', async () => {
    const state = new vscode.EventEmitter<void>();
    const scanner = {
      state: { type: 'scanning', progress: { phase: 'matching', done: 1, total: 4 } } as ScanState,
      hasFolders: true,
      onDidChangeState: state.event,
    };
    const view = {} as vscode.TreeView<Row>;
    const tree = treeOf(model);
    const header = new TreeHeader(view, scanner as unknown as Scanner, model, tree, filterOf(model));
    model.showFirst(await first([groupOf('long')], { source: totalsOf(12, 200, 1) }));
    assert.equal(view.message, '1 duplicate so far, long copies first; comparing the rest');
    assert.equal(view.description, 'comparing, 25% done');
    scanner.state = { type: 'idle', stopped: true };
    state.fire();
    assert.equal(view.message, '1 duplicate so far; the scan was stopped early');
    model.replace(await snapshotOf([groupOf('long')], 1, { categories: { source: totalsOf(12, 200, 1) } }));
    assert.equal(view.message, '1 duplicate, 6% of source');
    header.dispose();
    tree.dispose();
  });

  test('are not changed or stored by commands', async () => {
    // Without the other parts, a command that runs throws.
    const commands = makeCommands({ findings: model } as unknown as CommandTargets);
    const hasRun = (id: string): Promise<boolean> =>
      Promise.resolve({ type: 'group', group: groupOf('long') } satisfies Row)
        .then(commands.get(id))
        .then(
          () => false,
          () => true,
        );
    model.showFirst(await first([groupOf('long')]));
    for (const id of ['ignoreGroup', 'ignorePair', 'ignoreHere', 'copyBrief', 'tuneToHide', 'useAsCanonical']) {
      assert.equal(await hasRun(`kindred.${id}`), false, id);
    }
    assert.equal(await hasRun('kindred.copyLocations'), true);
    model.replace(await snapshotOf([groupOf('long')], 1));
    assert.equal(await hasRun('kindred.ignoreGroup'), true);
  });
});

/** Returns incomplete findings, as a worker sends them during a scan. */
async function first(
  groups: readonly Group[],
  categories: Snapshot['findings']['totals']['categories'] = {},
): Promise<Snapshot> {
  const snapshot = await snapshotOf(groups, 0, { categories });
  return { ...snapshot, findings: { ...snapshot.findings, complete: false } };
}

function idsOf(groups: readonly Group[]): string[] {
  return groups.map(({ id }) => id);
}
