/** The page of the duplication map before anything is known: a large tree takes a moment to be counted. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { mapDocument } from '../../src/host/map/mapDocument.ts';

suite('the page of the duplication map', () => {
  test('says at once that lines are counted, where the script will put the first view', () => {
    const dist = vscode.Uri.file('/extension/dist');
    const html = mapDocument({ asWebviewUri: (uri) => uri, cspSource: 'source:' }, dist);
    const app = /<main id="app"[^>]*>([^]*)<\/main>/.exec(html)?.[1] ?? '';
    assert.match(app, /<p role="status">Counting duplicated lines…<\/p>/);
    assert.ok(html.indexOf('Counting') < html.indexOf('<script'));
  });
});
