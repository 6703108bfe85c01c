/** `kindred check` and `kindred history` run no program that a repository configures, in any of the possible ways. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, harbour, parsing } from '../passages.ts';
import { kindred, type Outcome } from './kindred.ts';

const clones = '-c protocol.file.allow=always -c user.name=n -c user.email=n@example.com'.split(' ');

suite('a check of a repository that configures programs', () => {
  let folder = '';
  let outside = '';
  setup(() => {
    outside = makeFolder({});
    folder = makeFolder({
      'src/a.ts': parsing,
      'src/b.ts': `const other = 1;\n\n${parsing}`,
      'src/c.py': 'x = 1\n',
      'src/e.ts': 'let e;\n',
      'src/d.md': 'One sentence.\n',
    });
    git(folder, 'init', '-q', '-b', 'main');
    commit(folder);
  });
  teardown(() => {
    removeFolder(folder);
    removeFolder(outside);
  });

  function git(where: string, ...gitArguments: readonly string[]): string {
    return execFileSync('git', ['-C', where, ...clones, ...gitArguments], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 300_000,
    });
  }

  /** Runs git like a user who disabled nothing. It may fail, because the programs print nothing. */
  function gitAnyway(where: string, ...gitArguments: readonly string[]): void {
    try {
      git(where, ...gitArguments);
    } catch {
      // The programs ran.
    }
  }

  function commit(where: string): void {
    git(where, 'add', '--all');
    git(where, 'commit', '-q', '-m', 'one');
  }

  /** Returns a program that creates a file with its name. */
  function program(name: string): string {
    const file = path.join(outside, `${name}.sh`);
    writeFileSync(file, `#!/bin/sh\ntouch '${path.join(outside, `${name}.ran`)}'\n`);
    chmodSync(file, 0o755);
    return file;
  }

  function ran(): string[] {
    return readdirSync(outside)
      .filter((name) => name.endsWith('.ran'))
      .map((name) => name.replace('.ran', ''))
      .sort();
  }

  function forget(): void {
    for (const name of ran()) rmSync(path.join(outside, `${name}.ran`));
  }

  function check(...commandArguments: readonly string[]): Promise<Outcome> {
    return kindred(['check', '--format', 'json', ...commandArguments], { cwd: folder });
  }

  const bothWays = [['--since', 'HEAD'], ['--staged']] as const;

  /** Changes files, the last one only in its time, so that git has to read their contents. */
  function touchAll(): void {
    utimesSync(path.join(folder, 'src/e.ts'), 1e9, 1e9);
    for (const name of ['a.ts', 'b.ts', 'c.py', 'd.md']) appendFileSync(path.join(folder, 'src', name), '\n');
  }

  test('runs no filter, differ, converter, hook, monitor, or pager', async () => {
    touchAll();
    writeFileSync(
      path.join(folder, '.git/info/attributes'),
      [
        '*.ts filter=clean diff=external',
        '*.py filter=process diff=converted',
        '*.md filter=with.dots diff=converted',
        'e.* filter=',
      ].join('\n'),
    );
    const settings = {
      'filter.clean.clean': program('clean'),
      'filter.clean.smudge': program('smudge'),
      'filter.clean.required': 'true',
      'filter.process.process': program('process'),
      'filter.with.dots.clean': program('dots'),
      'filter..clean': program('nameless'),
      'core.fsmonitor': program('monitor'),
      'core.hooksPath': outside,
      'core.pager': program('pager'),
      'pager.diff': program('pager'),
      'diff.external': program('external'),
      'diff.external.command': program('command'),
      'diff.converted.textconv': program('textconv'),
      'gpg.program': program('gpg'),
      'log.showSignature': 'true',
    };
    for (const [name, value] of Object.entries(settings)) git(folder, 'config', name, value);
    const hook = path.join(outside, 'post-index-change');
    writeFileSync(hook, `#!/bin/sh\n${program('hook')}\n`);
    chmodSync(hook, 0o755);
    forget();
    for (const checkArguments of bothWays) {
      const { code, stderr } = await check(...checkArguments);
      assert.deepEqual([code, ran()], [0, []], `${checkArguments.join(' ')}: ${stderr}`);
    }
    // Without protection, git would run them.
    gitAnyway(folder, 'status');
    gitAnyway(folder, 'diff');
    const furtherOn = ['-c', 'filter.clean.required=false', '-c', 'filter.process.process='];
    gitAnyway(folder, ...furtherOn, 'status');
    gitAnyway(folder, ...furtherOn, 'diff');
    gitAnyway(folder, ...furtherOn, 'diff', '--no-ext-diff');
    const programs = ['clean', 'command', 'dots', 'external', 'hook', 'monitor', 'nameless', 'process', 'textconv'];
    assert.deepEqual(
      ran().filter((name) => name !== 'smudge'),
      programs,
    );
  });

  test('runs no differ or converter when it looks back at commits', async () => {
    const copy = path.join(folder, 'src/b.ts');
    writeFileSync(copy, readFileSync(copy, 'utf8').replace(' < 0)', ' < 1)'));
    commit(folder);
    writeFileSync(path.join(folder, '.git/info/attributes'), 'a.ts diff=converted\nb.ts diff=external');
    git(folder, 'config', 'diff.external', program('external'));
    git(folder, 'config', 'diff.external.command', program('command'));
    git(folder, 'config', 'diff.converted.textconv', program('textconv'));
    forget();
    const { code, stdout, stderr } = await kindred(['history', '--missed-fixes', '--all-commits'], { cwd: folder });
    assert.deepEqual([code, ran()], [0, []], stderr);
    assert.match(stdout, /\n1 edit that other copies lack, in 1 commit/);
    // Without protection, git would run them.
    gitAnyway(folder, 'log', '--patch', '--ext-diff');
    assert.deepEqual(ran(), ['command', 'external']);
  });

  test('runs no program of a submodule', async () => {
    const library = makeFolder({ 'lib.ts': drawing });
    try {
      git(library, 'init', '-q');
      commit(library);
      git(folder, 'submodule', '--quiet', 'add', library, 'vendored');
      commit(folder);
      const inside = path.join(folder, 'vendored');
      git(inside, 'config', 'core.fsmonitor', program('monitor'));
      git(inside, 'config', 'filter.clean.clean', program('clean'));
      writeFileSync(path.join(folder, '.git/modules/vendored/info/attributes'), '* filter=clean');
      git(folder, 'config', 'diff.submodule', 'diff');
      appendFileSync(path.join(inside, 'lib.ts'), '\n');
      forget();
      for (const checkArguments of bothWays) {
        const { code, stderr } = await check(...checkArguments);
        assert.deepEqual([code, ran()], [0, []], `${checkArguments.join(' ')}: ${stderr}`);
      }
      git(folder, 'diff');
      assert.deepEqual(ran(), ['clean', 'monitor']);
    } finally {
      removeFolder(library);
    }
  });

  test('does not fetch objects that a partial clone lacks, and reports that they are missing', async () => {
    const clone = path.join(outside, 'clone');
    writeFileSync(path.join(folder, 'src/a.ts'), harbour);
    commit(folder);
    git(folder, 'config', 'uploadpack.allowFilter', 'true');
    git(outside, 'clone', '-q', '--filter=blob:none', `file://${folder}`, clone);
    git(clone, 'config', 'core.sshCommand', program('ssh'));
    for (const url of ['ssh://nowhere.invalid/x', `ext::${program('ext')}`]) {
      git(clone, 'remote', 'set-url', 'origin', url);
      git(clone, 'config', 'protocol.ext.allow', 'always');
      const { code, stderr } = await kindred(['check', '--since', 'HEAD~1'], { cwd: clone });
      assert.deepEqual([code === 0, ran()], [false, []]);
      assert.match(stderr, /the clone is partial and lacks objects/);
      gitAnyway(clone, 'diff', 'HEAD~1');
      assert.deepEqual(ran(), [url.startsWith('ssh') ? 'ssh' : 'ext']);
      forget();
    }
  });

  test('rejects a filter that it cannot disable', async () => {
    writeFileSync(path.join(folder, '.git/info/attributes'), '*.ts filter=a=b');
    git(folder, 'config', 'filter.a=b.clean', program('clean'));
    touchAll();
    forget();
    for (const checkArguments of bothWays) {
      const { code, stderr } = await check(...checkArguments);
      assert.deepEqual([code, ran()], [2, []]);
      assert.match(stderr, /^kindred: the configuration of git has the filter "a=b"/);
    }
  });
});
