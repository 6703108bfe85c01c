/**
 * Entry point of the extension. Creates all components and connects them. No other module knows more than its direct
 * dependencies.
 *
 *   settings, files, commands → Scanner → EngineClient → worker thread
 *                                  └→ FindingsModel → tree, diagnostics, status bar
 */
import * as vscode from 'vscode';
import { registerCodeActions } from './editor/codeActions.ts';
import { lineInFile, registerPassageDocuments } from './editor/compare.ts';
import { CopyDecorations } from './editor/copyDecorations.ts';
import { registerCopyHover } from './editor/copyHover.ts';
import { CopyLenses } from './editor/copyLenses.ts';
import { CopySteps } from './editor/copySteps.ts';
import { Diagnostics } from './editor/diagnostics.ts';
import { EditedCopies } from './editor/editedCopies.ts';
import { EditHints } from './editor/editHints.ts';
import { FileLineNumbers } from './editor/fileLineNumbers.ts';
import { EngineClient } from '../session/engineClient.ts';
import { registerExplanations } from './editor/explainMatch.ts';
import { watchFiles } from './workspace/fileChanges.ts';
import { gitApi } from './workspace/gitExtension.ts';
import { isCell } from './workspace/notebooks.ts';
import { isWritable } from './workspace/openFiles.ts';
import { fileSystem } from './workspace/fileSystem.ts';
import { Canonicals } from './findings/canonicals.ts';
import { FindingsModel } from './findings/findings.ts';
import { OwnIgnored } from './findings/ownIgnored.ts';
import { IgnoredTree } from './ignored/ignoredTree.ts';
import { type Manifest, registerAgentTools, registerCommands, registerMapPanel, whenUsed } from './loaded.ts';
import { registerMcpServer } from './mcpServer.ts';
import { EditorFollower } from './tree/editorFollower.ts';
import type { EditorPlace } from './tree/editorPlace.ts';
import { FileView } from './tree/fileView.ts';
import { TreeFilter } from './tree/filter.ts';
import { GroupTree } from './tree/groupTree.ts';
import { isCopyRow } from './tree/rows.ts';
import { NewSince } from './tree/newSince.ts';
import { PassageNames } from './tree/passageNames.ts';
import type { MapFilter } from './map/duplicationMap.ts';
import { SavedText } from './findings/savedText.ts';
import { revealIfThere } from './tree/reveal.ts';
import { registerPasteEdits } from './similar/pasteEdits.ts';
import { OrganisationDatabase } from './similar/organisationDatabase.ts';
import { registerStoredPlaces } from './similar/organisationPlaces.ts';
import { OrganisationSearch } from './similar/organisationSearch.ts';
import { SimilarSearch } from './similar/similarSearch.ts';
import { Scanner } from './scanning/scanner.ts';
import { clientWords, reportTrouble } from './scanning/trouble.ts';
import { type DiagnosticSettings, shownDiagnostics } from './settings.ts';
import { FileStatusItem } from './status/fileStatus.ts';
import { StatusBar } from './status/statusBar.ts';
import { TreeHeader } from './tree/treeHeader.ts';
import type { Tuning } from './tuning/tuning.ts';

/** Return value of `activate`, for tests and other extensions. */
export interface Api {
  readonly findings: FindingsModel;
  readonly scanner: Scanner;
  readonly client: EngineClient;
  readonly tree: GroupTree;
  readonly filter: TreeFilter;
  readonly similar: SimilarSearch;
  readonly organisation: OrganisationSearch;
  readonly database: OrganisationDatabase;
  readonly canonicals: Canonicals;
  readonly own: OwnIgnored;
  readonly ignored: IgnoredTree;
  readonly decorations: CopyDecorations;
  readonly edited: EditedCopies;
  readonly hints: EditHints;
  readonly fileStatus: FileStatusItem;
  readonly tuning: () => Promise<Tuning>;
  readonly log: vscode.LogOutputChannel;
  /** Location of the index; `undefined` in a window without a folder. */
  readonly storage: vscode.Uri | undefined;
  /** Duration of `activate`. */
  readonly activationMs: number;
}

