/**
 * `kindred lsp`: a language server on standard input and output. It reports copies in the documents of any editor, with
 * the same session layer as the extension.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as lsp from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isObject } from '../../../core/collections/parsedValues.ts';
import type { Copy } from '../../../session/client/report.ts';
import { mostWorth } from '../../../presentation/wording/occurrences.ts';
import { siblingsOf } from '../../../presentation/wording/siblings.ts';
import { Workspace } from '../workspace.ts';
import { serverLog } from '../serverLog.ts';
import { storageFor } from '../storage.ts';
import { textIn } from '../workspaceAccess.ts';
import { Addresses, fileOf } from './addresses.ts';
import { type ClientSettings, readClientSettings } from './clientSettings.ts';
import { CompareDocuments, compareText } from './compareDocument.ts';
import { copiesIn, hasLine, messageOf, rangeOf, siblingText } from './copies.ts';
import { diagnosticOf } from './diagnosticOf.ts';
import { ignoreEdit } from './ignoreEdit.ts';
import { IndexProgress } from './indexProgress.ts';

/** Custom request: returns the locations of all other copies of the passage at a position. */
const copiesRequest = 'kindred/copies';

const commands = {
  copies: 'kindred.copies',
  openCopy: 'kindred.openCopy',
  compare: 'kindred.compare',
} as const;

/** Maximum number of copies listed as code actions and in a hover. */
const maxNamed = 5;

/**
 * Maximum time in milliseconds that a response waits for pending edits to be processed. If this takes longer, the
 * response is based on the previous findings.
 */
const maxWaitMs = 5_000;

/**
 * Runs the server until the client ends the session or disconnects. Then exits the process, because the LSP library
 * keeps polling for the client's process.
 *
 * @param cache  see `kindred mcp`
 */
export async function serveLsp(
  { cache }: { readonly cache: string | false | undefined },
  version: string,
  write: (line: string) => void,
): Promise<never> {
  const connection = lsp.createConnection(
    lsp.ProposedFeatures.all,
    new lsp.StreamMessageReader(process.stdin),
    new lsp.StreamMessageWriter(process.stdout),
  );
  const server = new LanguageServer(connection, cache, version, write);
  const ended = new Promise<void>((resolve) => {
    connection.onExit(() => resolve());
    process.stdin.once('end', () => resolve()).once('close', () => resolve());
  });
  connection.listen();
  await ended;
  server.dispose();
  // By the protocol, disconnecting without a shutdown request is an error.
  return process.exit(server.isShutDown ? 0 : 1);
}

class LanguageServer {
  readonly #connection: lsp.Connection;
  readonly #cache: string | false | undefined;
  readonly #version: string;
  readonly #log: ReturnType<typeof serverLog>;
  readonly #documents = new lsp.TextDocuments(TextDocument);
  readonly #compares = new CompareDocuments();
  readonly #progress: IndexProgress;
  #client: lsp.InitializeParams['capabilities'] = {};
  #settings: ClientSettings = readClientSettings(undefined);
  #addresses = new Addresses([]);
  #folderUris: readonly string[] = [];
  #workspace: Workspace | undefined;
  /** Number of changes that have affected diagnostics. */
  #edition = 0;
  #lastProblem = '';
  /** Report paths of files that have published diagnostics. */
  readonly #published = new Set<string>();
  isShutDown = false;

