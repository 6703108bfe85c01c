/**
 * Maps passages of a report to the cells of notebooks. The positions of a report refer to its text: for a notebook with
 * unsaved changes the serialized cells, otherwise the file. The former is known immediately. Files are read on demand
 * and for open notebooks; listeners are then notified.
 */
import * as vscode from 'vscode';
import type { Passage } from '../../../core/engine/report/report.ts';
import type { FindParams } from '../../../session/protocol/calls.ts';
import {
  type CellPosition,
  cellsByLine,
  type FileNotebook,
  isCell,
  isNotebookPath,
  linePlacesOf,
  linesOf,
  notebookOf,
  openNotebooks,
  placeBefore,
  placeBehind,
  readNotebook,
  textOfCell,
} from '../workspace/notebooks.ts';
import type { Snapshot } from './snapshot.ts';

/** Text of a notebook that replaces its file in a report, and the documents of its cells, in order. */
export interface NotebookText {
  readonly text: string;
  readonly cells: readonly vscode.TextDocument[];
}

/** The part of a passage in one cell. */
export interface Piece {
  /** The cell's document; `undefined` if the notebook is not open, or the cell's text differs from the file. */
  readonly uri: vscode.Uri | undefined;
  /** Number of the cell, from 1. */
  readonly cell: number;
  /** Lines and columns in the cell. */
  readonly place: Passage;
}

/** Parsed notebook of the report. */
interface Known {
  readonly notebook: FileNotebook;
  readonly documents: readonly (vscode.TextDocument | undefined)[];
}

export class NotebookPlaces implements vscode.Disposable {
  readonly #placed = new vscode.EventEmitter<readonly vscode.Uri[]>();
  /** Fires with notebooks and cells whose passages were mapped or unmapped. */
  readonly onDidPlace = this.#placed.event;
  readonly #subscriptions: vscode.Disposable;
  #snapshot: Snapshot | undefined;
  /** Texts in the report that replace files, by path. */
  #texts: ReadonlyMap<string, NotebookText> = new Map();
  readonly #known = new Map<string, Known>();
  /** Files that are being read, or could not be read, for this report. */
  readonly #asked = new Map<string, Promise<void>>();
  #pieces = new WeakMap<Passage, readonly Piece[]>();

