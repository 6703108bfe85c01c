/**
 * Texts that count instead of what the disk has: of editors with unsaved changes, of untitled documents, and of open files
 * outside the folders. Knows which of them the worker has heard of, and in which version.
 */
import * as vscode from 'vscode';
import type { Overlay } from '../../protocol/messages.ts';
import type { Folders, LooseDocuments } from '../workspace/folders.ts';
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
  readonly document: vscode.TextDocument;
}

export class EditorTexts implements vscode.Disposable {
  readonly #loose: LooseDocuments;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when a text that counts may have changed, come or gone: with every keystroke in one. */
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;
  /** The versions that the worker has, by path. */
  readonly #told = new Map<string, number>();

  /** @param loose  takes the documents that are in no folder */
  constructor(loose: LooseDocuments) {
    this.#loose = loose;
    const mayCount = ({ uri, isDirty }: vscode.TextDocument): boolean => isDirty || uri.scheme !== 'file';
    this.#subscriptions = vscode.Disposable.from(
      // Saving makes a document clean without a change of its content; what was dirty before counts no longer then.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (mayCount(document) || this.#told.size > 0) this.#changed.fire();
      }),
      vscode.workspace.onDidSaveTextDocument(() => this.#changed.fire()),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (mayCount(document) || this.#told.size > 0) this.#changed.fire();
      }),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#changed.fire()),
    );
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
      .filter(({ path, document }) => this.#told.get(path) !== document.version)
      .map(({ path, overFile, document }): Overlay => ({ path, overFile, text: document.getText() }));
    const paths = new Set(counting.map(({ path }) => path));
    const dropped = [...this.#told.keys()].filter((path) => !paths.has(path));
    for (const path of dropped) this.#told.delete(path);
    for (const { path, document } of counting) this.#told.set(path, document.version);
    return { overlays, dropped };
  }

  /** Whether `changes` would tell of any. */
  hasChanges(folders: Folders): boolean {
    const counting = this.#counting(folders);
    return (
      counting.length !== this.#told.size || counting.some((it) => this.#told.get(it.path) !== it.document.version)
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
      const { uri, isClosed, isDirty, languageId } = document;
      if (isClosed) continue;
      if (folders.isInFolder(uri)) {
        const path = folders.pathOf(uri);
        if (isDirty && path !== undefined) counting.push({ path, overFile: true, document });
      } else if (open.has(uri.toString()) && isWritable(uri)) {
        counting.push({ path: this.#loose.pathFor(uri, languageId), overFile: false, document });
      }
    }
    return counting;
  }
}
