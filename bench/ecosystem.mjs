/**
 * Compares the findings and the cost of two versions on real code. Both versions scan the same trees in turn, and their
 * reports and times are compared. The models are mypy_primer and the ecosystem check of Ruff.
 *
 *   npm run ecosystem -- [--base REF] [--tree NAME]… [--runs N] [--markdown FILE] [--cache FOLDER] [--no-build]
 *
 * --base      the commit to compare with, which is built in a temporary worktree, or the path of a built cli.js; by
 *             default the parent of HEAD
 * --tree      only these trees (bench/ecosystem/trees.mjs), or folders
 * --runs      scans of each tree by each version (5); times and memory are medians
 * --markdown  writes a summary for a commit or a pull request
 * --cache     folder of the downloaded packages and unpacked trees
 * --no-build  compares the present dist instead of building this version
 *
 * Ratios are head over base. The spread is the range of the ratios of single runs. A ratio of user time that differs
 * from 1 by more than 3% is marked: with ▲ or ▼ if every run of one version took longer than every run of the other
 * (of three runs or more), else with "noise?".
 */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { helpOf, root } from '../scripts/project.mjs';
import { buildBase } from './ecosystem/buildBase.mjs';
import { compareReports } from './ecosystem/compareReports.mjs';
import { describeChanges } from './ecosystem/describeChanges.mjs';
import { trees } from './ecosystem/trees.mjs';
import { machine, median, round, runKindred, stageTimes, table } from './measuring.mjs';
import { defaultCache, layTree } from './packageTrees.mjs';

/**
 * @typedef {import('./ecosystem/compareReports.mjs').Differences} Differences
 * @typedef {ReturnType<typeof runKindred>} Run
 * @typedef {{ name: string, languages: string, folder: string }} LaidTree
 * @typedef {{ base: readonly number[], head: readonly number[] }} Samples  by run
 *
 * @typedef {object} Figures
 * @property {string} name
 * @property {string} languages
 * @property {Record<string, number>} totals  of head
 * @property {{ base: number, head: number }} groups
 * @property {Record<string, number>} changes  counts by sort
 * @property {boolean} stable                  true if all runs of each version found the same
 * @property {Samples} user                    seconds
 * @property {Samples} cpu                     user and system, seconds
 * @property {Samples} peakMB
 * @property {Map<string, Samples>} stages     user milliseconds
 */

/** Changes of user time above this share need an explanation in the commit. */
const maxDrift = 0.03;
/** With fewer runs, it is too likely that those of one version are the slower ones by chance. */
const minRuns = 3;
/** Stages with less user time are not marked: the clock and the start of the program would decide. */
const minStageMs = 100;
const sorts = /** @type {const} */ (['gained', 'lost', 'range', 'category', 'similarity', 'place', 'order', 'around']);
const [limitsOfConsole, limitsOfMarkdown] = [
  { examples: 10, lines: 12 },
  { examples: 3, lines: 6 },
];

