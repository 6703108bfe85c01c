/** From files on disk to findings, and the effect of changed files, settings, and workers. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Outcome } from '../../src/session/client/engineClient.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import type { Snapshot } from '../../src/surfaces/vscode/findings/snapshot.ts';
import { selectedText } from '../../src/surfaces/vscode/similar/searchedText.ts';
import { writeManyFiles } from '../manyFiles.ts';
import { parsing } from '../passages.ts';
import {
  closeEditors,
  addFixture,
  groupsIn,
  kindred,
  pathsOf,
  remove,
  scan,
  until,
  uriOf,
  withSettings,
  write,
  watcherIsUp,
} from './window.ts';

const parseDay = ['shop/src/billing/dates.ts', 'shop/src/reports/period.ts', 'shop/tools/days.ts'];

suite('a scan', () => {
  let api: Api;

  suiteSetup(async () => {
    await watcherIsUp();
    await addFixture('shop');
    api = await scan();
  });

  suiteTeardown(async () => {
    await remove('shop');
    await scan();
  });

  test('finds the copies in the folder', () => {
    const groups = groupsIn(api, 'shop/src/billing/dates.ts');
    assert.deepEqual(groups.map(pathsOf), [parseDay]);
    assert.equal(groups[0].type, 'exact');
    assert.deepEqual(groupsIn(api, 'shop/src/billing/invoice.ts').map(pathsOf), [
      ['shop/src/billing/invoice.ts', 'shop/src/reports/statement.ts'],
    ]);
    assert.equal(groupsIn(api, 'shop/tools/load_orders.py')[0]?.type, 'renamed');
    assert.equal(groupsIn(api, 'shop/docs/install.md')[0]?.kind, 'prose');
  });

  test('scans languages of other extensions according to their configuration', async () => {
    // VS Code's debugger contributes WebAssembly text. Its comments begin with ;; as in no built-in language.
    const code = Array.from({ length: 12 }, (_, i) => `(func $f${i} (param $x i32) (result i32) local.get $x)`);
    const noted = (note: string): string => code.map((line, i) => `${line} ;; ${note} ${i}\n`).join('');
    await write('shop/a.wat', noted('one'));
    await write('shop/b.wat', noted('quite another note'));
    await scan();
    assert.deepEqual(
      groupsIn(api, 'shop/a.wat').map(({ type }) => type),
      ['exact'],
    );
    await remove('shop/a.wat');
    await remove('shop/b.wat');
    await scan();
  });

  test('also starts from the command palette, with newer findings', async () => {
    const { generation } = api.findings.snapshot!;
    await vscode.commands.executeCommand('kindred.scanWorkspace');
    assert.ok(api.findings.snapshot!.generation > generation);
    assert.deepEqual(groupsIn(api, 'shop/src/billing/dates.ts').map(pathsOf), [parseDay]);
  });

  test('an older report never replaces a newer one', () => {
    const now = api.findings.snapshot!;
    assert.equal(api.findings.replace({ ...now, generation: now.generation - 1 }), false);
    assert.equal(api.findings.snapshot, now);
  });

  test('finds a copy that is written to disk automatically', async () => {
    const text = await vscode.workspace.fs.readFile(uriOf('shop/src/billing/dates.ts'));
    await write('shop/src/again.ts', new TextDecoder().decode(text));
    const groups = await until('the new copy', api.findings.onDidChange, () => {
      const found = groupsIn(api, 'shop/src/again.ts');
      return found.length > 0 && found;
    });
    // The complete files, and the function that they share with the others.
    const [files, functions] = groups.map(pathsOf).sort((x, y) => x.length - y.length);
    assert.deepEqual(files, ['shop/src/again.ts', 'shop/src/billing/dates.ts']);
    assert.deepEqual(functions, ['shop/src/again.ts', ...parseDay]);
    await remove('shop/src/again.ts');
    await until('the copy to go', api.findings.onDidChange, () => groupsIn(api, 'shop/src/again.ts').length === 0);
  });

  test('removes a group with the file of its second copy', async () => {
    const text = await vscode.workspace.fs.readFile(uriOf('shop/tools/load_refunds.py'));
    await remove('shop/tools/load_refunds.py');
    try {
      await until(
        'the group to go',
        api.findings.onDidChange,
        () => groupsIn(api, 'shop/tools/load_orders.py').length === 0,
      );
    } finally {
      await vscode.workspace.fs.writeFile(uriOf('shop/tools/load_refunds.py'), text);
    }
    await until(
      'the group to come back',
      api.findings.onDidChange,
      () => groupsIn(api, 'shop/tools/load_orders.py').length === 1,
    );
  });

  test('keeps the findings if an irrelevant file changes', async () => {
    const before = api.findings.snapshot;
    await write('picture.bin', '\0\0\0');
    await write('.gitignore', 'shop/ignored.ts\n');
    await until('the end of the update', api.scanner.onDidChangeState, () => api.scanner.state.type === 'scanning');
    await until('the end of the update', api.scanner.onDidChangeState, () => api.scanner.state.type === 'idle');
    await write('shop/ignored.ts', 'const a = 1;\n');
    await until('an update', api.scanner.onDidChangeState, () => api.scanner.state.type === 'scanning');
    await until('its end', api.scanner.onDidChangeState, () => api.scanner.state.type === 'idle');
    assert.equal(groupsIn(api, 'shop/ignored.ts').length, 0);
    assert.equal(before?.findings.groups.length, api.findings.groups.length);
    for (const name of ['picture.bin', '.gitignore', 'shop/ignored.ts']) await remove(name);
  });

  test('applies a detection setting as soon as it changes', async () => {
    await withSettings({ minTokens: 170 }, async () => {
      await until(
        'fewer groups',
        api.findings.onDidChange,
        () => groupsIn(api, 'shop/tools/load_orders.py').length === 0,
      );
      assert.equal(groupsIn(api, 'shop/src/billing/dates.ts').length, 1);
    });
    await until('all groups', api.findings.onDidChange, () => groupsIn(api, 'shop/tools/load_orders.py').length === 1);
  });

  test('rejects an invalid setting and keeps the findings', async () => {
    const before = api.findings.groups.length;
    await withSettings({ minTokens: 3 }, async () => {
      const problems = await until('a refusal', api.scanner.onDidChangeState, () => {
        const { state } = api.scanner;
        return state.type === 'rejected' && state.problems;
      });
      assert.match(problems.join(), /minTokens must be .* not 3/);
      assert.equal(api.findings.groups.length, before);
    });
    await until('a scan', api.scanner.onDidChangeState, () => api.scanner.state.type === 'idle');
  });

  test('excludes files', async () => {
    await withSettings({ exclude: ['shop/tools'] }, async () => {
      await until('fewer groups', api.findings.onDidChange, () => groupsIn(api, 'shop/tools/days.ts').length === 0);
      assert.deepEqual(groupsIn(api, parseDay[0]).map(pathsOf), [parseDay.slice(0, 2)]);
    });
    await until('all groups', api.findings.onDidChange, () => groupsIn(api, 'shop/tools/days.ts').length === 1);
  });
});

suite('a broken configuration file', () => {
  const name = '.kindredrc.jsonc';
  const broken = '{\n  "minLines": 5\n  "minTokens": 50\n}\n';
  const mended = broken.replace('5\n', '5,\n');
  let api: Api;

  suiteSetup(async () => {
    await watcherIsUp();
    api = await scan();
  });

  setup(async () => {
    await write(name, broken);
    await until('a refusal', api.scanner.onDidChangeState, () => api.scanner.state.type === 'rejected');
  });

  teardown(async () => {
    await remove(name);
    await closeEditors();
    await until('a scan', api.scanner.onDidChangeState, () => api.scanner.state.type === 'idle');
  });

  test('is reported with its line, and opened there', async () => {
    const { state } = api.scanner;
    assert.ok(state.type === 'rejected');
    assert.deepEqual(state.problems, [`${name}, line 3: a comma is missing before this.`]);
    assert.deepEqual([state.place?.uri.toString(), state.place?.line], [uriOf(name).toString(), 3]);
    const [remedy] = api.tree.getChildren();
    const { label, command } = await api.tree.getTreeItem(remedy);
    assert.equal(label, `Open ${name}`);
    await vscode.commands.executeCommand(command!.command, ...(command!.arguments as unknown[]));
    const editor = vscode.window.activeTextEditor!;
    assert.deepEqual([editor.document.uri.toString(), editor.selection.start.line], [uriOf(name).toString(), 2]);
  });

  test('keeps the last settings in effect: edits are followed, and searches answered', async () => {
    await write('beside/a.ts', parsing);
    await write('beside/b.ts', `let b;\n${parsing}`);
    await until('the copies', api.findings.onDidChange, () => groupsIn(api, 'beside/b.ts').length > 0);
    const { state } = api.scanner;
    assert.equal(state.type, 'rejected');
    await vscode.window.showTextDocument(uriOf('beside/a.ts'), { selection: new vscode.Range(0, 0, 15, 0) });
    const searched = selectedText();
    assert.ok(!('missing' in searched));
    const similar = await api.similar.find(searched);
    assert.deepEqual(
      similar?.places.map(({ passage }) => passage.path),
      ['beside/b.ts'],
    );
    assert.equal(api.scanner.state, state, 'it is told once');
    await remove('beside');
    await until('none', api.findings.onDidChange, () => groupsIn(api, 'beside/b.ts').length === 0);
  });

  test('is reloaded when it is fixed on disk, also after a wrong fix', async () => {
    const { generation } = api.findings.snapshot!;
    await write(name, '{ "minLine": 5 }');
    await until('the new problem', api.scanner.onDidChangeState, () => {
      const { state } = api.scanner;
      return state.type === 'rejected' && /there is no key "minLine"/.test(state.problems.join());
    });
    await write(name, mended);
    await until('newer findings', api.findings.onDidChange, () => api.findings.snapshot!.generation > generation);
    assert.ok(api.tree.getChildren().every(({ type }) => type !== 'remedy'));
  });

  test('is reloaded when it is fixed in the editor', async () => {
    const { generation } = api.findings.snapshot!;
    const document = await vscode.workspace.openTextDocument(uriOf(name));
    await vscode.window.showTextDocument(document);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, document.lineAt(1).range.end, ',');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    await until('newer findings', api.findings.onDidChange, () => api.findings.snapshot!.generation > generation);
  });

  test('is reloaded when it is deleted, and when one with precedence is created', async () => {
    const { generation } = api.findings.snapshot!;
    await remove(name);
    await write('.kindredrc.json', '{');
    await until('the other problem', api.scanner.onDidChangeState, () => {
      const { state } = api.scanner;
      return state.type === 'rejected' && state.problems.join().startsWith('.kindredrc.json,');
    });
    await write(name, mended);
    await until('newer findings', api.findings.onDidChange, () => api.findings.snapshot!.generation > generation);
    await remove('.kindredrc.json');
  });

  test('is no longer reported after it is fixed, even without automatic scans', async () => {
    await withSettings({ run: 'manual' }, async () => {
      await write(name, mended);
      await until('the end of the trouble', api.scanner.onDidChangeState, () => api.scanner.state.type !== 'rejected');
      assert.deepEqual([api.scanner.state.type, api.scanner.isBehind], ['idle', false]);
    });
  });
});

suite('a long scan', () => {
  const manyFiles = 500;
  let api: Api;

  suiteSetup(async () => {
    api = await kindred();
    // Otherwise late events of the disk supersede the scans.
    await setRun('manual');
    await writeManyFiles(uriOf('big').fsPath, manyFiles);
    await scan();
  });

  suiteTeardown(async () => {
    await remove('big');
    await setRun(undefined);
    await scan();
  });

  test('finds the copies in many files again', async () => {
    await writeAnew();
    await scan();
    const { findings } = api.findings.snapshot!;
    assert.ok(findings.totals.files > manyFiles);
    assert.equal(findings.complete, true);
  });

  const phases = ['listing', 'reading', 'matching'] as const;
  for (const phase of phases) {
    test(`can be stopped while it is ${phase}, and the earlier findings stay`, async () => {
      let { before, outcome } = await stopAt(phase);
      // On a busy machine, the scan may end before the request to stop it arrives.
      while (outcome.type === 'report' && outcome.findings.complete) ({ before, outcome } = await stopAt(phase));
      // A stopped scan has a report if it has found something.
      if (outcome.type !== 'report') assert.equal(outcome.type, 'cancelled');
      assert.equal(api.findings.snapshot, before);
      assert.equal(api.scanner.state.type, 'idle');
    });
  }

  test('is superseded by a newer one', async () => {
    const [older, newer] = await Promise.all([api.scanner.scan(), api.scanner.scan()]);
    assert.equal(older.type, 'superseded');
    assert.equal(newer.type, 'report');
  });

  test('is restarted when its thread dies', async () => {
    await writeAnew();
    const running = api.scanner.scan();
    await nextProgress();
    await api.client.terminateWorker();
    const outcome = await running;
    assert.equal(outcome.type === 'report' && outcome.findings.complete, true, JSON.stringify(outcome));
  });

  test('is not restarted when its thread keeps dying, until the user restarts it', async () => {
    await writeAnew();
    const running = api.scanner.scan();
    const killer = api.client.onDidProgress(() => void api.client.terminateWorker());
    const outcome = await running;
    killer.dispose();
    assert.equal(outcome.type, 'stopped');
    assert.equal(api.scanner.state.type, 'failed');
    await vscode.commands.executeCommand('kindred.restart');
    assert.equal(api.scanner.state.type, 'idle');
    assert.equal(api.findings.snapshot?.findings.complete, true);
  });

  test('a rebuilt index contains all files, with the same findings', async () => {
    await scan();
    const before = api.findings.snapshot!;
    const read = async (command: string): Promise<number> => {
      const totals = [0];
      const subscription = api.client.onDidProgress(({ progress }) => {
        if (progress.phase === 'reading') totals.push(progress.total);
      });
      await vscode.commands.executeCommand(command);
      subscription.dispose();
      return Math.max(...totals);
    };
    const { files } = before.findings.totals;
    assert.ok((await read('kindred.scanWorkspace')) < files);
    assert.equal(await read('kindred.rebuildIndex'), files);
    assert.deepEqual(api.findings.snapshot!.findings, before.findings);
  });

  test('a thread that dies between two scans has no effect', async () => {
    await api.client.terminateWorker();
    await scan();
  });

  async function setRun(run: string | undefined): Promise<void> {
    await vscode.workspace.getConfiguration('kindred').update('run', run, vscode.ConfigurationTarget.Global);
  }

  /** Writes all files again, one of them with a new text, so that the stored index cannot be reused. */
  /** Scans, and stops the scan in a phase. */
  async function stopAt(phase: (typeof phases)[number]): Promise<{ before: Snapshot | undefined; outcome: Outcome }> {
    await writeAnew();
    const running = api.scanner.scan();
    const isAtPhase = (): boolean => {
      const { state } = api.scanner;
      return state.type === 'scanning' && (state.progress?.phase ?? 'listing') === phase;
    };
    await until(phase, api.scanner.onDidChangeState, isAtPhase);
    const before = api.findings.snapshot;
    await vscode.commands.executeCommand('kindred.cancelScan');
    return { before, outcome: await running };
  }

  async function writeAnew(): Promise<void> {
    await writeManyFiles(uriOf('big').fsPath, manyFiles);
    await write('big/new.ts', `export const time = ${performance.now()};\n`);
  }

  function nextProgress(): Promise<void> {
    return new Promise((resolve) => {
      const subscription = api.client.onDidProgress(() => {
        subscription.dispose();
        resolve();
      });
    });
  }
});
