/**
 * Finds missed fixes: edits of one copy that other copies lack. The copies are those of today's tree, so it is scanned
 * once. An edit belongs to a copy if its lines are still there. Undone in that copy, it gives the copy before the edit;
 * applied to another copy, at the corresponding words and with its names, it changes that copy if the edit was missed.
 */
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { alignCopies, canAlign, renamedIn } from '../../../presentation/copies/renaming.ts';
import { wordsOf } from '../../../presentation/copies/words.ts';
import { type Replacement, transportEdit } from '../../../presentation/copies/transportEdit.ts';
import { append } from '../../../core/collections/lists.ts';
import type { Commit, Edit } from './edits.ts';
import { likeFixCommit, likeFixEdit } from './likeFix.ts';

export interface Place {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A copy that lacks an edit. */
export interface MissedCopy extends Place {
  /** Similarity of both copies before the edit: 2 × aligned words / words of both. */
  readonly similarityBefore: number;
  /** Lines that the edit would change, and the lines in their place. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** First of these lines. */
  readonly line: number;
  /** True if the copy had these lines when the commit was made. */
  readonly existed: boolean;
}

export interface MissedFix {
  readonly commit: Commit;
  /** Estimate, 0 to 1, by which fixes are ranked. */
  readonly score: number;
  /** Copies that have the edit. */
  readonly edited: readonly Place[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Copies that lack it, the most similar first. */
  readonly others: readonly MissedCopy[];
}

/** Lines of a passage, and keys of them. */
interface Copy {
  readonly passage: Passage;
  readonly lines: readonly string[];
  /** Lines without blanks at their ends. */
  readonly trimmed: readonly string[];
  /** Lines without blanks and names, each between line breaks, without empty lines. */
  readonly shapes: string;
}

/** More copies of one passage are a pattern, and comparing all of them takes long. */
const maxCopies = 30;
/** Less similar copies rarely need the same fix. */
const leastSimilar = 0.7;

/** Shorter replacements, such as `return;`, occur elsewhere by chance. */
const minRepeated = 12;

/** Edits by the name of their file and by their longest line. */
export class EditIndex {
  /** Lines of copies. Other edits are not kept. */
  readonly #lines = new Set<string>();
  readonly #byLine = new Map<string, Edit[]>();

  constructor(groups: readonly Group[], linesOf: Searched['linesOf']) {
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
      // Cloned, because lines are slices that would keep the whole patch in memory.
      if (this.#lines.has(key)) append(this.#byLine, key, withOwnLines(edit));
    }
  }

  /** Returns the edits whose anchor is a line of a file. */
  at(path: string, line: string): readonly Edit[] {
    return this.#byLine.get(keyOf(path, line)) ?? [];
  }
}

function withOwnLines({ commit, path, removed, added, before, after }: Edit): Edit {
  const own = JSON.parse(JSON.stringify({ path, removed, added, before, after })) as Omit<Edit, 'commit'>;
  return { commit, ...own };
}

/** A file keeps its name when it is moved. */
function keyOf(path: string, line: string): string {
  return `${path.slice(path.lastIndexOf('/') + 1)}\0${line}`;
}

/** Returns the line by which an edit is found: its longest added one, or the one before removed lines. */
function anchorOf({ added, before }: Edit): string | undefined {
  const lines = added.some((line) => line.trim() !== '') ? added : before.slice(-1);
  const longest = lines.map((line) => line.trim()).sort((a, b) => b.length - a.length)[0];
  return longest !== undefined && isTelling(longest) ? longest : undefined;
}

/** True if a line has more than signs. */
function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]{2}/u.test(line);
}

/** Inputs besides the groups. */
export interface Searched {
  readonly edits: EditIndex;
  readonly linesOf: (path: string) => readonly string[] | undefined;
  /** Returns the lines, from 1, that have comments and no code. */
  readonly commentLinesOf: (path: string) => ReadonlySet<number>;
  /** Returns the VS Code id of a file's language. */
  readonly languageOf: (path: string) => string;
  readonly cancelled: () => boolean;
}

