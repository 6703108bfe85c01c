/** `kindred check`, `kindred baseline`, and `kindred ignored`, in real repositories. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Log } from 'sarif';
import { randomNumbers } from '../../bench/randomNumbers.mjs';
import { parseBaseline } from '../../src/review/gate/baseline.ts';
import type { JudgedGroup } from '../../src/review/gate/judgeGroups.ts';
import { formatNames } from '../../src/surfaces/cli/formats/destinations.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, harbour, parsing } from '../passages.ts';
import { dataIn } from './formats/pageData.ts';
import { type JsonReport, kindred, outcomeOf, type Outcome, start, whenReadingBegins } from './kindred.ts';

const pair = { 'src/a.ts': parsing, 'src/b.ts': `const other = 1;\n\n${drawing}${parsing}` };
const third = `let third;\n${parsing}`;

interface CheckReport extends JsonReport {
  readonly groups: readonly JudgedGroup[];
  readonly check: {
    readonly holds: boolean;
    readonly message: string;
    readonly newGroups: number;
    readonly limits: readonly { readonly option: string; readonly actual: number }[];
    readonly ignoredGroups: number;
    readonly diverged: readonly { readonly edited: readonly { readonly diff: readonly string[] }[] }[];
    readonly unread: readonly string[];
  };
}

suite('the gate', () => {
  let folder = '';
  setup(() => {
    folder = makeFolder(pair);
    git('init', '-q', '-b', 'main');
    commit('base');
  });
  teardown(() => removeFolder(folder));

  function git(...gitArguments: readonly string[]): string {
    const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', ['-C', folder, ...who, ...gitArguments], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  function commit(message: string): void {
    git('add', '--all');
    git('commit', '-q', '-m', message);
  }

  function put(name: string, text: string): void {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }

  function call(commandArguments: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = folder): Promise<Outcome> {
    return kindred(commandArguments, { cwd, env: { GITHUB_BASE_REF: '', CI_MERGE_REQUEST_DIFF_BASE_SHA: '', ...env } });
  }

  /** Returns the places of new copies of passages, and the report. */
  async function check(
    commandArguments: readonly string[],
    code: 0 | 1,
    cwd = folder,
  ): Promise<CheckReport & { fresh: string[] }> {
    const outcome = await call(['check', ...commandArguments, '--format', 'json'], {}, cwd);
    assert.equal(outcome.code, code, outcome.stderr + outcome.stdout.slice(-800));
    const report = JSON.parse(outcome.stdout) as CheckReport;
    assert.equal(report.check.holds, code === 0);
    const fresh = report.groups
      .filter(({ kind }) => kind !== 'file')
      .flatMap(({ passages }) => passages.filter(({ isNew }) => isNew))
      .map(({ path: name, startLine, endLine }) => `${name}:${startLine}-${endLine}`);
    return { ...report, fresh: [...new Set(fresh)].sort() };
  }

  async function refused(
    commandArguments: readonly string[],
    sentence: RegExp,
    env: NodeJS.ProcessEnv = {},
  ): Promise<void> {
    const { code, stdout, stderr } = await call(commandArguments, env);
    assert.equal(code, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, sentence);
    assert.equal(stderr.trim().split('\n').length, 1);
  }

  suite('--since', () => {
    test('passes without changes, and says so', async () => {
      const { code, stdout } = await call(['check', '--since', 'main']);
      assert.equal(code, 0);
      assert.match(stdout, /with main \([0-9a-f]{10}\)\.\nPassed: 0 groups with new copies/);
    });

    test('finds a third copy that is untracked, staged, or committed, and the verdict names the limit', async () => {
      put('src/c.ts', third);
      assert.deepEqual((await check(['--since', 'main'], 1)).fresh, ['src/c.ts:2-16']);
      git('add', '--all');
      assert.deepEqual((await check(['--since', 'main'], 1)).fresh, ['src/c.ts:2-16']);
      git('checkout', '-q', '-b', 'topic');
      commit('third');
      const { check: result, fresh } = await check(['--since', 'main'], 1);
      assert.deepEqual(fresh, ['src/c.ts:2-16']);
      assert.equal(result.message, 'Failed: 1 group with new copies, at most 0 allowed (--max-new).');
      assert.equal((await check(['--since', 'main', '--max-new', '1'], 0)).check.newGroups, 1);
      const { stdout } = await call(['check', '--since=main']);
      assert.match(stdout, /^New copies: 1 group\n\n1\. .*\n {3}src\/c\.ts \(new\)\n/);
    });

    test('compares with the merge base, so that later additions of the other branch are not missing', async () => {
      git('checkout', '-q', '-b', 'topic');
      put('src/d.ts', 'let d;\n');
      commit('topic');
      git('checkout', '-q', 'main');
      put('src/c.ts', third);
      commit('on main');
      git('checkout', '-q', 'topic');
      assert.deepEqual((await check(['--since', 'main'], 0)).fresh, []);
    });

    test('finds nothing new in a move, a rename, an indentation, and inserted lines above', async () => {
      renameSync(path.join(folder, 'src/a.ts'), path.join(folder, 'src/z.ts'));
      put('src/b.ts', `// one\n// two\n${pair['src/b.ts'].replaceAll(/^/gm, '  ')}`);
      await check(['--since', 'main'], 0);
      put('src/b.ts', drawing);
      put('lib/moved.ts', `// moved\n${parsing}`);
      await check(['--since', 'main'], 0);
    });

    test('without a value uses the branch that the pipeline names', async () => {
      git('update-ref', 'refs/remotes/origin/main', 'HEAD');
      put('src/c.ts', third);
      assert.equal((await call(['check', '--since'], { GITHUB_BASE_REF: 'main' })).code, 1);
      const base = git('rev-parse', 'HEAD').trim();
      assert.equal((await call(['check', '--since'], { CI_MERGE_REQUEST_DIFF_BASE_SHA: base })).code, 1);
      await refused(['check', '--since'], /--since needs a ref here/);
    });

    test('follows files with spaces, quotes, and other scripts in their names', async () => {
      const names = ['src/a b.ts', 'src/ü "q" 中.ts', "src/it's.ts"];
      for (const [i, name] of names.entries()) put(name, `let n${i};\n${drawing.replace('90', String(i))}`);
      commit('names');
      for (const name of names) appendFileSync(path.join(folder, name), '// touched\n');
      await check(['--since', 'HEAD'], 0);
      put(names[1], `let n1;\n${parsing}`);
      const { fresh } = await check(['--since', 'HEAD'], 1);
      assert.equal(fresh.length, 1);
      assert.match(fresh[0], /^src\/ü "q" 中\.ts:/);
    });

    test('checks only the given folder of a repository, and finds a new copy in a single file', async () => {
      put('src/c.ts', third);
      put('docs/a.md', harbour);
      assert.deepEqual((await check(['src', '--since', 'main'], 1)).fresh, ['c.ts:2-16']);
      await check(['docs', '--since', 'main'], 0);
      assert.deepEqual((await check(['--since', 'main'], 1, path.join(folder, 'src'))).fresh, ['c.ts:2-16']);
    });

    test('finds the same with and without a cache, and again from the stored report', async () => {
      put('src/c.ts', third);
      const afresh = await check(['--since', 'main'], 1);
      for (let i = 0; i < 3; i++) {
        const cached = await check(['--since', 'main', '--cache', path.join(folder, '.git/kindred')], 1);
        assert.deepEqual(cached.groups, afresh.groups);
      }
    });

    test('counts tests and data only on request', async () => {
      put('test/c.test.ts', `let t;\n${drawing.replace('Turtle', 'Tortoise')}`);
      put('test/d.test.ts', `let u;\n\n${drawing.replace('Turtle', 'Tortoise')}`);
      git('rm', '-q', '--cached', 'src/b.ts');
      rmSync(path.join(folder, 'src/b.ts'));
      const { stdout, code } = await call(['check', '--since', 'main']);
      assert.equal(code, 0);
      assert.match(stdout, /New and not counted: \d+ in tests \(--count all counts them\)\./);
      await check(['--since', 'main', '--count', 'all'], 1);
      await refused(['check', '--since', 'main', '--count', 'test'], /no category "test"; did you mean tests\?/);
    });

    test('reports an edit of one copy, and fails on request', async () => {
      put('src/a.ts', parsing.replace('100', '200'));
      const { check: result } = await check(['--since', 'main'], 0);
      assert.deepEqual(result.diverged[0].edited[0].diff.slice(1), [
        '-    if (fields.size > 100) break;',
        '+    if (fields.size > 200) break;',
      ]);
      await check(['--since', 'main', '--fail-on-diverged'], 1);
      put('src/b.ts', drawing + parsing.replace("'connection'", "'upgrade'"));
      const { check: both } = await check(['--since', 'main', '--fail-on-diverged'], 0);
      assert.match(both.message, /; 0 groups of which only some copies were edited \(--fail-on-diverged\)\.$/);
    });

    test('reports an edited copy in every format', async () => {
      put('src/a.ts', parsing.replace('100', '200'));
      const as = async (format: string): Promise<string> =>
        (await call(['check', '--since', 'main', '--format', format])).stdout;
      const message = 'One of 2 places of exact copies of code was edited; not edited: src/b.ts:18-32';
      const annotation = `::warning file=src/a.ts,line=1,endLine=15,title=Edited in some copies only::${message}\n`;
      assert.ok((await as('github')).endsWith(annotation));
      const markdown = await as('markdown');
      assert.match(
        markdown,
        /### Edited in some copies only\n\n- `src\/a\.ts:1-15` — edited\n- `src\/b\.ts:18-32` — as before/,
      );
      assert.match(
        markdown,
        /```diff\n@@ .* @@\n- {4}if \(fields\.size > 100\) break;\n\+ {4}if \(fields\.size > 200\) break;\n```/,
      );
      const sarif = (JSON.parse(await as('sarif')) as Log).runs[0].results!.filter(
        ({ ruleId }) => ruleId === 'diverged-copy',
      );
      assert.equal(sarif.length, 1);
      assert.equal(sarif[0].message.text, `${message}.`);
      assert.equal(sarif[0].relatedLocations![0].physicalLocation!.artifactLocation!.uri, 'src/b.ts');
      for (const format of ['gitlab', 'rdjson', 'junit', 'html']) {
        const text = await as(format);
        if (format !== 'html') assert.ok(text.includes(message), `${format}: ${text}`);
      }
      await call(['check', '--since', 'main', '--format', 'html=page.html']);
      assert.deepEqual(
        dataIn(readFileSync(path.join(folder, 'page.html'), 'utf8')).edited?.map(({ place, message: messageText }) => [
          place,
          messageText,
        ]),
        [['src/a.ts:1-15', message]],
      );
      put(
        'src/a.ts',
        `// Another comment.\n${parsing.replace('if (fields.size > 100) break;', 'if (fields.size > 100)\n      break;')}`,
      );
      assert.deepEqual((await check(['--since', 'main'], 0)).check.diverged, []);
    });

    test('old copies never appear in annotations and comments, whatever the base', async () => {
      put('src/x.ts', `let x;\n${drawing}`);
      assert.equal((await call(['baseline', 'write'])).code, 0);
      commit('an old pair of drawings');
      put('src/c.ts', third);
      git('add', '--all');
      for (const base of ['--since=main', '--staged', '--baseline=.kindred-baseline.jsonc']) {
        const formats = 'github=-,markdown=comment.md,rdjson=diagnostics.json,junit=junit.xml,sarif=out.sarif';
        const { stdout } = await call(['check', base, '--format', formats]);
        assert.match(stdout, /^::error file=src\/c\.ts,[^\n]*\n$/, base);
        for (const name of ['comment.md', 'diagnostics.json', 'junit.xml']) {
          const text = readFileSync(path.join(folder, name), 'utf8');
          assert.ok(text.includes('src/c.ts') && !text.includes('src/x.ts'), `${base} ${name}`);
        }
        const { runs } = JSON.parse(readFileSync(path.join(folder, 'out.sarif'), 'utf8')) as Log;
        const old = runs[0].results!.filter(({ baselineState }) => baselineState === 'unchanged');
        assert.ok(old.some((result) => JSON.stringify(result).includes('src/x.ts')));
      }
    });

    test('names changed files that are not read, except baselines', async () => {
      put('picture.png', 'no picture');
      put('.kindred-baseline.jsonc', '{ "kindredBaseline": 1, "entries": [] }');
      assert.deepEqual((await check(['--since', 'main'], 0)).check.unread, ['picture.png']);
    });
  });

  suite('an incomplete comparison', () => {
    // Make the first opened source unreadable, even for root.
    const withUnreadable = (): NodeJS.ProcessEnv =>
      whenReadingBegins(
        path.join(folder, '.git'),
        `throw Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open' });`,
      );
    const lack = /1 file could not be read \(src\/[ab]\.ts\)/;

    test('does not pass, in any format', async () => {
      for (const format of formatNames) {
        const outcome = await call(['check', '--max-groups', '9', '--format', format], withUnreadable());
        assert.equal(outcome.code, 2, format);
        assert.match(outcome.stderr, /^kindred: the comparison is incomplete: .* --allow-incomplete\.\n$/);
        assert.match(outcome.stderr, lack);
        if (['text', 'json', 'markdown', 'sarif', 'github', 'junit'].includes(format)) {
          assert.match(outcome.stdout.replaceAll('\\', ''), lack, format);
        }
      }
    });

    test('does not pass if files do not fit into memory', async () => {
      const random = randomNumbers(1);
      const name = (): string => Math.floor(random() * 2 ** 31).toString(36);
      const statement = (): string => `let v${name()} = call${name()}(arg${name()});\n`;
      for (let file = 0; file < 40; file++) put(`large/${file}.ts`, Array.from({ length: 18_000 }, statement).join(''));
      const small = ['check', '--max-groups', '9', '--memory', '256mb', '--workers', '1'];
      const { code, stdout, stderr } = await call(small);
      assert.equal(code, 2, stderr);
      assert.match(stdout, /^Incomplete: \d+ files were not compared for lack of memory \(limit 256 MB\)\.$/m);
      assert.match(stderr, /^kindred: the comparison is incomplete: .* for lack of memory .* --allow-incomplete\.\n$/);
      assert.equal((await call([...small, '--allow-incomplete'])).code, 0);
    });

    test('passes with --allow-incomplete, but not if a limit is exceeded', async () => {
      const allowed = await call(['check', '--max-groups', '9', '--allow-incomplete'], withUnreadable());
      assert.equal(allowed.code, 0, allowed.stderr);
      assert.match(allowed.stdout, /Passed: .* 1 file could not be read/);
      assert.match(allowed.stderr, /^kindred: the comparison is incomplete: 1 file could not be read \(.*\)\.\n$/);
      put('src/c.ts', third);
      const broken = await call(['check', '--max-groups', '0'], withUnreadable());
      assert.equal(broken.code, 1, broken.stderr);
    });

    test('is the first line of the report of a scan', async () => {
      const { code, stdout } = await call(['scan'], withUnreadable());
      assert.equal(code, 0);
      assert.match(stdout, /^Incomplete: 1 file could not be read \(src\/[ab]\.ts\)\.\n\n/);
    });

    test('does not rewrite a baseline', async () => {
      assert.equal((await call(['baseline', 'write'])).code, 0);
      const written = readFileSync(path.join(folder, '.kindred-baseline.jsonc'), 'utf8');
      for (const action of ['update', 'prune']) {
        const { code, stderr } = await call(['baseline', action], withUnreadable());
        assert.equal(code, 2, stderr);
        assert.match(stderr, /^kindred: the comparison is incomplete: .*; raise --memory, or exclude the files\.\n$/);
        assert.equal(readFileSync(path.join(folder, '.kindred-baseline.jsonc'), 'utf8'), written);
      }
    });
  });

  suite('obstacles', () => {
    test('a missing ref, one that begins with a dash, no commit, no repository, and no git', async () => {
      await refused(['check', '--since', 'nowhere'], /there is no commit nowhere; fetch it/);
      await refused(['check', '--since=--output=x'], /there is no commit --output=x/);
      assert.equal(existsSync(path.join(folder, 'x')), false);
      const empty = makeFolder(pair);
      try {
        const outside = await call(
          ['check', '--since', 'main'],
          { GIT_CEILING_DIRECTORIES: path.dirname(empty) },
          empty,
        );
        assert.deepEqual([outside.code, /is not in a Git working tree/.test(outside.stderr)], [2, true]);
        execFileSync('git', ['-C', empty, 'init', '-q']);
        const unborn = await call(['check', '--staged'], {}, empty);
        assert.deepEqual([unborn.code, /no commit yet/.test(unborn.stderr)], [2, true]);
      } finally {
        removeFolder(empty);
      }
      await refused(['check', '--since', 'main'], /git is not available; install it/, { PATH: folder });
    });

    test('a shallow clone: the message contains the command', async () => {
      git('checkout', '-q', '-b', 'topic');
      put('src/d.ts', 'let d;\n');
      commit('two');
      git('checkout', '-q', 'main');
      put('src/e.ts', 'let e;\n');
      commit('three');
      const clone = makeFolder({});
      try {
        const from = `file://${folder}`;
        execFileSync('git', ['clone', '-q', '--depth', '1', '--no-single-branch', '--branch', 'topic', from, clone]);
        const { code, stderr } = await call(['check', '--since', 'origin/main'], {}, clone);
        assert.equal(code, 2);
        assert.match(stderr, /the clone is shallow .* git fetch --unshallow/);
        const missing = await call(['check', '--since', 'origin/other'], {}, clone);
        assert.match(missing.stderr, /no commit origin\/other; the clone is shallow: run git fetch --unshallow/);
      } finally {
        removeFolder(clone);
      }
    });

    for (const [state, change] of [
      ['missing', (file: string) => rmSync(file)],
      ['damaged', (file: string) => (chmodSync(file, 0o600), writeFileSync(file, 'x'))],
    ] as const) {
      test(`a ${state} object: the message contains the command`, async () => {
        await call(['baseline', 'write']);
        commit('with a baseline');
        for (const name of ['src/a.ts', '.kindred-baseline.jsonc']) {
          const object = git('rev-parse', `HEAD:${name}`).trim();
          const file = path.join(folder, '.git/objects', object.slice(0, 2), object.slice(2));
          const content = readFileSync(file);
          change(file);
          put('src/a.ts', `${name}\n`);
          await refused(
            ['check', '--since', 'HEAD'],
            /^kindred: git [a-z-]+ failed \(.+\); run git fsck, which names what/,
          );
          rmSync(file, { force: true });
          writeFileSync(file, content);
        }
      });
    }

    test('a git that fails without a message, or is not a program', async () => {
      const git = path.join(folder, 'git');
      writeFileSync(git, '#!/bin/sh\nkill -9 $$\n', { mode: 0o700 });
      await refused(['check', '--since', 'main'], /^kindred: git cannot read .*; git status in .* says more\.$/m, {
        PATH: folder,
      });
      chmodSync(git, 0o600);
      await refused(['check', '--since', 'main'], /^kindred: git cannot be started \(permission denied\); check/, {
        PATH: folder,
      });
    });

    test('a submodule: its changes are named, and a copy of its code is found', async () => {
      const library = makeFolder({ 'lib.ts': drawing.replace('Turtle', 'Crab') });
      try {
        const inLibrary = (...gitArguments: readonly string[]): unknown =>
          execFileSync('git', ['-C', library, '-c', 'user.name=n', '-c', 'user.email=n@e', ...gitArguments], {
            stdio: 'pipe',
          });
        inLibrary('init', '-q');
        inLibrary('add', '--all');
        inLibrary('commit', '-q', '-m', 'one');
        git('submodule', '--quiet', 'add', library, 'vendored');
        commit('submodule');
        await check(['--since', 'HEAD'], 0);
        writeFileSync(path.join(library, 'more.ts'), 'let more;\n');
        inLibrary('add', '--all');
        inLibrary('commit', '-q', '-m', 'two');
        git('submodule', '--quiet', 'update', '--remote');
        assert.deepEqual((await check(['--since', 'HEAD'], 0)).check.unread, ['vendored']);
      } finally {
        removeFolder(library);
      }
    });

    test('a worktree is supported like any other tree', async () => {
      const place = path.join(folder, '.git/other tree');
      git('worktree', 'add', '-q', '-b', 'topic', place);
      writeFileSync(path.join(place, 'src/c.ts'), third);
      assert.deepEqual((await check(['--since', 'main'], 1, place)).fresh, ['src/c.ts:2-16']);
      assert.deepEqual((await check(['--since', 'main'], 0)).fresh, []);
    });

    test('a read-only folder is checked and unchanged', async () => {
      put('src/c.ts', third);
      const before = readFileSync(path.join(folder, '.git/index'));
      const folders = ['', 'src', '.git'].map((name) => path.join(folder, name));
      for (const name of folders) chmodSync(name, 0o555);
      try {
        await check(['--since', 'main'], 1);
        assert.deepEqual(readFileSync(path.join(folder, '.git/index')), before);
      } finally {
        for (const name of folders) chmodSync(name, 0o755);
      }
    });

    test('a closed output stream does not change the verdict', async () => {
      put('src/c.ts', third);
      const child = start(['check', '--since', 'main', '--format', 'json'], { cwd: folder });
      child.stdout?.destroy();
      assert.equal((await outcomeOf(child)).code, 1);
    });

    test('an interrupt ends it with 130 and without a verdict', async () => {
      put('src/c.ts', third);
      const outside = makeFolder({});
      try {
        const env = whenReadingBegins(outside, `process.kill(process.pid, 'SIGINT');`);
        const { code, stdout } = await call(['check', '--since', 'main'], env);
        assert.equal(code, 130);
        assert.doesNotMatch(stdout, /Passed|Failed/);
      } finally {
        removeFolder(outside);
      }
    });

    test('rejects a call that checks nothing, or two things', async () => {
      await refused(['check'], /specify what to check/);
      await refused(['check', '--since', 'main', '--staged'], /exclude each other/);
      await refused(['check', '--max-new', '1'], /--max-new needs something to compare with/);
      await refused(['check', '--max-percent', '101'], /from 0 to 100/);
      await refused(['check', '--fail-on-stale', '--max-groups', '1'], /--fail-on-stale needs --baseline/);
    });
  });

  suite('--staged', () => {
    test('checks the staged files, not those in the folder', async () => {
      put('src/c.ts', third);
      await check(['--staged'], 0);
      git('add', '--all');
      put('src/c.ts', 'let c;\n');
      // As text. The lines of the report are those that are staged, not those on disk.
      const { code, stdout } = await call(['check', '--staged']);
      assert.equal(code, 1);
      assert.match(stdout, /src\/c\.ts \(new\)/);
      git('reset', '-q');
      put('src/c.ts', 'let c;\n');
      git('add', '--all');
      put('src/c.ts', third);
      await check(['--staged'], 0);
    });

    test('includes a staged file that was removed from the folder', async () => {
      put('src/c.ts', third);
      git('add', '--all');
      rmSync(path.join(folder, 'src/c.ts'));
      const { code, stdout } = await call(['check', '--staged']);
      assert.equal(code, 1);
      assert.match(stdout, /src\/c\.ts \(new\)/);
    });
  });

  suite('limits', () => {
    test('apply to groups, lines, and files', async () => {
      await check(['--max-groups', '1'], 0);
      const { check: result } = await check(['--max-groups', '0', '--max-percent', '10'], 1);
      assert.match(result.message, /^Failed: 1 group, at most 0 .*; [\d.]+% of the lines are duplicated, at most 10%/);
      const { stdout } = await call(['check', '--max-groups', '0']);
      assert.match(stdout, /^All groups: 1 group\n/);
      rmSync(path.join(folder, 'src'), { recursive: true });
      await check(['--fail-on-empty'], 1);
    });

    test('--output contains the report, standard output the verdict', async () => {
      const { code, stdout } = await call(['check', '--max-groups', '0', '--output', 'report.txt']);
      assert.equal(code, 1);
      assert.match(stdout, /^Compared 2 files .*\nFailed: .*\nReport written to report\.txt\.\n$/s);
      assert.match(readFileSync(path.join(folder, 'report.txt'), 'utf8'), /^All groups/);
    });
  });

  suite('a baseline', () => {
    const file = '.kindred-baseline.jsonc';
    const read = (): string => readFileSync(path.join(folder, file), 'utf8');
    const entries = (): string[] =>
      read()
        .split('\n')
        .filter((line) => line.includes('contents'));

    async function baseline(...commandArguments: readonly string[]): Promise<Outcome> {
      const outcome = await call(['baseline', ...commandArguments]);
      assert.equal(outcome.stderr, '');
      return outcome;
    }

    test('accepts its entries, detects additional copies, and is written reproducibly', async () => {
      assert.match((await baseline('write')).stdout, /2 entries/);
      const first = read();
      await refused(['baseline', 'write'], /there is a baseline \.kindred-baseline\.jsonc already/);
      await baseline('update');
      assert.equal(read(), first);
      await check(['--baseline', file], 0);
      put('src/b.ts', `// above\n${pair['src/b.ts'].replaceAll(/^/gm, '\t')}`);
      await check(['--baseline', file], 0);
      put('src/c.ts', third);
      assert.deepEqual((await check(['--baseline', file], 1)).fresh.length, 1);
    });

    test('update adds and removes, prune only removes, and explain lists; growth and stale entries fail on request', async () => {
      await baseline('write');
      put('src/c.ts', third);
      const before = read();
      const refusedUpdate = await baseline('update', '--fail-on-growth');
      assert.deepEqual([refusedUpdate.code, read()], [1, before]);
      await baseline('prune');
      assert.equal(entries().length, 2);
      await check(['--baseline', file], 1);
      assert.equal((await baseline('update')).code, 0);
      await check(['--baseline', file], 0);
      for (const name of ['b', 'c']) rmSync(path.join(folder, `src/${name}.ts`));
      assert.match((await check(['--baseline', file, '--fail-on-stale'], 1)).check.message, /stale entries/);
      const explained = await baseline('explain', '--fail-on-stale');
      assert.equal(explained.code, 1);
      assert.match(explained.stdout, /no longer there/);
      await baseline('prune');
      assert.deepEqual(entries(), []);
      assert.equal((await baseline('explain', '--fail-on-stale')).code, 0);
    });

    test('an entry with a reason ignores its group until that changes', async () => {
      await baseline('write');
      const reasoned = read().replaceAll(' },\n', ', "reason": "Two protocols." },\n');
      put(file, reasoned);
      const { check: result, groups } = await check(['--max-groups', '0', '--baseline', file], 0);
      assert.equal(result.ignoredGroups, groups.length);
      assert.deepEqual(groups[0].ignored, { by: 'baseline', reason: 'Two protocols.' });
      assert.match(
        (await call(['ignored'])).stdout,
        /Two protocols\..*\n0 comments and 2 entries with a reason, 0 no longer/s,
      );
      put('src/c.ts', third);
      assert.equal((await check(['--max-groups', '0', '--baseline', file], 1)).check.ignoredGroups, 0);
      assert.equal((await call(['ignored', '--fail-on-stale'])).code, 1);
    });

    test('kindred ignored lists pairs separately, and reports entries that no longer apply', async () => {
      await baseline('write');
      // As the editor ignores two copies of a group with more.
      put(file, read().replaceAll(' },\n', ', "pair": true, "reason": "Two protocols." },\n'));
      const { stdout } = await call(['ignored', '--fail-on-stale']);
      assert.match(stdout, /^baseline pair \w+: 2 copies, first src\/a\.ts:\d+-\d+: Two protocols\.$/m);
      assert.match(stdout, /\n0 comments and 2 entries with a reason, 0 no longer apply\.\n$/);
      const { entries: told } = JSON.parse((await call(['ignored', '--format', 'json'])).stdout) as {
        entries: { pair?: true; applies: boolean }[];
      };
      assert.deepEqual(
        told.map(({ pair: isPair, applies }) => [isPair, applies]),
        [
          [true, true],
          [true, true],
        ],
      );
      put('src/b.ts', drawing);
      const staleRun = await call(['ignored', '--fail-on-stale']);
      assert.equal(staleRun.code, 1);
      assert.match(
        staleRun.stdout,
        /^baseline pair \w+: 2 copies \(\w+, src\/a\.ts:\d+-\d+\), no longer there: Two protocols\.$/m,
      );
    });

    test('update and prune keep pairs that still apply', async () => {
      await baseline('write');
      const pairs = entries().map((line) => line.replace(/ \},$/, ', "pair": true, "reason": "Two protocols." },'));
      put(
        file,
        read()
          .replace(/^ {4}.*\n/gm, '')
          .replace('[\n', `[\n${pairs.join('\n')}\n`),
      );
      for (const action of ['prune', 'update']) {
        await baseline(action);
        assert.equal(entries().filter((line) => line.includes('"pair": true')).length, 2, action);
      }
      assert.equal(entries().length, 4);
      put('src/b.ts', drawing);
      await baseline('prune');
      assert.deepEqual(entries(), []);
    });

    test('notes where its copies were, and renews notes of moved files only', async () => {
      await baseline('write', 'src', '--baseline', 'known.jsonc');
      const notes = (): { at: string; name?: string; text?: string }[] => {
        const parsed = parseBaseline(readFileSync(path.join(folder, 'known.jsonc'), 'utf8'));
        assert.ok(!('problem' in parsed));
        return parsed.map(({ at, name, text }) => ({ at: at!, ...(name && { name }), ...(text && { text }) }));
      };
      const written = notes();
      assert.ok(written.some(({ at, name, text }) => /^src\/a\.ts:\d+-\d+$/.test(at) && name && text?.includes(name)));
      put('src/a.ts', `// above\n${pair['src/a.ts']}`);
      await baseline('update', 'src', '--baseline', 'known.jsonc');
      assert.deepEqual(notes(), written);
      rmSync(path.join(folder, 'src/a.ts'));
      put('src/moved.ts', pair['src/a.ts']);
      await baseline('update', 'src', '--baseline', 'known.jsonc');
      assert.ok(notes().every(({ at }) => at.startsWith('src/b.ts')));
      rmSync(path.join(folder, 'src/b.ts'));
      const { stdout } = await baseline('explain', 'src', '--baseline', 'known.jsonc');
      assert.match(stdout, /^\w+ \(\w+, src\/b\.ts:\d+-\d+\): no longer there$/m);
    });

    test('is rejected with the line of the damage, or if it is missing', async () => {
      await baseline('write');
      put(file, read().replace('": 2', '": two'));
      await refused(['check', '--baseline', file], /\.kindred-baseline\.jsonc:5 is not valid JSON/);
      await refused(['baseline', 'update'], /\.kindred-baseline\.jsonc:5 is not valid JSON/);
      await refused(
        ['check', '--baseline', 'other.jsonc'],
        /there is no baseline other\.jsonc; kindred baseline write/,
      );
    });

    test('with --since is read from the base, so that a change cannot accept itself', async () => {
      put('src/c.ts', third);
      await baseline('write');
      assert.deepEqual((await check(['--baseline', file], 0)).fresh, []);
      assert.deepEqual((await check(['--since', 'main', '--baseline', file], 1)).fresh, ['src/c.ts:2-16']);
      const oldBaseline = read();
      rmSync(path.join(folder, 'src/c.ts'));
      put(file, oldBaseline);
      commit('the baseline first');
      put('src/c.ts', third);
      await check(['--since', 'HEAD', '--baseline', file], 0);
      put(file, 'not read');
      await check(['--since', 'HEAD', '--baseline', file], 0);
    });

    test('leaves no partial file if the folder is read-only', async () => {
      chmodSync(folder, 0o555);
      try {
        const { code } = await call(['baseline', 'write']);
        // Root can write everywhere.
        assert.equal(code, process.getuid?.() === 0 ? 0 : 2);
      } finally {
        chmodSync(folder, 0o755);
      }
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.endsWith('.tmp')),
        [],
      );
    });
  });

  suite('ignore comments', () => {
    test('ignore copies with a reason, and are listed', async () => {
      put('src/c.ts', `let c;\n// kindred-ignore-next: kept for the old protocol\n${parsing}`);
      put('src/a.ts', `// jscpd:ignore-start\n${parsing}// jscpd:ignore-end\n`);
      put('src/d.ts', '// CPD-OFF nothing to see\nlet d;\n');
      const { groups, check: result } = await check(['--since', 'main'], 0);
      const passages = groups.filter(({ kind }) => kind !== 'file');
      assert.deepEqual(
        passages.map(({ ignored }) => ignored),
        [{ by: 'comment', reason: 'kept for the old protocol' }],
      );
      assert.ok(result.ignoredGroups >= 1);
      const { stdout, code } = await call(['ignored', '--fail-on-stale']);
      assert.equal(code, 1);
      assert.match(stdout, /src\/c\.ts:2: kindred-ignore-next \(lines 2-17\), \d passages?: kept for the old protocol/);
      assert.match(stdout, /src\/d\.ts:1: CPD-OFF \(lines 1-3\), no longer applies: nothing to see/);
      assert.match(stdout, /3 comments and 0 entries with a reason, 1 no longer apply/);
    });

    test('ignore a new copy, although its group has other copies that remain', async () => {
      const own = (name: string): string =>
        Array.from({ length: 15 }, (_, i) => `export const ${name}${i} = ${name}.at(${i * i}).${name}s(${i});\n`).join(
          '',
        );
      put('src/a.ts', `${own('lake')}${parsing}`);
      commit('another beginning');
      put('src/c.ts', `${own('city')}${parsing}`);
      assert.equal((await check(['--since', 'main'], 1)).check.newGroups, 1);
      put('src/c.ts', `${own('city')}// kindred-ignore-next: on purpose\n${parsing}`);
      const { groups, check: result } = await check(['--since', 'main'], 0);
      assert.equal(result.newGroups, 0);
      assert.ok(groups.some(({ passages }) => passages.length === 3));
    });

    test('count toward no limit, including the share of lines', async () => {
      put('src/c.ts', `let c;\n${drawing}`);
      put('src/d.ts', `let d;\nlet e;\n${drawing}`);
      put('src/a.ts', `// kindred-ignore-file\n${parsing}`);
      const { check: result, totals, groups } = await check(['--max-groups', '9', '--max-percent', '100'], 0);
      const percent = result.limits.find(({ option }) => option === 'max-percent')!.actual;
      const left = groups.filter(({ kind, ignored }) => kind !== 'file' && !ignored);
      assert.deepEqual(
        left.map(({ passages }) => passages.map(({ path: name }) => name)),
        [['src/b.ts', 'src/c.ts', 'src/d.ts']],
      );
      const lines = left[0].passages.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
      assert.equal(percent, Math.round((10_000 * lines) / totals.lines) / 100);
      assert.ok(totals.duplicatedPercent > percent);
    });
  });

  suite('ignored groups', () => {
    const file = '.kindred-baseline.jsonc';

    /** Ignores all current groups for everyone. */
    async function ignoreAll(): Promise<void> {
      await call(['baseline', 'write']);
      const text = readFileSync(path.join(folder, file), 'utf8');
      put(file, text.replaceAll(' },\n', ', "reason": "Two protocols.", "by": "Ann", "on": "2026-01-31" },\n'));
    }

    test('are left out of a scan as text, and of formats that list problems', async () => {
      const before = await call(['scan']);
      assert.match(before.stdout, /src\/a\.ts/);
      await ignoreAll();
      const { stdout, code } = await call(['scan']);
      assert.equal(code, 0);
      assert.match(stdout, /^No near-duplicates in 2 files/);
      assert.match(stdout, /Ignored: 2 groups \(kindred ignored lists them; --show-ignored shows them\)\./);
      assert.doesNotMatch(stdout, /src\/a\.ts/);
      const rowsOf = (text: string): string => text.slice(0, text.indexOf(' in 2 files'));
      assert.equal(rowsOf((await call(['scan', '--show-ignored'])).stdout), rowsOf(before.stdout));
      assert.equal((await call(['scan', '--format', 'gitlab'])).stdout, '[]\n');
      assert.match((await call(['scan', '--format', 'markdown'])).stdout, /no near-duplicates[^]*2 groups ignored\./);
      const sarif = JSON.parse((await call(['scan', '--format', 'sarif'])).stdout) as Log;
      assert.deepEqual(
        sarif.runs[0].results!.map(({ suppressions }) => suppressions),
        [[{ kind: 'external', status: 'accepted', justification: 'Two protocols.' }]],
      );
    });

    test('are marked in the JSON report', async () => {
      await ignoreAll();
      const { groups, totals } = JSON.parse((await call(['scan', '--format', 'json'])).stdout) as CheckReport;
      assert.deepEqual(
        groups.map(({ ignored }) => ignored),
        groups.map(() => ({ by: 'baseline', reason: 'Two protocols.' })),
      );
      assert.ok(totals.duplicatedLines > 0);
    });

    test('are reported again with another copy, unless a comment ignores the copy', async () => {
      await ignoreAll();
      put('src/c.ts', `// kindred-ignore-file: mine\n${third}`);
      const { stdout } = await call(['scan']);
      assert.match(stdout, /^Source: \d duplicates?, [^]*src\/a\.ts[^]*src\/b\.ts/);
      assert.doesNotMatch(stdout, /src\/c\.ts/);
    });

    test('apply to a check without --baseline, and do not make other groups known', async () => {
      await ignoreAll();
      await check(['--max-groups', '0'], 0);
      put('src/c.ts', third);
      put('src/d.ts', `let d;\n${drawing.replaceAll('steps', 'paces')}`);
      assert.equal((await check(['--max-groups', '0'], 1)).groups.filter(({ isNew }) => isNew).length, 0);
    });

    test('apply to a branch according to the baseline of the base', async () => {
      put('src/c.ts', third);
      await ignoreAll();
      await check(['--since', 'main'], 1);
      await check(['--max-groups', '0'], 0);
    });

    test('keep their user and time through updates', async () => {
      await ignoreAll();
      const before = readFileSync(path.join(folder, file), 'utf8');
      await call(['baseline', 'update']);
      assert.equal(readFileSync(path.join(folder, file), 'utf8'), before);
      await call(['baseline', 'prune']);
      assert.equal(readFileSync(path.join(folder, file), 'utf8'), before);
    });

    test('in a damaged file are an error that names the file', async () => {
      put(file, '{');
      await refused(['scan'], /\.kindred-baseline\.jsonc:1 /);
      await refused(['check', '--max-groups', '0'], /\.kindred-baseline\.jsonc:1 /);
      assert.equal((await call(['scan', '--show-ignored'])).code, 0);
    });
  });
});
