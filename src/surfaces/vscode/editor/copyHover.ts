/**
 * Hover on the first line of a copy: its name and three actions in one line. VS Code displays it below the diagnostic,
 * which contains the other details. If the copy has no diagnostic, the hover begins with a summary.
 */
import * as vscode from 'vscode';
import type { Canonicals } from '../findings/canonicals.ts';
import type { Copy } from '../../../session/client/report.ts';
import { asMarkdown } from '../markdown.ts';
import type { Settings } from '../settings.ts';
import { groupTitle, lineCount, named } from '../wording.ts';
import type { ActionNeeds } from './copyActions.ts';
import { referenceTo } from './copyReference.ts';
import type { Diagnostics } from './diagnostics.ts';
import { markedIn } from './markedCopies.ts';

export function registerCopyHover(
  marks: Pick<Diagnostics, 'isShown'>,
  { findings, names, canonicals }: ActionNeeds,
  readSettings: () => Settings,
): vscode.Disposable {
  return vscode.languages.registerHoverProvider('*', {
    async provideHover({ uri }, position) {
      const { editor, diagnostics } = readSettings();
      if (!editor.marks || !editor.show.hover || findings.copiesAt(uri, position.line).length === 0) return undefined;
      const starting = markedIn(findings, uri, diagnostics).copies.filter(
        ({ passage }) => findings.rangeIn(uri, passage).start.line === position.line,
      );
      if (starting.length === 0) return undefined;
      const titles = await Promise.all(starting.map(({ group, passage }) => names.inTitle(group, passage)));
      return new vscode.Hover(
        starting.map((copy, place) => hoverOf(copy, titles[place], marks.isShown(uri, copy), canonicals)),
      );
    },
  });
}

/** @param isMarked  true if a diagnostic shows the other details */
function hoverOf(
  copy: Copy,
  name: string | undefined,
  isMarked: boolean,
  canonicals: Canonicals,
): vscode.MarkdownString {
  const { group } = copy;
  const here = referenceTo(copy);
  const other = referenceTo({ group, place: canonicals.counterpartOf(copy) });
  const actions: readonly [title: string, command: string, given: readonly unknown[]][] = [
    [vscode.l10n.t('Compare'), 'kindred.compareSelected', [here, [here, other]]],
    [vscode.l10n.t('Go to Copy'), 'kindred.openCopy', [other]],
    [vscode.l10n.t('Ignore…'), 'kindred.ignoreGroup', [here]],
  ];
  const links = actions.map(
    ([title, command, commandArguments]) => `[${asMarkdown(title)}](${linkTo(command, commandArguments)})`,
  );
  const facts = [
    ...(isMarked ? (name === undefined ? [] : [name]) : [named(name, groupTitle(group)), lineCount(group.lines)]),
    ...(canonicals.chosenIn(group) === copy.place ? [vscode.l10n.t('canonical')] : []),
  ];
  const heading = facts.length === 0 ? [] : [`**${asMarkdown(facts.join(', '))}**`];
  const markdown = new vscode.MarkdownString(
    isMarked ? [...heading, ...links].join(' · ') : [...heading, links.join(' · ')].join('\n\n'),
  );
  markdown.isTrusted = { enabledCommands: actions.map(([, command]) => command) };
  return markdown;
}

/** Returns a Markdown link that runs a command. */
export function linkTo(command: string, commandArguments: readonly unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(commandArguments)).replaceAll(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
}
