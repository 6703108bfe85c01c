/** The report as text: what a person reads in a terminal. Places are written so that terminals make links of them. */
import path from 'node:path';
import type { AdmittingSetting, Findings, Group, Passage, Skipped } from '../engine/report/report.ts';
import { byReason } from '../io/byReason.ts';
import { formatFileSize, parseFileSize } from '../io/fileSize.ts';
import type { Hidden } from '../io/sources.ts';
import { insideOf } from '../wording/likeness.ts';
import type { Colours } from './colours.ts';
import { percent } from './percent.ts';
import { previewOf } from './preview.ts';
import { printable } from './printable.ts';
import type { ScanReport } from './scanReport.ts';

/** How the text is to look. */
export interface TextView {
  readonly colours: Colours;
  /** Columns; previews are cut to it. */
  readonly width: number;
  /** How many groups are shown. */
  readonly top: number;
  /** The folder that places are written relative to, so that the terminal finds them: where the person is. */
  readonly from: string;
}

/** The whole report, in pieces: passages, then files that nearly repeat each other. */
export function* renderText(report: ScanReport, view: TextView): Generator<string> {
  const [passages, files] = byScope(report.findings);
  let ordinal = 0;
  for (const [groups, what] of [
    [passages, ''],
    [files, ' of files'],
  ] as const) {
    const shown = groups.slice(0, view.top);
    for (const group of shown) yield* renderGroup(group, ++ordinal, report, view);
    if (groups.length === shown.length) continue;
    const more = `… and ${count(groups.length - shown.length, 'more group')}${what} (--top 0 shows all).`;
    yield `${view.colours.quiet(more)}\n\n`;
  }
  yield* renderSummary(report, view);
}

/** The groups of passages and those of whole files. */
function byScope({ groups }: Findings): [passages: Group[], files: Group[]] {
  return [groups.filter(({ kind }) => kind !== 'file'), groups.filter(({ kind }) => kind === 'file')];
}

/** The totals, and what was left out. */
export function* renderSummary(
  { findings, hidden, root, elapsedMs, scope }: ScanReport,
  view: TextView,
): Generator<string> {
  const { totals } = findings;
  const [, files] = byScope(findings);
  const groups = totals.groups - files.length;
  const seconds = `${(elapsedMs / 1000).toFixed(elapsedMs < 10_000 ? 2 : 1)} s`;
  const read = `${count(totals.files, 'file')}, ${count(totals.lines, 'line')}`;
  const inFiles = new Set(files.flatMap(({ passages }) => passages.map(({ path: name }) => name))).size;
  const alike = `${count(files.length, 'group')} of near-duplicate files`;
  if (totals.files === 0) {
    yield `${view.colours.title('Nothing to compare')}: no source files in ${printable(nameFrom(view.from, root))}.\n`;
    yield* renderHidden(hidden, view);
  } else if (scope === 'files') {
    const title = files.length === 0 ? 'No near-duplicate files' : alike;
    const share = files.length === 0 ? '' : `, ${number(inFiles)} files`;
    yield `${view.colours.title(title)}${share} in ${read} (${seconds}).\n`;
  } else {
    if (groups === 0) {
      const title = files.length === 0 ? 'No near-duplicates' : 'No near-duplicate passages';
      yield `${view.colours.title(title)} in ${read} (${seconds}).\n`;
    } else {
      const passages = totals.passages - files.reduce((sum, group) => sum + group.passages.length, 0);
      const share = `${number(totals.duplicatedLines)} of ${count(totals.lines, 'line')} (${totals.duplicatedPercent} %)`;
      yield `${view.colours.title(count(groups, 'group'))} with ${count(passages, 'passage')}, `;
      yield `${share} in ${count(totals.files, 'file')} (${seconds}).\n`;
    }
    if (files.length > 0) yield `${view.colours.title(alike)}, ${count(inFiles, 'file')}.\n`;
  }
  yield* renderSkipped(findings, view);
  if (totals.crowdedWindows !== undefined) {
    const crowd = `Windows with too many near matches, compared only with the nearest: ${number(totals.crowdedWindows)}.`;
    yield `${view.colours.quiet(crowd)}\n`;
  }
  if (!findings.complete) {
    yield `${view.colours.warning('The scan was interrupted; the results are incomplete.')}\n`;
  }
}

/** So many files with rules are named. */
const hidingNamed = 5;

const hiddenBy: Readonly<Record<Hidden['by'], string>> = {
  rules: '--no-gitignore reads them',
  include: 'not matched by --include',
  exclude: 'matched by --exclude',
};

/** What is not there to be compared, by what hides it: nobody asks for it as long as there is something else. */
function* renderHidden(hidden: readonly Hidden[], { colours }: TextView): Generator<string> {
  if (hidden.length === 0) return;
  yield `${colours.quiet('Hidden:')}\n`;
  for (const { by, source, files, folders } of hidden.slice(0, hidingNamed)) {
    const what = [count(files, 'file'), count(folders, 'folder')].filter((words) => !words.startsWith('0 '));
    const whose = by === 'rules' ? ` by ${printable(source)}` : '';
    yield `${colours.quiet(`   ${what.join(' and ')}${whose} (${hiddenBy[by]})`)}\n`;
  }
  if (hidden.length > hidingNamed) yield `${colours.quiet('   …')}\n`;
}

