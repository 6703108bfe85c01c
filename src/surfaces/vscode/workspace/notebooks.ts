/**
 * Jupyter notebooks (nbformat 4). In VS Code, each cell is a document of its own, but positions in a report refer to
 * the notebook's JSON file. This module converts between both kinds of positions, and lists open notebooks.
 */
import { type JSONVisitor, visit } from 'jsonc-parser';
import * as vscode from 'vscode';

/** A JSON string in a cell's source, on one line, without its quotation marks. Lines and characters count from 0. */
interface SourceString {
  readonly line: number;
  readonly character: number;
  /** Text as in the file, including escape sequences. */
  readonly raw: string;
}

export interface FileCell {
  readonly isCode: boolean;
  /** Language that the cell's metadata state. */
  readonly languageId: string | undefined;
  readonly strings: readonly SourceString[];
}

export interface FileNotebook {
  readonly cells: readonly FileCell[];
  /** Language of the Jupyter kernel, in lower case. */
  readonly language: string;
}

/** Position in a cell. Cell, line, and character count from 0. */
export interface CellPosition {
  readonly cell: number;
  readonly line: number;
  readonly character: number;
}

/** Position in the file of one line of a cell, inside a JSON string. */
export interface LinePlace {
  readonly start: { readonly line: number; readonly character: number };
  /** Exclusive. */
  readonly end: LinePlace['start'];
}

export function isNotebookPath(path: string): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}

/** Parses a notebook's file. Returns the cells that VS Code displays; none if the text is not a notebook. */
export function readNotebook(text: string): FileNotebook {
  const cells: { type: string; languageId: string | undefined; strings: SourceString[] }[] = [];
  const languages = new Map<unknown, string>();
  visit(text, {
    onLiteralValue(...[value, offset, length, line, character, pathOf]: LiteralArguments) {
      if (typeof value !== 'string') return;
      const [first, second, third, fourth, fifth] = pathOf();
      if (first === 'metadata') {
        const isLanguage = third === (second === 'kernelspec' ? 'language' : 'name');
        if (isLanguage && (second === 'kernelspec' || second === 'language_info')) languages.set(second, value);
        return;
      }
      if (first !== 'cells' || typeof second !== 'number') return;
      const cell = (cells[second] ??= { type: '', languageId: undefined, strings: [] });
      if (third === 'cell_type') cell.type = value;
      else if (third === 'metadata' && fourth === 'vscode' && fifth === 'languageId') cell.languageId = value;
      else if (third === 'source') {
        cell.strings.push({ line, character: character + 1, raw: text.slice(offset + 1, offset + length - 1) });
      }
    },
  });
  const language = languages.get('language_info') ?? languages.get('kernelspec') ?? 'python';
  return {
    cells: cells
      .filter((cell) => cellTypes.has(cell?.type))
      .map(({ type, languageId, strings }) => ({ isCode: type === 'code', languageId, strings })),
    language: language.toLowerCase(),
  };
}

type LiteralArguments = Parameters<NonNullable<JSONVisitor['onLiteralValue']>>;

/** Types of cells that VS Code displays. */
const cellTypes = new Set(['code', 'markdown', 'raw']);

export function textOfCell({ strings }: FileCell): string {
  return strings.map(({ raw }) => decodeString(raw)).join('');
}

/** Converts a position in the file to one in a cell. Between two strings, returns the beginning of the next one. */
export function placeBehind({ cells }: FileNotebook, line: number, character: number): CellPosition | undefined {
  for (const [cell, { strings }] of cells.entries()) {
    let before = '';
    for (const string of strings) {
      const isAt = string.line === line && character <= string.character + string.raw.length;
      if (isAt || string.line > line) {
        const length = isAt ? Math.max(character - string.character, 0) : 0;
        return positionIn(cell, before + decodeString(string.raw.slice(0, length)));
      }
      before += decodeString(string.raw);
    }
  }
  return undefined;
}

