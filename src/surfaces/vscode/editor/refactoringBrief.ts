/**
 * Command *Copy Refactoring Brief*: creates a Markdown text about a duplicate for an issue, a colleague, or an agent.
 * It contains the places of the copies, a proposal for merging them, the text of one copy, and the differences of the
 * others.
 */
import * as vscode from 'vscode';
import type { Group } from '../../../core/engine/report/report.ts';
import { codeSpan } from '../../../presentation/wording/markdownCode.ts';
import { copiesOf, type CopySources } from '../../tools/copyTexts.ts';
import type { Obstacle } from '../../tools/mergeProposal.ts';
import { placeIn } from '../../tools/places.ts';
import { mergeOf, type ShownMerge } from '../../tools/shownMerge.ts';
import { announce } from '../announce.ts';
import type { Canonicals } from '../findings/canonicals.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { SavedText } from '../findings/savedText.ts';
import { codeBlock, codeCell, table } from '../markdown.ts';
import { duplicateCount, groupTitle, lineCount, quantity } from '../wording.ts';
import { languageTable } from '../workspace/languages.ts';

/** Maximum number of copies whose differences are included. For the other copies, only the place is listed. */
const maxCopies = 10;
const maxPlaces = 100;
/** Maximum number of lines to list for an obstacle to merging. */
const maxLines = 10;

/** Copies the briefs for groups to the clipboard, with the current positions of the copies. */
export async function copyBriefs(
  groups: readonly Group[],
  findings: FindingsModel,
  text: SavedText,
  canonicals: Canonicals,
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
 * @param group    group with current positions; the reference copy is the first
 * @param sources  provides texts by report path
 */
export async function refactoringBrief(group: Group, sources: CopySources): Promise<string> {
  const copies = await copiesOf(group, sources, maxCopies);
  const more = group.passages.length - maxPlaces;
  const places = group.passages.slice(0, maxPlaces).map((passage, at) => {
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
    return [`${code}:` + codeBlock(text, endingOf(group.passages[at]!.path))];
  });
  const merge = await mergeOf(group, sources, maxCopies);
  const language = endingOf(group.passages[0]!.path);
  // If the copies can be merged, omit the differences: the shared text and the table of parameters already contain
  // them.
  const isMerged = merge !== undefined && merge.obstacles.length === 0 && merge.parameters.length > 0;
  const parts = [
    `## ${groupTitle(group)}`,
    task(group, merge),
    places.join('\n'),
    ...(merge ? [proposalText(merge, language)] : []),
    ...(isMerged
      ? [parameterTable(merge), vscode.l10n.t('Common text:') + codeBlock(merge.template, language)]
      : texts),
  ];
  return `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`;
}

/** Describes the proposal: signatures of the merged functions, or obstacles to merging. */
function proposalText({ signatures, obstacles, savedLines }: ShownMerge, language: string): string {
  if (obstacles.length > 0) {
    return [vscode.l10n.t('Obstacles to merging them:'), obstacles.map((one) => `- ${obstacle(one)}`).join('\n')].join(
      '\n\n',
    );
  }
  return (
    vscode.l10n.t('Proposed function, which saves about {0}:', lineCount(savedLines)) +
    codeBlock(signatures.join('\n'), language)
  );
}

/** Returns a table with the argument that each copy would pass for each parameter. */
function parameterTable({ parameters, moreParameters }: ShownMerge): string {
  const copies = parameters[0]!.fillings.map((_, copy) => vscode.l10n.t('Copy {0}', copy + 1));
  const rows = parameters.map(({ name, fillings }) => [name, ...fillings].map(codeCell));
  const shown = table([vscode.l10n.t('Parameter'), ...copies], rows);
  return moreParameters > 0 ? `${shown}\n\n${vscode.l10n.t('and {0} more', quantity(moreParameters))}` : shown;
}

function obstacle({ kind, lines }: Obstacle): string {
  const shown = `${lines.slice(0, maxLines).map(quantity).join(', ')}${lines.length > maxLines ? ', …' : ''}`;
  switch (kind) {
    case 'statements':
      return vscode.l10n.t('statements differ (line {0})', shown);
    case 'operators':
      return vscode.l10n.t('operators or keywords differ (line {0})', shown);
    case 'arguments':
      return vscode.l10n.t('only some copies have an argument or item (line {0})', shown);
    case 'variables':
      return vscode.l10n.t('different local variables, or expressions of them (line {0})', shown);
    case 'types':
      return vscode.l10n.t('types differ that cannot be parameters (line {0})', shown);
    case 'members':
      return vscode.l10n.t('members differ that the language cannot pass (line {0})', shown);
    case 'blocks':
      return vscode.l10n.t('the copies begin or end inside a block (line {0})', shown);
    case 'returns':
      return vscode.l10n.t('they return from the enclosing function, or leave its loop (line {0})', shown);
    case 'results':
      return vscode.l10n.t('they set several variables that are used later');
    case 'parameters':
      return vscode.l10n.t('there are too many parameters for one function');
  }
}

function named(names: readonly string[]): string {
  return names.map((name) => codeSpan(name)).join(', ');
}

function task({ kind, type }: Group, merge: ShownMerge | undefined): string {
  if (kind === 'file') return vscode.l10n.t('Keep one of these files, and use it in the other places.');
  if (kind === 'prose') return vscode.l10n.t('Keep this text in one place, and link to it from the others.');
  if (merge && merge.obstacles.length > 0) {
    return vscode.l10n.t(
      'One function cannot replace these copies as they are. Move only what is equal to one place, or apply each edit to all copies.',
    );
  }
  if (merge?.savedLines === 0) {
    return vscode.l10n.t('Merging these copies saves no lines. Keep them, and apply each edit to all copies.');
  }
  if (type === 'exact') return vscode.l10n.t('Keep this code in one place, and use it in all of these places.');
  return vscode.l10n.t(
    'Keep this code in one place, with a parameter for each difference, and use it in all of these places.',
  );
}

/** Returns the extension of a file name, without the dot; '' if there is none. */
function endingOf(path: string): string {
  return /[^/]\.([^./]+)$/.exec(path)?.[1] ?? '';
}
