/**
 * Find similar in a large tree: the time from a text to its near-duplicates in the live index. Nothing is cached
 * between two searches.
 *
 *   npm run bench -- similar [--tree FOLDER]… [--texts N] [--lines N] [--seed N] [--k N]…
 *
 * --tree      the trees, compared with each other (`corpora/java` in the project)
 * --texts     number of random passages to search for (300)
 * --lines     lines of each passage (30)
 * --seed      seed of the random choice (1)
 * --k         maximum number of differing bits (3, the distance of the index, 8, and 16)
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { machine, median, quantile, round, table } from './measuring.mjs';
import { randomNumbers } from './randomNumbers.mjs';
import { createMemory, defaultOptions, Kernel, lastOf, lexiconForPath, readTree, scanTexts } from './treeCorpus.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', multiple: true, default: [path.join(root, 'corpora', 'java')] },
    texts: { type: 'string', default: '300' },
    lines: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    k: { type: 'string', multiple: true, default: ['3', '8', '16'] },
  },
});

const random = randomNumbers(Number(values.seed));
const lineCount = Number(values.lines);
const texts = await readTrees();
const scanned = scanTexts(new Kernel(createMemory()), defaultOptions, texts);
const { totals } = scanned.findings;
const corpus = scanned.corpus.keep();
lastOf(corpus.indexSteps());
const drawable = [...texts]
  .map(([name, text]) => ({ path: name, lines: text.toString('utf8').split('\n') }))
  .filter(({ lines }) => lines.length > lineCount);
console.log(machine());
console.log(`${totals.files} files, ${totals.lines} lines`);
const searchedTexts = Array.from({ length: Number(values.texts) }, draw);
const rows = values.k.flatMap((k) =>
  [true, false].map((isOwn) => [k, isOwn ? 'as they are' : 'renamed', ...measure(Number(k), isOwn)]),
);
console.log(
  table(['k', 'texts', 'median ms', '95% ms', 'median CPU ms', '95% CPU ms', 'most CPU ms', 'found', 'without'], rows),
);

console.log(JSON.stringify({ bench: 'similar', files: totals.files, lines: totals.lines, rows }));

/** Reads the texts of all trees. Keys consist of the position of the tree and the name. */
async function readTrees() {
  const trees = await Promise.all(values.tree.map(readTree));
  return new Map(trees.flatMap((read, place) => [...read].map(([name, text]) => [`${place}/${name}`, text])));
}

/** Returns a random passage. */
function draw() {
  const { path: name, lines } = drawable[Math.floor(random() * drawable.length)];
  const start = Math.floor(random() * (lines.length - lineCount));
  return { path: name, start: start + 1, text: lines.slice(start, start + lineCount) };
}

/**
 * @param {number} maxDistance
 * @param {boolean} isOwn  true for unchanged texts; false to change every name, so that windows are not equal
 */
function measure(maxDistance, isOwn) {
  let [found, none] = [0, 0];
  const times = searchedTexts.map(({ path: name, start, text }) => {
    const lines = isOwn ? text : text.map((line) => line.replaceAll(/\b([a-z])(\w{3,})\b/g, '$1x$2'));
    const bytes = Buffer.from(lines.join('\n'));
    const origin = { path: name, startLine: start, endLine: start + lineCount - 1 };
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    const room = corpus.reserve(bytes.length);
    room.set(bytes);
    const { total } = corpus.findSimilar(room, lexiconForPath(name), { maxDistance, origin, limit: 100 });
    const wall = performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    found += total;
    if (total === 0) none++;
    return { wall, cpu: (user + system) / 1000 };
  });
  const [walls, cpus] = [times.map(({ wall }) => wall), times.map(({ cpu }) => cpu)];
  const figures = [median(walls), quantile(walls, 0.95), median(cpus), quantile(cpus, 0.95), Math.max(...cpus)];
  return [...figures.map((ms) => round(ms, 1)), found, none];
}
