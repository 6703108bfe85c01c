/**
 * New copies since a Git ref, in a window whose folder is a repository. The rows equal the new groups of the command
 * line.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { FindingsModel } from '../../src/surfaces/vscode/findings/findings.ts';
import { SavedText } from '../../src/surfaces/vscode/findings/savedText.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import { TreeFilter } from '../../src/surfaces/vscode/tree/filter.ts';
import { NewCopiesFinder } from '../../src/surfaces/vscode/tree/newCopiesFinder.ts';
import { refChoices } from '../../src/surfaces/vscode/tree/refChoice.ts';
import type { Row } from '../../src/surfaces/vscode/tree/rows.ts';
import { gitApi, type Repository } from '../../src/surfaces/vscode/workspace/gitExtension.ts';
import { root } from '../../scripts/project.mjs';
import { drawing, harbour, parsing } from '../passages.ts';
import { folder, groupsIn, pathsOf, remove, scan, until, uriOf, write } from './window.ts';

suite('new copies since a Git ref', () => {
  let api: Api;

  suiteSetup(async () => {
    await write('since/a.ts', parsing);
    await write('since/b.ts', `${parsing}export const other = 1;\n`);
    await write('since/old1.md', harbour);
    await write('since/old2.md', harbour);
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'The base');
    git('tag', 'v1');
    git('checkout', '-q', '-b', 'work');
    await write('since/c.ts', `export const third = 3;\n${parsing}`);
    await write('since/d.ts', drawing);
    await write('since/e.ts', `export const first = 1;\n${drawing}`);
    git('add', 'since');
    git('commit', '-q', '-m', 'More copies');
    // With decorations, the Git extension queries ignored files half a second after a change, and fails a test if the
    // repository was removed by then.
    await vscode.workspace.getConfiguration('git').update('decorations.enabled', false, true);
    await vscode.workspace.getConfiguration('git').update('autoRepositoryDetection', true, true);
    api = await scan();
  });

  teardown(() => vscode.commands.executeCommand('kindred.clearFilter'));

  suiteTeardown(async () => {
    await vscode.workspace.getConfiguration('git').update('autoRepositoryDetection', undefined, true);
    await vscode.commands.executeCommand('git.close');
    for (const name of ['since', '.git']) await remove(name);
    await vscode.workspace.getConfiguration('git').update('decorations.enabled', undefined, true);
    await scan();
  });

  test('are the groups that kindred check reports as new, with the added copies', async () => {
    assert.ok(groupsIn(api, 'since/old1.md').length > 0, 'there is more than what is new');
    await vscode.commands.executeCommand('kindred.showNewSince', 'v1');
    const check = [path.join(root, 'dist', 'cli.js'), 'check', folder(), '--since', 'v1', '--format', 'json'];
    const { stdout } = await promisify(execFile)(process.execPath, check, { cwd: folder() }).catch(
      (error: unknown) => error as { stdout: string },
    );
    const { groups } = JSON.parse(stdout) as { groups: { id: string; isNew?: true; passages: object[] }[] };
    const told = groups.filter(({ isNew }) => isNew === true);
    assert.ok(told.length >= 2, stdout.slice(0, 500));
    assert.deepEqual(shownIds(), told.map(({ id }) => id).sort());
    const marks = await Promise.all(
      copyRows().map(async (row) => [row.passage.path, (await api.tree.getTreeItem(row)).description]),
    );
    assert.deepEqual(Object.fromEntries(marks), {
      'since/a.ts': undefined,
      'since/b.ts': undefined,
      'since/c.ts': 'new',
      'since/d.ts': 'new',
      'since/e.ts': 'new',
    });
    assert.deepEqual(api.filter.active, [{ type: 'since', ref: 'v1' }]);
  });

  test('follow edits, and stay during requests', async () => {
    await vscode.commands.executeCommand('kindred.showNewSince', 'main');
    assert.ok(shownPaths().includes('since/e.ts'));
    const document = await vscode.workspace.openTextDocument(uriOf('since/e.ts'));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), 'export const nothing = 0;\n');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    await until('the pair to go', api.filter.onDidChange, () => !shownPaths().includes('since/e.ts'));
    assert.ok(shownPaths().includes('since/c.ts'));
    git('checkout', '-q', 'since/e.ts');
    await until('the pair again', api.filter.onDidChange, () => shownPaths().includes('since/e.ts'));
  });

  test('follow a checkout that changes no file', async () => {
    assert.equal((await gitApi())?.repositories.length, 1);
    await write('since/f.ts', `export const fifth = 5;\n${parsing}`);
    await until('the copy', api.findings.onDidChange, () => api.findings.snapshot!.copies.has('since/f.ts'));
    await vscode.commands.executeCommand('kindred.showNewSince', 'HEAD');
    assert.ok(shownPaths().includes('since/f.ts') && !shownPaths().includes('since/e.ts'), shownPaths().join());
    git('add', '.');
    git('commit', '-q', '-m', 'One more copy');
    await until('nothing to be new', api.filter.onDidChange, () => shownIds().length === 0);
    git('reset', '-q', '--soft', 'HEAD~1');
    await until('it to be new again', api.filter.onDidChange, () => shownIds().length > 0);
    await remove('since/f.ts');
    await until('the copy to go', api.findings.onDidChange, () => !api.findings.snapshot!.copies.has('since/f.ts'));
    git('reset', '-q');
  });

  test('of an invalid ref are reported as an error, and the filter is unchanged', async () => {
    await api.filter.use([{ type: 'since', ref: 'v1' }]);
    const before = shownIds();
    const problem = await api.filter.use([{ type: 'since', ref: 'nowhere' }]);
    assert.equal(problem, 'there is no commit nowhere; fetch it, or check the name.');
    assert.deepEqual([api.filter.active, shownIds()], [[{ type: 'since', ref: 'v1' }], before]);
  });

  test('are requested again in a new window; on failure, all rows are shown with the reason', async () => {
    const model = new FindingsModel();
    const text = new SavedText(model);
    const kept = [{ type: 'since', ref: 'v1' }];
    const store = { keys: () => [], get: () => kept as never, update: () => Promise.resolve() };
    const newSince = new NewCopiesFinder(api.client, model, gitApi);
    const filter = new TreeFilter(model, text, newSince, store, () => undefined);
    await filter.restore();
    assert.deepEqual(filter.active, [{ type: 'since', ref: 'v1' }]);
    git('tag', '-d', 'v1');
    model.replace(api.findings.report!);
    await until('the answer', filter.onDidChange, () => filter.trouble() !== undefined);
    assert.equal(filter.trouble(), 'there is no commit v1; fetch it, or check the name.');
    assert.ok(model.groups.every((group) => filter.accepts(group)));
    git('tag', 'v1', 'main');
    // VS Code does not watch tags, but files that most Git commands write.
    git('reset', '-q');
    await until('the tag to be seen', filter.onDidChange, () => filter.trouble() === undefined);
    const shown = model.groups.filter((group) => filter.accepts(group)).map(({ id }) => id);
    assert.ok(shown.length > 0 && shown.length < model.groups.length, `${shown.length} of ${model.groups.length}`);
    newSince.dispose();
    filter.dispose();
  });

  test('refs to choose from: the most likely first, without duplicates, and any other', async () => {
    git('update-ref', 'refs/remotes/origin/main', 'v1');
    git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    const repository = (await gitApi())!.getRepository(uriOf('since/a.ts'))!;
    const choices = await refChoices([repository]);
    const listed = choices.map(({ label, description }) => (description ? `${label} (${description})` : label));
    const commit = git('rev-parse', 'main').slice(0, 8);
    const [later] = [git('rev-parse', 'work').slice(0, 8)];
    assert.deepEqual(listed, [
      ...['suggested', '$(git-branch) origin/main (default branch)', '$(git-commit) HEAD (uncommitted changes)'],
      ...['branches', `$(git-branch) work (${later})`, `$(git-branch) main (${commit})`],
      ...['tags', `$(tag) v1 (${commit})`],
      ...['recent commits', `$(git-commit) More copies (${later})`, `$(git-commit) The base (${commit})`],
      ...['', '$(edit) Other Ref or Commit…'],
    ]);
  });

  /** Returns the ids of groups with their own row. */
  function shownIds(): string[] {
    return groupRows()
      .map(({ group }) => group.id)
      .sort();
  }

  function shownPaths(): string[] {
    return groupRows().flatMap(({ group }) => pathsOf(group));
  }

  function groupRows(row?: Row): Extract<Row, { type: 'group' }>[] {
    return api.tree
      .getChildren(row)
      .flatMap((inner) =>
        inner.type === 'group' ? [inner, ...groupRows(inner)] : inner.type === 'copy' ? [] : groupRows(inner),
      );
  }

  function copyRows(): Extract<Row, { type: 'copy' }>[] {
    return groupRows()
      .flatMap((row) => api.tree.getChildren(row))
      .filter((row) => row.type === 'copy');
  }
});

