/**
 * Pairs of units labeled by reading: copies, patterns, and noise. Fits a probability that a pair is a copy, which
 * predicts the labels of trees that are held out, and counts the labeled pairs that a scan shows.
 *
 *   npm run bench -- unit-pairs [--cli FILE] [--cache FOLDER] [TREE | TREE=FOLDER]…
 *
 * --cli    measures another build of the program
 * --cache  folder of the downloaded packages and unpacked trees
 * TREE     only these trees (bench/unitPairs/trees.mjs); FOLDER has the sources already
 *
 * bench/labels/unitPairs.jsonl has a line for each pair: the lines of both units, the label, and features of their
 * alignment. `equal` to `differing` are shares of the mean length. `equalShingles` and `abstractedShingles` count
 * distinct shingles of four tokens, `vocabulary` is the share of the words of one unit that the other contains, by
 * information, `sharedBits` the information of the words of both, and `score` that of the classifier. How they were
 * drawn: bench/results/2026-11-29-unit-labels.md and 2026-11-29-unit-score.md.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { areaUnderCurve, fit, probability, scoreOf } from './logistic.mjs';
import { machine, round, runKindred, table } from './measuring.mjs';
import { defaultCache, layTree } from './packageTrees.mjs';
import { trees } from './unitPairs/trees.mjs';

/**
 * @typedef {object} Labeled
 * @property {string} tree
 * @property {string} left   path and lines, such as `src/a.ts:12-30`
 * @property {string} right
 * @property {'copy' | 'pattern' | 'noise'} label
 * @property {readonly [number, number]} tokens
 * @property {number} consistent
 * @property {number} once
 * @property {number} differing
 * @property {number} equalShingles
 * @property {number} sharedBits
 * @property {number} score
 *
 * @typedef {{ path: string, startLine: number, endLine: number }} Lines
 */

