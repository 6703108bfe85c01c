/**
 * The model behind every view: the last findings, replaced whole. Views read it and listen to it, and keep no copy.
 */
import * as vscode from 'vscode';
import type { Findings, Group, Passage } from '../engine/report.ts';
import type { Folders } from './folders.ts';

/** One report, and what is needed to read it. */
export interface Snapshot {
  readonly generation: number;
  readonly findings: Findings;
  /** The folders its paths belong to. */
  readonly folders: Folders;
  readonly elapsedMs: number;
  readonly madeAt: Date;
}

/** One passage of one group. */
export interface Copy {
  readonly group: Group;
  /** Its place in the group's passages. */
  readonly place: number;
  readonly passage: Passage;
}

const noCopies: readonly Copy[] = [];

export class FindingsModel implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires after `snapshot` has changed. */
  readonly onDidChange = this.#changed.event;
  #snapshot: Snapshot | undefined;
  /** Made when first asked for: most reports are replaced before anybody opens one of their files. */
  #copiesByPath: Map<string, Copy[]> | undefined;
  #groupsById: Map<string, Group> | undefined;
  /** Groups that were there when the window opened, or when the settings last changed what is found. */
  #known: ReadonlySet<string> | undefined;

  /** The last report; undefined until there is one. */
  get snapshot(): Snapshot | undefined {
    return this.#snapshot;
  }

  get groups(): readonly Group[] {
    return this.#snapshot?.findings.groups ?? [];
  }

  /** How many groups are new or changed since the first complete report. */
  get newGroups(): number {
    const known = this.#known;
    return known === undefined ? 0 : this.groups.filter(({ id }) => !known.has(id)).length;
  }

  /** Takes a report unless a newer one is here already. Returns whether it was taken. */
  replace(snapshot: Snapshot): boolean {
    if (this.#snapshot !== undefined && snapshot.generation <= this.#snapshot.generation) return false;
    this.#snapshot = snapshot;
    this.#copiesByPath = undefined;
    this.#groupsById = undefined;
    const { complete, groups } = snapshot.findings;
    if (complete) this.#known ??= new Set(groups.map(({ id }) => id));
    this.#changed.fire();
    return true;
  }

  /** Calls everything known that the next report holds: what a changed setting brings up is not news. */
  forgetNews(): void {
    this.#known = undefined;
  }

  groupOf(id: string): Group | undefined {
    this.#groupsById ??= new Map(this.groups.map((group) => [group.id, group]));
    return this.#groupsById.get(id);
  }

  /** The copies in a file, in the order of its lines. */
  copiesIn(uri: vscode.Uri): readonly Copy[] {
    const path = this.#snapshot?.folders.pathOf(uri);
    return path === undefined ? noCopies : (this.#index().get(path) ?? noCopies);
  }

  /** The paths of all files with copies, in plain order. */
  paths(): string[] {
    return [...this.#index().keys()].sort();
  }

  /** The copies at a line of a file, counted from zero: the shortest first. */
  copiesAt(uri: vscode.Uri, line: number): Copy[] {
    return this.copiesIn(uri)
      .filter(({ passage }) => passage.startLine <= line + 1 && line + 1 <= passage.endLine)
      .sort((left, right) => length(left) - length(right));
  }

  uriOf(passage: Passage): vscode.Uri {
    if (this.#snapshot === undefined) throw new Error('There is no report to read the path with.');
    return this.#snapshot.folders.uriOf(passage.path);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #index(): Map<string, Copy[]> {
    if (this.#copiesByPath !== undefined) return this.#copiesByPath;
    const index = new Map<string, Copy[]>();
    for (const group of this.groups) {
      for (const [place, passage] of group.passages.entries()) {
        const copies = index.get(passage.path);
        if (copies) copies.push({ group, place, passage });
        else index.set(passage.path, [{ group, place, passage }]);
      }
    }
    for (const copies of index.values()) copies.sort(byLine);
    this.#copiesByPath = index;
    return index;
  }
}

/** All of a passage in zero-based positions of VS Code. */
export function rangeOf({ startLine, startColumn, endLine, endColumn }: Passage): vscode.Range {
  return new vscode.Range(startLine - 1, startColumn - 1, endLine - 1, endColumn - 1);
}

/** The similarity of two members of a group: that of their verified match, else the least in the group. */
export function similarityOf(group: Group, a: number, b: number): number {
  const [low, high] = a < b ? [a, b] : [b, a];
  return group.pairs.find((pair) => pair.a === low && pair.b === high)?.similarity ?? group.similarity;
}

function length({ passage }: Copy): number {
  return passage.endLine - passage.startLine;
}

function byLine({ passage: left }: Copy, { passage: right }: Copy): number {
  return left.startLine - right.startLine || left.startColumn - right.startColumn;
}
