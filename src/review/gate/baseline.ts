/**
 * A baseline is a file that lists known groups. Groups are identified by content only, so that the baseline stays valid
 * when lines and paths change. Each entry is on its own line and ends with a comma, and entries are sorted. So branches
 * that add different entries can be merged.
 *
 *   { "contents": { "0f3a…": 2, "77b1…": 1 }, "reason": "Both are tables of one standard." },
 *
 * An entry lists the contents of a group's copies, with their number of occurrences. An entry with a reason ignores its
 * group as long as the group is unchanged. An entry without a reason records an existing group, and still applies if
 * copies are removed. An entry for a pair ignores the match between its two contents in any group.
 *
 * "at", "name", and "text" describe the first copy to people who read the file. They are not used for matching.
 */
import { lineAt } from '../../core/collections/textPositions.ts';
import * as l10n from '@vscode/l10n';
import { type Node, parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { append, groupBy } from '../../core/collections/lists.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { maxDepth, offsetTooDeep } from '../../scan/io/nesting.ts';
import { type Contents, contentsOf } from './contents.ts';

/** Description of the first copy of a group, as it was when the entry was written. */
export interface EntryNote {
  /** Path relative to the folder of the file, and lines: "src/dates.ts:12-40". Whole files have no lines. */
  readonly at?: string;
  /** Name of the function, class, or section that contains the copy. */
  readonly name?: string;
  /** The first informative line of the copy, shortened. */
  readonly text?: string;
}

export interface BaselineEntry extends EntryNote {
  readonly contents: Contents;
  readonly reason: string | undefined;
  /** Author of the entry, and its date, such as 2026-01-31. */
  readonly by?: string;
  readonly on?: string;
  /** Set if the entry is for a pair of copies instead of a whole group. */
  readonly isPair?: true;
}

export interface BaselineProblem {
  /** Line of the problem, counted from 1. */
  readonly line: number;
  readonly problem: string;
}

/** Version of the file format, which a baseline states at its beginning. */
const format = 1;

export function occurrencesOf(contents: Contents): number {
  let sum = 0;
  for (const count of contents.values()) sum += count;
  return sum;
}

/** Returns the text of a baseline with the given entries. The order of the entries does not matter. */
export function printBaseline(entries: readonly BaselineEntry[]): string {
  const lines = entries.map(printEntry).sort();
  return [`{`, `  "kindredBaseline": ${format},`, `  "entries": [`, ...lines, `  ]`, `}`, ``].join('\n');
}

function printEntry({ contents, reason, by, on, at, name, text, isPair }: BaselineEntry): string {
  const parts = sorted(contents).map(([content, count]) => `"${content}": ${count}`);
  const others = Object.entries({ pair: isPair, at, name, text, reason, by, on })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `, "${key}": ${JSON.stringify(value)}`);
  return `    { "contents": { ${parts.join(', ')} }${others.join('')} },`;
}

function sorted(contents: Contents): [string, number][] {
  return [...contents].sort(([x], [y]) => (x < y ? -1 : 1));
}

