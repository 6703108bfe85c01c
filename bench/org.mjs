/**
 * An organization's index on PostgreSQL servers of this machine: the cost of storing repositories, the latency of
 * searches for a passage, and scans with different numbers of servers and workers. For comparison, all folders are
 * scanned once without a database. All scans must return the same rows.
 *
 *   npm run bench -- org [--repositories FOLDER] [--repository FOLDER]… [--servers N] [--workers N,…] [--finds N] [--database URL,…] [--folder]
 *
 * --repositories  folder that contains the repositories
 * --repository    one repository, instead of or in addition to these
 * --servers       maximum number of servers of a scan; an added server first gets its share (3)
 * --workers       numbers of worker processes of a scan (1,2,4)
 * --finds         number of passages of 20 lines to search for (100)
 * --database      URLs of servers with an index of these repositories, separated by commas. Passages are searched for
 *                 in this index, and nothing is stored or scanned
 *
 * --folder        compares one server with an index in a folder instead, with the first number of workers
 *                 (the repositories must be in one folder, or the paths of the one scan differ)
 *
 * Processor times of Kindred and of the servers are separate. On a busy machine, wall time is not meaningful.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { root } from '../scripts/project.mjs';
import { machine, median, quantile, round, runProgram, table } from './measuring.mjs';
import { randomNumbers } from './randomNumbers.mjs';

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    repository: { type: 'string', multiple: true, default: [] },
    servers: { type: 'string', default: '3' },
    workers: { type: 'string', default: '1,2,4' },
    finds: { type: 'string', default: '100' },
    database: { type: 'string' },
    folder: { type: 'boolean', default: false },
  },
});
/** Settings for a dedicated machine with some gigabytes of memory. */
const serverSettings = {
  fsync: 'on',
  shared_buffers: '512MB',
  work_mem: '64MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
};

const cli = path.join(root, 'dist', 'cli.js');
const repositories = requestedFolders();
if (values.database !== undefined && repositories.length > 0) {
  findIn(values.database.split(','));
} else if (repositories.length < 2) {
  console.error(
    'There is nothing to compare: name two repositories with --repository, or a folder of them with --repositories.',
  );
  process.exitCode = 2;
} else if (values.folder) {
  await compareStores();
} else {
  await main();
}