/** Returns the missed fixes of groups, the most likely first. */
export function missedFixes(groups: readonly Group[], searched: Searched): MissedFix[] {
  const found = new Map<string, Found>();
  // In the order of files, which are then read once.
  const sorted = [...groups].sort((a, b) => (a.passages[0]!.path < b.passages[0]!.path ? -1 : 1));
  for (const group of sorted) {
    if (searched.cancelled()) break;
    if (group.kind !== 'code' || group.type === 'exact' || group.passages.length > maxCopies) continue;
    const copies = group.passages.flatMap((passage) => copyOf(passage, searched));
    for (const copy of copies) searchCopy(copy, copies, searched, found);
  }
  return [...found.values()]
    .flatMap((one) => missedFixOf(one))
    .sort((a, b) => b.score - a.score || (a.commit.id < b.commit.id ? -1 : 1));
}

function copyOf(passage: Passage, { linesOf }: Searched): Copy[] {
  const lines = linesOf(passage.path)?.slice(passage.startLine - 1, passage.endLine);
  if (lines === undefined || !canAlign(lines.join('\n'))) return [];
  return [{ passage, lines, trimmed: lines.map((line) => line.trim()), shapes: shapesOf(lines) }];
}

/** An edit of a commit, and the copies that have and lack it. */
interface Found {
  readonly commit: Commit;
  readonly likeFix: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly edited: Map<string, Place>;
  readonly others: Map<string, MissedCopy>;
}

/** Edits of one commit in a copy, with their first line in it, in order. */
type Located = readonly { readonly edit: Edit; readonly at: number }[];

function searchCopy(copy: Copy, copies: readonly Copy[], searched: Searched, found: Map<string, Found>): void {
  for (const [commit, located] of editsOf(copy, searched)) {
    const candidates = copies.filter(
      (other) => isApart(copy, other) && located.some(({ edit }) => mayLack(other, edit)),
    );
    if (candidates.length === 0) continue;
    const before = undone(copy, located).join('\n');
    const after = copy.lines.join('\n');
    const { path } = copy.passage;
    const language = searched.languageOf(path);
    for (const other of candidates) {
      if (isForeign(located, copy, other, searched)) continue;
      const missed = missedBy(
        other,
        before,
        after,
        searched.languageOf(other.passage.path) === language ? language : undefined,
      );
      if (missed === undefined) continue;
      const edits = located.map(({ edit }) => edit);
      // A commit that was applied to another branch, too, is listed once.
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
      // Groups may contain each other. The similarity in the larger passage says more.
      const place = `${missed.path}:${missed.line}`;
      const known = one.others.get(place);
      if (known === undefined || known.endLine - known.startLine < missed.endLine - missed.startLine) {
        one.others.set(place, missed);
      }
    }
  }
}

/** Returns the edits of code whose lines are still in a copy, by commit. */
function editsOf({ passage, trimmed }: Copy, { edits, commentLinesOf }: Searched): Map<Commit, Located> {
  const found = new Map<Commit, { edit: Edit; at: number }[]>();
  for (const [line, text] of trimmed.entries()) {
    for (const edit of edits.at(passage.path, text)) {
      const at = placeOf(edit, trimmed, line);
      if (at === undefined) continue;
      const first = passage.startLine + at;
      const comments = commentLinesOf(passage.path);
      const isComment = edit.added.every((added, i) => added.trim() === '' || comments.has(first + i));
      // The text before a removed comment is unknown; comments around it are evidence enough.
      if (!isComment || (edit.added.length === 0 && !comments.has(first) && !comments.has(first - 1))) {
        append(found, edit.commit, { edit, at });
      }
    }
  }
  return new Map([...found].map(([commit, located]) => [commit, withoutOverlaps(located)]));
}

/** Equal edits of a commit are found at each other's places. */
function withoutOverlaps(located: Located): Located {
  let end = -1;
  return [...located]
    .sort((a, b) => a.at - b.at)
    .filter(({ edit, at }) => {
      const isFree = at > end;
      if (isFree) end = at + Math.max(0, edit.added.length - 1);
      return isFree;
    });
}

