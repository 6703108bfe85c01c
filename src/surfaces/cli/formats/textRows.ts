/** Renders rows of the text report: groups with their places, file pairs, peers, similar folders, and nested rows. */
import path from 'node:path';
import type { FilePair, FolderGroup, Group } from '../../../core/engine/report/report.ts';
import { differingParts, type DifferingParts } from '../../../presentation/wording/differingParts.ts';
import { insideOf, similarityOf, sizeOf } from '../../../presentation/wording/likeness.ts';
import { groupsIn, type OutlineRow, type PassageRow, type SectionName } from '../../../presentation/wording/outline.ts';
import { equalsIn } from '../../../presentation/wording/siblings.ts';
import { memberNames, mostShared, type Peers, sharedLines } from '../../../presentation/wording/peers.ts';
import type { Colours } from '../colours.ts';
import { kindOf } from '../../../presentation/wording/kindOf.ts';
import { titleOf, titleWithoutTests } from './groupTitle.ts';
import { linesOf } from '../../../presentation/wording/lineRange.ts';
import { nameFrom, placeOf, type Vantage } from '../places.ts';
import { previewOf } from '../preview.ts';
import { printable } from '../../../presentation/wording/printable.ts';
import { count, number, percent } from '../quantities.ts';

export interface RowView extends Vantage {
  readonly colours: Colours;
  /** Number of columns at which previews are truncated. */
  readonly width: number;
  /** Maximum number of rows inside a folder row. */
  readonly inFolders: number;
  /** Hint about how to show the rows that are left out: "--top 0 shows all". */
  readonly moreInFolders: string;
  /** True to show everything nested in a row: places, matches between two files, and nested groups. */
  readonly inFull: boolean;
}

/** Yields a row with its number, the rows nested in it, and an empty line. */
export function* renderRow(row: OutlineRow, ordinal: number, section: SectionName, view: RowView): Generator<string> {
  switch (row.type) {
    case 'folders':
      yield* renderFolders(row.folders, row.rows, ordinal, view);
      break;
    case 'peers':
      yield* renderPeers(row.peers, row.rows, ordinal, view);
      break;
    case 'files':
      yield* renderFiles(row.files, row.rows, ordinal, view);
      break;
    case 'group':
      yield* renderGroup(row, ordinal, section, view);
      break;
  }
  yield '\n';
}

/** Maximum number of passages to show. The rest is only counted. */
const passagesShown = 10;

const previewLines = 3;

type GroupRow = Extract<OutlineRow, { type: 'group' }>;

function* renderGroup(row: GroupRow, ordinal: number, section: SectionName, view: RowView): Generator<string> {
  const { group } = row;
  const { colours } = view;
  // In the section of tests, omit "in tests" from titles.
  const heading = `${ordinal}. ${section === 'tests' ? titleWithoutTests(group) : titleOf(group)}`;
  yield `${colours.title(heading)} ${colours.quiet(`· ${count(sizeOf(group).tokens, 'token')} · ${group.id}`)}\n`;
  yield* renderPlaces(group, '   ', passagesShown, view);
  const inside = insideOf(group);
  if (inside) {
    const names = namesApart([inside.inner.path, inside.outer.path]);
    yield `     ${colours.quiet(`${percent(inside.share)} ${insideNames(names)}`)}\n`;
  }
  if (group.kind !== 'file') {
    yield* renderPreview(group, view);
    yield* renderInside(row, '   ', view);
  } else if (view.inFull) yield* renderInside(row, '   ', view);
  else yield* renderFirstInside(row, view);
}

function* renderPreview({ passages: [first] }: Group, { colours, root, width }: RowView): Generator<string> {
  const preview = first ? previewOf(first, root, previewLines, Math.max(20, width - 5)) : [];
  for (const line of preview) yield `     ${colours.quiet(line)}\n`;
}

/** Maximum number of shared passages to list for similar files. */
const firstInside = 3;

/** Yields the first passages that similar files share. */
function* renderFirstInside({ rows }: GroupRow, view: RowView): Generator<string> {
  const groups = rows.flatMap((row) => (row.type === 'group' ? [row.group] : []));
  for (const group of groups.slice(0, firstInside)) {
    const places = group.passages.slice(0, 2).map((passage) => view.colours.place(placeOf(group, passage, view)));
    const more = group.passages.length > 2 ? ` and ${number(group.passages.length - 2)} more` : '';
    yield `     ${kindOf(group)}: ${places.join(', ')}${more}\n`;
  }
  if (groups.length > firstInside) {
    yield `     ${view.colours.quiet(`… and ${count(groups.length - firstInside, 'more group')}`)}\n`;
  }
  if (groups.length === 1) yield* renderPreview(groups[0]!, view);
}

