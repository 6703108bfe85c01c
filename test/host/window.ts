/** Window shared by the host's suites: its folder, the extension in it, and functions that wait. */
import assert from 'node:assert/strict';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Group } from '../../src/core/engine/report/report.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import { root } from '../../scripts/project.mjs';

/** Time limit of waits on a busy machine. */
export const waitMs = 500_000;

/** Returns the API of the active extension. */
export async function kindred(): Promise<Api> {
  const extension = vscode.extensions.getExtension<Api>('kindred.kindred');
  assert.ok(extension, 'VS Code does not list the extension');
  return extension.activate();
}

/** Returns the absolute path of the open folder. */
export function folder(): string {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first, 'no folder is open');
  return first.uri.fsPath;
}

export function uriOf(name: string): vscode.Uri {
  return vscode.Uri.file(path.join(folder(), name));
}

/** Writes a file in the folder and creates its parent folders. */
export async function write(name: string, text: string): Promise<void> {
  const file = path.join(folder(), name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

export async function remove(name: string): Promise<void> {
  // VS Code may be writing a file into it.
  await rm(path.join(folder(), name), { recursive: true, force: true, maxRetries: 5 });
}

/** Copies a fixture into the open folder, under its own name. */
export async function addFixture(name: string): Promise<void> {
  await cp(path.join(root, 'test', 'fixtures', name), path.join(folder(), name), { recursive: true });
}

/**
 * Scans until nothing supersedes the scan, neither a late event of the disk nor the window's first scan. Returns when
 * the findings are shown.
 */
export async function scan(): Promise<Api> {
  const api = await kindred();
  const { scanner } = api;
  let outcome = await scanner.scan();
  while (outcome.type === 'superseded') outcome = await scanner.scan();
  assert.equal(outcome.type, 'report', JSON.stringify(outcome));
  await until('the updates to end', scanner.onDidChangeState, () => scanner.state.type !== 'scanning');
  return api;
}

/** Returns the groups with a passage in a file. */
export function groupsIn({ findings }: Api, name: string): Group[] {
  return findings.groups.filter(({ passages }) => passages.some((passage) => passage.path === name));
}

/** Returns the paths of a group, in order. */
export function pathsOf({ passages }: Group): string[] {
  return passages.map((passage) => passage.path);
}

/** Waits until `holds` returns a value. Checks again whenever `event` fires. */
export async function until<Value>(
  what: string,
  event: vscode.Event<unknown>,
  holds: () => Value | undefined | false,
): Promise<Value> {
  const first = holds();
  if (first !== undefined && first !== false) return first;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(new Error(`Waited ${waitMs} ms in vain: ${what}.`));
    }, waitMs);
    const subscription = event(() => {
      const value = holds();
      if (value === undefined || value === false) return;
      clearTimeout(timer);
      subscription.dispose();
      resolve(value);
    });
  });
}

/** Polls until assertions hold, for conditions without an event. */
export async function eventually(assertions: () => void | Promise<void>): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (performance.now() - start > waitMs) throw error;
      await delay(100);
    }
  }
}

/**
 * Waits until VS Code has reported a file that is written and removed now. Its watcher starts with a delay and reports
 * changes in order, so that it has then also reported all earlier ones.
 */
export async function watcherIsUp(): Promise<void> {
  const probe = 'probe.tmp';
  // VS Code would watch a pattern without subfolders separately.
  const everything = new vscode.RelativePattern(vscode.Uri.file(folder()), '**');
  const watcher = vscode.workspace.createFileSystemWatcher(everything);
  const heard = (event: vscode.Event<vscode.Uri>): Promise<void> =>
    new Promise((resolve) => {
      event(({ path: file }) => {
        if (file.endsWith(`/${probe}`)) resolve();
      });
    });
  try {
    await repeated(() => write(probe, String(Date.now())), [heard(watcher.onDidCreate), heard(watcher.onDidChange)]);
    await repeated(() => remove(probe), [heard(watcher.onDidDelete)]);
  } finally {
    watcher.dispose();
  }
}

/** Repeats an action until one of these promises is fulfilled. */
async function repeated(act: () => Promise<void>, ends: readonly Promise<void>[]): Promise<void> {
  let isOver = false;
  const end = Promise.race(ends).then(() => (isOver = true));
  while (!isOver) {
    await act();
    await Promise.race([end, delay(250)]);
  }
}

/** Changes user settings while `action` runs. */
export async function withSettings(
  values: Readonly<Record<string, unknown>>,
  action: () => Promise<void>,
): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('kindred');
  const update = async (name: string, value: unknown): Promise<void> =>
    configuration.update(name, value, vscode.ConfigurationTarget.Global);
  for (const [name, value] of Object.entries(values)) await update(name, value);
  try {
    await action();
  } finally {
    for (const name of Object.keys(values)) await update(name, undefined);
  }
}

/**
 * Closes all editors without saving. Closing alone would ask about unsaved text, and the next test would find that text
 * instead of the file.
 */
export async function closeEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Waits for the page of Explain Match in front, and returns its Markdown. */
export async function explained(): Promise<string> {
  const uri = await until('the explanation', vscode.window.tabGroups.onDidChangeTabs, () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputCustom && input.uri.scheme === 'kindred-explain' && input.uri;
  });
  return (await vscode.workspace.openTextDocument(uri)).getText();
}

/** Closes a prompt, retrying until it appears. */
export function dismissed(running: Thenable<unknown>): Promise<void> {
  return repeatedWhile(running, 'workbench.action.closeQuickOpen');
}

/** Accepts the first item of each list that a command shows, and the text of each input box. */
export function accepted(running: Thenable<unknown>): Promise<void> {
  return repeatedWhile(running, 'workbench.action.acceptSelectedQuickOpenItem');
}

/** Repeats a command until another one has ended, because it has no effect before a prompt is shown. */
async function repeatedWhile(running: Thenable<unknown>, command: string): Promise<void> {
  let isOver = false;
  const ended = Promise.resolve(running).finally(() => (isOver = true));
  while (!isOver) {
    await vscode.commands.executeCommand(command);
    await Promise.race([ended, delay(50)]);
  }
}

/** A row of the references view: its content and its appearance. */
export interface FoundRow {
  readonly place: unknown;
  readonly item: vscode.TreeItem;
}

/** Returns the rows that a command shows in the references view. */
export async function rowsShown(act: () => Thenable<unknown>): Promise<FoundRow[]> {
  interface Input {
    resolve(): Promise<{ readonly provider: vscode.TreeDataProvider<unknown> } | undefined>;
  }
  const view = await vscode.extensions
    .getExtension<{ setInput: (this: void, input: Input) => unknown }>('vscode.references-view')!
    .activate();
  const { setInput } = view;
  let shown: Input | undefined;
  view.setInput = (input) => {
    shown = input;
    return setInput(input);
  };
  try {
    await act();
  } finally {
    view.setInput = setInput;
  }
  const provider = (await shown?.resolve())?.provider;
  const places = (await provider?.getChildren()) ?? [];
  return Promise.all(places.map(async (place) => ({ place, item: await provider!.getTreeItem(place) })));
}
