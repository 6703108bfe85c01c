/**
 * Find near-duplicates of a text: of the selection, the clipboard, or the symbol at the caret. The worker answers from its
 * index; without one the folders are scanned first.
 */
import type * as vscode from 'vscode';
import type { SimilarPassage, SimilarPassages } from '../../engine/similar/findSimilar.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { FindParams } from '../../protocol/calls.ts';
import { isCell, isNotebookPath } from '../workspace/notebooks.ts';
import type { EngineClient } from '../../client/engineClient.ts';
import { within } from '../../client/within.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { scanWithProgress } from '../status/scanProgress.ts';
import type { ShownPassage } from '../wording.ts';

/** How many passages are shown at most. */
export const most = 500;

/** A text to look for. */
export interface SearchedText {
  readonly text: string;
  /** The document that it is in, or is pasted into: it tells the language. */
  readonly document: vscode.TextDocument;
  /** Where it stands in the document; undefined when it is from elsewhere. */
  readonly range: vscode.Range | undefined;
  /** What it is called: "the selection", the name of a symbol. */
  readonly name: string;
}

/** How far is looked; what is not given is as in the settings. */
export interface Reach {
  readonly maxDistance?: number;
  readonly minSimilarity?: number;
}

/** A passage that was found, where VS Code has it. */
export interface FoundPlace extends SimilarPassage {
  readonly passage: ShownPassage;
  readonly uri: vscode.Uri;
  /** Told beside the name of the file where that says too little: the repository, and the folder in it. */
  readonly where?: string;
  readonly range: vscode.Range;
}

export interface FoundPlaces extends Pick<SimilarPassages, 'total' | 'hasNoWindow' | 'leftOut'> {
  readonly places: readonly FoundPlace[];
}

export class SimilarSearch {
  /** Whether it can be asked for a number of differing bits. */
  readonly takesDistance: boolean = true;
  readonly #client: EngineClient;
  readonly #scanner: Scanner;
  readonly #findings: FindingsModel;

  constructor(client: EngineClient, scanner: Scanner, findings: FindingsModel) {
    this.#client = client;
    this.#scanner = scanner;
    this.#findings = findings;
  }

  /** Whether there are folders to search. */
  get hasFolders(): boolean {
    return this.#scanner.hasFolders;
  }

  /** The near-duplicates of a text; undefined when there is no index, and none can be made. */
  async find(searched: SearchedText, reach: Reach = {}): Promise<FoundPlaces | undefined> {
    if (this.#findings.snapshot === undefined) await scanWithProgress(this.#scanner, () => this.#scanner.scan());
    const found = await this.#ask(searched, reach);
    if (found !== undefined) return found;
    // The last scan was stopped, or its worker has ended.
    await scanWithProgress(this.#scanner, () => this.#scanner.scan());
    return this.#ask(searched, reach);
  }

  /** The same for something that nobody has asked for: undefined unless the answer is there at once. */
  async glance(searched: SearchedText, withinMs: number): Promise<FoundPlaces | undefined> {
    if (this.#findings.snapshot === undefined || this.#scanner.state.type !== 'idle') return undefined;
    const found = this.#ask(searched, {}).catch(() => undefined);
    return within(found, withinMs, () => undefined);
  }

  async #ask({ text, document, range }: SearchedText, reach: Reach): Promise<FoundPlaces | undefined> {
    const folders = this.#findings.snapshot?.folders;
    if (folders === undefined) return undefined;
    const { languageId, uri, fileName } = document;
    const { notebooks } = this.#findings;
    const lines = range && linesOf(range);
    const inReport = lines && isCell(uri) ? notebooks.reportLinesOf(uri, lines.start - 1, lines.end - 1) : lines;
    const answer = await this.#client.find({
      ...{ text, languageId, ...reach, most },
      path: notebooks.pathOfCell(uri) ?? folders.pathOf(uri) ?? fileName,
      ...(inReport && { lines: inReport }),
    });
    if (answer.similar === undefined) {
      if (answer.reason === 'noIndex') return undefined;
      throw new Error(answer.problem);
    }
    const { passages, total, hasNoWindow, leftOut } = answer.similar;
    const files = new Set(passages.map(({ passage }) => passage.path).filter(isNotebookPath));
    await Promise.all(Array.from(files, (path) => notebooks.read(path)));
    const places = passages.map((found): FoundPlace => {
      // A passage that lines were put in above since is where these have moved it.
      const { uri, range } = this.#findings.locationOf(found.passage);
      return { ...found, passage: this.#findings.now(found.passage), uri, range };
    });
    return { places, total, hasNoWindow, leftOut };
  }
}

/** A selection that ends before the first character of a line has nothing of it. */
function linesOf({ start, end }: vscode.Range): NonNullable<FindParams['lines']> {
  const from = { start: start.line + 1, startColumn: start.character + 1 };
  return end.character > 0
    ? { ...from, end: end.line + 1, endColumn: end.character + 1 }
    : { ...from, end: Math.max(end.line, from.start) };
}
