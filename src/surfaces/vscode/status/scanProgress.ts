/** Shows a notification with a *Cancel* button while a slow scan runs that the user has started. */
import * as vscode from 'vscode';
import type { Outcome } from '../../../session/client/engineClient.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { scanText } from './statusBar.ts';

/** Delay in milliseconds before the notification. For shorter scans, it would only flash. */
const noticeAfterMs = 10_000;

export async function scanWithProgress(scanner: Scanner, start: () => Promise<Outcome>): Promise<Outcome> {
  const scan = start();
  const timer = setTimeout(() => void showProgress(scanner, scan), noticeAfterMs);
  return scan.finally(() => clearTimeout(timer));
}

async function showProgress(scanner: Scanner, scan: Promise<Outcome>): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Finding near-duplicates'),
    cancellable: true,
  };
  await vscode.window.withProgress(options, async (progress, token) => {
    token.onCancellationRequested(() => scanner.cancel());
    const reportProgress = (): void => {
      if (scanner.state.type === 'scanning') progress.report({ message: scanText(scanner.state) });
    };
    reportProgress();
    const subscription = scanner.onDidChangeState(reportProgress);
    await scan;
    subscription.dispose();
  });
}