  constructor(
    connection: lsp.Connection,
    cache: string | false | undefined,
    version: string,
    write: (line: string) => void,
  ) {
    this.#connection = connection;
    this.#cache = cache;
    this.#version = version;
    this.#log = serverLog(write);
    this.#progress = new IndexProgress(connection);
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => void this.#begin());
    connection.onDidChangeConfiguration(({ settings }) => void this.#readSettings(sectionOf(settings)));
    connection.onDidChangeWatchedFiles(({ changes }) => {
      this.#workspace?.filesChanged(changes.flatMap(({ uri }) => fileOf(uri) ?? []));
    });
    connection.languages.diagnostics.on((params) => this.#pull(params.textDocument.uri, params.previousResultId));
    connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }) => ({
      items: await this.#pullAll(new Map(previousResultIds.map(({ uri, value }) => [uri, value]))),
    }));
    connection.onHover(({ textDocument, position }) => this.#hover(textDocument.uri, position.line));
    connection.onCodeAction((params) => this.#actions(params));
    connection.onExecuteCommand((params) => this.#execute(params));
    connection.onRequest(copiesRequest, ({ textDocument, position }: Parameters<CopiesHandler>[0]) =>
      this.#copiesAt(textDocument.uri, position.line),
    );
    connection.onShutdown(async () => {
      this.isShutDown = true;
      await this.#workspace?.store();
      this.dispose();
    });
    this.#documents.onDidChangeContent(({ document }) => this.#take(document));
    this.#documents.onDidClose(({ document }) => this.#drop(document));
    this.#documents.listen(connection);
  }

  dispose(): void {
    this.#workspace?.dispose();
    this.#workspace = undefined;
    this.#compares.dispose();
  }

  #initialize({
    capabilities,
    workspaceFolders,
    rootUri,
    initializationOptions,
  }: lsp.InitializeParams): lsp.InitializeResult {
    this.#client = capabilities;
    this.#settings = readClientSettings(sectionOf(initializationOptions));
    this.#folderUris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    const pulls: Partial<lsp.ServerCapabilities> = capabilities.textDocument?.diagnostic
      ? {
          diagnosticProvider: { identifier: 'kindred', interFileDependencies: true, workspaceDiagnostics: true },
        }
      : {};
    return {
      serverInfo: { name: 'kindred', version: this.#version },
      capabilities: {
        textDocumentSync: { openClose: true, change: lsp.TextDocumentSyncKind.Incremental },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: [lsp.CodeActionKind.QuickFix] },
        executeCommandProvider: { commands: Object.values(commands) },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
        ...pulls,
      },
    };
  }

