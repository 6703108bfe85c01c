/** `kindred org scan --engine spark` on a standalone cluster: a master and two workers on this machine. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../scripts/project.mjs';
import type { Group, Passage } from '../../src/core/engine/report/report.ts';
import { type Outcome, outcomeOf, start } from '../cli/kindred.ts';
import { withoutWindows } from '../engine/matches/portedTexts.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { writeFiles } from '../organisation/storing.ts';

const spark = process.env['SPARK_HOME'] ?? '';
const cli = path.join(root, 'dist/cli.js');
const executorClass = 'CoarseGrainedExecutorBackend';

/** A process of Spark, and its log so far. */
interface Daemon {
  readonly child: ChildProcess;
  log: string;
}

suite('a scan on Spark', () => {
  let folder = '';
  let master = '';
  const daemons: Daemon[] = [];

  suiteSetup(async () => {
    folder = makeFolder({
      'conf/spark-defaults.conf': [
        'spark.driver.bindAddress 127.0.0.1',
        'spark.driver.host 127.0.0.1',
        'spark.executor.memory 600m',
        'spark.ui.enabled false',
      ].join('\n'),
    });
    for (const name of ['src', 'test'])
      cpSync(path.join(root, name), path.join(folder, 'all', name), { recursive: true });
    for (const name of ['eslint', 'mocha']) {
      cpSync(path.join(root, 'node_modules', name, 'lib'), path.join(folder, 'all', name), { recursive: true });
    }
    writeFiles(path.join(folder, 'all', 'ports'), withoutWindows);
    const names = readdirSync(path.join(folder, 'all'));
    const added = await org(['add', ...names.map((name) => path.join('all', name))]);
    assert.deepEqual([added.code, added.stderr], [0, '']);
    const deploy = 'org.apache.spark.deploy';
    const ports = ['--host', '127.0.0.1', '--port', '0', '--webui-port', '0'];
    master = await logged(startDaemon([`${deploy}.master.Master`, ...ports]), /Starting Spark master at (spark:\S+)/);
    for (const name of ['worker1', 'worker2']) {
      const own = ['--cores', '1', '--memory', '1g', '--work-dir', path.join(folder, name)];
      await logged(startDaemon([`${deploy}.worker.Worker`, ...ports, ...own, master]), /(registered) with master/);
    }
  });
  suiteTeardown(async () => {
    for (const { child } of daemons.reverse()) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill()) await ended;
    }
    removeFolder(folder);
  });

  function environment(): NodeJS.ProcessEnv {
    return { KINDRED_INDEX: './index', SPARK_CONF_DIR: path.join(folder, 'conf'), SPARK_LOCAL_IP: '127.0.0.1' };
  }
  const org = (commandArguments: readonly string[]): Promise<Outcome> =>
    outcomeOf(start(['org', ...commandArguments], { cwd: folder, env: environment() }));

  function startDaemon(commandArguments: readonly string[]): Daemon {
    const child = spawn(path.join(spark, 'bin', 'spark-class'), commandArguments, {
      env: { ...process.env, ...environment() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const daemon = { child, log: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (daemon.log += text));
    }
    daemons.push(daemon);
    return daemon;
  }

  /** Writes a worker that waits before it aligns. `started` has a file for each of its processes. */
  function waitingWorker(name: string): { readonly worker: string; readonly started: string; readonly go: string } {
    const [worker, started, go] = [name, `${name}-started`, `${name}-go`].map((own) => path.join(folder, own)) as [
      ...[string, string, string],
    ];
    mkdirSync(started);
    writeFileSync(
      worker,
      `#!/bin/sh
if [ "$2" = align ]; then touch "${started}/$$"; while [ ! -e "${go}" ]; do sleep 0.1; done; fi
exec "${process.execPath}" "${cli}" "$@"`,
    );
    chmodSync(worker, 0o755);
    return { worker, started, go };
  }

  test('has the report of DuckDB and the rows of one scan, also if an executor is killed', async () => {
    const { worker, started, go } = waitingWorker('worker');
    const scanned = org(['scan', '--engine', 'spark', '--master', master, '--worker', worker, '--format', 'json']);
    const [first] = await polled(() => {
      const pids = readdirSync(started).map(Number);
      return pids.length > 0 ? pids : undefined;
    }, scanned);
    const executor = ancestorOf(first, executorClass);
    assert.ok(existsSync(`/proc/${first}`), 'the worker has ended');
    process.kill(executor, 'SIGKILL');
    await polled(() => (existsSync(`/proc/${executor}`) ? undefined : true), scanned);
    const before = new Set(readdirSync(started));
    await polled(() => (daemons.some(({ log }) => /exitStatus 137/.test(log)) ? true : undefined), scanned);
    writeFileSync(go, '');
    const { code, stdout, stderr } = await scanned;
    assert.deepEqual([code, stderr], [0, '']);
    // Another executor has aligned the pairs of the killed one.
    assert.ok(readdirSync(started).some((pid) => !before.has(pid)));
    await findsCopies(stdout);

    const duckdb = await org(['scan', '--format', 'json']);
    assert.equal(duckdb.code, 0);
    assert.ok(stdout === duckdb.stdout, 'the report is another one than that of DuckDB');
    const whole = await outcomeOf(start(['scan', '.', '--format', 'json'], { cwd: path.join(folder, 'all') }));
    const [rows, expected] = [stdout, whole.stdout].map(rowsOf);
    assert.ok(rows.length > 100);
    assert.ok(
      rows.some((row) => /Planner\.java.*planner\.kt/s.test(JSON.stringify(row))),
      'a port is missing',
    );
    assert.deepEqual(rows, expected);
  });

  /** Searches for a passage of a report in the index, and checks that its copy is found. */
  async function findsCopies(report: string): Promise<void> {
    const { groups } = JSON.parse(report) as { groups: Group[] };
    const [original, copy] = groups.find(({ kind, type }) => kind === 'code' && type === 'exact')!.passages;
    const place = `${path.join('all', original.path)}:${original.startLine}-${original.endLine}`;
    const { code, stdout, stderr } = await org(['find', place, '--format', 'json']);
    assert.deepEqual([code, stderr], [0, '']);
    const { passages } = JSON.parse(stdout) as { passages: Passage[] };
    const found = passages.map(({ path: file }) => file);
    assert.ok(found.includes(copy.path), `${copy.path} is not among ${found.join(', ')}`);
  }

  test('continues with the candidate pairs if the scan and its driver are killed', async () => {
    const { worker, started, go } = waitingWorker('killed');
    const commandArguments = ['scan', '--engine', 'spark', '--master', master, '--format', 'json'];
    const child = start(['org', ...commandArguments, '--worker', worker], { cwd: folder, env: environment() });
    const scanned = outcomeOf(child);
    await polled(() => (readdirSync(started).length > 0 ? true : undefined), scanned);
    const processes = [child.pid!, ...descendantsOf(child.pid!)];
    assert.ok(processes.length >= 3, 'Kindred, Spark, and the program');
    for (const pid of processes) process.kill(pid, 'SIGKILL');
    assert.equal((await scanned).code, null);

    // The pairs of one file are aligned, so the next scan only aligns the others.
    const writing = path.join(folder, 'index', 'writing');
    const saved = path.join(
      writing,
      readdirSync(writing).find((name) => name.endsWith('.steps'))!,
    );
    const [aligned, ...others] = readdirSync(path.join(saved, 'pairs')).filter((name) => name.endsWith('.parquet'));
    const [pairs, matches] = ['pairs', 'matches'].map((own) => path.join(saved, own, aligned));
    assert.equal((await org(['align', pairs, matches])).code, 0);
    const next = waitingWorker('next');
    writeFileSync(next.go, '');
    const { code, stdout, stderr } = await org([...commandArguments, '--worker', next.worker]);
    assert.deepEqual([code, stderr.trimEnd().split('\n').length], [0, 1], stderr);
    assert.ok(others.length > 0);
    assert.equal(readdirSync(next.started).length, others.length);
    writeFileSync(go, '');
    assert.match(stderr, /an earlier scan of these repositories was interrupted; continuing with its candidate pairs/);
    const duckdb = await org(['scan', '--format', 'json']);
    assert.ok(stdout === duckdb.stdout, 'the report is another one than that of DuckDB');
    assert.deepEqual(readdirSync(writing), []);
  });

  test('explains a wrong master, and executors without Kindred', async () => {
    const refusal = async (commandArguments: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await org(['scan', '--engine', 'spark', ...commandArguments]);
      assert.deepEqual([code, stdout, stderr.trimEnd().split('\n').length], [2, '', 1], stderr);
      return stderr;
    };
    assert.match(
      await refusal(['--master', 'spark://127.0.0.1:9']),
      /no Spark master answers at spark:\/\/127\.0\.0\.1:9/i,
    );
    assert.match(
      await refusal(['--master', master, '--worker', '/no/such/kindred']),
      /the executor on \S+ cannot run \/no\/such\/kindred: install Kindred there, or name it with --worker/i,
    );
  });
});

