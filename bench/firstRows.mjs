/**
 * The first page: fits the weights of usefulness (src/core/engine/rows/worth.ts) to labeled rows, and counts the rows
 * worth acting on among the first of a tree.
 *
 *   npm run bench -- first-rows [--rows N] [TREE=FOLDER…]
 *
 * --rows  number of first rows (20)
 * TREE    name of a tree in bench/labels/first-rows.tsv; FOLDER contains the sources of its commit
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { machine, round, table } from './measuring.mjs';
import { importSources } from './sources.mjs';

/**
 * @typedef {object} Labeled
 * @property {string} tree
 * @property {string} place  first passage of a group, or the two files of a pair
 * @property {'act' | 'convention' | 'noise'} label
 * @property {number[] | undefined} features  see `names`
 */

const names = ['branches', 'copies', 'variety', 'assignments', 'declarations'];
/** Strength of the regularization, in rows. */
const ridge = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '20' } },
});
const labeled = readLabels();
console.log(`${machine()}\n`);
const weights = printFit(labeled.filter(({ features }) => features));
const first = positionals.length > 0 ? await printFirstRows() : [];
console.log(JSON.stringify({ bench: 'first-rows', machine: machine(), weights, first }));

/** @returns {Labeled[]} */
function readLabels() {
  const [, ...lines] = readFileSync(path.join(root, 'bench/labels/first-rows.tsv'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [tree, , place, label, , copies, branches, variety, assignments, declarations] = line.split('\t');
    const counted = [branches, Math.log2(Number(copies)), variety, assignments, declarations].map(Number);
    const features = assignments === '' ? undefined : counted;
    return { tree, place, label: /** @type {Labeled['label']} */ (label), features };
  });
}

/**
 * Returns the weights of all trees. Prints how well those of the other trees order the rows of each.
 *
 * @param {readonly Labeled[]} rows
 */
function printFit(rows) {
  const trees = [...new Set(rows.map(({ tree }) => tree))];
  const figures = trees.map((tree) => {
    const own = rows.filter((row) => row.tree === tree);
    const weights = fit(rows.filter((row) => row.tree !== tree));
    return [tree, own.length, own.filter(isAct).length, round(areaUnderCurve(own, weights), 3)];
  });
  console.log(table(['tree, held out', 'rows', 'worth acting on', 'area under the curve'], figures));
  const [bias, ...weights] = fit(rows).map((weight) => round(weight, 2));
  return { bias, ...Object.fromEntries(names.map((name, i) => [name, weights[i]])) };
}

/**
 * Logistic regression by Newton's method. Returns the bias and a weight for each feature.
 *
 * @param {readonly Labeled[]} rows
 */
function fit(rows) {
  const raw = rows.map(({ features }) => /** @type {number[]} */ (features));
  const means = names.map((_, i) => raw.reduce((sum, x) => sum + x[i], 0) / raw.length);
  const spreads = names.map((_, i) => Math.sqrt(raw.reduce((sum, x) => sum + (x[i] - means[i]) ** 2, 0) / raw.length));
  const xs = raw.map((x) => [1, ...x.map((value, i) => (value - means[i]) / spreads[i])]);
  const size = names.length + 1;
  let weights = Array.from({ length: size }, () => 0);
  for (let step = 0; step < 12; step++) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : -ridge * weight));
    const hessian = weights.map((_, i) => weights.map((_, j) => (i === j && i > 0 ? ridge : 0)));
    for (const [at, x] of xs.entries()) {
      const p = 1 / (1 + Math.exp(-dot(weights, x)));
      for (let i = 0; i < size; i++) {
        gradient[i] += (Number(isAct(rows[at])) - p) * x[i];
        for (let j = 0; j < size; j++) hessian[i][j] += p * (1 - p) * x[i] * x[j];
      }
    }
    const change = solve(hessian, gradient);
    weights = weights.map((weight, i) => weight + change[i]);
  }
  const scaled = weights.slice(1).map((weight, i) => weight / spreads[i]);
  return [weights[0] - dot(scaled, means), ...scaled];
}