function* renderPlaces(group: Group, indentation: string, limit: number, view: RowView): Generator<string> {
  const { colours, inFull } = view;
  const { passages, kind } = group;
  const shown = inFull ? passages : passages.slice(0, limit);
  // If all copies are equal, the heading already says so.
  const equals = group.type === 'exact' ? [] : equalsIn(group);
  for (const [i, passage] of shown.entries()) {
    const first = equals[i] === undefined || equals[i] === i ? undefined : passages[equals[i]];
    const note = first === undefined ? '' : colours.quiet(`  identical to ${placeOf(group, first, view)}`);
    yield `${indentation}${colours.place(placeOf(group, passage, view))}${note}\n`;
  }
  if (passages.length === shown.length) return;
  const more = count(passages.length - shown.length, kind === 'file' ? 'more file' : 'more place');
  yield `${indentation}${colours.quiet(`… and ${more}`)}\n`;
}

/** Yields the groups nested in a group: only their number or, if `inFull` is set, all of them. */
function* renderInside(row: GroupRow, indentation: string, view: RowView): Generator<string> {
  const inside = insideWords(row);
  if (inside === '') return;
  yield `${indentation}${view.colours.quiet(view.inFull ? `${inside}:` : inside)}\n`;
  if (!view.inFull) return;
  for (const inner of row.rows) {
    if (inner.type !== 'group') continue;
    const isSame = inner.group.tests === row.group.tests;
    yield `${indentation}  ${isSame ? titleWithoutTests(inner.group) : titleOf(inner.group)}\n`;
    yield* renderPlaces(inner.group, `${indentation}    `, passagesShown, view);
    yield* renderInside(inner, `${indentation}    `, view);
  }
}

/** Says which file is contained in which: "of a.ts is in all.ts". */
function insideNames([inner, outer]: readonly string[]): string {
  return printable(`of ${inner} is in ${outer}`);
}

/** Returns paths without the leading folders that they share. */
function namesApart(paths: readonly string[]): string[] {
  const { parts, after } = differingParts(paths);
  return parts.map((part) => (after === '' ? part : `${part}/${after}`));
}

/** Returns "with 3 groups inside it"; '' if there are no nested groups. */
function insideWords(row: GroupRow): string {
  const groups = [...groupsIn(row)].length - 1;
  return groups === 0 ? '' : `with ${count(groups, 'group')} inside it`;
}

/** Maximum number of matches for two files, and of places per match (`placesOfMatch`). The rest is only counted. */
const matchesShown = 5;
const placesOfMatch = 4;

function* renderFiles(files: FilePair, rows: readonly OutlineRow[], ordinal: number, view: RowView): Generator<string> {
  const { parts, after } = differingParts(files.paths);
  const names = after === '' ? joined(parts) : `${after} in ${joined(parts)}`;
  yield `${view.colours.title(`${ordinal}. ${filesWords(names, files)}`)}\n`;
  yield* renderMatches(rows, '   ', view);
}

/** Describes a pair of files: "endpoints.go and endpointslice.go: 9 passages, 61% and 58% of their lines". */
function filesWords(names: string, { groups, shares: [first, second] }: FilePair): string {
  const shares = `${percent(first)} and ${percent(second)} of their lines`;
  return printable(`${names}: ${count(groups.length, 'passage')}, ${shares}`);
}

