/**
 * Canonical copies: the copy of a group that the user has chosen as its reference. They are stored in the workspace
 * state. A group's id changes with its text, so in each new report, the group is found by the lines of the copy.
 */
import * as vscode from 'vscode';
import type { Group } from '../../../core/engine/report/report.ts';
import type { FindingsModel } from './findings.ts';
import { siblingsOf } from '../../../presentation/wording/siblings.ts';
import type { Copy } from '../../../session/client/report.ts';
import { Subscriber } from '../subscriber.ts';

/** A stored choice: the lines of the copy in the last report that contained it. The key is the group id. */
interface StoredChoice {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

const key = 'canonicalCopies';

export class Canonicals extends Subscriber {
  readonly #findings: FindingsModel;
  readonly #store: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the canonical copy of any group changes. */
  readonly onDidChange = this.#changed.event;
  /** Choices by group id. */
  #kept: ReadonlyMap<string, StoredChoice>;

  constructor(findings: FindingsModel, store: vscode.Memento) {
    super();
    this.#findings = findings;
    this.#store = store;
    this.#kept = new Map(Object.entries(store.get<Readonly<Record<string, StoredChoice>>>(key, {})));
    this.own(
      findings.onDidChange(() => this.#follow()),
      this.#changed,
    );
  }

  /** Returns the index of the copy that the user has chosen; `undefined` if the user has chosen none. */
  chosenIn(group: Group): number | undefined {
    const kept = this.#kept.get(group.id);
    if (kept === undefined) return undefined;
    const place = nearest(group, kept);
    return place === -1 ? undefined : place;
  }

  /** Returns the index of a group's reference copy: the chosen one, or the copy that is most similar to all others. */
  of(group: Group): number {
    return this.chosenIn(group) ?? mostAlike(group);
  }

  /** Returns the index of the copy to compare a copy with by default: the chosen one, or the most similar one. */
  counterpartOf(copy: Pick<Copy, 'group' | 'place'>): number {
    const canonicalPlace = this.chosenIn(copy.group);
    return canonicalPlace === undefined || canonicalPlace === copy.place ? siblingsOf(copy)[0]!.place : canonicalPlace;
  }

  async choose({ group, passage }: Copy): Promise<void> {
    await this.#keep(new Map(this.#kept).set(group.id, keptOf(passage)));
    this.#changed.fire();
  }

  /** Removes the user's choice for a group. Returns true if there was one. */
  async forget(group: Group): Promise<boolean> {
    const kept = new Map(this.#kept);
    const was = kept.delete(group.id);
    await this.#keep(kept);
    this.#changed.fire();
    return was;
  }

  #follow(): void {
    const { snapshot, isPreview } = this.#findings;
    // A preview shows findings for other settings, so it must not change the stored choices.
    if (this.#kept.size === 0 || isPreview || snapshot?.findings.complete !== true) return;
    const kept = new Map<string, StoredChoice>();
    for (const [id, before] of this.#kept) {
      const group = this.#findings.groupOf(id) ?? this.#groupAt(before);
      const place = group === undefined ? -1 : nearest(group, before);
      // Keep the choice if its group is not found: the file may be skipped now and compared again later.
      if (group === undefined || place === -1) kept.set(id, before);
      else kept.set(group.id, keptOf(group.passages[place]!));
    }
    void this.#keep(kept);
  }

  /** Returns the group with a copy that overlaps the stored lines most. */
  #groupAt({ path, startLine, endLine }: StoredChoice): Group | undefined {
    let [best, maxShare]: [Group | undefined, number] = [undefined, 0];
    for (const { group, passage } of this.#findings.snapshot?.copies.get(path) ?? []) {
      const common = Math.min(endLine, passage.endLine) - Math.max(startLine, passage.startLine) + 1;
      const length = Math.max(endLine, passage.endLine) - Math.min(startLine, passage.startLine) + 1;
      if (common / length > maxShare) [best, maxShare] = [group, common / length];
    }
    return maxShare > 0.5 ? best : undefined;
  }

  async #keep(kept: ReadonlyMap<string, StoredChoice>): Promise<void> {
    this.#kept = kept;
    await this.#store.update(key, Object.fromEntries(kept));
  }
}

function keptOf({ path, startLine, endLine }: StoredChoice): StoredChoice {
  return { path, startLine, endLine };
}

/** Returns the index of the copy nearest to the stored lines in the same file; -1 if the group has none there. */
function nearest({ passages }: Group, { path, startLine }: StoredChoice): number {
  let best = -1;
  for (const [place, passage] of passages.entries()) {
    if (passage.path !== path) continue;
    const distance = Math.abs(passage.startLine - startLine);
    if (best === -1 || distance < Math.abs(passages[best]!.startLine - startLine)) best = place;
  }
  return best;
}

/** Returns the index of the copy that is most similar to all others. If several are, returns the first. */
function mostAlike({ passages, pairs }: Group): number {
  const sums = new Array<number>(passages.length).fill(0);
  for (const { a, b, similarity } of pairs) {
    sums[a]! += similarity;
    sums[b]! += similarity;
  }
  return sums.indexOf(Math.max(...sums));
}
