/**
 * Code actions on Kindred's diagnostics, and in copies on request. None is preferred, because nothing may be applied
 * automatically.
 */
import * as vscode from 'vscode';
import type { Canonicals } from '../findings/canonicals.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Copy } from '../../../session/client/report.ts';
import type { DiagnosticSettings } from '../settings.ts';
import { copyActions } from './copyActions.ts';
import { type Diagnostics, diagnosticSource } from './diagnostics.ts';
import { markedAt } from './marks.ts';

export function registerCodeActions(
  diagnostics: Diagnostics,
  findings: FindingsModel,
  canonicals: Canonicals,
  readSettings: () => DiagnosticSettings,
): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions({ uri }, range, context) {
      const marks = context.diagnostics.filter(({ source }) => source === diagnosticSource);
      const found = marks.flatMap((diagnostic) => {
        const copy = diagnostics.copyOf(diagnostic);
        return copy ? actions(copy, diagnostic) : [];
      });
      // A light bulb on every line of a copy would hide those of others.
      const isAskedFor = context.triggerKind === vscode.CodeActionTriggerKind.Invoke;
      if (found.length > 0 || !isAskedFor) return found;
      const copy = markedAt(findings, uri, range.start.line, readSettings());
      return copy ? actions(copy, undefined) : [];
    },
  };
  return vscode.languages.registerCodeActionsProvider('*', provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });

  function actions(copy: Copy, diagnostic: vscode.Diagnostic | undefined): vscode.CodeAction[] {
    return copyActions(copy, findings, canonicals).map(({ title, command, arguments: given }) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      if (diagnostic) action.diagnostics = [diagnostic];
      action.command = { title, command, arguments: [...given] };
      return action;
    });
  }
}
