/**
 * Tracks copies that are edited while the others of their group are unchanged. From the first edit of a copy on, its
 * previous text is kept. After a pause, each other copy is checked: if the same edit could be applied, it is outdated.
 * An edited copy is removed when the user undoes the edit, applies it to the others, or dismisses the hint. All are
 * dropped with the window.
 */
import * as vscode from 'vscode';
import { nextTurn } from '../../../core/collections/threads.ts';
import { canAlign } from '../../../presentation/copies/renaming.ts';
import { transportEdit, type Transported } from '../../../presentation/copies/transportEdit.ts';
import type { Passage } from '../../../core/engine/report/report.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { type Edit, movePassage } from '../findings/passageMoves.ts';
import type { SavedText } from '../findings/savedText.ts';
import type { DiagnosticSettings } from '../settings.ts';
import { sharedLanguages } from '../workspace/languages.ts';
import { isCell, isNotebookPath } from '../workspace/notebooks.ts';
import { severitiesIn } from './marks.ts';

/** Pause after which the user is no longer typing a word. */
const restMs = 700;
/** Maximum number of edited copies; the oldest are dropped. */
const maxEditedCopies = 20;
/** Larger texts are not kept. */
const mostCharacters = 2_000_000;

/** A copy with the old text. */
export interface Outdated {
  readonly uri: vscode.Uri;
  /** All of its lines. */
  readonly passage: Passage;
  readonly transported: Transported;
}

export interface EditedCopy {
  readonly id: number;
  readonly groupId: string;
  readonly uri: vscode.Uri;
  /** All of its lines, at their current position. */
  readonly passage: Passage;
  /** Their text before the first edit. */
  readonly before: string;
  /** First changed line, from zero. */
  readonly firstLine: number;
  /** Empty if there are none, or if they are not known yet. */
  readonly outdated: readonly Outdated[];
  /** True if its document was edited after the last comparison. */
  readonly isStale: boolean;
}

type Remembered = {
  -readonly [Key in keyof EditedCopy]: EditedCopy[Key];
} & {
  /** True if the user edited it: the document differs or differed from the file. */
  isOwn: boolean;
  /** Text when it was first checked after an edit, or when the document was closed; `undefined` after an edit. */
  after: string | undefined;
  readonly others: { readonly uri: vscode.Uri; passage: Passage }[];
};

/** Text before an edit, since VS Code reports edits afterwards, and the copies in it. */
interface Before {
  text: string;
  copies: { readonly groupId: string; readonly place: number; passage: Passage }[];
}

export class EditedCopies implements vscode.Disposable {
  readonly #findings: FindingsModel;
  readonly #text: SavedText;
  readonly #readSettings: () => DiagnosticSettings | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when other copies are known to have the old text, or no longer, and when a known copy becomes stale. */
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;
  /** Texts of visible documents, by URI. */
  readonly #before = new Map<string, Before>();
  #remembered: Remembered[] = [];
  /** State at the last event. A comparison that is overtaken may have changed part of it without one. */
  #reported = '[]';
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;
  #asked = 0;

