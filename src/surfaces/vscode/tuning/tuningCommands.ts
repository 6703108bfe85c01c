/** Implements the commands that open *Tune Sensitivity*. */
import * as vscode from 'vscode';
import { type Choices, type Handlers, noCopyHere } from '../choices.ts';
import { showNotification } from '../notifications.ts';
import type { Scanner } from '../scanning/scanner.ts';
import type { Tuning } from './tuning.ts';

export interface TuningTargets {
  readonly scanner: Scanner;
  readonly tuning: () => Promise<Tuning>;
}

export function tuningCommands({ scanner, tuning }: TuningTargets, choices: Choices): Handlers {
  return {
    'kindred.tune': async () => {
      if (!scanner.hasFolders) return showNotification(vscode.l10n.t('Open a folder to find near-duplicates.'));
      (await tuning()).open();
    },

    'kindred.tuneToHide': async ({ row }): Promise<void> => {
      const copy = choices.copyOf(row) ?? choices.copyOf(choices.selectedRow());
      if (copy === undefined) return showNotification(noCopyHere());
      await (await tuning()).hide(copy.group);
    },
  };
}
