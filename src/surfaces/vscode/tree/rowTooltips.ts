/** Creates the tooltips of rows: the places of the copies, why the row has its rank, and the beginning of the text. */
import * as vscode from 'vscode';
import type { CategoryTotals, FilePair, FolderGroup, Group, Passage } from '../../../core/engine/report/report.ts';
import { percent, similarityOf, sizeOf } from '../../../presentation/wording/likeness.ts';
import type { SectionName } from '../../../presentation/wording/outline.ts';
import { memberNames, type Peers } from '../../../presentation/wording/peers.ts';
import { sectionTitle } from '../../../presentation/wording/sectionTitle.ts';
import '../translations.ts';
import { asMarkdown, codeBlock } from '../markdown.ts';
import {
  copyCount,
  duplicatedShare,
  fileCount,
  groupTitle,
  lineCount,
  oneLine,
  place,
  type ShownPassage,
  quantity,
} from '../wording.ts';
import { linesOfPeers } from './order.ts';
import { languageOf } from '../workspace/languages.ts';

/** Maximum number of places in a tooltip, which hides the rows below it. Expanding the row shows all places. */
export const tooltipPlaces = 3;

/** Returns the tooltip of a section: a description of what it contains, and the share of lines that are duplicated. */
export function sectionTooltip(name: SectionName, totals: CategoryTotals | undefined): vscode.MarkdownString {
  const tooltip = titled(sectionTitle(name)).appendMarkdown(`${asMarkdown(contents(name))}\n\n`);
  if (totals === undefined) return tooltip;
  const { files, lines, duplicatedLines } = totals;
  const text = vscode.l10n.t(
    '{0} of {1} ({2}) in {3} are duplicated.',
    ...[quantity(duplicatedLines), lineCount(lines), duplicatedShare(totals), fileCount(files)],
  );
  return tooltip.appendMarkdown(asMarkdown(text));
}

function contents(name: SectionName): string {
  switch (name) {
    case 'folders':
      return vscode.l10n.t('Folders that repeat each other, with everything that is duplicated only in these folders.');
    case 'source':
      return vscode.l10n.t('Code other than tests and data.');
    case 'text':
      return vscode.l10n.t('Prose: documents, and code comments if they are compared.');
    case 'tests':
      return vscode.l10n.t('Tests, and files that tests use, where repetition is often intentional.');
    case 'examples':
      return vscode.l10n.t(
        'Examples, demos, tutorials, benchmarks, fixtures, and templates of new projects, each of which stands alone.',
      );
    case 'data':
      return vscode.l10n.t('Tables, lists of values, recorded output, and snapshots.');
    case 'boilerplate':
      return vscode.l10n.t(
        'Licenses, headers, third-party code, build output, and other text that is the same in many files.',
      );
  }
}

export function foldersTooltip(folders: FolderGroup): vscode.MarkdownString {
  const { paths, files, alike, lines, shares } = folders;
  const tooltip = titled(vscode.l10n.t('{0} folders that repeat each other', quantity(paths.length)));
  for (const [i, path] of paths.slice(0, tooltipPlaces).entries()) {
    const text = vscode.l10n.t(
      '{0}: {1} of {2} alike, {3} ({4})',
      ...[path, quantity(alike[i]!), fileCount(files[i]!), lineCount(lines[i]!), percent(shares[i]!)],
    );
    tooltip.appendMarkdown(`- ${asMarkdown(text)}\n`);
  }
  appendHidden(tooltip, paths.length);
  return tooltip.appendMarkdown(`\n${asMarkdown(worthOfRows(folders))}`);
}

/** Maximum number of files in the table. */
const matrixFiles = 8;

/** Returns the tooltip of peers: a table of the lines that each pair of files shares, with numbered columns. */
export function peersTooltip(peers: Peers): vscode.MarkdownString {
  const tooltip = titled(
    vscode.l10n.t('{0} files that share {1} passages', ...[peers.paths, peers.groups].map(lengthOf)),
  );
  const paths = peers.paths.slice(0, matrixFiles);
  const cells = memberNames(peers.paths)
    .slice(0, matrixFiles)
    .map((name) => asMarkdown(oneLine(name)));
  const numbers = cells.map((_, i) => quantity(i + 1));
  const { lines, shared } = linesOfPeers(peers);
  const table = [
    ['', '', vscode.l10n.t('Lines'), ...numbers],
    ['--:', '---', ...['', ...cells].map(() => '--:')],
    ...cells.map((name, i) => [
      ...[numbers[i]!, name, quantity(lines[i]!)],
      ...paths.map((_, other) => (shared[i]![other] === 0 ? '' : quantity(shared[i]![other]!))),
    ]),
  ];
  tooltip.appendMarkdown(`${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n\n`);
  const hidden = peers.paths.length - paths.length;
  if (hidden > 0) tooltip.appendMarkdown(`${asMarkdown(vscode.l10n.t('and {0} more', quantity(hidden)))}\n\n`);
  return tooltip.appendMarkdown(asMarkdown(worthOfRows(peers)));
}

function lengthOf({ length }: readonly unknown[]): string {
  return quantity(length);
}

export function filesTooltip(files: FilePair): vscode.MarkdownString {
  const tooltip = titled(vscode.l10n.t('{0} files that share {1} passages', '2', quantity(files.groups.length)));
  for (const [i, path] of files.paths.entries()) {
    const text = vscode.l10n.t('{0}: {1} ({2})', path, lineCount(files.lines[i]!), percent(files.shares[i]!));
    tooltip.appendMarkdown(`- ${asMarkdown(text)}\n`);
  }
  return tooltip.appendMarkdown(`\n${asMarkdown(worthOfRows(files))}`);
}

