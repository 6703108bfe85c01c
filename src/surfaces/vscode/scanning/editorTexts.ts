/**
 * Texts of documents that the engine must use instead of files: documents with unsaved changes, untitled documents, and
 * open files outside the workspace folders. Tracks which versions the worker has received.
 */
import * as vscode from 'vscode';
import type { Overlay } from '../../../session/protocol/messages.ts';
import type { NotebookText } from '../findings/notebookPlaces.ts';
import type { Folders, LooseDocuments } from '../workspace/folders.ts';
import { notebookText, openNotebooks } from '../workspace/notebooks.ts';
import { isWritable, openFiles } from '../workspace/openFiles.ts';
import { Subscriber } from '../subscriber.ts';

/** Changes since the last message to the worker. */
export interface TextChanges {
  readonly overlays: readonly Overlay[];
  /** Paths of files that must be read from disk again. */
  readonly dropped: readonly string[];
}

/** A document whose text replaces a file. */
interface CountingDocument {
  readonly path: string;
  readonly overFile: boolean;
  /** Changes whenever the text changes. */
  readonly version: number | string;
  readonly getText: () => string;
  /** Documents of the cells, if this is a notebook. */
  readonly cells?: readonly vscode.TextDocument[];
}

/** Size of an edit. The scanner waits longer after a small one. */
export interface TextEdit {
  /** Largest number of lines that a single change adds or removes: many for a paste, at most one for a keystroke. */
  readonly lines: number;
}

export class EditorTexts extends Subscriber {
  readonly #loose: LooseDocuments;
  readonly #changed = new vscode.EventEmitter<TextEdit | undefined>();
  /**
   * Fires when a text that replaces a file may have changed (including at each keystroke), or when such a text was
   * added or removed. The event is `undefined` if the cause was not an edit, for example a save.
   */
  readonly onDidChange = this.#changed.event;
  /** Version of each document that the worker has received, by path. */
  readonly #sent = new Map<string, CountingDocument['version']>();
  #notebooks: ReadonlyMap<string, NotebookText> = new Map();
  /** Notebooks without edits since they were last saved. Their files are equal to their cells. */
  readonly #saved = new WeakSet<vscode.NotebookDocument>();

  /** @param loose  registers documents outside of all folders */
  constructor(loose: LooseDocuments) {
    super();
    this.#loose = loose;
    const mayCount = ({ uri, isDirty }: vscode.TextDocument): boolean => isDirty || uri.scheme !== 'file';
    this.own(
      // After a save, the engine must read the file again. VS Code then fires this event without any changes in the
      // text.
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // VS Code may report the first edit of a document before it sets `isDirty`.
        const edit = editOf(document, contentChanges);
        if (edit || mayCount(document) || this.#sent.size > 0) this.#changed.fire(edit);
      }),
      vscode.workspace.onDidSaveTextDocument(() => this.#changed.fire(undefined)),
      // When the language of a document changes, VS Code closes and opens it. The path of an untitled document depends
      // on its language.
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (mayCount(document)) this.#changed.fire(undefined);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (mayCount(document) || this.#sent.size > 0) this.#changed.fire(undefined);
      }),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#changed.fire(undefined)),
      vscode.workspace.onDidChangeNotebookDocument(({ contentChanges, cellChanges }) => {
        // Ignore changes of cell outputs.
        if (contentChanges.length > 0 || cellChanges.some(({ document }) => document)) this.#changed.fire(undefined);
      }),
      vscode.workspace.onDidSaveNotebookDocument((notebook) => {
        this.#saved.add(notebook);
        this.#changed.fire(undefined);
      }),
      vscode.workspace.onDidCloseNotebookDocument(() => this.#changed.fire(undefined)),
      this.#changed,
    );
  }

  /** Texts of notebooks that the worker has received, by path. */
  get notebooks(): ReadonlyMap<string, NotebookText> {
    return this.#notebooks;
  }

  /** Returns all texts that replace files. Assumes that the caller sends them to the worker. */
  all(folders: Folders): Overlay[] {
    this.#sent.clear();
    return [...this.changes(folders).overlays];
  }

  /** Returns the changes since the previous call. Assumes that the caller sends them to the worker. */
  changes(folders: Folders): TextChanges {
    const counting = this.#counting(folders);
    const overlays = counting
      .filter(({ path, version }) => this.#sent.get(path) !== version)
      .map(({ path, overFile, getText }): Overlay => ({ path, overFile, text: getText() }));
    const paths = new Set(counting.map(({ path }) => path));
    const dropped = [...this.#sent.keys()].filter((path) => !paths.has(path));
    this.#notebooks = new Map(
      counting.flatMap(({ path, getText, cells }) => (cells ? [[path, { text: getText(), cells }] as const] : [])),
    );
    for (const path of dropped) this.#sent.delete(path);
    for (const { path, version } of counting) this.#sent.set(path, version);
    return { overlays, dropped };
  }

  /** True if `changes` would return any changes. */
  hasChanges(folders: Folders): boolean {
    const counting = this.#counting(folders);
    return (
      counting.length !== this.#sent.size || counting.some(({ path, version }) => this.#sent.get(path) !== version)
    );
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
    // If a notebook is also open as text with unsaved changes, that text wins.
    const notebooks = this.#countingNotebooks(folders);
    return [...counting, ...notebooks.filter(({ path }) => !counting.some((text) => text.path === path))];
  }

  /**
   * Returns the notebooks that differ from their files, or have differed since they were opened. After a save, the
   * worker keeps the text it already has.
   */
  #countingNotebooks(folders: Folders): CountingDocument[] {
    return openNotebooks().flatMap((notebook) => {
      const path = folders.pathOf(notebook.uri);
      if (path === undefined || !folders.isInFolder(notebook.uri)) return [];
      if (notebook.isDirty) this.#saved.delete(notebook);
      // A notebook without unsaved changes that was not saved was closed, and its changes were discarded. For a while,
      // VS Code may still return its old content.
      else if (!this.#notebooks.has(path) || !this.#saved.has(notebook)) return [];
      const text = notebookText(notebook);
      const cells = notebook.getCells().map(({ document }) => document);
      return [{ path, overFile: true, version: text, getText: () => text, cells }];
    });
  }
}

/**
 * Returns the size of an edit. Returns `undefined` if the text did not change (for example, at a save), or if a program
 * writes the document, such as a log.
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
