/** Registers *Tune Sensitivity*, which is loaded on first use. */
import type * as vscode from 'vscode';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import { whenUsed } from '../loaded.ts';
import type { Scanner } from '../scanning/scanner.ts';
import type { TunedViews, Tuning } from './tuning.ts';

export interface TuningNeeds {
  readonly context: vscode.ExtensionContext;
  readonly client: EngineClient;
  readonly scanner: Scanner;
}

export function registerTuning({ context, client, scanner }: TuningNeeds, views: TunedViews): () => Promise<Tuning> {
  return whenUsed(async () => {
    const { Tuning } = await import('./tuning.ts');
    const loaded = new Tuning(client, scanner, views, context.extensionUri);
    context.subscriptions.push(loaded);
    return loaded;
  });
}
