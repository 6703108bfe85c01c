/** A thread that dies at any time fails its pending requests, so that nobody waits forever. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { createMemory } from '../../src/core/engine/kernel.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { nodeSystem } from '../../src/scan/indexer/nodeSystem.ts';
import type { IndexingTask } from '../../src/scan/indexer/indexFiles.ts';
import { type ScanThread, startScanThreads, type ScanThreadJob } from '../../src/scan/indexer/scanThread.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { inputOf, scanThreadScript, patient, requestOf, scan, scanToFollow } from './scanning.ts';

const died = /^Error: A thread of the scan ended with code 7\.$/;

/** Returns the script of a thread that echoes its job and then runs `afterwards`. */
function scriptOf(afterwards: string): URL {
  return moduleOf(`import { existsSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ param }) => { parentPort.postMessage(param); ${afterwards} });`);
}

/**
 * Returns the script of a scan thread that exits when it receives a job of this type.
 *
 * @param flag a file; the thread exits only while it exists
 */
function scriptWithout(type: ScanThreadJob['type'], flag = scanThreadScript.pathname): URL {
  return scriptBut(type, `existsSync('${flag}') ? process.exit(7) : take(job)`);
}

/**
 * Returns the script of a scan thread that never starts a job of this type.
 *
 * @param flag a file that the thread creates when it receives such a job
 */
function scriptIgnoring(type: ScanThreadJob['type'], flag: string): URL {
  return scriptBut(type, `writeFileSync('${flag}', '')`);
}

function scriptBut(type: ScanThreadJob['type'], instead: string): URL {
  return moduleOf(`import { existsSync, writeFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const on = parentPort.on.bind(parentPort);
    parentPort.on = (event, take) => on(event, (job) => (job.type === '${type}' ? ${instead} : take(job)));
    await import('${scanThreadScript.href}');`);
}

function moduleOf(text: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}

/** Starts a scan thread. Also returns the underlying thread. */
async function scanThreadOf(script: URL): Promise<{ scanThread: ScanThread; thread: Worker }> {
  const started = once(process, 'worker') as Promise<[Worker]>;
  const [scanThread] = await startScanThreads(1, nodeSystem(script), createMemory());
  const [thread] = await started;
  return { scanThread, thread };
}

