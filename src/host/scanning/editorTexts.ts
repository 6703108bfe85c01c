/**
 * Texts that count instead of what the disk has: of editors with unsaved changes, of untitled documents, and of open files
 * outside the folders. Knows which of them the worker has heard of, and in which version.
 */
import * as vscode from 'vscode';
import type { Overlay } from '../../protocol/messages.ts';
import type { NotebookText } from '../findings/notebookPlaces.ts';
import type { Folders, LooseDocuments } from '../workspace/folders.ts';
import { notebookText, openNotebooks } from '../workspace/notebooks.ts';
import { isWritable, openFiles } from '../workspace/openFiles.ts';

/** What the worker has not heard of yet. */
export interface TextChanges {
  readonly overlays: readonly Overlay[];
  /** Paths whose text counts no longer. */
  readonly dropped: readonly string[];
}

/** A document whose text counts, under the path that it has in a report. */
interface CountingDocument {
  readonly path: string;
  readonly overFile: boolean;
  /** Changes with the text. */
  readonly version: number | string;
  readonly getText: () => string;
  /** Of a notebook: the documents of its cells. */
  readonly cells?: readonly vscode.TextDocument[];
}

/** What was done to a text, as far as it says how long to wait for more. */
export interface TextEdit {
  /** The most lines that came or went in one piece: with a paste many, with a keystroke one at most. */
  readonly lines: number;
}

export class EditorTexts implements vscode.Disposable {
  readonly #loose: LooseDocuments;
  readonly #changed = new vscode.EventEmitter<TextEdit | undefined>();
  /**
   * Fires when a text that counts may have changed, come or gone: with every keystroke in one. Undefined when nobody has edited it
   * just now, such as when it was saved.
   */
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;
  /** The versions that the worker has, by path. */
  readonly #told = new Map<string, CountingDocument['version']>();
  #notebooks: ReadonlyMap<string, NotebookText> = new Map();
  /** The notebooks whose files have what their cells say, since nothing was edited after they were saved. */
  readonly #saved = new WeakSet<vscode.NotebookDocument>();

  /** @param loose  takes the documents that are in no folder */
  constructor(loose: LooseDocuments) {
    this.#loose = loose;
    const mayCount = ({ uri, isDirty }: vscode.TextDocument): boolean => isDirty || uri.scheme !== 'file';
    this.#subscriptions = vscode.Disposable.from(
      // Saving makes a document clean without a change of its content; what was dirty before counts no longer then.
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // The first edit of a file may be told before the file is called dirty.
        const edit = editOf(document, contentChanges);
        if (edit || mayCount(document) || this.#told.size > 0) this.#changed.fire(edit);
      }),
      vscode.workspace.onDidSaveTextDocument(() => this.#changed.fire(undefined)),
      // VS Code reports a change of the language as closing and opening: the path of an untitled document changes with it.
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (mayCount(document)) this.#changed.fire(undefined);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (mayCount(document) || this.#told.size > 0) this.#changed.fire(undefined);
      }),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#changed.fire(undefined)),
      vscode.workspace.onDidChangeNotebookDocument(({ contentChanges, cellChanges }) => {
        // Not what the kernel puts out.
        if (contentChanges.length > 0 || cellChanges.some(({ document }) => document)) this.#changed.fire(undefined);
      }),
      vscode.workspace.onDidSaveNotebookDocument((notebook) => {
        this.#saved.add(notebook);
        this.#changed.fire(undefined);
      }),
      vscode.workspace.onDidCloseNotebookDocument(() => this.#changed.fire(undefined)),
    );
  }

  /** The notebooks that the worker has been told of, by path, as they were then. */
  get notebooks(): ReadonlyMap<string, NotebookText> {
    return this.#notebooks;
  }

  /** All texts as they are now; they are known from now on. */
  all(folders: Folders): Overlay[] {
    this.#told.clear();
    return [...this.changes(folders).overlays];
  }

  /** What has changed since it was last asked. */
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

  /** Whether `changes` would tell of any. */
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
    // A notebook that is open as text as well, and was edited there, counts as that.
    const notebooks = this.#countingNotebooks(folders);
    return [...counting, ...notebooks.filter(({ path }) => !counting.some((text) => text.path === path))];
  }

  /** Notebooks that differ from their files, and those that did since they were opened: what is saved stays as it was told. */
  #countingNotebooks(folders: Folders): CountingDocument[] {
    return openNotebooks().flatMap((notebook) => {
      const path = folders.pathOf(notebook.uri);
      if (path === undefined || !folders.isInFolder(notebook.uri)) return [];
      if (notebook.isDirty) this.#saved.delete(notebook);
      // One that is clean and was not saved was closed without its changes: VS Code may keep it for a while as it was.
      else if (!this.#notebooks.has(path) || !this.#saved.has(notebook)) return [];
      const text = notebookText(notebook);
      const cells = notebook.getCells().map(({ document }) => document);
      return [{ path, overFile: true, version: text, getText: () => text, cells }];
    });
  }
}

/** Undefined when the text is as it was, such as of a file that was saved, and when it is one that a program writes, such as a log. */
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