/** More passages than this are counted only. */
const passagesShown = 10;

const previewLines = 3;

function* renderGroup(group: Group, ordinal: number, report: ScanReport, view: TextView): Generator<string> {
  const { colours } = view;
  const inside = insideOf(group);
  const alike = group.type === 'near' && !inside ? `, ${percent(group.similarity)} similar` : '';
  const size = `${count(group.passages.length, group.kind === 'file' ? 'file' : 'place')}, ${count(group.lines, 'line')}`;
  const where = group.tests ? ' in tests' : '';
  const heading = `${ordinal}. ${capitalized(describe(group))}${where}${alike}: ${size}`;
  yield `${colours.title(heading)} ${colours.quiet(`· ${count(group.tokens, 'token')} · ${group.id}`)}\n`;
  const nameOf = (passage: Passage): string =>
    group.kind === 'file' ? fileOf(passage, report.root, view.from) : placeOf(passage, report.root, view.from);
  for (const passage of group.passages.slice(0, passagesShown)) yield `   ${colours.place(nameOf(passage))}\n`;
  if (group.passages.length > passagesShown) {
    yield `   ${colours.quiet(`… and ${count(group.passages.length - passagesShown, `more ${group.kind === 'file' ? 'file' : 'place'}`)}`)}\n`;
  }
  if (group.kind === 'file') {
    if (inside) {
      const { inner, outer, share } = inside;
      yield `     ${colours.quiet(`${percent(share)} of ${nameOf(inner)} is in ${nameOf(outer)}`)}\n`;
    }
  } else {
    const [first] = group.passages;
    const preview = first ? previewOf(first, report.root, previewLines, Math.max(20, view.width - 5)) : [];
    for (const line of preview) yield `     ${colours.quiet(line)}\n`;
  }
  yield '\n';
}

function describe(group: Group): string {
  const { kind, type } = group;
  if (kind === 'file') {
    if (group.inside !== undefined) return 'a file contained in another';
    return type === 'exact' ? 'identical files' : 'near-duplicate files';
  }
  const what = { code: 'code', prose: 'text' }[kind];
  return { exact: `exact copies of ${what}`, renamed: `renamed copies of ${what}`, near: `near copies of ${what}` }[
    type
  ];
}

/** path:start-end, or path:line for a single one. */
function placeOf(passage: Passage, root: string, from: string): string {
  const { startLine, endLine } = passage;
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return printable(`${nameFrom(from, path.join(root, passage.path))}:${lines}`);
}

/** The path of a file, as a terminal finds it. */
function fileOf({ path: name }: Passage, root: string, from: string): string {
  return printable(nameFrom(from, path.join(root, name)));
}

/** A path as it is written where the person is: absolute when it leads far away. */
function nameFrom(from: string, file: string): string {
  const relative = path.relative(from, file);
  return relative.startsWith(path.join('..', '..')) ? file : relative || '.';
}

/** At most this many files of one reason are named. */
const skippedNamed = 3;

function* renderSkipped({ skipped }: Findings, { colours }: TextView): Generator<string> {
  if (skipped.length === 0) return;
  yield `${colours.quiet('Excluded:')}\n`;
  for (const [reason, files] of byReason(skipped)) {
    const setting = files[0]?.setting;
    const help = setting ? ` (${howToRead[setting]})` : '';
    yield colours.quiet(`   ${number(files.length)} × ${reason}${help}${named(reason, files)}`);
    yield '\n';
  }
}

/** The option that lets a file in. */
const howToRead: Readonly<Record<AdmittingSetting, string>> = {
  generated: '--generated reads them',
  maxFileSize: '--max-file-size reads them',
  include: '--include with their names reads them',
  exclude: 'matched by --exclude',
  prose: '--prose reads them',
  memory: 'a larger --memory reads them',
};

/** The names of those that somebody may miss: the largest, and what could not be read. */
function named(reason: string, files: readonly Skipped[]): string {
  if (reason !== 'too large' && !reason.startsWith('unreadable') && !/changed|link|not a file/.test(reason)) return '';
  const bySize = [...files].sort((a, b) => sizeOf(b) - sizeOf(a));
  const names = bySize.slice(0, skippedNamed).map((file) => {
    const size = sizeOf(file);
    const detail = size > 0 ? formatFileSize(size) : /\((.*)\)/.exec(file.reason)?.[1];
    return printable(detail ? `${file.path} (${detail})` : file.path);
  });
  return `: ${names.join(', ')}${files.length > names.length ? ', …' : ''}`;
}

function sizeOf({ reason }: Skipped): number {
  return parseFileSize(/\(([\d.]+ [KMG]?B),/.exec(reason)?.[1] ?? '') ?? 0;
}

function count(quantity: number, noun: string): string {
  return `${number(quantity)} ${noun}${quantity === 1 ? '' : 's'}`;
}

function number(quantity: number): string {
  return quantity.toLocaleString('en-US');
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
