/** Holds the findings of all views, until a new report replaces them. Views read them and listen for events. */
import * as vscode from 'vscode';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { insideOf, pairText } from '../../../presentation/wording/likeness.ts';
import { siblingAt } from '../../../presentation/wording/siblings.ts';
import { withoutNested } from '../../../presentation/wording/occurrences.ts';
import { isCell } from '../workspace/notebooks.ts';
import { KnownCopies } from './knownCopies.ts';
import { NotebookPlaces, type NotebookText } from './notebookPlaces.ts';
import { PassageMoves } from './passageMoves.ts';
import type { Copy } from '../../../session/client/report.ts';
import { haveSameRows, type Snapshot } from './snapshot.ts';
import { insideText, type ShownPassage } from '../wording.ts';
import '../translations.ts';

export class FindingsModel implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when `snapshot` has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #rowsChanged = new vscode.EventEmitter<void>();
  /**
   * Fires after `onDidChange` if the rows of groups have changed. Views refresh only then, because during a refresh VS
   * Code does not know the rows of the view: it ignores keys and commands on them, and a row that is being expanded
   * stays empty.
   */
  readonly onDidChangeRows = this.#rowsChanged.event;
  /** Positions of passages in notebook cells. */
  readonly notebooks = new NotebookPlaces();
  readonly #moves = new PassageMoves(this.notebooks);
  readonly #moved = new vscode.EventEmitter<readonly vscode.Uri[]>();
  /**
   * Fires with the documents in which passages have moved, 250 ms after an edit, or were assigned to notebook cells. To
   * react to the edit itself, use `onDidChangeTextDocument`, as `EditedCopies` does.
   */
  readonly onDidMove = this.#moved.event;
  readonly #subscriptions = vscode.Disposable.from(
    this.#moves.onDidMove((documents) => this.#moved.fire(documents)),
    this.notebooks.onDidPlace((documents) => this.#moved.fire(documents)),
  );
  #report: Snapshot | undefined;
  /** First rows of a scan. They are displayed until its report arrives. */
  #first: Snapshot | undefined;
  /** Findings for other settings, displayed in place of the report. */
  #preview: Snapshot | undefined;
  /** Copies that do not count as new: from before the window opened, or a setting last changed the findings. */
  #knownCopies: KnownCopies | undefined;
  #newRows = 0;
  /** Snapshot, and ids of the new groups, at the time when `onDidChangeRows` last fired. */
  #rows: { readonly snapshot: Snapshot; readonly news: string } | undefined;
  /** Ids of the groups that are in no baseline; `undefined` if there is no baseline. */
  #unknown: ReadonlySet<string> | undefined;
  /** Displayed groups, by id. */
  #byId: ReadonlyMap<string, Group> = new Map();

  /** Findings in the Duplicates view: the report, a preview, or the first rows of a scan; `undefined` before. */
  get snapshot(): Snapshot | undefined {
    return this.#preview ?? this.#report ?? this.#first;
  }

  /** The last report, even while a preview is displayed. `undefined` before it, even if there are first rows. */
  get report(): Snapshot | undefined {
    return this.#report;
  }

  /** True if the views display a preview instead of the report. */
  get isPreview(): boolean {
    return this.#preview !== undefined;
  }

  /** Same as `snapshot`, but `undefined` while only the first rows of a scan are displayed. */
  get settled(): Snapshot | undefined {
    return this.areFirst ? undefined : this.snapshot;
  }

  /**
   * True if only the first rows of a scan are displayed. They do not have all copies, so editors are not marked, and
   * commands that change something wait for the report.
   */
  get areFirst(): boolean {
    return this.#report === undefined && this.#first !== undefined;
  }

  get groups(): readonly Group[] {
    return this.snapshot?.findings.groups ?? [];
  }

  get fileGroups(): readonly Group[] {
    return this.snapshot?.fileGroups ?? [];
  }

  /** Number of top-level rows with groups that are new or have changed since the first complete report. */
  get newRows(): number {
    return this.#newRows;
  }

  /** True if a group is new or has changed since the first complete report. */
  isNew(group: Group): boolean {
    return this.#preview === undefined && this.#isNews(group);
  }

  /** Returns true if no baseline contains the group with as many copies. Always true without a baseline. */
  isUnknown({ id }: Group): boolean {
    return this.#unknown?.has(id) !== false;
  }

  /**
   * Replaces the report, unless the current one is newer. Returns true if it was replaced.
   *
   * @param texts  notebooks whose scanned text differs from their file, by path
   */
  replace(snapshot: Snapshot, texts: ReadonlyMap<string, NotebookText> = new Map()): boolean {
    if (this.#report !== undefined && snapshot.generation <= this.#report.generation) return false;
    // A scan that was stopped has found less than its first rows.
    if (this.areFirst && !snapshot.findings.complete) return false;
    this.#preview = undefined;
    this.notebooks.show(snapshot, texts);
    this.#moves.switchToReport(snapshot);
    if (snapshot.findings.complete) this.#knownCopies ??= new KnownCopies(snapshot.found.all);
    this.#take(snapshot);
    return true;
  }

  /** Displays the first rows of a scan, unless there is a report. Returns true if they are displayed. */
  showFirst(snapshot: Snapshot, texts: ReadonlyMap<string, NotebookText> = new Map()): boolean {
    if (this.#report !== undefined) return false;
    this.notebooks.show(snapshot, texts);
    this.#moves.switchToReport(snapshot);
    this.#first = snapshot;
    this.#useBaseline(snapshot);
    this.#show();
    return true;
  }

  /** Replaces the report with the same report after groups were ignored, or are no longer ignored. */
  judge(report: Snapshot): void {
    if (this.#report?.generation === report.generation) this.#take(report);
  }

  /**
   * Displays findings for other settings in all views, computed from the texts of the last report. `undefined` ends the
   * preview; the next report does so, too.
   */
  preview(snapshot: Snapshot | undefined): void {
    if (this.#report === undefined || snapshot === this.#preview) return;
    this.#preview = snapshot;
    this.notebooks.show(snapshot ?? this.#report);
    this.#moves.show(snapshot ?? this.#report);
    this.#show();
  }

  /**
   * Makes all groups of the next report count as not new. Called when a setting changes, because the setting and not an
   * edit causes them. If no report follows because nothing has changed, `stay` applies this to the current report.
   */
  forgetNews(): void {
    this.#knownCopies = undefined;
  }

  /** Handles the end of a scan that changed nothing: treats the current report as its result. */
  stay(): void {
    if (this.#knownCopies !== undefined || this.#report?.findings.complete !== true) return;
    this.#knownCopies = new KnownCopies(this.#report.found.all);
    this.#take(this.#report);
  }

  /** Returns a group by id, even if it is ignored. */
  foundGroup(id: string): Group | undefined {
    return (this.#report ?? this.#first)?.found.all.find((group) => group.id === id);
  }

  groupOf(id: string): Group | undefined {
    const isIt = (group: Group): boolean => group.id === id;
    return this.groups.find(isIt) ?? this.fileGroups.find(isIt);
  }

  /** Returns true if a group of passages has its own row: it is nested in no group, or only in whole files. */
  isRow({ kind, parent }: Group): boolean {
    return kind !== 'file' && (parent === undefined || this.#byId.get(parent)?.kind === 'file');
  }

  /** Returns the outermost group around a group, in whose row it is displayed; the group itself if there is none. */
  rowOf(group: Group): Group {
    const around = group.parent === undefined ? undefined : this.#byId.get(group.parent);
    return around === undefined ? group : this.rowOf(around);
  }

  /**
   * Must be called when a report is requested. The report will not reflect later edits, so these must still be applied
   * to the positions of its passages.
   */
  reportRequested(): void {
    this.#moves.reportRequested();
  }

  requestEnded(): void {
    this.#moves.requestEnded();
  }

  /** Returns a passage at its current position, after all edits since the report, with its notebook cells. */
  now(passage: Passage): ShownPassage {
    const pieces = this.notebooks.piecesOf(passage);
    if (pieces.length === 0) return this.#moves.now(passage);
    const [first, last] = [pieces[0]!, pieces.at(-1)!];
    const cells = {
      first: first.cell,
      startLine: this.#moves.now(first.place).startLine,
      last: last.cell,
      endLine: this.#moves.now(last.place).endLine,
    };
    return { ...passage, cells };
  }

  /** Returns the current location of a passage's beginning. In an open notebook, this is a location in a cell. */
  locationOf(passage: Passage): vscode.Location {
    const piece = this.notebooks.piecesOf(passage).find(({ uri }) => uri !== undefined);
    return piece?.uri === undefined
      ? new vscode.Location(this.uriOf(passage), zeroBased(this.#moves.now(passage)))
      : new vscode.Location(piece.uri, zeroBased(this.#moves.now(piece.place)));
  }

  /** Returns the current range of a passage, or of its part in a notebook cell, in a document, from 0. */
  rangeIn(document: vscode.Uri, passage: Passage): vscode.Range {
    return zeroBased(this.#placeIn(document, passage));
  }

  /** Returns the copies in a file or notebook cell by line, except whole files. Empty before the first report. */
  copiesIn(uri: vscode.Uri): readonly Copy[] {
    const copies = this.#membersIn(uri, 'copies');
    const placeOf = ({ passage }: Copy): Passage => this.#placeIn(uri, passage);
    return [...copies].sort((left, right) => byLine(placeOf(left), placeOf(right)));
  }

  /** Returns the copies around a line, from 0, of a file or notebook cell: shortest first, whole file last. */
  copiesAt(uri: vscode.Uri, line: number): Copy[] {
    const placeOf = ({ passage }: Copy): Passage => this.#placeIn(uri, passage);
    return [...this.copiesIn(uri), ...this.#membersIn(uri, 'fileCopies')]
      .filter((copy) => placeOf(copy).startLine <= line + 1 && line + 1 <= placeOf(copy).endLine)
      .sort((left, right) => length(left.passage) - length(right.passage));
  }

  /**
   * Returns the copies that views list for a file: those of groups with their own row, and those of nested groups where
   * the group around them has no copy. Whole files come first; the order of the others is undefined.
   */
  occurrencesIn(path: string): readonly Copy[] {
    const fileCopies = this.snapshot?.fileCopies.get(path)?.filter(({ group }) => group.parent === undefined);
    const copies = withoutNested(this.snapshot?.copies.get(path) ?? [], (group) => this.isRow(group));
    return [...(fileCopies ?? []), ...copies];
  }

  uriOf(passage: Passage): vscode.Uri {
    if (this.snapshot === undefined) throw new Error('There is no report to read the path with.');
    return this.snapshot.folders.uriOf(passage.path);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.notebooks.dispose();
    this.#moves.dispose();
    this.#moved.dispose();
    this.#rowsChanged.dispose();
    this.#changed.dispose();
  }

  #take(report: Snapshot): void {
    this.#report = report;
    this.#first = undefined;
    this.#useBaseline(report);
    this.#newRows = rowsOf(report.all, (group) => this.#isNews(group)).size;
    this.#show();
  }

  #useBaseline({ judgement: { unknown } }: Snapshot): void {
    this.#unknown = unknown && new Set(unknown);
  }

  #isNews(group: Group): boolean {
    return this.#knownCopies?.has(group) === false;
  }

  #show(): void {
    const snapshot = this.snapshot!;
    this.#byId = new Map(snapshot.all.map((group) => [group.id, group]));
    this.#changed.fire();
    const news = this.#newIdsIn(snapshot);
    // Names of rows may depend on lines outside the passage, so an edit may have changed them.
    const hasEdits = this.#moves.takeEdits();
    const before = this.#rows;
    this.#rows = { snapshot, news };
    if (before?.news !== news || hasEdits || !haveSameRows(before.snapshot, snapshot)) this.#rowsChanged.fire();
  }

  #newIdsIn({ all }: Snapshot): string {
    return all
      .filter((group) => this.isNew(group))
      .map(({ id }) => id)
      .join();
  }

  #membersIn(uri: vscode.Uri, kind: 'copies' | 'fileCopies'): readonly Copy[] {
    if (this.areFirst) return [];
    const path = this.notebooks.pathOfCell(uri) ?? this.snapshot?.folders.pathOf(uri);
    const members = (path === undefined ? undefined : this.snapshot?.[kind].get(path)) ?? [];
    return isCell(uri) ? members.filter(({ passage }) => this.notebooks.pieceIn(uri, passage) !== undefined) : members;
  }

  #placeIn(uri: vscode.Uri, passage: Passage): Passage {
    return this.#moves.now((isCell(uri) && this.notebooks.pieceIn(uri, passage)?.place) || passage);
  }
}

/** A group, and the indices of two of its copies. */
export type CopyPair = readonly [group: Group, left: number, right: number];

/** Describes the similarity of two copies: "renamed, 94% similar", or "96% of a.md is in b.md" for containment. */
export function likeness(group: Group, a: number, b: number): string {
  const inside = insideOf(group);
  return inside ? insideText(inside) : pairText(siblingAt({ group, place: a }, b));
}

/** Returns the ids of the top-level groups that are among the given groups or contain one of them. */
function rowsOf(groups: readonly Group[], isWanted: (group: Group) => boolean): ReadonlySet<string> {
  const parents = new Map(groups.map(({ id, parent }) => [id, parent]));
  return new Set(
    groups.filter(isWanted).map(({ id }) => {
      let row = id;
      for (let parent = parents.get(row); parent !== undefined; parent = parents.get(row)) row = parent;
      return row;
    }),
  );
}

function zeroBased({ startLine, startColumn, endLine, endColumn }: Passage): vscode.Range {
  return new vscode.Range(startLine - 1, startColumn - 1, endLine - 1, endColumn - 1);
}

function length({ startLine, endLine }: Passage): number {
  return endLine - startLine;
}

export function byLine(left: Passage, right: Passage): number {
  return left.startLine - right.startLine || left.startColumn - right.startColumn;
}