/** Converts a position in the file to one in a cell. Between two strings, returns the end of the previous one. */
export function placeBefore({ cells }: FileNotebook, line: number, character: number): CellPosition | undefined {
  for (let cell = cells.length - 1; cell >= 0; cell--) {
    const { strings } = cells[cell]!;
    const behind = strings.findIndex(
      (string) => string.line > line || (string.line === line && string.character >= character),
    );
    const last = (behind < 0 ? strings.length : behind) - 1;
    if (last < 0) continue;
    const string = strings[last]!;
    const length = string.line === line ? character - string.character : string.raw.length;
    const before = strings.slice(0, last).map(({ raw }) => decodeString(raw));
    return positionIn(cell, (before.join('') + decodeString(string.raw.slice(0, length))).replace(/(\r\n|\r|\n)$/, ''));
  }
  return undefined;
}

/** Returns the position in the file of each line of a cell. An empty last line has no position. */
export function linePlacesOf({ strings }: FileCell): LinePlace[] {
  const places: LinePlace[] = [];
  let start: LinePlace['start'] | undefined;
  let end: LinePlace['end'] | undefined;
  for (const { line, character, raw } of strings) {
    for (const { 0: written, index } of raw.matchAll(/\\r\\n|\\u[\da-f]{4}|\\.|[^\\]+/gi)) {
      start ??= { line, character: character + index };
      end = { line, character: character + index + written.length };
      if (!/^\\[rn]/.test(written)) continue;
      places.push({ start, end });
      start = undefined;
    }
  }
  if (start && end) places.push({ start, end });
  return places;
}

/** Returns for each line of the file the cell text that it contains; '' if it contains none. */
export function cellsByLine({ cells }: FileNotebook): string[] {
  const lines: string[] = [];
  for (const { line, raw } of cells.flatMap(({ strings }) => strings)) {
    while (lines.length <= line) lines.push('');
    lines[line] = [lines[line], ...linesOf(decodeString(raw))].filter((text) => text !== '').join(' ');
  }
  return lines;
}

function positionIn(cell: number, before: string): CellPosition {
  const lines = linesOf(before);
  return { cell, line: lines.length - 1, character: lines.at(-1)!.length };
}

export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Decodes the text of a JSON string. Drops an incomplete escape sequence at its end. */
function decodeString(raw: string): string {
  if (!raw.includes('\\')) return raw;
  for (let end = raw.length; end > raw.length - longestEscape; end--) {
    try {
      return JSON.parse(`"${raw.slice(0, end)}"`) as string;
    } catch {
      // The text ends inside an escape sequence, so try again without its last character.
    }
  }
  return raw;
}

/** Length of the longest escape sequence, `\u0000`. */
const longestEscape = 6;

/** Serializes an open notebook as in its file, but without outputs, and each line of a cell on its own line. */
export function notebookText(notebook: vscode.NotebookDocument): string {
  const cells = notebook.getCells().map(({ kind, document }) => {
    const lines = linesOf(document.getText());
    const isCode = kind === vscode.NotebookCellKind.Code;
    return {
      cell_type: !isCode ? 'markdown' : document.languageId === 'raw' ? 'raw' : 'code',
      metadata: { vscode: { languageId: document.languageId } },
      source: lines.map((line, at) => (at < lines.length - 1 ? `${line}\n` : line)),
    };
  });
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1);
}

/** Returns all open Jupyter notebooks, including those without a tab. */
export function openNotebooks(): vscode.NotebookDocument[] {
  return vscode.workspace.notebookDocuments.filter(({ isClosed, uri }) => !isClosed && isNotebookPath(uri.path));
}

export function isCell({ scheme }: vscode.Uri): boolean {
  return scheme === 'vscode-notebook-cell';
}

/** Returns the open notebook that contains a cell; `undefined` if the notebook is closed. */
export function notebookOf(cell: vscode.Uri): vscode.NotebookDocument | undefined {
  const key = cell.toString();
  // A cell's URI has the path of its notebook.
  return openNotebooks().find(
    (notebook) =>
      notebook.uri.path === cell.path && notebook.getCells().some(({ document }) => document.uri.toString() === key),
  );
}
