// Records the changes of this project's files over commits, for a test to replay:
//   node scripts/recordHistory.mjs <commits> <folder…>
//  Writes test/fixtures/history.json.gz: a list of steps { path: null | [first line, lines removed, lines inserted] }.
// The first step contains all files.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './project.mjs';

const [count = '30', ...folders] = process.argv.slice(2);
const commits = git('rev-list', '--first-parent', '--reverse', `--max-count=${count}`, 'HEAD', '--', ...folders)
  .trim()
  .split('\n');
/** @type {Map<string, string>} */
let before = new Map();
const steps = commits.map((commit) => {
  const after = filesOf(commit);
  /** @type {Record<string, null | [number, number, string[]]>} */
  const step = {};
  for (const name of before.keys()) if (!after.has(name)) step[name] = null;
  for (const [name, text] of after) {
    const old = before.get(name);
    if (old !== text) step[name] = splice(old === undefined ? [] : old.split('\n'), text.split('\n'));
  }
  before = after;
  return step;
});
const file = path.join(root, 'test/fixtures/history.json.gz');
const bytes = gzipSync(JSON.stringify(steps), { level: 9 });
writeFileSync(file, bytes);
console.log(`${steps.length} steps, ${before.size} files at the end, ${bytes.length} bytes`);

/** @param {readonly string[]} command */
function git(...command) {
  return execFileSync('git', command, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
}

/** @param {string} commit */
function filesOf(commit) {
  const names = git('ls-tree', '-r', '--name-only', commit, '--', ...folders)
    .trim()
    .split('\n');
  const texts = names
    .filter((name) => /\.(ts|md)$/.test(name))
    .map((name) => /** @type {const} */ ([name, git('show', `${commit}:${name}`)]));
  return new Map(texts);
}

/**
 * Returns the change from one list of lines to the other: [first line, lines removed, lines inserted].
 *
 * @param {readonly string[]} old
 * @param {readonly string[]} now
 * @returns {[number, number, string[]]}
 */
function splice(old, now) {
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [start, old.length - start - end, now.slice(start, now.length - end)];
}