/** Returns the first line of an edit in a copy, if its anchor is at `line`; `undefined` if it is not there. */
function placeOf({ added, before, after }: Edit, lines: readonly string[], line: number): number | undefined {
  const expected = added.map((one) => one.trim());
  const isRemoval = expected.every((one) => one === '');
  const at = isRemoval ? line + 1 : line - expected.indexOf(lines[line]!);
  if (at < 0 || expected.some((one, i) => lines[at + i] !== one)) return undefined;
  // A line such as `return null;` may be anywhere: a line around it must be the same.
  const isBefore = lines[at - 1] !== undefined && lines[at - 1] === before.at(-1)?.trim();
  const isAfter = lines[at + expected.length] !== undefined && lines[at + expected.length] === after[0]?.trim();
  return (isRemoval ? isBefore && isAfter : isBefore || isAfter) ? at : undefined;
}

function isApart({ passage: a }: Copy, { passage: b }: Copy): boolean {
  return a.path !== b.path || a.endLine < b.startLine || b.endLine < a.startLine;
}

/**
 * True if a copy has the lines that an edit replaced, regardless of names, and not those in their place. Saves most of
 * the alignments of words.
 */
function mayLack({ shapes }: Copy, { removed, added, before, after }: Edit): boolean {
  const [behind, ahead] = [before.slice(-1), after.slice(0, 1)];
  const [old, now] = [removed, added].map((lines) => shapesOf([...behind, ...lines, ...ahead])) as [string, string];
  // An edit of names or texts alone has the same shape.
  if (old !== now && shapes.includes(now)) return false;
  return shapesOf(removed) === '\n'
    ? shapes.includes(old)
    : linesIn(shapesOf(removed)).every((line) => shapes.includes(line));
}

/** Returns each line of shapes between line breaks. */
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

/** Lines around a copy in which local variables and labels may be. */
const around = 60;

/**
 * True if an edit uses a variable or label that the code around its copy has, and the code around the other copy does
 * not: `goto cleanup` is no fix for a function without that label.
 */
function isForeign(located: Located, copy: Copy, other: Copy, { linesOf, languageOf }: Searched): boolean {
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

/** Counts the names of variables and labels in a text: those that are neither members, nor called, nor constants. */
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

/** Returns the lines of a copy without some edits. */
function undone({ lines }: Copy, located: Located): string[] {
  const before = [...lines];
  for (const { edit, at } of [...located].reverse()) before.splice(at, edit.added.length, ...edit.removed);
  return before;
}

/** Returns the effect of an edit on a copy; `undefined` if the copy has no place for it, or has it. */
function missedBy(
  { passage, lines }: Copy,
  before: string,
  after: string,
  language: string | undefined,
): MissedCopy | undefined {
  const text = lines.join('\n');
  const { replacements } = transportEdit(before, after, text, language);
  // Blanks aside, the lines may be there already, for example beside a part of the edit that is not.
  if (replacements.every((one) => isThere(one, text))) return undefined;
  const [first] = replacements;
  if (first === undefined) return undefined;
  const similarityBefore = similarityOf(before, text, language);
  if (similarityBefore < leastSimilar) return undefined;
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
    existed: false,
    line: startLine + text.slice(0, first.start).split('\n').length - 1,
    removed: changes.flatMap(({ old }) => old.split('\n')),
    added: changes.flatMap(({ now }) => now.split('\n')),
  };
}

/** True if a text has the replacement, apart from blanks, or would have the same without blanks before and after it. */
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

/** Key of an edit that is equal for the same edit of copies with other names. */
function keyOfEdit({ removed, added }: Edit): string {
  return `${removed.map(shapeOf).join('\n')}\0${added.map(shapeOf).join('\n')}`;
}

function missedFixOf({ commit, likeFix, removed, added, edited, others }: Found): MissedFix[] {
  const missed = [...others.values()].sort(
    (a, b) => b.similarityBefore - a.similarityBefore || (a.path < b.path ? -1 : 1),
  );
  const [best] = missed;
  if (best === undefined) return [];
  // If most copies were fixed, the others were forgotten. If only one of many was, its case may be special.
  const share = edited.size / (edited.size + missed.length);
  const score = likeFix * best.similarityBefore ** 2 * Math.sqrt(Math.min(1, 2 * share));
  return [{ commit, score, edited: [...edited.values()], removed, added, others: missed }];
}
