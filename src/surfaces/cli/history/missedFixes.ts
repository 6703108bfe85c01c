/**
 * Finds missed fixes: edits that were made in one copy but not in others. Only the current tree is searched for copies.
 * A copy has an edit if it still contains the added lines. Undoing the edit gives the copy as it was before. Then the
 * edit is applied to another copy, at the corresponding words and with that copy's names. If this changes the other
 * copy, the edit is missing there.
 */
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { alignCopies, canAlign, renamedIn } from '../../../presentation/copies/renaming.ts';
import { wordsOf } from '../../../presentation/copies/words.ts';
import { type Replacement, transportEdit } from '../../../presentation/copies/transportEdit.ts';
import { append } from '../../../core/collections/lists.ts';
import { areOfPlatforms, isNotNeeded } from './counterparts.ts';
import type { Commit, Edit } from './edits.ts';
import { likeFixCommit, likeFixEdit } from './likeFix.ts';

export interface Place {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

export interface MissedCopy extends Place {
  /** Similarity of both copies before the edit: twice the number of aligned words, divided by that of all words. */
  readonly similarityBefore: number;
  /** Lines of this copy that the edit would replace; `added` are the lines to replace them with. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Line number, counted from 1, of the first line to replace. */
  readonly line: number;
}

export interface MissedFix {
  readonly commit: Commit;
  /** Estimated probability, from 0 to 1, that this is a missed fix. Results are sorted by it. */
  readonly score: number;
  /** Places of copies that have the edit. */
  readonly edited: readonly Place[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Copies that lack the edit, most similar first. */
  readonly others: readonly MissedCopy[];
}

/** A passage and its lines: as written, trimmed, and with names replaced. */
interface Copy {
  readonly passage: Passage;
  readonly lines: readonly string[];
  readonly trimmed: readonly string[];
  /** Lines without white space and with names replaced, joined by line breaks. Empty lines are left out. */
  readonly shapes: string;
}

/** Maximum number of copies in a group. Larger groups are usually a pattern, and comparing all would take long. */
const maxCopies = 30;
/** Minimum similarity of two copies. Less similar ones rarely need the same fix. */
const minSimilar = 0.7;

/** Minimum number of characters of a replacement to find elsewhere. Shorter ones (`return;`) occur by chance. */
const minRepeated = 12;

/** Index of edits, by file name and by the line that identifies the edit (see `anchorOf`). */
export class EditIndex {
  /** Lines of all copies. Edits that match none of them are not stored. */
  readonly #lines = new Set<string>();
  readonly #byLine = new Map<string, Edit[]>();

  constructor(groups: readonly Group[], linesOf: SearchInput['linesOf']) {
    const passages = groups.flatMap((group) => group.passages).sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const { path, startLine, endLine } of passages) {
      for (const line of linesOf(path)?.slice(startLine - 1, endLine) ?? []) {
        if (isTelling(line)) this.#lines.add(keyOf(path, line.trim()));
      }
    }
  }

  add(edits: readonly Edit[]): void {
    for (const edit of edits) {
      const anchor = anchorOf(edit);
      const key = anchor === undefined ? '' : keyOf(edit.path, anchor);
      // Copy the strings. As slices of the patch, they would keep the complete patch in memory.
      if (this.#lines.has(key)) append(this.#byLine, key, withOwnLines(edit));
    }
  }

  /** Returns the edits that a line of a file identifies (see `anchorOf`). */
  at(path: string, line: string): readonly Edit[] {
    return this.#byLine.get(keyOf(path, line)) ?? [];
  }
}

function withOwnLines({ commit, path, removed, added, before, after }: Edit): Edit {
  const own = JSON.parse(JSON.stringify({ path, removed, added, before, after })) as Omit<Edit, 'commit'>;
  return { commit, ...own };
}

/** Use only the file name, which usually stays the same when a file is moved. */
function keyOf(path: string, line: string): string {
  return `${path.slice(path.lastIndexOf('/') + 1)}\0${line}`;
}

/** Returns the line that identifies an edit: its longest added line or, if it only removes, the line before. */
function anchorOf({ added, before }: Edit): string | undefined {
  const lines = added.some((line) => line.trim() !== '') ? added : before.slice(-1);
  const longest = lines.map((line) => line.trim()).sort((a, b) => b.length - a.length)[0];
  return longest !== undefined && isTelling(longest) ? longest : undefined;
}

/** Returns true if a line contains more than punctuation. */
function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]{2}/u.test(line);
}

