/**
 * Two clones of one commit, each built completely, result in the same packages, wherever and whenever they are built.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packClone } from '../../scripts/cleanPackages.mjs';
import { root } from '../../scripts/project.mjs';
import { differingFiles, digestOf, filesThatName } from '../release/packages.ts';
import { Snapshot } from '../release/snapshot.ts';

suite('packages', () => {
  let temporary: string;

  setup(() => {
    temporary = mkdtempSync(path.join(tmpdir(), 'kindred-reproducible-'));
  });
  teardown(() => rmSync(temporary, { recursive: true, force: true }));

  test('equal those of another clone, folder, time zone, and hour', function () {
    this.timeout(1_200_000);
    const snapshot = new Snapshot(path.join(temporary, 'project'));
    const packages = packClone(snapshot.folder, path.join(temporary, 'kindred'));
    const elsewhere = path.join(temporary, 'elsewhere', 'and deeper', 'kindred');
    mkdirSync(path.dirname(elsewhere), { recursive: true });
    const mask = process.umask(0o077);
    const others = packClone(snapshot.folder, elsewhere, { ...process.env, TZ: 'Asia/Kathmandu', LANG: 'C' });
    process.umask(mask);
    assert.deepEqual(differingFiles(packages.vsix, others.vsix), []);
    assert.equal(digestOf(packages.vsix), digestOf(others.vsix));
    assert.equal(digestOf(packages.npm), digestOf(others.npm));
    assert.equal(digestOf(packages.page), digestOf(others.page));
    assert.deepEqual(filesThatName(packages.vsix, [temporary, `${root}/`]), []);
  });
});
