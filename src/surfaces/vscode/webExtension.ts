/** Entry point of the extension in a browser: vscode.dev, github.dev, and other VS Code servers for the web. */
import * as vscode from 'vscode';
import type { WorkerThread } from '../../session/client/engineClient.ts';
import type { WebWorkerData, WorkerData } from '../../session/protocol/messages.ts';
import { WebThread, type WebWorker } from '../../session/protocol/webThread.ts';
import { activateOn, type Api } from './activate.ts';
import type { Manifest } from './loaded.ts';
import type { Platform } from './platform.ts';

const browser: Platform = {
  startWorker,
  readFile: (uri) => vscode.workspace.fs.readFile(uri),
  realFile: (file) => Promise.resolve(file),
  indexFolder: () => undefined,
  // In a browser, agents use the language-model tools instead.
  registerServers: () => undefined,
};

export function activate(context: vscode.ExtensionContext): Api {
  void vscode.commands.executeCommand('setContext', 'kindred.inBrowser', true);
  return activateOn(browser, context);
}

interface Script {
  readonly url: string;
  readonly digest: string;
}

/** The worker's script, which is loaded once. */
let script: Promise<Script> | undefined;

function startWorker(context: vscode.ExtensionContext, data: WorkerData): WorkerThread {
  const loading = (script ??= loadScript(context));
  // After a failure, load the script again for the next worker.
  loading.catch(() => (script = undefined));
  const { Worker } = globalThis as unknown as { readonly Worker: new (script: string) => WebWorker };
  return new WebThread(async () => {
    const { url, digest } = await loading;
    const worker = new Worker(url);
    worker.postMessage({ type: 'session', script: url, digest, ...data } satisfies WebWorkerData);
    return worker;
  });
}

/**
 * Loads the worker's script through VS Code. The browser may be unable to do so: an extension's files may be accessible
 * only to VS Code, and browsers do not start workers from other origins.
 */
async function loadScript({ extension, extensionUri }: vscode.ExtensionContext): Promise<Script> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'dist', 'web', 'worker.js'));
  const url = URL.createObjectURL(new Blob([bytes], { type: 'text/javascript' }));
  return { url, digest: await digestOf(bytes, extension.packageJSON as Manifest) };
}

/**
 * Returns a hash of the program. A stored index is valid only for the same hash. In an insecure context, browsers
 * cannot compute hashes, so returns the version of the extension.
 */
async function digestOf(bytes: Uint8Array, { version }: Manifest): Promise<string> {
  const subtle = crypto.subtle as typeof crypto.subtle | undefined;
  if (subtle === undefined) return `${version} ${bytes.length}`;
  const digest = await subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
