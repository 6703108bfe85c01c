/** Names of files in reports, by the folders of the workspace. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Folders, LooseDocuments, readFolders } from '../../src/surfaces/vscode/workspace/folders.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { folder, uriOf } from './window.ts';
import { foldersOf } from './reports.ts';

suite('folders', () => {
  test('give relative paths if there is only one', () => {
    const folders = readFolders(() => defaultSourceOptions);
    assert.equal(folders.pathOf(uriOf('src/ä b.ts')), 'src/ä b.ts');
    assert.equal(folders.uriOf('src/ä b.ts').toString(), uriOf('src/ä b.ts').toString());
    assert.equal(folders.pathOf(vscode.Uri.file('/elsewhere/a.ts')), undefined);
    assert.equal(folders.pathOf(vscode.Uri.file(`${folder()}2/a.ts`)), undefined);
    assert.equal(folders.pathOf(uriOf('a.ts').with({ scheme: 'git' })), undefined);
  });

  test('prefix paths with their names if there are several, and an inner folder owns its files', () => {
    const folders = foldersOf(['/w/app', 'app/'], ['/w/app/lib', 'lib/'], ['/x', 'app (2)/']);
    for (const [file, path] of [
      ['/w/app/a.ts', 'app/a.ts'],
      ['/w/app/lib/a.ts', 'lib/a.ts'],
      ['/x/a.ts', 'app (2)/a.ts'],
    ]) {
      assert.equal(folders.pathOf(vscode.Uri.file(file)), path);
      assert.equal(folders.uriOf(path).path, file);
    }
    assert.throws(() => folders.uriOf('other/a.ts'), RangeError);
  });
});

suite('folders of other file systems', () => {
  const folders = new Folders(
    [
      ['memory://one/w', 'w/'],
      ['memory://one/w/a%20b', 'inner/'],
      ['memory://two/w', 'w (2)/'],
      ['file:///w', 'w (3)/'],
    ].map(([uri, prefix]) => ({ uri: vscode.Uri.parse(uri), prefix, sources: defaultSourceOptions })),
    new LooseDocuments(),
  );

  test('are roots by URI, with the prefixes of inner folders', () => {
    const roots = folders.roots().map((root) => ('uri' in root ? [root.uri, root.inner] : root.folder));
    assert.deepEqual(roots, [
      ['memory://one/w', ['a b/']],
      ['memory://one/w/a%20b', []],
      ['memory://two/w', []],
      vscode.Uri.file('/w').fsPath,
    ]);
  });

  test('are distinguished by scheme and host', () => {
    for (const [uri, path] of [
      ['memory://one/w/x.ts', 'w/x.ts'],
      ['memory://one/w/a%20b/%C3%A4.ts', 'inner/ä.ts'],
      ['memory://two/w/x.ts', 'w (2)/x.ts'],
      ['file:///w/x.ts', 'w (3)/x.ts'],
    ]) {
      assert.equal(folders.pathOf(vscode.Uri.parse(uri)), path);
      assert.equal(folders.uriOf(path).toString(), uri);
    }
    assert.equal(folders.pathOf(vscode.Uri.parse('memory://three/w/x.ts')), undefined);
  });
});
