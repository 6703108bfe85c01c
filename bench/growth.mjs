/**
 * Growth of time and memory with the size of a tree. Samples of increasing size are scanned, from 10,000 lines. A
 * sample consists of the files with the smallest hashes of their names, so each sample contains all smaller ones and is
 * representative.
 *
 *   npm run bench -- growth [--tree FOLDER] [--large] [--runs N] [-- OPTION…]
 *
 * --tree      the tree (`corpora/c` in the project)
 * --large     scans the whole Linux kernel: `corpora/linux`
 * --runs      scans of each size (3, or 1 from three million lines)
 * OPTION      options for `kindred scan`
 *
 * The samples are hard links in a temporary folder beside the tree, or copies if links are not possible.
 */
import { copyFileSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { machine, median, round, runKindred, stageTimes, table } from './measuring.mjs';

const { values, positionals } = parseArgs({
  options: {
    tree: { type: 'string' },
    large: { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
  },
  allowPositionals: true,
});

/** Larger files are not scanned, so they are excluded from the samples. */
const maxBytes = 1_048_576;
/** Minimum number of lines for which one run is enough, because noise is relatively small. */
const manyLines = 3_000_000;

main(path.resolve(values.tree ?? path.join(root, 'corpora', values.large ? 'linux' : 'c')));

/** @param {string} tree */
function main(tree) {
  const files = filesByHash(tree);
  const sizes = [10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, Infinity];
  const folder = mkdtempSync(path.join(path.dirname(tree), 'growth-'));
  console.log(`${path.basename(tree)}, samples of ever more files; ${machine()}\n`);
  /** @type {ReturnType<typeof measure>[]} */
  const figures = [];
  try {
    let taken = 0;
    let lines = 0;
    for (const size of sizes) {
      for (; taken < files.length && lines < size; taken++) {
        const file = files[taken] ?? '';
        lines += countLines(path.join(tree, file));
        put(path.join(tree, file), path.join(folder, file));
      }
      figures.push(measure(folder));
      if (taken === files.length) break;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  print(figures);
  console.log(JSON.stringify({ bench: 'growth', tree: path.basename(tree), machine: machine(), sizes: figures }));
}

/** @param {string} folder */
function measure(folder) {
  const all = [runKindred(folder, positionals)];
  const { files = 0, lines = 0, groups = 0 } = all[0]?.totals ?? {};
  while (lines < manyLines && all.length < Number(values.runs)) all.push(runKindred(folder, positionals));
  const wall = median(all.map((run) => run.wall));
  const cpu = median(all.map(({ user, system }) => user + system));
  const peakMB = median(all.map((run) => run.peakMB));
  const indexBytes = all[0]?.stages.find(({ stage }) => stage === 'read')?.bytes ?? NaN;
  const times = all.map(({ stages }) => stageTimes(stages));
  return {
    files,
    lines,
    groups,
    wall: round(wall),
    cpu: round(cpu),
    peakMB: round(peakMB, 0),
    cpuMicrosecondsPerLine: round((cpu / lines) * 1e6),
    peakBytesPerLine: round((peakMB * 2 ** 20) / lines, 0),
    indexBytesPerLine: round(indexBytes / lines, 0),
    stages: (times[0] ?? []).map(({ stage }, i) => ({
      stage,
      cpuMicrosecondsPerLine: round((median(times.map((run) => run[i]?.cpuMs ?? NaN)) / lines) * 1e3),
    })),
  };
}

/** @param {readonly ReturnType<typeof measure>[]} figures */
function print(figures) {
  const stages = figures[0]?.stages.map(({ stage }) => stage) ?? [];
  console.log(
    table(
      ['lines', 'files', 's', 'CPU s', 'MB', 'CPU µs a line', ...stages, 'peak bytes a line', 'index bytes a line'],
      figures.map((f) => [
        ...[f.lines.toLocaleString('en'), f.files, f.wall, f.cpu, f.peakMB, f.cpuMicrosecondsPerLine],
        ...f.stages.map(({ cpuMicrosecondsPerLine }) => cpuMicrosecondsPerLine),
        ...[f.peakBytesPerLine, f.indexBytesPerLine],
      ]),
    ),
  );
  console.log();
}

/**
 * Returns the relative paths of the files of a tree, sorted by the hash of the path.
 *
 * @param {string} tree
 */
function filesByHash(tree) {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(tree, path.join(entry.parentPath, entry.name)))
    .filter((name) => statSync(path.join(tree, name)).size <= maxBytes)
    .map((name) => ({ name, hash: createHash('sha1').update(name).digest('hex') }))
    .sort((x, y) => (x.hash < y.hash ? -1 : 1))
    .map(({ name }) => name);
}

/** @param {string} file */
function countLines(file) {
  const bytes = readFileSync(file);
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

/**
 * @param {string} from
 * @param {string} to
 */
function put(from, to) {
  mkdirSync(path.dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
