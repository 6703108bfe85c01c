/**
 * Actions on a copy, for the light bulb, the *More…* list, and the hover. No action changes a file before the user has
 * confirmed it. To add an action, add an entry here and a command.
 */
import * as vscode from 'vscode';
import type { Canonicals } from '../findings/canonicals.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Copy } from '../../../session/client/report.ts';
import type { PassageNames } from '../tree/passageNames.ts';
import { named, placeBeside, quantity } from '../wording.ts';
import { type CopyReference, referenceTo } from './copyReference.ts';

export interface CopyAction {
  readonly command: string;
  /** Title in the light bulb. It contains the name of the other copy. */
  readonly title: string;
  readonly arguments: readonly [CopyReference, ...unknown[]];
}

export interface ActionNeeds {
  readonly findings: FindingsModel;
  readonly names: PassageNames;
  readonly canonicals: Canonicals;
}

/** Returns the actions for the light bulb, most frequently used first. */
export async function copyActions(copy: Copy, needs: ActionNeeds, isExtractable: boolean): Promise<CopyAction[]> {
  const { group } = copy;
  const { here, itself, there } = await placesOf(copy, needs);
  const count = group.passages.length;
  return [
    {
      command: 'kindred.compareSelected',
      title: vscode.l10n.t('Compare with {0}', there),
      arguments: [here, [here, itself]],
    },
    {
      command: 'kindred.openCopy',
      title: vscode.l10n.t('Go to copy {0}', there),
      arguments: [itself],
    },
    ...(isExtractable ? [extract(here)] : []),
    {
      command: 'kindred.ignoreGroup',
      title:
        count > 2 ? vscode.l10n.t('Ignore all {0} copies…', quantity(count)) : vscode.l10n.t('Ignore this duplicate…'),
      arguments: [here],
    },
    { command: 'kindred.moreActions', title: vscode.l10n.t('More…'), arguments: [here] },
  ];
}

/** Returns the actions for *More…*, in display order. */
export async function moreActions(copy: Copy, needs: ActionNeeds, isExtractable: boolean): Promise<CopyAction[]> {
  const { group } = copy;
  const { here, itself, there } = await placesOf(copy, needs);
  const count = group.passages.length;
  const compareAll = {
    command: 'kindred.compareAll',
    title: vscode.l10n.t('Compare all {0} copies', quantity(count)),
    arguments: [here] as const,
  };
  const tune = {
    command: 'kindred.tuneToHide',
    title: vscode.l10n.t('Tune sensitivity to hide duplicates like this…'),
    arguments: [here] as const,
  };
  return [
    ...(count > 2 ? [compareAll] : []),
    ...(isExtractable ? [extract(here)] : []),
    {
      command: 'kindred.peekCopies',
      title: count > 2 ? vscode.l10n.t('Peek all copies') : vscode.l10n.t('Peek copy {0}', there),
      arguments: [here],
    },
    {
      command: 'kindred.openBoth',
      title: vscode.l10n.t('Open beside {0}', there),
      arguments: [here, [here, itself]],
    },
    {
      command: 'kindred.explainMatch',
      title: vscode.l10n.t('Explain match with {0}', there),
      arguments: [here, [here, itself]],
    },
    {
      command: 'kindred.showInView',
      title: vscode.l10n.t('Show in Duplicates view'),
      arguments: [here],
    },
    {
      command: 'kindred.ignoreHere',
      title: vscode.l10n.t('Ignore this copy by comments…'),
      arguments: [here],
    },
    // The dials of *Tune Sensitivity* have no effect on groups of whole files, so omit the action there.
    ...(group.kind !== 'file' ? [tune] : []),
  ];
}

function extract(here: CopyReference): CopyAction {
  return { command: 'kindred.extractCopy', title: vscode.l10n.t('Extract this copy…'), arguments: [here] };
}

/** Returns true if the language offers an Extract refactoring for a copy. Requests code actions from all extensions. */
export async function offersExtract(uri: vscode.Uri, copy: Copy, findings: FindingsModel): Promise<boolean> {
  if (copy.group.kind !== 'code') return false;
  const offered = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    ...[uri, findings.rangeIn(uri, copy.passage), vscode.CodeActionKind.RefactorExtract.value],
  );
  return offered.some((action) => action.disabled === undefined);
}

/** Returns references to a copy and its counterpart, and the name and place of the counterpart. */
async function placesOf(
  copy: Copy,
  { findings, names, canonicals }: ActionNeeds,
): Promise<{ readonly here: CopyReference; readonly itself: CopyReference; readonly there: string }> {
  const { group } = copy;
  const place = canonicals.counterpartOf(copy);
  const name = await names.inTitle(group, group.passages[place]!);
  const there = named(name, placeBeside(findings.now(group.passages[place]!), findings.now(copy.passage)));
  return { here: referenceTo(copy), itself: referenceTo({ group, place }), there };
}
