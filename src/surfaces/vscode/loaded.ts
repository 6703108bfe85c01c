/**
 * Lazy loading: imports the handlers of commands, agent tools, and panels on first use. Only their names are registered
 * when a window starts.
 */
import * as vscode from 'vscode';
import type { AgentParts } from './agentTools.ts';
import type { CommandTargets } from './commands.ts';
import type { DuplicationMap, mapViewType } from './map/duplicationMap.ts';

export interface Manifest {
  readonly version: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly languageModelTools: readonly { readonly name: string }[];
  };
}

export function registerCommands({ contributes }: Manifest, targets: CommandTargets): vscode.Disposable {
  const commands = whenUsed(async () => (await import('./commands.ts')).makeCommands(targets));
  const registered = contributes.commands.map(({ command }) =>
    vscode.commands.registerCommand(command, async (...commandArguments: readonly unknown[]) =>
      (await commands()).get(command)!(...commandArguments),
    ),
  );
  return vscode.Disposable.from(...registered);
}

export function registerAgentTools({ contributes }: Manifest, parts: AgentParts): vscode.Disposable {
  const tools = whenUsed(async () => (await import('./agentTools.ts')).makeAgentTools(parts));
  const registered = contributes.languageModelTools.map(({ name }) =>
    vscode.lm.registerTool<object>(name, {
      invoke: async (options, token) => (await tools()).get(name)!(options, token),
    }),
  );
  return vscode.Disposable.from(...registered);
}

/** Registers the serializer with which VS Code restores the map panel after a restart. */
export function registerMapPanel(map: () => Promise<DuplicationMap>): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer('kindred.map' satisfies typeof mapViewType, {
    deserializeWebviewPanel: async (panel) => (await map()).adoptPanel(panel),
  });
}

/**
 * Returns a function that loads a value when first called, and returns the same value from then on. If loading fails,
 * the caller gets the error, and the next call tries again.
 */
export function whenUsed<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        vscode.l10n.t('Part of Kindred could not be loaded. Reload the window, or reinstall Kindred. ({0})', reason),
        { cause: error },
      );
    }));
}
