/** The extension in a real VS Code: it is found, it activates, and by itself. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

suite('activation', () => {
  test('the extension activates without an error', async () => {
    const extension = vscode.extensions.getExtension('kindred.kindred');
    assert.ok(extension, 'VS Code does not list the extension');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  test('the folder given on the command line is open', () => {
    assert.equal(vscode.workspace.workspaceFolders?.[0]?.name, 'workspace');
  });
});
