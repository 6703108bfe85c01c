/**
 * Provides code actions for Kindred's diagnostics and, on request, for copies without diagnostics. None is marked as
 * preferred, because VS Code could then apply it automatically.
 */
import * as vscode from 'vscode';
import type { Copy } from '../../../session/client/report.ts';
import type { DiagnosticSettings } from '../settings.ts';
import { type ActionNeeds, copyActions } from './copyActions.ts';
import { type Diagnostics, diagnosticSource } from './diagnostics.ts';
import { markedAt } from './markedCopies.ts';

export function registerCodeActions(
  diagnostics: Diagnostics,
  needs: ActionNeeds,
  readSettings: () => DiagnosticSettings,
): vscode.Disposable {
  const { findings } = needs;
  const provider: vscode.CodeActionProvider = {
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
      return (await Promise.all(all.map(({ copy, diagnostic }) => actions(uri, copy, diagnostic)))).flat();
    },
  };
  return vscode.languages.registerCodeActionsProvider('*', provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });

  async function actions(
    uri: vscode.Uri,
    copy: Copy,
    diagnostic: vscode.Diagnostic | undefined,
  ): Promise<vscode.CodeAction[]> {
    const isExtractable = copy.group.kind === 'code' && (await offersExtract(uri, findings.rangeIn(uri, copy.passage)));
    return (await copyActions(copy, needs, isExtractable)).map(({ title, command, arguments: given }) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      if (diagnostic) action.diagnostics = [diagnostic];
      action.command = { title, command, arguments: [...given] };
      return action;
    });
  }
}

/**
 * Returns true if the language offers an Extract refactoring for these lines. Asking does not slow down the light bulb,
 * because VS Code waits for all providers anyway.
 */
async function offersExtract(uri: vscode.Uri, range: vscode.Range): Promise<boolean> {
  const kind = vscode.CodeActionKind.RefactorExtract;
  const offered = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    ...[uri, range, kind.value],
  );
  return offered.some((action) => action.disabled === undefined);
}
