/**
 * *Copy Refactoring Brief*: Markdown for an issue, a colleague, or an agent, with the places of a duplicate's copies,
 * their text once, and the differences of the others.
 */
import { extname } from 'node:path/posix';
import * as vscode from 'vscode';
import type { Group } from '../../core/engine/report/report.ts';
import { copiesOf, type CopySources } from '../tools/copyTexts.ts';
import { placeIn } from '../tools/places.ts';
import { announce } from './announce.ts';
import type { EditorTargets } from './editor/editorCommands.ts';
import { codeBlock, codeSpan } from './markdown.ts';
import { languageTable } from './workspace/languages.ts';
import { duplicateCount, groupTitle, quantity } from './wording.ts';

/** Maximum number of copies with differences; the others are listed by place only. */
const maxCopies = 10;
const mostPlaces = 100;

/** Copies the briefs of groups to the clipboard, with current positions. */
export async function copyBriefs(
  groups: readonly Group[],
  { findings, text, canonicals }: Pick<EditorTargets, 'findings' | 'text' | 'canonicals'>,
): Promise<void> {
  const sources: CopySources = {
    withTexts: false,
    leftOut: (lines) => vscode.l10n.t('… lines left out: {0} …', quantity(lines)),
    textOf: async (path) => {
      const lines = await text.linesOf(findings.snapshot!.folders.uriOf(path), 1, Number.MAX_SAFE_INTEGER);
      return lines.join('\n');
    },
    languageOf: languageTable(),
  };
  const briefs: string[] = [];
  for (const group of groups) {
    const canonical = group.passages[canonicals.of(group)]!;
    const passages = [canonical, ...group.passages.filter((passage) => passage !== canonical)];
    briefs.push(await refactoringBrief({ ...group, passages: passages.map((it) => findings.now(it)) }, sources));
  }
  await vscode.env.clipboard.writeText(briefs.join('\n'));
  announce(
    groups.length === 1
      ? vscode.l10n.t('The brief of this duplicate is in the clipboard.')
      : vscode.l10n.t('The briefs of {0} are in the clipboard.', duplicateCount(groups.length)),
  );
}

/**
 * @param group    group with current positions and the reference copy first
 * @param sources  source of texts, by path in the report
 */
export async function refactoringBrief(group: Group, sources: CopySources): Promise<string> {
  const copies = await copiesOf(group, sources, maxCopies);
  const more = group.passages.length - mostPlaces;
  const places = group.passages.slice(0, mostPlaces).map((passage, at) => {
    const place = `- ${codeSpan(placeIn(group, passage))}`;
    const { differs, isUnlike, names = [] } = copies[at]?.difference ?? {};
    if (isUnlike) return `${place} (${vscode.l10n.t('too different to be compared line by line')})`;
    if (differs !== '') return place;
    return names.length === 0
      ? `${place} (${vscode.l10n.t('the same text as the first')})`
      : `${place} (${vscode.l10n.t('the same text as the first with other names: {0}', named(names))})`;
  });
  if (more > 0) places.push(`- ${vscode.l10n.t('and {0} more', quantity(more))}`);
  const texts = copies.flatMap(({ place, text, difference }, at) => {
    const { differs, names = [] } = difference ?? {};
    if (differs === '') return [];
    const code = codeSpan(place);
    if (differs !== undefined && names.length > 0) {
      const title = vscode.l10n.t('What differs in {0}, apart from names ({1}):', code, named(names));
      return [title + codeBlock(differs, 'diff')];
    }
    if (differs !== undefined) return [vscode.l10n.t('What differs in {0}:', code) + codeBlock(differs, 'diff')];
    return [`${code}:` + codeBlock(text, extname(group.passages[at]!.path).slice(1))];
  });
  return (
    [`## ${groupTitle(group)}`, task(group), places.join('\n'), ...texts].map((part) => part.trimEnd()).join('\n\n') +
    '\n'
  );
}

function named(names: readonly string[]): string {
  return names.map((name) => codeSpan(name)).join(', ');
}

/** Describes the task in a sentence. */
function task({ kind, type }: Group): string {
  if (kind === 'file') return vscode.l10n.t('Keep one of these files, and use it in the other places.');
  if (kind === 'prose') return vscode.l10n.t('Keep this text in one place, and link to it from the others.');
  if (type === 'exact') return vscode.l10n.t('Keep this code in one place, and use it in all of these places.');
  return vscode.l10n.t(
    'Keep this code in one place, with a parameter for each difference, and use it in all of these places.',
  );
}
