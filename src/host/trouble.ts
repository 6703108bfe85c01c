/** What a scan that could not be done has to say, and what a person can do about it: the same in every view. */
import * as vscode from 'vscode';
import type { ScanState } from './scanner.ts';
import { baseName } from './wording.ts';

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

/** A line of a file. */
export interface FilePlace {
  readonly uri: vscode.Uri;
  /** From 1; undefined when it is about the whole file. */
  readonly line: number | undefined;
}

function openPlace({ uri, line }: FilePlace): vscode.Command {
  const at = new vscode.Position((line ?? 1) - 1, 0);
  return {
    title: vscode.l10n.t('Open {0}', baseName(uri.path)),
    command: 'vscode.open',
    arguments: [uri, { selection: new vscode.Range(at, at) } satisfies vscode.TextDocumentShowOptions],
  };
}

/** The setting that a sentence begins with ("prose.minWords must be …"), else all of ours. */
function openSetting(sentence: string): vscode.Command {
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
