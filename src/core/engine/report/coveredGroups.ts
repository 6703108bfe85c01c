/**
 * Hides groups that another group makes superfluous. The code that a page quotes is compared both as code and as part
 * of the page. So if a section with code was copied, the section is a group of prose, and its code is another group on
 * the same lines. If the code is most of the section, only the code is shown; otherwise, only the section. The same
 * applies to a copied comment with examples in it.
 */
import { sharedLines } from '../../collections/textPositions.ts';
import { LineIndex } from '../rows/lineIndex.ts';
import type { Group, Passage } from './report.ts';

/** A group that can cover other groups (make them superfluous), or be covered by them. */
export interface Coverable {
  readonly group: Group;
  /** Kind of the passages: quoted code, or text that may surround quoted code. */
  readonly kind: Kind;
  /** The group's passages that are quoted code, or that belong to a text with quoted code. */
  readonly passages: readonly Passage[];
}

/** Minimum share of a passage that must be in another passage for the first to count as contained. */
const minShare = 0.8;

export type Kind = 'around' | 'quoted';

export class CoveredGroups<Item extends Coverable> {
  readonly #onLines = { around: new LineIndex<Coverable>(), quoted: new LineIndex<Coverable>() };
  readonly #covered = new Set<Coverable>();

  /**
   * Removes and adds groups.
   *
   * @returns groups that must be hidden or shown because of this change
   */
  replace(removed: readonly Item[], added: readonly Item[]): { hidden: Item[]; shown: Item[] } {
    const hidden = removed.filter((item) => !this.#covered.delete(item));
    const shown: Item[] = [];
    for (const item of removed) for (const passage of item.passages) this.#onLines[item.kind].delete(passage, item);
    for (const item of added) for (const passage of item.passages) this.#onLines[item.kind].add(passage, item);
    const fresh = new Set<Coverable>(added);
    // First decide which groups of surrounding text are covered. A covered group cannot cover quoted code itself, so at
    // least one of two such groups is always shown.
    const changed = new Set<Coverable>([...removed, ...added]);
    for (const kind of ['around', 'quoted'] as const) {
      for (const item of this.#touchedBy(changed, added, kind)) {
        const [was, is] = [this.#covered.has(item), this.#isCovered(item)];
        if (is) this.#covered.add(item);
        else this.#covered.delete(item);
        if (is !== was) changed.add(item);
        if (!is && (was || fresh.has(item))) shown.push(item as Item);
        else if (is && !was && !fresh.has(item)) hidden.push(item as Item);
      }
    }
    return { hidden, shown };
  }

  /** Returns groups whose visibility may have changed: added ones, and those near a changed one of the other kind. */
  #touchedBy(changed: ReadonlySet<Coverable>, added: readonly Coverable[], kind: Kind): Set<Coverable> {
    const touched = new Set(added.filter((item) => item.kind === kind));
    for (const item of changed) {
      if (item.kind === kind) continue;
      for (const passage of item.passages) {
        for (const { items } of this.#onLines[kind].near(passage)) for (const other of items) touched.add(other);
      }
    }
    return touched;
  }

  #isCovered(item: Coverable): boolean {
    const { passages, group } = item;
    const isQuoted = item.kind === 'quoted';
    // A group is covered only if all its passages are covered. Passages of other kinds are not in `passages`.
    if (passages.length === 0 || passages.length < group.passages.length) return false;
    if (!isQuoted && group.kind !== 'prose') return false;
    for (const { items } of this.#onLines[isQuoted ? 'around' : 'quoted'].near(passages[0])) {
      for (const other of items) {
        if (!(isQuoted && this.#covered.has(other)) && covers(other, item)) return true;
      }
    }
    return false;
  }
}

/** Returns true if each passage of the inner group lies mostly in one of the outer group, each in another. */
function covers(outer: Coverable, inner: Coverable): boolean {
  const used: Passage[] = [];
  return inner.passages.every((passage) => {
    const around = outer.passages.find((other) => !used.includes(other) && hasMostOf(other, passage));
    if (around) used.push(around);
    return around !== undefined;
  });
}

function hasMostOf(outer: Passage, inner: Passage): boolean {
  const shared = inner.path === outer.path ? sharedLines(inner, outer) : 0;
  if (shared === 0) return false;
  // Usually compare numbers of lines. If the code is surrounded by blank lines and headings, numbers of tokens are more
  // meaningful.
  return shared >= minShare * linesOf(inner) || (shared / linesOf(outer)) * outer.tokens >= minShare * inner.tokens;
}

function linesOf({ startLine, endLine }: Passage): number {
  return endLine - startLine + 1;
}