/** Yields the places of matches: one line per match if they fit, otherwise several. */
function* renderMatches(rows: readonly OutlineRow[], indentation: string, view: RowView): Generator<string> {
  const { colours, width, inFull } = view;
  const groups = rows.filter((row) => row.type === 'group');
  const shown = groups.slice(0, inFull ? groups.length : matchesShown);
  const margin = `${indentation}${' '.repeat(likenessWidth)}`;
  const table = shown.map(({ group }) => group.passages.map((passage) => placeOf(group, passage, view)));
  const besides = table.every(({ length }) => length === 2) ? aligned(table, 2) : [];
  const fit = besides.length > 0 && besides.every((cells) => margin.length + cells.join('  ').length <= width);
  for (const [i, row] of shown.entries()) {
    const inside = insideOf(row.group);
    yield `${indentation}${colours.quiet(likenessColumn(similarityOf(row.group)))}`;
    if (inside) yield `${insideNames(namesApart([inside.inner.path, inside.outer.path]))}\n`;
    else if (fit) yield `${besides[i]!.map(colours.place).join('  ').trimEnd()}\n`;
    else yield [...renderPlaces(row.group, margin, placesOfMatch, view)].join('').slice(margin.length);
    // For two files, show nested groups only if `inFull` is set, because their number alone is not useful.
    if (inFull) yield* renderInside(row, margin, view);
  }
  if (groups.length === shown.length) return;
  yield `${margin}${colours.quiet(`… and ${count(groups.length - shown.length, 'more passage')}`)}\n`;
}

/**
 * Maximum number of peers to show; `othersShown` is the maximum number of other peers to list for each peer, beginning
 * with those that share the most lines. The rest is only counted.
 */
const peersShown = 6;
const othersShown = 3;

function* renderPeers(peers: Peers, rows: readonly PassageRow[], ordinal: number, view: RowView): Generator<string> {
  const { colours, inFull } = view;
  const { name, paths, groups } = peers;
  const { lines, shared } = sharedLines(peers);
  const allLines = lines.reduce((sum, own) => sum + own, 0);
  const names = memberNames(paths);
  const facts = [count(paths.length, 'file'), count(groups.length, 'passage'), count(allLines, 'line')].join(', ');
  const around = aroundOf({ ...differingParts(paths), after: '' }, view);
  const place = around === '' ? '' : colours.quiet(` in ${printable(around)}`);
  yield `${colours.title(`${ordinal}. ${printable(name)}: ${facts}`)}${place}\n`;
  const shown = inFull ? paths.length : Math.min(paths.length, peersShown);
  const table = aligned(
    names.slice(0, shown).map((part, i) => [printable(part), count(lines[i]!, 'line')]),
    1,
  );
  for (const [i, [file, size]] of table.entries()) {
    const others = mostShared(shared[i]!).slice(0, inFull ? paths.length : othersShown);
    const words = others.map((other) => `${number(shared[i]![other]!)} with ${names[other]!}`).join(', ');
    yield `   ${colours.place(file!)}   ${size!}   ${colours.quiet(printable(words))}\n`;
  }
  if (paths.length > shown) yield `   ${colours.quiet(`… and ${count(paths.length - shown, 'more file')}`)}\n`;
  yield* renderMatches(rows.flatMap(groupRowsOf), '   ', view);
}

function groupRowsOf(row: PassageRow): readonly PassageRow[] {
  return row.type === 'group' ? [row] : row.rows.flatMap(groupRowsOf);
}

const likenessWidth = '100%  '.length;

/** Returns the column with the similarity, which comes before the place. */
function likenessColumn(share: number): string {
  return `${percent(share).padStart(likenessWidth - 2)}  `;
}

function* renderFolders(
  folders: FolderGroup,
  rows: readonly PassageRow[],
  ordinal: number,
  view: RowView,
): Generator<string> {
  const { colours } = view;
  const names = differingParts(folders.paths);
  const around = aroundOf(names, view);
  const heading = `Folders that repeat each other: ${joined(names.parts)}`;
  yield `${colours.title(`${ordinal}. ${printable(heading)}`)}${around === '' ? '' : colours.quiet(` in ${printable(around)}`)}\n`;
  const { files, alike, lines, shares } = folders;
  const table = names.parts.map((name, i) => [
    printable(name),
    `${number(alike[i]!)} of ${count(files[i]!, 'file')} alike`,
    count(lines[i]!, 'line'),
    percent(shares[i]!),
  ]);
  for (const [name, ...cells] of aligned(table, 1)) yield `   ${colours.place(name!)}   ${cells.join('   ')}\n`;
  const shown = rows.slice(0, view.inFolders);
  for (const row of shown) yield* renderInFolders(row, names, view);
  if (rows.length === shown.length) return;
  const more = `… and ${count(rows.length - shown.length, 'more row')} (${view.moreInFolders}).`;
  yield `     ${' '.repeat(likenessWidth)}${colours.quiet(more)}\n`;
}