const { values } = parseArgs({
  options: {
    base: { type: 'string', default: 'HEAD~1' },
    tree: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string', default: '5' },
    markdown: { type: 'string' },
    cache: { type: 'string', default: defaultCache },
    'no-build': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) console.log(helpOf(import.meta.filename));
else main(values.base);

/** @param {string} baseName */
function main(baseName) {
  const laid = layTrees();
  const { length: treeCount } = namesOfTrees();
  if (!values['no-build']) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
  const head = path.join(root, 'dist/cli.js');
  const base =
    existsSync(baseName) && statSync(baseName).isFile()
      ? { program: path.resolve(baseName), remove() {} }
      : buildBase(baseName);
  try {
    /** @type {Figures[]} */
    const all = [];
    /** @type {string[]} */
    const details = [];
    for (const tree of laid) {
      const { figures, differences } = measure(tree, base.program, head);
      all.push(figures);
      const text = describeChanges(differences, tree.folder, limitsOfConsole);
      if (text !== '') console.log(`── ${tree.name} ──\n\n${text}\n`);
      const short = describeChanges(differences, tree.folder, limitsOfMarkdown);
      if (short !== '') details.push(foldedMarkdown(tree.name, short));
    }
    const isWhole = laid.length === treeCount && all.every(({ stable }) => stable);
    const count =
      laid.length === treeCount ? '' : `**Only ${laid.length} of ${treeCount} trees could be laid out.**\n\n`;
    const summary = count + summaryOf(all, baseName);
    console.log(summary);
    if (values.markdown !== undefined) {
      writeFileSync(values.markdown, `${[`# Ecosystem check`, summary, ...details].join('\n\n')}\n`);
    }
    console.log(`\n${JSON.stringify(jsonOf(all))}`);
    // An incomplete check, or one of versions that do not repeat their findings, must not pass.
    if (!isWhole) process.exitCode = 1;
  } finally {
    base.remove();
  }
}

/** @returns {readonly string[]} */
function namesOfTrees() {
  return values.tree.length > 0 ? values.tree : trees.map(({ name }) => name);
}

/** @returns {LaidTree[]} */
function layTrees() {
  return namesOfTrees().flatMap((name) => {
    const tree = trees.find((one) => one.name === name);
    if (tree === undefined) {
      if (!existsSync(name))
        throw new Error(`There is no tree ${name}. Trees: ${trees.map((one) => one.name).join(', ')}.`);
      return [{ name: path.basename(path.resolve(name)), languages: '', folder: path.resolve(name) }];
    }
    try {
      return [{ name, languages: tree.languages, folder: layTree(tree, values.cache) }];
    } catch (error) {
      console.error(`${name} is left out: ${/** @type {Error} */ (error).message.trim()}`);
      return [];
    }
  });
}

/**
 * @param {LaidTree} tree
 * @param {string} baseProgram
 * @param {string} headProgram
 * @returns {{ figures: Figures, differences: Differences }}
 */
function measure({ name, languages, folder }, baseProgram, headProgram) {
  /** @type {{ base: Run[], head: Run[] }} */
  const runs = { base: [], head: [] };
  const versions = /** @type {const} */ ([
    ['base', baseProgram],
    ['head', headProgram],
  ]);
  for (let run = 0; run < Number(values.runs); run++) {
    // Each version goes first in turn.
    for (const [version, program] of run % 2 === 0 ? versions : [...versions].reverse()) {
      runs[version].push(runKindred(folder, [], { whole: true, program }));
    }
  }
  const [before, after] = [runs.base[0], runs.head[0]];
  if (before === undefined || after === undefined) throw new Error('--runs is at least 1.');
  const differences = compareReports(before.report, after.report);
  const samples = (/** @type {(run: Run) => number} */ of) => ({ base: runs.base.map(of), head: runs.head.map(of) });
  const stageMs = (/** @type {string} */ stage) => (/** @type {Run} */ run) =>
    stageTimes(run.stages).find((one) => one.stage === stage)?.userMs ?? 0;
  const figures = {
    name,
    languages,
    totals: after.totals,
    groups: { base: before.report.groups.length, head: after.report.groups.length },
    changes: Object.fromEntries(sorts.map((sort) => [sort, differences[sort].length])),
    stable: [runs.base, runs.head].every(
      (list) => new Set(list.map(({ report }) => JSON.stringify(report.groups))).size === 1,
    ),
    user: samples(({ user }) => user),
    cpu: samples(({ user, system }) => user + system),
    peakMB: samples(({ peakMB }) => peakMB),
    stages: new Map(after.stages.map(({ stage }) => [stage, samples(stageMs(stage))])),
  };
  return { figures, differences };
}

/**
 * @param {readonly Figures[]} all
 * @param {string} baseName
 */
function summaryOf(all, baseName) {
  const found = table(
    ['tree', 'lines', 'groups before', 'after', ...sorts],
    all.map(({ name, languages, totals, groups, changes }) => [
      ...[languages === '' ? name : `${name} (${languages})`, totals['lines']?.toLocaleString('en') ?? null],
      ...[groups.base, groups.head, ...sorts.map((sort) => changes[sort] ?? null)],
    ]),
  );
  const cost = table(
    [
      'tree',
      'user s before',
      'after',
      'ratio',
      'spread',
      'user and system s before',
      'after',
      'peak MB before',
      'after',
    ],
    [...all, sumOf(all)].map(({ name, user, cpu, peakMB }) => [
      ...[name, round(median(user.base)), round(median(user.head)), ...ratioCells(user, true)],
      ...[round(median(cpu.base)), round(median(cpu.head))],
      ...[round(median(peakMB.base), 0), round(median(peakMB.head), 0)],
    ]),
  );
  const stages = table(
    ['stage, all trees', 'user ms before', 'after', 'ratio', 'spread'],
    [...sumOf(all).stages].map(([stage, samples]) => [
      ...[stage, round(median(samples.base), 0), round(median(samples.head), 0)],
      ...ratioCells(samples, isLongEnough(samples)),
    ]),
  );
  const drifts = all.flatMap(({ name, stages }) =>
    [...stages].flatMap(([stage, samples]) => {
      if (!isLongEnough(samples) || !/[▲▼]/.test(markOf(samples))) return [];
      const [ratio, spread] = ratioCells(samples, true);
      return [`- ${name}, ${stage}: ${ratio} (${spread})`];
    }),
  );
  const unstable = all.filter(({ stable }) => !stable).map(({ name }) => name);
  return [
    `Compared with \`${baseName}\`; ${values.runs} runs each in turn, medians; ${machine()}`,
    found,
    ...(unstable.length > 0 ? [`**Runs of one version found different groups in: ${unstable.join(', ')}.**`] : []),
    cost,
    stages,
    `Ratios are after over before; ▲ and ▼ mark those beyond ${100 * maxDrift}% where every run of one version took longer than all of the other.`,
    ...(drifts.length > 0 ? [`Stages of single trees that are marked so:\n\n${drifts.join('\n')}`] : []),
  ].join('\n\n');
}

/**
 * Sums the figures of all trees.
 *
 * @param {readonly Figures[]} all
 * @returns {{ name: string, user: Samples, cpu: Samples, peakMB: Samples, stages: Map<string, Samples> }}
 */
function sumOf(all) {
  const total = (/** @type {readonly Samples[]} */ list, /** @type {(a: number, b: number) => number} */ combine) => {
    const side = (/** @type {'base' | 'head'} */ version) =>
      Array.from({ length: Number(values.runs) }, (_, run) =>
        list.map((one) => one[version][run] ?? 0).reduce(combine, 0),
      );
    return { base: side('base'), head: side('head') };
  };
  const add = (/** @type {number} */ a, /** @type {number} */ b) => a + b;
  const stages = [...new Set(all.flatMap((one) => [...one.stages.keys()]))];
  return {
    name: 'all (peak: the largest)',
    user: total(
      all.map(({ user }) => user),
      add,
    ),
    cpu: total(
      all.map(({ cpu }) => cpu),
      add,
    ),
    peakMB: total(
      all.map(({ peakMB }) => peakMB),
      (a, b) => Math.max(a, b),
    ),
    stages: new Map(
      stages.map((stage) => [
        stage,
        total(
          all.flatMap((one) => one.stages.get(stage) ?? []),
          add,
        ),
      ]),
    ),
  };
}

/** @param {Samples} samples */
function isLongEnough({ base, head }) {
  return Math.max(median(base), median(head)) >= minStageMs;
}

/** @param {Samples} samples */
function ratiosOf({ base, head }) {
  return { ratio: median(head) / median(base), single: head.map((value, run) => value / (base[run] ?? NaN)) };
}

/** @param {Samples} samples */
function markOf(samples) {
  const { ratio } = ratiosOf(samples);
  if (!(Math.abs(ratio - 1) > maxDrift)) return '';
  if (samples.head.length < minRuns) return ' noise?';
  if (Math.min(...samples.head) > Math.max(...samples.base)) return ' ▲';
  return Math.max(...samples.head) < Math.min(...samples.base) ? ' ▼' : ' noise?';
}

/**
 * @param {Samples} samples
 * @param {boolean} marked
 * @returns {[string, string]}
 */
function ratioCells(samples, marked) {
  const { ratio, single } = ratiosOf(samples);
  const text = (/** @type {number} */ value) => (Number.isFinite(value) ? value.toFixed(3) : '–');
  return [
    `${text(ratio)}${marked ? markOf(samples) : ''}`,
    `${text(Math.min(...single))}–${text(Math.max(...single))}`,
  ];
}

/**
 * @param {string} name
 * @param {string} text
 */
function foldedMarkdown(name, text) {
  // A fence must be longer than any fence in the text.
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `<details>\n<summary>Examples: ${name}</summary>\n\n${fence}text\n${text}\n${fence}\n\n</details>`;
}

/** @param {readonly Figures[]} all */
function jsonOf(all) {
  const ratio = (/** @type {Samples} */ samples) => round(ratiosOf(samples).ratio, 4);
  const { user, stages } = sumOf(all);
  return {
    bench: 'ecosystem',
    machine: machine(),
    userRatio: ratio(user),
    stageRatios: Object.fromEntries([...stages].map(([stage, samples]) => [stage, ratio(samples)])),
    trees: all.map(({ name, totals, groups, changes, stable, user, peakMB }) => ({
      name,
      lines: totals['lines'],
      groups,
      changes,
      stable,
      userRatio: ratio(user),
      peakRatio: ratio(peakMB),
    })),
  };
}
