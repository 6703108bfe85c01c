/** Services that differ between Node and a browser. The extension has one entry point for each. */
import type * as vscode from 'vscode';
import type { WorkerThread } from '../../session/client/engineClient.ts';
import type { WorkerData } from '../../session/protocol/messages.ts';

export interface Platform {
  /** Starts the worker that runs the engine. */
  startWorker(context: vscode.ExtensionContext, data: WorkerData): WorkerThread;
  readonly readFile: (uri: vscode.Uri) => Thenable<Uint8Array>;
  /** Returns the real path of a file on disk, with symbolic links resolved. */
  readonly realFile: (file: string) => Promise<string>;
  /** Registers the servers for agents. A browser has none, because they are separate programs. */
  registerServers(context: vscode.ExtensionContext): void;
}