suite('refs to choose from', () => {
  test('name their repository if there are several', async () => {
    const repositoryOf = (name: string, branches: readonly string[]): Repository => ({
      rootUri: vscode.Uri.file(`/w/${name}`),
      state: { HEAD: undefined } as unknown as Repository['state'],
      getConfig: () => Promise.resolve(''),
      getGlobalConfig: () => Promise.resolve(''),
      getCommit: () => Promise.reject(new Error('none')),
      getMergeBase: () => Promise.resolve(undefined),
      getRefs: () => Promise.resolve(branches.map((branch) => ({ type: 0, name: branch, commit: 'abcdef0123' }))),
      log: () => Promise.reject(new Error('no commit yet')),
    });
    const choices = await refChoices([repositoryOf('one', ['main', 'x']), repositoryOf('two', ['main', 'y'])]);
    assert.deepEqual(
      choices.flatMap(({ ref, description }) => (ref === undefined ? [] : [`${ref}: ${description}`])),
      ['main: default branch · one', 'HEAD: uncommitted changes · one', 'x: abcdef01 · one', 'y: abcdef01 · two'],
    );
  });
});

let seconds = 0;

function git(...gitArguments: readonly string[]): string {
  const user = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
  // Commits within one second would have no order.
  const env = { ...process.env, GIT_COMMITTER_DATE: `${1_700_000_000 + seconds++} +0000` };
  return execFileSync('git', [...user, ...gitArguments], { cwd: folder(), encoding: 'utf8', env });
}
