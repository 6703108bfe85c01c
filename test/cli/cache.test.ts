/** `--cache`: data kept between two calls affects nothing but the time. */
import assert from 'node:assert/strict';
import fs, {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sampled } from '../../scripts/scaled.mjs';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, parsing, parsingRenamed } from '../passages.ts';
import { giveToPlainUser, kindred, type Outcome, plainUser, runHere } from './kindred.ts';

suite('the cache', () => {
  let folder = '';
  const { openSync } = fs;
  /** Sources opened by calls in this process. One thread reads these few files. */
  const openedSources = new Set<string>();
  /** Time at which changes of files have settled, so that a call need not read the files again. */
  let settledAt = 0;
  suiteSetup(() => {
    fs.openSync = (file, ...others) => {
      const name = path.relative(path.join(folder, 'src'), String(file));
      if (!name.startsWith('.')) openedSources.add(name);
      return openSync(file, ...others);
    };
    syncBuiltinESMExports();
  });
  suiteTeardown(() => {
    fs.openSync = openSync;
    syncBuiltinESMExports();
  });
  setup(() => {
    openedSources.clear();
    folder = makeFolder({
      'src/a.ts': `const one = 1;\n${parsing}`,
      'src/b.ts': `/* é語😀 */ ${drawing}${parsing}`,
      'src/c.ts': parsingRenamed,
      'src/wide.ts': Buffer.from(`\ufeff// ü\n${drawing}`, 'utf16le'),
      'src/notes.md': 'Nothing that is said twice.\n',
      'src/made.ts': '// @generated\nconst x = 1;\n',
      'src/picture.ts': Uint8Array.of(1, 0, 2, 0),
    });
    // Files that were just written are read again, because they might change in the same tick.
    for (const name of readdirSync(path.join(folder, 'src'))) age(name);
  });
  teardown(() => removeFolder(folder));

  test('a second call reads no file and has the same result', async () => {
    const first = await scan();
    assert.deepEqual(opened(), ['a.ts', 'b.ts', 'c.ts', 'made.ts', 'notes.md', 'picture.ts', 'wide.ts']);
    assert.equal(await scan(), first);
    assert.deepEqual(opened(), []);
    assert.equal(await scanAfresh(), first);
  });

  test('only the changed file is read again', async () => {
    await scan();
    opened();
    write('c.ts', drawing);
    const second = await scan();
    assert.deepEqual(opened(), ['c.ts']);
    assert.equal(second, await scanAfresh());
    opened();
    assert.equal(await scan(), second);
    assert.deepEqual(opened(), []);
  });

  test('a touched file is read again, with the same result', async () => {
    const first = await scan();
    opened();
    touch('b.ts', 1_000_000_000);
    assert.equal(await scan(), first);
    assert.deepEqual(opened(), ['b.ts']);
    assert.equal(await scan(), first);
    assert.deepEqual(opened(), []);
  });

  test('a file that was just written is not considered settled', async () => {
    write('c.ts', drawing);
    const now = Date.now() / 1000 + 100;
    utimesSync(source('c.ts'), now, now);
    await scan();
    // Write it again in the same tick, with the same size.
    writeFileSync(source('c.ts'), drawing.replace('Turtle', 'Tortle'));
    utimesSync(source('c.ts'), now, now);
    assert.equal(await scan(), await scanAfresh());
  });

  test('a file that is no longer readable is reported', async () => {
    giveToPlainUser(folder);
    const asPlain = async (...commandArguments: string[]): Promise<string> =>
      withoutTime(
        await kindred(['scan', 'src', '--format', 'json', ...commandArguments], { cwd: folder, user: plainUser }),
      );
    await asPlain('--cache', '.cache');
    chmodSync(source('b.ts'), 0);
    const warm = await asPlain('--cache', '.cache');
    assert.match(warm, /unreadable \(permission denied\)/);
    assert.equal(warm, await asPlain());
  });

  test('added, removed, and renamed files are followed', async () => {
    await scan();
    rmSync(source('a.ts'));
    renameSync(source('b.ts'), source('z.ts'));
    write('sub/new.ts', `${parsing}\nconst end = 1;\n`);
    assert.equal(await scan(), await scanAfresh());
    write('.gitignore', 'sub\n');
    assert.equal(await scan(), await scanAfresh());
  });

  test('changed options take effect, whether or not the index depends on them', async () => {
    await scan();
    for (const commandArguments of [
      ['--k', '1'],
      ['--shingle-size', '5'],
      ['--generated'],
      ['--no-prose'],
      ['--exclude', 'b.ts'],
      ['--read-comments', 'asText'],
    ]) {
      assert.equal(await scan(...commandArguments), await scanAfresh(...commandArguments), commandArguments.join(' '));
    }
    opened();
    assert.equal(await scan('--k', '2'), await scanAfresh('--k', '2'));
  });

  test('folders in different places have separate indexes', async () => {
    const first = await scan();
    mkdirSync(path.join(folder, 'other/src'), { recursive: true });
    writeFileSync(path.join(folder, 'other/src/a.ts'), parsing);
    const { stdout } = await call(['scan', 'other', '--cache', '.cache', '--format', 'json']);
    assert.equal((JSON.parse(stdout) as { groups: unknown[] }).groups.length, 0);
    opened();
    assert.equal(await scan(), first);
    assert.deepEqual(opened(), []);
  });

  test('a damaged index is reported in one line and rebuilt', async () => {
    await scan();
    const whole = new Map(cacheFiles().map((file) => [file, readFileSync(file)]));
    const endings = [...whole.keys()].map((file) => path.extname(file));
    assert.deepEqual(endings.sort(), ['.comments', '.documents', '.findings', '.matches']);
    // Make every part of the stored files necessary.
    write('c.ts', drawing);
    const changed = await scanAfresh();
    for (const [file, bytes] of whole) {
      const damages: [string, () => void][] = [
        ['empty', () => truncateSync(file, 0)],
        ['a header', () => truncateSync(file, 47)],
        ['cut off', () => truncateSync(file, bytes.length - 1)],
        ['longer', () => appendFileSync(file, 'x')],
        ['foreign', () => writeFileSync(file, parsing)],
        ...[0, 9, 20, 30, 50, bytes.length >> 1, bytes.length - 20, bytes.length - 1].map(
          (at): [string, () => void] => [`a bit at ${at}`, () => writeFileSync(file, flipped(bytes, at))],
        ),
      ];
      for (const [damage, doIt] of sampled(damages)) {
        const about = `${path.extname(file)}, ${damage}`;
        for (const [name, before] of whole) writeFileSync(name, before);
        doIt();
        const outcome = await call(scanCall);
        assert.equal(outcome.code, 0, about);
        assert.match(outcome.stderr, /^kindred: Cannot use the stored index .* \(.*\); rebuilding it\.\n$/, about);
        assert.equal(withoutTime(outcome), changed, about);
        assert.equal(await scan(), changed, `${about}: made anew`);
      }
    }
  });

  test('whole files are found with the data of a scan, and vice versa', async () => {
    write('d.ts', `const one = 1;\n${parsing}// end\n`);
    const filesCall = ['files', 'src', '--format', 'json'];
    const afresh = withoutTime(await call(filesCall));
    assert.match(afresh, /"kind": ?"file"/);
    const scanned = await scan();
    opened();
    for (let time = 0; time < 2; time++) {
      assert.equal(withoutTime(await call([...filesCall, '--cache', '.cache'])), afresh);
    }
    assert.equal(await scan(), scanned);
    assert.deepEqual(opened(), []);
    rmSync(path.join(folder, '.cache'), { recursive: true });
    assert.equal(withoutTime(await call([...filesCall, '--cache', '.cache'])), afresh);
    opened();
    assert.equal(await scan(), scanned);
    // Files outside groups of whole files are not searched for comments.
    assert.deepEqual(opened(), ['c.ts', 'wide.ts']);
    assert.equal(await scan(), scanned);
    assert.deepEqual(opened(), []);
  });

  test('a cache inside the scanned folder is not scanned', async () => {
    const cache = path.join('src', 'cache');
    const commandArguments = ['scan', 'src', '--format', 'json'];
    const before = withoutTime(await call(commandArguments));
    for (let time = 0; time < 2; time++)
      assert.equal(withoutTime(await call([...commandArguments, '--cache', cache])), before);
  });

  test('removes leftovers of a killed writer', async () => {
    const abandoned = path.join(folder, '.cache', '.kindred-0123456789ab.tmp');
    const recent = path.join(folder, '.cache', '.kindred-ba9876543210.tmp');
    mkdirSync(path.dirname(abandoned));
    for (const file of [abandoned, recent]) writeFileSync(file, 'x');
    utimesSync(abandoned, 1_000_000_000, 1_000_000_000);
    await scan();
    assert.deepEqual([existsSync(abandoned), existsSync(recent)], [false, true]);
  });

  test('a folder that cannot be used is rejected before anything is read', async () => {
    writeFileSync(path.join(folder, 'taken'), '');
    await refused('taken', 'taken is a file; specify a folder.');
    await refused('taken/below', 'cannot write to taken/below (a parent is a file); specify another folder.');
    assert.deepEqual(opened(), []);
  });

  test('an index that cannot be written is reported in one line, and the report is complete', async () => {
    const first = await scan();
    for (const file of cacheFiles()) {
      rmSync(file);
      mkdirSync(path.join(file, 'in the way'), { recursive: true });
    }
    const outcome = await call(scanCall);
    assert.deepEqual([outcome.code, withoutTime(outcome)], [0, first]);
    assert.match(outcome.stderr, /^(kindred: Cannot store the index in .*\.\n){3}$/m);
  });

  const scanCall = ['scan', 'src', '--format', 'json', '--cache', '.cache'];

  /** Returns the report without its time from a call with the cache, and checks that it printed no warning. */
  async function scan(...commandArguments: readonly string[]): Promise<string> {
    const outcome = await call([...scanCall, ...commandArguments]);
    assert.deepEqual([outcome.code, outcome.stderr], [0, '']);
    return withoutTime(outcome);
  }

  async function scanAfresh(...commandArguments: readonly string[]): Promise<string> {
    return withoutTime(await kindred(['scan', 'src', '--format', 'json', ...commandArguments], { cwd: folder }));
  }

  /** Runs the command line. Unlike `kindred`, it does not check the report, because that opens sources too. */
  async function call(commandArguments: readonly string[]): Promise<Outcome> {
    await delay(settledAt - Date.now());
    return runHere(commandArguments, { cwd: folder });
  }

  async function refused(cache: string, sentence: string): Promise<void> {
    const outcome = await call(['scan', 'src', '--cache', cache]);
    assert.deepEqual(outcome, { code: 2, stdout: '', stderr: `kindred: --cache: ${sentence}\n` });
  }

  /** Returns the names of the sources that were opened since the previous call, in order. */
  function opened(): string[] {
    const names = [...openedSources].sort();
    openedSources.clear();
    return names;
  }

  function write(name: string, text: string): void {
    mkdirSync(path.dirname(source(name)), { recursive: true });
    writeFileSync(source(name), text);
    age(name);
  }

  /** Sets the time of a file a minute back. The change time cannot be set, so the next call waits. */
  function age(name: string): void {
    const time = statSync(source(name)).mtimeMs / 1000 - 60;
    touch(name, time);
  }

  function touch(name: string, seconds: number): void {
    utimesSync(source(name), seconds, seconds);
    settledAt = Date.now() + 30;
  }

  function source(name: string): string {
    return path.join(folder, 'src', name);
  }

  function cacheFiles(): string[] {
    return readdirSync(path.join(folder, '.cache')).map((name) => path.join(folder, '.cache', name));
  }
});

function withoutTime({ stdout }: Outcome): string {
  const report = stdout.replace(/"elapsedMs":\d+/, '');
  assert.notEqual(report, stdout);
  return report;
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const damaged = Uint8Array.from(bytes);
  damaged[at] ^= 4;
  return damaged;
}
