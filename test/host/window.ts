/** The window that the host's suites share: its folder, the extension in it, and waiting for what happens. */
import assert from 'node:assert/strict';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Group } from '../../src/engine/report/report.ts';
import type { Api } from '../../src/host/extension.ts';
import { root } from '../../scripts/project.mjs';

/** Time limit of waits on a busy machine. */
const waitMs = 30_000;

/** The extension, active. */
export async function kindred(): Promise<Api> {
  const extension = vscode.extensions.getExtension<Api>('kindred.kindred');
  assert.ok(extension, 'VS Code does not list the extension');
  return extension.activate();
}

/** The folder that is open: absolute. */
export function folder(): string {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first, 'no folder is open');
  return first.uri.fsPath;
}

export function uriOf(name: string): vscode.Uri {
  return vscode.Uri.file(path.join(folder(), name));
}

/** Writes a file into the folder, and the folders above it. */
export async function write(name: string, text: string): Promise<void> {
  const file = path.join(folder(), name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

export async function remove(name: string): Promise<void> {
  // VS Code may be writing a file into it.
  await rm(path.join(folder(), name), { recursive: true, force: true, maxRetries: 5 });
}

/** Copies a fixture into the open folder, under its name. */
export async function addFixture(name: string): Promise<void> {
  await cp(path.join(root, 'test', 'fixtures', name), path.join(folder(), name), { recursive: true });
}

/** Scans, and returns when the findings are there. */
export async function scan(): Promise<Api> {
  const api = await kindred();
  const outcome = await api.scanner.scan();
  assert.equal(outcome.type, 'report', JSON.stringify(outcome));
  return api;
}

/** Scans until nothing overtakes it: neither a file that was written meanwhile, nor the scan that the window begins with. */
export async function settled(): Promise<Api> {
  for (let attempts = 0; ; attempts++) {
    try {
      return await scan();
    } catch (error) {
      if (attempts === 9) throw error;
    }
  }
}

/** The groups that have a passage in a file. */
export function groupsIn({ findings }: Api, name: string): Group[] {
  return findings.groups.filter(({ passages }) => passages.some((passage) => passage.path === name));
}

/** The paths of a group, in order. */
export function pathsOf({ passages }: Group): string[] {
  return passages.map((passage) => passage.path);
}

/** Waits until `holds` returns something, asking again whenever `event` fires. */
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

/** Waits until VS Code tells of files that are written: its watcher starts a while after it is asked for. */
export async function watcherIsUp(): Promise<void> {
  const pattern = new vscode.RelativePattern(vscode.Uri.file(folder()), '**');
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  let probes = 0;
  const writing = setInterval(() => void write('probe.tmp', String(probes++)), 250);
  try {
    await until('VS Code to watch the folder', any(watcher.onDidCreate, watcher.onDidChange), () => probes > 0);
  } finally {
    clearInterval(writing);
    watcher.dispose();
    await remove('probe.tmp');
  }
}

function any<Value>(...events: readonly vscode.Event<Value>[]): vscode.Event<Value> {
  return (listener) => vscode.Disposable.from(...events.map((event) => event(listener)));
}

/** Changes user settings for the time of `action`. */
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

export async function closeEditors(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Closes what asks, again and again until it is there. */
export async function dismissed(running: Thenable<unknown>): Promise<void> {
  let isOver = false;
  const ended = Promise.resolve(running).finally(() => (isOver = true));
  while (!isOver) {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
}

/** A row of the view of references: what it is of, and how it looks. */
export interface FoundRow {
  readonly place: unknown;
  readonly item: vscode.TreeItem;
}

/** The rows that a command shows in the view of references. */
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
