/**
 * Actions for a copy in the light bulb and the hover. None changes a file by itself. Add an entry here and a command
 * for a new action.
 */
import * as vscode from 'vscode';
import type { Canonicals } from '../findings/canonicals.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Copy } from '../../../session/client/report.ts';
import { placeBeside, quantity } from '../wording.ts';
import { type CopyReference, referenceTo } from './copyReference.ts';

export interface CopyAction {
  readonly command: string;
  /** Title in the light bulb, which names the other copy. */
  readonly title: string;
  /** Short title for the hover, where the other copies are listed anyway. */
  readonly short: string;
  readonly arguments: readonly [CopyReference, ...unknown[]];
}

/** Returns the actions in display order. */
export function copyActions(copy: Copy, findings: FindingsModel, canonicals: Canonicals): CopyAction[] {
  const { group } = copy;
  const other = canonicals.counterpartOf(copy);
  const there = placeBeside(findings.now(group.passages[other]!), findings.now(copy.passage));
  const [here, itself] = [referenceTo(copy), referenceTo({ group, place: other })];
  const count = group.passages.length;
  return [
    {
      command: 'kindred.compareSelected',
      title: vscode.l10n.t('Compare with {0}', there),
      short: vscode.l10n.t('Compare'),
      arguments: [here, [here, itself]],
    },
    ...(count > 2
      ? [
          {
            command: 'kindred.compareAll',
            title: vscode.l10n.t('Compare all {0} copies', quantity(count)),
            short: vscode.l10n.t('Compare All'),
            arguments: [here] as const,
          },
        ]
      : []),
    {
      command: 'kindred.openCopy',
      title: vscode.l10n.t('Go to copy {0}', there),
      short: vscode.l10n.t('Go to Copy'),
      arguments: [itself],
    },
    {
      command: 'kindred.peekCopies',
      title: count > 2 ? vscode.l10n.t('Peek all copies') : vscode.l10n.t('Peek copy {0}', there),
      short: vscode.l10n.t('Peek'),
      arguments: [here],
    },
    {
      command: 'kindred.openBoth',
      title: vscode.l10n.t('Open beside {0}', there),
      short: vscode.l10n.t('Open Both'),
      arguments: [here, [here, itself]],
    },
    {
      command: 'kindred.explainMatch',
      title: vscode.l10n.t('Explain match with {0}', there),
      short: vscode.l10n.t('Explain'),
      arguments: [here, [here, itself]],
    },
    {
      command: 'kindred.showInView',
      title: vscode.l10n.t('Show in Duplicates view'),
      short: vscode.l10n.t('Show in View'),
      arguments: [here],
    },
    {
      command: 'kindred.ignoreGroup',
      title:
        count > 2 ? vscode.l10n.t('Ignore all {0} copies…', quantity(count)) : vscode.l10n.t('Ignore this duplicate…'),
      short: vscode.l10n.t('Ignore…'),
      arguments: [here],
    },
    {
      command: 'kindred.ignoreHere',
      title: vscode.l10n.t('Ignore this copy by comments…'),
      short: vscode.l10n.t('Ignore Here…'),
      arguments: [here],
    },
    // Sensitivity does not affect whole files.
    ...(group.kind !== 'file'
      ? [
          {
            command: 'kindred.tuneToHide',
            title: vscode.l10n.t('Tune sensitivity to hide duplicates like this…'),
            short: vscode.l10n.t('Tune…'),
            arguments: [here] as const,
          },
        ]
      : []),
    ...(group.kind === 'code'
      ? [
          {
            command: 'kindred.extractCopy',
            title: vscode.l10n.t('Extract this copy…'),
            short: vscode.l10n.t('Extract…'),
            arguments: [here] as const,
          },
        ]
      : []),
  ];
}
