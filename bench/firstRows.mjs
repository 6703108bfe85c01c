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
import { areaUnderCurve, fit, scoreOf } from './logistic.mjs';
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
    const weights = fitRows(rows.filter((row) => row.tree !== tree));
    const scores = own.map((row) => scoreOf(weights, featuresOf(row)));
    return [tree, own.length, own.filter(isAct).length, round(areaUnderCurve(scores, own.map(isAct)), 3)];
  });
  console.log(table(['tree, held out', 'rows', 'worth acting on', 'area under the curve'], figures));
  const [bias, ...weights] = fitRows(rows).map((weight) => round(weight, 2));
  return { bias, ...Object.fromEntries(names.map((name, i) => [name, weights[i]])) };
}

/** @param {readonly Labeled[]} rows */
function fitRows(rows) {
  return fit(rows.map(featuresOf), rows.map(isAct), ridge);
}

/** @param {Labeled} row */
function featuresOf({ features }) {
  return /** @type {number[]} */ (features);
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
