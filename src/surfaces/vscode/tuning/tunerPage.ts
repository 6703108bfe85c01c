/** HTML document of *Tune Sensitivity*, with the script of src/surfaces/web/tuner. It makes no network requests. */
import * as vscode from 'vscode';
import { categories } from '../tree/filter.ts';
import type { TunerTexts } from '../../../presentation/pages/tunerMessages.ts';
import { sectionTitle } from '../../../presentation/wording/sectionTitle.ts';
import '../translations.ts';

export function tunerPage(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const uriOf = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', name)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  // Otherwise, a text that contains `</script>` would end the element.
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
  return {
    locale: vscode.env.language,
    dials: dialTexts(),
    presets: { strict: vscode.l10n.t('Strict'), balanced: vscode.l10n.t('Balanced'), loose: vscode.l10n.t('Loose') },
    code: vscode.l10n.t('Code'),
    prose: vscode.l10n.t('Text'),
    now: vscode.l10n.t('Current'),
    preview: vscode.l10n.t('Preview'),
    asNow: vscode.l10n.t('The sliders match the settings. Move one to preview the findings.'),
    duplicates: [vscode.l10n.t('1 duplicate'), vscode.l10n.t('{0} duplicates')],
    lines: [vscode.l10n.t('1 duplicated line'), vscode.l10n.t('{0} duplicated lines')],
    trying: vscode.l10n.t('Comparing…'),
    notTried: vscode.l10n.t('Not compared yet: move the slider here'),
    estimate: vscode.l10n.t('About {0}'),
    stillTrying: vscode.l10n.t('{0} of {1} stops compared'),
    types: { exact: vscode.l10n.t('Exact'), renamed: vscode.l10n.t('Renamed'), near: vscode.l10n.t('Edited') },
    categories: Object.fromEntries(
      categories.map((category) => [category, sectionTitle(category)]),
    ) as TunerTexts['categories'],
    typeGroup: vscode.l10n.t('Types that are counted'),
    categoryGroup: vscode.l10n.t('Categories that are counted'),
    countedAbout: vscode.l10n.t('Filters the counts here and the Duplicates view. Apply does not write it.'),
    added: vscode.l10n.t('Added'),
    removed: vscode.l10n.t('Removed'),
    noExamples: vscode.l10n.t('Examples of added and removed duplicates appear here.'),
    unchanged: vscode.l10n.t('Nothing is added or removed.'),
    more: vscode.l10n.t('and {0} more'),
    apply: vscode.l10n.t('Apply'),
    reset: vscode.l10n.t('Reset'),
    toSettings: vscode.l10n.t('Apply writes the changed values to the workspace settings.'),
    toFile: vscode.l10n.t('Some of them are set in {0}; Apply changes them there.'),
    start: vscode.l10n.t('Presets'),
    inForce: vscode.l10n.t('current'),
  };
}

export function dialTexts(): TunerTexts['dials'] {
  const similarity = {
    label: vscode.l10n.t('Minimum similarity'),
    about: vscode.l10n.t('How much two copies must have in common.'),
    unit: vscode.l10n.t('{0}%'),
  };
  const distance = {
    label: vscode.l10n.t('Distance k'),
    about: vscode.l10n.t(
      'Maximum number of bits, out of 64, in which the fingerprints of two compared places may differ.',
    ),
    unit: vscode.l10n.t('k = {0}'),
  };
  return {
    minSimilarity: similarity,
    minTokens: {
      label: vscode.l10n.t('Minimum tokens'),
      about: vscode.l10n.t('How long a copy must be, in names, literals, and symbols.'),
      unit: vscode.l10n.t('{0} tokens'),
    },
    minLines: {
      label: vscode.l10n.t('Minimum lines'),
      about: vscode.l10n.t('How long a copy must be, in lines.'),
      unit: vscode.l10n.t('{0} lines'),
    },
    maxDistance: distance,
    'prose.minSimilarity': similarity,
    'prose.minWords': {
      label: vscode.l10n.t('Minimum words'),
      about: vscode.l10n.t('How long a copy must be, in words.'),
      unit: vscode.l10n.t('{0} words'),
    },
    'prose.maxDistance': distance,
  };
}
