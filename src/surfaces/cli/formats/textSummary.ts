/** Renders the end of the text report: totals and skipped files. */
import type { AdmittingSetting, Findings, SkippedFile, Totals } from '../../../core/engine/report/report.ts';
import { categories } from '../../../core/engine/rows/category.ts';
import { byReason } from '../../../scan/io/byReason.ts';
import { formatFileSize, parseFileSize } from '../../../scan/io/fileSize.ts';
import { type HiddenFiles, highestFileSizeBytes } from '../../../scan/io/sources.ts';
import type { Colours } from '../colours.ts';
import { nameFrom } from '../places.ts';
import { headlineOf } from '../../../presentation/wording/headline.ts';
import { lineShare } from '../../../presentation/wording/lineShare.ts';
import { printable } from '../../../presentation/wording/printable.ts';
import { count, number } from '../quantities.ts';
import type { ScanReport } from '../scanReport.ts';

export interface SummaryView {
  readonly colours: Colours;
  /** Folder to which the path of the scanned folder is displayed relative. */
  readonly from: string;
}

export function* renderSummary(report: ScanReport, view: SummaryView): Generator<string> {
  const { shown: findings, hidden, root, scope, ignoredGroups } = report;
  const { totals } = findings;
  const { title, quiet, warning } = view.colours;
  if (totals.files === 0) {
    yield `${title('Nothing to compare')}: no source files in ${printable(nameFrom(view.from, root))}.\n`;
    yield* renderHidden(hidden, view);
  } else {
    yield* totalsOf[scope](report, view);
  }
  if (ignoredGroups > 0) {
    yield `${quiet(`Ignored: ${count(ignoredGroups, 'group')} (kindred ignored lists them; --show-ignored shows them).`)}\n`;
  }
  yield* renderSkipped(findings, view);
  if (totals.crowdedWindows !== undefined) {
    const crowd = `Windows with too many near matches, compared only with the nearest: ${number(totals.crowdedWindows)}.`;
    yield `${quiet(crowd)}\n`;
  }
  if (!findings.complete) {
    yield `${warning('The scan was interrupted; the results are incomplete.')}\n`;
  }
}

const totalsOf: Readonly<
  Record<ScanReport['scope'], (report: ScanReport, view: SummaryView) => Generator<string, void>>
> = { all: renderTotals, files: renderTotalsOfFiles, folders: renderTotalsOfFolders };

function* renderTotals(report: ScanReport, { colours }: SummaryView): Generator<string> {
  const { totals } = report.shown;
  const files = nearDuplicateFiles(report);
  const groups = totals.groups - files.groups;
  if (groups === 0) {
    const title = files.groups === 0 ? 'No near-duplicates' : 'No near-duplicate passages';
    yield `${colours.title(title)} in ${readIn(report)}.\n`;
  } else {
    yield `${colours.title(count(groups, 'group'))} with ${count(totals.passages - files.passages, 'passage')}, `;
    yield `${colours.title(headline(totals))} in ${count(totals.files, 'file')} (${secondsOf(report)}).\n`;
    const shares = sharesOf(totals);
    if (shares !== '') yield `By category: ${shares}.\n`;
  }
  if (files.groups > 0) yield `${colours.title(files.words)}, ${count(files.files, 'file')}.\n`;
}

function* renderTotalsOfFiles(report: ScanReport, { colours }: SummaryView): Generator<string> {
  const { groups, files, words } = nearDuplicateFiles(report);
  if (groups === 0) yield `${colours.title('No near-duplicate files')} in ${readIn(report)}.\n`;
  else yield `${colours.title(words)}, ${count(files, 'file')} in ${readIn(report)}.\n`;
}

function* renderTotalsOfFolders(report: ScanReport, { colours }: SummaryView): Generator<string> {
  const { folders } = report.shown;
  if (folders.length === 0) yield `${colours.title('No folders repeat each other')} in ${readIn(report)}.\n`;
  else {
    const title = `${count(folders.length, 'group')} of folders that repeat each other`;
    const paths = new Set(folders.flatMap((it) => it.paths)).size;
    yield `${colours.title(title)}, ${count(paths, 'folder')} in ${readIn(report)}.\n`;
  }
}

interface NearDuplicateFiles {
  readonly groups: number;
  readonly passages: number;
  readonly files: number;
  /** Text after the number, such as "groups of near-duplicate files". */
  readonly words: string;
}

function nearDuplicateFiles({ shown: findings }: ScanReport): NearDuplicateFiles {
  const groups = findings.groups.filter(({ kind }) => kind === 'file');
  const passages = groups.flatMap((group) => group.passages.map(({ path }) => path));
  return {
    groups: groups.length,
    passages: passages.length,
    files: new Set(passages).size,
    words: `${count(groups.length, 'group')} of near-duplicate files`,
  };
}

