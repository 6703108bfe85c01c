/**
 * Cold scans of real trees by Kindred and other programs, in interleaved runs: medians, ratios, peak memory, and
 * Kindred's time by stage.
 *
 *   npm run bench -- scan [--corpora FOLDER] [--tree FOLDER]… [--runs N] [--jscpd PROGRAM] [--sim FOLDER]
 *                         [--limit SECONDS] [-- OPTION…]
 *
 * --corpora   folder that contains the trees (`corpora` in the project)
 * --tree      one tree, instead of or in addition to these
 * --runs      runs of each program (3)
 * --jscpd     executable of jscpd 5 (bin/jscpd of https://www.npmjs.com/package/jscpd-linux-x64-gnu), not its start
 *             script, which has to start Node (`jscpd` on the path)
 * --sim       folder of sim_c, sim_java, and sim_text, from similarity-tester on Debian (the path)
 * --limit     time limit of another program on a tree (300)
 * OPTION      options for `kindred scan`
 *
 * Missing programs are skipped. Every program runs with its defaults, without writing its findings if possible, and
 * reads files up to 1 MB. `sim` has no recursion, so it gets the files that Kindred lists, in one of its three lexers.
 * The trees are read once before, so that disk access does not count.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { machine, median, round, runKindred, runProgram, stageTimes, table } from './measuring.mjs';

const { values, positionals } = parseArgs({
  options: {
    corpora: { type: 'string' },
    tree: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string', default: '3' },
    jscpd: { type: 'string' },
    sim: { type: 'string' },
    limit: { type: 'string', default: '300' },
  },
  allowPositionals: true,
});
const runs = Number(values.runs);
const limitMs = 1000 * Number(values.limit);
const temporary = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
try {
  main();
} finally {
  rmSync(temporary, { recursive: true });
}

function main() {
  const trees = requestedTrees();
  if (trees.length === 0) {
    console.error('There is no tree to scan: name one with --tree, or a folder of them with --corpora.');
    process.exitCode = 2;
    return;
  }
  console.log(`Cold scans, ${runs} runs each in turn, medians; ${machine()}\n`);
  const figures = trees.map(measureTree);
  console.log(
    table(
      ['tree', 'lines', 'kindred s', 'CPU s', 'MB', 'jscpd s', 'CPU s', 'MB', 'time', 'memory', 'sim s', 'MB', 'time'],
      figures.map(({ tree, lines, kindred, jscpd, sim }) => [
        ...[tree, lines.toLocaleString('en'), kindred.wall, kindred.cpu, kindred.peakMB],
        ...[seconds(jscpd), jscpd.cpu, jscpd.peakMB, ratio(kindred.wall, jscpd.wall)],
        ...[ratio(kindred.peakMB, jscpd.peakMB), seconds(sim), sim.peakMB, ratio(kindred.wall, sim.wall)],
      ]),
    ),
  );
  console.log('\nTime and memory: Kindred’s over theirs.\n\nKindred by stage, ms (CPU ms of all threads):\n');
  const stages = figures[0]?.stages.map(({ stage }) => stage) ?? [];
  console.log(
    table(
      ['tree', ...stages, 'index bytes a line'],
      figures.map((figure) => [
        figure.tree,
        ...figure.stages.map(({ ms, cpuMs }) => `${ms} (${cpuMs})`),
        figure.indexBytesPerLine,
      ]),
    ),
  );
  console.log();
  console.log(JSON.stringify({ bench: 'scan', runs, machine: machine(), trees: figures }));
}

/** @returns {string[]} folders */
function requestedTrees() {
  const named = values.tree.map((tree) => path.resolve(tree));
  const corpora = values.corpora ?? (named.length === 0 ? path.join(root, 'corpora') : undefined);
  if (corpora === undefined || !existsSync(corpora)) return named;
  const inCorpora = readdirSync(corpora)
    .filter((name) => !name.startsWith('.'))
    .map((name) => path.resolve(corpora, name))
    .filter((folder) => statSync(folder).isDirectory());
  return [...inCorpora, ...named];
}