  /** @param readSettings  returns the marked copies; `undefined` if edits are not tracked */
  constructor(findings: FindingsModel, text: SavedText, readSettings: () => DiagnosticSettings | undefined) {
    this.#findings = findings;
    this.#text = text;
    this.#readSettings = readSettings;
    this.#subscriptions = vscode.Disposable.from(
      findings.onDidChange(() => {
        this.#lookAtAll();
        // The other copies may have changed on disk.
        if (this.#remembered.length > 0 && this.#timer === undefined) this.#askSoon();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#lookAtAll()),
      vscode.workspace.onDidChangeTextDocument((event) => this.#edited(event)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.#before.delete(document.uri.toString());
        const copies = this.#remembered.filter((copy) => isAt(copy, document.uri));
        if (copies.length === 0) return;
        // After a save the hint remains. Unsaved text was discarded.
        const lines = document.getText().split(/\r\n|\r|\n/);
        for (const copy of copies) {
          copy.after = lines.slice(copy.passage.startLine - 1, copy.passage.endLine).join('\n');
        }
        this.#askSoon();
      }),
    );
  }

  /** Returns the copies edited inconsistently with their group. */
  all(): readonly EditedCopy[] {
    return this.#remembered.filter(({ outdated }) => outdated.length > 0);
  }

  byId(id: unknown): EditedCopy | undefined {
    return this.all().find((copy) => copy.id === id);
  }

  /** Returns the edited copy at a line, from zero. */
  at(uri: vscode.Uri, line: number): EditedCopy | undefined {
    return this.all().find(
      (copy) => isAt(copy, uri) && copy.passage.startLine <= line + 1 && line + 1 <= copy.passage.endLine,
    );
  }

  /** Removes a copy: the others intentionally differ. */
  dismiss(id: number): void {
    this.#forget((copy) => copy.id === id);
  }

  /** Checks again with the current settings. */
  settingsChanged(): void {
    if (this.#readSettings() === undefined) this.#forget(() => true);
    this.#lookAtAll();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#asked++;
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  /** Keeps the texts of visible documents with copies. */
  #lookAtAll(): void {
    const settings = this.#readSettings();
    const editors = vscode.window.visibleTextEditors.filter(({ document }) => !isCell(document.uri));
    const seen = new Set(editors.map(({ document }) => document));
    this.#before.clear();
    if (settings === undefined) return;
    for (const document of seen) {
      const severityOf = severitiesIn(document.uri, settings);
      const copies = this.#findings
        .copiesIn(document.uri)
        .filter(({ group }) => severityOf(group) !== undefined)
        .map(({ group, place, passage }) => ({ groupId: group.id, place, passage: this.#findings.now(passage) }));
      if (copies.length === 0) continue;
      const text = document.getText();
      if (text.length <= mostCharacters) this.#before.set(document.uri.toString(), { text, copies });
    }
  }

  #edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const before = this.#before.get(document.uri.toString());
    if (contentChanges.length > 0) {
      this.#remembered = this.#remembered.filter((copy) => copy.isOwn || !isAt(copy, document.uri));
    }
    if (before && contentChanges.length > 0) this.#begin(document.uri, before, contentChanges);
    // The dirty state is reported after the edit. A reload from disk never makes a document dirty.
    const isDirty = document.isDirty || document.isUntitled;
    for (const copy of this.#remembered) {
      if (isAt(copy, document.uri) && (isDirty || contentChanges.length > 0)) copy.isOwn = isDirty;
    }
    if (contentChanges.length === 0) return;
    for (const change of contentChanges) {
      const { range, rangeOffset, rangeLength, text } = change;
      if (before) {
        before.text = before.text.slice(0, rangeOffset) + text + before.text.slice(rangeOffset + rangeLength);
        for (const copy of before.copies) copy.passage = movePassage(copy.passage, { range, text });
      }
      for (const copy of this.#remembered) {
        if (isAt(copy, document.uri)) {
          copy.passage = movePassage(copy.passage, change);
          copy.firstLine = moveLine(copy.firstLine, change);
          copy.isStale = true;
          copy.after = undefined;
        }
        for (const other of copy.others) {
          if (other.uri.toString() === document.uri.toString()) other.passage = movePassage(other.passage, change);
        }
      }
    }
    this.#remembered = this.#remembered.filter(({ passage }) => !isEmpty(passage));
    this.#report();
    if (this.#remembered.length > 0) this.#askSoon();
  }

  /** Starts tracking copies with these first edits. */
  #begin(uri: vscode.Uri, { text, copies }: Before, edits: readonly Edit[]): void {
    let lines: string[] | undefined;
    for (const { range } of edits) {
      if (this.#remembered.some((copy) => isAt(copy, uri) && isInside(range, copy.passage))) continue;
      const touched = copies.flatMap(({ groupId, place, passage }) => {
        const group = this.#findings.groupOf(groupId);
        return group && isInside(range, passage) ? [{ group, place, passage }] : [];
      });
      // Prefers the group with most copies, then the longest.
      touched.sort((x, y) => y.group.passages.length - x.group.passages.length || y.group.lines - x.group.lines);
      const [copy] = touched;
      if (copy === undefined) continue;
      lines ??= text.split(/\r\n|\r|\n/);
      const { startLine, endLine } = copy.passage;
      this.#remembered.push({
        id: ++this.#lastId,
        groupId: copy.group.id,
        uri,
        passage: { ...copy.passage, startColumn: 1, endColumn: (lines[endLine - 1]?.length ?? 0) + 1 },
        before: lines.slice(startLine - 1, endLine).join('\n'),
        firstLine: range.start.line,
        outdated: [],
        isStale: true,
        isOwn: false,
        after: undefined,
        others: copy.group.passages
          // In the file of a notebook, the text is JSON.
          .filter(({ path }, place) => place !== copy.place && !isNotebookPath(path))
          .map((passage) => ({
            uri: this.#findings.uriOf(passage),
            passage: { ...this.#findings.now(passage), startColumn: 1, endColumn: Number.MAX_SAFE_INTEGER },
          })),
      });
      this.#remembered = this.#remembered.slice(-maxEditedCopies);
    }
  }

  #askSoon(): void {
    // A comparison in progress is of older texts.
    this.#asked++;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#ask();
    }, restMs);
  }

  /** Checks the other copies of each edited copy. */
  async #ask(): Promise<void> {
    const asked = ++this.#asked;
    this.#remembered = this.#remembered.filter(({ isOwn }) => isOwn);
    const sharedLanguage = sharedLanguages();
    for (const copy of [...this.#remembered]) {
      const { passage } = copy;
      const after = await this.#linesOf(copy.uri, passage);
      if (asked !== this.#asked) return;
      // Without an edit here, other text means that the file changed on disk, and the copy may be in other lines. An open
      // document reloads it later, if at all.
      copy.after ??= after;
      const isElsewhere = copy.after !== after;
      const outdated: Outdated[] = [];
      for (const other of after === copy.before || isElsewhere ? [] : copy.others) {
        const text = await this.#linesOf(other.uri, other.passage);
        // Yields to the extension host between two copies.
        await nextTurn();
        if (asked !== this.#asked) return;
        if (!canAlign(copy.before, after, text)) continue;
        const transported = transportEdit(copy.before, after, text, sharedLanguage(copy.uri, other.uri));
        if (transported.replacements.length > 0) outdated.push({ ...other, transported });
      }
      const firstDiffering = differsFrom(copy.before.split('\n'), after.split('\n'));
      copy.firstLine = Math.min(passage.startLine - 1 + firstDiffering, passage.endLine - 1);
      copy.outdated = outdated;
      copy.isStale = false;
    }
    this.#remembered = this.#remembered.filter(({ outdated }) => outdated.length > 0);
    this.#report();
  }

  async #linesOf(uri: vscode.Uri, { startLine, endLine }: Passage): Promise<string> {
    return (await this.#text.linesOf(uri, startLine, endLine)).join('\n');
  }

  #forget(which: (copy: EditedCopy) => boolean): void {
    this.#remembered = this.#remembered.filter((copy) => !which(copy));
    this.#report();
  }

  /** Fires if the edited copies have changed since the last event. */
  #report(): void {
    const state = JSON.stringify(
      this.all().map(({ id, firstLine, outdated, isStale }) => [
        ...[id, firstLine, isStale],
        outdated.map(({ passage }) => passage),
      ]),
    );
    if (state === this.#reported) return;
    this.#reported = state;
    this.#changed.fire();
  }
}

function isAt(copy: EditedCopy, uri: vscode.Uri): boolean {
  return copy.uri.toString() === uri.toString();
}

function isInside({ start, end }: vscode.Range, { startLine, endLine }: Passage): boolean {
  return startLine <= start.line + 1 && end.line + 1 <= endLine;
}

/** Returns the number of a line after an edit. */
function moveLine(line: number, { range: { start, end }, text }: Edit): number {
  if (!end.isBeforeOrEqual(new vscode.Position(line, 0))) return line;
  return line + text.split(/\r\n|\r|\n/).length - 1 - (end.line - start.line);
}

function isEmpty({ startLine, startColumn, endLine, endColumn }: Passage): boolean {
  return startLine === endLine && startColumn >= endColumn;
}

/** Returns the first line in which two texts differ. */
function differsFrom(before: readonly string[], after: readonly string[]): number {
  let line = 0;
  while (line < before.length && line < after.length && before[line] === after[line]) line++;
  return line;
}
