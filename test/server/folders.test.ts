/** Names of files in served folders, and paths that leave the folders. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { findFolders, Folders } from '../../src/surfaces/servers/folders.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

suite('served folders', () => {
  let folder = '';
  setup(() => (folder = realpathSync(makeFolder({ 'a.ts': '', 'in/b.ts': '' }))));
  teardown(() => removeFolder(folder));

  test('have a unique prefix in names, unless there is only one folder', () => {
    const [x, y] = ['x/app', 'y/app'].map((name) => path.join(folder, name));
    assert.equal(new Folders([x]).nameOf(path.join(x, 'src', 'a.ts')), 'src/a.ts');
    const both = new Folders([x, y]);
    assert.equal(both.nameOf(path.join(x, 'a.ts')), 'app/a.ts');
    assert.equal(both.nameOf(path.join(y, 'a.ts')), 'app-2/a.ts');
    assert.equal(both.fileOf('app-2/src/a.ts'), path.join(y, 'src', 'a.ts'));
    assert.equal(both.fileOf('other/a.ts'), undefined);
  });

  test('assign a file in two folders to the inner one', () => {
    const folders = new Folders([folder, path.join(folder, 'in')]);
    assert.equal(folders.nameOf(path.join(folder, 'in', 'b.ts')), 'in/b.ts');
    assert.equal(folders.roots.find(({ prefix }) => prefix === 'in/')?.folder, path.join(folder, 'in'));
  });

  test('resolve paths inside the folder, and nothing outside', () => {
    const folders = new Folders([folder]);
    const names = ['a.ts', './a.ts', 'in/../a.ts', path.join(folder, 'a.ts'), '.', '', 'in/'];
    assert.deepEqual(
      names.map((name) => folders.nameOfWritten(name)),
      ['a.ts', 'a.ts', 'a.ts', 'a.ts', '', '', 'in'],
    );
    const elsewhere = makeFolder({ 'z.ts': '' });
    symlinkSync(elsewhere, path.join(folder, 'link'));
    for (const name of [
      '..',
      '../x',
      'in/../../x',
      '/etc/passwd',
      `${folder}-2/a.ts`,
      path.join(folder, 'link/z.ts'),
    ]) {
      assert.equal(folders.nameOfWritten(name), undefined, name);
    }
    assert.equal(folders.realFileOf('link/z.ts'), undefined);
    assert.equal(folders.realFileOf('in/b.ts'), path.join(folder, 'in', 'b.ts'));
    removeFolder(elsewhere);
  });

  test('are resolved to their real paths, without duplicates', () => {
    mkdirSync(path.join(folder, 'real'));
    symlinkSync(path.join(folder, 'real'), path.join(folder, 'link'));
    assert.deepEqual(findFolders([`${folder}/link`, `${folder}/real/`]), [path.join(folder, 'real')]);
    assert.deepEqual(findFolders([`${folder}/a.ts`]), { problem: `${folder}/a.ts is a file; specify a folder.` });
    assert.deepEqual(findFolders([`${folder}/no`]), { problem: `there is no folder ${folder}/no; check the path.` });
  });
});
