/**
 * Searches the workspace for near-duplicates of the selection, the clipboard, or the symbol at the cursor. The worker
 * answers from its index. If there is none, scans the folders first.
 */
import type * as vscode from 'vscode';
import type { SimilarPassage, SimilarPassages } from '../../../core/engine/similar/findSimilar.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { FindParams } from '../../../session/protocol/calls.ts';
import { isCell, isNotebookPath } from '../workspace/notebooks.ts';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import { within } from '../../../session/client/within.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { scanWithProgress } from '../status/scanProgress.ts';
import type { ShownPassage } from '../wording.ts';

export const maxPassages = 500;

export interface SearchedText {
  readonly text: string;
  /** Document that contains the text, or into which it would be pasted. It determines the language. */
  readonly document: vscode.TextDocument;
  /** Range of the text in the document; `undefined` if the text comes from the clipboard. */
  readonly range: vscode.Range | undefined;
  /** Description of the text for the user: "the selection", or the name of a symbol. */
  readonly name: string;
}

/** Limits of a search. By default, those of the settings apply. */
export interface Reach {
  readonly maxDistance?: number;
  readonly minSimilarity?: number;
}

/** A passage that was found, with its location in VS Code. */
export interface FoundPlace extends SimilarPassage {
  readonly passage: ShownPassage;
  readonly uri: vscode.Uri;
  /** Text to display after the file name, if the file name alone is not clear: the repository and the folder in it. */
  readonly where?: string;
  readonly range: vscode.Range;
}

export interface FoundPlaces extends Pick<SimilarPassages, 'total' | 'hasNoWindow' | 'leftOut'> {
  readonly places: readonly FoundPlace[];
}

export class SimilarSearch {
  /** True if the user can set the maximum distance (number of differing bits) for a search. */
  readonly takesDistance: boolean = true;
  readonly #client: EngineClient;
  readonly #scanner: Scanner;
  readonly #findings: FindingsModel;

  constructor(client: EngineClient, scanner: Scanner, findings: FindingsModel) {
    this.#client = client;
    this.#scanner = scanner;
    this.#findings = findings;
  }

  get hasFolders(): boolean {
    return this.#scanner.hasFolders;
  }

  /** Returns the near-duplicates of a text. If there is no index, scans first; returns `undefined` if that fails. */
  async find(searched: SearchedText, reach: Reach = {}): Promise<FoundPlaces | undefined> {
    if (this.#findings.snapshot === undefined) await scanWithProgress(this.#scanner, () => this.#scanner.scan());
    const found = await this.#search(searched, reach);
    if (found !== undefined) return found;
    // There is no index if the last scan was canceled, or if the worker has stopped.
    await scanWithProgress(this.#scanner, () => this.#scanner.scan());
    return this.#search(searched, reach);
  }

  /**
   * Searches during a paste. Returns `undefined` if the answer takes longer than `withinMs`, because the paste must not
   * wait.
   */
  async glance(searched: SearchedText, withinMs: number): Promise<FoundPlaces | undefined> {
    if (this.#findings.snapshot === undefined || this.#scanner.state.type !== 'idle') return undefined;
    const found = this.#search(searched, {}).catch(() => undefined);
    return within(found, withinMs, () => undefined);
  }

  async #search({ text, document, range }: SearchedText, reach: Reach): Promise<FoundPlaces | undefined> {
    const folders = this.#findings.snapshot?.folders;
    if (folders === undefined) return undefined;
    const { languageId, uri, fileName } = document;
    const { notebooks } = this.#findings;
    const lines = range && linesOf(range);
    const inReport = lines && isCell(uri) ? notebooks.reportLinesOf(uri, lines.start - 1, lines.end - 1) : lines;
    const answer = await this.#client.call('find', {
      text,
      languageId,
      ...reach,
      limit: maxPassages,
      path: notebooks.pathOfCell(uri) ?? folders.pathOf(uri) ?? fileName,
      lines: inReport,
    });
    if (answer.similar === undefined) {
      if (answer.reason === 'noIndex') return undefined;
      throw new Error(answer.problem);
    }
    const { passages, total, hasNoWindow, leftOut } = answer.similar;
    const files = new Set(passages.map(({ passage }) => passage.path).filter(isNotebookPath));
    await Promise.all(Array.from(files, (path) => notebooks.read(path)));
    const places = passages.map((found): FoundPlace => {
      // The passage may have moved since the report, because of edits.
      const { uri, range } = this.#findings.locationOf(found.passage);
      return { ...found, passage: this.#findings.now(found.passage), uri, range };
    });
    return { places, total, hasNoWindow, leftOut };
  }
}

/** The end of a selection is exclusive. If it is at the beginning of a line, that line is not included. */
function linesOf({ start, end }: vscode.Range): NonNullable<FindParams['lines']> {
  const from = { start: start.line + 1, startColumn: start.character + 1 };
  return end.character > 0
    ? { ...from, end: end.line + 1, endColumn: end.character + 1 }
    : { ...from, end: Math.max(end.line, from.start) };
}
