/** Hover on the first line of a copy: a summary, links to the other copies, and actions. */
import * as vscode from 'vscode';
import type { Canonicals } from '../findings/canonicals.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { siblingsOf } from '../../../session/client/siblings.ts';
import type { Copy } from '../../../session/client/report.ts';
import { asMarkdown } from '../markdown.ts';
import type { Settings } from '../settings.ts';
import { groupTitle, lineCount, namesAmong, percent, placeIn, quantity } from '../wording.ts';
import { copyActions } from './copyActions.ts';
import { referenceTo } from './copyReference.ts';
import { markedIn } from './marks.ts';

/** Maximum number of copies; the Duplicates view shows all. */
const mostNamed = 5;

export function registerCopyHover(
  findings: FindingsModel,
  canonicals: Canonicals,
  readSettings: () => Settings,
): vscode.Disposable {
  return vscode.languages.registerHoverProvider('*', {
    provideHover({ uri }, position) {
      const { editor, diagnostics } = readSettings();
      if (!editor.marks || !editor.hover || findings.copiesAt(uri, position.line).length === 0) return undefined;
      const starting = markedIn(findings, uri, diagnostics).copies.filter(
        ({ passage }) => findings.rangeIn(uri, passage).start.line === position.line,
      );
      if (starting.length === 0) return undefined;
      return new vscode.Hover(starting.map((copy) => hoverOf(copy, findings, canonicals)));
    },
  });
}

export function hoverOf(copy: Copy, findings: FindingsModel, canonicals: Canonicals): vscode.MarkdownString {
  const { group } = copy;
  const siblings = siblingsOf(copy);
  const chosen = canonicals.chosenIn(group);
  const named = siblings.slice(0, mostNamed);
  const names = namesAmong([copy.passage, ...named.map(({ passage }) => passage)].map(({ path }) => path));
  const places = named.map(({ passage, place, similarity }) => {
    const label = asMarkdown(placeIn(names.get(passage.path)!, findings.now(passage)));
    const notes = [
      ...(group.type === 'exact' ? [] : [percent(similarity)]),
      ...(place === chosen ? [vscode.l10n.t('canonical')] : []),
    ];
    const note = notes.length > 0 ? ` (${asMarkdown(notes.join(', '))})` : '';
    return `[${label}](${linkTo('kindred.openCopy', [referenceTo({ group, place })])} "${asTitle(passage.path)}")${note}`;
  });
  const hidden = siblings.length - named.length;
  const more = hidden > 0 ? [asMarkdown(vscode.l10n.t('{0} more', quantity(hidden)))] : [];
  const actions = copyActions(copy, findings, canonicals).filter(({ command }) => command !== 'kindred.openCopy');
  const markdown = new vscode.MarkdownString(
    [
      `**${asMarkdown(`${groupTitle(group)}, ${lineCount(group.lines)}`)}**: ${[...places, ...more].join(', ')}`,
      actions
        .map(({ short, command, arguments: given }) => `[${asMarkdown(short)}](${linkTo(command, given)})`)
        .join(' · '),
    ].join('\n\n'),
  );
  markdown.isTrusted = { enabledCommands: ['kindred.openCopy', ...actions.map(({ command }) => command)] };
  return markdown;
}

/** Returns a link that runs a command. */
export function linkTo(command: string, given: readonly unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(given)).replaceAll(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
}

/** Escapes a path for a link title in quotation marks. */
function asTitle(path: string): string {
  return asMarkdown(path).replaceAll('"', '&quot;');
}
