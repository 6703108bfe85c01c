/**
 * The copies that a person calls canonical: those that the others of their groups are held against. They are kept for the
 * workspace. The id of a group changes with its content, so after each report a group is looked for again where its copy is.
 */
import * as vscode from 'vscode';
import type { Group } from '../../engine/report/report.ts';
import type { FindingsModel } from './findings.ts';
import { siblingsOf } from '../../client/siblings.ts';
import type { Copy } from '../../client/report.ts';

/** What is kept of a canonical copy: its group, and its lines when they were last known. */
interface Kept {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

const key = 'canonicalCopies';

export class Canonicals implements vscode.Disposable {
  readonly #findings: FindingsModel;
  readonly #store: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when another copy is called canonical, or none any longer. */
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  /** By the id of the group. */
  #kept: ReadonlyMap<string, Kept>;

  constructor(findings: FindingsModel, store: vscode.Memento) {
    this.#findings = findings;
    this.#store = store;
    this.#kept = new Map(Object.entries(store.get<Readonly<Record<string, Kept>>>(key, {})));
    this.#subscription = findings.onDidChange(() => this.#follow());
  }

  /** The copy of a group that a person has chosen, by its place; undefined when none is. */
  chosenIn(group: Group): number | undefined {
    const kept = this.#kept.get(group.id);
    if (kept === undefined) return undefined;
    const place = nearest(group, kept);
    return place === -1 ? undefined : place;
  }

  /** The copy that the others of a group are held against: the chosen one, else the one most like all others. */
  of(group: Group): number {
    return this.chosenIn(group) ?? mostAlike(group);
  }

  /** The copy that another one is compared with first: the chosen one, else the most similar one. */
  counterpartOf(copy: Pick<Copy, 'group' | 'place'>): number {
    const chosen = this.chosenIn(copy.group);
    return chosen === undefined || chosen === copy.place ? siblingsOf(copy)[0]!.place : chosen;
  }

  /** Calls a copy canonical. */
  async choose({ group, passage }: Copy): Promise<void> {
    await this.#keep(new Map(this.#kept).set(group.id, keptOf(passage)));
    this.#changed.fire();
  }

  /** Calls no copy of a group canonical. Returns whether one was. */
  async forget(group: Group): Promise<boolean> {
    const kept = new Map(this.#kept);
    const was = kept.delete(group.id);
    await this.#keep(kept);
    this.#changed.fire();
    return was;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #follow(): void {
    const { snapshot, isPreview } = this.#findings;
    // What other settings would find is no news of the copies that there are.
    if (this.#kept.size === 0 || isPreview || snapshot?.findings.complete !== true) return;
    const kept = new Map<string, Kept>();
    for (const [id, before] of this.#kept) {
      const group = this.#findings.groupOf(id) ?? this.#groupAt(before);
      const place = group === undefined ? -1 : nearest(group, before);
      // A file that is left out for now may come back.
      if (group === undefined || place === -1) kept.set(id, before);
      else kept.set(group.id, keptOf(group.passages[place]!));
    }
    void this.#keep(kept);
  }

  /** The group that has the most of some lines. */
  #groupAt({ path, startLine, endLine }: Kept): Group | undefined {
    let [best, most]: [Group | undefined, number] = [undefined, 0];
    for (const { group, passage } of this.#findings.snapshot?.copies.get(path) ?? []) {
      const common = Math.min(endLine, passage.endLine) - Math.max(startLine, passage.startLine) + 1;
      const length = Math.max(endLine, passage.endLine) - Math.min(startLine, passage.startLine) + 1;
      if (common / length > most) [best, most] = [group, common / length];
    }
    return most > 0.5 ? best : undefined;
  }

  async #keep(kept: ReadonlyMap<string, Kept>): Promise<void> {
    this.#kept = kept;
    await this.#store.update(key, Object.fromEntries(kept));
  }
}

function keptOf({ path, startLine, endLine }: Kept): Kept {
  return { path, startLine, endLine };
}

/** The member of a group that is nearest to some lines of its file; -1 when it has none in that file. */
function nearest({ passages }: Group, { path, startLine }: Kept): number {
  let best = -1;
  for (const [place, passage] of passages.entries()) {
    if (passage.path !== path) continue;
    const distance = Math.abs(passage.startLine - startLine);
    if (best === -1 || distance < Math.abs(passages[best]!.startLine - startLine)) best = place;
  }
  return best;
}

/** The member that is most like all others, the first of several. */
function mostAlike({ passages, pairs }: Group): number {
  const sums = new Array<number>(passages.length).fill(0);
  for (const { a, b, similarity } of pairs) {
    sums[a]! += similarity;
    sums[b]! += similarity;
  }
  return sums.indexOf(Math.max(...sums));
}
