/** The page of *Tune Sensitivity* as VS Code shows it: its script is src/tuner, and it loads nothing from elsewhere. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { TunerTexts } from '../../protocol/tunerMessages.ts';

export function tunerPage(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const uriOf = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', name)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  // No text of it can end the element.
  const texts = JSON.stringify(tunerTexts()).replaceAll('<', '\\u003c');
  return [
    '<!doctype html>',
    `<html lang="${vscode.env.language}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<link rel="stylesheet" href="${uriOf('tuner.css')}">`,
    '</head>',
    '<body>',
    '<div id="app"></div>',
    `<script type="application/json" id="texts" nonce="${nonce}">${texts}</script>`,
    `<script nonce="${nonce}" src="${uriOf('tuner.js')}"></script>`,
    '</body>',
    '</html>',
  ].join('\n');
}

function tunerTexts(): TunerTexts {
  const { t } = vscode.l10n;
  return {
    locale: vscode.env.language,
    dials: {
      minSimilarity: {
        label: t('Least similarity'),
        about: t('How much two copies must have in common.'),
        unit: t('{0} %'),
      },
      minTokens: {
        label: t('Least tokens'),
        about: t('How long a copy must be, in names, literals, and signs.'),
        unit: t('{0} tokens'),
      },
      minLines: { label: t('Least lines'), about: t('How long a copy must be, in lines.'), unit: t('{0} lines') },
      maxDistance: {
        label: t('Distance k'),
        about: t('How many of 64 bits may differ between two fingerprints for their places to be compared at all.'),
        unit: t('k = {0}'),
      },
      'prose.minSimilarity': {
        label: t('Least similarity'),
        about: t('How much two copies must have in common.'),
        unit: t('{0} %'),
      },
      'prose.minWords': {
        label: t('Least words'),
        about: t('How long a copy must be, in words.'),
        unit: t('{0} words'),
      },
      'prose.maxDistance': {
        label: t('Distance k'),
        about: t('How many of 64 bits may differ between two fingerprints for their places to be compared at all.'),
        unit: t('k = {0}'),
      },
    },
    presets: { strict: t('Strict'), balanced: t('Balanced'), loose: t('Loose') },
    code: t('Code'),
    prose: t('Text'),
    now: t('In force'),
    preview: t('Preview'),
    asNow: t('The dials stand where the settings are. Turn one to preview what would be found.'),
    duplicates: [t('1 duplicate'), t('{0} duplicates')],
    lines: [t('1 duplicated line'), t('{0} duplicated lines')],
    trying: t('Comparing…'),
    notTried: t('Not compared yet: turn the dial here'),
    stillTrying: t('{0} of {1} stops compared'),
    types: { exact: t('Exact'), renamed: t('Renamed'), near: t('Edited') },
    come: t('Comes in'),
    gone: t('Goes'),
    noExamples: t('Examples of what comes in and what goes are shown here.'),
    none: t('Nothing'),
    more: t('and {0} more'),
    apply: t('Apply'),
    reset: t('Reset'),
    toSettings: t('Apply writes the changed values to the workspace settings.'),
    toFile: t('{0} decides some of them: Apply changes these there.'),
    start: t('Presets'),
    inForce: t('in force'),
  };
}
