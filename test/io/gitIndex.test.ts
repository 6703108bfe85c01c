/** Index files of Git, compared with the output of Git itself. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readGitIndex } from '../../src/scan/io/gitIndex.ts';
import { stampOf } from '../../src/scan/io/readSource.ts';
import type { FileStamp } from '../../src/scan/io/sources.ts';
import { makeFolder, removeFolder } from './temporaryFolder.ts';

const files = {
  'a.ts': 'a\n',
  'a/b.ts': 'b\n',
  'a/bc.ts': 'bc\n',
  'a/ünï.ts': 'ü\n',
  'later.ts': 'l\n',
  'z.ts': 'z\n',
};

suite('the index of Git', () => {
  let folder = '';

  setup(async () => {
    folder = makeFolder(files);
    // Files that are as new as the index may have changed since.
    await setTimeout(50);
  });

  teardown(() => removeFolder(folder));

  function git(...gitArguments: readonly string[]): string {
    return execFileSync('git', ['-C', folder, '-c', 'core.quotePath=false', ...gitArguments], { encoding: 'utf8' });
  }

  function stampIn(name: string): FileStamp {
    const stamp = stampOf({ file: path.join(folder, name), path: name });
    assert.ok(stamp);
    return stamp;
  }

  function objectsNow(): Record<string, string | undefined> {
    const index = readGitIndex(folder);
    assert.ok(index);
    return Object.fromEntries(Object.keys(files).map((name) => [name, index.objectOf(name, stampIn(name))]));
  }

  function objectsByGit(): Record<string, string | undefined> {
    const lines = git('ls-files', '--stage').split('\n').slice(0, -1);
    const ids = new Map(lines.map((line) => [line.split('\t')[1], line.split(' ')[1]]));
    return Object.fromEntries(Object.keys(files).map((name) => [name, ids.get(name)]));
  }

  for (const format of ['sha1', 'sha256']) {
    for (const version of ['2', '4']) {
      test(`has the ids of files, version ${version}, ${format}`, () => {
        git('init', '-q', `--object-format=${format}`);
        git('add', '--all');
        git('update-index', '--index-version', version);
        assert.deepEqual(objectsNow(), objectsByGit());
        assert.equal(objectsNow()['z.ts']?.length, format === 'sha1' ? 40 : 64);
        writeFileSync(path.join(folder, 'a/b.ts'), 'c\n');
        assert.deepEqual(objectsNow(), { ...objectsByGit(), 'a/b.ts': undefined });
      });
    }
  }

  test('has no ids of files that Git skips or shall add later', () => {
    git('init', '-q');
    git('add', 'a.ts', 'a', 'z.ts');
    git('add', '--intent-to-add', 'later.ts');
    git('update-index', '--skip-worktree', 'a.ts');
    git('update-index', '--assume-unchanged', 'z.ts');
    assert.deepEqual(objectsNow(), {
      ...objectsByGit(),
      'a.ts': undefined,
      'later.ts': undefined,
      'z.ts': undefined,
    });
  });

  test('has no id for the stamp of an older content', () => {
    git('init', '-q');
    git('add', '--all');
    const stamp = stampIn('z.ts');
    writeFileSync(path.join(folder, 'z.ts'), 'y\n');
    git('add', 'z.ts');
    assert.equal(readGitIndex(folder)?.objectOf('z.ts', stamp), undefined);
  });

  test('is not read if it is damaged or missing', () => {
    assert.equal(readGitIndex(folder), undefined);
    git('init', '-q');
    git('add', '--all');
    const file = path.join(folder, '.git/index');
    const bytes = readFileSync(file);
    for (const length of [0, 3, 11, 40, 90]) {
      writeFileSync(file, bytes.subarray(0, length));
      assert.equal(readGitIndex(folder), undefined, `${length} bytes`);
    }
  });
});
