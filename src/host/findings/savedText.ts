/**
 * The text of passages where they are now: of an editor with unsaved changes, else as it was saved. Files are
 * read when a view shows them, without opening them in the editor (which would start language services on each), and only
 * the wanted lines become strings: the tree asks for the beginnings of two hundred files at once.
 */
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Passage } from '../../engine/report/report.ts';
import { isNotebookPath } from '../workspace/notebooks.ts';
import type { FindingsModel } from './findings.ts';

/** Beginnings that are kept: two pages of the tree. */
const maxKept = 400;
/** Lines of a beginning: enough for a label and for a preview. */
const beginningLines = 13;
/** Files that are read at the same time; each may have a megabyte. */
const maxReads = 8;

export class SavedText {
  readonly #findings: FindingsModel;
  /** By place, the least recently used first. Belongs to the report of `#generation`. */
  readonly #beginnings = new Map<string, Promise<readonly string[]>>();
  #generation: number | undefined;
  /** Files that are being read, and what waits for one of them to end. */
  #reads = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(findings: FindingsModel) {
    this.#findings = findings;
  }

  /** The first lines of a passage, whole and without line ends; none when the file is gone. At most 13. */
  beginningOf(ofReport: Passage): Promise<readonly string[]> {
    const passage = this.#findings.now(ofReport);
    const generation = this.#findings.snapshot?.generation;
    if (generation !== this.#generation) this.#beginnings.clear();
    this.#generation = generation;
    const key = `${passage.startLine}:${passage.endLine}:${passage.path}`;
    const endLine = Math.min(passage.endLine, passage.startLine + beginningLines - 1);
    const lines = this.#beginnings.get(key) ?? this.#linesFrom(passage, endLine);
    this.#beginnings.delete(key);
    this.#beginnings.set(key, lines);
    for (const oldest of this.#beginnings.keys()) {
      if (this.#beginnings.size <= maxKept) break;
      this.#beginnings.delete(oldest);
    }
    return lines;
  }

  /** The lines of a passage in the cells of a notebook; undefined when it is in none. */
  async linesInCells(passage: Passage): Promise<readonly string[] | undefined> {
    if (!isNotebookPath(passage.path)) return undefined;
    await this.#findings.notebooks.read(passage.path);
    return this.#findings.notebooks.linesOf(passage);
  }

  /**
   * Lines of a file, counted from one, the last included, without line ends; fewer when it is shorter, none when it
   * cannot be read. Of a notebook what its cells say in them.
   */
  async linesOf(uri: vscode.Uri, startLine: number, endLine: number): Promise<readonly string[]> {
    const cells = isNotebookPath(uri.path) ? await this.#findings.notebooks.fileLinesOf(uri) : undefined;
    if (cells) return cells.slice(startLine - 1, endLine);
    const edited = editedText(uri);
    if (edited) return split(edited.getText()).slice(startLine - 1, endLine);
    try {
      const bytes = await this.#read(uri);
      if (isUtf16(bytes)) return split(await vscode.workspace.decode(bytes, { uri })).slice(startLine - 1, endLine);
      const start = lineStart(bytes, startLine);
      if (start === undefined) return [];
      const end = lineStart(bytes.subarray(start), endLine - startLine + 2) ?? bytes.length - start;
      return split(await decode(bytes.subarray(start, start + end), uri)).slice(0, endLine - startLine + 1);
    } catch {
      return [];
    }
  }

  async #linesFrom(passage: Passage, endLine: number): Promise<readonly string[]> {
    const lines = await this.linesInCells(passage);
    if (lines) return lines.slice(0, beginningLines);
    return this.linesOf(this.#findings.uriOf(passage), passage.startLine, endLine);
  }

  async #read(uri: vscode.Uri): Promise<Uint8Array> {
    if (this.#reads === maxReads) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#reads++;
    try {
      // VS Code's own way makes a detour through the window for each file.
      return uri.scheme === 'file' ? await readFile(uri.fsPath) : await vscode.workspace.fs.readFile(uri);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#reads--;
    }
  }
}

/** The open document whose text is not that of a file on disk. */
function editedText(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((it) => (it.isDirty || it.isUntitled) && it.uri.toString() === key);
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

const lineFeed = 10;
const carriageReturn = 13;

/** Where a line begins, counted from one; undefined past the end. */
function lineStart(bytes: Uint8Array, line: number): number | undefined {
  let before = line - 1;
  if (before === 0) return 0;
  for (let at = 0; at < bytes.length; at++) {
    const isEnd = bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed);
    if (isEnd && --before === 0) return at + 1;
  }
  return undefined;
}

/** Text in UTF-8, and what is none in the encoding that the settings give the file. */
async function decode(bytes: Uint8Array, uri: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return vscode.workspace.decode(bytes, { uri });
  }
}

function split(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}
