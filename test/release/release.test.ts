/** `npm run release`: its packages and its checks. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser } from '../../scripts/browser.mjs';
import { addressesOf } from '../../scripts/manifest.mjs';
import { root, version } from '../../scripts/project.mjs';
import { releaseProblems } from '../../scripts/releaseProblems.mjs';
import { parsing } from '../passages.ts';
import { differingFiles, digestOf, filesThatName, textIn } from './packages.ts';
import { Snapshot } from './snapshot.ts';

suite('release', () => {
  let temporary: string;
  let snapshot: Snapshot;

  setup(() => {
    temporary = mkdtempSync(path.join(tmpdir(), 'kindred-release-'));
    snapshot = new Snapshot(path.join(temporary, 'project'));
  });
  teardown(() => rmSync(temporary, { recursive: true, force: true }));

  function release(...commandArguments: readonly string[]): { code: number | null; stdout: string; stderr: string } {
    const script = path.join(snapshot.folder, 'scripts/release.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...commandArguments], { encoding: 'utf8' });
    return { code: status, stdout, stderr };
  }

  function isRefused(sentence: RegExp, ...commandArguments: readonly string[]): void {
    const { code, stdout, stderr } = release(...commandArguments);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, sentence);
    assert.equal(stderr.trim().split('\n').length, 2, stderr);
  }

  test('builds the packages and the page of the last commit from a clean clone, and publishes nothing', async function () {
    // A complete build.
    this.timeout(1_700_000);
    const address = 'https://github.com/someone/kindred';
    const { code, stdout, stderr } = release('--repository', address, '--tag', `v${version}`);
    assert.equal(code, 0, stderr);
    const made = path.join(snapshot.folder, 'dist/release');
    const names = [`kindred-${version}.vsix`, `kindred-${version}.tgz`];
    const page = `kindred-try-${version}.html`;
    names.push(page);
    assert.deepEqual(readdirSync(made).sort(), ['SHA256SUMS', ...[...names].sort()]);
    const digests = names.map((name) => `${digestOf(path.join(made, name))}  ${name}\n`).join('');
    assert.equal(readFileSync(path.join(made, 'SHA256SUMS'), 'utf8'), digests);
    assert.ok(stdout.includes(digests));
    assert.match(stdout, /^git tag v[\d.]+ && git push origin v[\d.]+$/m);

    // The package of the working tree differs in the changelog, where the snapshot has a version, and in the address.
    const vsix = path.join(made, names[0]);
    assert.deepEqual(differingFiles(path.join(root, 'dist/kindred.vsix'), vsix).sort(), [
      'extension.vsixmanifest',
      'extension/changelog.md',
      'extension/package.json',
    ]);
    const archive = path.join(made, names[1]);
    const inNpm = execFileSync('tar', ['-xzOf', archive, 'package/package.json'], { encoding: 'utf8' });
    for (const manifest of [inNpm, textIn(vsix, 'extension/package.json')]) {
      const { repository, homepage, bugs } = JSON.parse(manifest) as Record<string, unknown>;
      assert.deepEqual({ repository, homepage, bugs }, addressesOf(address));
    }
    assert.match(
      textIn(vsix, 'extension.vsixmanifest'),
      /Links\.Source" Value="https:\/\/github\.com\/someone\/kindred/,
    );
    assert.deepEqual(filesThatName(vsix, [temporary, `${root}/`]), []);

    // As the workflow checks what it has downloaded.
    execFileSync('sha256sum', ['--check', '--strict', '--status', 'SHA256SUMS'], { cwd: made });
    await runsAlone(path.join(made, page));
  });

  /** Opens the page to try Kindred from an empty folder, and compares two texts. */
  async function runsAlone(file: string): Promise<void> {
    const folder = path.join(temporary, 'empty');
    mkdirSync(folder);
    const alone = path.join(folder, 'page.html');
    copyFileSync(file, alone);
    const { page, close } = await openBrowser({ width: 1400, height: 900 });
    try {
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(pathToFileURL(alone).href);
      for (const name of ['Text A', 'Text B']) await page.getByLabel(name).fill(parsing);
      await page.locator('.cards li', { hasText: 'Distance' }).locator('.share', { hasText: /^0$/ }).waitFor();
      assert.deepEqual(
        requests.filter((address) => !/^(?:file|blob|about):/.test(address)),
        [],
      );
    } finally {
      await close();
    }
  }

  test('rejects uncommitted changes', () => {
    snapshot.change('README.md', (text) => `${text}\n`);
    isRefused(/The working tree differs from the last commit \(README\.md\): commit these files/);
  });

  test('rejects a version that is not in the changelog', () => {
    snapshot.change('CHANGELOG.md', (text) => text.replace(`## ${version}`, '## 0.0.9'));
    snapshot.commit('2026-12-01T12:00:00Z');
    isRefused(/CHANGELOG\.md has 0\.0\.9 as its newest version, and package\.json has/);
  });

  test('rejects entries without a version', () => {
    snapshot.change('CHANGELOG.md', (text) =>
      text.replace('## Unreleased', '## Unreleased\n\n### Fixed\n\n- Something.'),
    );
    snapshot.commit('2026-12-01T12:00:00Z');
    isRefused(/CHANGELOG\.md has entries under Unreleased \(1\)/);
  });

  test('rejects a different version in the lock file, and in documents', () => {
    snapshot.change('package-lock.json', (text) => text.replace(`"version": "${version}"`, '"version": "0.0.9"'));
    snapshot.commit('2026-12-01T12:00:00Z');
    isRefused(/package-lock\.json has another version/);
    snapshot.git('reset', '-q', '--hard', 'HEAD~');
    snapshot.change('docs/formats.md', (text) => text.replace(`rev: v${version}`, 'rev: v0.0.9'));
    snapshot.commit('2026-12-01T12:00:00Z');
    isRefused(/docs\/formats\.md says "rev: v0\.0\.9": write/);
  });

  test('rejects a version that another commit already has', () => {
    snapshot.git('tag', `v${version}`);
    snapshot.change('README.md', (text) => `${text}\n`);
    snapshot.commit('2026-12-01T12:00:00Z');
    isRefused(/The tag v[\d.]+ is on another commit: raise the version/);
  });

  test('rejects a tag or a repository that differs from package.json', () => {
    const address = 'https://github.com/someone/kindred';
    assert.deepEqual(releaseProblems(snapshot.folder, { repository: address, tag: `v${version}` }), []);
    isRefused(/The tag is v9\.9\.9, and package\.json has the version [\d.]+: tag the commit as/, '--tag', 'v9.9.9');
    const repository = { type: 'git', url: `git+${address}.git` };
    snapshot.change('package.json', (text) =>
      text.replace('{\n', `{\n  "repository": ${JSON.stringify(repository)},\n`),
    );
    snapshot.commit('2026-12-01T12:00:00Z');
    isRefused(
      /package\.json has the repository git\+.*\/someone\/kindred\.git, and the release is published from .*\/other\//,
      '--repository',
      'https://github.com/other/kindred',
    );
    assert.deepEqual(releaseProblems(snapshot.folder, { repository: address, tag: `v${version}` }), []);
  });

  test('rejects missing packages, and packages that differ from the lock file', () => {
    unlinkSync(path.join(snapshot.folder, 'node_modules'));
    mkdirSync(path.join(snapshot.folder, 'node_modules/esbuild'), { recursive: true });
    const { code, stderr } = release();
    assert.equal(code, 1);
    assert.match(stderr, /run npm ci/);
  });
});
