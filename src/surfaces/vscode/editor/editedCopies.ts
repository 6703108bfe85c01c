/**
 * Finds copies that the user has edited while the other copies of their group stayed the same ("inconsistent edits").
 *
 * When the user first edits a copy, its text before the edit is saved. After each pause in typing, the other copies are
 * searched for this old text. A copy that still contains the old text is outdated: the same edit could be applied to
 * it. An edited copy is dropped when the user undoes the edit, applies it to the other copies, or dismisses the hint.
 * Nothing is kept after the window closes.
 */
import * as vscode from 'vscode';
import { nextTurn } from '../../../core/collections/threads.ts';
import { canAlign } from '../../../presentation/copies/renaming.ts';
import { transportEdit, type TransportedEdit } from '../../../presentation/copies/transportEdit.ts';
import type { Passage } from '../../../core/engine/report/report.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { type Edit, movePassage } from '../findings/passageMoves.ts';
import type { SavedText } from '../findings/savedText.ts';
import type { DiagnosticSettings } from '../settings.ts';
import { sharedLanguages } from '../workspace/languages.ts';
import { isCell, isNotebookPath } from '../workspace/notebooks.ts';
import { severitiesIn } from './markedCopies.ts';
import { Subscriber } from '../subscriber.ts';

/** Pause in typing, in milliseconds, after which the copies are compared. */
const restMs = 1000;
const maxEditedCopies = 20;
/** Maximum number of characters of a document whose text is saved. */
const maxCharacters = 2_000_000;

/** A copy that still contains the old text. */
export interface OutdatedCopy {
  readonly uri: vscode.Uri;
  /** Range of the complete copy. */
  readonly passage: Passage;
  readonly transported: TransportedEdit;
}

export interface EditedCopy {
  readonly id: number;
  readonly groupId: string;
  readonly uri: vscode.Uri;
  /** Current lines of the complete copy. */
  readonly passage: Passage;
  /** Text of the copy before the first edit. */
  readonly before: string;
  /** Line number, counted from 0, of the first changed line. */
  readonly firstLine: number;
  /** Copies that still contain the old text. Empty if there are none, or if the search has not finished. */
  readonly outdated: readonly OutdatedCopy[];
  /** True if the document was edited after the last search. */
  readonly isStale: boolean;
}

type RememberedCopy = {
  -readonly [Key in keyof EditedCopy]: EditedCopy[Key];
} & {
  /** True if the user made the edit in an editor: the document differs from its file, or did before it was saved. */
  isOwn: boolean;
  /** Text of the copy when it was first compared after an edit, or closed; `undefined` before the comparison. */
  after: string | undefined;
  readonly others: { readonly uri: vscode.Uri; passage: Passage }[];
};

/** Text of a document and its copies before an edit, saved in advance: VS Code reports edits only afterwards. */
interface EarlierText {
  text: string;
  copies: { readonly groupId: string; readonly place: number; passage: Passage }[];
}

export class EditedCopies extends Subscriber {
  readonly #findings: FindingsModel;
  readonly #text: SavedText;
  readonly #readSettings: () => DiagnosticSettings | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the outdated copies of an edited copy have changed, or when `isStale` becomes true. */
  readonly onDidChange = this.#changed.event;
  /** Text and copies of each visible document, by URI. */
  readonly #before = new Map<string, EarlierText>();
  #remembered: RememberedCopy[] = [];
  /** State at the last event, as JSON, to compare: a canceled comparison may change it without an event. */
  #reported = '[]';
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastComparison = 0;

