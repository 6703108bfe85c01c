/**
 * Activation of the extension, in Node and in a browser. Creates all components and connects them. Every other module
 * receives only what it needs.
 *
 *   settings, files, commands → Scanner → EngineClient → worker thread
 *                                  └→ FindingsModel → tree, diagnostics, status bar
 */
import * as vscode from 'vscode';
import { EngineClient } from '../../session/client/engineClient.ts';
import { activeFile } from './editor/compare.ts';
import type { CopyDecorations } from './editor/copyDecorations.ts';
import { CopySteps } from './editor/copySteps.ts';
import type { EditedCopies } from './editor/editedCopies.ts';
import type { EditHints } from './editor/editHints.ts';
import { registerEditor } from './editor/registerEditor.ts';
import type { Canonicals } from './findings/canonicals.ts';
import { FindingsModel } from './findings/findings.ts';
import { OwnIgnoreList } from './ignored/ownIgnoreList.ts';
import { readCompared, SavedText } from './findings/savedText.ts';
import { IgnoredTree } from './ignored/ignoredTree.ts';
import { type Manifest, registerAgentTools, registerCommands } from './loaded.ts';
import { registerMap } from './map/registerMap.ts';
import { offerMoves } from './moveSettings.ts';
import type { Platform } from './platform.ts';
import { Scanner } from './scanning/scanner.ts';
import { clientWords } from './scanning/trouble.ts';
import type { OrganisationSearch } from './similar/organisationSearch.ts';
import { registerSimilar } from './similar/registerSimilar.ts';
import type { SimilarSearch } from './similar/similarSearch.ts';
import type { FileStatusItem } from './status/fileStatus.ts';
import { registerStatus } from './status/registerStatus.ts';
import type { TreeFilter } from './tree/filter.ts';
import type { GroupTree } from './tree/groupTree.ts';
import { registerTree } from './tree/registerTree.ts';
import { isCopyRow } from './tree/rows.ts';
import { registerTuning } from './tuning/registerTuning.ts';
import type { Tuning } from './tuning/tuning.ts';
import { watchFiles } from './workspace/fileChanges.ts';
import { fileSystem } from './workspace/fileSystem.ts';

/** Return value of `activate`, for tests and for other extensions. */
export interface Api {
  readonly findings: FindingsModel;
  readonly scanner: Scanner;
  readonly client: EngineClient;
  readonly tree: GroupTree;
  readonly filter: TreeFilter;
  readonly similar: SimilarSearch;
  readonly organisation: OrganisationSearch;
  readonly canonicals: Canonicals;
  readonly own: OwnIgnoreList;
  readonly ignored: IgnoredTree;
  readonly decorations: CopyDecorations;
  readonly edited: EditedCopies;
  readonly hints: EditHints;
  readonly fileStatus: FileStatusItem;
  readonly tuning: () => Promise<Tuning>;
  readonly log: vscode.LogOutputChannel;
  /** Folder with the stored index; `undefined` in a window without a folder. */
  readonly storage: vscode.Uri | undefined;
  readonly activationMs: number;
}

/** Key in the workspace state: true if this workspace has been scanned before. */
const scannedBeforeKey = 'scannedBefore';

export function activateOn(platform: Platform, context: vscode.ExtensionContext): Api {
  const started = performance.now();
  const log = vscode.window.createOutputChannel('Kindred', { log: true });
  const findings = new FindingsModel();
  const manifest = context.extension.packageJSON as Manifest;
  const client = new EngineClient((data) => platform.startWorker(context, data), log, fileSystem, clientWords());
  const own = new OwnIgnoreList(context.workspaceState);
  const scanner = new Scanner(client, findings, log, context.storageUri, own);

  const text = new SavedText(findings, readCompared(client, findings, platform.readFile));
  const core = { context, platform, client, scanner, findings, text, own, log };

  const steps = new CopySteps(findings, () =>
    [...duplicates.view.selection, ...duplicates.fileView.selection].filter(isCopyRow),
  );
  context.subscriptions.push(log, client, scanner, findings, own, steps);
  const duplicates = registerTree(core, { file: activeFile, here: () => steps.here() });
  const ignoredTree = new IgnoredTree(findings, duplicates.names);
  const marks = registerEditor(core, duplicates);
  const status = registerStatus(core, activeFile, () => marks.diagnostics.leftOut);
  const searches = registerSimilar(core);
  const map = registerMap(core, duplicates);
  const tuning = registerTuning(core, { ...duplicates, findings });
  const parts = { ...core, ...duplicates, ...marks, ...searches, steps, ignoredTree, map, tuning };
  context.subscriptions.push(
    ignoredTree,
    registerCommands(manifest, parts),
    registerAgentTools(manifest, parts),
    findings.onDidChange(() => void context.workspaceState.update(scannedBeforeKey, true)),
  );
  platform.registerServers(context);
  const renderAll = (): void => {
    marks.render();
    status.render();
    duplicates.header.render();
  };
  followSettings(context, scanner, renderAll);
  // Delay work without a visible effect, so that the window and other extensions start first. Reading the settings of
  // folders, starting the watcher, and starting the worker take longer than everything above.
  const begin = setTimeout(() => {
    context.subscriptions.push(watchFiles((files) => scanner.filesChanged(files)));
    renderAll();
    void duplicates.filter.restore();
    scanAtStart(context, scanner);
    void offerMoves(context);
  }, 0);
  context.subscriptions.push({ dispose: () => clearTimeout(begin) });
  const { tree, filter, canonicals } = duplicates;
  const { decorations, edited, hints } = marks;
  return {
    findings,
    scanner,
    client,
    tree,
    filter,
    ...searches,
    canonicals,
    own,
    ignored: ignoredTree,
    decorations,
    edited,
    hints,
    fileStatus: status.fileStatus,
    tuning,
    log,
    storage: context.storageUri,
    activationMs: performance.now() - started,
  };
}

/** Reads the settings again after events that may have changed them, and applies the changes. */
function followSettings({ subscriptions }: vscode.ExtensionContext, scanner: Scanner, renderAll: () => void): void {
  subscriptions.push(
    // The user probably edited files elsewhere while the window was in the background.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) scanner.pollSoon();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      if (scanner.settingsChanged()) renderAll();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const counts = ['kindred', 'files.associations'].some((section) => event.affectsConfiguration(section));
      if (counts && scanner.settingsChanged()) renderAll();
    }),
    vscode.extensions.onDidChange(() => scanner.settingsChanged()),
  );
}

/** Reveals the view and starts a scan, if the settings require it. */
function scanAtStart({ workspaceState }: vscode.ExtensionContext, scanner: Scanner): void {
  const { scanOnStartup, showViewOnStartup } = scanner.settings;
  if (showViewOnStartup) void vscode.commands.executeCommand('kindred.groups.focus');
  const scansAtStart =
    scanOnStartup === 'always' || (scanOnStartup === 'ifIndexed' && workspaceState.get(scannedBeforeKey) === true);
  if (scansAtStart) void scanner.scan();
}
