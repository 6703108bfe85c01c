/** What the light bulb offers on a diagnostic of ours. Nothing changes a file, so none is preferred. */
import * as vscode from 'vscode';
import { type Diagnostics, diagnosticSource } from './diagnostics.ts';
import { type FindingsModel, siblingsOf } from '../findings/findings.ts';
import type { Row } from '../tree/rows.ts';
import type { Copy } from '../findings/snapshot.ts';
import { placeBeside } from '../wording.ts';

export function registerCodeActions(diagnostics: Diagnostics, findings: FindingsModel): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: (_document, _range, context) =>
      context.diagnostics
        .filter(({ source }) => source === diagnosticSource)
        .flatMap((diagnostic) => {
          const copy = diagnostics.copyOf(diagnostic);
          return copy ? actions(copy, diagnostic, findings) : [];
        }),
  };
  return vscode.languages.registerCodeActionsProvider('*', provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

function actions(copy: Copy, diagnostic: vscode.Diagnostic, findings: FindingsModel): vscode.CodeAction[] {
  const { group } = copy;
  const closest = siblingsOf(copy)[0]!;
  const there = placeBeside(findings.now(closest.passage), findings.now(copy.passage));
  const rows = [copy.place, closest.place].map((place): Row => ({
    type: 'copy',
    group,
    place,
    passage: group.passages[place]!,
  }));
  return [
    action(vscode.l10n.t('Compare with {0}', there), 'kindred.compareSelected', [rows[0], rows]),
    action(vscode.l10n.t('Explain match with {0}', there), 'kindred.explainMatch', [rows[0], rows]),
    action(vscode.l10n.t('Go to copy {0}', there), 'kindred.openCopy', [rows[1]]),
    action(vscode.l10n.t('Show in Duplicates view'), 'kindred.showInView', [rows[0]]),
  ];

  function action(title: string, command: string, args: unknown[]): vscode.CodeAction {
    const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    made.diagnostics = [diagnostic];
    made.command = { title, command, arguments: args };
    return made;
  }
}