/** Returns the entries of a baseline, or the first problem in it. */
export function parseBaseline(text: string): readonly BaselineEntry[] | BaselineProblem {
  const at = (offset: number, problem: string): BaselineProblem => ({ line: lineAt(text, offset), problem });
  const tooDeep = offsetTooDeep(text);
  if (tooDeep !== undefined) {
    return at(tooDeep, l10n.t('has lists and objects that are nested more than {0} deep', maxDepth));
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  const conflict = /^(?:<{7}|={7}|>{7})/m.exec(text);
  if (conflict) return at(conflict.index, l10n.t('has a merge conflict; keep the entries of both sides'));
  if (error) return at(error.offset, l10n.t('is not valid JSON ({0})', wordsOf(error)));
  if (root?.type !== 'object') return at(0, l10n.t('is not a baseline'));
  const version = valueOf(root, 'kindredBaseline');
  if (version?.type !== 'number') return at(0, l10n.t('is not a baseline: "kindredBaseline" is missing'));
  if ((version.value as number) > format)
    return at(version.offset, l10n.t('was written by a newer version of Kindred'));
  const list = valueOf(root, 'entries');
  if (list?.type !== 'array') return at(list?.offset ?? 0, l10n.t('has no list of "entries"'));
  const entries: BaselineEntry[] = [];
  for (const node of list.children ?? []) {
    const entry = readEntry(node);
    if (typeof entry === 'string') return at(node.offset, entry);
    entries.push(entry);
  }
  return entries;
}

function readEntry(node: Node): BaselineEntry | string {
  const contents = node.type === 'object' ? valueOf(node, 'contents') : undefined;
  if (contents?.type !== 'object') return l10n.t('has an entry without "contents"');
  const about = readAbout(node);
  if (typeof about === 'string') return about;
  const counts = readContents(contents);
  if (typeof counts === 'string') return counts;
  if (occurrencesOf(counts) < 2) return l10n.t('has an entry with fewer than two copies');
  if (about.isPair && occurrencesOf(counts) > 2) return l10n.t('has a pair with more than two copies');
  if (about.isPair && about.reason === undefined) return l10n.t('has a pair without a "reason"');
  return { contents: counts, ...about };
}

function readContents(contents: Node): Contents | string {
  const counts = new Map<string, number>();
  for (const { children: [key, value] = [] } of contents.children ?? []) {
    const [content, count] = [String(key?.value), value?.value as unknown];
    if (!/^[0-9a-f]{16}$/.test(content)) return l10n.t('has an entry with "{0}", which is not a content id', content);
    if (!Number.isInteger(count) || (count as number) < 1)
      return l10n.t('has an entry with a count that is not a whole number');
    counts.set(content, (counts.get(content) ?? 0) + (count as number));
  }
  return counts;
}

/** Reads the properties of an entry, except for its contents. */
function readAbout(node: Node): Omit<BaselineEntry, 'contents'> | string {
  const found: Partial<Record<(typeof texts)[number], string>> = {};
  for (const key of texts) {
    const text = textOf(valueOf(node, key));
    if (text === false) return l10n.t('has an entry whose "{0}" is not a string', key);
    if (text) found[key] = text;
  }
  const pair = valueOf(node, 'pair');
  if (pair && pair.value !== true) return l10n.t('has an entry whose "pair" is not true');
  return { ...found, reason: found.reason, ...(pair && { isPair: true }) };
}

const texts = ['at', 'name', 'text', 'reason', 'by', 'on'] as const;

/** Returns the trimmed text of a node. Returns `undefined` if the node is missing, and false if it is not a string. */
function textOf(node: Node | undefined): string | undefined | false {
  if (node === undefined) return undefined;
  return node.type === 'string' && (node.value as string).trim();
}

function valueOf(object: Node, key: string): Node | undefined {
  return object.children?.find(({ children }) => children?.[0]?.value === key)?.children?.[1];
}

/** Converts "ValueExpected" to "value expected". */
function wordsOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}

/** Baseline entries, assigned to groups. */
export interface BaselineMatch {
  /** For each group in the baseline, its entry. */
  readonly entryOf: ReadonlyMap<Group, BaselineEntry>;
  /** For each group, the entries for pairs of its copies. Groups without such entries are missing. */
  readonly pairsOf: ReadonlyMap<Group, readonly BaselineEntry[]>;
  readonly stale: readonly BaselineEntry[];
}

/**
 * Assigns to each group the entry that contains most of its copies. Each entry is assigned to only one group. Begins
 * with groups that have exactly the contents of an entry. An entry for a pair is assigned to all groups that contain
 * both of its copies.
 */
export function matchBaseline(groups: readonly Group[], entries: readonly BaselineEntry[]): BaselineMatch {
  const entryOf = new Map<Group, BaselineEntry>();
  const pairsOf = matchPairs(groups, entries);
  const ofGroups = entries.filter(({ isPair }) => !isPair);
  const unused = new Set(ofGroups);
  if (ofGroups.length > 0) {
    const others = matchWhole(groups, ofGroups, entryOf, unused);
    const byContent = new Map<string, BaselineEntry[]>();
    for (const entry of unused) for (const content of entry.contents.keys()) append(byContent, content, entry);
    for (const group of others) {
      const entry = bestOf(group, byContent, unused);
      if (entry === undefined) continue;
      unused.delete(entry);
      entryOf.set(group, entry);
    }
  }
  const used = new Set([...pairsOf.values()].flat());
  return {
    entryOf,
    pairsOf,
    stale: entries.filter((entry) => (entry.isPair ? !used.has(entry) : unused.has(entry))),
  };
}

/** Assigns entries to the groups that have exactly the same contents. Returns the other groups. */
function matchWhole(
  groups: readonly Group[],
  entries: readonly BaselineEntry[],
  entryOf: Map<Group, BaselineEntry>,
  unused: Set<BaselineEntry>,
): Group[] {
  const left = groupBy(entries, ({ contents }) => keyOf(contents));
  return groups.filter((group) => {
    const entry = left.get(keyOfGroup(group))?.shift();
    if (entry === undefined) return true;
    entryOf.set(group, entry);
    unused.delete(entry);
    return false;
  });
}

