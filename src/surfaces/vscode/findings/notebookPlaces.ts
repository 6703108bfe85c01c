/**
 * Maps the passages of a report to cells of notebooks. Positions in a report refer to the text that was scanned: for a
 * notebook with unsaved changes its serialized cells, otherwise its file. Serialized cells are known immediately. Files
 * are read on demand and for open notebooks; then an event fires.
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

/**
 * Serialized text of a notebook, which the report has in place of the file, and the documents of its cells in order.
 */
export interface NotebookText {
  readonly text: string;
  readonly cells: readonly vscode.TextDocument[];
}

/** Part of a passage that is in one cell. */
export interface Piece {
  /** Document of the cell; `undefined` if the notebook is closed, or if the text of the cell differs from the file. */
  readonly uri: vscode.Uri | undefined;
  /** Number of the cell, from 1. */
  readonly cell: number;
  /** Lines and columns in the cell. */
  readonly place: Passage;
}

/** A parsed notebook of the report. */
interface Known {
  readonly notebook: FileNotebook;
  readonly documents: readonly (vscode.TextDocument | undefined)[];
}

export class NotebookPlaces implements vscode.Disposable {
  readonly #placed = new vscode.EventEmitter<readonly vscode.Uri[]>();
  /** Fires with the notebooks and cells whose passages have gained or lost a position in cells. */
  readonly onDidPlace = this.#placed.event;
  readonly #subscriptions: vscode.Disposable;
  #snapshot: Snapshot | undefined;
  /** Notebooks whose text in the report differs from the file, by path. */
  #texts: ReadonlyMap<string, NotebookText> = new Map();
  readonly #known = new Map<string, Known>();
  /** Files that were read for this report, or are being read, by path. */
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
   * @param texts  notebooks whose text in the report differs from the file, by path; by default, those of the last
   *               report
   */
  show(snapshot: Snapshot, texts: ReadonlyMap<string, NotebookText> = this.#texts): void {
    this.#snapshot = snapshot;
    this.#texts = texts;
    this.#asked.clear();
    this.#pieces = new WeakMap();
    const open = openNotebooks().flatMap(({ uri }) => this.#pathOf(uri) ?? []);
    // For open notebooks, the old positions are kept until the file is read again, to avoid flicker.
    for (const path of this.#known.keys()) if (!open.includes(path)) this.#known.delete(path);
    for (const [path, { text, cells }] of texts) {
      this.#known.set(path, { notebook: readNotebook(text), documents: cells });
      this.#asked.set(path, Promise.resolve());
    }
    for (const path of open) if (this.#isInReport(path)) void this.read(path);
  }

  /** Returns the parts of a passage in cells, in order; empty if they are not known yet. */
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

  /** Returns the part of a passage that is in a given cell. */
  pieceIn(cell: vscode.Uri, passage: Passage): Piece | undefined {
    const key = cell.toString();
    return this.piecesOf(passage).find(({ uri }) => uri?.toString() === key);
  }

  /** Returns the language that the file states for the first cell of a passage. */
  languageOf(passage: Passage): string | undefined {
    const [piece] = this.piecesOf(passage);
    const notebook = this.#known.get(passage.path)?.notebook;
    const cell = piece && notebook?.cells[piece.cell - 1];
    return cell && (cell.languageId ?? (cell.isCode ? notebook.language : 'markdown'));
  }

  /** Returns the lines of a passage as they appear in the cells; `undefined` if the cells are not known. */
  linesOf(passage: Passage): string[] | undefined {
    const notebook = this.#known.get(passage.path)?.notebook;
    const pieces = this.piecesOf(passage);
    if (notebook === undefined || pieces.length === 0) return undefined;
    return pieces.flatMap(({ cell, place: { startLine, endLine } }) =>
      linesOf(textOfCell(notebook.cells[cell - 1]!)).slice(startLine - 1, endLine),
    );
  }

  /**
   * Returns, for each line of a notebook's file, the text of a cell that this line contains; `undefined` if the file
   * cannot be read.
   */
  async fileLinesOf(uri: vscode.Uri): Promise<string[] | undefined> {
    const path = this.#pathOf(uri);
    if (path === undefined) return undefined;
    await this.read(path);
    const known = this.#known.get(path);
    return known && cellsByLine(known.notebook);
  }

  /**
   * Returns the lines in the report for lines of a cell, counted from 0; `undefined` if the report has another text of
   * the notebook.
   */
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

  /** Returns the text that the report has in place of a file. */
  textOf(path: string): string | undefined {
    return this.#texts.get(path)?.text;
  }

  /** Returns the path in the report of the notebook that contains a cell. */
  pathOfCell(cell: vscode.Uri): string | undefined {
    const notebook = isCell(cell) ? notebookOf(cell) : undefined;
    return notebook && this.#pathOf(notebook.uri);
  }

  /** Reads the file of a notebook, once for each report. */
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
      // The file was deleted. The next update of the report will show that.
    }
  }

  /** When a notebook is opened or closed, its cells get other documents. */
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

/**
 * Returns the documents of the cells, if the notebook is open and its cells have the same texts in the same order as in
 * the file.
 */
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
