/** The findings follow the user: unsaved edits, changes on disk, and crashes of the worker. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { root } from '../../scripts/project.mjs';
import { EngineClient } from '../../src/session/client/engineClient.ts';
import { nodeWorker } from '../../src/session/client/nodeWorker.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import { fileSystem } from '../../src/surfaces/vscode/workspace/fileSystem.ts';
import { FindingsModel } from '../../src/surfaces/vscode/findings/findings.ts';
import { clientWords } from '../../src/surfaces/vscode/scanning/trouble.ts';
import { Scanner } from '../../src/surfaces/vscode/scanning/scanner.ts';
import {
  closeEditors,
  eventually,
  groupsIn,
  pathsOf,
  remove,
  scan,
  until,
  uriOf,
  watcherIsUp,
  withSettings,
  write,
} from './window.ts';

const copied = `
export function mooringPlan(vessels: readonly Vessel[], quays: Map<string, Quay>): Plan {
  const plan: Plan = { berths: [], waiting: [] };
  const byDraught = [...vessels].sort((left, right) => right.draught - left.draught);
  for (const vessel of byDraught) {
    const quay = [...quays.values()].find(({ depth, free }) => free >= vessel.length && depth > vessel.draught + 1.5);
    if (quay === undefined) {
      plan.waiting.push({ vessel, since: Date.now(), reason: 'no quay is deep enough' });
      continue;
    }
    quay.free -= vessel.length;
    plan.berths.push({ quay: quay.name, vessel, lines: Math.ceil(vessel.length / 40) });
    if (quay.free < 12) quays.delete(quay.name);
  }
  return plan.waiting.length > vessels.length / 2 ? { ...plan, berths: [] } : plan;
}
`;
const other = 'export const unrelated = 1;\n';

suite('findings follow', () => {
  let api: Api;

  suiteSetup(async () => {
    await watcherIsUp();
    // Git is used without VS Code here.
    await configure({ 'git.enabled': false });
  });
  suiteTeardown(() => configure({ 'git.enabled': undefined }));

  setup(async () => {
    await write('live/a.ts', copied);
    await write('live/b.ts', other);
    api = await scan();
    assert.deepEqual(groupsIn(api, 'live/a.ts'), []);
  });

  teardown(async () => {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.isDirty) await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await closeEditors();
    await remove('live');
  });

  test('a pasted function that is deleted again, without saving', async () => {
    const document = await open('live/b.ts');
    await paste(document);
    await found(['live/a.ts', 'live/b.ts']);
    assert.equal(document.isDirty, true);
    await until(
      'a diagnostic',
      vscode.languages.onDidChangeDiagnostics,
      () => diagnosticsOf(document.uri).length === 1,
    );
    const [{ range }] = diagnosticsOf(document.uri);
    assert.equal(document.lineAt(range.start.line).text, copied.split('\n')[1]);
    const rows = api.tree
      .getChildren({ type: 'section', name: 'source' })
      .filter((row) => 'group' in row && pathsOf(row.group).includes('live/b.ts'));
    assert.equal(rows.length, 1);
    const [group] = groupsIn(api, 'live/b.ts');
    const item = await api.tree.getTreeItem({ type: 'group', group });
    assert.match(item.label as string, /^mooringPlan · 2 copies · \d+ lines · 100% · /);

    await replaceAll(document, other);
    await until('the group to go', api.findings.onDidChange, () => groupsIn(api, 'live/b.ts').length === 0);
    await until(
      'no diagnostic',
      vscode.languages.onDidChangeDiagnostics,
      () => diagnosticsOf(document.uri).length === 0,
    );
    assert.equal(
      api.tree
        .getChildren({ type: 'section', name: 'source' })
        .filter((row) => 'group' in row && pathsOf(row.group).includes('live/a.ts')).length,
      0,
    );
  });

  test('lines inserted or deleted at once do not wait for a pause in typing, a keystroke does', async () => {
    const document = await open('live/b.ts');
    await quiet();
    // In a document without changes.
    assert.equal(await isFollowedSoon(() => paste(document)), true);
    await found(['live/a.ts', 'live/b.ts']);
    await quiet();
    assert.equal(await isFollowedSoon(() => append(document, 'x')), false);
    await quiet();
    // A line break between brackets, and a snippet.
    assert.equal(await isFollowedSoon(() => append(document, '{\n  x();\n}\n')), false);
    await quiet();
    assert.equal(await isFollowedSoon(() => replaceAll(document, other)), true);
    await until('the group to go', api.findings.onDidChange, () => groupsIn(api, 'live/b.ts').length === 0);
    await quiet();
    assert.equal(await isFollowedSoon(() => vscode.commands.executeCommand('undo')), true);
    await found(['live/a.ts', 'live/b.ts']);
  });

  test('typing after a paste, with the longer pause', async () => {
    const document = await open('live/b.ts');
    // Both are requested at once, so that VS Code applies them one immediately after the other.
    const pasteAndType = async (): Promise<void> => {
      await vscode.commands.executeCommand('cursorBottom');
      await Promise.all([
        vscode.commands.executeCommand('paste', { text: copied }),
        vscode.commands.executeCommand('type', { text: 'x' }),
      ]);
    };
    await quiet();
    // On a busy machine, VS Code may apply the second edit after the paste was followed.
    while (await isFollowedSoon(pasteAndType)) {
      await replaceAll(document, other);
      await until('the group to go', api.findings.onDidChange, () => groupsIn(api, 'live/b.ts').length === 0);
      await quiet();
    }
    await found(['live/a.ts', 'live/b.ts']);
  });

  test('changes of the other copy, and lines that move', async () => {
    await write('live/b.ts', copied);
    await found(['live/a.ts', 'live/b.ts']);
    const document = await open('live/a.ts');
    await replaceAll(
      document,
      `// moved\n\n${copied.replace("'no quay is deep enough'", 'reasons.get(vessel.flag) ?? `none at ${Date.now()}`')}`,
    );
    const group = await until('the edited copy', api.findings.onDidChange, () => {
      const [edited] = groupsIn(api, 'live/a.ts');
      return edited?.type === 'near' && edited;
    });
    assert.deepEqual(
      group.passages.map(({ startLine }) => startLine),
      [4, 2],
    );
  });

  test('a document that was never saved, and one outside the folders', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'kindred-outside-'));
    try {
      const untitled = await vscode.workspace.openTextDocument({ language: 'typescript', content: copied });
      await vscode.window.showTextDocument(untitled, { preview: false });
      const [group] = await until('the untitled copy', api.findings.onDidChange, () => {
        const groups = groupsIn(api, 'live/a.ts');
        return groups.length === 1 && groups;
      });
      const path1 = pathsOf(group).find((name) => name !== 'live/a.ts')!;
      assert.match(path1, /^untitled:.*\.ts$/);
      const passage = group.passages.find((it) => it.path === path1)!;
      assert.equal(api.findings.uriOf(passage).toString(), untitled.uri.toString());
      await vscode.languages.setTextDocumentLanguage(untitled, 'javascript');
      await until('the copy under its other name', api.findings.onDidChange, () =>
        groupsIn(api, 'live/a.ts').some((group) => pathsOf(group).some((name) => /^untitled:.*\.js$/.test(name))),
      );

      await writeFile(path.join(outside, 'c.ts'), copied);
      await vscode.window.showTextDocument(vscode.Uri.file(path.join(outside, 'c.ts')), { preview: false });
      await until(
        'the copy outside',
        api.findings.onDidChange,
        () => groupsIn(api, 'live/a.ts')[0]?.passages.length === 3,
      );
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until('it to go', api.findings.onDidChange, () => groupsIn(api, 'live/a.ts')[0]?.passages.length === 2);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  test('files in folders that VS Code does not watch', async () => {
    // Like files that are created together with their folder on Linux (microsoft/vscode#142694).
    await configure({ 'files.watcherExclude': { '**/unwatched/**': true } });
    try {
      await watcherIsUp();
      await write('live/unwatched/c.ts', copied);
      await found(['live/a.ts', 'live/unwatched/c.ts']);
      await write('live/unwatched/c.ts', other);
      await until('the copy to go', api.findings.onDidChange, () => groupsIn(api, 'live/a.ts').length === 0);
    } finally {
      await configure({ 'files.watcherExclude': undefined });
      await watcherIsUp();
    }
  });

  test('a file that is renamed, in the editor and on disk', async () => {
    await write('live/b.ts', copied);
    await found(['live/a.ts', 'live/b.ts']);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(uriOf('live/b.ts'), uriOf('live/c.ts'));
    await vscode.workspace.applyEdit(edit);
    await found(['live/a.ts', 'live/c.ts']);
    await mkdir(uriOf('live/inner').fsPath);
    await rename(uriOf('live/c.ts').fsPath, uriOf('live/inner/d.ts').fsPath);
    await found(['live/a.ts', 'live/inner/d.ts']);
    // When a folder is moved, VS Code reports only the folder.
    await rename(uriOf('live/inner').fsPath, uriOf('live/outer').fsPath);
    await found(['live/a.ts', 'live/outer/d.ts']);
  });

  test('a switched branch', async () => {
    const git = (...gitArguments: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...gitArguments], {
        cwd: uriOf('live').fsPath,
      });
    const count = 300;
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'One');
    git('checkout', '-q', '-b', 'copies');
    for (let i = 0; i < count; i++) await write(`live/copies/copy${i}.ts`, `export const own${i} = ${i};\n${copied}`);
    git('add', '.');
    git('commit', '-q', '-m', 'Two');
    await until(
      'all copies',
      api.findings.onDidChange,
      () => groupsIn(api, 'live/a.ts')[0]?.passages.length === count + 1,
    );
    git('checkout', '-q', 'main');
    await until('none', api.findings.onDidChange, () => groupsIn(api, 'live/a.ts').length === 0);
    git('checkout', '-q', 'copies');
    await until(
      'all again',
      api.findings.onDidChange,
      () => groupsIn(api, 'live/a.ts')[0]?.passages.length === count + 1,
    );
  });

  test('ignored groups immediately', async () => {
    await write('live/b.ts', copied);
    await found(['live/a.ts', 'live/b.ts']);
    await write('live/.gitignore', 'b.ts\n');
    await until('it to go', api.findings.onDidChange, () => groupsIn(api, 'live/a.ts').length === 0);
    await remove('live/.gitignore');
    await found(['live/a.ts', 'live/b.ts']);
  });

  test('another k', async () => {
    const { generation } = api.findings.snapshot!;
    let between = 0;
    await withSettings({ maxDistance: 6 }, async () => {
      await until('newer findings', api.findings.onDidChange, () => api.findings.snapshot!.generation > generation);
      between = api.findings.snapshot!.generation;
    });
    await until('those of before', api.findings.onDidChange, () => api.findings.snapshot!.generation > between);
  });

  test('only saved text, or nothing at all, depending on the settings', async () => {
    const document = await open('live/b.ts');
    // Later disk events would include the unsaved text.
    await quiet();
    await withSettings({ run: 'onSave' }, async () => {
      await paste(document);
      assert.equal(api.scanner.isBehind, false);
      assert.deepEqual(groupsIn(api, 'live/b.ts'), []);
      await document.save();
      await found(['live/a.ts', 'live/b.ts']);
    });
    await withSettings({ run: 'manual' }, async () => {
      await write('live/c.ts', copied);
      await replaceAll(document, other);
      await document.save();
      assert.equal(api.scanner.isBehind, false);
      assert.deepEqual(groupsIn(api, 'live/a.ts').map(pathsOf), [['live/a.ts', 'live/b.ts']]);
      await scan();
      assert.deepEqual(groupsIn(api, 'live/a.ts').map(pathsOf), [['live/a.ts', 'live/c.ts']]);
    });
  });

  test('unsaved text after a crash of the worker', async () => {
    await paste(await open('live/b.ts'));
    await found(['live/a.ts', 'live/b.ts']);
    await api.client.terminateWorker();
    await write('live/c.ts', copied);
    await found(['live/a.ts', 'live/b.ts', 'live/c.ts']);
  });

  test('a folder that is added to the workspace and removed', async () => {
    const added = await mkdtemp(path.join(tmpdir(), 'kindred-added-'));
    try {
      await writeFile(path.join(added, 'b.ts'), copied);
      const [{ name }] = vscode.workspace.workspaceFolders!;
      vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(added), name: 'added' });
      await found([`${name}/live/a.ts`, 'added/b.ts'].sort());
      await writeFile(path.join(added, 'c.ts'), copied);
      await found([`${name}/live/a.ts`, 'added/b.ts', 'added/c.ts'].sort());
      vscode.workspace.updateWorkspaceFolders(1, 1);
      await until(
        'one folder',
        api.findings.onDidChange,
        () => api.findings.snapshot!.findings.totals.files > 0 && groupsIn(api, 'added/b.ts').length === 0,
      );
    } finally {
      await rm(added, { recursive: true });
    }
  });

  suite('findings from one window to the next', () => {
    test('are shown before any file is read', async () => {
      await settledCopies();
      const window = openWindow();
      try {
        const recalled = until(
          'findings of the last time',
          window.findings.onDidChange,
          () => window.findings.snapshot,
        );
        const outcome = window.scanner.scan();
        assert.deepEqual((await recalled).findings.groups, api.findings.groups);
        assert.equal((await outcome).type, 'unchanged');
        assert.deepEqual(window.findings.groups, api.findings.groups);
      } finally {
        window.dispose();
      }
    });

    test('are complete with a truncated store, only later', async () => {
      await settledCopies();
      for (const name of await readdir(api.storage!.fsPath))
        await truncate(path.join(api.storage!.fsPath, name), 1_000);
      const window = openWindow();
      try {
        const outcome = await window.scanner.scan();
        assert.equal(outcome.type, 'report');
        assert.deepEqual(window.findings.groups, api.findings.groups);
      } finally {
        window.dispose();
      }
    });

    /** Writes copies that are old enough to be considered settled, and waits until their findings are stored. */
    async function settledCopies(): Promise<void> {
      const started = Date.now();
      await write('live/b.ts', copied);
      for (const name of ['a.ts', 'b.ts']) await utimes(uriOf(`live/${name}`).fsPath, 1_700_000_000, 1_700_000_000);
      await found(['live/a.ts', 'live/b.ts']);
      await stored(started);
    }

    /** Waits until the worker has written findings after a time, and these include the copies. */
    async function stored(since: number): Promise<void> {
      const file = path.join(api.storage!.fsPath, 'index.findings');
      await eventually(async () => {
        assert.ok((await stat(file)).mtimeMs >= since);
        assert.ok((await readFile(file)).includes('live/b.ts'));
      });
    }

    /** Returns the parts of a newly opened window, with their own worker and the same storage. */
    function openWindow(): { findings: FindingsModel; scanner: Scanner; dispose: () => void } {
      const client = new EngineClient(
        nodeWorker(path.join(root, 'dist', 'worker.js')),
        api.log,
        fileSystem,
        clientWords(),
      );
      const findings = new FindingsModel();
      const scanner = new Scanner(client, findings, api.log, api.storage, api.own);
      return { findings, scanner, dispose: () => void vscode.Disposable.from(scanner, client, findings).dispose() };
    }
  });

  /** Waits until all changes on disk have been reported, nothing runs, and no update is pending. */
  async function quiet(): Promise<void> {
    await watcherIsUp();
    await until(
      'the updates to end',
      api.scanner.onDidChangeState,
      () => api.scanner.state.type === 'idle' && !api.scanner.isBehind,
    );
  }

  /**
   * True if an update begins within 300 ms of the last edit: between the pauses after a paste and after a keystroke
   * (session/client/follower.ts). The timers are on one thread and fire in order, however busy the machine is.
   */
  async function isFollowedSoon(act: () => Thenable<unknown>): Promise<boolean> {
    let edits = 0;
    const subscriptions: vscode.Disposable[] = [];
    const soon = new Promise<boolean>((resolve) => {
      subscriptions.push(
        api.scanner.onDidChangeState(() => {
          if (api.scanner.state.type === 'scanning') resolve(true);
        }),
        vscode.workspace.onDidChangeTextDocument(({ contentChanges }) => {
          if (contentChanges.length === 0) return;
          const edit = ++edits;
          void setTimeout(300).then(() => {
            if (edit === edits) resolve(false);
          });
        }),
      );
    });
    await act();
    return soon.finally(() => {
      vscode.Disposable.from(...subscriptions).dispose();
    });
  }

  /** Waits until the copies are found in exactly these files. */
  async function found(paths: readonly string[]): Promise<void> {
    await until(`copies in ${paths.join(', ')}`, api.findings.onDidChange, () => {
      const groups = groupsIn(api, paths[0]);
      return groups.length === 1 && pathsOf(groups[0]).join() === paths.join();
    });
  }
});

async function configure(values: Readonly<Record<string, unknown>>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  for (const [name, value] of Object.entries(values)) {
    await configuration.update(name, value, vscode.ConfigurationTarget.Global);
  }
}

async function open(name: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uriOf(name));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

/** Appends a text. */
async function append(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, document.lineAt(document.lineCount - 1).range.end, text);
  await vscode.workspace.applyEdit(edit);
}

/** Appends the copied function. */
async function paste(document: vscode.TextDocument): Promise<void> {
  await append(document, copied);
}

async function replaceAll(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
}

function diagnosticsOf(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'kindred');
}
