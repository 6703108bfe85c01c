/**
 * Provides code actions for Kindred's diagnostics and, on request, for copies without diagnostics. None is marked as
 * preferred, because VS Code could then apply it automatically.
 */
import * as vscode from 'vscode';
import type { Copy } from '../../../session/client/report.ts';
import type { DiagnosticSettings } from '../settings.ts';
import { type ActionNeeds, copyActions, offersExtract } from './copyActions.ts';
import { type Diagnostics, diagnosticSource } from './diagnostics.ts';
import { markedAt } from './markedCopies.ts';

export function registerCodeActions(...actionInputs: Parameters<typeof copyCodeActions>): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider('*', copyCodeActions(...actionInputs), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

export function copyCodeActions(
  diagnostics: Pick<Diagnostics, 'copyOf'>,
  needs: ActionNeeds,
  readSettings: () => DiagnosticSettings,
): vscode.CodeActionProvider {
  const { findings } = needs;
  return {
    async provideCodeActions({ uri }, range, context) {
      const marks = context.diagnostics.filter(({ source }) => source === diagnosticSource);
      const found = marks.flatMap((diagnostic) => {
        const copy = diagnostics.copyOf(diagnostic);
        return copy ? [{ copy, diagnostic }] : [];
      });
      // Otherwise, every line of a copy would have a light bulb, which would hide the light bulbs of other extensions.
      const isAskedFor = context.triggerKind === vscode.CodeActionTriggerKind.Invoke;
      const here =
        found.length === 0 && isAskedFor ? markedAt(findings, uri, range.start.line, readSettings()) : undefined;
      const all = here ? [{ copy: here, diagnostic: undefined }] : found;
      const offered = all.map(async ({ copy, diagnostic }) => {
        // A light bulb may be requested at each move of the cursor, so do not query other extensions for it.
        const isExtractable = isAskedFor && (await offersExtract(uri, copy, findings));
        return actions(copy, diagnostic, isExtractable);
      });
      return (await Promise.all(offered)).flat();
    },
  };

  async function actions(
    copy: Copy,
    diagnostic: vscode.Diagnostic | undefined,
    isExtractable: boolean,
  ): Promise<vscode.CodeAction[]> {
    return (await copyActions(copy, needs, isExtractable)).map(({ title, command, arguments: commandArguments }) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      if (diagnostic) action.diagnostics = [diagnostic];
      action.command = { title, command, arguments: [...commandArguments] };
      return action;
    });
  }
}
