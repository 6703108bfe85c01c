/** The benches of `npm run bench`, with options for a run on a tiny tree that takes a few seconds. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync } from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/project.mjs';

/**
 * @typedef {object} Bench
 * @property {string} name
 * @property {string} file   in this folder
 * @property {string} about
 * @property {readonly string[]} figures
 *   paths of numbers, texts, or lists in the JSON that it ends with, such as `trees.0.rows`
 * @property {(trees: TinyTrees) => readonly string[]} tiny  options for a run on tiny trees
 * @property {true} [opensWindow]  it opens a window of VS Code with the packaged extension
 *
 * @typedef {{ tree: string, other: string }} TinyTrees  two folders that a bench may change
 */

/** @type {readonly Bench[]} */
export const benches = [
  {
    name: 'agents',
    file: 'agents.mjs',
    about: 'questions of an agent in a large tree, beside jscpd: time to the answer',
    figures: ['medianMs', 'files', 'lines', 'coldMs', 'warmMs', 'firstFindMs'],
    tiny: ({ tree }) => ['--tree', tree, '--language', 'typescript', '--texts', '3', '--lines', '20'],
  },
  {
    name: 'browser',
    file: 'browser.mjs',
    about: 'first rows of a tree in VS Code for the web, also with a slow file system and after a reload',
    figures: ['visits.0.firstRowsMs', 'visits.1.firstRowsMs', 'visits.0.rows', 'visits.0.rendererMB'],
    tiny: ({ tree }) => ['--tree', tree, '--pause', '1'],
    opensWindow: true,
  },
  {
    name: 'cancel',
    file: 'cancel.mjs',
    about: 'how soon a cold scan stops that is cancelled, in each of its phases',
    figures: ['wholeMs', 'longest.0.ms', 'stops.0.cpuMs'],
    tiny: ({ tree }) => ['--tree', tree, '--cancels', '3'],
  },
  {
    name: 'corners',
    file: 'corners.mjs',
    about: 'trees that repeat themselves without end: time at double the size',
    figures: ['corners.0.cpu', 'corners.0.halfCpu'],
    tiny: () => ['--share', '0.01', '--only', 'one file in 5,000 copies'],
  },
  {
    name: 'dial',
    file: 'dial.mjs',
    about: 'other settings tried on the index of a large tree: time of each stop of the dials',
    figures: ['stops', 'medianMs', 'sumCpuMs'],
    tiny: ({ other }) => ['--tree', other, '--runs', '1'],
  },
  {
    name: 'edges',
    file: 'edges.mjs',
    about: 'passages that begin or end inside a block',
    figures: ['rows.0.passages', 'rows.0.share'],
    tiny: ({ tree }) => ['--list', '3', tree],
  },
  {
    name: 'edit',
    file: 'edit.mjs',
    about: 'edits of files of a large tree: time to the new findings, and memory',
    figures: ['files', 'lines', 'edits', 'p50Ms', 'p95Ms', 'memoryBeforeMB', 'memoryAfterMB', 'cyclesMB'],
    tiny: ({ tree }) => ['--tree', tree, '--edits', '5'],
  },
  {
    name: 'editor',
    file: 'editor.mjs',
    about: 'a paste into a window of VS Code with a large tree: time to its mark, and the activation',
    figures: ['activation.loadMs', 'shownP50Ms', 'shownP95Ms', 'goneP50Ms', 'goneP95Ms'],
    tiny: ({ tree }) => ['--tree', tree, '--pastes', '1'],
    opensWindow: true,
  },
  {
    name: 'files',
    file: 'files.mjs',
    about: 'precision and recall of the methods on pairs of files',
    figures: ['judged', 'figures.0.byRate'],
    tiny: ({ tree }) => [tree],
  },
  {
    name: 'find-all',
    file: 'findAll.mjs',
    about: 'all pairs of 1,000,000 random fingerprints within 3 bits',
    figures: ['hashes', 'pairs', 'medianMs', 'packedMedianMs', 'medianMsByBlocks.5'],
    tiny: () => ['--count', '20000', '--runs', '1'],
  },
  {
    name: 'first-rows',
    file: 'firstRows.mjs',
    about: 'the weights that order rows, fitted to labeled rows, and the labels of the first rows of trees',
    figures: ['weights.bias', 'first.0.1'],
    tiny: ({ tree }) => [`tiny=${tree}`],
  },
  {
    name: 'forks',
    file: 'forks.mjs',
    about: 'forks of whole files, 0 to 30% edited: the share of the unedited lines that is found',
    figures: ['byRate.0.lines', 'byRate.1.whole'],
    tiny: ({ tree }) => [tree, '--files', '2', '--others', '5'],
  },
  {
    name: 'gate',
    file: 'gate.mjs',
    about: 'the gate over the commits of a repository: time of each, new and diverged copies',
    figures: ['commits.0.cpuMs', 'commits.0.lines'],
    tiny: ({ other }) => ['--repository', commitTwice(other), '--commits', '1'],
  },
  {
    name: 'growth',
    file: 'growth.mjs',
    about: 'time and memory of scans of ever larger samples of a tree',
    figures: ['sizes.0.cpu', 'sizes.0.stages.0.cpuMicrosecondsPerLine', 'sizes.1.peakMB'],
    tiny: ({ tree }) => ['--tree', tree, '--runs', '1'],
  },
  {
    name: 'hook',
    file: 'hook.mjs',
    about: 'notes of the hook about helpers that exist under another name, and its silence about other edits',
    figures: ['medianMs', 'nodeMedianMs', 'indexMs'],
    tiny: ({ tree }) => ['--tree', tree],
  },
  {
    name: 'index',
    file: 'index.mjs',
    about: 'the search for near fingerprints by distance and design, and where designs cross',
    figures: ['joins.0.chosenMs', 'joins.0.designs.0.ms'],
    tiny: () => ['--counts', '2000', '--distances', '3', '--runs', '1'],
  },
  {
    name: 'kin',
    file: 'kin.mjs',
    about: 'copies put into files that hold a relative of them already: the share that is found',
    figures: ['copies', 'beside', 'byKind.0.kept'],
    tiny: ({ tree }) => [tree, '--pairs', '9'],
  },
  {
    name: 'lex',
    file: 'lex.mjs',
    about: 'the speed of the lexer on each language of a tree',
    figures: ['languages.0.megabytesPerSecond'],
    tiny: ({ tree }) => ['--tree', tree, '--runs', '1', '--least', '0'],
  },
  {
    name: 'memory',
    file: 'memory.mjs',
    about: 'what Kindred adds to the memory of an extension host, after a scan and after edits, part by part',
    figures: ['lines', 'addedMB.at rest', 'findings'],
    tiny: ({ other }) => ['--tree', other, '--edits', '2', '--rest', '1'],
  },
  {
    name: 'merge',
    file: 'mergeTemplates.mjs',
    about: 'merge proposals of the groups of trees: the template with its holes filled must be each copy',
    figures: ['trees.0.groups', 'trees.0.copies', 'trees.0.p95Ms'],
    tiny: ({ tree }) => ['--tree', tree],
  },
  {
    name: 'org',
    file: 'org.mjs',
    about: 'an index of many repositories: storing, look-ups, and a scan, whose rows must be those of one scan of all',
    figures: ['stored.linesPerSecond', 'found.medianMs', 'staying.0.cpuMs', 'scanned.cpu', 'reference.cpu'],
    tiny: ({ tree, other }) => ['--repository', tree, '--repository', other, '--workers', '1', '--finds', '2'],
  },
  {
    name: 'read',
    file: 'readGroups.mjs',
    about: 'a random sample of the groups of a tree, to be read',
    figures: ['groups', 'drawn'],
    tiny: ({ tree }) => ['--tree', tree, '--groups', '2', '--lines', '3'],
  },
  {
    name: 'reopen',
    file: 'reopen.mjs',
    about: 'opening a folder again with a stored index',
    figures: ['firstFindingsMs', 'upToDateMs', 'unchangedMs', 'withoutIndexMs', 'filesChanged', 'filesRead', 'storeMB'],
    tiny: ({ tree }) => ['--tree', tree, '--touched', '1', '--edited', '2'],
  },
  {
    name: 'rows',
    file: 'rows.mjs',
    about: 'the rows of a report: lines and rows that are reported twice, and the first rows',
    figures: ['trees.0.rows'],
    tiny: ({ tree }) => [tree],
  },
  {
    name: 'scan',
    file: 'scan.mjs',
    about: 'cold scans of real trees beside jscpd and sim, and time by stage',
    figures: ['trees.0.kindred.cpu', 'trees.0.stages.0.cpuMs', 'trees.0.indexBytesPerLine'],
    tiny: ({ tree }) => ['--tree', tree, '--runs', '1'],
  },
  {
    name: 'similar',
    file: 'similar.mjs',
    about: 'near-duplicates of one passage, asked of the index of a large tree: time to the answer',
    figures: ['files', 'lines', 'rows'],
    tiny: ({ tree }) => ['--tree', tree, '--texts', '3', '--lines', '20'],
  },
  {
    name: 'soak',
    file: 'soak.mjs',
    about: 'thousands of edits in a window of VS Code: memory, and what is found at the end',
    figures: ['groups', 'actions'],
    tiny: () => ['--no-build', '--actions', '20'],
    opensWindow: true,
  },
  {
    name: 'unit-pairs',
    file: 'unitPairs.mjs',
    about: 'pairs of functions labeled by reading: a fitted probability, and the labeled pairs that scans show',
    figures: ['area.fitted', 'weights.0', 'deciles.0.1', 'trees.0.shown.0'],
    tiny: ({ tree }) => [`tiny=${tree}`],
  },
];

/**
 * Copies two small folders of this project to use as trees.
 *
 * @param {string} folder
 * @returns {TinyTrees}
 */
export function layTinyTrees(folder) {
  const [tree, other] = [path.join(folder, 'tree'), path.join(folder, 'other')];
  cpSync(path.join(root, 'src/core/engine'), tree, { recursive: true });
  cpSync(path.join(root, 'src/core/methods'), other, { recursive: true });
  return { tree, other };
}

/**
 * Creates a Git repository with two commits in a folder.
 *
 * @param {string} folder
 * @returns {string}  the folder
 */
function commitTwice(folder) {
  const git = (/** @type {readonly string[]} */ ...options) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org', ...options], { cwd: folder });
  git('init', '--quiet');
  for (const subject of ['one', 'two']) {
    appendFileSync(path.join(folder, 'simhash.ts'), `\n// ${subject}\n`);
    git('add', '--all');
    git('commit', '--quiet', '--message', subject);
  }
  return folder;
}
