/**
 * Which copies are new: those that the base had not. Two reports are compared, of the base and of what is there now.
 *
 * A passage that is there now is the same as one of the base when it stands where that one stood (in the lines that a diff
 * maps to its lines), or has the content of one that is gone from its place: moved. Each passage of the base is the same as
 * one at most, so that contents are counted. A group continues one of the base when two of its passages or more are the same
 * as passages of that one. What the change has written and is in no group that continues is a new copy.
 */
import type { Group, Passage } from '../engine/report/report.ts';
import { FreshLines, type Texts } from './freshLines.ts';
import { GoneTexts } from './movedTexts.ts';
import { baseLines, baseRange, type FileChange, hasAddedLine, type LineRange, reversed } from './changes.ts';

/** The places in `passages` of the copies of a group that are new; groups without are absent. */
export type NewCopies = ReadonlyMap<Group, readonly number[]>;

/** What has changed, by the path that a file has now and by the one that it had. */
export class Changes {
  readonly #byPath: ReadonlyMap<string, FileChange>;
  readonly #byBasePath: ReadonlyMap<string, FileChange>;
  readonly all: readonly FileChange[];

  constructor(changes: readonly FileChange[]) {
    const entries = (key: 'path' | 'basePath'): [string, FileChange][] =>
      changes.flatMap((change) => (change[key] === undefined ? [] : [[change[key], change]]));
    this.all = changes;
    this.#byPath = new Map(entries('path'));
    this.#byBasePath = new Map(entries('basePath'));
  }

  ofPath(path: string): FileChange | undefined {
    return this.#byPath.get(path);
  }

  ofBasePath(path: string): FileChange | undefined {
    return this.#byBasePath.get(path);
  }

  isTouched({ path, ...lines }: { readonly path: string } & LineRange): boolean {
    const change = this.#byPath.get(path);
    return change !== undefined && hasAddedLine(change.hunks, lines);
  }
}

/** The copies that are new. @param base  the groups of the base */
export function newCopies(groups: readonly Group[], base: readonly Group[], changes: Changes, texts: Texts): NewCopies {
  const places = new BasePassages(base, changes, texts);
  const found = new Map<Group, readonly number[]>();
  const [whole, passages] = [true, false].map((isFile) => groups.filter(({ kind }) => (kind === 'file') === isFile));
  const unknown = new Map(passages!.map((group) => [group, places.unknownIn(group)]));
  // What has its passage in the base already was moved from there, and nothing else.
  const lines = new FreshLines(changes.all, texts, places.kept);
  const freshOf = (group: Group, of: readonly number[]): number[] => of.filter((i) => lines.has(group.passages[i]!));
  for (const [group, of] of unknown) {
    const fresh = freshOf(group, of);
    if (fresh.length > 0) found.set(group, fresh);
  }
  const files = new FilesWithPassages(passages!, found);
  for (const group of whole!) {
    const fresh = freshOf(group, places.unknownIn(group)).filter((i) => !files.hasOnlyKnown(group, i));
    if (fresh.length > 0) found.set(group, fresh);
  }
  return found;
}

/**
 * Files by what they share in passages. Where functions are moved to other files, these may be near-duplicates that the base
 * had not, and nothing in them is new.
 */
class FilesWithPassages {
  readonly #partners = new Map<string, Set<string>>();
  readonly #fresh = new Set<string>();

  constructor(groups: readonly Group[], found: NewCopies) {
    for (const group of groups) {
      const paths = new Set(group.passages.map(({ path }) => path));
      for (const path of paths) {
        const partners = this.#partners.get(path);
        if (partners === undefined) this.#partners.set(path, new Set(paths));
        else for (const other of paths) partners.add(other);
      }
      for (const i of found.get(group) ?? []) this.#fresh.add(group.passages[i]!.path);
    }
  }

  /** Whether a file shares passages with others of its group, none of which is new. */
  hasOnlyKnown({ passages }: Group, at: number): boolean {
    const { path } = passages[at]!;
    const partners = this.#partners.get(path);
    return !this.#fresh.has(path) && passages.some((other, i) => i !== at && partners?.has(other.path));
  }
}

/** A passage of the base. */
interface BasePassage {
  readonly group: Group;
  readonly passage: Passage;
}

/** A passage of the base that one of now may be the same as. */
interface Candidate {
  readonly at: number;
  readonly base: BasePassage;
  /** By place, the share of lines that they have in common; by content, 0; by what the texts share, less. */
  readonly fit: number;
}

/** Passages are the same by place when they have so much of the lines of either in common. */
const leastCommon = 0.5;

