/** Parts of the extension that differ between Node and a browser. Each has its own entry point. */
import type * as vscode from 'vscode';
import type { WorkerThread } from '../../session/client/engineClient.ts';
import type { WorkerData } from '../../session/protocol/messages.ts';

export interface Platform {
  /** Starts the worker of the engine. */
  startWorker(context: vscode.ExtensionContext, data: WorkerData): WorkerThread;
  readonly readFile: (uri: vscode.Uri) => Thenable<Uint8Array>;
  /** Returns the path of a file on disk with links resolved. */
  readonly realFile: (file: string) => Promise<string>;
  /** Registers servers for agents, which are separate programs. */
  registerServers(context: vscode.ExtensionContext): void;
}
