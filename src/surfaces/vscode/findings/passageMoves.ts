/**
 * Tracks where passages are while the user edits. A report refers to the texts at the time of its request. Later edits
 * move its passages until the next report arrives, in the same way in which VS Code moves decorations.
 */
import * as vscode from 'vscode';
import type { Passage } from '../../../core/engine/report/report.ts';
import { isCell } from '../workspace/notebooks.ts';
import type { NotebookPlaces } from './notebookPlaces.ts';
import type { Snapshot } from './snapshot.ts';
import { Subscriber } from '../subscriber.ts';

/** An edit: `range` was replaced by `text`. */
export type Edit = Pick<vscode.TextDocumentContentChangeEvent, 'range' | 'text'>;

/** Delay in milliseconds between an edit and the event. Users do not notice such a short delay in the views. */
const reportDelayMs = 250;

/** Edits of one VS Code event, in the order in which they apply. */
interface DocumentEdits {
  readonly uri: vscode.Uri;
  readonly edits: readonly Edit[];
}

export class PassageMoves extends Subscriber {
  readonly #moved = new vscode.EventEmitter<readonly vscode.Uri[]>();
  /** Fires with the files in which passages have moved, 250 ms after the first of several edits. */
  readonly onDidMove = this.#moved.event;
  readonly #notebooks: NotebookPlaces;
  #snapshot: Snapshot | undefined;
  /** Current positions of passages that have moved. */
  readonly #places = new Map<Passage, Passage>();
  /** Edits since the next report was requested; `undefined` if no report is pending. */
  #since: DocumentEdits[] | undefined;
  /** Edits that are not in the last report. */
  #after: DocumentEdits[] = [];
  /** True if a document with passages was edited since the last call of `takeEdits`. */
  #hasEdits = false;
  /** Files for the next event, by URI; and the timer for that event. */
  readonly #unreported = new Map<string, vscode.Uri>();
  #timer: NodeJS.Timeout | undefined;
  /** Version of each document when it was last saved, by URI. */
  readonly #saved = new Map<string, number>();

  constructor(notebooks: NotebookPlaces) {
    super();
    this.#notebooks = notebooks;
    this.own(
      { dispose: () => clearTimeout(this.#timer) },
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#edited({ uri: document.uri, edits: contentChanges });
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri, version }) => this.#saved.set(uri.toString(), version)),
      vscode.workspace.onDidCloseTextDocument(({ uri, version }) => {
        if (this.#saved.get(uri.toString()) !== version) this.#forget(uri);
        this.#saved.delete(uri.toString());
      }),
      this.#moved,
    );
  }

  now(passage: Passage): Passage {
    return this.#places.get(passage) ?? passage;
  }

  /** Must be called when a report is requested. The report will not contain later edits. */
  reportRequested(): void {
    this.#since = [];
  }

  /** Must be called if a requested report will not arrive. */
  requestEnded(): void {
    this.#since = undefined;
  }

  /** Switches to a report, which reflects the texts at the time of its request. */
  switchToReport(snapshot: Snapshot): void {
    this.#after = [...(this.#since ?? [])];
    this.show(snapshot);
  }

  /** Switches to other findings for the same texts. */
  show(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    this.#places.clear();
    for (const edited of this.#after) this.#move(edited);
  }

  /** Returns true if a document with passages was edited since the last call. */
  takeEdits(): boolean {
    const hasEdits = this.#hasEdits;
    this.#hasEdits = false;
    return hasEdits;
  }

  #edited(edited: DocumentEdits): void {
    this.#since?.push(edited);
    this.#after.push(edited);
    this.#hasEdits ||= this.#passagesIn(edited.uri).length > 0;
    if (this.#move(edited)) this.#reportSoon(edited.uri);
  }

  /** Moves the passages in a document according to edits. Returns true if any passage has moved. */
  #move({ uri, edits }: DocumentEdits): boolean {
    let hasMoved = false;
    for (const passage of this.#passagesIn(uri)) {
      const before = this.now(passage);
      const after = edits.reduce(movePassage, before);
      if (after === before) continue;
      this.#places.set(passage, after);
      if (after.startLine !== before.startLine || after.endLine !== before.endLine) hasMoved = true;
    }
    return hasMoved;
  }

  /** Undoes the moves in a document that was closed without saving, because VS Code has discarded its edits. */
  #forget(uri: vscode.Uri): void {
    const key = uri.toString();
    const isElsewhere = (edited: DocumentEdits): boolean => edited.uri.toString() !== key;
    this.#since = this.#since?.filter(isElsewhere);
    this.#after = this.#after.filter(isElsewhere);
    const moved = this.#passagesIn(uri).filter((passage) => this.#places.delete(passage));
    if (moved.length > 0) this.#reportSoon(uri);
  }

  #reportSoon(uri: vscode.Uri): void {
    this.#unreported.set(uri.toString(), uri);
    this.#timer ??= setTimeout(() => {
      const files = [...this.#unreported.values()];
      this.#unreported.clear();
      this.#timer = undefined;
      this.#moved.fire(files);
    }, reportDelayMs);
  }

  /** Returns the passages in a document. For a notebook cell, returns the parts in this cell. */
  #passagesIn(uri: vscode.Uri): readonly Passage[] {
    const path = this.#notebooks.pathOfCell(uri) ?? this.#snapshot?.folders.pathOf(uri);
    if (this.#snapshot === undefined || path === undefined) return [];
    // Include ignored passages, because the user may stop ignoring them.
    const { copies, fileCopies } = this.#snapshot.found;
    const passages = [...(copies.get(path) ?? []), ...(fileCopies.get(path) ?? [])].map(({ passage }) => passage);
    return isCell(uri) ? passages.flatMap((passage) => this.#notebooks.pieceIn(uri, passage)?.place ?? []) : passages;
  }
}

/**
 * Moves a passage according to an edit. Returns the same object if the edit comes after the passage. Text that is
 * inserted directly at its beginning or end stays outside. Text that replaces a range across its beginning or end
 * becomes part of it.
 */
export function movePassage(passage: Passage, { range, text }: Edit): Passage {
  const { start, end } = range;
  const from = new vscode.Position(passage.startLine - 1, passage.startColumn - 1);
  const to = new vscode.Position(passage.endLine - 1, passage.endColumn - 1);
  if (!start.isBefore(to)) return passage;
  const lines = text.split(/\r\n|\r|\n/);
  const lastLine = lines.at(-1)!.length;
  const written = new vscode.Position(
    start.line + lines.length - 1,
    lines.length === 1 ? start.character + lastLine : lastLine,
  );
  const behind = (position: vscode.Position): vscode.Position =>
    position.line === end.line
      ? written.translate(0, position.character - end.character)
      : position.translate(written.line - end.line);
  const newFrom = end.isBeforeOrEqual(from) ? behind(from) : start.isBefore(from) ? start : from;
  const newTo = end.isBeforeOrEqual(to) ? behind(to) : written;
  return {
    ...passage,
    startLine: newFrom.line + 1,
    startColumn: newFrom.character + 1,
    endLine: newTo.line + 1,
    endColumn: newTo.character + 1,
  };
}
