/**
 * Texts that replace files: of editors with unsaved changes, of untitled documents, and of open files outside the
 * folders. Tracks the versions that were sent to the worker.
 */
import * as vscode from 'vscode';
import type { Overlay } from '../../../session/protocol/messages.ts';
import type { NotebookText } from '../findings/notebookPlaces.ts';
import type { Folders, LooseDocuments } from '../workspace/folders.ts';
import { notebookText, openNotebooks } from '../workspace/notebooks.ts';
import { isWritable, openFiles } from '../workspace/openFiles.ts';

/** Changes to be sent to the worker. */
export interface TextChanges {
  readonly overlays: readonly Overlay[];
  /** Paths whose text no longer replaces the file. */
  readonly dropped: readonly string[];
}

/** A document whose text replaces a file, with its path in the report. */
interface CountingDocument {
  readonly path: string;
  readonly overFile: boolean;
  /** Changes with the text. */
  readonly version: number | string;
  readonly getText: () => string;
  /** For a notebook: the documents of its cells. */
  readonly cells?: readonly vscode.TextDocument[];
}

/** Size of an edit, which determines the pause before an update. */
export interface TextEdit {
  /** Maximum number of lines added or removed in one change: many for a paste, at most one for a keystroke. */
  readonly lines: number;
}

export class EditorTexts implements vscode.Disposable {
  readonly #loose: LooseDocuments;
  readonly #changed = new vscode.EventEmitter<TextEdit | undefined>();
  /**
   * Fires if a replacing text may have changed, been added or removed, including each keystroke. The event is
   * `undefined` if it was not an edit, for example after a save.
   */
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;
  /** Versions sent to the worker, by path. */
  readonly #told = new Map<string, CountingDocument['version']>();
  #notebooks: ReadonlyMap<string, NotebookText> = new Map();
  /** Notebooks whose files match their cells, because they were not edited after saving. */
  readonly #saved = new WeakSet<vscode.NotebookDocument>();

  /** @param loose  receives documents outside all folders */
  constructor(loose: LooseDocuments) {
    this.#loose = loose;
    const mayCount = ({ uri, isDirty }: vscode.TextDocument): boolean => isDirty || uri.scheme !== 'file';
    this.#subscriptions = vscode.Disposable.from(
      // Saving makes a document clean without a content change, which ends the replacement.
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // The first edit of a file may be reported before the file is marked dirty.
        const edit = editOf(document, contentChanges);
        if (edit || mayCount(document) || this.#told.size > 0) this.#changed.fire(edit);
      }),
      vscode.workspace.onDidSaveTextDocument(() => this.#changed.fire(undefined)),
      // VS Code reports a language change as closing and opening, which changes the path of an untitled document.
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (mayCount(document)) this.#changed.fire(undefined);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (mayCount(document) || this.#told.size > 0) this.#changed.fire(undefined);
      }),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#changed.fire(undefined)),
      vscode.workspace.onDidChangeNotebookDocument(({ contentChanges, cellChanges }) => {
        // Outputs of the kernel are ignored.
        if (contentChanges.length > 0 || cellChanges.some(({ document }) => document)) this.#changed.fire(undefined);
      }),
      vscode.workspace.onDidSaveNotebookDocument((notebook) => {
        this.#saved.add(notebook);
        this.#changed.fire(undefined);
      }),
      vscode.workspace.onDidCloseNotebookDocument(() => this.#changed.fire(undefined)),
    );
  }

  /** Notebooks sent to the worker, by path, in their state at that time. */
  get notebooks(): ReadonlyMap<string, NotebookText> {
    return this.#notebooks;
  }

  /** Returns all current texts, and marks them as sent. */
  all(folders: Folders): Overlay[] {
    this.#told.clear();
    return [...this.changes(folders).overlays];
  }

  /** Returns the changes since the last call. */
  changes(folders: Folders): TextChanges {
    const counting = this.#counting(folders);
    const overlays = counting
      .filter(({ path, version }) => this.#told.get(path) !== version)
      .map(({ path, overFile, getText }): Overlay => ({ path, overFile, text: getText() }));
    const paths = new Set(counting.map(({ path }) => path));
    const dropped = [...this.#told.keys()].filter((path) => !paths.has(path));
    this.#notebooks = new Map(
      counting.flatMap(({ path, getText, cells }) => (cells ? [[path, { text: getText(), cells }] as const] : [])),
    );
    for (const path of dropped) this.#told.delete(path);
    for (const { path, version } of counting) this.#told.set(path, version);
    return { overlays, dropped };
  }

  /** True if `changes` would return any. */
  hasChanges(folders: Folders): boolean {
    const counting = this.#counting(folders);
    return (
      counting.length !== this.#told.size || counting.some(({ path, version }) => this.#told.get(path) !== version)
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  #counting(folders: Folders): CountingDocument[] {
    const open = new Set(openFiles().map((uri) => uri.toString()));
    const counting: CountingDocument[] = [];
    for (const document of vscode.workspace.textDocuments) {
      const { uri, isClosed, isDirty, languageId, version } = document;
      if (isClosed) continue;
      const getText = (): string => document.getText();
      if (folders.isInFolder(uri)) {
        const path = folders.pathOf(uri);
        if (isDirty && path !== undefined) counting.push({ path, overFile: true, version, getText });
      } else if (open.has(uri.toString()) && isWritable(uri)) {
        counting.push({ path: this.#loose.pathFor(uri, languageId), overFile: false, version, getText });
      }
    }
    // A notebook that is also open and edited as text is replaced by that text.
    const notebooks = this.#countingNotebooks(folders);
    return [...counting, ...notebooks.filter(({ path }) => !counting.some((text) => text.path === path))];
  }

  /**
   * Returns notebooks that differ from their files, or have differed since they were opened: after a save, the sent
   * text is kept.
   */
  #countingNotebooks(folders: Folders): CountingDocument[] {
    return openNotebooks().flatMap((notebook) => {
      const path = folders.pathOf(notebook.uri);
      if (path === undefined || !folders.isInFolder(notebook.uri)) return [];
      if (notebook.isDirty) this.#saved.delete(notebook);
      // A clean notebook that was not saved was closed without its changes. VS Code may keep its previous state for a
      // while.
      else if (!this.#notebooks.has(path) || !this.#saved.has(notebook)) return [];
      const text = notebookText(notebook);
      const cells = notebook.getCells().map(({ document }) => document);
      return [{ path, overFile: true, version: text, getText: () => text, cells }];
    });
  }
}

/**
 * Returns `undefined` if the text is unchanged, for example after a save, or if it is written by a program, such as a
 * log.
 */
function editOf(
  { isDirty, uri }: vscode.TextDocument,
  changes: readonly vscode.TextDocumentContentChangeEvent[],
): TextEdit | undefined {
  if (changes.length === 0 || !(isDirty || isWritable(uri))) return undefined;
  const lines = changes.map(({ text, range }) =>
    Math.max(text.split('\n').length - 1, range.end.line - range.start.line),
  );
  return { lines: Math.max(...lines) };
}
