/** Indexes of worktrees: a new one begins with that of another worktree, and the findings are its own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beginCache } from '../../src/surfaces/cli/cache.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, parsing, parsingRenamed } from '../passages.ts';
import { kindred } from './kindred.ts';

suite('indexes of worktrees', () => {
  let base = '';
  let main = '';
  let cache = '';

  setup(() => {
    base = realpathSync(
      makeFolder({
        'main/src/a.ts': parsing,
        'main/src/b.ts': `const one = 1;\n${parsingRenamed}`,
        'main/src/c.ts': drawing,
      }),
    );
    main = path.join(base, 'main');
    cache = path.join(base, 'cache');
    git(main, 'init', '-q');
    git(main, 'add', '--all');
    git(main, 'commit', '-q', '-m', 'one');
  });

  teardown(() => removeFolder(base));

  function git(where: string, ...gitArguments: readonly string[]): void {
    const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
    execFileSync('git', ['-C', where, ...who, ...gitArguments], { stdio: 'ignore' });
  }

  function addWorktree(name: string): string {
    const folder = path.join(base, name);
    git(main, 'worktree', 'add', folder, '--detach');
    return folder;
  }

  async function groupsIn(folder: string, ...commandArguments: readonly string[]): Promise<unknown> {
    const { code, stdout } = await kindred(['scan', '--format', 'json', ...commandArguments], { cwd: folder });
    assert.equal(code, 0);
    return (JSON.parse(stdout) as { groups: unknown }).groups;
  }

  /** Returns the place of the index of a folder, as a scan begins it. */
  function placeOf(folder: string): string {
    const begun = beginCache(cache, [folder]);
    assert.ok('place' in begun);
    return begun.place;
  }

  /** Returns digests of the files of an index by extension. */
  function indexAt(place: string): Record<string, string> {
    const start = `${path.basename(place)}.`;
    const names = readdirSync(path.dirname(place)).filter((name) => name.startsWith(start));
    return Object.fromEntries(
      names.map((name) => [name.slice(start.length), digestOf(readFileSync(path.join(path.dirname(place), name)))]),
    );
  }

  /** Leaves out the files with stamps, which are those of the worktree. */
  function withoutStamps({ documents, comments, ...others }: Record<string, string>): Record<string, string> {
    assert.ok(documents !== undefined && comments !== undefined);
    return others;
  }

  function digestOf(bytes: Buffer): string {
    return createHash('sha256').update(bytes).digest('hex');
  }

  test('a new worktree begins with the index of another one, and keeps its own afterwards', async () => {
    await groupsIn(main, '--cache', cache);
    const before = indexAt(placeOf(main));
    assert.ok('documents' in before && 'matches' in before && 'findings' in before, Object.keys(before).join());
    const second = addWorktree('second');
    assert.deepEqual(withoutStamps(indexAt(placeOf(second))), withoutStamps(before));
    // Two changed files and one removed file.
    writeFileSync(path.join(second, 'src/c.ts'), parsing);
    writeFileSync(path.join(second, 'src/d.ts'), drawing);
    rmSync(path.join(second, 'src/b.ts'));
    const afresh = await groupsIn(second);
    assert.deepEqual(await groupsIn(second, '--cache', cache), afresh);
    assert.notDeepEqual(indexAt(placeOf(second)), before);
    // The other index is as it was, and that of the worktree is not replaced.
    assert.deepEqual(indexAt(placeOf(main)), before);
    assert.deepEqual(await groupsIn(second, '--cache', cache), afresh);
  });

  test('files that are the same object of Git in both worktrees are not read', async () => {
    // Stamps of files that were just written are not relied on.
    await setTimeout(100);
    const found = await groupsIn(main, '--cache', cache);
    const second = addWorktree('second');
    await setTimeout(100);
    const adopted = indexAt(placeOf(second));
    assert.deepEqual(await groupsIn(second, '--cache', cache), found);
    // If a file had been read, its new stamp would have been stored.
    assert.deepEqual(indexAt(placeOf(second)), adopted);
  });

  test('a file that was changed without a change of its size is read', async () => {
    await setTimeout(100);
    await groupsIn(main, '--cache', cache);
    const third = addWorktree('third');
    const own = path.join(third, 'src/b.ts');
    writeFileSync(own, readFileSync(own, 'utf8').replaceAll(/[a-z]/g, 'x'));
    await setTimeout(100);
    assert.deepEqual(await groupsIn(third, '--cache', cache), await groupsIn(third));
    assert.deepEqual(await groupsIn(third), []);
  });

  test('begins with the most recent index, and maps folders inside worktrees', async () => {
    const [second, third] = [addWorktree('second'), addWorktree('third')];
    await groupsIn(path.join(main, 'src'), '--cache', cache);
    rmSync(path.join(second, 'src/b.ts'));
    await groupsIn(path.join(second, 'src'), '--cache', cache);
    const [ofMain, ofSecond] = [main, second].map((top) => placeOf(path.join(top, 'src')));
    assert.notDeepEqual(indexAt(ofMain), indexAt(ofSecond));
    const past = new Date(Date.now() - 60_000);
    const age = (place: string): void => {
      for (const extension of Object.keys(indexAt(place))) utimesSync(`${place}.${extension}`, past, past);
    };
    age(ofMain);
    const ofThird = placeOf(path.join(third, 'src'));
    assert.deepEqual(withoutStamps(indexAt(ofThird)), withoutStamps(indexAt(ofSecond)));
    // Another folder of the worktree has none.
    assert.deepEqual(indexAt(placeOf(third)), {});
  });

  test('a folder in no repository, and the only worktree, begin with nothing', async () => {
    await groupsIn(main, '--cache', cache);
    const outside = path.join(base, 'outside');
    mkdirSync(outside);
    assert.deepEqual(indexAt(placeOf(outside)), {});
    rmSync(cache, { recursive: true });
    mkdirSync(cache);
    assert.deepEqual(indexAt(placeOf(main)), {});
  });

  suite('check --worktrees', () => {
    interface Copies {
      readonly folders: readonly string[];
      readonly copies: readonly {
        readonly own: { readonly path: string; readonly startLine: number };
        readonly other: { readonly path: string; readonly startLine: number };
        readonly similarity: number;
      }[];
    }

    async function copiesIn(folder: string): Promise<Copies> {
      const { code, stdout, stderr } = await kindred(['check', '--worktrees', '--format', 'json'], { cwd: folder });
      assert.equal(code, 0, stderr);
      const { check } = JSON.parse(stdout) as { check: { worktrees: Copies } };
      return check.worktrees;
    }

    test('lists what both worktrees add, from either side, and not what both have', async () => {
      const second = addWorktree('second');
      assert.deepEqual(await copiesIn(second), { folders: [], copies: [] });
      writeFileSync(path.join(second, 'src/drawn.ts'), `// here\n${drawing}`);
      writeFileSync(path.join(main, 'src/mine.ts'), drawing.replaceAll('Turtle', 'Tortoise'));
      // A copy of old code is new in one worktree only.
      writeFileSync(path.join(main, 'src/old.ts'), parsing);
      const { folders, copies } = await copiesIn(second);
      assert.deepEqual(folders, [main]);
      assert.deepEqual(
        copies.map(({ own, other }) => [own.path, own.startLine, other.path, other.startLine]),
        [['src/drawn.ts', 2, `${main}/src/mine.ts`, 1]],
      );
      assert.ok(copies[0].similarity > 0.8);
      const { copies: seenFromMain } = await copiesIn(main);
      assert.deepEqual(
        seenFromMain.map(({ own, other }) => [own.path, other.path]),
        [['src/mine.ts', `${second}/src/drawn.ts`]],
      );
      const { code, stdout } = await kindred(['check', '--worktrees'], { cwd: second });
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^Added in another worktree, too: 1 passage\n\n {3}src\/drawn\.ts:2-\d+\n {3}\.\.\/main\/src\/mine\.ts:1-\d+ \(\d+% alike\)\n/m,
      );
    });

    test('leaves out a file that both worktrees have added alike, and tests', async () => {
      const second = addWorktree('second');
      for (const folder of [main, second]) {
        writeFileSync(path.join(folder, 'src/same.ts'), drawing);
        mkdirSync(path.join(folder, 'test'));
      }
      writeFileSync(path.join(main, 'test/one.test.ts'), drawing);
      writeFileSync(path.join(second, 'test/two.test.ts'), drawing);
      assert.deepEqual((await copiesIn(second)).copies, []);
    });

    test('needs a repository', async () => {
      const outside = path.join(base, 'outside');
      mkdirSync(outside);
      const { code, stderr } = await kindred(['check', '--worktrees'], { cwd: outside });
      assert.equal(code, 2);
      assert.match(stderr, /is not in a Git working tree/);
    });
  });
});
