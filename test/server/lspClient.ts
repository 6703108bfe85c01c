/** A scripted client of the built `kindred lsp`. It sends messages like an editor and records the responses. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type Diagnostic,
  type InitializeParams,
  type InitializeResult,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { root } from '../../scripts/project.mjs';

export interface LspOptions {
  readonly capabilities?: InitializeParams['capabilities'];
  readonly initializationOptions?: unknown;
  /** Response to a request for settings. */
  readonly settings?: () => unknown;
  /** Additional variables of the server's environment. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Time limit of waits on a busy machine. */
const waitMs = 500_000;

/** A request from the server. */
interface ServerRequest {
  readonly method: string;
  readonly params: unknown;
}

export class LspClient {
  readonly process: ChildProcess;
  readonly connection: MessageConnection;
  /** Diagnostics by URI, as last sent. */
  readonly diagnostics = new Map<string, readonly Diagnostic[]>();
  readonly requests: ServerRequest[] = [];
  readonly messages: string[] = [];
  initialized!: InitializeResult;

  private constructor(child: ChildProcess, connection: MessageConnection) {
    this.process = child;
    this.connection = connection;
  }

  static async start(folders: readonly string[], cache: string, options: LspOptions = {}): Promise<LspClient> {
    const child = spawn(process.execPath, [path.join(root, 'dist/cli.js'), 'lsp', '--stdio', '--cache', cache], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, ...options.env },
    });
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const client = new LspClient(child, connection);
    connection.onNotification(
      'textDocument/publishDiagnostics',
      (params: { uri: string; diagnostics: Diagnostic[] }) => {
        client.diagnostics.set(params.uri, params.diagnostics);
      },
    );
    connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
      client.messages.push(message);
    });
    connection.onRequest((method, params) => {
      client.requests.push({ method, params });
      if (method === 'workspace/configuration') return [options.settings?.() ?? null];
      return method === 'window/showDocument' ? { success: true } : null;
    });
    connection.listen();
    client.initialized = await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: options.capabilities ?? {},
      initializationOptions: options.initializationOptions,
      workspaceFolders: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: path.basename(folder) })),
    } satisfies InitializeParams);
    await connection.sendNotification('initialized', {});
    return client;
  }

  open(uri: string, text: string): Promise<void> {
    return this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'typescript', version: 1, text },
    });
  }

  /** Replaces lines, from 0, with an exclusive end. */
  change(uri: string, version: number, startLine: number, endLine: number, text: string): Promise<void> {
    const range = { start: { line: startLine, character: 0 }, end: { line: endLine, character: 0 } };
    return this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text }],
    });
  }

  /** Waits until `look` returns a value. The error after a timeout contains `what`. */
  async until<Value>(what: string, look: () => Value | undefined | false): Promise<Value> {
    for (let waited = 0; waited < waitMs; waited += 20) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      await setTimeout(20);
    }
    return assert.fail(`there is no ${what}`);
  }

  /** Shuts down like an editor. Returns the exit code. */
  async end(): Promise<number | null> {
    const closed = new Promise<number | null>((resolve) => this.process.once('close', resolve));
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const code = await closed;
    this.connection.dispose();
    return code;
  }
}