/** Returns the ids and passages of the groups of a report, in order. */
function rowsOf(json: string): object[] {
  const { groups } = JSON.parse(json) as { groups: Group[] };
  return groups.map(({ id, parent, passages }) => ({ id, parent, passages }));
}

/** Waits until a log contains something, and returns its first part in parentheses. */
async function logged(daemon: Daemon, pattern: RegExp): Promise<string> {
  return polled(() => {
    if (daemon.child.exitCode !== null) throw new Error(`Spark has ended: ${daemon.log}`);
    return pattern.exec(daemon.log)?.[1];
  });
}

/**
 * Polls until there is a result.
 *
 * @param scan  must not end meanwhile
 */
async function polled<Result>(read: () => Result | undefined, scan?: Promise<Outcome>): Promise<Result> {
  let ended: Outcome | undefined;
  void scan?.then((outcome) => (ended = outcome));
  for (;;) {
    const result = read();
    if (result !== undefined) return result;
    assert.equal(ended, undefined, 'the scan has ended');
    await setTimeout(50);
  }
}

/** Returns the nearest process above another one whose command line contains a text. */
function ancestorOf(pid: number, text: string): number {
  for (let at = pid; at > 1;) {
    if (readFileSync(`/proc/${at}/cmdline`, 'utf8').includes(text)) return at;
    at = parentOf(at)!;
  }
  return assert.fail(`no process above ${pid} is a ${text}`);
}

/** Returns the processes below another one. */
function descendantsOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((own) => parentOf(own) === pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
  } catch {
    return undefined;
  }
}
