/** Indexes of worktrees: a new one begins with that of another worktree, and the findings are its own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { placeOfIndex } from '../../src/scan/io/indexPlace.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, parsing, parsingRenamed } from '../passages.ts';
import { kindred } from './kindred.ts';

suite('indexes of worktrees', () => {
  let base = '';
  let main = '';
  let cache = '';

  setup(() => {
    base = makeFolder({
      'main/src/a.ts': parsing,
      'main/src/b.ts': `const one = 1;\n${parsingRenamed}`,
      'main/src/c.ts': drawing,
    });
    main = path.join(base, 'main');
    cache = path.join(base, 'cache');
    git(main, 'init', '-q');
    git(main, 'add', '--all');
    git(main, 'commit', '-q', '-m', 'one');
  });

  teardown(() => removeFolder(base));

  function git(where: string, ...given: readonly string[]): void {
    const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
    execFileSync('git', ['-C', where, ...who, ...given], { stdio: 'ignore' });
  }

  function addWorktree(name: string): string {
    const folder = path.join(base, name);
    git(main, 'worktree', 'add', folder, '--detach');
    return folder;
  }

  async function groupsIn(folder: string, ...given: readonly string[]): Promise<unknown> {
    const { code, stdout } = await kindred(['scan', '--format', 'json', ...given], { cwd: folder });
    assert.equal(code, 0);
    return (JSON.parse(stdout) as { groups: unknown }).groups;
  }

  /** Returns digests of the files of an index by extension. */
  function indexAt(place: string): Record<string, string> {
    const start = `${path.basename(place)}.`;
    const names = readdirSync(path.dirname(place)).filter((name) => name.startsWith(start));
    return Object.fromEntries(
      names.map((name) => [name.slice(start.length), digestOf(readFileSync(path.join(path.dirname(place), name)))]),
    );
  }

  function digestOf(bytes: Buffer): string {
    return createHash('sha256').update(bytes).digest('hex');
  }

  test('a new worktree begins with the index of another one, and keeps its own afterwards', async () => {
    await groupsIn(main, '--cache', cache);
    const before = indexAt(placeOfIndex(cache, [main]));
    assert.ok('documents' in before && 'matches' in before && 'findings' in before, Object.keys(before).join());
    const second = addWorktree('second');
    assert.deepEqual(indexAt(placeOfIndex(cache, [second])), before);
    // Two changed files, and one that is gone.
    writeFileSync(path.join(second, 'src/c.ts'), parsing);
    writeFileSync(path.join(second, 'src/d.ts'), drawing);
    rmSync(path.join(second, 'src/b.ts'));
    const afresh = await groupsIn(second);
    assert.deepEqual(await groupsIn(second, '--cache', cache), afresh);
    assert.notDeepEqual(indexAt(placeOfIndex(cache, [second])), before);
    // The other index is as it was, and that of the worktree is not replaced.
    assert.deepEqual(indexAt(placeOfIndex(cache, [main])), before);
    assert.deepEqual(await groupsIn(second, '--cache', cache), afresh);
  });

  test('takes the most recent one, and maps folders inside of worktrees', async () => {
    const [second, third] = [addWorktree('second'), addWorktree('third')];
    await groupsIn(path.join(main, 'src'), '--cache', cache);
    rmSync(path.join(second, 'src/b.ts'));
    await groupsIn(path.join(second, 'src'), '--cache', cache);
    const [ofMain, ofSecond] = [main, second].map((top) => placeOfIndex(cache, [path.join(top, 'src')]));
    assert.notDeepEqual(indexAt(ofMain), indexAt(ofSecond));
    const past = new Date(Date.now() - 60_000);
    const age = (place: string): void => {
      for (const extension of Object.keys(indexAt(place))) utimesSync(`${place}.${extension}`, past, past);
    };
    age(ofMain);
    assert.deepEqual(indexAt(placeOfIndex(cache, [path.join(third, 'src')])), indexAt(ofSecond));
    // Another folder of the worktree has none.
    assert.deepEqual(indexAt(placeOfIndex(cache, [third])), {});
  });

  test('a folder in no repository, and the only worktree, begin with nothing', async () => {
    await groupsIn(main, '--cache', cache);
    const outside = path.join(base, 'outside');
    mkdirSync(outside);
    assert.deepEqual(indexAt(placeOfIndex(cache, [outside])), {});
    rmSync(cache, { recursive: true });
    mkdirSync(cache);
    assert.deepEqual(indexAt(placeOfIndex(cache, [main])), {});
  });
});
