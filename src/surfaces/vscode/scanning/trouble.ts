/** Describes why a scan failed, and commands that may solve the problem, in the same words for all views. */
import * as vscode from 'vscode';
import type { Words } from '../../../session/client/engineClient.ts';
import type { HiddenFiles } from '../../../scan/io/sources.ts';
import type { FilePlace, Scanner, ScanState } from './scanner.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import { asNotification } from '../markdown.ts';
import { baseName, fileAndFolderCount } from '../wording.ts';

export interface Trouble {
  readonly sentence: string;
  /** Commands that may solve the problem, most promising first. */
  readonly remedies: readonly vscode.Command[];
}

/** Returns the problem in the scanner's state; `undefined` if there is none. */
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

/** If the scan has failed, shows a notification with commands that may help as buttons. */
export async function reportTrouble({ state }: Scanner): Promise<void> {
  const trouble = troubleOf(state);
  if (trouble === undefined) return;
  const { sentence, remedies } = trouble;
  const button = await vscode.window.showWarningMessage(
    asNotification(`Kindred: ${sentence}`),
    ...remedies.map(({ title }) => title),
  );
  const remedy = remedies.find(({ title }) => title === button);
  if (remedy) await vscode.commands.executeCommand(remedy.command, ...((remedy.arguments ?? []) as unknown[]));
}

/**
 * Returns the problem to show in an empty view. Unlike `troubleOf`, also covers a scan that found no files because all
 * are hidden.
 */
export function troubleOfView(state: ScanState, snapshot: Snapshot | undefined): Trouble | undefined {
  return troubleOf(state) ?? (snapshot?.findings.complete === true ? hidingIn(snapshot) : undefined);
}

/** If rules hide all files, returns this problem, with the setting that would include most files. */
function hidingIn({ hidden }: Snapshot): Trouble | undefined {
  const [first, ...others] = hidden;
  if (first === undefined) return undefined;
  const count = (kind: 'files' | 'folders'): number => hidden.reduce((sum, it) => sum + it[kind], 0);
  const what = fileAndFolderCount(count('files'), count('folders'));
  const by = first.by === 'rules' ? first.source : `kindred.${settingNames[first.by]}`;
  const all = others.length === 0 ? by : vscode.l10n.t('{0} and others', by);
  const sentence =
    first.by === 'rules'
      ? vscode.l10n.t(
          'There are no files to compare: {0} excluded by {1}. To include them, turn off kindred.gitignore.',
          what,
          all,
        )
      : vscode.l10n.t('There are no files to compare: {0} excluded by {1}.', what, all);
  return { sentence, remedies: [openSetting(settingNames[first.by])] };
}

const settingNames: Readonly<Record<HiddenFiles['by'], string>> = {
  rules: 'gitignore',
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

/**
 * Returns a command that opens the setting with which a message begins ("prose.minWords must be …"). If it begins with
 * none, the command opens all settings of Kindred.
 */
export function openSetting(sentence: string): vscode.Command {
  const [name = ''] = /^[\w.]+/.exec(sentence) ?? [];
  const names = [name, name.replace(/\..*/, '')];
  const settingName = names.find(
    (it) => vscode.workspace.getConfiguration('kindred').inspect(it)?.defaultValue !== undefined,
  );
  return {
    title: vscode.l10n.t('Open Settings'),
    command: 'workbench.action.openSettings',
    arguments: [settingName === undefined ? '@ext:kindred.kindred' : `@id:kindred.${settingName}`],
  };
}

/** Returns the translated messages that the client of the worker uses. */
export function clientWords(): Words {
  return {
    stopped: vscode.l10n.t('The scanner stopped unexpectedly.'),
    stoppedOften: (times) => vscode.l10n.t('The scanner stopped unexpectedly {0} times.', times),
    translations: vscode.l10n.bundle,
  };
}
