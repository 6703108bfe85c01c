/**
 * Where passages are while their documents are edited. A report tells places in texts as they were when it was asked for;
 * edits since then move what lies behind them, as VS Code moves its marks, until the next report is there.
 */
import * as vscode from 'vscode';
import type { Passage } from '../../engine/report/report.ts';
import { isCell } from '../workspace/notebooks.ts';
import type { NotebookPlaces } from './notebookPlaces.ts';
import type { Snapshot } from './snapshot.ts';

/** A change of a text: what was at `range` is `text` now. */
export type Edit = Pick<vscode.TextDocumentContentChangeEvent, 'range' | 'text'>;

/** Views follow edits this often at most: as often as a person looks from the text to a view. */
const tellAfterMs = 250;

/** The edits of one event, in the order in which they are done. */
interface Edited {
  readonly uri: vscode.Uri;
  readonly edits: readonly Edit[];
}

export class PassageMoves implements vscode.Disposable {
  readonly #moved = new vscode.EventEmitter<readonly vscode.Uri[]>();
  /** Fires when passages have come to other lines, with their files: some time after the first of several edits. */
  readonly onDidMove = this.#moved.event;
  readonly #subscriptions: vscode.Disposable;
  readonly #notebooks: NotebookPlaces;
  #snapshot: Snapshot | undefined;
  /** Passages of the report that are not where it says, and where they are. */
  readonly #places = new Map<Passage, Passage>();
  /** What was edited since a report was asked for that is not here yet. */
  #since: Edited[] | undefined;
  /** What was edited that the last report does not know of. */
  #after: Edited[] = [];
  /** Files of which nobody was told yet, by the text of their URI; and the timer by which all are. */
  readonly #untold = new Map<string, vscode.Uri>();
  #timer: NodeJS.Timeout | undefined;
  /** The versions in which documents were saved last, by the text of their URI. */
  readonly #saved = new Map<string, number>();

  constructor(notebooks: NotebookPlaces) {
    this.#notebooks = notebooks;
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#edited({ uri: document.uri, edits: contentChanges });
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri, version }) => this.#saved.set(uri.toString(), version)),
      vscode.workspace.onDidCloseTextDocument(({ uri, version }) => {
        if (this.#saved.get(uri.toString()) !== version) this.#forget(uri);
        this.#saved.delete(uri.toString());
      }),
    );
  }

  /** Where a passage of the report is now. */
  now(passage: Passage): Passage {
    return this.#places.get(passage) ?? passage;
  }

  /** A report is asked for: what is edited from now on, it does not know of. */
  reportAsked(): void {
    this.#since = [];
  }

  /** No report is to come. */
  reportAnswered(): void {
    this.#since = undefined;
  }

  /** A report is here, of the texts as they were when it was asked for. */
  take(snapshot: Snapshot): void {
    this.#after = [...(this.#since ?? [])];
    this.show(snapshot);
  }

  /** Other findings of the texts of the last report are shown. */
  show(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    this.#places.clear();
    for (const edited of this.#after) this.#move(edited);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscriptions.dispose();
    this.#moved.dispose();
  }

  #edited(edited: Edited): void {
    this.#since?.push(edited);
    this.#after.push(edited);
    if (this.#move(edited)) this.#tellSoon(edited.uri);
  }

  /** Returns whether a passage came to other lines. */
  #move({ uri, edits }: Edited): boolean {
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

  /** The unsaved text is gone, and all that moved with it. */
  #forget(uri: vscode.Uri): void {
    const key = uri.toString();
    const isElsewhere = (edited: Edited): boolean => edited.uri.toString() !== key;
    this.#since = this.#since?.filter(isElsewhere);
    this.#after = this.#after.filter(isElsewhere);
    const moved = this.#passagesIn(uri).filter((passage) => this.#places.delete(passage));
    if (moved.length > 0) this.#tellSoon(uri);
  }

  #tellSoon(uri: vscode.Uri): void {
    this.#untold.set(uri.toString(), uri);
    this.#timer ??= setTimeout(() => {
      const files = [...this.#untold.values()];
      this.#untold.clear();
      this.#timer = undefined;
      this.#moved.fire(files);
    }, tellAfterMs);
  }

  /** The passages in a document; of a cell the parts that are in it. */
  #passagesIn(uri: vscode.Uri): readonly Passage[] {
    const path = this.#notebooks.pathOfCell(uri) ?? this.#snapshot?.folders.pathOf(uri);
    if (this.#snapshot === undefined || path === undefined) return [];
    // What is ignored may come back.
    const { copies, wholes } = this.#snapshot.found;
    const passages = [...(copies.get(path) ?? []), ...(wholes.get(path) ?? [])].map(({ passage }) => passage);
    return isCell(uri) ? passages.flatMap((passage) => this.#notebooks.pieceIn(uri, passage)?.place ?? []) : passages;
  }
}

/**
 * A passage after an edit: itself when that lies behind it. What is written at one of its ends stays outside; of what is
 * replaced across an end, the new text is inside.
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
    ...{ startLine: newFrom.line + 1, startColumn: newFrom.character + 1 },
    ...{ endLine: newTo.line + 1, endColumn: newTo.character + 1 },
  };
}