/** Workspace-state key. True if this workspace has been scanned before. */
const scannedBeforeKey = 'scannedBefore';
/** Workspace-state key of the tree's arrangement. */
const arrangementKey = 'arrangement';

export function activate(context: vscode.ExtensionContext): Api {
  const started = performance.now();
  const log = vscode.window.createOutputChannel('Kindred', { log: true });
  const findings = new FindingsModel();
  const manifest = context.extension.packageJSON as Manifest;
  const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'worker.js');
  const client = new EngineClient(script.fsPath, log, fileSystem, clientWords());
  const own = new OwnIgnored(context.workspaceState);
  const scanner = new Scanner(client, findings, log, context.storageUri, own);

  const text = new SavedText(findings);
  const steps = new CopySteps(findings, () => [...view.selection, ...fileView.selection].filter(isCopyRow));
  const editor = editorPlace(steps);
  const newSince = new NewSince(client, findings, gitApi);
  const filter = new TreeFilter(findings, text, newSince, context.workspaceState, editor.file);
  const names = new PassageNames(findings, text);
  const canonicals = new Canonicals(findings, context.workspaceState);
  const tree = new GroupTree({ findings, text, names, scanner, filter, canonicals });
  tree.arrange(context.workspaceState.get(arrangementKey));
  const view = vscode.window.createTreeView('kindred.groups', {
    treeDataProvider: tree,
    showCollapseAll: true,
    canSelectMany: true,
    // Checking a group does not check its copies.
    manageCheckboxStateManually: true,
  });
  const fileView = new FileView(findings, tree, editor);
  const ignoredTree = new IgnoredTree(findings, names);
  const follower = new EditorFollower(view, tree, findings, editor, () => scanner.settings.followEditor);
  const header = new TreeHeader(view, scanner, findings, tree, filter);
  const readMarked = (): DiagnosticSettings => shownDiagnostics(scanner.settings);
  const diagnostics = new Diagnostics(findings, readMarked);
  const decorations = new CopyDecorations(
    findings,
    () => scanner.settings,
    vscode.Uri.joinPath(context.extensionUri, 'media'),
  );
  const lenses = new CopyLenses(findings, () => scanner.settings);
  const edited = new EditedCopies(findings, text, () => {
    const { inconsistentEdits, marks } = scanner.settings.editor;
    return marks && inconsistentEdits !== 'off' ? scanner.settings.diagnostics : undefined;
  });
  const hints = new EditHints(edited, () => scanner.settings.editor);
  const statusBar = new StatusBar(scanner, findings, () => diagnostics.leftOut);
  const fileStatus = new FileStatusItem(client, scanner, findings, editor.file);
  const similar = new SimilarSearch(client, scanner, findings);
  const database = new OrganisationDatabase(context.secrets);
  const organisation = new OrganisationSearch(client, database);
  const map = whenUsed(async () => {
    const { DuplicationMap } = await import('./map/duplicationMap.ts');
    const loaded = new DuplicationMap(context.extensionUri, client, scanner, findings);
    context.subscriptions.push(
      loaded,
      loaded.onDidFilter((wanted) => void showFiltered(wanted)),
    );
    return loaded;
  });
  const tuning = whenUsed(async () => {
    const { Tuning } = await import('./tuning/tuning.ts');
    const loaded = new Tuning(client, scanner, { findings, names, filter }, context.extensionUri);
    context.subscriptions.push(loaded);
    return loaded;
  });
  const renderAll = (): void => {
    diagnostics.render();
    decorations.render();
    lenses.render();
    edited.settingsChanged();
    hints.render();
    statusBar.render();
    void fileStatus.render();
    header.render();
  };

  context.subscriptions.push(
    log,
    client,
    scanner,
    findings,
    newSince,
    filter,
    tree,
    view,
    view.onDidChangeCheckboxState(({ items }) => tree.check(items)),
    tree.onDidArrange((arrangement) => void context.workspaceState.update(arrangementKey, arrangement)),
    fileView,
    own,
    ignoredTree,
    follower,
    header,
    diagnostics,
    canonicals,
    decorations,
    lenses,
    edited,
    hints,
    new FileLineNumbers(),
    statusBar,
    fileStatus,
    registerMapPanel(map),
    steps,
    registerPassageDocuments(text),
    registerExplanations(client, findings.notebooks, () => ({
      options: scanner.settings.options,
      languages: scanner.languages,
    })),
    registerPasteEdits(similar, () => scanner.settings.offerExistingCopy),
    registerCommands(manifest, {
      client,
      similar,
      map,
      scanner,
      findings,
      tree,
      filter,
      view,
      fileView,
      steps,
      log,
      text,
      canonicals,
      edited,
      tuning,
      own,
      ignoredTree,
      organisation,
      database,
    }),
    database,
    registerStoredPlaces(),
    registerAgentTools(manifest, { client, scanner, findings, text, organisation }),
    registerMcpServer(vscode.Uri.joinPath(context.extensionUri, 'dist', 'cli.js'), manifest.version, database),
    registerCodeActions(diagnostics, findings, canonicals, readMarked),
    registerCopyHover(findings, canonicals, () => scanner.settings),
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
    scanner.onDidChangeState(() => void reportTrouble(scanner)),
    findings.onDidChange(() => void context.workspaceState.update(scannedBeforeKey, true)),
  );

  /** A selection in the map replaces the filter of the tree; the page keeps the focus. */
  async function showFiltered({ path, other, scope }: MapFilter): Promise<void> {
    await filter.use([
      ...(path === '' ? [] : [{ type: 'folder', path, ...(other !== undefined && { other }) } as const]),
      ...(scope === 'source' ? [{ type: 'category', of: ['source'] } as const] : []),
    ]);
    const [first] = tree.getChildren() ?? [];
    if (first) await revealIfThere(view, first, { select: false, focus: false });
  }

  /**
   * Invisible work is deferred, so that other extensions and the window start first. A watcher, the settings of the
   * folders, and the thread take longer than all of the above.
   */
  const begin = setImmediate(() => {
    context.subscriptions.push(watchFiles((files) => scanner.filesChanged(files)));
    renderAll();
    void filter.restore();
    const { scanOnStartup, showViewOnStartup } = scanner.settings;
    if (showViewOnStartup) void vscode.commands.executeCommand('kindred.groups.focus');
    const wanted =
      scanOnStartup === 'always' ||
      (scanOnStartup === 'ifIndexed' && context.workspaceState.get(scannedBeforeKey) === true);
    if (wanted) void scanner.scan();
  });
  context.subscriptions.push({ dispose: () => clearImmediate(begin) });
  return {
    findings,
    scanner,
    client,
    tree,
    filter,
    similar,
    organisation,
    database,
    canonicals,
    own,
    ignored: ignoredTree,
    decorations,
    edited,
    hints,
    fileStatus,
    tuning,
    log,
    storage: context.storageUri,
    activationMs: performance.now() - started,
  };
}

/** Returns the place in the active editor, which the views follow. */
function editorPlace(steps: CopySteps): EditorPlace {
  return {
    file: () => {
      const { activeTextEditor, activeNotebookEditor } = vscode.window;
      const document = activeTextEditor?.document;
      // A notebook without an edited cell has no active text editor.
      if (document === undefined || isCell(document.uri)) return activeNotebookEditor?.notebook.uri;
      const { uri } = lineInFile(document, 0);
      return isWritable(uri) ? uri : undefined;
    },
    here: () => steps.here(),
  };
}
