/** Implements the commands that scan, and those that show the log and the excluded files. */
import * as vscode from 'vscode';
import type { EngineClient, Outcome } from '../../../session/client/engineClient.ts';
import { announce } from '../announce.ts';
import type { Handlers } from '../choices.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { headlineOf } from '../../../presentation/wording/headline.ts';
import { raiseReadLimit, readLimitOf } from '../findings/readLimit.ts';
import { showNotification } from '../notifications.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { reportTrouble } from '../scanning/trouble.ts';
import { headlineText } from '../wording.ts';
import { createConfiguration } from '../workspace/newConfiguration.ts';
import { showExcluded } from './excludedFiles.ts';
import { scanWithProgress } from './scanProgress.ts';

export interface ScanTargets {
  readonly client: EngineClient;
  readonly scanner: Scanner;
  readonly findings: FindingsModel;
  readonly log: vscode.LogOutputChannel;
}

export function scanCommands({ client, scanner, findings, log }: ScanTargets): Handlers {
  return {
    'kindred.scanWorkspace': async (): Promise<void> => {
      if (!scanner.hasFolders) return showNotification(vscode.l10n.t('Open a folder to find near-duplicates.'));
      await scanAndAnnounce(() => scanner.scan());
    },

    'kindred.cancelScan': () => scanner.cancel(),

    'kindred.restart': async (): Promise<void> => {
      await scanAndAnnounce(() => scanner.restart());
    },

    'kindred.rebuildIndex': async (): Promise<void> => {
      if (!scanner.hasFolders) return showNotification(vscode.l10n.t('Open a folder to find near-duplicates.'));
      await scanAndAnnounce(() => scanner.rebuild());
    },

    'kindred.readAllFiles': async (): Promise<void> => {
      const limit = readLimitOf(findings.snapshot);
      if (limit) await raiseReadLimit(limit);
    },

    'kindred.showTrouble': () => reportTrouble(scanner),

    'kindred.showLog': () => log.show(),

    'kindred.showExcluded': () => {
      if (!showExcluded(findings)) showNotification(vscode.l10n.t('No file is excluded.'));
    },

    'kindred.createConfiguration': () => createConfiguration((folder) => client.call('newConfiguration', folder)),

    'kindred.openSettings': () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:kindred.kindred'),
  };

  /** Scans and announces the result, as a short scan that finds nothing new has no other visible effect. */
  async function scanAndAnnounce(start: () => Promise<Outcome>): Promise<void> {
    const { type } = await scanWithProgress(scanner, start);
    const { snapshot } = findings;
    if (snapshot === undefined || (type !== 'report' && type !== 'unchanged')) return;
    announce(vscode.l10n.t('Scanned: {0}', headlineText(headlineOf(snapshot.findings.totals))));
  }
}