/** @param now  returns the current position of a passage */
export function groupTooltip(group: Group, now: (passage: Passage) => ShownPassage): vscode.MarkdownString {
  const tooltip = titled(vscode.l10n.t('{0}, {1}', groupTitle(group), lineCount(sizeOf(group).lines)));
  for (const passage of group.passages.slice(0, tooltipPlaces)) {
    tooltip.appendMarkdown(`- ${asMarkdown(place(now(passage)))}\n`);
  }
  appendHidden(tooltip, group.passages.length);
  tooltip.appendMarkdown(`\n${asMarkdown(worthOfGroup(group))}`);
  const evidence = evidenceOf(group);
  return evidence === undefined ? tooltip : tooltip.appendMarkdown(`\n\n${asMarkdown(evidence)}`);
}

/** Returns a group's category and the evidence for it: "Examples, because of the path". */
function evidenceOf({ category, categoryBy }: Group): string | undefined {
  const title = sectionTitle(category);
  switch (categoryBy) {
    case 'content':
      return vscode.l10n.t('{0}, because of the content', title);
    case 'path':
      return vscode.l10n.t('{0}, because of the path', title);
    case 'unit':
      return vscode.l10n.t('{0}, because of the unit that contains it', title);
    case 'setting':
      return vscode.l10n.t('{0}, because of the setting "{1}"', title, 'categories');
    case undefined:
      return undefined;
  }
}

export function titled(title: string): vscode.MarkdownString {
  return new vscode.MarkdownString(`**${asMarkdown(title)}**\n\n`);
}

function appendHidden(tooltip: vscode.MarkdownString, count: number): void {
  const hidden = count - tooltipPlaces;
  if (hidden > 0) tooltip.appendMarkdown(`- ${asMarkdown(vscode.l10n.t('and {0} more', quantity(hidden)))}\n`);
}

/** Explains the worth of several groups: "Worth 1,204: the sum of 9 groups". */
function worthOfRows({ worth, groups }: Pick<FilePair | FolderGroup | Peers, 'worth' | 'groups'>): string {
  return vscode.l10n.t('Worth {0}: the sum of {1} passages', quantity(worth), quantity(groups.length));
}

/**
 * Explains the worth of a group: "Worth 97: 184 tokens, × 1.41 for 3 copies, × 0.88 for 94% similarity, × 0.3 (it is
 * data)". The last factor combines all discounts. docs/methods.md has the formula.
 */
export function worthOfGroup(group: Group): string {
  const { tokens } = sizeOf(group);
  const alike = similarityOf(group);
  const copies = Math.sqrt(1 + Math.log2(group.passages.length - 1));
  const ofLikeness = alike ** 2;
  const discount = group.worth / (tokens * copies * ofLikeness);
  const parts = [vscode.l10n.t('{0} tokens', quantity(tokens))];
  if (group.passages.length > 2) {
    parts.push(vscode.l10n.t('× {0} for {1}', factor(copies), copyCount(group.passages.length)));
  }
  if (ofLikeness < 1) parts.push(vscode.l10n.t('× {0} for {1} similarity', factor(ofLikeness), percent(alike)));
  if (discount < minAccuracy) {
    parts.push(vscode.l10n.t('× {0} ({1})', factor(discount), reasonsOf(group).join(', ')));
  }
  return vscode.l10n.t('Worth {0}: {1}', quantity(group.worth), parts.join(', '));
}

/**
 * Maximum discount factor to show. The factors are computed from the worth in the report, which is rounded, so a factor
 * closer to 1 may only be a rounding error.
 */
const minAccuracy = 0.97;

function reasonsOf({ kind, category, passages }: Group): string[] {
  const reasons: string[] = [];
  if (category === 'tests') reasons.push(vscode.l10n.t('it is in tests'));
  if (category === 'examples') reasons.push(vscode.l10n.t('it is an example'));
  if (category === 'data') reasons.push(vscode.l10n.t('it is data'));
  if (category === 'boilerplate') reasons.push(vscode.l10n.t('it is boilerplate'));
  if (passages.every(({ path }) => path === passages[0]!.path))
    reasons.push(vscode.l10n.t('all copies are in one file'));
  // Do not list the discounts for code with little logic or usefulness, because they apply to all code. Text has the
  // weight of average code.
  reasons.push(kind === 'prose' ? vscode.l10n.t('it is text') : vscode.l10n.t('it may be a convention'));
  return reasons;
}

function factor(number: number): string {
  return number.toLocaleString(undefined, { maximumFractionDigits: 2 });
}

const maxLines = 3;
/** Maximum number of characters per line. Tooltips would wrap longer lines. */
const maxCharacters = 72;

/** Appends the first lines of a passage without common indentation. Appends nothing if there are none. */
export function appendPreview(
  tooltip: vscode.MarkdownString,
  passage: Passage,
  lines: readonly string[],
): vscode.MarkdownString {
  if (lines.length === 0) return tooltip;
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  const shown = lines.slice(0, maxLines).map((line) => cut(line.slice(indent)));
  if (lines.length > maxLines) shown.push('…');
  return tooltip.appendMarkdown(codeBlock(shown.join('\n'), languageOf(passage.path)));
}

function cut(line: string): string {
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1)}…` : line;
}
