/** User-facing reasons why files are not compared, and remedies. */
import * as vscode from 'vscode';
import type { AdmittingSetting } from '../../../core/engine/report/report.ts';
import { quantity } from '../wording.ts';

/** Translates a reason that is part of a report. */
export function reasonText(reason: string): string {
  const [, size, limit] = /^too large \((.*), limit (.*)\)$/.exec(reason) ?? [];
  if (size !== undefined && limit !== undefined) {
    const [, ofCells] = /^(.*) of cells$/.exec(size) ?? [];
    return ofCells === undefined
      ? vscode.l10n.t('too large ({0}, limit {1})', size, limit)
      : vscode.l10n.t('too large ({0} of cells, limit {1})', ofCells, limit);
  }
  const [, aboveAll] = /^too large for any limit \((.*)\)$/.exec(reason) ?? [];
  if (aboveAll !== undefined) return vscode.l10n.t('too large for any limit ({0})', aboveAll);
  const [, memory] = /^no memory left \(limit (.*)\)$/.exec(reason) ?? [];
  if (memory !== undefined) return vscode.l10n.t('no memory left (limit {0})', memory);
  const [, files] = /^not read \(limit (\d+) files\)$/.exec(reason) ?? [];
  if (files !== undefined) return vscode.l10n.t('not read (limit {0} files)', quantity(Number(files)));
  // The text in parentheses is already translated.
  const [, cause] = /^unreadable \((.*)\)$/.exec(reason) ?? [];
  if (cause !== undefined) return vscode.l10n.t('unreadable ({0})', cause);
  return reasonTexts()[reason] ?? reason;
}

/** Returns a reason without the text in parentheses, which differs between files. */
export function reasonTitle(reason: string): string {
  return reasonText(reason.replace(/ \(.*/, ''));
}

function reasonTexts(): Readonly<Record<string, string>> {
  return {
    'a linked Git worktree': vscode.l10n.t('a linked Git worktree'),
    'a broken symbolic link': vscode.l10n.t('a broken symbolic link'),
    'a symbolic link to a folder elsewhere': vscode.l10n.t('a symbolic link to a folder elsewhere'),
    baseline: vscode.l10n.t('baseline'),
    binary: vscode.l10n.t('binary file'),
    'changed while being read': vscode.l10n.t('changed while being read'),
    dependencies: vscode.l10n.t('in a dependency folder'),
    drawing: vscode.l10n.t('drawing'),
    excluded: vscode.l10n.t('excluded by {0}', 'kindred.exclude'),
    generated: vscode.l10n.t('generated file'),
    'lock file': vscode.l10n.t('lock file'),
    missing: vscode.l10n.t('it no longer exists'),
    minified: vscode.l10n.t('minified file'),
    'no memory left': vscode.l10n.t('no memory left'),
    'not read': vscode.l10n.t('not read'),
    'not a file': vscode.l10n.t('not a file'),
    prose: vscode.l10n.t('prose is not compared'),
    'source map': vscode.l10n.t('source map'),
    'too large': vscode.l10n.t('too large'),
    'too large for any limit': vscode.l10n.t('too large for any limit'),
    translation: vscode.l10n.t('translation'),
    unreadable: vscode.l10n.t('unreadable'),
    vendored: vscode.l10n.t('marked as vendored in .gitattributes'),
  };
}

/** For each engine option that includes skipped files, the name of the VS Code setting. */
export const settingNames: Readonly<Record<AdmittingSetting, string>> = {
  generated: 'generated',
  maxFileSize: 'maxFileSize',
  include: 'include',
  exclude: 'exclude',
  prose: 'prose.enabled',
  memory: 'memory',
};