  /** @param readSettings  returns the settings that select the copies to mark; `undefined` if the feature is off */
  constructor(findings: FindingsModel, text: SavedText, readSettings: () => DiagnosticSettings | undefined) {
    super();
    this.#findings = findings;
    this.#text = text;
    this.#readSettings = readSettings;
    this.own(
      { dispose: () => clearTimeout(this.#timer) },
      { dispose: () => this.#lastComparison++ },
      findings.onDidChange(() => {
        this.#saveTexts();
        // Files with the other copies may have changed on disk.
        if (this.#remembered.length > 0 && this.#timer === undefined) this.#compareSoon();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#saveTexts()),
      vscode.workspace.onDidChangeTextDocument((event) => this.#edited(event)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#saved(uri)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.#before.delete(document.uri.toString());
        const copies = this.#remembered.filter((copy) => isAt(copy, document.uri));
        if (copies.length === 0) return;
        // The later comparison compares this text with the file. After a save, they are equal and the hint stays. If
        // unsaved changes were discarded, they differ.
        const lines = document.getText().split(/\r\n|\r|\n/);
        for (const copy of copies) {
          copy.after = lines.slice(copy.passage.startLine - 1, copy.passage.endLine).join('\n');
        }
        this.#compareSoon();
      }),
      this.#changed,
    );
  }

  /**
   * Returns the edited copies that have outdated copies. The edited copy with the most outdated copies comes first. If
   * an edited text is a copy in several groups, returns only the edited copy with the most outdated copies.
   */
  all(): readonly EditedCopy[] {
    const found = this.#remembered
      .filter(({ outdated }) => outdated.length > 0)
      .sort((x, y) => y.outdated.length - x.outdated.length);
    return found.filter((copy, at) => found.findIndex((other) => isSameEdit(other, copy)) === at);
  }

  byId(id: unknown): EditedCopy | undefined {
    return this.all().find((copy) => copy.id === id);
  }

  /** Returns the edited copy that contains a line, counted from 0. Prefers the one whose hint is on this line. */
  at(uri: vscode.Uri, line: number): EditedCopy | undefined {
    const here = this.all().filter(
      (copy) => isAt(copy, uri) && copy.passage.startLine <= line + 1 && line + 1 <= copy.passage.endLine,
    );
    return here.find(({ firstLine }) => firstLine === line) ?? here[0];
  }

  /** Forgets an edited copy, in all of its groups, because the user wants it to differ from the others. */
  dismiss(id: number): void {
    const dismissed = this.byId(id);
    if (dismissed) this.#forget((copy) => isSameEdit(copy, dismissed));
  }

  /** Compares all edited copies again, with the current settings. */
  settingsChanged(): void {
    if (this.#readSettings() === undefined) this.#forget(() => true);
    this.#saveTexts();
  }

  /** Saves the texts of all visible documents that contain copies. */
  #saveTexts(): void {
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
      if (text.length <= maxCharacters) this.#before.set(document.uri.toString(), { text, copies });
    }
  }

  #edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const before = this.#before.get(document.uri.toString());
    if (contentChanges.length > 0) {
      this.#remembered = this.#remembered.filter((copy) => copy.isOwn || !isAt(copy, document.uri));
    }
    if (before && contentChanges.length > 0) this.#begin(document.uri, before, contentChanges);
    // VS Code sets `isDirty` only after it has reported the edit, and never when a file is reloaded from disk.
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
    if (this.#remembered.length > 0) this.#compareSoon();
  }

  /**
   * Compares the copies in a saved file again. While VS Code saves a file, it reports an edited document as unchanged,
   * so a comparison may have read the file without the last edits.
   */
  #saved(uri: vscode.Uri): void {
    const copies = this.#remembered.filter((copy) => isAt(copy, uri));
    for (const copy of copies) copy.after = undefined;
    if (copies.length > 0) this.#compareSoon();
  }

  /** Starts to remember the copies that the given edits are the first to change, once for each of their groups. */
  #begin(uri: vscode.Uri, { text, copies }: EarlierText, edits: readonly Edit[]): void {
    let lines: string[] | undefined;
    for (const { range } of edits) {
      const rememberedCopies = this.#remembered.filter((copy) => isAt(copy, uri) && isInside(range, copy.passage));
      const shortest = Math.min(...rememberedCopies.map(({ passage }) => lineCountOf(passage)));
      const touched = copies.flatMap(({ groupId, place, passage }) => {
        // An earlier edit has already changed this copy and longer ones around it, but not shorter ones.
        const isFirst = isInside(range, passage) && lineCountOf(passage) < shortest;
        const group = isFirst ? this.#findings.groupOf(groupId) : undefined;
        return group ? [{ group, place, passage }] : [];
      });
      for (const { group, place, passage } of touched) {
        lines ??= text.split(/\r\n|\r|\n/);
        const { startLine, endLine } = passage;
        this.#remembered.push({
          id: ++this.#lastId,
          groupId: group.id,
          uri,
          passage: { ...passage, startColumn: 1, endColumn: (lines[endLine - 1]?.length ?? 0) + 1 },
          before: lines.slice(startLine - 1, endLine).join('\n'),
          firstLine: range.start.line,
          outdated: [],
          isStale: true,
          isOwn: false,
          after: undefined,
          others: group.passages
            // Notebook files are JSON, which does not contain the cells' text in its plain form.
            .filter(({ path }, other) => other !== place && !isNotebookPath(path))
            .map((other) => ({
              uri: this.#findings.uriOf(other),
              passage: { ...this.#findings.now(other), startColumn: 1, endColumn: Number.MAX_SAFE_INTEGER },
            })),
        });
      }
      this.#remembered = this.#remembered.slice(-maxEditedCopies);
    }
  }

  #compareSoon(): void {
    // Stop a comparison in progress, because it uses older texts.
    this.#lastComparison++;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#compareCopies();
    }, restMs);
  }

  /** Searches the other copies of all edited copies for the old text. */
  async #compareCopies(): Promise<void> {
    const comparison = ++this.#lastComparison;
    this.#remembered = this.#remembered.filter(({ isOwn }) => isOwn);
    const sharedLanguage = sharedLanguages();
    for (const copy of [...this.#remembered]) {
      const { passage } = copy;
      const after = await this.#linesOf(copy.uri, passage);
      if (comparison !== this.#lastComparison) return;
      // If there was no edit in the editor, a different text means that the file has changed on disk, so the copy may
      // be on other lines. VS Code reloads an open document later, or not at all if it has unsaved changes.
      copy.after ??= after;
      const isElsewhere = copy.after !== after;
      const outdated: OutdatedCopy[] = [];
      for (const other of after === copy.before || isElsewhere ? [] : copy.others) {
        const text = await this.#linesOf(other.uri, other.passage);
        // Let the extension host process other events before the next copy.
        await nextTurn();
        if (comparison !== this.#lastComparison) return;
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

  /** Fires the event if anything has changed since the last event. */
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

/** Returns true if two edited copies are the same text, in different groups. */
function isSameEdit(one: EditedCopy, other: EditedCopy): boolean {
  return isAt(one, other.uri) && one.firstLine === other.firstLine;
}

function lineCountOf({ startLine, endLine }: Passage): number {
  return endLine - startLine + 1;
}

function isInside({ start, end }: vscode.Range, { startLine, endLine }: Passage): boolean {
  return startLine <= start.line + 1 && end.line + 1 <= endLine;
}

/** Returns where a line is after an edit. */
function moveLine(line: number, { range: { start, end }, text }: Edit): number {
  if (!end.isBeforeOrEqual(new vscode.Position(line, 0))) return line;
  return line + text.split(/\r\n|\r|\n/).length - 1 - (end.line - start.line);
}

function isEmpty({ startLine, startColumn, endLine, endColumn }: Passage): boolean {
  return startLine === endLine && startColumn >= endColumn;
}

/** Returns the index of the first line that differs. */
function differsFrom(before: readonly string[], after: readonly string[]): number {
  let line = 0;
  while (line < before.length && line < after.length && before[line] === after[line]) line++;
  return line;
}
