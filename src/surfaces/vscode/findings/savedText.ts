/**
 * Reads the current text of passages: from an editor with unsaved changes, or else from the file. Files are read
 * directly, because opening them as documents would start language services. Only the needed lines are decoded, because
 * the tree requests the first lines of two hundred files at once.
 */
import * as vscode from 'vscode';
import type { Passage } from '../../../core/engine/report/report.ts';
import type { Platform } from '../platform.ts';
import { isNotebookPath } from '../workspace/notebooks.ts';
import type { FindingsModel } from './findings.ts';
import { PassageCache } from './passageCache.ts';
import type { EngineClient } from '../../../session/client/engineClient.ts';

/** Maximum number of cached beginnings: enough for the rows of two pages in the tree. */
const maxKept = 400;
/** Number of lines to cache per passage: enough for a label and a preview. */
const beginningLines = 13;
/** Maximum number of concurrent reads. A file may have up to a megabyte. */
const maxReads = 8;

export class SavedText {
  readonly #findings: FindingsModel;
  readonly #readFile: Platform['readFile'];
  readonly #beginnings: PassageCache<Promise<readonly string[]>>;
  /** Number of reads in progress; and reads that wait for one of them to end. */
  #reads = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param readFile  reads a file that has no unsaved changes */
  constructor(findings: FindingsModel, readFile: Platform['readFile'] = (uri) => vscode.workspace.fs.readFile(uri)) {
    this.#findings = findings;
    this.#beginnings = new PassageCache(findings, maxKept);
    this.#readFile = readFile;
  }

  /**
   * Returns up to 13 complete lines from the beginning of a passage, without line breaks. Empty if the file was
   * deleted.
   */
  beginningOf(ofReport: Passage): Promise<readonly string[]> {
    return this.#beginnings.of(ofReport, '', (passage) =>
      this.#linesFrom(passage, Math.min(passage.endLine, passage.startLine + beginningLines - 1)),
    );
  }

  /** Returns the lines of a passage as notebook cells display them; `undefined` if it is not in a cell. */
  async linesInCells(passage: Passage): Promise<readonly string[] | undefined> {
    if (!isNotebookPath(passage.path)) return undefined;
    await this.#findings.notebooks.read(passage.path);
    return this.#findings.notebooks.linesOf(passage);
  }

  /**
   * Returns the lines `startLine` to `endLine` of a file, counted from 1, inclusive, without line breaks. Lines beyond
   * the end of the file are left out. Empty if the file cannot be read. For a notebook, returns the cell text in these
   * lines of its file.
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
      return await this.#readFile(uri);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#reads--;
    }
  }
}

/** Returns the open document of a file if it has unsaved changes; otherwise `undefined`. */
function editedText(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((it) => (it.isDirty || it.isUntitled) && it.uri.toString() === key);
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

const lineFeed = 10;
const carriageReturn = 13;

/** Returns the byte offset of a line, counted from 1; `undefined` if it is beyond the end. */
function lineStart(bytes: Uint8Array, line: number): number | undefined {
  let before = line - 1;
  if (before === 0) return 0;
  for (let at = 0; at < bytes.length; at++) {
    const isEnd = bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed);
    if (isEnd && --before === 0) return at + 1;
  }
  return undefined;
}

/** Decodes bytes as UTF-8. If they are not valid UTF-8, uses the encoding that VS Code has for the file. */
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

/** @param readFile  reads a file that the worker does not have */
export function readCompared(
  client: Pick<EngineClient, 'callIfScanned'>,
  findings: Pick<FindingsModel, 'snapshot'>,
  readFile: Platform['readFile'],
): Platform['readFile'] {
  return async (uri: vscode.Uri) => {
    const path = uri.scheme === 'file' ? undefined : findings.snapshot?.folders.pathOf(uri);
    const bytes = path === undefined ? undefined : await client.callIfScanned('contentOf', path);
    return bytes ?? readFile(uri);
  };
}
