/** Entry point of the extension in Node. */
import { readFile, realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { indexFolder, variableIn } from '../../organisation/folder/indexPlace.ts';
import { nodeWorker } from '../../session/client/nodeWorker.ts';
import { activateOn, type Api } from './activate.ts';
import type { Manifest } from './loaded.ts';
import { registerMcpServer } from './mcpServer.ts';
import { offerAgents } from './offerAgents.ts';
import type { Platform } from './platform.ts';

const node: Platform = {
  startWorker: ({ extensionUri }, data) => nodeWorker(bundle(extensionUri, 'worker.js').fsPath)(data),
  // Read files on disk directly: VS Code's file system API would send each request to another process.
  readFile: (uri) => (uri.scheme === 'file' ? readFile(uri.fsPath) : vscode.workspace.fs.readFile(uri)),
  realFile: (file) => realpath(file).catch(() => file),
  // Neither the user setting nor the environment is in a workspace, so opening a folder never determines the index.
  indexFolder: (named) => {
    const folder = indexFolder(named, process.env);
    return folder === undefined ? undefined : { folder, variable: variableIn(process.env) };
  },
  registerServers: (context) => {
    const { version } = context.extension.packageJSON as Manifest;
    const script = bundle(context.extensionUri, 'cli.js');
    context.subscriptions.push(registerMcpServer(script, version));
    // Tests call `offerAgents` themselves.
    if (context.extensionMode !== vscode.ExtensionMode.Test) void offerAgents(script, context);
  },
};

export function activate(context: vscode.ExtensionContext): Api {
  return activateOn(node, context);
}

function bundle(extension: vscode.Uri, name: string): vscode.Uri {
  return vscode.Uri.joinPath(extension, 'dist', name);
}
