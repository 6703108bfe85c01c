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
 * @property {(trees: TinyTrees) => readonly string[]} [tiny]
 *   options for a run on tiny trees; undefined if the bench needs a window of VS Code, which is always slow
 *
 * @typedef {{ tree: string, other: string }} TinyTrees  two folders that a bench may change
 */

/** @type {readonly Bench[]} */
export const benches = [
  {
    name: 'agents',
    file: 'agents.mjs',
    about: 'questions of an agent in a large tree, beside jscpd: time to the answer',
    tiny: ({ tree }) => ['--tree', tree, '--language', 'typescript', '--texts', '3', '--lines', '20'],
  },
  {
    name: 'browser',
    file: 'browser.mjs',
    about: 'first rows of a tree in VS Code for the web, also with a slow file system and after a reload',
  },
  {
    name: 'cancel',
    file: 'cancel.mjs',
    about: 'how soon a cold scan stops that is cancelled, in each of its phases',
    tiny: ({ tree }) => ['--tree', tree, '--cancels', '3'],
  },
  {
    name: 'corners',
    file: 'corners.mjs',
    about: 'trees that repeat themselves without end: time at double the size',
    tiny: () => ['--share', '0.01', '--only', 'one file in 5,000 copies'],
  },
  {
    name: 'dial',
    file: 'dial.mjs',
    about: 'other settings tried on the index of a large tree: time of each stop of the dials',
    tiny: ({ other }) => ['--tree', other, '--runs', '1'],
  },
  {
    name: 'edges',
    file: 'edges.mjs',
    about: 'passages that begin or end inside a block',
    tiny: ({ tree }) => ['--list', '3', tree],
  },
  {
    name: 'edit',
    file: 'edit.mjs',
    about: 'edits of files of a large tree: time to the new findings, and memory',
    tiny: ({ tree }) => ['--tree', tree, '--edits', '5'],
  },
  {
    name: 'editor',
    file: 'editor.mjs',
    about: 'a paste into a window of VS Code with a large tree: time to its mark, and the activation',
  },
  {
    name: 'files',
    file: 'files.mjs',
    about: 'precision and recall of the methods on pairs of files',
    tiny: ({ tree }) => [tree],
  },
  {
    name: 'find-all',
    file: 'findAll.mjs',
    about: 'all pairs of 1,000,000 random fingerprints within 3 bits',
    tiny: () => ['--count', '20000', '--runs', '1'],
  },
  {
    name: 'first-rows',
    file: 'firstRows.mjs',
    about: 'the weights that order rows, fitted to labeled rows, and the labels of the first rows of trees',
    tiny: ({ tree }) => [`tiny=${tree}`],
  },
  {
    name: 'forks',
    file: 'forks.mjs',
    about: 'forks of whole files, 0 to 30 % edited: the share of the unedited lines that is found',
    tiny: ({ tree }) => [tree, '--files', '2', '--others', '5'],
  },
  {
    name: 'gate',
    file: 'gate.mjs',
    about: 'the gate over the commits of a repository: time of each, new and diverged copies',
    tiny: ({ other }) => ['--repository', commitTwice(other), '--commits', '1'],
  },
  {
    name: 'growth',
    file: 'growth.mjs',
    about: 'time and memory of scans of ever larger samples of a tree',
    tiny: ({ tree }) => ['--tree', tree, '--runs', '1'],
  },
  {
    name: 'hook',
    file: 'hook.mjs',
    about: 'notes of the hook about helpers that exist under another name, and its silence about other edits',
    tiny: ({ tree }) => ['--tree', tree],
  },
  {
    name: 'index',
    file: 'index.mjs',
    about: 'the search for near fingerprints by distance and design, and where designs cross',
    tiny: () => ['--counts', '2000', '--distances', '3', '--runs', '1'],
  },
  {
    name: 'kin',
    file: 'kin.mjs',
    about: 'copies put into files that hold a relative of them already: the share that is found',
    tiny: ({ tree }) => [tree, '--pairs', '9'],
  },
  {
    name: 'lex',
    file: 'lex.mjs',
    about: 'the speed of the lexer on each language of a tree',
    tiny: ({ tree }) => ['--tree', tree, '--runs', '1', '--least', '0'],
  },
  {
    name: 'memory',
    file: 'memory.mjs',
    about: 'what Kindred adds to the memory of an extension host, after a scan and after edits, part by part',
    tiny: ({ other }) => ['--tree', other, '--edits', '2', '--rest', '1'],
  },
  {
    name: 'org',
    file: 'org.mjs',
    about: 'an index of many repositories: storing, look-ups, and a scan, whose rows must be those of one scan of all',
    tiny: ({ tree, other }) => ['--repository', tree, '--repository', other, '--workers', '1', '--finds', '2'],
  },
  {
    name: 'read',
    file: 'readGroups.mjs',
    about: 'a random sample of the groups of a tree, to be read',
    tiny: ({ tree }) => ['--tree', tree, '--groups', '2', '--lines', '3'],
  },
  {
    name: 'reopen',
    file: 'reopen.mjs',
    about: 'opening a folder again with a stored index',
    tiny: ({ tree }) => ['--tree', tree, '--touched', '1', '--edited', '2'],
  },
  {
    name: 'rows',
    file: 'rows.mjs',
    about: 'the rows of a report: lines and rows that are reported twice, and the first rows',
    tiny: ({ tree }) => [tree],
  },
  {
    name: 'scan',
    file: 'scan.mjs',
    about: 'cold scans of real trees beside jscpd and sim, and time by stage',
    tiny: ({ tree }) => ['--tree', tree, '--runs', '1'],
  },
  {
    name: 'similar',
    file: 'similar.mjs',
    about: 'near-duplicates of one passage, asked of the index of a large tree: time to the answer',
    tiny: ({ tree }) => ['--tree', tree, '--texts', '3', '--lines', '20'],
  },
  {
    name: 'soak',
    file: 'soak.mjs',
    about: 'thousands of edits in a window of VS Code: memory, and what is found at the end',
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
