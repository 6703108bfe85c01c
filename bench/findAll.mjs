/**
 * All pairs of random fingerprints within a distance, found by dist/engine.js. It is the benchmark in the README of
 * simhash-py (1,000,000 fingerprints, 5 blocks, distance 3), with additional numbers of blocks.
 *
 *   npm run bench -- find-all [--count N] [--blocks M] [--distance K] [--runs N] [--large] [--wide KS]
 *                             [--native FOLDER]
 *
 * --large       also measures 10,000,000 fingerprints
 * --wide        other distances, separated by commas: 4, 6, 8, 10, 12, 14, or 16. Each runs once with the cheapest
 *               design according to src/library/findAll.ts. Distances from 14 take minutes
 * --native      a checkout of simhash-cpp, the library inside simhash-py (https://github.com/seomoz/simhash-cpp). It is
 *               compiled with g++ and measured in turn (corpora/simhash-cpp if it exists)
 *
 * Some numbers are neighbors of others, 1 to distance + 1 bits away, so that there are pairs to find. Before the
 * measurement, the pairs are checked. On 20,000 fingerprints, all pairs are compared with brute force. On the full
 * number, the pairs of 200 fingerprints are compared with brute force, and the designs with each other.
 *
 * The times of Kindred include the conversion from a JavaScript array of bigints to an array of pairs of bigints. The
 * native library is measured with its own sets. Both run on one thread. The results are median wall times, with
 * processor times in parentheses, which depend less on other load.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { findAll, numDifferingBits } from '../dist/engine.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    blocks: { type: 'string', default: '5' },
    distance: { type: 'string', default: '3' },
    runs: { type: 'string', default: '7' },
    large: { type: 'boolean', default: false },
    wide: { type: 'string' },
    native: { type: 'string' },
  },
});
const [count, blocks, distance, runs] = [values.count, values.blocks, values.distance, values.runs].map(Number);
const nativeFolder = values.native ?? path.join(root, 'corpora', 'simhash-cpp');
/** Number of blocks for 1,000,000 fingerprints, by distance. */
const wideDesigns = new Map([
  [4, 6],
  [6, 9],
  [8, 11],
  [10, 14],
  [12, 16],
  [14, 19],
  [16, 21],
]);
const temporary = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
try {
  main();
} finally {
  rmSync(temporary, { recursive: true });
}

function main() {
  check(fingerprintsOf(20_000, 2), 20_000);
  const packed = fingerprintsOf(count, 1);
  check(packed, 200);
  const figures = measure(packed);
  if (values.wide !== undefined) Object.assign(figures, measureWide(packed, values.wide.split(',').map(Number)));
  if (values.large) Object.assign(figures, measureLarge());
  console.log(JSON.stringify(figures));
}

/** @param {BigUint64Array} packed */
function measure(packed) {
  const list = Array.from(packed);
  const native = buildNative(packed);
  // The requested design, and the designs from the minimum number of blocks: one more than the distance.
  const designs = [...new Set([blocks, distance + 1, distance + 2, distance + 3, distance + 4])].sort((a, b) => a - b);
  /** @type {Map<number, { wall: number, cpu: number, pairs: number }[]>} */
  const rounds = new Map(designs.map((design) => [design, []]));
  const nativeRounds = [];
  for (let round = 0; round < runs; round++) {
    for (const design of designs) rounds.get(design)?.push(timed(() => findAll(list, design, distance).length));
    if (native !== undefined) nativeRounds.push(native());
  }
  const packedRounds = Array.from({ length: runs }, () => timed(() => findAll(packed, blocks, distance).length));

  console.log(`${number(count)} random fingerprints, distance ${distance}, ${runs} runs; ${machine()}\n`);
  console.log('| | blocks | tables | ms (CPU) | pairs |\n| --- | --: | --: | --: | --: |');
  for (const [design, results] of rounds) row('kindred', design, results);
  row('kindred, packed input', blocks, packedRounds);
  if (nativeRounds.length > 0) row('simhash-cpp', blocks, nativeRounds);
  else console.log(`\nsimhash-cpp was not measured: ${nativeFolder} is not there, or g++ is not.`);

  const found = new Set([...rounds.values(), packedRounds, nativeRounds].flat().map(({ pairs }) => pairs));
  if (found.size !== 1) throw new Error(`The designs found different numbers of pairs: ${[...found].join(', ')}.`);
  const own = rounds.get(blocks) ?? [];
  const peer = nativeRounds.length > 0 ? median(nativeRounds, 'wall') : undefined;
  if (peer !== undefined) console.log(`\n${(peer / median(own, 'wall')).toFixed(1)} times as fast as simhash-cpp.`);
  console.log();
  return {
    bench: 'find-all',
    hashes: count,
    blocks,
    distance,
    runs,
    pairs: own[0]?.pairs,
    medianMs: round(median(own, 'wall')),
    minMs: round(Math.min(...own.map(({ wall }) => wall))),
    medianCpuMs: round(median(own, 'cpu')),
    packedMedianMs: round(median(packedRounds, 'wall')),
    medianMsByBlocks: Object.fromEntries(
      [...rounds].map(([design, results]) => [design, round(median(results, 'wall'))]),
    ),
    nativeMedianMs: peer === undefined ? null : round(peer),
    nativeMedianCpuMs: peer === undefined ? null : round(median(nativeRounds, 'cpu')),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
  };
}