/** Returns a text such as "1,234 files, 56,789 lines (1.23 s)". */
function readIn(report: ScanReport): string {
  const { files, lines } = report.shown.totals;
  return `${count(files, 'file')}, ${count(lines, 'line')} (${secondsOf(report)})`;
}

function secondsOf({ elapsedMs }: ScanReport): string {
  return `${(elapsedMs / 1000).toFixed(elapsedMs < 10_000 ? 2 : 1)} s`;
}

/**
 * Returns a headline such as "9.1% of source and text (294,291 of 859,916 lines)". If there is neither source nor
 * text, the share refers to all files.
 */
export function headline(totals: Totals): string {
  const { categories: about, ...counts } = headlineOf(totals);
  const isWritten = about.includes('source') || about.includes('text');
  const what = isWritten ? about.join(' and ') : 'all files';
  return `${lineShare(counts)} of ${what} (${number(counts.duplicatedLines)} of ${count(counts.lines, 'line')})`;
}

/** Returns the shares by category, such as "source 9%, text 3%, tests 41%"; '' if the headline has all. */
function sharesOf({ categories: by }: Totals): string {
  const there = categories.filter((category) => by[category] !== undefined);
  if (there.length < 2) return '';
  return there.map((category) => `${category} ${lineShare(by[category]!)}`).join(', ');
}

/** Maximum number of ignore files to name. */
const hidingNamed = 5;

const hiddenBy: Readonly<Record<HiddenFiles['by'], string>> = {
  rules: '--no-gitignore reads them',
  include: 'not matched by --include',
  exclude: 'matched by --exclude',
};

/** If there is nothing to compare, yields the number of files that each rule hides. */
function* renderHidden(hidden: readonly HiddenFiles[], { colours }: SummaryView): Generator<string> {
  if (hidden.length === 0) return;
  yield `${colours.quiet('Hidden:')}\n`;
  for (const { by, source, files, folders } of hidden.slice(0, hidingNamed)) {
    const what = [count(files, 'file'), count(folders, 'folder')].filter((words) => !words.startsWith('0 '));
    const whose = by === 'rules' ? ` by ${printable(source)}` : '';
    yield `${colours.quiet(`   ${what.join(' and ')}${whose} (${hiddenBy[by]})`)}\n`;
  }
  if (hidden.length > hidingNamed) yield `${colours.quiet('   …')}\n`;
}

/** Maximum number of skipped files to name per reason. */
const skippedNamed = 3;

function* renderSkipped({ skipped }: Findings, { colours }: SummaryView): Generator<string> {
  if (skipped.length === 0) return;
  yield `${colours.quiet('Excluded:')}\n`;
  for (const [reason, files] of byReason(skipped)) {
    const setting = files[0]?.setting;
    const help = setting ? ` (${howToRead[setting]})` : (noHelp[reason] ?? '');
    yield colours.quiet(`   ${number(files.length)} × ${reason}${help}${named(reason, files)}`);
    yield '\n';
  }
}

/** For each setting that can include skipped files, a hint about the corresponding option. */
const howToRead: Readonly<Record<AdmittingSetting, string>> = {
  generated: '--generated reads them',
  maxFileSize: '--max-file-size reads them',
  include: '--include with their names reads them',
  exclude: 'matched by --exclude',
  prose: '--prose reads them',
  memory: 'a larger --memory reads them',
};

/** Hints for reasons that no option can override. */
const noHelp: Readonly<Record<string, string>> = {
  'too large for any limit': ` (--max-file-size is at most ${formatFileSize(highestFileSizeBytes)})`,
};

/** Returns the names of skipped files that the user may miss: the largest, and those that could not be read. */
function named(reason: string, files: readonly SkippedFile[]): string {
  if (!/^(?:too large|unreadable|missing|changed|a symbolic link|not a file)/.test(reason)) return '';
  const bySize = [...files].sort((a, b) => sizeOf(b) - sizeOf(a));
  const names = bySize.slice(0, skippedNamed).map((file) => {
    const size = sizeOf(file);
    const detail = size > 0 ? formatFileSize(size) : /\((.*)\)/.exec(file.reason)?.[1];
    return printable(detail ? `${file.path} (${detail})` : file.path);
  });
  return `: ${names.join(', ')}${files.length > names.length ? ', …' : ''}`;
}

function sizeOf({ reason }: SkippedFile): number {
  return parseFileSize(/\(([\d.]+ [KMG]?B)[,)]/.exec(reason)?.[1] ?? '') ?? 0;
}
