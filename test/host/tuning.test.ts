/** Tune Sensitivity from inside: the effect of its preview on the findings in all views, and the state afterwards. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { DialName, DialValues } from '../../src/core/engine/dials.ts';
import { isFoundIn } from '../../src/core/engine/rows/changedRows.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import type { TunableResponse, TuneResponse } from '../../src/session/protocol/messages.ts';
import { countedBy, countsShown } from '../../src/surfaces/vscode/tuning/counted.ts';
import { countsOf } from '../../src/session/worker/dialTrials.ts';
import { closeEditors, remove, scan, until, uriOf, watcherIsUp, write } from './window.ts';

/** Returns two copies of a short function, and two of a longer one. */
function functions(own: string): string {
  const body = (name: string, count: number): string =>
    Array.from(
      { length: count },
      (_, n) => `  if (${name}.get(${n}) > limit${n}) out.push(${name}${n}, "part ${n}");`,
    ).join('\n');
  return `function ${own}Short(a) {\n${body('short', 6)}\n}\n\nconst ${own} = 1;\n\nfunction ${own}Long(a) {\n${body('long', 30)}\n}\n`;
}

suite('tuning', () => {
  let api: Api;
  const told: TuneResponse[] = [];
  const subscriptions: vscode.Disposable[] = [];
  const changed: DialName[] = ['minTokens', 'minLines'];

  suiteSetup(async () => {
    await write('tuning/a.ts', `${functions('first')}${'export const x = 1;\n'.repeat(3)}`);
    await write('tuning/b.ts', `export const other = "b";\n${functions('second')}`);
    api = await scan();
    subscriptions.push(api.client.onDidTune((response) => told.push(response)));
  });

  setup(() => {
    told.length = 0;
  });

  teardown(async () => {
    await closeEditors();
    const configuration = vscode.workspace.getConfiguration('kindred');
    for (const name of changed) await configuration.update(name, undefined, vscode.ConfigurationTarget.Workspace);
    await remove('.kindredrc.jsonc');
    await watcherIsUp();
    await scan();
  });

  suiteTeardown(async () => {
    for (const subscription of subscriptions) subscription.dispose();
    await remove('tuning');
    await scan();
  });

  async function open(): Promise<DialValues> {
    await vscode.commands.executeCommand('kindred.tune');
    await wait(() => told.some(({ type }) => type === 'tunable'));
    return (told.find(({ type }) => type === 'tunable') as TunableResponse).inForce;
  }

  /** Waits until a condition of the findings, the scanner, and the dials holds. */
  async function wait(holds: () => boolean): Promise<void> {
    const events = [api.findings.onDidChange, api.scanner.onDidChangeState, api.client.onDidTune] as const;
    const any: vscode.Event<unknown> = (listener) =>
      vscode.Disposable.from(...events.map((event) => (event as vscode.Event<unknown>)(listener)));
    await until(holds.toString(), any, holds);
  }

  const ofTuning = (): string[] =>
    api.findings.groups
      .filter(({ passages }) => passages.some(({ path }) => path.startsWith('tuning/')))
      .map(({ id }) => id);

  test('previews in every view, and shows the findings again when the panel is closed', async () => {
    const before = api.findings.snapshot;
    const [own, news] = [ofTuning(), api.findings.newRows];
    const inForce = await open();
    (await api.tuning()).setDials({ ...inForce, minTokens: 200 }, 'minTokens');
    await wait(() => api.findings.isPreview);
    assert.ok(ofTuning().length < own.length);
    assert.equal(api.findings.report, before);
    assert.equal(api.findings.newRows, news);
    assert.ok(!api.findings.groups.some((group) => api.findings.isNew(group)));
    await closeEditors();
    await wait(() => !api.findings.isPreview);
    assert.equal(api.findings.snapshot, before);
  });

  test('has the findings of the preview after it is applied', async () => {
    const inForce = await open();
    (await api.tuning()).setDials({ ...inForce, minTokens: 30, minLines: 3 }, 'minTokens');
    await wait(() => api.findings.isPreview);
    const previewed = api.findings.snapshot!;
    await (await api.tuning()).apply();
    await wait(() => !api.findings.isPreview && api.scanner.state.type === 'idle');
    const settings = vscode.workspace.getConfiguration('kindred');
    assert.deepEqual([settings.get('minTokens'), settings.get('minLines')], [30, 3]);
    assert.equal(settings.inspect('maxDistance')?.workspaceValue, undefined);
    assert.deepEqual(api.findings.report?.all, previewed.all);
  });

  test('writes settings of the configuration file into that file', async () => {
    await write('.kindredrc.jsonc', '{\n  // Ours.\n  "minTokens": 40\n}\n');
    // Its report would end the preview.
    await watcherIsUp();
    await scan();
    const inForce = await open();
    assert.equal(inForce.minTokens, 40);
    (await api.tuning()).setDials({ ...inForce, minTokens: 60, minLines: 8 }, 'minTokens');
    await wait(() => api.findings.isPreview);
    const previewed = api.findings.snapshot!;
    await (await api.tuning()).apply();
    assert.equal(await readFile(uriOf('.kindredrc.jsonc').fsPath, 'utf8'), '{\n  // Ours.\n  "minTokens": 60\n}\n');
    const inspected = vscode.workspace.getConfiguration('kindred').inspect('minTokens');
    assert.equal(inspected?.workspaceValue, undefined);
    await wait(() => !api.findings.isPreview && api.scanner.state.type === 'idle' && !api.scanner.isBehind);
    await wait(() => api.findings.report?.all.length === previewed.all.length);
    assert.deepEqual(api.findings.report?.all, previewed.all);
  });

  test('one scan follows settings that are written together', async () => {
    const settings = vscode.workspace.getConfiguration('kindred');
    const target = vscode.ConfigurationTarget.Workspace;
    let [scans, isScanning] = [0, false];
    const subscription = api.scanner.onDidChangeState(() => {
      const { type } = api.scanner.state;
      if (type === 'scanning' && !isScanning) scans++;
      isScanning = type === 'scanning';
    });
    await api.scanner.together(async () => {
      await settings.update('minTokens', 60, target);
      await wait(() => api.scanner.isBehind);
      // A scan of this change would begin before this timer ends, because it would have been scheduled before with the
      // same delay.
      await new Promise((resolve) => setTimeout(resolve, api.scanner.quietMs));
      await settings.update('minLines', 8, target);
    });
    await wait(() => scans > 0 && api.scanner.state.type === 'idle' && !api.scanner.isBehind);
    assert.equal(scans, 1);
    subscription.dispose();
    const inForce = await open();
    assert.deepEqual([inForce.minTokens, inForce.minLines], [60, 8]);
  });

  test('counts only the chosen types and categories, also in the tree, and follows its filter', async () => {
    await open();
    const { totals } = api.findings.report!.findings;
    const usual = countedBy(api.filter.active, totals);
    assert.deepEqual([...usual.types], ['exact', 'renamed', 'near']);
    await (await api.tuning()).count({ ...usual, types: ['exact'] });
    assert.deepEqual(api.filter.active, [{ type: 'likeness', of: ['exact'] }]);
    const exact = countsShown(countsOf(api.findings.report!.findings), countedBy(api.filter.active, totals));
    const rows = api.findings.groups.filter(({ parent, category }) => parent === undefined && category === 'source');
    assert.equal(exact.total, rows.filter(({ type }) => type === 'exact').length);
    assert.ok(
      rows.some(({ type }) => type !== 'exact'),
      'there is something that is not counted',
    );
    assert.equal(exact.lines, undefined);
    await (await api.tuning()).count({ types: usual.types, categories: ['tests'] });
    assert.deepEqual(api.filter.active, [{ type: 'category', of: ['tests'] }]);
    assert.deepEqual(countedBy(api.filter.active, totals).categories, ['tests']);
    // Choosing none, or the default selection, is not a filter.
    await (await api.tuning()).count({ types: [], categories: usual.categories });
    assert.deepEqual(api.filter.active, []);
  });

  test('a new report ends a preview and updates it', async () => {
    const inForce = await open();
    (await api.tuning()).setDials({ ...inForce, minTokens: 200 }, 'minTokens');
    await wait(() => api.findings.isPreview);
    const first = api.findings.snapshot;
    await write('tuning/c.ts', functions('third'));
    api.scanner.filesChanged([uriOf('tuning/c.ts')]);
    // A late event of an earlier test can cause a report without the file.
    const isFound = () =>
      api.findings.groups.some(({ passages }) => passages.some(({ path }) => path === 'tuning/c.ts'));
    await wait(() => api.findings.isPreview && api.findings.snapshot !== first && isFound());
    await remove('tuning/c.ts');
  });

  test('moves a dial far enough to hide a row', async () => {
    await wait(() => !api.findings.isPreview);
    const groups = api.findings.groups.filter(({ passages }) => passages[0].path.startsWith('tuning/'));
    const hidden = groups.reduce((smallest, group) => (group.tokens < smallest.tokens ? group : smallest));
    await vscode.commands.executeCommand('kindred.tuneToHide', { type: 'group', group: hidden });
    await wait(() => api.findings.isPreview);
    assert.equal(api.findings.groupOf(hidden.id), undefined);
    await closeEditors();
    await wait(() => !api.findings.isPreview);
    assert.ok(api.findings.groupOf(hidden.id));
  });

  test('hides a row of equal copies and an edited one that no similarity can hide', async () => {
    const steps = Array.from(
      { length: 9 },
      (_, n) => `  if (pair${n}(order.item, limit * ${n}) > ${n * 3}) throw new Error("pair of ${n}");`,
    ).join('\n');
    const pair = `function pair(order) {\n${steps}\n}\n`;
    await write('tuning/pair1.ts', pair);
    await write('tuning/pair2.ts', `const own = 2;\n${pair}`);
    await write('tuning/pair3.ts', `const third = 3;\n${pair.replaceAll(/pair(?:3|7)\(/g, 'other.call(own, ')}`);
    await scan();
    const hidden = api.findings.groups.find(
      ({ kind, passages }) => kind === 'code' && passages.filter(({ path }) => /pair[123]/.test(path)).length === 3,
    )!;
    assert.ok(hidden.similarity < 1);
    await vscode.commands.executeCommand('kindred.tuneToHide', { type: 'group', group: hidden });
    await wait(() => api.findings.isPreview);
    assert.ok(!isFoundIn({ groups: api.findings.snapshot!.all }, hidden));
    await closeEditors();
    await wait(() => !api.findings.isPreview);
    for (const name of [1, 2, 3]) await remove(`tuning/pair${name}.ts`);
  });
});
