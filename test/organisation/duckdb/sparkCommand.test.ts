/**
 * `kindred org scan --engine spark` without Spark: its place is taken by scripts that fail like it, or that run the
 * steps. `npm run test:spark` tests it on a cluster.
 */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/project.mjs';
import type { SparkPlan } from '../../../src/organisation/repositories/sparkPlan.ts';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { drawing, harbour, parsing, parsingRenamed } from '../../passages.ts';
import { outcomeOf, start } from '../../cli/kindred.ts';

const cli = path.join(root, 'dist/cli.js');

suite('kindred org scan --engine spark', () => {
  let folder = '';
  suiteSetup(async () => {
    folder = makeFolder({
      'billing/src/parse.ts': parsing,
      'billing/README.md': harbour,
      'invoicing/lib/both.ts': drawing + parsingRenamed,
      'shop/draw.ts': drawing,
    });
    const { code } = await outcomeOf(
      start(['org', 'add', 'billing', 'invoicing', 'shop', '--index', 'index'], { cwd: folder }),
    );
    assert.equal(code, 0);
  });
  suiteTeardown(() => removeFolder(folder));

  /** Replaces spark-submit by a script. Its last arguments are the program and the plan. */
  function replaceSpark(script: string): NodeJS.ProcessEnv {
    const home = path.join(folder, 'spark');
    mkdirSync(path.join(home, 'bin'), { recursive: true });
    writeFileSync(path.join(home, 'bin', 'spark-submit'), `#!/bin/sh\nset -e\nfor last; do :; done\n${script}\n`);
    chmodSync(path.join(home, 'bin', 'spark-submit'), 0o755);
    return { SPARK_HOME: home };
  }
  const scan = (commandArguments: readonly string[], env: NodeJS.ProcessEnv) =>
    outcomeOf(start(['org', 'scan', '--index', './index', ...commandArguments], { cwd: folder, env }));
  const refusal = async (commandArguments: readonly string[], env: NodeJS.ProcessEnv): Promise<string> => {
    const temporary = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('kindred-spark-'));
    const before = new Set(temporary());
    const { code, stdout, stderr } = await scan(['--engine', 'spark', ...commandArguments], env);
    assert.deepEqual([code, stdout], [2, '']);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    assert.deepEqual(
      temporary().filter((name) => !before.has(name) && existsSync(path.join(tmpdir(), name, 'plan.json'))),
      [],
    );
    return stderr;
  };

  test('prints the report of a scan from the matches that Spark has found', async () => {
    const env = replaceSpark(`
      cp "$last" plan.json; echo "$1 $2" > master.txt; echo "kindred progress 1"; echo "WARN something" >&2
      saved=$("${process.execPath}" -p 'require("./plan.json").saved'); mkdir -p "$saved/pairs" "$saved/matches"
      "${process.execPath}" "${cli}" org pairs --index index "$saved/pairs/0.parquet"
      "${process.execPath}" "${cli}" org align --index index "$saved/pairs/0.parquet" "$saved/matches/0.parquet"`);
    const commandArguments = ['--format', 'json'];
    const spark = await scan([...commandArguments, '--engine', 'spark', '--master', 'local[2]'], env);
    const duckdb = await scan(commandArguments, {});
    assert.deepEqual([spark.code, spark.stderr], [0, '']);
    assert.ok(spark.stdout.includes('"renamed"'));
    assert.equal(spark.stdout, duckdb.stdout);
    assert.equal(readFileSync(path.join(folder, 'master.txt'), 'utf8'), '--master local[2]\n');
    const plan = JSON.parse(readFileSync(path.join(folder, 'plan.json'), 'utf8')) as SparkPlan & { worker: string[] };
    assert.deepEqual(plan.worker, [process.execPath, cli]);
    assert.deepEqual(
      plan.repositories.map(([prefix]) => prefix),
      ['billing/', 'invoicing/', 'shop/'],
    );
    for (const { levels } of plan.views) {
      assert.ok(levels.length > 2);
      assert.deepEqual(
        levels.map(({ fingerprints }) => fingerprints),
        levels.map(({ fingerprints }) => fingerprints).sort((x, y) => x - y),
      );
      assert.equal(levels.at(-1)!.fingerprints, 2 ** 40);
    }
  });

  test('names a missing program, and how to install it', async () => {
    assert.match(
      await refusal([], { SPARK_HOME: '', PATH: '/no/such/folder' }),
      /there is no spark-submit on PATH: install Spark 3\.5 or newer .*, or set SPARK_HOME\.$/im,
    );
    assert.match(
      await refusal([], { SPARK_HOME: '/no/spark' }),
      /SPARK_HOME is \/no\/spark, which has no bin\/spark-submit/,
    );
    assert.match(
      await refusal([], replaceSpark('echo "JAVA_HOME is not set" >&2; exit 1')),
      /spark has found no Java that it can use: install Java 17/i,
    );
    assert.match(
      await refusal(
        [],
        replaceSpark('echo "java.io.IOException: Cannot run program \\"python3\\": error=2" >&2; exit 1'),
      ),
      /spark has found no Python: install Python 3\.9/i,
    );
    assert.match(
      await refusal([], replaceSpark('echo "kindred error: the executor on h cannot read the index."; exit 1')),
      /: the executor on h cannot read the index\.$/im,
    );
    assert.match(
      await refusal([], replaceSpark('echo "kindred failure: java.lang.IllegalStateException: no"; exit 1')),
      /spark failed: java\.lang\.IllegalStateException: no$/im,
    );
    assert.match(
      await refusal([], replaceSpark('echo "ERROR: All masters are unresponsive! Giving up." >&2; exit 1')),
      /the program at the address of --master does not answer like a Spark master: check the address/i,
    );
    assert.match(
      await refusal([], replaceSpark('echo starting; echo "org.apache.spark.SparkException: no rights" >&2; exit 1')),
      /spark failed: org\.apache\.spark\.SparkException: no rights/i,
    );
    const { code, stderr } = await scan(['--master', 'yarn'], {});
    assert.deepEqual([code, stderr.includes('--master and --worker require --engine spark.')], [2, true]);
  });

  test('rejects a master that does not answer', async () => {
    const env = replaceSpark('touch started; exit 3');
    assert.match(
      await refusal(['--master', 'http://host:80'], env),
      /--master must be the URL of a Spark master, such as/,
    );
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    assert.match(
      await refusal(['--master', `spark://127.0.0.1:${port}`], env),
      new RegExp(`no Spark master answers at spark://127\\.0\\.0\\.1:${port}: check the address`, 'i'),
    );
    assert.ok(!existsSync(path.join(folder, 'started')));
  });

  test('ends Spark if it is interrupted, and leaves no files', async () => {
    const env = replaceSpark(
      'trap "touch ended; exit 1" TERM; dirname "$last" > place.txt; touch begun; while true; do sleep 0.05; done',
    );
    const child = start(['org', 'scan', '--engine', 'spark', '--index', 'index'], { cwd: folder, env });
    const outcome = outcomeOf(child);
    while (!existsSync(path.join(folder, 'begun'))) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGTERM');
    const { code, stderr } = await outcome;
    assert.deepEqual([code, stderr], [143, 'kindred: interrupted; the stored repositories are unchanged.\n']);
    assert.ok(existsSync(path.join(folder, 'ended')));
    assert.ok(!existsSync(readFileSync(path.join(folder, 'place.txt'), 'utf8').trim()));
  });
});
