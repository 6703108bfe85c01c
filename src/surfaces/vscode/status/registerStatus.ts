/** Registers the status bar item, the status of the active file, and the notifications about failed scans. */
import type * as vscode from 'vscode';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { reportTrouble } from '../scanning/trouble.ts';
import { FileStatusItem } from './fileStatus.ts';
import { StatusBar } from './statusBar.ts';

export interface StatusNeeds {
  readonly context: vscode.ExtensionContext;
  readonly client: EngineClient;
  readonly scanner: Scanner;
  readonly findings: FindingsModel;
}

/**
 * @param activeFile  returns the file in the active editor
 * @param leftOut     returns the number of diagnostics that are hidden because of limits
 */
export function registerStatus(
  { context, client, scanner, findings }: StatusNeeds,
  activeFile: () => vscode.Uri | undefined,
  leftOut: () => number,
): { readonly fileStatus: FileStatusItem; readonly render: () => void } {
  const statusBar = new StatusBar(scanner, findings, leftOut);
  const fileStatus = new FileStatusItem(client, scanner, findings, activeFile);
  context.subscriptions.push(
    statusBar,
    fileStatus,
    scanner.onDidChangeState(() => void reportTrouble(scanner)),
  );
  const render = (): void => {
    statusBar.render();
    void fileStatus.render();
  };
  return { fileStatus, render };
}