class BasePassages {
  readonly #changes: Changes;
  readonly #byPath = new Map<string, BasePassage[]>();
  /** Those that are gone from their places. */
  readonly #byContent = new Map<string, BasePassage[]>();
  readonly #goneTexts = new GoneTexts<BasePassage>();
  readonly #texts: Texts;
  /** Passages of the base that others are the same as, of groups of passages. */
  readonly kept: Passage[] = [];

  constructor(base: readonly Group[], changes: Changes, texts: Texts) {
    this.#changes = changes;
    this.#texts = texts;
    for (const group of base) {
      for (const passage of group.passages) {
        const item = { group, passage };
        add(this.#byPath, passage.path, item);
        if (!isGone(passage, changes)) continue;
        add(this.#byContent, contentOf(group, passage), item);
        if (group.kind !== 'file') this.#goneTexts.add(item, passage, texts.base);
      }
    }
  }

  /** The places of the passages of a group that are on added lines and were not in a group that this one continues. */
  unknownIn(group: Group): readonly number[] {
    const touched = group.passages.flatMap((passage, i) => (this.#changes.isTouched(passage) ? [i] : []));
    if (touched.length === 0) return touched;
    const known = this.#knownOf(group);
    return touched.filter((i) => !known.has(i));
  }

  /** The places of the passages of a group that are the same as some of a group of the base that it continues. */
  #knownOf(group: Group): ReadonlySet<number> {
    const byGroup = new Map<Group, Candidate[]>();
    for (const [at, passage] of group.passages.entries()) {
      for (const candidate of this.#candidates(group, passage, at)) add(byGroup, candidate.base.group, candidate);
    }
    const known = new Set<number>();
    for (const candidates of byGroup.values()) {
      const same = paired(candidates);
      if (same.size < 2) continue;
      for (const [at, { passage }] of same) {
        known.add(at);
        if (group.kind !== 'file') this.kept.push(passage);
      }
    }
    return known;
  }

  *#candidates(group: Group, passage: Passage, at: number): Generator<Candidate> {
    const change = this.#changes.ofPath(passage.path);
    const before = change === undefined ? passage.path : change.basePath;
    if (before !== undefined) {
      const lines = baseLines(change?.hunks ?? [], passage);
      for (const base of this.#byPath.get(before) ?? []) {
        const fit = isOfSameKind(base.group, group) ? commonShare(base.passage, lines, passage) : 0;
        if (fit >= leastCommon) yield { at, base, fit };
      }
    }
    if (!this.#changes.isTouched(passage)) return;
    for (const base of this.#byContent.get(contentOf(group, passage)) ?? []) yield { at, base, fit: 0 };
    if (group.kind === 'file') return;
    for (const [base, resemblance] of this.#goneTexts.like(passage, this.#texts.now)) {
      yield { at, base, fit: resemblance - 1 };
    }
  }
}

/** Whole files are the same as whole files only: what they share is in groups of passages as well. */
function isOfSameKind(x: Group, y: Group): boolean {
  return (x.kind === 'file') === (y.kind === 'file');
}

function contentOf({ kind }: Group, { content = '' }: Passage): string {
  return kind === 'file' ? `file ${content}` : content;
}

/** Whether most lines of a passage of the base are not there any more. */
function isGone(passage: Passage, changes: Changes): boolean {
  const change = changes.ofBasePath(passage.path);
  if (change === undefined) return false;
  const now = baseRange(reversed(change.hunks), passage);
  return now === undefined || 2 * now.kept <= passage.endLine - passage.startLine + 1;
}

/** Of the lines of the longer passage, how many the other one stands for. @param lines  of the base that it stands for, in order */
function commonShare(base: LineRange, lines: readonly number[], now: LineRange): number {
  const from = firstFrom(lines, base.startLine);
  const common = firstFrom(lines, base.endLine + 1) - from;
  return common / Math.max(base.endLine - base.startLine + 1, now.endLine - now.startLine + 1);
}

/** Where the first number from a value on is in a sorted list. */
function firstFrom(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Pairs each passage of now with one of the base, the best fits first; by its place. */
function paired(candidates: readonly Candidate[]): ReadonlyMap<number, BasePassage> {
  const known = new Map<number, BasePassage>();
  const taken = new Set<BasePassage>();
  for (const { at, base } of [...candidates].sort((x, y) => y.fit - x.fit)) {
    if (known.has(at) || taken.has(base)) continue;
    known.set(at, base);
    taken.add(base);
  }
  return known;
}

function add<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const items = map.get(key);
  if (items) items.push(item);
  else map.set(key, [item]);
}
