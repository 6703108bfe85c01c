/**
 * Search for near fingerprints by design. The join of permuted tables is timed for each distance and number of blocks.
 * The results show where the designs cross, and which design Kindred chooses (src/core/engine/seeds/nearPairs.ts).
 *
 *   npm run bench -- index [--counts N,…] [--distances K,…] [--runs N] [--longest SECONDS]
 *
 * The fingerprints are random, and one in a thousand is a neighbor of another. All designs must find the same pairs. A
 * design is skipped if its expected time exceeds the longest (10 s). The result is the minimum processor time of the
 * runs.
 */
import { parseArgs } from 'node:util';
import { machine, round, table } from './measuring.mjs';
import { importSources } from './sources.mjs';

const { values } = parseArgs({
  options: {
    counts: { type: 'string', default: '10000,100000,1000000' },
    distances: { type: 'string', default: '1,2,3,4,5,6,7,8,10,12,14,16' },
    runs: { type: 'string', default: '3' },
    longest: { type: 'string', default: '10' },
  },
});
const [counts, distances] = [values.counts, values.distances].map((list) => list.split(',').map(Number));
const { createMemory, Kernel, blockCount, scanJoin, joinSteps, lastOf, pairBytes, tableCount } = await importSources({
  'core/engine/kernel.ts': ['createMemory', 'Kernel'],
  'core/engine/seeds/hammingJoin.ts': ['joinSteps'],
  'core/engine/seeds/nearPairs.ts': ['blockCount', 'scanJoin'],
  'core/engine/steps.ts': ['lastOf'],
  'core/kernel/seeds/nearPairsLayout.ts': ['pairBytes'],
  'core/methods/permutation.ts': ['tableCount'],
});
/** Estimated nanoseconds per step. It only decides which designs are skipped. */
const stepNs = 2;
/** The scan links each fingerprint to a few others. Here all pairs count, so that designs are comparable. */
const allPartners = 0xffffffff;
const longestMs = 1000 * Number(values.longest);

console.log(`Joins of random fingerprints by design, ms; ${machine()}\n`);
const figures = [];
for (const n of counts ?? []) {
  const kernel = new Kernel(createMemory());
  const fingerprints = kernel.allocate(8 * n);
  new BigUint64Array(kernel.memory.buffer, fingerprints, n).set(fingerprintsOf(n));
  for (const distance of distances ?? []) figures.push(measure(kernel, fingerprints, n, distance));
}
console.log(
  table(
    ['fingerprints', 'k', 'pairs', 'chosen', 'ms', 'best', 'ms', 'all: blocks (tables) ms'],
    figures.map(({ n, distance, pairs, chosenBlockCount, chosenMs, best, bestMs, designs }) => [
      ...[n.toLocaleString('en'), distance, pairs, chosenBlockCount, chosenMs, best, bestMs],
      designs.map(({ blocks, tables, ms }) => `${blocks} (${tables}) ${ms}`).join(' · '),
    ]),
  ),
);
console.log();
console.log(JSON.stringify({ bench: 'index', machine: machine(), joins: figures }));

function measure(kernel, fingerprints, n, distance) {
  const designs = [];
  for (let blocks = distance; blocks <= distance + 6; blocks++) {
    const tables = tableCount(blocks, distance);
    const keyBits = (64 * (blocks - distance)) / blocks;
    const steps = tables * (20 * n + (n * n) / 2 / 2 ** keyBits);
    if (tables > 10_000 || (steps * stepNs) / 1e6 > longestMs) continue;
    let minMillis = Infinity;
    let pairs = 0;
    for (let run = 0; run < Number(values.runs); run++) {
      const before = process.cpuUsage();
      pairs = join(kernel, fingerprints, n, distance, blocks);
      const { user, system } = process.cpuUsage(before);
      minMillis = Math.min(minMillis, (user + system) / 1000);
    }
    designs.push({ blocks, tables, ms: round(minMillis, 1) ?? NaN, pairs });
  }
  const pairs = designs[0]?.pairs ?? null;
  if (designs.some((design) => design.pairs !== pairs)) throw new Error(`The designs differ for ${n} and ${distance}.`);
  const [best] = [...designs].sort((x, y) => x.ms - y.ms);
  const chosenBlockCount = blockCount(n, distance);
  const chosenMs = designs.find(({ blocks }) => blocks === chosenBlockCount)?.ms ?? null;
  return {
    n,
    distance,
    pairs,
    chosenBlockCount,
    chosenMs,
    best: best?.blocks ?? null,
    bestMs: best?.ms ?? null,
    designs,
  };
}

function join(kernel, fingerprints, n, distance, blocks) {
  const mark = kernel.mark();
  const input = { fingerprints, n, blocks, distance, pairBytes, maxPartners: allPartners };
  const { count } = lastOf(joinSteps(scanJoin(kernel), input));
  kernel.release(mark);
  return count;
}

/**
 * Returns distinct random fingerprints, ascending and equal on every run. One in a thousand is a neighbor of another.
 */
function fingerprintsOf(n) {
  const packed = new BigUint64Array(n);
  // SplitMix64 (Steele, Lea, Flood 2014).
  let state = 0n;
  const next = () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let word = state;
    word = BigInt.asUintN(64, (word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n);
    word = BigInt.asUintN(64, (word ^ (word >> 27n)) * 0x94d049bb133111ebn);
    return word ^ (word >> 31n);
  };
  for (let i = 0; i < n; i++) {
    packed[i] = next();
    if (i % 1000 !== 999) continue;
    let near = packed[i - 1] ?? 0n;
    for (let turns = 1 + Number(next() % 16n); turns > 0; turns--) near ^= 1n << (next() % 64n);
    packed[i] = near;
  }
  return packed.sort();
}
