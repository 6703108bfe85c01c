/**
 * The text of passages, as it was saved: what a report was made from. Files are read when a view shows them, without
 * opening them in the editor (which would start language services on each), and the last ones are kept.
 */
import * as vscode from 'vscode';
import type { Passage } from '../engine/report.ts';
import type { FindingsModel } from './findings.ts';

/** Files kept: more than a page of the tree shows rows at a time. */
const maxFiles = 64;

export class SavedText {
  readonly #findings: FindingsModel;
  /** Lines by URI, the least recently used first. Belongs to the report of `#generation`. */
  readonly #files = new Map<string, Promise<readonly string[]>>();
  #generation: number | undefined;

  constructor(findings: FindingsModel) {
    this.#findings = findings;
  }

  /** The whole lines of a passage, without line ends; fewer, or none, when the file has become shorter or is gone. */
  async linesOf(passage: Passage): Promise<readonly string[]> {
    const lines = await this.#lines(this.#findings.uriOf(passage));
    return lines.slice(passage.startLine - 1, passage.endLine);
  }

  #lines(uri: vscode.Uri): Promise<readonly string[]> {
    const generation = this.#findings.snapshot?.generation;
    if (generation !== this.#generation) this.#files.clear();
    this.#generation = generation;
    const key = uri.toString();
    const lines = this.#files.get(key) ?? readLines(uri);
    this.#files.delete(key);
    this.#files.set(key, lines);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= maxFiles) break;
      this.#files.delete(oldest);
    }
    return lines;
  }
}

/** The lines of a file in the encoding that VS Code would open it with; none when it cannot be read. */
export async function readLines(uri: vscode.Uri): Promise<readonly string[]> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return (await vscode.workspace.decode(bytes, { uri })).split(/\r?\n/);
  } catch {
    return [];
  }
}
