/** The extension in a real VS Code: it is found, activates, and scans automatically. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { groupsIn, kindred, pathsOf, until } from './window.ts';

suite('activation', () => {
  test('the folder given on the command line is open', () => {
    assert.equal(vscode.workspace.workspaceFolders?.[0]?.name, 'workspace');
  });

  test('the extension activates without an error', async () => {
    const { activationMs } = await kindred();
    console.log(`      activate() took ${activationMs.toFixed(1)} ms`);
    assert.equal(vscode.extensions.getExtension('kindred.kindred')?.isActive, true);
  });

  test('the first scan starts automatically', async () => {
    const api = await kindred();
    await until('findings', api.findings.onDidChange, () => api.findings.snapshot);
    assert.deepEqual(groupsIn(api, 'cart.ts').map(pathsOf), [['cart.ts', 'order.ts']]);
  });
});
