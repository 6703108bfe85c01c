/** What a scan that could not be done has to say, and what a person can do about it: the same in every view. */
import * as vscode from 'vscode';
import type { Words } from '../../client/engineClient.ts';
import type { Hidden } from '../../io/sources.ts';
import type { FilePlace, Scanner, ScanState } from './scanner.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import { asNotification } from '../markdown.ts';
import { baseName, fileAndFolderCount } from '../wording.ts';

export interface Trouble {
  readonly sentence: string;
  /** The first one is most likely to help. */
  readonly remedies: readonly vscode.Command[];
}

/** Undefined when there is none. */
export function troubleOf(state: ScanState): Trouble | undefined {
  switch (state.type) {
    case 'rejected':
      return {
        sentence: state.problems.join(' '),
        remedies: [state.place ? openPlace(state.place) : openSetting(state.problems[0] ?? '')],
      };
    case 'failed':
      return {
        sentence: state.message,
        remedies: [
          { title: vscode.l10n.t('Restart'), command: 'kindred.restart' },
          { title: vscode.l10n.t('Show Log'), command: 'kindred.showLog' },
        ],
      };
    case 'idle':
    case 'scanning':
      return undefined;
  }
}

/** One notice that a scan could not be done, with what can be done about it. Nothing when there is no trouble. */
export async function reportTrouble({ state }: Scanner): Promise<void> {
  const trouble = troubleOf(state);
  if (trouble === undefined) return;
  const { sentence, remedies } = trouble;
  const chosen = await vscode.window.showWarningMessage(
    asNotification(`Kindred: ${sentence}`),
    ...remedies.map(({ title }) => title),
  );
  const remedy = remedies.find(({ title }) => title === chosen);
  if (remedy) await vscode.commands.executeCommand(remedy.command, ...((remedy.arguments ?? []) as unknown[]));
}

/** As `troubleOf`, for the view that is empty: also of a scan that had nothing to compare, since something hides all files. */
export function troubleOfView(state: ScanState, snapshot: Snapshot | undefined): Trouble | undefined {
  return troubleOf(state) ?? (snapshot?.findings.complete === true ? hidingIn(snapshot) : undefined);
}

/** What hides all files, and the setting that decides about most of them. */
function hidingIn({ hidden }: Snapshot): Trouble | undefined {
  const [most, ...others] = hidden;
  if (most === undefined) return undefined;
  const count = (kind: 'files' | 'folders'): number => hidden.reduce((sum, it) => sum + it[kind], 0);
  const what = fileAndFolderCount(count('files'), count('folders'));
  const by = most.by === 'rules' ? most.source : `kindred.${settingNames[most.by]}`;
  const all = others.length === 0 ? by : vscode.l10n.t('{0} and others', by);
  const sentence =
    most.by === 'rules'
      ? vscode.l10n.t(
          'There are no files to compare: {0} excluded by {1}. To include them, turn off kindred.useGitignore.',
          what,
          all,
        )
      : vscode.l10n.t('There are no files to compare: {0} excluded by {1}.', what, all);
  return { sentence, remedies: [openSetting(settingNames[most.by])] };
}

const settingNames: Readonly<Record<Hidden['by'], string>> = {
  rules: 'useGitignore',
  include: 'include',
  exclude: 'exclude',
};

function openPlace({ uri, line }: FilePlace): vscode.Command {
  const at = new vscode.Position((line ?? 1) - 1, 0);
  return {
    title: vscode.l10n.t('Open {0}', baseName(uri.path)),
    command: 'vscode.open',
    arguments: [uri, { selection: new vscode.Range(at, at) } satisfies vscode.TextDocumentShowOptions],
  };
}

/** The setting that a sentence begins with ("prose.minWords must be …"), else all of ours. */
export function openSetting(sentence: string): vscode.Command {
  const [name = ''] = /^[\w.]+/.exec(sentence) ?? [];
  const names = [name, name.replace(/\..*/, '')];
  const known = names.find(
    (it) => vscode.workspace.getConfiguration('kindred').inspect(it)?.defaultValue !== undefined,
  );
  return {
    title: vscode.l10n.t('Open Settings'),
    command: 'workbench.action.openSettings',
    arguments: [known === undefined ? '@ext:kindred.kindred' : `@id:kindred.${known}`],
  };
}

/** What the worker's client says to people. */
export function clientWords(): Words {
  return {
    stopped: vscode.l10n.t('The scanner stopped unexpectedly.'),
    stoppedOften: (times) => vscode.l10n.t('The scanner stopped unexpectedly {0} times.', times),
    translations: vscode.l10n.bundle,
  };
}
