/**
 * Every bundle is distributed with the notices of its packages: the contents of dist/THIRD-PARTY-NOTICES.txt, and its
 * recipients.
 */
import assert from 'node:assert/strict';
import { listFiles, PackageManager } from '@vscode/vsce';
import { hasNotice, mappedPackages, noticesFile } from '../scripts/notices.mjs';
import { packedFiles } from '../scripts/npm.mjs';
import { root } from '../scripts/project.mjs';

suite('third-party notices', () => {
  // The build has the packages from esbuild's metafiles; source maps tell them as well.
  const packages = mappedPackages(root);

  test('there are packages to be named', () => {
    const names = packages.map(({ name }) => name);
    const known = ['commander', 'cli-progress', 'jsonc-parser', 'xxhash-wasm', '@modelcontextprotocol/server'];
    assert.deepEqual(
      known.filter((name) => !names.includes(name)),
      [],
    );
  });

  for (const bundled of packages) {
    test(`have the licence of ${bundled.name} ${bundled.version}`, () => {
      assert.ok(hasNotice(root, bundled));
    });
  }

  test('are in the .vsix', async () => {
    assert.ok((await listFiles({ cwd: root, packageManager: PackageManager.None })).includes(noticesFile));
  });

  test('are in the npm package', async () => {
    assert.ok((await packedFiles(root)).includes(noticesFile));
  });
});