  constructor() {
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidOpenNotebookDocument(({ uri }) => this.#renew(uri)),
      vscode.workspace.onDidCloseNotebookDocument(({ uri }) => this.#renew(uri)),
    );
  }

  /**
   * Sets the report.
   *
   * @param texts  texts in the report that replace files; unchanged if `undefined`
   */
  show(snapshot: Snapshot, texts: ReadonlyMap<string, NotebookText> = this.#texts): void {
    this.#snapshot = snapshot;
    this.#texts = texts;
    this.#asked.clear();
    this.#pieces = new WeakMap();
    const open = openNotebooks().flatMap(({ uri }) => this.#pathOf(uri) ?? []);
    // Mappings of open notebooks are kept until the file is read again, to prevent flicker.
    for (const path of this.#known.keys()) if (!open.includes(path)) this.#known.delete(path);
    for (const [path, { text, cells }] of texts) {
      this.#known.set(path, { notebook: readNotebook(text), documents: cells });
      this.#asked.set(path, Promise.resolve());
    }
    for (const path of open) if (this.#isInReport(path)) void this.read(path);
  }

  /** Returns the parts of a passage in its cells, in order; none if they are not known yet. */
  piecesOf(passage: Passage): readonly Piece[] {
    if (!isNotebookPath(passage.path)) return [];
    const pieces = this.#pieces.get(passage) ?? this.#makePieces(passage);
    if (pieces === undefined) {
      void this.read(passage.path);
      return [];
    }
    this.#pieces.set(passage, pieces);
    return pieces;
  }

  /** Returns the part of a passage in a cell. */
  pieceIn(cell: vscode.Uri, passage: Passage): Piece | undefined {
    const key = cell.toString();
    return this.piecesOf(passage).find(({ uri }) => uri?.toString() === key);
  }

  /** Returns the language of a passage's first cell according to the file. */
  languageOf(passage: Passage): string | undefined {
    const [piece] = this.piecesOf(passage);
    const notebook = this.#known.get(passage.path)?.notebook;
    const cell = piece && notebook?.cells[piece.cell - 1];
    return cell && (cell.languageId ?? (cell.isCode ? notebook.language : 'markdown'));
  }

  /** Returns the lines of a passage as in its cells; `undefined` if unknown. */
  linesOf(passage: Passage): string[] | undefined {
    const notebook = this.#known.get(passage.path)?.notebook;
    const pieces = this.piecesOf(passage);
    if (notebook === undefined || pieces.length === 0) return undefined;
    return pieces.flatMap(({ cell, place: { startLine, endLine } }) =>
      linesOf(textOfCell(notebook.cells[cell - 1]!)).slice(startLine - 1, endLine),
    );
  }

  /** Returns the cell text in each line of a notebook's file; `undefined` if it cannot be read. */
  async fileLinesOf(uri: vscode.Uri): Promise<string[] | undefined> {
    const path = this.#pathOf(uri);
    if (path === undefined) return undefined;
    await this.read(path);
    const known = this.#known.get(path);
    return known && cellsByLine(known.notebook);
  }

  /** Returns the place in the report of lines of a cell, from 0; `undefined` if the report is of another text. */
  reportLinesOf(cell: vscode.Uri, first: number, last: number): FindParams['lines'] {
    const path = this.pathOfCell(cell);
    const known = path === undefined ? undefined : this.#known.get(path);
    const at = known?.documents.findIndex((document) => document?.uri.toString() === cell.toString()) ?? -1;
    const fileCell = known?.notebook.cells[at];
    const places = fileCell ? linePlacesOf(fileCell) : [];
    const [start, end] = [places[first]?.start, (places[last] ?? places.at(-1))?.end];
    return (
      start &&
      end && {
        start: start.line + 1,
        startColumn: start.character + 1,
        end: end.line + 1,
        endColumn: end.character + 1,
      }
    );
  }

  /** Returns the text in the report that replaces the file. */
  textOf(path: string): string | undefined {
    return this.#texts.get(path)?.text;
  }

  /** Returns the report path of the notebook with a cell. */
  pathOfCell(cell: vscode.Uri): string | undefined {
    const notebook = isCell(cell) ? notebookOf(cell) : undefined;
    return notebook && this.#pathOf(notebook.uri);
  }

  /** Reads a notebook's file for this report, once. */
  read(path: string): Promise<void> {
    const asked = this.#asked.get(path);
    if (asked) return asked;
    const reading = this.#read(path);
    this.#asked.set(path, reading);
    return reading;
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#placed.dispose();
  }

  async #read(path: string): Promise<void> {
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return;
    const uri = snapshot.folders.uriOf(path);
    try {
      const text = textInEditor(uri) ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      if (snapshot !== this.#snapshot) return;
      this.#take(path, readNotebook(text));
    } catch {
      // The file was removed, which an update will report.
    }
  }

  /** After a notebook was opened or closed, its cells have other documents. */
  #renew(uri: vscode.Uri): void {
    const path = this.#pathOf(uri);
    if (path === undefined || !this.#isInReport(path)) return;
    const known = this.#known.get(path);
    if (known) this.#take(path, known.notebook);
    else void this.read(path);
  }

  #take(path: string, notebook: FileNotebook): void {
    const uri = this.#snapshot!.folders.uriOf(path);
    const open = openNotebooks().find((it) => it.uri.toString() === uri.toString());
    const documents = documentsOf(notebook, open);
    const before = this.#known.get(path);
    const isSame = before?.documents.every((document, cell) => document === documents[cell]);
    if (isSame && JSON.stringify(before!.notebook) === JSON.stringify(notebook)) return;
    this.#known.set(path, { notebook, documents });
    for (const passage of this.#passagesOf(path)) this.#pieces.delete(passage);
    this.#placed.fire([uri, ...(open?.getCells() ?? []).map(({ document }) => document.uri)]);
  }

  #makePieces(passage: Passage): Piece[] | undefined {
    const known = this.#known.get(passage.path);
    if (known === undefined) return undefined;
    const { notebook, documents } = known;
    const { startLine, startColumn, endLine, endColumn } = passage;
    const start = placeBehind(notebook, startLine - 1, startColumn - 1);
    const end = placeBefore(notebook, endLine - 1, endColumn - 1);
    if (start === undefined || end === undefined) return [];
    const pieces: Piece[] = [];
    for (let cell = start.cell; cell <= end.cell; cell++) {
      const lines = linesOf(textOfCell(notebook.cells[cell]!));
      const first: CellPosition = cell === start.cell ? start : { cell, line: 0, character: 0 };
      const last = cell === end.cell ? end : { cell, line: lines.length - 1, character: lines.at(-1)!.length };
      if (first.line > last.line || (first.line === last.line && first.character >= last.character)) continue;
      const place: Passage = {
        ...passage,
        startLine: first.line + 1,
        startColumn: first.character + 1,
        endLine: last.line + 1,
        endColumn: last.character + 1,
      };
      pieces.push({ uri: documents[cell]?.uri, cell: cell + 1, place });
    }
    return pieces;
  }

  #pathOf(uri: vscode.Uri): string | undefined {
    return this.#snapshot?.folders.pathOf(uri);
  }

  #isInReport(path: string): boolean {
    return this.#snapshot?.found.copies.has(path) === true || this.#snapshot?.found.wholes.has(path) === true;
  }

  #passagesOf(path: string): Passage[] {
    const { copies, wholes } = this.#snapshot!.found;
    return [...(copies.get(path) ?? []), ...(wholes.get(path) ?? [])].map(({ passage }) => passage);
  }
}

/** Returns the documents in the open notebook of a file's cells: those with the same text, in the same order. */
function documentsOf(
  { cells }: FileNotebook,
  open: vscode.NotebookDocument | undefined,
): (vscode.TextDocument | undefined)[] {
  const documents = (open?.getCells() ?? []).map(({ document }) => document);
  let next = 0;
  return cells.map((cell) => {
    const text = linesOf(textOfCell(cell)).join('\n');
    const at = documents.findIndex((it, i) => i >= next && linesOf(it.getText()).join('\n') === text);
    if (at < 0) return undefined;
    next = at + 1;
    return documents[at];
  });
}

/** Returns the text of a notebook that is open in a text editor. */
function textInEditor(uri: vscode.Uri): string | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((it) => it.isDirty && it.uri.toString() === key)?.getText();
}
