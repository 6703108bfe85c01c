/**
 * Where the passages of a report stand in the cells of notebooks. A report has places in the text that it was made of: of a
 * notebook with unsaved changes what its cells were written as, else the file. The former is known at once; files are read when
 * somebody asks for one, or when its notebook is open, and listeners are told.
 */
import * as vscode from 'vscode';
import type { Passage } from '../../engine/report/report.ts';
import type { FindParams } from '../../protocol/calls.ts';
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

/** The text of a notebook that a report is made of instead of its file, and the documents of its cells, in their order. */
export interface NotebookText {
  readonly text: string;
  readonly cells: readonly vscode.TextDocument[];
}

/** The part of a passage that is in one cell. */
export interface Piece {
  /** The document of the cell; undefined when the notebook is not open, or the cell has another text than the file. */
  readonly uri: vscode.Uri | undefined;
  /** The number of the cell, from 1. */
  readonly cell: number;
  /** Lines and columns in the cell. */
  readonly place: Passage;
}

/** What is known of a notebook in the report. */
interface Known {
  readonly notebook: FileNotebook;
  readonly documents: readonly (vscode.TextDocument | undefined)[];
}

export class NotebookPlaces implements vscode.Disposable {
  readonly #placed = new vscode.EventEmitter<readonly vscode.Uri[]>();
  /** Fires when passages of notebooks have got places in cells, or lost them: with the notebooks and their cells. */
  readonly onDidPlace = this.#placed.event;
  readonly #subscriptions: vscode.Disposable;
  #snapshot: Snapshot | undefined;
  /** The texts that the report is made of, where these are not those of files; by path. */
  #texts: ReadonlyMap<string, NotebookText> = new Map();
  /** By path. */
  readonly #known = new Map<string, Known>();
  /** The files that are being read, or could not be, for this report. */
  readonly #asked = new Map<string, Promise<void>>();
  #pieces = new WeakMap<Passage, readonly Piece[]>();

  constructor() {
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidOpenNotebookDocument(({ uri }) => this.#renew(uri)),
      vscode.workspace.onDidCloseNotebookDocument(({ uri }) => this.#renew(uri)),
    );
  }

  /** A report is shown. @param texts  what it was made of instead of files; as before when it is undefined */
  show(snapshot: Snapshot, texts: ReadonlyMap<string, NotebookText> = this.#texts): void {
    this.#snapshot = snapshot;
    this.#texts = texts;
    this.#asked.clear();
    this.#pieces = new WeakMap();
    const open = openNotebooks().flatMap(({ uri }) => this.#pathOf(uri) ?? []);
    // What the file of an open one said last holds until it is read again, so that no mark flickers.
    for (const path of this.#known.keys()) if (!open.includes(path)) this.#known.delete(path);
    for (const [path, { text, cells }] of texts) {
      this.#known.set(path, { notebook: readNotebook(text), documents: cells });
      this.#asked.set(path, Promise.resolve());
    }
    for (const path of open) if (this.#isInReport(path)) void this.read(path);
  }

  /** The parts of a passage in the cells that it is in, in their order; none when that is not known, or not yet. */
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

  /** The part of a passage that is in a cell. */
  pieceIn(cell: vscode.Uri, passage: Passage): Piece | undefined {
    const key = cell.toString();
    return this.piecesOf(passage).find(({ uri }) => uri?.toString() === key);
  }

  /** The language of the first cell of a passage, as its file says it. */
  languageOf(passage: Passage): string | undefined {
    const [piece] = this.piecesOf(passage);
    const notebook = this.#known.get(passage.path)?.notebook;
    const cell = piece && notebook?.cells[piece.cell - 1];
    return cell && (cell.languageId ?? (cell.isCode ? notebook.language : 'markdown'));
  }

  /** The lines of a passage as its cells have them; undefined when that is not known. */
  linesOf(passage: Passage): string[] | undefined {
    const notebook = this.#known.get(passage.path)?.notebook;
    const pieces = this.piecesOf(passage);
    if (notebook === undefined || pieces.length === 0) return undefined;
    return pieces.flatMap(({ cell, place: { startLine, endLine } }) =>
      linesOf(textOfCell(notebook.cells[cell - 1]!)).slice(startLine - 1, endLine),
    );
  }

  /** For each line of a notebook's file the text of cells that is in it; undefined when it cannot be read. */
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
        ...{ start: start.line + 1, startColumn: start.character + 1 },
        ...{ end: end.line + 1, endColumn: end.character + 1 },
      }
    );
  }

  /** The text that the report is made of, where that is not its file's. */
  textOf(path: string): string | undefined {
    return this.#texts.get(path)?.text;
  }

  /** The path of the notebook that a cell is in, as the report has it. */
  pathOfCell(cell: vscode.Uri): string | undefined {
    const notebook = isCell(cell) ? notebookOf(cell) : undefined;
    return notebook && this.#pathOf(notebook.uri);
  }

  /** Reads a notebook's file for this report, if that was not done. */
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
      // The file is gone, and an update will say so.
    }
  }

  /** A notebook was opened or closed: its cells have other documents now. */
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
        ...{ startLine: first.line + 1, startColumn: first.character + 1 },
        ...{ endLine: last.line + 1, endColumn: last.character + 1 },
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

/** The documents of a file's cells in the open notebook: of cells that have the same text, in the same order. */
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

/** What somebody has written into a notebook that is open as text. */
function textInEditor(uri: vscode.Uri): string | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((it) => it.isDirty && it.uri.toString() === key)?.getText();
}
