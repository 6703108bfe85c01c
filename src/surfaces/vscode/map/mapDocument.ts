/** HTML document of the duplication map, with the script of src/surfaces/web/map. It makes no network requests. */
import * as vscode from 'vscode';
import { mapWords } from '../../../presentation/pages/mapWords.ts';
import '../translations.ts';

/**
 * Returns the HTML: a placeholder, and the script that replaces it.
 *
 * @param dist  folder that contains the script and the style sheet
 */
export function mapDocument(webview: Pick<vscode.Webview, 'asWebviewUri' | 'cspSource'>, dist: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const [script, style] = ['map.js', 'map.css'].map((name) =>
    webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString(),
  );
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  const words = mapWords();
  const first = escaped(vscode.l10n.t('Counting duplicated lines…'));
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(words.title)}</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main id="app" data-locale="${escaped(vscode.env.language)}" data-words="${escaped(JSON.stringify(words))}">
<div class="nothing"><p role="status">${first}</p></div>
</main>
<script nonce="${nonce}" type="module" src="${script}"></script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
