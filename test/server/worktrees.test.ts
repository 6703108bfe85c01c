/** Servers of a repository with several worktrees. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { placeOfIndex } from '../../src/scan/io/indexPlace.ts';
import { nodeStorage } from '../../src/session/worker/nodeStorage.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, harbour, parsing } from '../passages.ts';
import { McpClient } from './mcpClient.ts';

suite('servers in worktrees', () => {
  let base = '';
  let main = '';
  let second = '';
  let server: McpClient | undefined;

  setup(() => {
    base = realpathSync(makeFolder({ 'main/src/a.ts': parsing }));
    [main, second] = [path.join(base, 'main'), path.join(base, 'second')];
    git(main, 'init', '-q');
    git(main, 'add', '--all');
    git(main, 'commit', '-q', '-m', 'one');
    git(main, 'worktree', 'add', second, '--detach');
  });

  teardown(async () => {
    await server?.close();
    server = undefined;
    removeFolder(base);
  });

  function git(where: string, ...gitArguments: readonly string[]): void {
    const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
    execFileSync('git', ['-C', where, ...who, ...gitArguments], { stdio: 'ignore' });
  }

  test('find_similar reports what other worktrees have added, committed or not, and nothing else', async () => {
    writeFileSync(path.join(second, 'src/new.ts'), `// drawn\n${drawing}`);
    git(main, 'worktree', 'add', path.join(base, 'third'), '--detach');
    writeFileSync(path.join(base, 'third/b.md'), harbour);
    git(path.join(base, 'third'), 'add', '--all');
    git(path.join(base, 'third'), 'commit', '-q', '-m', 'two');
    server = await McpClient.start([main], path.join(base, 'cache'), '2025-11-25');
    const find = async (text: string, more: object = { scope: 'all worktrees' }, language = 'ts') => {
      const { total, otherWorktrees, next } = await server!.data('find_similar', { text, language, ...more });
      return { total, places: otherWorktrees?.passages.map(({ place }) => place), next };
    };
    const drawn = await find(drawing);
    assert.equal(drawn.total, 0);
    assert.equal(drawn.places?.length, 1);
    assert.match(drawn.places[0], /second\/src\/new\.ts:2-\d+$/);
    assert.ok(path.isAbsolute(drawn.places[0]));
    assert.match(drawn.next, /Another worktree is adding this/);
    const committed = await find(harbour, { scope: 'all worktrees' }, 'md');
    assert.match(committed.places?.join() ?? '', /^[^,]*third\/b\.md:1$/);
    // Both have this file from their common commit.
    const { total, places, next } = await find(parsing);
    assert.deepEqual([total, places], [1, []]);
    assert.match(next, /^The first passage has exactly this text\./);
    assert.equal((await find(drawing, {})).places, undefined);
    const several = await server.client.callTool({
      name: 'find_similar',
      arguments: { texts: [drawing, parsing], language: 'ts', scope: 'all worktrees' },
    });
    const { texts } = several.structuredContent as { texts: { otherWorktrees: { total: number } }[] };
    assert.deepEqual(
      texts.map(({ otherWorktrees }) => otherWorktrees.total),
      [1, 0],
    );
  });

  test('check_changes also reports what another worktree adds, and ignores a worktree inside the folder', async () => {
    const inner = path.join(main, '.claude/worktrees/inner');
    git(main, 'worktree', 'add', inner, '--detach');
    writeFileSync(path.join(inner, 'src/theirs.ts'), `// drawn\n${drawing}`);
    writeFileSync(path.join(main, 'src/own.ts'), drawing);
    server = await McpClient.start([main], path.join(base, 'cache'), '2025-11-25');
    const plain = await server.data('check_changes', {});
    assert.deepEqual([plain.holds, plain.otherWorktrees, plain.unread], [true, undefined, []]);
    assert.doesNotMatch(plain.next, /worktree/);
    const everywhere = await server.data('check_changes', { scope: 'all worktrees' });
    const { total, copies } = everywhere.otherWorktrees!;
    assert.equal(total, 1);
    assert.match(copies[0].place, /^src\/own\.ts:1-\d+$/);
    assert.match(copies[0].other, /\/main\/\.claude\/worktrees\/inner\/src\/theirs\.ts:2-\d+$/);
    // Two worktrees decide together which one keeps it: the check does not fail.
    assert.equal(everywhere.holds, true);
    assert.match(everywhere.next, /Another worktree is adding the same/);
  });

  test('a folder that does not refer to the repository is no worktree of it', async () => {
    // As in an archive with a `.git` folder that someone else made.
    const other = path.join(base, 'other');
    mkdirSync(path.join(other, 'src'), { recursive: true });
    git(other, 'init', '-q');
    git(other, 'commit', '-q', '--allow-empty', '-m', 'theirs');
    writeFileSync(path.join(other, 'src/secret.ts'), drawing);
    writeFileSync(path.join(main, '.git/worktrees/second/gitdir'), `${other}/.git\n`);
    server = await McpClient.start([main], path.join(base, 'cache'), '2025-11-25');
    const found = await server.data('find_similar', { text: drawing, language: 'ts', scope: 'all worktrees' });
    assert.equal(found.otherWorktrees?.total, 0);
  });

  test('the index of a server begins with that of another worktree', async () => {
    const cache = path.join(base, 'cache');
    const placeOf = (folder: string): string => placeOfIndex(cache, [folder]);
    mkdirSync(placeOf(main), { recursive: true });
    writeFileSync(path.join(placeOf(main), 'index.findings'), 'found');
    const script = new URL('../server/worktrees.test.js', import.meta.url);
    const storage = nodeStorage({ scanThread: script, program: script }, (problem) => assert.fail(problem));
    const root = { folder: second, prefix: '', sources: defaultSourceOptions, isConfined: true };
    await storage.load(placeOf(second), [root, { ...root, folder: main }]);
    assert.ok(!existsSync(placeOf(second)), 'several folders have no counterpart');
    await storage.load(placeOf(second), [root]);
    assert.equal(readFileSync(path.join(placeOf(second), 'index.findings'), 'utf8'), 'found');
  });
});
