/** Shared by suites with long histories: waiting until everything settles, and the shown state. */
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import type { Group, Totals } from '../../src/core/engine/report/report.ts';
import { lineOfOwn } from '../engine/histories.ts';
import { closeEditors, until, watcherIsUp, write } from './window.ts';

/** Settings that change the findings, and another value of each. */
export const settings: readonly (readonly [string, unknown])[] = [
  ['maxDistance', 6],
  ['minTokens', 30],
  ['readComments', 'asText'],
  ['exclude', ['**/c/**']],
  ['method', 'combined'],
];

/** Sets the required settings before such suites, and restores them afterwards. */
export function setUpHistories(): void {
  suiteSetup(watcherIsUp);
  suiteTeardown(async () => {
    for (const [name] of settings) await configure(`kindred.${name}`, undefined);
    await closeAll();
  });
}

/** Waits until no changes are pending. VS Code reports written files last. */
export async function rest(api: Api): Promise<void> {
  const last = ['a', 'b'].map((name) => `history/last/${performance.now()}${name}.ts`);
  for (const name of last) await write(name, Array.from({ length: 20 }, (_, n) => lineOfOwn(n + 100)).join('\n'));
  const areCopies = ({ passages }: Group): boolean =>
    last.every((name) => passages.some((passage) => passage.path === name));
  await until('the last copies', api.findings.onDidChange, () => api.findings.groups.some(areCopies));
  await untilIdle(api);
  // It does not report all of them (src/session/client/diskPolling.ts).
  await api.scanner.poll();
  await untilIdle(api);
}

/** Waits until nothing has happened for 1.2 s. Changes are scanned after 400 quiet ms (session/client/follower.ts). */
async function untilIdle({ scanner }: Api): Promise<void> {
  for (let quiet = 0; quiet < 12; quiet++) {
    await setTimeout(100);
    if (scanner.state.type !== 'idle' || scanner.isBehind) quiet = 0;
  }
}

/** Returns the state shown in the views. */
export function shown({ findings }: Api): { readonly totals: Totals | undefined; readonly groups: readonly Group[] } {
  return { totals: findings.snapshot?.findings.totals, groups: findings.groups };
}

/** Sets a user setting, or removes it if the value is undefined. */
export async function configure(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}

/** Closes all editors without saving. */
export async function closeAll(): Promise<void> {
  for (let editor = vscode.window.activeTextEditor; editor; editor = vscode.window.activeTextEditor) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await closeEditors();
}
