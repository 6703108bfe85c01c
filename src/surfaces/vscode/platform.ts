/** Services that differ between Node and browsers. The extension has one entry point for each. */
import type * as vscode from 'vscode';
import type { WorkerThread } from '../../session/client/engineClient.ts';
import type { WorkerData } from '../../session/protocol/messages.ts';

export interface Platform {
  startWorker(context: vscode.ExtensionContext, data: WorkerData): WorkerThread;
  readonly readFile: (uri: vscode.Uri) => Thenable<Uint8Array>;
  /** Returns the real path of a file on disk: resolves symbolic links. */
  readonly realFile: (file: string) => Promise<string>;
  /**
   * Returns the folder of the organization's index: the given folder; otherwise, the folder that the environment
   * specifies, or the default folder if it exists. `variable` is the name of the environment variable, for messages.
   * In a browser, returns `undefined`.
   */
  readonly indexFolder: (
    named: string | undefined,
  ) => { readonly folder: string; readonly variable: string } | undefined;
  /** Registers the servers for agents. Does nothing in a browser, because servers are separate programs. */
  registerServers(context: vscode.ExtensionContext): void;
}
