/** Shows that a scan which a person asked for takes its time: a notice, by which it can be stopped. */
import * as vscode from 'vscode';
import type { Outcome } from '../../client/engineClient.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { scanText } from './statusBar.ts';

/** A scan that takes longer gets a notification. Shorter ones would only flash it. */
const noticeAfterMs = 10_000;

export async function scanWithProgress(scanner: Scanner, start: () => Promise<Outcome>): Promise<void> {
  const scan = start();
  const timer = setTimeout(() => void notify(scanner, scan), noticeAfterMs);
  await scan.finally(() => clearTimeout(timer));
}

async function notify(scanner: Scanner, scan: Promise<Outcome>): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Finding near-duplicates'),
    cancellable: true,
  };
  await vscode.window.withProgress(options, async (progress, token) => {
    token.onCancellationRequested(() => scanner.cancel());
    const tell = (): void => {
      if (scanner.state.type === 'scanning') progress.report({ message: scanText(scanner.state) });
    };
    tell();
    const subscription = scanner.onDidChangeState(tell);
    await scan;
    subscription.dispose();
  });
}