/** Returns the common parent of folders: "src", or "lib/…/src" if the paths differ in the middle. */
function aroundOf({ before, after }: DifferingParts, { root, from }: Vantage): string {
  const folder = nameFrom(from, path.join(root, before));
  if (after === '') return folder === '.' ? '' : folder;
  return `${folder === '.' ? '' : `${folder}/`}…/${after}`;
}

/**
 * Pads the cells of each column to the same width.
 *
 * @param names  number of leading columns to align left; the remaining columns contain numbers
 */
function aligned(table: readonly (readonly string[])[], names: number): string[][] {
  const widths: number[] = [];
  for (const cells of table) {
    for (const [column, { length }] of cells.entries()) widths[column] = Math.max(widths[column] ?? 0, length);
  }
  return table.map((cells) =>
    cells.map((cell, column) => (column < names ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))),
  );
}

/** Yields a row nested in a folder row, on one line, relative to the folders; if `inFull` is set, with its rows. */
function* renderInFolders(row: PassageRow, folders: DifferingParts, view: RowView): Generator<string> {
  const { colours, inFull } = view;
  const margin = ' '.repeat(5 + likenessWidth);
  switch (row.type) {
    case 'files':
      yield `${margin}${filesWords(filesInFolders(row.files, folders), row.files)}\n`;
      if (inFull) yield* renderMatches(row.rows, margin, view);
      break;
    case 'group': {
      const [likeness, words, lines] = cellsInFolders(row.group, folders);
      const size = colours.quiet(` · ${count(lines, 'line')}`);
      yield `     ${colours.quiet(likenessColumn(likeness))}${words}${size}\n`;
      if (inFull) {
        yield* renderPlaces(row.group, margin, passagesShown, view);
        yield* renderInside(row, margin, view);
      }
      break;
    }
  }
}

/** Returns "call.go" if the file has the same name in both folders; otherwise "lib/all.js and src/one.js". */
function filesInFolders({ paths }: FilePair, folders: DifferingParts): string {
  const { parts, after } = inFolders(paths, folders);
  return after === '' ? joined(parts) : after;
}

/** Returns the cells for a group nested in a folder row: similarity, file names, and number of matching lines. */
function cellsInFolders(group: Group, folders: DifferingParts): [likeness: number, words: string, lines: number] {
  const { passages, similarity } = group;
  const inside = insideOf(group);
  if (inside) {
    const { inner, outer, share } = inside;
    return [share, insideNames(belowAll([inner.path, outer.path], folders)), sizeOf(group).lines];
  }
  const paths = passages.map((passage) => passage.path);
  const { parts, after } = inFolders(paths, folders);
  const lines = passages.map(linesOf);
  if (group.kind === 'file') return [similarity, printable(after === '' ? joined(parts) : after), group.lines];
  if (after !== '') return [similarity, printable(`${after}:${joined(lines)}`), group.lines];
  const names = [...new Set(parts)].map((name) => {
    const here = lines.filter((_, i) => parts[i] === name);
    return here.length === 1 ? `${name}:${here[0]}` : `${name} (${count(here.length, 'place')})`;
  });
  return [similarity, printable(joined(names)), group.lines];
}

/** Splits paths inside folders into shared and differing parts. */
function inFolders(paths: readonly string[], folders: DifferingParts): DifferingParts {
  const names = belowAll(paths, folders);
  if (paths.length === folders.parts.length) {
    const ends = names.map((name, i) => {
      const folder = `${folders.parts[i]}/${folders.after === '' ? '' : `${folders.after}/`}`;
      return name.startsWith(folder) ? name.slice(folder.length) : undefined;
    });
    const [end] = ends;
    if (end !== undefined && ends.every((other) => other === end)) return { ...folders, after: end };
  }
  return { before: folders.before, parts: names, after: '' };
}

/** Returns paths relative to the common parent of the folders. */
function belowAll(paths: readonly string[], { before }: DifferingParts): string[] {
  return paths.map((name) => name.slice(before === '' ? 0 : before.length + 1));
}

/** Maximum number of names to list. The rest is only counted. */
const namesShown = 3;

/** Joins names: "a, b and c", or "a, b and 4 more". */
function joined(names: readonly string[]): string {
  const all = names.length <= namesShown;
  const shown = names.slice(0, all ? -1 : namesShown - 1);
  const last = all ? names.at(-1)! : `${number(names.length - shown.length)} more`;
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}
