/**
 * The model behind every view: the last findings, replaced whole. Views read it and listen to it, and keep no copy.
 */
import * as vscode from 'vscode';
import type { Group, Passage } from '../../engine/report/report.ts';
import { insideOf } from '../../wording/likeness.ts';
import { withoutNested } from '../../client/occurrences.ts';
import { isCell } from '../workspace/notebooks.ts';
import { KnownCopies } from './knownCopies.ts';
import { NotebookPlaces, type NotebookText } from './notebookPlaces.ts';
import { PassageMoves } from './passageMoves.ts';
import { type Copy, judgedReport } from '../../client/report.ts';
import type { Judgement } from '../../protocol/judgement.ts';
import type { Snapshot } from './snapshot.ts';
import { insideText, percent, type ShownPassage } from '../wording.ts';

export class FindingsModel implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires after `snapshot` has changed. */
  readonly onDidChange = this.#changed.event;
  /** Where passages are in the cells of notebooks. */
  readonly notebooks = new NotebookPlaces();
  readonly #moves = new PassageMoves(this.notebooks);
  readonly #moved = new vscode.EventEmitter<readonly vscode.Uri[]>();
  /** Fires when passages are at other lines, since they were edited, or came to a cell: with their documents. */
  readonly onDidMove = this.#moved.event;
  readonly #subscriptions = vscode.Disposable.from(
    this.#moves.onDidMove((documents) => this.#moved.fire(documents)),
    this.notebooks.onDidPlace((documents) => this.#moved.fire(documents)),
  );
  #report: Snapshot | undefined;
  /** What is shown in its place. */
  #preview: Snapshot | undefined;
  /** What was there when the window opened, or when the settings last changed what is found. */
  #known: KnownCopies | undefined;
  #newRows = 0;
  /** The ids of groups that no baseline knows; undefined without a baseline. */
  #unknown: ReadonlySet<string> | undefined;
  /** The ids of the groups of whole files. */
  #fileIds: ReadonlySet<string> = new Set();

  /** What is shown: the last report, or the preview of another one; undefined until there is a report. */
  get snapshot(): Snapshot | undefined {
    return this.#preview ?? this.#report;
  }

  /** The last report; undefined until there is one. */
  get report(): Snapshot | undefined {
    return this.#report;
  }

  /** Whether something else than the last report is shown. */
  get isPreview(): boolean {
    return this.#preview !== undefined;
  }

  get groups(): readonly Group[] {
    return this.snapshot?.findings.groups ?? [];
  }

  /** The groups of whole files. */
  get fileGroups(): readonly Group[] {
    return this.snapshot?.fileGroups ?? [];
  }

  /** How many rows are new or changed since the first complete report, or have something in them that is. */
  get newRows(): number {
    return this.#newRows;
  }

  /** Whether a group is new or changed since then. */
  isNew(group: Group): boolean {
    return this.#preview === undefined && this.#isNews(group);
  }

  /** Whether the baselines of the folders do not know a group, or not with so many copies. Without a baseline nothing is known. */
  isUnknown({ id }: Group): boolean {
    return this.#unknown?.has(id) !== false;
  }

  /**
   * Takes a report unless a newer one is here already. Returns whether it was taken.
   *
   * @param texts  the notebooks of which it was made of something else than their files, by path
   */
  replace(snapshot: Snapshot, texts: ReadonlyMap<string, NotebookText> = new Map()): boolean {
    if (this.#report !== undefined && snapshot.generation <= this.#report.generation) return false;
    this.#preview = undefined;
    this.notebooks.show(snapshot, texts);
    this.#moves.take(snapshot);
    if (snapshot.findings.complete) this.#known ??= new KnownCopies(snapshot.found.all);
    this.#take(snapshot);
    return true;
  }

  /** Takes what is ignored of a report from now on, unless there is another report. */
  judge(generation: number, judgement: Judgement): void {
    const report = this.#report;
    if (report?.generation !== generation || report.judgement === judgement) return;
    this.#take({ ...judgedReport(report, judgement), folders: report.folders });
  }

  /**
   * Shows what other settings would find in the texts of the last report, in every view; undefined shows the report again. The
   * next report ends it.
   */
  preview(snapshot: Snapshot | undefined): void {
    if (this.#report === undefined || snapshot === this.#preview) return;
    this.#preview = snapshot;
    this.notebooks.show(snapshot ?? this.#report);
    this.#moves.show(snapshot ?? this.#report);
    this.#show();
  }

  /**
   * Calls everything known that the next report holds, or this one when nothing has changed (`stay`): what a changed setting
   * brings up is not news.
   */
  forgetNews(): void {
    this.#known = undefined;
  }

  /** Takes the report for what a scan would find now. */
  stay(): void {
    if (this.#known !== undefined || this.#report?.findings.complete !== true) return;
    this.#known = new KnownCopies(this.#report.found.all);
    this.#take(this.#report);
  }

  /** A group, be it ignored. */
  foundGroup(id: string): Group | undefined {
    return this.#report?.found.all.find((group) => group.id === id);
  }

  groupOf(id: string): Group | undefined {
    const isIt = (group: Group): boolean => group.id === id;
    return this.groups.find(isIt) ?? this.fileGroups.find(isIt);
  }

  /** Whether a group of passages is a row of its own, at most below whole files: it is in no other group of passages. */
  isRow({ kind, parent }: Group): boolean {
    return kind !== 'file' && (parent === undefined || this.#fileIds.has(parent));
  }

  /** A report is asked for: what is edited from now on is moved in it as well. */
  reportAsked(): void {
    this.#moves.reportAsked();
  }

  reportAnswered(): void {
    this.#moves.reportAnswered();
  }

  /** A passage of the report where it is now: it moves with its text as that is edited. In notebooks with its cells. */
  now(passage: Passage): ShownPassage {
    const pieces = this.notebooks.piecesOf(passage);
    if (pieces.length === 0) return this.#moves.now(passage);
    const [first, last] = [pieces[0]!, pieces.at(-1)!];
    const cells = {
      ...{ first: first.cell, startLine: this.#moves.now(first.place).startLine },
      ...{ last: last.cell, endLine: this.#moves.now(last.place).endLine },
    };
    return { ...passage, cells };
  }

  /** Where VS Code shows the beginning of a passage now: in a notebook that is open, the part of it in its first cell. */
  locationOf(passage: Passage): vscode.Location {
    const piece = this.notebooks.piecesOf(passage).find(({ uri }) => uri !== undefined);
    return piece?.uri === undefined
      ? new vscode.Location(this.uriOf(passage), zeroBased(this.#moves.now(passage)))
      : new vscode.Location(piece.uri, zeroBased(this.#moves.now(piece.place)));
  }

  /** All of a passage in a document where it is now, in zero-based positions of VS Code: of a cell what is in that. */
  rangeIn(document: vscode.Uri, passage: Passage): vscode.Range {
    return zeroBased(this.#placeIn(document, passage));
  }

  /** The copies in a file, or in a cell, in the order of its lines. The file as a whole is none. */
  copiesIn(uri: vscode.Uri): readonly Copy[] {
    const copies = this.#membersIn(uri, 'copies');
    const placeOf = ({ passage }: Copy): Passage => this.#placeIn(uri, passage);
    return [...copies].sort((left, right) => byLine(placeOf(left), placeOf(right)));
  }

  /** The copies at a line of a file, or of a cell, counted from zero: the shortest first, so the file as a whole last. */
  copiesAt(uri: vscode.Uri, line: number): Copy[] {
    const placeOf = ({ passage }: Copy): Passage => this.#placeIn(uri, passage);
    return [...this.copiesIn(uri), ...this.#membersIn(uri, 'wholes')]
      .filter((copy) => placeOf(copy).startLine <= line + 1 && line + 1 <= placeOf(copy).endLine)
      .sort((left, right) => length(left.passage) - length(right.passage));
  }

  /**
   * By what a file is told to repeat others: the copies of rows in it, and others where no row has one. Those of the file as a
   * whole come first; in no other order.
   */
  occurrencesIn(path: string): readonly Copy[] {
    const wholes = this.snapshot?.wholes.get(path)?.filter(({ group }) => group.parent === undefined);
    const copies = withoutNested(this.snapshot?.copies.get(path) ?? [], (group) => this.isRow(group));
    return [...(wholes ?? []), ...copies];
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
    this.#changed.dispose();
  }

  #take(report: Snapshot): void {
    this.#report = report;
    const { unknown } = report.judgement;
    this.#unknown = unknown && new Set(unknown);
    this.#newRows = rowsOf(report.all, (group) => this.#isNews(group)).size;
    this.#show();
  }

  #isNews(group: Group): boolean {
    return this.#known?.has(group) === false;
  }

  #show(): void {
    this.#fileIds = new Set(this.fileGroups.map(({ id }) => id));
    this.#changed.fire();
  }

  #membersIn(uri: vscode.Uri, kind: 'copies' | 'wholes'): readonly Copy[] {
    const path = this.notebooks.pathOfCell(uri) ?? this.snapshot?.folders.pathOf(uri);
    const members = (path === undefined ? undefined : this.snapshot?.[kind].get(path)) ?? [];
    return isCell(uri) ? members.filter(({ passage }) => this.notebooks.pieceIn(uri, passage) !== undefined) : members;
  }

  #placeIn(uri: vscode.Uri, passage: Passage): Passage {
    return this.#moves.now((isCell(uri) && this.notebooks.pieceIn(uri, passage)?.place) || passage);
  }
}

/** Two members of a group, by their places in its passages. */
export type CopyPair = readonly [group: Group, left: number, right: number];

/** The similarity of two members of a group. */
export function similarityOf(group: Group, a: number, b: number): number {
  const [low, high] = a < b ? [a, b] : [b, a];
  return group.pairs.find((pair) => pair.a === low && pair.b === high)?.similarity ?? group.similarity;
}

/**
 * How much two members of a group are alike, in the words and the measure of every view: "94 % similar", or of two files of
 * which one lies inside the other "96 % of a.md is in b.md".
 */
export function likeness(group: Group, a: number, b: number): string {
  const inside = insideOf(group);
  return inside ? insideText(inside) : vscode.l10n.t('{0} similar', percent(similarityOf(group, a, b)));
}

/** The outermost groups that groups of a sort are shown in, or are: by their ids. */
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

/** Compares two passages of one file by where they begin. */
export function byLine(left: Passage, right: Passage): number {
  return left.startLine - right.startLine || left.startColumn - right.startColumn;
}