/** Measures an index on one server, and the same index in a folder. Both must have the same answers and rows. */
async function compareStores() {
  const { startPostgres, openDatabase } = await databaseLayer();
  const server = await startPostgres(serverSettings);
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  try {
    console.log(
      `${repositories.length} repositories; ${machine()}; PostgreSQL with ${JSON.stringify(serverSettings)}\n`,
    );
    await (await openDatabase([server.url], 'write')).close();
    const reference = scanFolders();
    console.log(`one scan of all folders: ${JSON.stringify({ ...reference, rows: undefined })}\n`);
    const [workers = '1'] = values.workers.split(',');
    /** @type {string | undefined} */
    let answers;
    /** @type {Record<string, object>} */
    const figures = {};
    for (const [name, index] of /** @type {const} */ ([
      ['folder', { url: path.join(folder, 'index') }],
      ['PostgreSQL', server],
    ])) {
      console.log(`# ${name}\n`);
      const { files, ...stored } = store([index], 'data' in index ? bytesOf([index]) : 0);
      const found = find([index], files);
      const staying = await findStaying(index.url, files);
      if (answers !== undefined && answers !== staying.answers) throw new Error('Searches have different results.');
      answers = staying.answers;
      const scanned = scan([index], workers, reference.rows);
      console.log(`scan: ${JSON.stringify(scanned)}\n`);
      if (!scanned.same) throw new Error('Scans have different rows.');
      figures[name] = { stored, found, staying: staying.passes, scanned };
    }
    console.log(JSON.stringify({ ...figures, reference: { ...reference, rows: undefined } }));
  } finally {
    await server.remove();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Searches for passages in this process, twice. Returns the figures of both passes, and all answers.
 *
 * @param {string} url
 * @param {readonly string[]} files
 */
async function findStaying(url, files) {
  const { openSearch } = await import(pathToFileURL(path.join(root, 'dist', 'orgSearch.js')).href);
  const search = openSearch(url, { address: '--database', password: '--database' });
  const random = randomNumbers(2);
  const questions = [];
  for (let tries = 0; questions.length < Number(values.finds) && tries < 20 * Number(values.finds); tries++) {
    const file = files[Math.floor(random() * files.length)] ?? '';
    const lines = readFileSync(file, 'utf8').split('\n');
    if (lines.length < 40) continue;
    const start = Math.floor(random() * (lines.length - 20));
    const text = lines.slice(start, start + 20).join('\n');
    const origin = { file, startLine: start + 1, endLine: start + 20 };
    questions.push({ text, path: file, languageId: '', origin, most: 50 });
  }
  const [answers, passes] = [[], /** @type {object[]} */ ([])];
  for (const pass of ['first', 'second']) {
    const [walls, processor] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
    for (const question of questions) {
      const [started, before] = [performance.now(), process.cpuUsage()];
      const { similar, problem } = await search.find(question);
      if (problem !== undefined) throw new Error(problem);
      const { user, system } = process.cpuUsage(before);
      walls.push(performance.now() - started);
      processor.push((user + system) / 1000);
      answers.push(similar);
    }
    const [medianMs, ms95] = [round(median(walls)), round(quantile(walls, 0.95))];
    const [cpuMs, cpuMs95] = [round(median(processor)), round(quantile(processor, 0.95))];
    passes.push({ medianMs, ms95, cpuMs, cpuMs95 });
    console.log(
      `find in a process that stays, ${pass} pass of ${questions.length}: median ${medianMs} ms, 95 % ${ms95} ms; processor time ${cpuMs} and ${cpuMs95} ms`,
    );
  }
  await search.close();
  return { passes, answers: JSON.stringify(answers) };
}

/** Searches for passages in an existing index. @param {readonly string[]} urls */
function findIn(urls) {
  const servers = urls.map((url) => ({ url }));
  const { repositories: stored } = JSON.parse(org(servers, ['status', '--format', 'json']).output);
  const origins = new Set(stored.map((/** @type {{ origin: string }} */ { origin }) => origin));
  const missing = repositories.filter((folder) => !origins.has(folder));
  if (missing.length > 0) throw new Error(`not in the index: ${missing.join(', ')}`);
  console.log(machine());
  console.log(JSON.stringify(find(servers, repositories.flatMap(sourcesOf))));
}

async function main() {
  const { startPostgres, openDatabase, rebalance } = await databaseLayer();
  /** @type {{ url: string, data: string, remove: () => Promise<void>, run: (statements: string) => Promise<void> }[]} */
  const servers = [];
  const add = async () => void servers.push(await startPostgres(serverSettings));
  try {
    await add();
    console.log(
      `${repositories.length} repositories; ${machine()}; PostgreSQL with ${JSON.stringify(serverSettings)}\n`,
    );
    // The size of an empty index is subtracted, so that bytes per line are accurate.
    const empty = await openDatabase([servers[0]?.url], 'write');
    await empty.close();
    const emptyBytes = bytesOf(servers);
    const stored = store(servers, emptyBytes);
    const found = find(servers, stored.files);
    const reference = scanFolders();
    console.log(`one scan of all folders: ${JSON.stringify({ ...reference, rows: undefined })}\n`);
    const scans = [];
    for (let count = 1; count <= Number(values.servers); count++) {
      let moved = 0;
      if (count > 1) {
        await add();
        const started = performance.now();
        const database = await openDatabase(
          servers.map(({ url }) => url),
          'join',
        );
        moved = await rebalance(database);
        await database.close();
        console.log(
          `server ${count} added: ${moved} parts moved in ${round((performance.now() - started) / 1000)} s\n`,
        );
      }
      for (const workers of values.workers.split(',')) {
        // The results of a run are reused as long as no repository changes, so they are deleted here.
        await servers[0]?.run('DELETE FROM kindred.run; DELETE FROM kindred.rarity');
        const made = { ...scan(servers, workers, reference.rows), servers: count, workers };
        scans.push(made);
        // Printed immediately, because the next scan may take an hour.
        console.log(`scan: ${JSON.stringify(made)}`);
      }
    }
    console.log(
      table(
        ['servers', 'workers', 's', 'CPU s', 'CPU s of PostgreSQL', 'same rows'],
        [
          ['–', '1', reference.wall, reference.cpu, '–', '–'],
          ...scans.map((each) => [
            each.servers,
            each.workers,
            each.wall,
            each.cpu,
            each.serverCpu,
            each.same ? 'yes' : 'NO',
          ]),
        ],
      ),
    );
    if (scans.some(({ same }) => !same)) process.exitCode = 1;
    console.log(
      JSON.stringify({
        stored: { ...stored, files: undefined },
        found,
        reference: { ...reference, rows: undefined },
        scans,
      }),
    );
  } finally {
    await Promise.all(servers.map((server) => server.remove()));
  }
}

/** Bundles the database layer of the tests and the command line, because benches are not TypeScript. */
async function databaseLayer() {
  const outfile = path.join(root, 'dist', 'benchOrg.mjs');
  await build({
    stdin: {
      contents: `export { startPostgres } from './test/harness/postgres.ts';
        export { openDatabase } from './src/organisation/database/openDatabase.ts';
        export { rebalance } from './src/organisation/database/rebalance.ts';`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outfile,
    logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}

/** @returns {readonly string[]} */
function requestedFolders() {
  const folder = values.repositories;
  const within =
    folder === undefined
      ? []
      : readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => path.resolve(folder, entry.name));
  return [...within, ...values.repository.map((name) => path.resolve(name))].sort();
}

/**
 * Runs `kindred org`.
 *
 * @param {readonly { url: string, data?: string }[]} servers
 * @param {readonly string[]} orgArguments
 */
function org(servers, orgArguments) {
  const before = serverSeconds(servers);
  const run = runProgram(process.execPath, [cli, 'org', ...orgArguments], {
    env: { KINDRED_DATABASE: servers.map(({ url }) => url).join(',') },
  });
  if (run === undefined) throw new Error('it did not end');
  return {
    output: run.output,
    wall: round(run.wall),
    cpu: round(run.user + run.system),
    peakMB: Math.round(run.peakMB),
    serverCpu: round(serverSeconds(servers) - before),
  };
}

/**
 * @param {readonly { url: string, data?: string }[]} servers
 * @param {number} emptyBytes
 */
function store(servers, emptyBytes) {
  const rows = repositories.map((folder) => {
    const { wall, cpu, peakMB, serverCpu } = org(servers, ['add', '--no-progress', folder]);
    console.log(`stored ${path.basename(folder)}: ${wall} s`);
    return { folder, wall, cpu, peakMB, serverCpu };
  });
  const status = JSON.parse(org(servers, ['status', '--format', 'json']).output);
  const linesOf = new Map(
    /** @type {{ origin: string, lines: number }[]} */ (status.repositories).map(({ origin, lines }) => [
      origin,
      lines,
    ]),
  );
  console.log(
    table(
      ['repository', 'lines', 's', 'CPU s', 'CPU s of PostgreSQL', 'MB', 'lines/s'],
      rows.map(({ folder, wall, cpu, serverCpu, peakMB }) => {
        const lines = linesOf.get(folder) ?? 0;
        return [
          path.basename(folder),
          lines.toLocaleString('en'),
          wall,
          cpu,
          serverCpu,
          peakMB,
          Math.round(lines / wall),
        ];
      }),
    ),
  );
  const sum = (/** @type {'wall' | 'cpu' | 'serverCpu'} */ field) =>
    round(rows.reduce((total, row) => total + row[field], 0));
  const lines = [...linesOf.values()].reduce((total, each) => total + each, 0);
  const bytes = bytesOf(servers) - emptyBytes;
  const figures = {
    lines,
    wall: sum('wall'),
    cpu: sum('cpu'),
    serverCpu: sum('serverCpu'),
    bytes,
    emptyBytes,
    linesPerSecond: Math.round(lines / sum('wall')),
    bytesPerLine: round(bytes / lines),
  };
  console.log(
    `\n${lines.toLocaleString('en')} lines: ${figures.linesPerSecond} lines/s, ${figures.bytesPerLine} bytes a line\n`,
  );
  return { ...figures, files: repositories.flatMap(sourcesOf) };
}

/** Returns files that are probably stored and have enough lines for a passage. @param {string} folder */
function sourcesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(c|go|java|py|rs|js|ts|rb)$/.test(name) && !/(^|\/)(\.|node_modules|vendor|dist)/.test(name))
    .map((name) => path.join(folder, name));
}

/**
 * @param {readonly { url: string, data?: string }[]} servers
 * @param {readonly string[]} files
 */
function find(servers, files) {
  const random = randomNumbers(1);
  /** @type {number[]} */
  const searches = [];
  /** @type {number[]} */
  const calls = [];
  /** @type {number[]} */
  const processor = [];
  /** @type {number[]} */
  const serverProcessor = [];
  for (let tries = 0; searches.length < Number(values.finds) && tries < 20 * Number(values.finds); tries++) {
    const file = files[Math.floor(random() * files.length)] ?? '';
    const lines = readFileSync(file, 'utf8').split('\n').length;
    if (lines < 40) continue;
    const start = 1 + Math.floor(random() * (lines - 20));
    const { output, wall, serverCpu, cpu } = org(servers, [
      'find',
      `${file}:${start}-${start + 19}`,
      '--format',
      'json',
    ]);
    searches.push(JSON.parse(output).searchMs);
    calls.push(wall);
    processor.push(1000 * cpu);
    serverProcessor.push(1000 * serverCpu);
  }
  const figures = {
    count: searches.length,
    medianMs: round(median(searches)),
    ms95: round(quantile(searches, 0.95)),
    callMedianMs: Math.round(1000 * median(calls)),
    callCpuMs: Math.round(median(processor)),
    serverCpuMs: Math.round(median(serverProcessor)),
  };
  console.log(
    `find, ${figures.count} passages of 20 lines: median ${figures.medianMs} ms, 95 % ${figures.ms95} ms; the whole command ${figures.callMedianMs} ms, processor time ${figures.callCpuMs} ms and of PostgreSQL ${figures.serverCpuMs} ms\n`,
  );
  return figures;
}

/** Scans all folders at once, without a database. */
function scanFolders() {
  const run = runProgram(process.execPath, [
    cli,
    'scan',
    '--no-progress',
    '--workers',
    '1',
    '--format',
    'json',
    ...repositories,
  ]);
  if (run === undefined) throw new Error('it did not end');
  return {
    wall: round(run.wall),
    cpu: round(run.user + run.system),
    peakMB: Math.round(run.peakMB),
    rows: rowsOf(run.output),
  };
}

/**
 * @param {readonly { url: string, data?: string }[]} servers
 * @param {string} workers
 * @param {string} expected
 */
function scan(servers, workers, expected) {
  const { output, ...figures } = org(servers, ['scan', '--no-progress', '--workers', workers, '--format', 'json']);
  return { ...figures, same: rowsOf(output) === expected };
}

/** Returns the groups of a report without the fields that only one of the commands prints. @param {string} report */
function rowsOf(report) {
  const { groups } = JSON.parse(report);
  return JSON.stringify(
    groups.map((/** @type {{ repositories?: unknown }} */ group) => ({ ...group, repositories: undefined })),
  );
}

/**
 * Returns the total processor time of servers, including ended processes. It is 0 for a server that was not started
 * here.
 *
 * @param {readonly { data?: string }[]} servers
 */
function serverSeconds(servers) {
  const ticks = servers.map(({ data }) => {
    if (data === undefined) return 0;
    const pid = Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
    return [pid, ...children].reduce((total, each) => total + ticksOf(each), 0);
  });
  return ticks.reduce((total, each) => total + each, 0) / 100;
}

/**
 * Returns the ticks of a process and its ended children (man 5 proc, stat: utime, stime, cutime, cstime).
 *
 * @param {number} pid
 */
function ticksOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .map(Number);
    return fields.slice(11, 15).reduce((total, each) => total + each, 0);
  } catch {
    return 0;
  }
}

/** Returns the disk space of tables and indexes, or of a folder. @param {readonly { url: string, data?: string }[]} servers */
function bytesOf(servers) {
  return servers.reduce((total, { url, data }) => {
    const run = runProgram('du', ['-sb', data === undefined ? url : path.join(data, 'base')]);
    return total + Number(run?.output.split('\t')[0]);
  }, 0);
}
