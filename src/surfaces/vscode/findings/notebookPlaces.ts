/**
 * Finds the passages of a report in notebook cells. Positions in a report refer to the text that was scanned: the
 * serialized cells if a notebook has unsaved changes, otherwise its file. Serialized cells are available immediately.
 * Files are read on demand, and when a notebook is open; an event fires afterwards.
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
import { Subscriber } from '../subscriber.ts';

/** Text of a notebook as it was scanned (serialized, in place of the file), and the documents of its cells in order. */
export interface NotebookText {
  readonly text: string;
  readonly cells: readonly vscode.TextDocument[];
}

/** Part of a passage in a single cell. */
export interface Piece {
  /** Document of the cell; `undefined` if the notebook is closed, or if the cell's text differs from the file. */
  readonly uri: vscode.Uri | undefined;
  /** Number of the cell, counted from 1. */
  readonly cell: number;
  /** Position of the part inside the cell. */
  readonly place: Passage;
}

interface KnownNotebook {
  readonly notebook: FileNotebook;
  readonly documents: readonly (vscode.TextDocument | undefined)[];
}

export class NotebookPlaces extends Subscriber {
  readonly #placed = new vscode.EventEmitter<readonly vscode.Uri[]>();
  /** Fires with notebooks and cells when positions of passages in them become available or unavailable. */
  readonly onDidPlace = this.#placed.event;
  #snapshot: Snapshot | undefined;
  /** Notebooks whose scanned text differs from their file, by path. */
  #texts: ReadonlyMap<string, NotebookText> = new Map();
  readonly #notebooksByPath = new Map<string, KnownNotebook>();
  /** Files that were read for this report or are being read, by path. */
  readonly #readings = new Map<string, Promise<void>>();
  #pieces = new WeakMap<Passage, readonly Piece[]>();

