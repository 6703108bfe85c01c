/**
 * The VS Code side. It makes the parts, connects them, and knows all of them; nothing else does.
 *
 *   settings, files, commands → Scanner → EngineClient → worker thread
 *                                  └→ FindingsModel → tree, diagnostics, status bar
 */
import * as vscode from 'vscode';
import { registerCodeActions } from './codeActions.ts';
import { reportTrouble, registerCommands } from './commands.ts';
import { registerPassageDocuments } from './compare.ts';
import { CopySteps } from './copySteps.ts';
import { Diagnostics } from './diagnostics.ts';
import { EngineClient } from './engineClient.ts';
import { registerExplanations } from './explainMatch.ts';
import { watchFiles } from './fileChanges.ts';
import { readFileSystem } from './fileSystem.ts';
import { FindingsModel } from './findings.ts';
import { GroupTree } from './groupTree.ts';
import { Lookout } from './lookout.ts';
import { SavedText } from './savedText.ts';
import { Scanner } from './scanner.ts';
import { StatusBar } from './statusBar.ts';
import { TreeHeader } from './treeHeader.ts';

/** What `activate` returns: for tests, and for other extensions that want to read the findings. */
export interface Api {
  readonly findings: FindingsModel;
  readonly scanner: Scanner;
  readonly client: EngineClient;
  readonly tree: GroupTree;
  readonly log: vscode.LogOutputChannel;
  /** Where the index is kept; undefined in a window without a folder. */
  readonly storage: vscode.Uri | undefined;
  /** How long `activate` took. */
  readonly activationMs: number;
}

/** Whether this workspace was scanned before: a key of its stored state. */
const scannedBeforeKey = 'scannedBefore';

export function activate(context: vscode.ExtensionContext): Api {
  const started = performance.now();
  const log = vscode.window.createOutputChannel('Kindred', { log: true });
  const findings = new FindingsModel();
  const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'worker.js');
  const client = new EngineClient(script, log, readFileSystem);
  const scanner = new Scanner(client, findings, log, context.storageUri);

  const text = new SavedText(findings);
  const tree = new GroupTree(findings, text, scanner);
  const view = vscode.window.createTreeView('kindred.groups', {
    treeDataProvider: tree,
    showCollapseAll: true,
    canSelectMany: true,
  });
  const header = new TreeHeader(view, scanner, findings);
  const diagnostics = new Diagnostics(findings, () => scanner.settings.diagnostics);
  const statusBar = new StatusBar(scanner, findings, () => diagnostics.leftOut);
  const steps = new CopySteps(findings);
  const lookout = new Lookout(() => scanner.look());
  const renderAll = (): void => {
    diagnostics.render();
    statusBar.render();
    header.render();
  };

  context.subscriptions.push(
    log,
    client,
    scanner,
    findings,
    tree,
    view,
    header,
    diagnostics,
    statusBar,
    steps,
    lookout,
    registerPassageDocuments(text),
    registerExplanations(client, () => scanner.settings.options),
    registerCommands({ scanner, findings, tree, view, steps, log }),
    registerCodeActions(diagnostics, findings),
    watchFiles((files) => {
      scanner.filesChanged(files);
      lookout.heard();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      if (scanner.settingsChanged()) renderAll();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const counts = ['kindred', 'files.associations'].some((section) => event.affectsConfiguration(section));
      if (counts && scanner.settingsChanged()) renderAll();
    }),
    vscode.extensions.onDidChange(() => scanner.settingsChanged()),
    scanner.onDidChangeState(() => void reportTrouble(scanner)),
    findings.onDidChange(() => void context.workspaceState.update(scannedBeforeKey, true)),
  );
  renderAll();

  const { scanOnStartup, showViewOnStartup } = scanner.settings;
  if (showViewOnStartup) void vscode.commands.executeCommand('kindred.groups.focus');
  const wanted =
    scanOnStartup === 'always' ||
    (scanOnStartup === 'ifIndexed' && context.workspaceState.get(scannedBeforeKey) === true);
  // Starting the thread takes longer than all of the above, so the window gets its turn first.
  if (wanted) setImmediate(() => void scanner.scan());
  return {
    findings,
    scanner,
    client,
    tree,
    log,
    storage: context.storageUri,
    activationMs: performance.now() - started,
  };
}
