/**
 * dist/THIRD-PARTY-NOTICES.txt has the licenses of all bundled packages. Tests of the packages check that it is
 * included.
 */
import assert from 'node:assert/strict';
import { hasNotice, mappedPackages } from '../scripts/notices.mjs';
import { root } from '../scripts/project.mjs';

suite('third-party notices', () => {
  // The build reads the packages from esbuild's metafiles. Source maps list them as well.
  const packages = mappedPackages(root);

  test('there are packages with notices', () => {
    const names = packages.map(({ name }) => name);
    const expectedPackages = [
      'commander',
      'cli-progress',
      'jsonc-parser',
      'xxhash-wasm',
      '@modelcontextprotocol/server',
    ];
    assert.deepEqual(
      expectedPackages.filter((name) => !names.includes(name)),
      [],
    );
  });

  for (const bundled of packages) {
    test(`have the license of ${bundled.name} ${bundled.version}`, () => {
      assert.ok(hasNotice(root, bundled));
    });
  }
});
