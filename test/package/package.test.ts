/** The package: its content, its installation in VS Code, and its activation in a server and in a browser. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { packageFile } from '../../scripts/packages.mjs';
import { root } from '../../scripts/project.mjs';
import { suiteWorkbench } from '../interface/workbench.ts';

/** Files except media. vsce and VS Code add files that start with a dot, and rename others. */
const packaged = [
  '.vsixmanifest',
  'LICENSE.txt',
  'changelog.md',
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/cli.js',
  'dist/extension.js',
  'dist/hookAnswer.js',
  'dist/map.css',
  'dist/map.js',
  'dist/mcp.js',
  'dist/orgSearch.js',
  'dist/page.html',
  'dist/scanThread.js',
  'dist/tuner.css',
  'dist/tuner.js',
  'dist/web/extension.cjs',
  'dist/web/worker.js',
  'dist/worker.js',
  'docs/baseline.schema.json',
  'docs/kindredrc.schema.json',
  'l10n/bundle.l10n.de.json',
  'package.json',
  'package.nls.de.json',
  'package.nls.json',
  'readme.md',
];

/** Shared chunks of the programs, chunks of the extension, and the kernel. Their names contain a digest. */
const isDigested = (name: string): boolean => /^dist\/(?:(?:chunk|extension)-\w+\.js|kernel-\w+\.wasm)$/.test(name);

/** Line in the log of the server's extension host. */
const activated = /_doActivateExtension kindred\.kindred/;

suite('the package', () => {
  const workbench = suiteWorkbench({ fixture: 'shop' });

  test('is at most 1.38 MB', () => {
    assert.ok(statSync(packageFile('vsix')).size <= 1_380_000);
  });

  test('contains only the bundles, the media, the documents, and the licenses', () => {
    const { extension } = workbench();
    const files = readdirSync(extension, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(path.join(extension, name)).isFile())
      .map((name) => name.split(path.sep).join('/'))
      .filter((name) => !name.startsWith('media/') && !name.startsWith('dist/excerpts/'));
    const [digested, named] = [files.filter((name) => isDigested(name)), files.filter((name) => !isDigested(name))];
    assert.deepEqual(named.sort(), packaged);
    // All files of the last build are included, and none of an earlier one.
    const built = readdirSync(path.join(root, 'dist')).map((name) => `dist/${name}`);
    assert.deepEqual(digested.sort(), built.filter((name) => isDigested(name)).sort());
  });

  test('activates automatically, and finds the duplicates of the folder', async () => {
    await workbench().activity('Kindred').click();
    await workbench().treeRows('dates.ts, period.ts').first().waitFor();
    assert.match(workbench().extensionHostLog(), activated);
    assert.doesNotMatch(workbench().extensionHostLog(), /Activating extension kindred\.kindred failed/);
  });
});

suite('the package in a browser', () => {
  const workbench = suiteWorkbench({
    fixture: 'shop',
    settings: { 'remote.extensionKind': { 'kindred.kindred': ['web'] } },
  });

  test('activates in the page instead of the server, and finds the duplicates of the folder', async () => {
    await workbench().activity('Kindred').click();
    await workbench().treeRows('dates.ts, period.ts').first().waitFor();
    assert.doesNotMatch(workbench().extensionHostLog(), activated);
  });
});