/**
 * @param {BigUint64Array} packed
 * @param {readonly number[]} distances
 */
function measureWide(packed, distances) {
  console.log('| distance | blocks | tables | ms (CPU) | pairs |\n| --: | --: | --: | --: | --: |');
  /** @type {Record<string, number>} */
  const wideMs = {};
  for (const wide of distances) {
    const design = wideDesigns.get(wide);
    if (design === undefined) throw new Error(`There is no design for distance ${wide}.`);
    /** @type {[bigint, bigint][]} */
    let pairs = [];
    const { wall, cpu } = timed(() => (pairs = findAll(packed, design, wide)).length);
    wideMs[wide] = round(wall);
    console.log(
      `| ${wide} | ${design} | ${tables(design, wide)} | ${wall.toFixed(0)} (${cpu.toFixed(0)}) | ${number(pairs.length)} |`,
    );
    compare(packed, pairs, 20, wide);
  }
  console.log();
  return { wideMs };
}

function measureLarge() {
  const packed = fingerprintsOf(10_000_000, 3);
  check(packed, 20);
  console.log(
    '10,000,000 random fingerprints\n\n| | blocks | tables | ms (CPU) | pairs |\n| --- | --: | --: | --: | --: |',
  );
  const byBlocks = new Map();
  for (const design of [distance + 1, distance + 2, distance + 3, distance + 4]) {
    const results = Array.from({ length: 3 }, () => timed(() => findAll(packed, design, distance).length));
    byBlocks.set(design, results);
    row('kindred, packed input', design, results);
  }
  console.log();
  const own = byBlocks.get(distance + 2);
  return {
    largeHashes: packed.length,
    largeMedianMs: round(median(own, 'wall')),
    largeMedianMsByBlocks: Object.fromEntries(
      [...byBlocks].map(([design, all]) => [design, round(median(all, 'wall'))]),
    ),
  };
}

/**
 * Returns distinct random fingerprints that depend only on the seed. One in a thousand is a neighbor of the previous
 * one.
 *
 * @param {number} length
 * @param {number} seed
 */
