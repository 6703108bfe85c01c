import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { GitChanges } from '../../src/surfaces/vscode/workspace/gitChanges.ts';

suite('files changed in Git', () => {
  test('are those of all repositories, staged or not, and changes are reported', () => {
    const repository = (changes: Readonly<Record<string, readonly string[]>>) => {
      const changed = new vscode.EventEmitter<void>();
      let listeners = 0;
      const changesOf = (name: string) => (changes[name] ?? []).map((path) => ({ uri: vscode.Uri.file(path) }));
      const state = {
        indexChanges: changesOf('index'),
        workingTreeChanges: changesOf('workingTree'),
        mergeChanges: changesOf('merge'),
        untrackedChanges: changesOf('untracked'),
        onDidChange: (listener: () => void) => {
          listeners++;
          const disposable = changed.event(listener);
          return new vscode.Disposable(() => {
            listeners--;
            disposable.dispose();
          });
        },
      };
      return { state, changed, listeners: () => listeners };
    };
    const [first, second] = [
      repository({ index: ['/w/a.ts'], workingTree: ['/w/a.ts', '/w/b.ts'], untracked: ['/w/c.ts'] }),
      repository({ merge: ['/x/d.ts'] }),
    ];
    const opened = new vscode.EventEmitter<typeof first>();
    const repositories = [first];
    const changes = new GitChanges({
      repositories,
      onDidOpenRepository: opened.event,
      onDidCloseRepository: new vscode.EventEmitter<typeof first>().event,
    });
    let told = 0;
    changes.onDidChange(() => told++);
    const paths = () => changes.files().map(({ path }) => path);
    assert.deepEqual(paths(), ['/w/a.ts', '/w/a.ts', '/w/b.ts', '/w/c.ts']);
    second.changed.fire();
    assert.equal(told, 0);
    repositories.push(second);
    opened.fire(second);
    assert.deepEqual(paths().at(-1), '/x/d.ts');
    first.changed.fire();
    second.changed.fire();
    assert.equal(told, 3);
    assert.deepEqual([first.listeners(), second.listeners()], [1, 1]);
    changes.dispose();
    assert.deepEqual([first.listeners(), second.listeners()], [0, 0]);
  });
});
