/** Judges each group of a report: determines if it is new, and if it is ignored, why. */
import type { Category } from '../../core/engine/rows/category.ts';
import type { Group, Passage } from '../../core/engine/report/report.ts';
import { type BaselineEntry, type BaselineMatch, growthOf } from './baseline.ts';
import type { IgnoreCause } from './ignoredGroups.ts';
import type { NewCopies } from './newCopies.ts';

/** Reason why a group is ignored. An ignored group counts for no limit. */
export interface IgnoreReason {
  readonly by: IgnoreCause['by'];
  readonly reason?: string | undefined;
}

export interface JudgedPassage extends Passage {
  /** Set if the passage is a new copy. */
  readonly isNew?: true;
}

export interface JudgedGroup extends Group {
  readonly passages: readonly JudgedPassage[];
  readonly isNew?: true;
  readonly ignored?: IgnoreReason | undefined;
  /** Names of the parts whose boundary the group crosses. */
  readonly crosses?: readonly string[];
}

/** Data from which groups are judged. If a field is missing, groups are judged without it. */
export interface Evidence {
  readonly copies: NewCopies | undefined;
  readonly baseline: BaselineMatch | undefined;
  readonly ignored: ReadonlyMap<Group, IgnoreCause>;
  /** Indices of the passages that comments ignore, for groups that are not ignored (see `passagesAside`). */
  readonly aside: ReadonlyMap<Group, readonly number[]>;
}

export function judgeGroups(groups: readonly Group[], evidence: Evidence): JudgedGroup[] {
  return groups.map((group) => judgeGroup(group, evidence));
}

function judgeGroup(group: Group, { copies, baseline, ignored: all, aside }: Evidence): JudgedGroup {
  const ignored = reasonOf(all.get(group));
  const fresh = freshCopies(group, copies, baseline && { entry: baseline.entryOf.get(group) });
  const left = fresh?.filter((place) => !aside.get(group)?.includes(place));
  // A group may have grown without a new passage. If comments ignore all new passages, it has not.
  const hasGrown = fresh !== undefined && (fresh.length === 0 || left!.length > 0);
  if (!hasGrown) return ignored ? { ...group, ignored } : group;
  const isFresh = new Set(left);
  const passages = group.passages.map((passage, i) =>
    isFresh.has(i) ? { ...passage, isNew: true as const } : passage,
  );
  return { ...group, passages, isNew: true, ignored };
}

/** Returns the indices of the new copies in a group that has grown, possibly none; `undefined` for others. */
function freshCopies(
  group: Group,
  copies: NewCopies | undefined,
  knownEntry: { readonly entry: BaselineEntry | undefined } | undefined,
): readonly number[] | undefined {
  if (copies === undefined && knownEntry === undefined) return undefined;
  const since = copies?.get(group);
  if (copies !== undefined && since === undefined) return undefined;
  if (knownEntry?.entry !== undefined && growthOf(group, knownEntry.entry) === 0) return undefined;
  return since ?? unknownCopies(group, knownEntry?.entry);
}

/** Returns the indices of the copies that a baseline entry does not list. */
function unknownCopies({ passages }: Group, entry: BaselineEntry | undefined): number[] {
  const left = new Map(entry?.contents);
  return passages.flatMap(({ content = '' }, i) => {
    const count = left.get(content) ?? 0;
    left.set(content, count - 1);
    return count > 0 ? [] : [i];
  });
}

function reasonOf(cause: IgnoreCause | undefined): IgnoreReason | undefined {
  if (cause === undefined) return undefined;
  const { reason } = cause.by === 'comment' ? cause.region : cause.entry;
  return { by: cause.by, reason };
}

/**
 * Returns the new groups that count. If groups are nested, only the outermost one counts.
 *
 * @param counted  categories that count
 */
export function countedNew(groups: readonly JudgedGroup[], counted: ReadonlySet<Category>): JudgedGroup[] {
  const outer = new Set<string>();
  return groups.filter(({ id, parent, isNew, ignored, category }) => {
    if (isNew === undefined || ignored !== undefined || !counted.has(category)) return false;
    const isInRow = parent !== undefined && outer.has(parent);
    outer.add(id);
    return !isInRow;
  });
}

/**
 * Adds to each group the boundaries that it crosses. Skips groups that are ignored, in the baseline, or in categories
 * that do not count. Keeps the order of the groups.
 */
export function withCrossings(
  groups: readonly JudgedGroup[],
  partOf: PartSource,
  counted: ReadonlySet<Category>,
  baseline: BaselineMatch | undefined,
): JudgedGroup[] {
  return groups.map((group) => {
    const entry = baseline?.entryOf.get(group);
    const isKnown = entry !== undefined && growthOf(group, entry) === 0;
    if (isKnown || group.ignored !== undefined || !counted.has(group.category)) return group;
    const crosses = partsCrossed(group, partOf);
    return crosses ? { ...group, crosses } : group;
  });
}

/** Returns the groups that cross boundaries. If groups are nested, only the outermost one counts. */
export function countedCrossing(groups: readonly JudgedGroup[]): JudgedGroup[] {
  const crossing = new Set(groups.filter(({ crosses }) => crosses).map(({ id }) => id));
  return groups.filter(({ id, parent }) => crossing.has(id) && !(parent !== undefined && crossing.has(parent)));
}

/** Returns the rows that count for the limit on the number of all rows. */
export function countedRows(groups: readonly JudgedGroup[], counted: ReadonlySet<Category>): JudgedGroup[] {
  return groups.filter(
    ({ parent, ignored, category }) => parent === undefined && ignored === undefined && counted.has(category),
  );
}

/** Function that returns the part to which a path belongs, or `undefined` if it belongs to none. */
type PartSource = (path: string) => string | undefined;

/**
 * Returns the parts to which the passages of a group belong, in the order of the passages. Returns `undefined` if the
 * group crosses no boundary, because there are fewer than two parts.
 */
function partsCrossed({ passages }: Group, partOf: PartSource): readonly string[] | undefined {
  const parts = new Set(passages.flatMap(({ path }) => partOf(path) ?? []));
  return parts.size < 2 ? undefined : [...parts];
}
