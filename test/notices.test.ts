/** Whoever gets a bundle gets the notices of the packages in it: what dist/THIRD-PARTY-NOTICES.txt names, and who gets it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { listFiles, PackageManager } from '@vscode/vsce';
import { root } from '../scripts/project.mjs';

const name = 'dist/THIRD-PARTY-NOTICES.txt';

suite('third-party notices', () => {
  const notices = readFileSync(path.join(root, name), 'utf8');
  // The build has the packages from esbuild's metafiles; source maps tell them as well.
  const folders = bundledPackages();

  test('there are packages to be named', () => {
    const names = [...folders].map((folder) => path.basename(folder));
    for (const known of ['commander', 'cli-progress', 'jsonc-parser', 'xxhash-wasm']) assert.ok(names.includes(known));
  });

  for (const folder of [...folders, 'node_modules/assemblyscript']) {
    test(`have the licence of ${folder.slice('node_modules/'.length)}`, () => {
      const { name, version, installed } = packageIn(folder);
      assert.ok(notices.includes(`\n${name} ${version} (`), `${name} ${version} is not named`);
      const files = readdirSync(path.join(root, installed));
      const textOf = (file: string): string => readText(installed, file).replaceAll('\r\n', '\n').trim();
      const [licence] = files.filter((file) => /^licen[cs]e/i.test(file));
      // Some have it in their description, behind a heading.
      const text = licence
        ? textOf(licence)
        : textOf(files.find((file) => /^readme/i.test(file))!).split(/^#+ licen[cs]e$/im)[1];
      assert.match(text, /copyright/i);
      assert.ok(notices.includes(text.trim()), 'its licence is not there');
    });
  }

  test('are in the .vsix', async () => {
    assert.ok((await listFiles({ cwd: root, packageManager: PackageManager.None })).includes(name));
  });

  test('are in the npm package, beside the bundles that it needs', async () => {
    const files = await npmFiles();
    const chunks = readdirSync(path.join(root, 'dist')).filter((file) =>
      /^(?:chunk|kernel)-\w+\.(?:js|wasm)$/.test(file),
    );
    const needed = [
      'dist/cli.js',
      'dist/lsp.js',
      'dist/mcp.js',
      'dist/worker.js',
      'dist/page.html',
      'dist/scanThread.js',
      'dist/engine.js',
      'dist/engine.d.ts',
      ...chunks.map((file) => `dist/${file}`),
      name,
    ];
    assert.deepEqual(
      needed.filter((file) => !files.includes(file)),
      [],
    );
    assert.deepEqual(
      files.filter((file) => /^(?:src|test|bench|scripts|dist\/test)\//.test(file)),
      [],
    );
  });
});

/** The folders below the project of packages whose files a source map of dist names. */
function bundledPackages(): Set<string> {
  const maps = readdirSync(path.join(root, 'dist')).filter((file) => file.endsWith('.js.map'));
  const sources = maps.flatMap((file) => (JSON.parse(readText('dist', file)) as { sources: string[] }).sources);
  return new Set(
    // A part of the MCP SDK that is no package of its own, under the licence of the SDK.
    sources
      .filter((source) => !source.includes('@modelcontextprotocol/core-internal/'))
      .flatMap((source) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(source) ?? []),
  );
}

/** A package by its folder; one that another package has bundled, by the path that this had for it. */
function packageIn(folder: string): { readonly name: string; readonly version: string; readonly installed: string } {
  const [, version, name] = /\.pnpm\/[^/]*?@(\d[^/_]*)[^/]*\/node_modules\/(.+)$/.exec(folder) ?? [];
  if (version !== undefined) return { name, version, installed: `node_modules/${name}` };
  const own = JSON.parse(readText(folder, 'package.json')) as { name: string; version: string };
  return { name: own.name, version: own.version, installed: folder };
}

function readText(folder: string, file: string): string {
  return readFileSync(path.join(root, folder, file), 'utf8');
}

/** What `npm pack` would put into the package. */
async function npmFiles(): Promise<string[]> {
  const script = process.env['npm_execpath'];
  const [program, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  const options = { cwd: root, shell: program === 'npm' && process.platform === 'win32' };
  const { stdout } = await promisify(execFile)(
    program,
    [...first, 'pack', '--dry-run', '--json', '--silent', '--ignore-scripts'],
    options,
  );
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return files.map((file) => file.path);
}