/**
 * Probability that a row worth acting on comes before another one.
 *
 * @param {readonly Labeled[]} rows
 * @param {readonly number[]} weights
 */
function areaUnderCurve(rows, weights) {
  const scores = rows.map(({ features }) => dot(weights, [1, .../** @type {number[]} */ (features)]));
  let [won, pairs] = [0, 0];
  for (const [i, x] of rows.entries()) {
    for (const [j, y] of rows.entries()) {
      if (!isAct(x) || isAct(y)) continue;
      pairs++;
      won += scores[i] > scores[j] ? 1 : scores[i] === scores[j] ? 0.5 : 0;
    }
  }
  return pairs === 0 ? 1 : won / pairs;
}

/** Scans the given trees and prints the labels of their first rows of source. */
async function printFirstRows() {
  const { outlineOf } = await importSources({ 'presentation/wording/outline.ts': ['outlineOf'] });
  const figures = positionals.map((argument) => {
    const [tree, folder] = argument.split('=');
    const command = [path.join(root, 'dist/cli.js'), 'scan', folder, '--format', 'json', '--no-progress'];
    const report = JSON.parse(execFileSync(process.execPath, command, { maxBuffer: 2 ** 30, encoding: 'utf8' }));
    const rows =
      outlineOf(report)
        .find(({ name }) => name === 'source')
        ?.rows.slice(0, Number(values.rows)) ?? [];
    const labels = rows.map((row) => labelOf(tree, row));
    const count = (/** @type {string | undefined} */ label) => labels.filter((other) => other === label).length;
    return [tree, rows.length, count('act'), count('convention'), count('noise'), count(undefined)];
  });
  console.log(`\n${table(['tree', 'rows', 'act', 'convention', 'noise', 'not labeled'], figures)}\n`);
  return figures;
}

/**
 * First group of a row, or of the best row in it.
 *
 * @param {any} row
 * @returns {any}
 */
function firstGroup(row) {
  return row.type === 'group' ? row.group : firstGroup(row.rows[0]);
}

/**
 * Label of the same row, or of one with most of its lines; for peers, of their first row.
 *
 * @param {string} tree
 * @param {any} row
 */
function labelOf(tree, row) {
  if (row.type === 'peers') return labelOf(tree, row.rows[0]);
  const [first] = firstGroup(row).passages;
  const pair = row.type === 'files' ? row.files.paths.join(' + ') : undefined;
  const own = labeled.filter((other) => other.tree === tree);
  const labeledRow =
    own.find(({ place }) => place === (pair ?? `${first.path}:${first.startLine}-${first.endLine}`)) ??
    own.find(({ place }) => {
      const [, name, start, end] = /^(.*):(\d+)-(\d+)$/.exec(place) ?? [];
      if (name !== first.path) return false;
      const shared = Math.min(first.endLine, Number(end)) - Math.max(first.startLine, Number(start)) + 1;
      return shared >= 0.6 * (Math.max(first.endLine, Number(end)) - Math.min(first.startLine, Number(start)) + 1);
    });
  return labeledRow?.label;
}

/** @param {Labeled} row */
function isAct({ label }) {
  return label === 'act';
}

/**
 * @param {readonly number[]} x
 * @param {readonly number[]} y
 */
function dot(x, y) {
  return x.reduce((sum, value, i) => sum + value * y[i], 0);
}

/**
 * Solves a system of linear equations by Gaussian elimination.
 *
 * @param {readonly number[][]} matrix  positive definite
 * @param {readonly number[]} right
 */
function solve(matrix, right) {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    for (let j = i + 1; j < size; j++) {
      const factor = rows[j][i] / rows[i][i];
      for (let k = i; k <= size; k++) rows[j][k] -= factor * rows[i][k];
    }
  }
  const solution = Array.from({ length: size }, () => 0);
  for (let i = size - 1; i >= 0; i--) {
    const solvedPart = dot(solution.slice(i + 1), rows[i].slice(i + 1, size));
    solution[i] = (rows[i][size] - solvedPart) / rows[i][i];
  }
  return solution;
}