suite('a scan thread', () => {
  // The task is returned unchanged, so its content does not matter.
  const task = { options: defaultOptions } as IndexingTask;

  test('answers one job after another', async () => {
    const { scanThread } = await scanThreadOf(scriptOf(''));
    assert.deepEqual(await scanThread.call('index', task), task);
    assert.deepEqual(await scanThread.call('index', task), task);
    await scanThread.end();
  });

  test('that exits during a job fails it and all later ones', async () => {
    const { scanThread } = await scanThreadOf(moduleOf('process.exit(7)'));
    await assert.rejects(scanThread.call('index', task), died);
    await assert.rejects(scanThread.call('index', task), died);
  });

  test('that exits between two jobs fails the next one', async () => {
    const { scanThread, thread } = await scanThreadOf(scriptOf('process.exit(7)'));
    const ended = once(thread, 'exit');
    assert.deepEqual(await scanThread.call('index', task), task);
    await ended;
    await assert.rejects(scanThread.call('index', task), died);
  });

  test('whose program fails between two jobs reports the error with the next one', async () => {
    // An error reaches this thread on a separate channel, and may overtake an answer that was sent just before.
    const flag = path.join(makeFolder({}), 'answered');
    const later = `setInterval(() => { if (existsSync(${JSON.stringify(flag)})) throw new Error('out of luck'); }, 20)`;
    const { scanThread, thread } = await scanThreadOf(scriptOf(later));
    // `once` of node:events would reject with the error.
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    assert.deepEqual(await scanThread.call('index', task), task);
    writeFileSync(flag, '');
    await ended;
    await assert.rejects(scanThread.call('index', task), /out of luck/);
    removeFolder(path.dirname(flag));
  });

  test('that was terminated accepts no more jobs', async () => {
    const { scanThread } = await scanThreadOf(scriptOf(''));
    await scanThread.end();
    await assert.rejects(scanThread.call('index', task), /ended/);
  });

  suite('in a scan', () => {
    let folder = '';
    suiteSetup(() => {
      // Enough files for a second thread, and similar enough that it has something to match.
      folder = makeFolder(Object.fromEntries(Array.from({ length: 320 }, (_, file) => [`${file}.ts`, textOf(file)])));
    });
    suiteTeardown(() => removeFolder(folder));

    for (const code of ['EMFILE', 'ERR_WORKER_INIT_FAILED']) {
      test(`that cannot start (${code}) is not needed`, async () => {
        const input = await inputOf(folder);
        const script = moduleOf(`throw Object.assign(new Error('refused'), { code: '${code}' });`);
        const { groups, totals } = await scan(requestOf(input, { workers: 2, scanThread: script }), patient);
        const alone = await scan(requestOf(input, { workers: 1 }), patient);
        assert.ok(groups.length > 0);
        assert.deepEqual([groups, totals.files], [alone.groups, alone.totals.files]);
      });
    }

    for (const type of ['index', 'search', 'match'] satisfies ScanThreadJob['type'][]) {
      test(`that exits during ${type} fails the scan, which stops`, async () => {
        let checks = 0;
        const cancelled = (): boolean => {
          checks++;
          // The scan thread exits while this thread is busy.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
          return false;
        };
        const request = requestOf(await inputOf(folder), { workers: 2, scanThread: scriptWithout(type) });
        const unheard: unknown[] = [];
        const hear = (reason: unknown): unknown => unheard.push(reason);
        process.on('unhandledRejection', hear);
        await assert.rejects(scan(request, { onProgress: () => undefined, cancelled }), died);
        process.off('unhandledRejection', hear);
        assert.deepEqual(unheard, []);
        const before = checks;
        // The timer of another check (`checkEveryMs` in sharedWork.ts) would end before this one.
        await setTimeout(25);
        assert.equal(checks, before);
      });
    }

    test('that exits during matching fails an update and releases its memory', async () => {
      const storage = makeFolder({});
      const flag = path.join(storage, 'ends');
      const request = requestOf(await inputOf(folder), { workers: 2, scanThread: scriptWithout('match', flag) });
      const { live } = await scanToFollow(request, patient, 'index');
      writeFileSync(flag, '');
      const used: number[] = [];
      for (const minTokens of [40, 45, 40, 45]) {
        const options = { ...defaultOptions, minTokens };
        const turning = live!.applySettings({ options, configured: [] }, await inputOf(folder), new Set(), patient);
        await assert.rejects(turning, died);
        used.push(live!.state().kernel.usedBytes());
      }
      assert.equal(used.at(-1), used[1], String(used));
      removeFolder(storage);
    });

    for (const type of ['index', 'search'] satisfies ScanThreadJob['type'][]) {
      test(`that never finishes ${type} is not awaited when the scan is canceled`, async () => {
        const flag = path.join(makeFolder({}), 'received');
        let [idleMs, isCancelled] = [Number.POSITIVE_INFINITY, false];
        const cancelled = (): boolean => {
          const before = idleMs;
          idleMs = performance.eventLoopUtilization().idle;
          // This thread is never idle between two calls during its own work.
          isCancelled ||= idleMs > before && existsSync(flag);
          return isCancelled;
        };
        const request = requestOf(await inputOf(folder), { workers: 2, scanThread: scriptIgnoring(type, flag) });
        const { complete } = await scan(request, { onProgress: () => undefined, cancelled });
        assert.equal(complete, false);
        removeFolder(path.dirname(flag));
      });
    }
  });
});

/** Returns a text of two hundred lines that resembles that of every third number. */
function textOf(file: number): string {
  const lines = Array.from({ length: 200 }, (_, line) => `const a${line} = b${(file * line) % 3}(c${line}, ${line});`);
  return [`const own${file} = ${file};`, ...lines].join('\n');
}