/** Strength of the regularization, in pairs. */
const ridge = 2;
/** Minimum share of the lines of each unit that the passages of a group must have. */
const minShare = 0.7;
const labels = /** @type {const} */ (['copy', 'pattern', 'noise']);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cli: { type: 'string', default: path.join(root, 'dist/cli.js') },
    cache: { type: 'string', default: defaultCache },
  },
});
/** @type {readonly Labeled[]} */
const pairs = readFileSync(path.join(root, 'bench/labels/unitPairs.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
console.log(`${machine()}\n`);
const fitted = printFit();
const shown = printShown();
console.log(JSON.stringify({ bench: 'unit-pairs', machine: machine(), ...fitted, trees: shown }));

/** Features of a pair from which its probability is fitted. */
function featuresOf(/** @type {Labeled} */ { tokens, consistent, once, differing, equalShingles, sharedBits }) {
  const replaced = consistent + once + differing;
  return [
    (2 * equalShingles) / (tokens[0] + tokens[1]),
    Math.min(sharedBits, 100) / 100,
    replaced === 0 ? 0 : consistent / replaced,
  ];
}

/** Prints the areas under the curve, and the observed share of copies by predicted probability. */
function printFit() {
  const isCopy = (/** @type {Labeled} */ { label }) => label === 'copy';
  const fitPairs = (/** @type {readonly Labeled[]} */ list) => fit(list.map(featuresOf), list.map(isCopy), ridge);
  const names = [...new Set(pairs.map(({ tree }) => tree))];
  const predicted = names.flatMap((tree) => {
    const weights = fitPairs(pairs.filter((pair) => pair.tree !== tree));
    const own = pairs.filter((pair) => pair.tree === tree);
    return own.map((pair) => ({ pair, p: probability(scoreOf(weights, featuresOf(pair))) }));
  });
  const area = (/** @type {typeof predicted} */ list, /** @type {(one: typeof list[number]) => number} */ score) => {
    const copies = list.map(({ pair }) => isCopy(pair));
    return round(areaUnderCurve(list.map(score), copies), 3);
  };
  const areas = names.map((tree) => {
    const own = predicted.filter(({ pair }) => pair.tree === tree);
    const copies = own.filter(({ pair }) => isCopy(pair)).length;
    return [tree, own.length, copies, area(own, ({ p }) => p), area(own, ({ pair }) => pair.score)];
  });
  const all = { fitted: area(predicted, ({ p }) => p), classifier: area(predicted, ({ pair }) => pair.score) };
  const total = ['all', pairs.length, pairs.filter(isCopy).length, all.fitted, all.classifier];
  console.log(table(['tree, held out', 'pairs', 'copies', 'area of the fit', 'of the classifier'], [...areas, total]));
  const deciles = Array.from({ length: 10 }, (_, i) => {
    const own = predicted.filter(({ p }) => Math.min(9, Math.floor(10 * p)) === i);
    const copies = own.filter(({ pair }) => isCopy(pair)).length;
    return [`${i / 10} to ${(i + 1) / 10}`, own.length, copies, round(copies / own.length)];
  });
  console.log(`\n${table(['predicted', 'pairs', 'copies', 'observed'], deciles)}\n`);
  return { area: all, weights: fitPairs(pairs).map((weight) => round(weight, 3)), deciles };
}

/** Scans the trees and prints the number of labeled pairs that are shown. */
function printShown() {
  const rows = foldersOfTrees().map(([tree, folder]) => {
    const { report } = runKindred(folder, [], { whole: true, program: values.cli });
    const own = pairs.filter((pair) => pair.tree === tree);
    const visible = own.filter(({ left, right }) => isShown(report.groups, linesOf(left), linesOf(right)));
    return { tree, counts: labels.map((label) => [countOf(visible, label), countOf(own, label)]) };
  });
  const cells = (/** @type {typeof rows[number]['counts']} */ counts) =>
    counts.map(([some, all]) => `${some} of ${all}`);
  const sums = labels.map((_, i) => [0, 1].map((j) => rows.reduce((sum, { counts }) => sum + counts[i][j], 0)));
  const lines = [...rows.map(({ tree, counts }) => [tree, ...cells(counts)]), ['all', ...cells(sums)]];
  console.log(`${table(['tree', 'copies shown', 'patterns shown', 'noise shown'], lines)}\n`);
  return rows.map(({ tree, counts }) => ({ tree, shown: counts.map(([some]) => some) }));
}

/** @returns {(readonly [tree: string, folder: string])[]} */
function foldersOfTrees() {
  const names = positionals.length > 0 ? positionals : trees.map(({ name }) => name);
  return names.map((argument) => {
    const [name, folder] = argument.split('=');
    if (folder !== undefined) return [name, folder];
    const tree = trees.find((one) => one.name === name);
    if (tree === undefined)
      throw new Error(`There is no tree ${name}. Trees: ${trees.map((one) => one.name).join(', ')}.`);
    return [name, layTree(tree, values.cache)];
  });
}

/**
 * Returns true if a group has a passage with most lines of one unit, and another passage with most lines of the other.
 *
 * @param {readonly { kind: string, passages: readonly Lines[] }[]} groups
 * @param {Lines} left
 * @param {Lines} right
 */
function isShown(groups, left, right) {
  return groups.some(({ kind, passages }) => {
    if (kind === 'file') return false;
    const ofLeft = passages.filter((passage) => hasMostOf(passage, left));
    return passages.some((passage) => hasMostOf(passage, right) && ofLeft.some((other) => other !== passage));
  });
}

/**
 * @param {Lines} passage
 * @param {Lines} unit
 */
function hasMostOf(passage, unit) {
  if (passage.path !== unit.path) return false;
  const common = Math.min(passage.endLine, unit.endLine) - Math.max(passage.startLine, unit.startLine) + 1;
  return common >= minShare * (unit.endLine - unit.startLine + 1);
}

/**
 * @param {string} place
 * @returns {Lines}
 */
function linesOf(place) {
  const [, name = '', start, end] = /^(.*):(\d+)-(\d+)$/.exec(place) ?? [];
  return { path: name, startLine: Number(start), endLine: Number(end) };
}

/**
 * @param {readonly Labeled[]} list
 * @param {Labeled['label']} label
 */
function countOf(list, label) {
  return list.filter((pair) => pair.label === label).length;
}