  constructor() {
    super();
    this.own(
      vscode.workspace.onDidOpenNotebookDocument(({ uri }) => this.#renew(uri)),
      vscode.workspace.onDidCloseNotebookDocument(({ uri }) => this.#renew(uri)),
      this.#placed,
    );
  }

  /**
   * Switches to a report.
   *
   * @param texts  notebooks whose scanned text differs from their file, by path; if omitted, the same as before
   */
  show(snapshot: Snapshot, texts: ReadonlyMap<string, NotebookText> = this.#texts): void {
    this.#snapshot = snapshot;
    this.#texts = texts;
    this.#readings.clear();
    this.#pieces = new WeakMap();
    const open = openNotebooks().flatMap(({ uri }) => this.#pathOf(uri) ?? []);
    // To avoid flicker, keep the old positions in open notebooks until their files were read again.
    for (const path of this.#notebooksByPath.keys()) if (!open.includes(path)) this.#notebooksByPath.delete(path);
    for (const [path, { text, cells }] of texts) {
      this.#notebooksByPath.set(path, { notebook: readNotebook(text), documents: cells });
      this.#readings.set(path, Promise.resolve());
    }
    for (const path of open) if (this.#isInReport(path)) void this.read(path);
  }

  /** Returns the parts of a passage in cells, in order. Empty if they are not known yet. */
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

  /** Returns the part of a passage in the given cell. */
  pieceIn(cell: vscode.Uri, passage: Passage): Piece | undefined {
    const key = cell.toString();
    return this.piecesOf(passage).find(({ uri }) => uri?.toString() === key);
  }

  /** Returns the language of the first cell of a passage, as stated in the notebook. */
  languageOf(passage: Passage): string | undefined {
    const [piece] = this.piecesOf(passage);
    const notebook = this.#notebooksByPath.get(passage.path)?.notebook;
    const cell = piece && notebook?.cells[piece.cell - 1];
    return cell && (cell.languageId ?? (cell.isCode ? notebook.language : 'markdown'));
  }

  /** Returns the lines of a passage as the cells display them; `undefined` if the cells are not known. */
  linesOf(passage: Passage): string[] | undefined {
    const notebook = this.#notebooksByPath.get(passage.path)?.notebook;
    const pieces = this.piecesOf(passage);
    if (notebook === undefined || pieces.length === 0) return undefined;
    return pieces.flatMap(({ cell, place: { startLine, endLine } }) =>
      linesOf(textOfCell(notebook.cells[cell - 1]!)).slice(startLine - 1, endLine),
    );
  }

  /** Returns the cell text in each line of a notebook's JSON file; `undefined` if the file cannot be read. */
  async fileLinesOf(uri: vscode.Uri): Promise<string[] | undefined> {
    const path = this.#pathOf(uri);
    if (path === undefined) return undefined;
    await this.read(path);
    const knownNotebook = this.#notebooksByPath.get(path);
    return knownNotebook && cellsByLine(knownNotebook.notebook);
  }

  /** Converts a cell's lines, from 0, to lines in the report; `undefined` if the notebook has changed since then. */
  reportLinesOf(cell: vscode.Uri, first: number, last: number): FindParams['lines'] {
    const path = this.pathOfCell(cell);
    const knownNotebook = path === undefined ? undefined : this.#notebooksByPath.get(path);
    const at = knownNotebook?.documents.findIndex((document) => document?.uri.toString() === cell.toString()) ?? -1;
    const fileCell = knownNotebook?.notebook.cells[at];
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

  /** Returns the text of a notebook as it was scanned, if it differs from the file. */
  textOf(path: string): string | undefined {
    return this.#texts.get(path)?.text;
  }

  /** Returns the report path of the notebook that contains a cell. */
  pathOfCell(cell: vscode.Uri): string | undefined {
    const notebook = isCell(cell) ? notebookOf(cell) : undefined;
    return notebook && this.#pathOf(notebook.uri);
  }

  /** Reads a notebook's file, at most once per report. */
  read(path: string): Promise<void> {
    const currentReading = this.#readings.get(path);
    if (currentReading) return currentReading;
    const reading = this.#read(path);
    this.#readings.set(path, reading);
    return reading;
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
      // Ignore the error: the file was deleted, and the next report will not contain it.
    }
  }

  /** When a notebook is opened or closed, VS Code creates new documents for its cells. */
  #renew(uri: vscode.Uri): void {
    const path = this.#pathOf(uri);
    if (path === undefined || !this.#isInReport(path)) return;
    const knownNotebook = this.#notebooksByPath.get(path);
    if (knownNotebook) this.#take(path, knownNotebook.notebook);
    else void this.read(path);
  }

  #take(path: string, notebook: FileNotebook): void {
    const uri = this.#snapshot!.folders.uriOf(path);
    const open = openNotebooks().find((it) => it.uri.toString() === uri.toString());
    const documents = documentsOf(notebook, open);
    const before = this.#notebooksByPath.get(path);
    const isSame = before?.documents.every((document, cell) => document === documents[cell]);
    if (isSame && JSON.stringify(before!.notebook) === JSON.stringify(notebook)) return;
    this.#notebooksByPath.set(path, { notebook, documents });
    for (const passage of this.#passagesOf(path)) this.#pieces.delete(passage);
    this.#placed.fire([uri, ...(open?.getCells() ?? []).map(({ document }) => document.uri)]);
  }

  #makePieces(passage: Passage): Piece[] | undefined {
    const knownNotebook = this.#notebooksByPath.get(passage.path);
    if (knownNotebook === undefined) return undefined;
    const { notebook, documents } = knownNotebook;
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
    return this.#snapshot?.found.copies.has(path) === true || this.#snapshot?.found.fileCopies.has(path) === true;
  }

  #passagesOf(path: string): Passage[] {
    const { copies, fileCopies } = this.#snapshot!.found;
    return [...(copies.get(path) ?? []), ...(fileCopies.get(path) ?? [])].map(({ passage }) => passage);
  }
}

/**
 * Returns the document of each cell in the file. It is `undefined` if the notebook is closed, or if it has no cell with
 * the same text in the same order.
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

/** Returns the text of a notebook that is open as text; `undefined` if it is not. */
function textInEditor(uri: vscode.Uri): string | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((it) => it.isDirty && it.uri.toString() === key)?.getText();
}