/** Inputs of the search other than the groups. */
export interface SearchInput {
  readonly edits: EditIndex;
  readonly linesOf: (path: string) => readonly string[] | undefined;
  /** Returns the numbers, counted from 1, of a file's lines that contain comments but no code. */
  readonly commentLinesOf: (path: string) => ReadonlySet<number>;
  /** Returns the VS Code id of a file's language. */
  readonly languageOf: (path: string) => string;
  readonly cancelled: () => boolean;
}

/** Returns the missed fixes in groups, most likely first. */
export function missedFixes(groups: readonly Group[], searched: SearchInput): MissedFix[] {
  const found = new Map<string, FoundEdit>();
  // Iterate in the order of files, so that each file is read only once.
  const sorted = [...groups].sort((a, b) => (a.passages[0]!.path < b.passages[0]!.path ? -1 : 1));
  for (const group of sorted) {
    if (searched.cancelled()) break;
    if (group.kind !== 'code' || group.type === 'exact' || group.passages.length > maxCopies) continue;
    const copies = group.passages.flatMap((passage) => copyOf(passage, searched));
    const edits = new Map(copies.map((copy) => [copy, editsOf(copy, searched)]));
    for (const copy of copies) searchCopy(copy, edits, searched, found);
  }
  return [...found.values()]
    .flatMap((one) => missedFixOf(one))
    .sort((a, b) => b.score - a.score || (a.commit.id < b.commit.id ? -1 : 1));
}

function copyOf(passage: Passage, { linesOf }: SearchInput): Copy[] {
  const lines = linesOf(passage.path)?.slice(passage.startLine - 1, passage.endLine);
  if (lines === undefined || !canAlign(lines.join('\n'))) return [];
  return [{ passage, lines, trimmed: lines.map((line) => line.trim()), shapes: shapesOf(lines) }];
}

/** An edit, the copies that have it, and the copies that lack it. */
interface FoundEdit {
  readonly commit: Commit;
  readonly likeFix: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly edited: Map<string, Place>;
  readonly others: Map<string, MissedCopy>;
}

/** Edits of one commit in a copy, in order. `at` is the index of the edit's first line in the copy. */
type LocatedEdits = readonly { readonly edit: Edit; readonly at: number }[];

function searchCopy(
  copy: Copy,
  copies: ReadonlyMap<Copy, ReadonlyMap<Commit, LocatedEdits>>,
  searched: SearchInput,
  found: Map<string, FoundEdit>,
): void {
  for (const [commit, located] of copies.get(copy)!) {
    // If the same commit also edited the other copy, its author knew that copy, so it is not a missed fix.
    const candidates = [...copies].flatMap(([other, edits]) =>
      isApart(copy, other) &&
      !areOfPlatforms(copy.passage.path, other.passage.path) &&
      !edits.has(commit) &&
      located.some(({ edit }) => mayLack(other, edit))
        ? [other]
        : [],
    );
    if (candidates.length === 0) continue;
    const before = undone(copy, located).join('\n');
    const after = copy.lines.join('\n');
    const { path } = copy.passage;
    const language = searched.languageOf(path);
    for (const other of candidates) {
      if (isForeign(located, copy, other, searched)) continue;
      const common = searched.languageOf(other.passage.path) === language ? language : undefined;
      const missed = missedBy(other, before, after, common);
      if (missed === undefined) continue;
      if (isNotNeeded({ before, after, other: other.lines.join('\n'), language: common })) continue;
      const edits = located.map(({ edit }) => edit);
      // The same commit may exist on several branches. Report it only once.
      const key = `${commit.subject}\0${edits.map(keyOfEdit).join('\0')}`;
      let one = found.get(key);
      if (one === undefined) {
        const [removed, added] = [edits.flatMap((edit) => edit.removed), edits.flatMap((edit) => edit.added)];
        const likeFix = likeFixCommit(commit) * likeFixEdit(edits, language);
        one = { commit, likeFix, removed, added, edited: new Map(), others: new Map() };
        found.set(key, one);
      }
      const startLine = copy.passage.startLine + located[0]!.at;
      const { at, edit } = located.at(-1)!;
      const endLine = Math.max(startLine, copy.passage.startLine + at + edit.added.length - 1);
      one.edited.set(`${path}:${startLine}`, { path, startLine, endLine });
      // Two groups may contain the same copy. Use the similarity of the larger passages, which is more reliable.
      const place = `${missed.path}:${missed.line}`;
      const missedBefore = one.others.get(place);
      if (
        missedBefore === undefined ||
        missedBefore.endLine - missedBefore.startLine < missed.endLine - missed.startLine
      ) {
        one.others.set(place, missed);
      }
    }
  }
}

