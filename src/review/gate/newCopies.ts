/**
 * Finds new copies by comparing the report of the base with the current report.
 *
 * A passage of the base is the earlier version of a current passage if both are at the same place according to the
 * diff. The same applies if both have the same or similar content, and the passage of the base is no longer at its
 * place, because it was moved. A passage of the base is the earlier version of only one passage, so additional copies
 * are noticed. A group of the base is an earlier version of a current group if at least two passages of the current
 * group have their earlier versions in it. New copies are passages that the change has written, and whose earlier
 * version is in no earlier version of their group.
 */
import { append, firstPlace } from '../../core/collections/lists.ts';
import type { Group, Passage } from '../../core/engine/report/report.ts';
import { FreshLines, type Texts } from './freshLines.ts';
import { GoneTexts } from './movedTexts.ts';
import { baseLines, baseRange, type FileChange, hasAddedLine, type LineRange, reversed } from './changes.ts';

/** For each group with new copies, the indices of these copies in `passages`. */
export type NewCopies = ReadonlyMap<Group, readonly number[]>;

/** Changed files, by current path and by base path. */
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

/**
 * Returns the new copies in current groups.
 *
 * @param base  groups of the base
 */
export function newCopies(groups: readonly Group[], base: readonly Group[], changes: Changes, texts: Texts): NewCopies {
  const places = new BasePassages(base, changes, texts);
  const found = new Map<Group, readonly number[]>();
  const [whole, passages] = [true, false].map((isFile) => groups.filter(({ kind }) => (kind === 'file') === isFile));
  const unknown = new Map(passages!.map((group) => [group, places.unknownIn(group)]));
  // Lines of an earlier version can only have been moved into the passage of which it is the earlier version.
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
 * Groups of whole files that are similar because of passages in other groups. If a function is moved to another file, a
 * new pair of similar files may appear although no passage is new.
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

  /** Returns true if a file shares passages with other files of its group, and all of these passages are known. */
  hasOnlyKnown({ passages }: Group, at: number): boolean {
    const { path } = passages[at]!;
    const partners = this.#partners.get(path);
    return !this.#fresh.has(path) && passages.some((other, i) => i !== at && partners?.has(other.path));
  }
}

interface BasePassage {
  readonly group: Group;
  readonly passage: Passage;
}

/** A passage of the base that may be the earlier version of a current passage. */
interface Candidate {
  readonly at: number;
  readonly base: BasePassage;
  /**
   * Quality of the match: the share of common lines if the place is the same; 0 if only the content is the same; below
   * 0 if the text is only similar.
   */
  readonly fit: number;
}

/** Minimum share of common lines at which two passages are at the same place. */
const minCommonShare = 0.5;

class BasePassages {
  readonly #changes: Changes;
  readonly #byPath = new Map<string, BasePassage[]>();
  /** Passages of the base that are no longer at their place, by content. */
  readonly #byContent = new Map<string, BasePassage[]>();
  readonly #goneTexts = new GoneTexts<BasePassage>();
  readonly #texts: Texts;
  /** Passages of the base that are the earlier versions of current passages. Excludes groups of whole files. */
  readonly kept: Passage[] = [];

  constructor(base: readonly Group[], changes: Changes, texts: Texts) {
    this.#changes = changes;
    this.#texts = texts;
    for (const group of base) {
      for (const passage of group.passages) {
        const item = { group, passage };
        append(this.#byPath, passage.path, item);
        if (!isGone(passage, changes)) continue;
        append(this.#byContent, contentOf(group, passage), item);
        if (group.kind !== 'file') this.#goneTexts.add(item, passage, texts.base);
      }
    }
  }

  /** Returns the indices of passages with added lines whose earlier version is in no earlier version of the group. */
  unknownIn(group: Group): readonly number[] {
    const touched = group.passages.flatMap((passage, i) => (this.#changes.isTouched(passage) ? [i] : []));
    if (touched.length === 0) return touched;
    const knownPassages = this.#knownOf(group);
    return touched.filter((i) => !knownPassages.has(i));
  }

  /** Returns the indices of passages whose earlier version is in an earlier version of the group. */
  #knownOf(group: Group): ReadonlySet<number> {
    const byGroup = new Map<Group, Candidate[]>();
    for (const [at, passage] of group.passages.entries()) {
      for (const candidate of this.#candidates(group, passage, at)) append(byGroup, candidate.base.group, candidate);
    }
    const knownPassages = new Set<number>();
    for (const candidates of byGroup.values()) {
      const same = paired(candidates);
      if (same.size < 2) continue;
      for (const [at, { passage }] of same) {
        knownPassages.add(at);
        if (group.kind !== 'file') this.kept.push(passage);
      }
    }
    return knownPassages;
  }

  *#candidates(group: Group, passage: Passage, at: number): Generator<Candidate> {
    const change = this.#changes.ofPath(passage.path);
    const before = change === undefined ? passage.path : change.basePath;
    if (before !== undefined) {
      const lines = baseLines(change?.hunks ?? [], passage);
      for (const base of this.#byPath.get(before) ?? []) {
        const fit = isOfSameKind(base.group, group) ? commonShare(base.passage, lines, passage) : 0;
        if (fit >= minCommonShare) yield { at, base, fit };
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

/** Returns true if both groups are of whole files, or neither: earlier versions of whole files are whole files. */
function isOfSameKind(x: Group, y: Group): boolean {
  return (x.kind === 'file') === (y.kind === 'file');
}

function contentOf({ kind }: Group, { content = '' }: Passage): string {
  return kind === 'file' ? `file ${content}` : content;
}

/** Returns true if most lines of a passage of the base were removed. */
function isGone(passage: Passage, changes: Changes): boolean {
  const change = changes.ofBasePath(passage.path);
  if (change === undefined) return false;
  const now = baseRange(reversed(change.hunks), passage);
  return now === undefined || 2 * now.kept <= passage.endLine - passage.startLine + 1;
}

/**
 * Returns the number of corresponding lines, as a share of the longer passage.
 *
 * @param lines  base lines that correspond to the current passage, in order
 */
function commonShare(base: LineRange, lines: readonly number[], now: LineRange): number {
  const upTo = (line: number): number => firstPlace(lines.length, (place) => lines[place]! < line);
  const common = upTo(base.endLine + 1) - upTo(base.startLine);
  return common / Math.max(base.endLine - base.startLine + 1, now.endLine - now.startLine + 1);
}

/** Assigns at most one passage of the base to each current passage (by its index), best matches first. */
function paired(candidates: readonly Candidate[]): ReadonlyMap<number, BasePassage> {
  const baseByPassage = new Map<number, BasePassage>();
  const taken = new Set<BasePassage>();
  for (const { at, base } of [...candidates].sort((x, y) => y.fit - x.fit)) {
    if (baseByPassage.has(at) || taken.has(base)) continue;
    baseByPassage.set(at, base);
    taken.add(base);
  }
  return baseByPassage;
}