/** @param {string} tree */
function measureTree(tree) {
  const peers = { jscpd: jscpdOf(tree), sim: simOf(tree) };
  // A warm-up that reads the files into the page cache. It is not measured.
  const { totals, stages: ends } = runKindred(tree, positionals);
  /** @type {ReturnType<typeof runKindred>[]} */
  const own = [];
  /** @type {Record<keyof typeof peers, (import('./measuring.mjs').Run | undefined)[]>} */
  const theirs = { jscpd: [], sim: [] };
  for (let round = 0; round < runs; round++) {
    own.push(runKindred(tree, positionals));
    for (const name of /** @type {(keyof typeof peers)[]} */ (Object.keys(peers))) {
      // A program that exceeded the time limit is not run again.
      const peer = peers[name];
      if (peer && !theirs[name].includes(undefined)) theirs[name].push(peer());
    }
  }
  const times = own.map(({ stages }) => stageTimes(stages));
  const stages = (times[0] ?? []).map(({ stage }, i) => ({
    stage,
    ms: round(median(times.map((run) => run[i]?.ms ?? NaN)), 0),
    cpuMs: round(median(times.map((run) => run[i]?.cpuMs ?? NaN)), 0),
  }));
  const { files = 0, lines = 0, groups = 0 } = totals;
  const indexBytes = ends.find(({ stage }) => stage === 'read')?.bytes ?? NaN;
  return {
    tree: path.basename(tree),
    files,
    lines,
    groups,
    kindred: summary(own),
    jscpd: summary(theirs.jscpd),
    sim: summary(theirs.sim),
    stages,
    indexBytesPerLine: round(indexBytes / lines, 1),
  };
}

/**
 * Returns medians. Missing figures are null. After a timeout, the wall time is the limit, and `givenUp` is true.
 *
 * @param {readonly (import('./measuring.mjs').Run | undefined)[]} all
 */
function summary(all) {
  if (all.includes(undefined)) return { wall: limitMs / 1000, cpu: null, peakMB: null, givenUp: true };
  const ended = all.filter((run) => run !== undefined);
  return {
    wall: round(median(ended.map(({ wall }) => wall))),
    cpu: round(median(ended.map(({ user, system }) => user + system))),
    peakMB: round(median(ended.map(({ peakMB }) => peakMB)), 0),
    givenUp: false,
  };
}

/** @param {{ wall: number | null, givenUp: boolean }} run */
function seconds({ wall, givenUp }) {
  return givenUp ? `> ${wall}` : wall;
}

/**
 * @param {number | null} own
 * @param {number | null} other
 */
function ratio(own, other) {
  return own === null || other === null ? null : round(own / other);
}

/** @param {string} tree */
function jscpdOf(tree) {
  const program = values.jscpd ?? found('jscpd');
  if (program === undefined) return undefined;
  return () => runProgram(program, [tree, '--reporters', 'silent', '--max-size', '1mb'], { accept: [1], limitMs });
}

/** @param {string} tree */
function simOf(tree) {
  const files = filesBelow(tree);
  const ending = mostFrequent(files.map((file) => path.extname(file)));
  const name = ending === '.java' ? 'sim_java' : ending === '.md' || ending === '.txt' ? 'sim_text' : 'sim_c';
  const program = values.sim === undefined ? found(name) : path.join(values.sim, name);
  if (program === undefined) return undefined;
  const list = path.join(temporary, `${path.basename(tree)}.list`);
  writeFileSync(list, files.map((file) => `${file}\n`).join(''));
  return () => runProgram(program, ['-r', '50', '-n', '-T', '-i'], { input: list, limitMs });
}

/** @param {string} tree */
function filesBelow(tree) {
  return readdirSync(tree, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(tree, name))
    .filter((file) => !/\s/.test(file) && statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** @param {readonly string[]} names */
function mostFrequent(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((x, y) => y[1] - x[1])[0]?.[0] ?? '';
}

/** @param {string} name  name of a program on the path */
function found(name) {
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