/** Returns the edits that a copy still contains, by commit. Omits edits of comments. */
function editsOf({ passage, trimmed }: Copy, { edits, commentLinesOf }: SearchInput): Map<Commit, LocatedEdits> {
  const found = new Map<Commit, { edit: Edit; at: number }[]>();
  for (const [line, text] of trimmed.entries()) {
    for (const edit of edits.at(passage.path, text)) {
      const at = placeOf(edit, trimmed, line);
      if (at === undefined) continue;
      const first = passage.startLine + at;
      const comments = commentLinesOf(passage.path);
      const isComment = edit.added.every((added, i) => added.trim() === '' || comments.has(first + i));
      // If an edit only removed lines, assume that they were comments if the lines around them are comments.
      if (!isComment || (edit.added.length === 0 && !comments.has(first) && !comments.has(first - 1))) {
        append(found, edit.commit, { edit, at });
      }
    }
  }
  return new Map([...found].map(([commit, located]) => [commit, withoutOverlaps(located)]));
}

/**
 * Removes edits that overlap an earlier one. If a commit makes the same edit in several places, each of these edits
 * matches in every place, so all but one of them are removed there.
 */
function withoutOverlaps(located: LocatedEdits): LocatedEdits {
  let end = -1;
  return [...located]
    .sort((a, b) => a.at - b.at)
    .filter(({ edit, at }) => {
      const isFree = at > end;
      if (isFree) end = at + Math.max(0, edit.added.length - 1);
      return isFree;
    });
}

/**
 * Returns the index in `lines` at which an edit begins. Returns `undefined` if `lines` do not contain the edit around
 * the line with index `line`, which is equal to the line that identifies the edit (see `anchorOf`).
 */
function placeOf({ added, before, after }: Edit, lines: readonly string[], line: number): number | undefined {
  const expected = added.map((one) => one.trim());
  const isRemoval = expected.every((one) => one === '');
  const at = isRemoval ? line + 1 : line - expected.indexOf(lines[line]!);
  if (at < 0 || expected.some((one, i) => lines[at + i] !== one)) return undefined;
  // A line such as `return null;` may occur anywhere, so an adjacent line must match as well.
  const isBefore = lines[at - 1] !== undefined && lines[at - 1] === before.at(-1)?.trim();
  const isAfter = lines[at + expected.length] !== undefined && lines[at + expected.length] === after[0]?.trim();
  return (isRemoval ? isBefore && isAfter : isBefore || isAfter) ? at : undefined;
}

function isApart({ passage: a }: Copy, { passage: b }: Copy): boolean {
  return a.path !== b.path || a.endLine < b.startLine || b.endLine < a.startLine;
}

/**
 * Returns true if a copy contains the lines that an edit replaced, but not the new lines. Compares lines without names.
 * This avoids most alignments, which are slow.
 */
function mayLack({ shapes }: Copy, { removed, added, before, after }: Edit): boolean {
  const [behind, ahead] = [before.slice(-1), after.slice(0, 1)];
  const [old, now] = [removed, added].map((lines) => shapesOf([...behind, ...lines, ...ahead])) as [string, string];
  // If an edit changes only names or literals, the old and new lines are equal without names.
  if (old !== now && shapes.includes(now)) return false;
  return shapesOf(removed) === '\n'
    ? shapes.includes(old)
    : linesIn(shapesOf(removed)).every((line) => shapes.includes(line));
}

/** Returns the lines of a shape, each with the line breaks around it. */
function linesIn(shapes: string): string[] {
  return shapes
    .slice(1, -1)
    .split('\n')
    .map((line) => `\n${line}\n`);
}

function shapesOf(lines: readonly string[]): string {
  const shapes = lines.map(shapeOf).filter((shape) => shape !== '');
  return shapes.length === 0 ? '\n' : `\n${shapes.join('\n')}\n`;
}

function shapeOf(line: string): string {
  return line.replaceAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu, '_').replaceAll(/\s+/g, '');
}

/** Number of lines around a copy in which to look for its local variables and labels. */
const around = 60;

/**
 * Returns true if an edit uses a local variable or label that exists around its own copy, but not around the other
 * copy. For example, `goto cleanup` does not fix a function without that label.
 */
