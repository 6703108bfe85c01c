/** Page of the duplication map before its data is available: in a large tree, counting takes a moment. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { mapDocument } from '../../src/surfaces/vscode/map/mapDocument.ts';

suite('page of the duplication map', () => {
  test('shows immediately that lines are counted, in the place of the first view', () => {
    const dist = vscode.Uri.file('/extension/dist');
    const html = mapDocument({ asWebviewUri: (uri) => uri, cspSource: 'source:' }, dist);
    const app = /<main id="app"[^>]*>([^]*)<\/main>/.exec(html)?.[1] ?? '';
    assert.match(app, /<p role="status">Counting duplicated lines…<\/p>/);
    assert.ok(html.indexOf('Counting') < html.indexOf('<script'));
  });
});
