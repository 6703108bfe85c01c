/** `kindred hook` in a tree that has no index of functions yet. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, merging, mergingAgain, parsing, parsingRenamed } from '../passages.ts';
import { kindred } from './kindred.ts';

suite('kindred hook without an index', () => {
  let folder = '';
  let cache = '';

  setup(() => {
    cache = makeFolder({});
    folder = makeFolder({ 'src/a.ts': parsing, 'src/merge.ts': merging });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
  });

  teardown(() => {
    removeFolder(folder);
    removeFolder(cache);
  });

  function git(...words: string[]): void {
    const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.org'];
    execFileSync('git', [...who, ...words], { cwd: folder, stdio: 'ignore' });
  }

  /** Passes an event to the hook, and returns its answer as text. */
  async function hook(event: object, cwd = folder): Promise<string> {
    const input = JSON.stringify({ session_id: 's', cwd, ...event });
    const { code, stdout, stderr } = await kindred(['hook', '--timeout', '120000'], {
      cwd,
      env: { XDG_CACHE_HOME: cache },
      input,
    });
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  }

  /** Writes a file as an agent does, and returns the answer of the hook. */
  function write(name: string, content: string, cwd = folder): Promise<string> {
    const file_path = path.join(cwd, name);
    writeFileSync(file_path, content);
    return hook({ hook_event_name: 'PostToolUse', tool_name: 'Write', tool_input: { file_path, content } }, cwd);
  }

  async function index(cwd = folder): Promise<void> {
    await kindred(['hook', '--index'], { cwd, env: { XDG_CACHE_HOME: cache } });
  }

  const indexes = (): string[] =>
    readdirSync(path.join(cache, 'kindred/hook'))
      .filter((name) => name.endsWith('.units'))
      .map((name) => path.join(cache, 'kindred/hook', name));

  test('looks up what was written first as soon as there is an index', async () => {
    assert.equal(await write('src/b.ts', parsingRenamed), '');
    await index();
    assert.match(await write('src/c.ts', drawing), /Kindred: parseHeader in src\/a\.ts:1-15 .*\(src\/b\.ts:/);
    assert.equal(await write('src/d.ts', 'export const one = 1;\n'), '');
  });

  test('reminds of what was written first at the stop', async () => {
    assert.equal(await write('src/b.ts', parsingRenamed), '');
    // There may be an index by now, so that this write has an answer.
    await write('src/c.ts', mergingAgain);
    await index();
    const reminder = await hook({ hook_event_name: 'Stop', stop_hook_active: false });
    assert.match(reminder, /2 functions .*parseHeader.*mergeRanges|2 functions .*mergeRanges.*parseHeader/);
  });

  test('looks up a write that the index already contains, because it was renewed in between', async () => {
    await index();
    const file_path = path.join(folder, 'src/b.ts');
    writeFileSync(file_path, parsingRenamed);
    await index();
    const tool_input = { file_path, content: parsingRenamed };
    const answer = await hook({ hook_event_name: 'PostToolUse', tool_name: 'Write', tool_input });
    assert.match(answer, /Kindred: parseHeader in src\/a\.ts:1-15 /);
  });

  test('is silent about a first write that changed a committed function, or whose file is gone', async () => {
    assert.equal(await write('src/b.ts', parsingRenamed), '');
    rmSync(path.join(folder, 'src/b.ts'));
    assert.equal(await write('src/a.ts', `${parsing}\n`), '');
    await index();
    assert.equal(await write('src/c.ts', drawing), '');
  });

  suite('in a new worktree', () => {
    let linked = '';

    setup(async () => {
      // Git does not trust the stamps of files as new as its own index.
      for (const name of ['src/a.ts', 'src/merge.ts']) utimesSync(path.join(folder, name), 1, 1);
      git('update-index', '--refresh');
      await index();
      linked = path.join(folder, '.worktrees/one');
      git('worktree', 'add', '-q', linked);
    });

    test('answers the first write from the index of another worktree', async () => {
      assert.equal(indexes().length, 1);
      const note = await write('src/b.ts', parsingRenamed, linked);
      assert.match(note, /Kindred: parseHeader in src\/a\.ts:1-15 /);
    });

    test('indexes only files that differ from those of another worktree', async () => {
      writeFileSync(path.join(linked, 'src/more.ts'), drawing);
      const [first = ''] = indexes();
      await index(linked);
      const second = indexes().find((place) => place !== first) ?? '';
      const fresh = readFileSync(second);
      // The functions of an index whose files are the same are taken over, so their names come from there.
      const renamed = Buffer.from(
        readFileSync(first).toString('latin1').replace('parseHeader', 'parseHeadex'),
        'latin1',
      );
      writeFileSync(first, renamed);
      rmSync(second);
      await index(linked);
      assert.ok(existsSync(second) && statSync(second).size === fresh.length);
      const text = readFileSync(second).toString('latin1');
      assert.ok(text.includes('parseHeadex') && !text.includes('parseHeader') && text.includes('more.ts'));
      rmSync(first);
      rmSync(second);
      await index(linked);
      assert.deepEqual(readFileSync(second).length, fresh.length);
    });
  });
});
