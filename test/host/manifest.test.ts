/** Compares package.json with the code. VS Code reports neither commands without code nor code without a command. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

suite('manifest', () => {
  test('contributes the registered commands and no others', async () => {
    const extension = vscode.extensions.getExtension('kindred.kindred');
    await extension?.activate();
    const { contributes } = extension?.packageJSON as Manifest;
    const registered = (await vscode.commands.getCommands(true))
      .filter((id) => id.startsWith('kindred.'))
      // VS Code registers some for each view: focus, resetViewLocation, …
      .filter((id) => !/^kindred\.(groups|file|ignored)\./.test(id));
    assert.deepEqual(registered.sort(), contributes.commands.map(({ command }) => command).sort());
  });
});
