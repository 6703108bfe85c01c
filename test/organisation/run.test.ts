/** Concurrent workers of a run, some of which are killed. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../../scripts/project.mjs';
import { beginRun, leaseMs, stages } from '../../src/organisation/repositories/run.ts';
import { add, indexOfEachTest, compare, scanFolder, writeFiles } from './storing.ts';
import { functionText } from './texts.ts';

const monitor = { onProgress: () => undefined, cancelled: () => false };
const none = { pieces: [] };

suite('a run', () => {
  const index = indexOfEachTest();

  const begin = (state: string) => beginRun(index.database.home, state, [], { near: 3, seeds: 2, matches: 2 });

  test('performs each task once, and the stages in order', async () => {
    const done: string[] = [];
    const work = async (): Promise<void> => {
      const { run } = await begin('one');
      await run.work(async ({ stage, number }) => {
        await delay(5);
        done.push(`${stage} ${number}`);
        return none;
      }, monitor);
    };
    await Promise.all([work(), work(), work()]);
    assert.equal(done.length, 8);
    assert.equal(new Set(done).size, 8);
    const firstOf = (stage: string): number => done.findIndex((name) => name.startsWith(stage));
    assert.ok(firstOf('seeds') >= 4 && firstOf('matches') >= 6, done.join(', '));
  });

  test('resumes after an interruption, and keeps the results of completed tasks', async () => {
    const { run, isNew } = await begin('one');
    assert.ok(isNew);
    let performed = 0;
    const stopsAfter = (tasks: number) => ({ ...monitor, cancelled: () => performed >= tasks });
    const perform = ({ stage, number }: { stage: string; number: number }) => {
      performed++;
      return Promise.resolve({ pieces: [{ target: 7, bytes: Buffer.from(`${stage}${number}`) }], result: number });
    };
    assert.equal(await run.work(perform, stopsAfter(5)), false);
    const again = await begin('one');
    assert.ok(!again.isNew);
    assert.equal(await again.run.work(perform, monitor), true);
    assert.equal(performed, 8);
    assert.deepEqual((await again.run.pieces('near', 7)).map(String), ['near0', 'near1', 'near2']);
    assert.deepEqual(await again.run.results('seeds'), [0, 1]);
  });

  test('replaces the run of another state and ends its workers', async () => {
    const { run } = await begin('one');
    await begin('two');
    await assert.rejects(
      run.work(() => Promise.resolve(none), monitor),
      /Repositories have changed/,
    );
  });

  test('immediately reassigns the task of a failed worker', async () => {
    const { run } = await begin('one');
    await assert.rejects(
      run.work(() => Promise.reject(new Error('It broke.')), monitor),
      /It broke/,
    );
    const { run: other } = await begin('one');
    const started = performance.now();
    assert.equal(await other.work(() => Promise.resolve(none), monitor), true);
    assert.ok(performance.now() - started < leaseMs);
  });

  test('rejects results of a worker whose lease has expired', async () => {
    const { run } = await begin('one');
    const { run: other } = await begin('one');
    let lost = 0;
    const slow = run.work(async ({ stage, number }) => {
      if (lost === 0) {
        lost++;
        // The lease expires.
        await index.database.home.query(
          'UPDATE kindred.task SET lease_until = now() WHERE worker IS NOT NULL AND NOT done',
        );
        await other.work(() => Promise.resolve({ pieces: [{ target: 0, bytes: Buffer.from('other') }] }), monitor);
      }
      return { pieces: [{ target: 0, bytes: Buffer.from(`slow ${stage} ${number}`) }] };
    }, monitor);
    assert.equal(await slow, true);
    const pieces = await Promise.all(stages.map((stage) => run.pieces(stage, 0)));
    assert.deepEqual(
      pieces.flat().map(String),
      Array.from({ length: 8 }, () => 'other'),
    );
  });

  suite('of processes', () => {
    let folder: string;
    const children: ChildProcess[] = [];

    setup(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'kindred-org-'));
    });
    teardown(() => {
      for (const child of children.splice(0)) child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    });

    const kindred = (...orgArguments: readonly string[]): ChildProcess => {
      const child = spawn(process.execPath, [path.join(root, 'dist', 'cli.js'), 'org', ...orgArguments], {
        env: { ...process.env, KINDRED_DATABASE: index.server.url },
        stdio: 'ignore',
      });
      children.push(child);
      return child;
    };

    test('completes after a worker and the process that started the run are killed', async () => {
      const names = Array.from({ length: 60 }, (_, i) => `f${i}`);
      for (const [i, name] of names.entries()) {
        const copy = functionText(names[(i * 7) % 60]);
        writeFiles(path.join(folder, `r${i % 3}`), { [`${name}.ts`]: functionText(name) + copy });
      }
      for (const name of ['r0', 'r1', 'r2']) await add(index.database, path.join(folder, name));
      kindred('scan', '--workers', '1');
      const begun = async (): Promise<number> => {
        const [row] = await index.database.home.query<{ done: number }>(
          'SELECT count(*) FILTER (WHERE done)::int AS done FROM kindred.task',
        );
        return row.done;
      };
      while ((await begun()) === 0) await delay(5);
      const helper = kindred('work');
      await delay(20);
      helper.kill('SIGKILL');
      children[0].kill('SIGKILL');
      await new Promise((resolve) =>
        (children[0].exitCode ?? children[0].signalCode) !== null ? resolve(0) : children[0].once('exit', resolve),
      );
      // Their tasks become available when the leases expire.
      await index.database.home.query('UPDATE kindred.task SET lease_until = now() WHERE NOT done');
      assert.deepEqual(await compare(index.database), await scanFolder(folder));
    });
  });
});