  async #begin(): Promise<void> {
    const { workspace, window } = this.#client;
    this.#progress.isShown = window?.workDoneProgress === true;
    if (workspace?.didChangeConfiguration?.dynamicRegistration) {
      void this.#connection.client.register(lsp.DidChangeConfigurationNotification.type, { section: 'kindred' });
    }
    if (workspace?.workspaceFolders) {
      this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const removedUris = new Set(removed.map(({ uri }) => uri));
        this.#folderUris = [...this.#folderUris.filter((uri) => !removedUris.has(uri)), ...added.map(({ uri }) => uri)];
        this.#follow();
      });
    }
    if (this.#clientReportsChanges) {
      const watchers = [{ globPattern: '**/*' }];
      void this.#connection.client.register(lsp.DidChangeWatchedFilesNotification.type, { watchers });
    }
    if (workspace?.configuration) await this.#readSettings(undefined);
    this.#follow();
  }

  /** True if the client watches files and notifies the server of changes. */
  get #clientReportsChanges(): boolean {
    return this.#client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
  }

  /**
   * Reads the settings.
   *
   * @param notifiedSettings  settings in the client's notification, used if the client does not support requests for
   *                          settings
   */
  async #readSettings(notifiedSettings: unknown): Promise<void> {
    const isAsked = this.#client.workspace?.configuration === true;
    const section: unknown = isAsked ? await this.#connection.workspace.getConfiguration('kindred') : notifiedSettings;
    const before = this.#settings;
    if (section !== undefined && section !== null) this.#settings = readClientSettings(section);
    if (this.#workspace === undefined) return;
    if (JSON.stringify(before.options) !== JSON.stringify(this.#settings.options)) this.#follow();
    else this.#publishFindings();
  }

  /** Applies the current folders and settings to the workspace. */
  #follow(): void {
    this.#addresses = new Addresses(this.#folderUris);
    if (this.#addresses.isEmpty) {
      this.#workspace?.dispose();
      this.#workspace = undefined;
      return this.#publishFindings();
    }
    const { folders } = this.#addresses;
    const places = folders.roots.map(({ folder }) => folder);
    const cache = this.#cache;
    const storage =
      cache === false ? undefined : cache === undefined ? storageFor(places, process.env) : path.resolve(cache);
    const settings = {
      folders,
      options: this.#settings.options,
      storage,
      clientReportsChanges: this.#clientReportsChanges,
    };
    if (this.#workspace) this.#workspace.configure(settings);
    else {
      const script = fileURLToPath(new URL('worker.js', import.meta.url));
      const workspace = new Workspace(script, settings, this.#log);
      workspace.onDidChange(() => this.#changed(workspace));
      this.#workspace = workspace;
      workspace.start();
    }
    for (const document of this.#documents.all()) this.#take(document);
  }

  #take(document: TextDocument): void {
    const name = this.#addresses.nameOf(document.uri);
    if (name === undefined) return;
    this.#workspace?.setText(name, document.getText());
  }

  #drop({ uri }: TextDocument): void {
    const name = this.#addresses.nameOf(uri);
    if (name === undefined) return;
    this.#workspace?.dropText(name);
    if (this.#settings.files === 'open') this.#publish(uri, []);
  }

  #changed(workspace: Workspace): void {
    const { state } = workspace;
    this.#progress.show(state);
    const problem = state.type === 'rejected' ? state.problems.join(' ') : state.type === 'failed' ? state.message : '';
    if (problem !== '' && problem !== this.#lastProblem) this.#complain(problem);
    this.#lastProblem = problem;
    if (state.type !== 'scanning') this.#publishFindings();
  }

  #complain(problem: string): void {
    void this.#connection.sendNotification(lsp.ShowMessageNotification.type, {
      type: lsp.MessageType.Error,
      message: `Kindred: ${problem}`,
    });
  }

  /** Notifies the client of new findings: asks it to pull diagnostics again or, if it cannot, publishes them. */
  #publishFindings(): void {
    this.#edition++;
    if (this.#client.textDocument?.diagnostic) {
      if (this.#client.workspace?.diagnostics?.refreshSupport) {
        void this.#connection.sendRequest(lsp.DiagnosticRefreshRequest.type).catch(() => undefined);
      }
      return;
    }
    const urisToPublish = new Set(this.#filesToPublish());
    for (const uri of this.#published) if (!urisToPublish.has(uri)) this.#publish(uri, []);
    let room = this.#settings.max;
    for (const uri of urisToPublish) {
      const diagnostics = this.#diagnosticsOf(uri).slice(0, room);
      room -= diagnostics.length;
      this.#publish(uri, diagnostics);
    }
  }

  #publish(uri: string, diagnostics: lsp.Diagnostic[]): void {
    if (diagnostics.length === 0 && !this.#published.has(uri)) return;
    if (diagnostics.length > 0) this.#published.add(uri);
    else this.#published.delete(uri);
    void this.#connection.sendDiagnostics({ uri, diagnostics });
  }

  #filesToPublish(): string[] {
    if (this.#settings.files === 'open') return this.#documents.keys();
    return [...(this.#workspace?.report?.copies.keys() ?? [])].sort().map((name) => this.#addresses.uriOf(name));
  }

  #diagnosticsOf(uri: string): lsp.Diagnostic[] {
    const name = this.#addresses.nameOf(uri);
    const copies = name === undefined ? [] : this.#copiesIn(name);
    const locate = (place: Copy['passage']): lsp.Location => this.#locationOf(place);
    return mostWorth(copies, this.#settings.maxPerFile).flatMap(
      (copy) => diagnosticOf(copy, this.#settings, locate) ?? [],
    );
  }

  #copiesIn(name: string): readonly Copy[] {
    return copiesIn(this.#workspace?.report, name, this.#settings);
  }

  async #pull(uri: string, previous: string | undefined): Promise<lsp.DocumentDiagnosticReport> {
    await this.#workspace?.upToDate(maxWaitMs);
    const resultId = String(this.#edition);
    if (previous === resultId) return { kind: 'unchanged', resultId };
    return { kind: 'full', resultId, items: this.#diagnosticsOf(uri) };
  }

  async #pullAll(previous: ReadonlyMap<string, string>): Promise<lsp.WorkspaceDocumentDiagnosticReport[]> {
    await this.#workspace?.upToDate(maxWaitMs);
    const resultId = String(this.#edition);
    const names = [...(this.#workspace?.report?.copies.keys() ?? [])].sort();
    const uris = new Set([...names.map((name) => this.#addresses.uriOf(name)), ...previous.keys()]);
    let room = this.#settings.max;
    return [...uris].map((uri): lsp.WorkspaceDocumentDiagnosticReport => {
      if (previous.get(uri) === resultId) return { kind: 'unchanged', uri, version: null, resultId };
      const items = this.#diagnosticsOf(uri).slice(0, room);
      room -= items.length;
      return { kind: 'full', uri, version: null, resultId, items };
    });
  }

  /** Returns the copies that contain a line, shortest first. */
  #copiesOn(uri: string, line: number): readonly Copy[] {
    const name = this.#addresses.nameOf(uri);
    if (name === undefined) return [];
    const length = ({ passage }: Copy): number => passage.endLine - passage.startLine;
    return this.#copiesIn(name)
      .filter((copy) => hasLine(copy, line))
      .sort((x, y) => length(x) - length(y));
  }

  #hover(uri: string, line: number): lsp.Hover | undefined {
    const starting = this.#copiesOn(uri, line).filter(({ passage }) => passage.startLine - 1 === line);
    if (starting.length === 0) return undefined;
    const value = starting.map((copy) => {
      const siblings = siblingsOf(copy);
      const named = siblings.slice(0, maxNamed).map((sibling) => {
        const { uri: target, range } = this.#locationOf(sibling.passage);
        return `- [${siblingText(sibling)}](${target}#L${range.start.line + 1})`;
      });
      const hidden = siblings.length - named.length;
      return [`**${messageOf(copy, siblings[0]!)}**`, '', ...named, ...(hidden > 0 ? [`- ${hidden} more`] : [])].join(
        '\n',
      );
    });
    return { contents: { kind: 'markdown', value: value.join('\n\n') } };
  }

  #actions({ textDocument: { uri }, range, context }: lsp.CodeActionParams): lsp.CodeAction[] {
    const [copy] = this.#copiesOn(uri, range.start.line);
    if (copy === undefined) return [];
    const kind = lsp.CodeActionKind.QuickFix;
    const diagnostics = context.diagnostics.filter(
      ({ source, range: marked }) => source === 'kindred' && marked.start.line === copy.passage.startLine - 1,
    );
    const action = (title: string, more: Partial<lsp.CodeAction>): lsp.CodeAction => ({
      title,
      kind,
      ...(diagnostics.length > 0 ? { diagnostics } : {}),
      ...more,
    });
    const { group, place } = copy;
    const siblings = this.#canShow ? siblingsOf(copy).slice(0, maxNamed) : [];
    const commandOf = (command: string, title: string, other: number) => ({
      command: { command, title, arguments: [{ id: group.id, from: place, to: other }] },
    });
    const open = siblings.map((sibling) => {
      const title = `Go to the copy in ${siblingText(sibling)}`;
      return action(title, commandOf(commands.openCopy, title, sibling.place));
    });
    const compare = siblings.map((sibling) => {
      const title = `Compare with ${siblingText(sibling)}`;
      return action(title, commandOf(commands.compare, title, sibling.place));
    });
    return [...open, ...compare, ...this.#ignoreAction(copy, uri, action)];
  }

  #ignoreAction(
    { passage }: Copy,
    uri: string,
    action: (title: string, more: Partial<lsp.CodeAction>) => lsp.CodeAction,
  ): lsp.CodeAction[] {
    const text = this.#workspace && textIn(this.#workspace, passage.path);
    const edits = text === undefined ? undefined : ignoreEdit(passage, text);
    if (edits === undefined) return [];
    const changes = edits.map(({ line, text: newText }) => {
      const position = { line, character: 0 };
      return { range: { start: position, end: position }, newText };
    });
    return [action('Ignore this copy, with a reason', { edit: { changes: { [uri]: changes } } })];
  }

  async #execute({ command, arguments: commandArguments = [] }: lsp.ExecuteCommandParams): Promise<unknown> {
    const [argument] = commandArguments as unknown[];
    if (command === commands.copies) {
      const { textDocument, position } = argument as Parameters<CopiesHandler>[0];
      return this.#copiesAt(textDocument.uri, position.line);
    }
    const { id, from, to } = argument as { readonly id: string; readonly from: number; readonly to: number };
    const group = this.#workspace?.report?.all.find((one) => one.id === id);
    const [left, right] = [group?.passages[from], group?.passages[to]];
    if (left === undefined || right === undefined || this.#workspace === undefined) {
      this.#complain('These copies have been edited; try again.');
      return null;
    }
    if (command === commands.openCopy) {
      const { uri, range } = this.#locationOf(right);
      await this.#show(uri, range);
      return { uri, range };
    }
    const sides = [left, right].map((passage) => ({ passage, text: textIn(this.#workspace!, passage.path) ?? '' }));
    const text = compareText(sides[0]!, sides[1]!);
    await this.#show(this.#compares.add(text), undefined);
    return text;
  }

  /** True if the client can open a document at the server's request, so that code actions may do this. */
  get #canShow(): boolean {
    return this.#client.window?.showDocument?.support === true;
  }

  async #show(uri: string, selection: lsp.Location['range'] | undefined): Promise<void> {
    if (!this.#canShow) return;
    await this.#connection.window.showDocument({ uri, takeFocus: true, ...(selection && { selection }) });
  }

  #copiesAt(uri: string, line: number): lsp.Location[] {
    const [copy] = this.#copiesOn(uri, line);
    return copy === undefined ? [] : siblingsOf(copy).map(({ passage }) => this.#locationOf(passage));
  }

  #locationOf(passage: Copy['passage']): lsp.Location {
    return { uri: this.#addresses.uriOf(passage.path), range: rangeOf(passage) };
  }
}

type CopiesHandler = (params: {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number };
}) => lsp.Location[];

/** Returns the section `kindred` of the settings. Some clients send only the content of this section. */
function sectionOf(settings: unknown): unknown {
  return isObject(settings) && 'kindred' in settings ? settings['kindred'] : settings;
}