function fingerprintsOf(length, seed) {
  const packed = new BigUint64Array(length);
  const words = new Uint32Array(packed.buffer);
  // sfc32 (Doty-Humphrey 2010), from PractRand.
  let [x, y, z, counter] = [seed, 0x9e3779b9, 0x243f6a88, 1];
  for (let i = 0; i < 20; i++) next();
  for (let i = 0; i < words.length; i++) words[i] = next();
  for (let i = 1000; i < length; i += 1000) {
    words[2 * i] = words[2 * i - 2];
    words[2 * i + 1] = words[2 * i - 1];
    for (let turns = 1 + (next() % (distance + 1)); turns > 0; turns--)
      words[2 * i + (next() & 1)] ^= 1 << (next() & 31);
  }
  return packed;

  function next() {
    const sum = (x + y + counter++) | 0;
    x = y ^ (y >>> 9);
    y = (z + (z << 3)) | 0;
    z = (((z << 21) | (z >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
}

/**
 * Compares the pairs of `sample` fingerprints with those from brute force.
 *
 * @param {BigUint64Array} packed
 * @param {number} sample
 */
function check(packed, sample) {
  compare(packed, findAll(packed, blocks, distance), sample, distance);
}

/**
 * @param {BigUint64Array} packed
 * @param {readonly [bigint, bigint][]} pairs
 * @param {number} sample
 * @param {number} within
 */
function compare(packed, pairs, sample, within) {
  for (const [i, [a, b]] of pairs.entries()) {
    const [before, other] = pairs[i - 1] ?? [-1n, -1n];
    const ascends = before < a || (before === a && other < b);
    if (!(ascends && a < b && numDifferingBits(a, b) <= within)) throw new Error(`${a} and ${b} are no pair.`);
  }
  const words = new Uint32Array(packed.buffer);
  // Half of the sample are positions with neighbors.
  const places = new Set(
    Array.from({ length: sample }, (_, i) =>
      sample === packed.length ? i : i % 2 ? (i * 7919) % packed.length : (1000 * (1 + i / 2)) % packed.length,
    ),
  );
  const sampled = new Set(Array.from(places, (place) => packed[place]));
  const found = new Set(pairs.filter((pair) => pair.some((end) => sampled.has(end))).map((pair) => pair.join()));
  const expected = new Set();
  for (const i of places) {
    for (let j = 0; j < packed.length; j++) {
      const differing = bits(words[2 * i] ^ words[2 * j]) + bits(words[2 * i + 1] ^ words[2 * j + 1]);
      if (differing > within || packed[i] === packed[j]) continue;
      expected.add((packed[i] < packed[j] ? [packed[i], packed[j]] : [packed[j], packed[i]]).join());
    }
  }
  if (expected.size === 0) throw new Error('There was nothing to find.');
  const [lost] = [...expected].filter((pair) => !found.has(pair));
  if (lost !== undefined) throw new Error(`${lost} was not found.`);
  if (found.size !== expected.size) throw new Error(`${found.size} pairs found, ${expected.size} expected.`);
  const how = sample === packed.length ? 'all pairs' : `the pairs of ${places.size}`;
  console.log(`${number(packed.length)} fingerprints: ${how} as by brute force (${expected.size}).`);
}

/** @param {number} word */
function bits(word) {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Returns a function that runs the native library on these fingerprints, or undefined if the library cannot be built.
 *
 * @param {BigUint64Array} packed
 */
function buildNative(packed) {
  if (!existsSync(path.join(nativeFolder, 'include', 'simhash.h'))) return undefined;
  const [program, file] = ['findAll', 'fingerprints'].map((name) => path.join(temporary, name));
  const sources = [
    path.join(root, 'bench/native/findAll.cpp'),
    ...['simhash.cpp', 'permutation.cpp'].map((name) => path.join(nativeFolder, 'src', name)),
  ];
  try {
    // The library's release options, and all instructions of this processor.
    const flags = ['-std=c++11', '-O3', '-march=native', '-I', path.join(nativeFolder, 'include')];
    execFileSync('g++', [...flags, ...sources, '-o', program], { stdio: 'inherit' });
  } catch {
    return undefined;
  }
  writeFileSync(file, new Uint8Array(packed.buffer));
  return () => {
    const printed = execFileSync(program, [file, String(blocks), String(distance)], { encoding: 'utf8' });
    const [wall = NaN, cpu = NaN, pairs = NaN] = printed.trim().split(' ').map(Number);
    return { wall, cpu, pairs };
  };
}

/** @param {() => number} run */
function timed(run) {
  const before = process.cpuUsage();
  const start = performance.now();
  const pairs = run();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000, pairs };
}

/**
 * @param {string} name
 * @param {number} design
 * @param {readonly { wall: number, cpu: number, pairs: number }[]} results
 */
function row(name, design, results) {
  const times = `${median(results, 'wall').toFixed(0)} (${median(results, 'cpu').toFixed(0)})`;
  console.log(`| ${name} | ${design} | ${tables(design)} | ${times} | ${number(results[0]?.pairs ?? 0)} |`);
}

/**
 * @param {number} design
 * @param {number} within
 */
function tables(design, within = distance) {
  let choices = 1;
  for (let i = 1; i <= within; i++) choices = (choices * (design - within + i)) / i;
  return Math.round(choices);
}

/**
 * @param {readonly { wall: number, cpu: number }[]} results
 * @param {'wall' | 'cpu'} figure
 */
function median(results, figure) {
  const sorted = results.map((result) => result[figure]).sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? NaN) + (sorted[sorted.length >> 1] ?? NaN)) / 2;
}

/** @param {number} value */
function round(value) {
  return Math.round(10 * value) / 10;
}

/** @param {number} value */
function number(value) {
  return value.toLocaleString('en');
}

function machine() {
  return `${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`;
}