function isForeign(located: LocatedEdits, copy: Copy, other: Copy, { linesOf, languageOf }: SearchInput): boolean {
  const near = ({ passage: { path, startLine, endLine } }: Copy): Map<string, number> =>
    namesIn((linesOf(path) ?? []).slice(Math.max(0, startLine - 1 - around), endLine + around).join('\n'));
  const [own, old] = [
    located.flatMap(({ edit }) => edit.added).join('\n'),
    located.flatMap(({ edit }) => edit.removed).join('\n'),
  ].map((text) => namesIn(text, languageOf(copy.passage.path))) as [Map<string, number>, Map<string, number>];
  const added = [...own].filter(([name]) => !old.has(name));
  if (added.length === 0) return false;
  const [mine, its] = [near(copy), near(other)];
  return added.some(([name, count]) => (mine.get(name) ?? 0) > count && !its.has(name));
}

/** Counts the names of local variables and labels in a text. Omits members, called functions, and constants. */
function namesIn(text: string, language?: string): Map<string, number> {
  const counts = new Map<string, number>();
  const words = wordsOf(text, language);
  for (const [i, { text: name, kind }] of words.entries()) {
    const isPlain = kind === 'name' && !/^\p{Lu}/u.test(name) && words[i + 1]?.text !== '(';
    if (!isPlain || /^[.>]$/.test(words[i - 1]?.text ?? '')) continue;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Returns the lines of a copy as they were before the given edits. */
function undone({ lines }: Copy, located: LocatedEdits): string[] {
  const before = [...lines];
  for (const { edit, at } of [...located].reverse()) before.splice(at, edit.added.length, ...edit.removed);
  return before;
}

/**
 * Applies an edit to a copy, and returns the lines that would change. Returns `undefined` if no part of the copy
 * corresponds to the edit, or if the copy already contains the edit.
 */
function missedBy(
  { passage, lines }: Copy,
  before: string,
  after: string,
  language: string | undefined,
): MissedCopy | undefined {
  const text = lines.join('\n');
  const { replacements } = transportEdit(before, after, text, language);
  // The copy may already contain the new text with other white space, or at another place.
  if (replacements.every((one) => isThere(one, text))) return undefined;
  const [first] = replacements;
  if (first === undefined) return undefined;
  const similarityBefore = similarityOf(before, text, language);
  if (similarityBefore < minSimilar) return undefined;
  const changes = replacements.map(({ start, end, text: now }) => {
    const [lineStart, lineEnd] = [text.lastIndexOf('\n', start - 1) + 1, text.indexOf('\n', end)];
    const behind = lineEnd < 0 ? text.length : lineEnd;
    return { old: text.slice(lineStart, behind), now: text.slice(lineStart, start) + now + text.slice(end, behind) };
  });
  const { path, startLine, endLine } = passage;
  return {
    path,
    startLine,
    endLine,
    similarityBefore,
    line: startLine + text.slice(0, first.start).split('\n').length - 1,
    removed: changes.flatMap(({ old }) => old.split('\n')),
    added: changes.flatMap(({ now }) => now.split('\n')),
  };
}

/** Returns true if a text already contains a replacement, ignoring white space. */
function isThere({ start, end, text: now }: Replacement, text: string): boolean {
  const [compact, old, whole] = [now, text.slice(start, end), text].map((one) => one.replaceAll(/\s/g, '')) as [
    string,
    string,
    string,
  ];
  return compact === old || (compact.length >= minRepeated && whole.includes(compact));
}

function similarityOf(left: string, right: string, language: string | undefined): number {
  const copies = alignCopies(left, right, language);
  const renamed = new Map(renamedIn(copies).map((name) => [name.left, name.right]));
  const alike = copies.pairs.filter(([i, j]) => {
    const [a, b] = [copies.left[i]!.text, copies.right[j]!.text];
    return a === b || renamed.get(a) === b;
  });
  return (2 * alike.length) / (copies.left.length + copies.right.length);
}

/** Returns a key that is equal for the same edit in two copies, even if their names differ. */
function keyOfEdit({ removed, added }: Edit): string {
  return `${removed.map(shapeOf).join('\n')}\0${added.map(shapeOf).join('\n')}`;
}

function missedFixOf({ commit, likeFix, removed, added, edited, others }: FoundEdit): MissedFix[] {
  const missed = [...others.values()].sort(
    (a, b) => b.similarityBefore - a.similarityBefore || (a.path < b.path ? -1 : 1),
  );
  const [best] = missed;
  if (best === undefined) return [];
  // If most copies have the edit, the others were probably forgotten. If only one of many has it, it may be a special
  // case.
  const share = edited.size / (edited.size + missed.length);
  const score = likeFix * best.similarityBefore ** 2 * Math.sqrt(Math.min(1, 2 * share));
  return [{ commit, score, edited: [...edited.values()], removed, added, others: missed }];
}