function matchPairs(groups: readonly Group[], entries: readonly BaselineEntry[]): Map<Group, BaselineEntry[]> {
  const pairsOf = new Map<Group, BaselineEntry[]>();
  const byContent = new Map<string, BaselineEntry[]>();
  for (const entry of entries) if (entry.isPair) append(byContent, firstContentOf(entry.contents), entry);
  if (byContent.size === 0) return pairsOf;
  for (const group of groups) {
    const contents = contentsOf(group);
    for (const content of contents.keys()) {
      for (const entry of byContent.get(content) ?? []) {
        const hasBoth = [...entry.contents].every(([key, count]) => (contents.get(key) ?? 0) >= count);
        if (hasBoth) append(pairsOf, group, entry);
      }
    }
  }
  return pairsOf;
}

function firstContentOf(contents: Contents): string {
  return sorted(contents)[0]![0];
}

function bestOf(
  group: Group,
  byContent: ReadonlyMap<string, readonly BaselineEntry[]>,
  unused: ReadonlySet<BaselineEntry>,
): BaselineEntry | undefined {
  if (!group.passages.some(({ content = '' }) => byContent.has(content))) return undefined;
  const contents = contentsOf(group);
  let best: { readonly entry: BaselineEntry; readonly common: number } | undefined;
  for (const content of [...contents.keys()].sort()) {
    for (const entry of byContent.get(content) ?? []) {
      if (!unused.has(entry)) continue;
      const common = commonOf(contents, entry.contents);
      if (best === undefined || common > best.common) best = { entry, common };
    }
  }
  return best?.entry;
}

function commonOf(x: Contents, y: Contents): number {
  let common = 0;
  for (const [content, count] of x) common += Math.min(count, y.get(content) ?? 0);
  return common;
}

function keyOf(contents: Contents): string {
  return sorted(contents)
    .map(([content, count]) => `${content} ${count}`)
    .join(' ');
}

/** Cache of groups' keys. Each edit judges all groups again, and unchanged groups stay the same objects. */
const keys = new WeakMap<Group, string>();

function keyOfGroup(group: Group): string {
  let key = keys.get(group);
  if (key === undefined) keys.set(group, (key = keyOf(contentsOf(group))));
  return key;
}

/** Returns true if a group has exactly the copies that its entry lists. */
export function isUnchanged(group: Group, { contents }: BaselineEntry): boolean {
  return keyOfGroup(group) === keyOf(contents);
}

/** Returns the number of copies in a group that its entry does not list. */
export function growthOf(group: Group, { contents }: BaselineEntry): number {
  return Math.max(0, group.passages.length - occurrencesOf(contents));
}

/**
 * Returns true if the entry of a group needs a new note, because the group has changed, or because the file in the note
 * no longer contains a copy. If only lines have moved, the old note is kept, so that diffs of a baseline show only real
 * changes.
 *
 * @param paths  paths of the group's files, written as in notes
 */
export function needsNote(group: Group, entry: BaselineEntry | undefined, paths: readonly string[]): boolean {
  if (entry?.at === undefined || !isUnchanged(group, entry)) return true;
  return !paths.includes(entry.at.replace(/:\d+(?:-\d+)?$/, ''));
}

/**
 * Returns the entry of a group for a new baseline. If the group has changed since the known entry was written, the new
 * entry does not ignore it.
 *
 * @param note  note for the entry; `undefined` to keep the old note if the group is unchanged
 */
export function entryFor(group: Group, entry: BaselineEntry | undefined, note?: EntryNote): BaselineEntry {
  if (entry === undefined || !isUnchanged(group, entry)) {
    return { contents: contentsOf(group), reason: undefined, ...note };
  }
  if (note === undefined) return entry;
  return { ...withoutNote(entry), ...note };
}

/** Returns true if two entries are equal except for their notes. */
export function isSameEntry(x: BaselineEntry, y: BaselineEntry): boolean {
  return printEntry(withoutNote(x)) === printEntry(withoutNote(y));
}

function withoutNote({ contents, reason, by, on, isPair }: BaselineEntry): BaselineEntry {
  return { contents, reason, ...(by && { by }), ...(on && { on }), ...(isPair && { isPair }) };
}
