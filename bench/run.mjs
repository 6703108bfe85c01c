/**
 * `npm run bench -- <name> [option…]`: builds, then runs a bench. Each prints tables, and as its last line one JSON object
 * of its figures.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from '../scripts/project.mjs';

/** Name → its program in this folder, and what it measures. */
const benches = {
  agents: ['agents.mjs', 'questions of an agent in a large tree, beside jscpd: time to the answer'],
  cancel: ['cancel.mjs', 'how soon a cold scan stops that is cancelled, in each of its phases'],
  corners: ['corners.mjs', 'trees that repeat themselves without end: time at double the size'],
  dial: ['dial.mjs', 'other settings tried on the index of a large tree: time of each stop of the dials'],
  edit: ['edit.mjs', 'edits of files of a large tree: time to the new findings, and memory'],
  editor: ['editor.mjs', 'a paste into a window of VS Code with a large tree: time to its mark, and the activation'],
  files: ['files.mjs', 'precision and recall of the methods on pairs of files'],
  'find-all': ['findAll.mjs', 'all pairs of 1,000,000 random fingerprints within 3 bits'],
  forks: ['forks.mjs', 'forks of whole files, 0 to 30 % edited: the share of the unedited lines that is found'],
  gate: ['gate.mjs', 'the gate over the commits of a repository: time of each, new and diverged copies'],
  growth: ['growth.mjs', 'time and memory of scans of ever larger samples of a tree'],
  kin: ['kin.mjs', 'copies put into files that hold a relative of them already: the share that is found'],
  memory: [
    'memory.mjs',
    'what Kindred adds to the memory of an extension host, after a scan and after edits, part by part',
  ],
  reopen: ['reopen.mjs', 'opening a folder again with a stored index'],
  index: ['index.mjs', 'the search for near fingerprints by distance and design, and where designs cross'],
  org: ['org.mjs', 'an index of many repositories in PostgreSQL: storing, look-ups, scans by servers and workers'],
  similar: ['similar.mjs', 'near-duplicates of one passage, asked of the index of a large tree: time to the answer'],
  soak: ['soak.mjs', 'thousands of edits in a window of VS Code: memory, and what is found at the end'],
  rows: ['rows.mjs', 'what a person meets in a report: lines and rows said twice, and the first rows'],
  scan: ['scan.mjs', 'cold scans of real trees beside jscpd and sim, and time by stage'],
};

const [name = '', ...options] = process.argv.slice(2);
process.exitCode = run(name, options);

/**
 * @param {string} name
 * @param {readonly string[]} options
 */
function run(name, options) {
  if (!Object.hasOwn(benches, name)) {
    const list = Object.entries(benches).map(([known, [, about]]) => `  ${known.padEnd(12)}${about}`);
    console.error([`usage: npm run bench -- <name> [option…]`, '', ...list].join('\n'));
    return 2;
  }
  const [file] = benches[/** @type {keyof typeof benches} */ (name)];
  return node('scripts/build.mjs') || node(`bench/${file}`, ...options);
}

/** @param {readonly string[]} command */
function node(...command) {
  return spawnSync(process.execPath, command, { cwd: path.resolve(root), stdio: 'inherit' }).status ?? 1;
}
