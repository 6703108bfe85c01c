/** Why files are not compared, for people, and what would let them in. */
import * as vscode from 'vscode';
import type { AdmittingSetting } from '../../engine/report/report.ts';

/** A reason of a report in the person's language. Those with figures or names in them stay as the engine says them. */
export function reasonText(reason: string): string {
  return reasonTexts()[reason] ?? reason;
}

function reasonTexts(): Readonly<Record<string, string>> {
  return {
    binary: vscode.l10n.t('binary file'),
    dependencies: vscode.l10n.t('in a folder of dependencies'),
    drawing: vscode.l10n.t('drawing'),
    excluded: vscode.l10n.t('excluded by {0}', 'kindred.exclude'),
    generated: vscode.l10n.t('generated file'),
    'lock file': vscode.l10n.t('lock file'),
    minified: vscode.l10n.t('minified file'),
    prose: vscode.l10n.t('prose is not compared'),
    'source map': vscode.l10n.t('source map'),
    translation: vscode.l10n.t('translation'),
    vendored: vscode.l10n.t('marked as vendored in .gitattributes'),
  };
}

/** The settings of VS Code for what the engine names. */
export const settingNames: Readonly<Record<AdmittingSetting, string>> = {
  generated: 'generated',
  maxFileSize: 'maxFileSizeKB',
  include: 'include',
  exclude: 'exclude',
  prose: 'prose.enabled',
  memory: 'performance.memory',
};
