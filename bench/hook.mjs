/**
 * The notes of `kindred hook` in large trees: edits in which an agent writes a helper that exists under another name
 * (`hook/copies.mjs`), and edits that copy nothing (`hook/others.mjs`). One half of each is for tuning.
 *
 *   npm run bench -- hook [--cache FOLDER] [--list [--all]] [--tree FOLDER] [--from FOLDER --to FOLDER]
 *
 * --cache  folder of the downloaded trees
 * --list   prints the notes that are wrong or missing, without the held-back half
 * --all    with --list, includes the held-back half
 * --tree   runs with this folder instead: a function is written again into another file
 * --from   runs with the edits that lead from this version of a tree to the one in --to, and prints all notes: a new
 *          file is written as a whole, and each hunk of a changed file is an edit
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { trees } from './ecosystem/trees.mjs';
import { copies } from './hook/copies.mjs';
import { editsBetween } from './hook/edits.mjs';
import { others } from './hook/others.mjs';
import { machine, median, quantile, round, table } from './measuring.mjs';
import { defaultCache, layTree } from './packageTrees.mjs';

/** @typedef {{ tree: string, path: string, before: string, after: string, expected?: string, isHeld: boolean }} Case */

const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: defaultCache },
    list: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    tree: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
  },
});

const folder = mkdtempSync(path.join(tmpdir(), 'kindred-hook-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const program = path.join(root, 'dist', 'kindred.cjs');
/** A loaded machine must not make the hook silent. */
const unhurried = ['--timeout', '60000'];
const env = { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache') };

/** @type {Record<string, string>} */
const laid = {};
const indexMs = [];
const treeFolder = values.tree ?? values.from;
for (const name of treeFolder === undefined ? ['devtools', 'networkx'] : ['devtools']) {
  laid[name] = path.join(folder, name);
  cpSync(treeFolder ?? layTree(treeNamed(name), values.cache), laid[name], { recursive: true });
  mkdirSync(path.join(laid[name], '.git'));
  writeFileSync(path.join(laid[name], '.git', 'HEAD'), '');
  const started = performance.now();
  execFileSync(process.execPath, [program, 'hook', '--index'], { cwd: laid[name], env });
  indexMs.push(performance.now() - started);
}

const cases = casesToRun();
const times = [];
const bareTimes = [];
/** @type {Map<string, { cases: number, right: number }>} */
const counts = new Map();
for (const one of cases) {
  const { note, ms } = answer(one);
  times.push(ms);
  bareTimes.push(timeOf(['-e', '0'], { env }));
  const named = /^Kindred: (\S+) in (.*?):\d/.exec(note);
  const isRight =
    one.expected === undefined ? note === '' : named !== null && `${named[2]}#${named[1]}` === one.expected;
  const group = `${one.expected === undefined ? 'silent' : 'named'}, ${one.isHeld ? 'held back' : 'tuned'}`;
  const count = counts.get(group) ?? { cases: 0, right: 0 };
  counts.set(group, { cases: count.cases + 1, right: count.right + Number(isRight) });
  if ((values.list || values.to !== undefined) && !isRight && (values.all || !one.isHeld)) {
    console.log(`${one.expected ?? `nothing to say, ${one.path}`}: ${note || 'silent'}`);
  }
}
console.log(machine());
console.log(
  table(
    ['', 'cases', 'right'],
    [...counts].map(([name, it]) => [name, String(it.cases), String(it.right)]),
  ),
);
const figures = {
  ...Object.fromEntries([...counts].map(([name, { right }]) => [name, right])),
  medianMs: round(median(times)),
  p95Ms: round(quantile(times, 0.95)),
  leastMs: round(Math.min(...times)),
  nodeMedianMs: round(median(bareTimes)),
  nodeLeastMs: round(Math.min(...bareTimes)),
  indexMs: indexMs.map(round),
};
console.log(JSON.stringify(figures));

/** @returns {readonly Case[]} */
function casesToRun() {
  const tree = laid['devtools'] ?? '';
  if (values.tree !== undefined) return tinyCases(tree);
  if (values.to === undefined) return [...copies, ...others].map(caseOf);
  return editsBetween(tree, values.to).map((edit) => ({ ...edit, tree: 'devtools', isHeld: false }));
}

/** @param {string} name */
function treeNamed(name) {
  const tree = trees.find((one) => one.name === name);
  if (tree === undefined) throw new Error(`There is no tree ${name}.`);
  return name === 'devtools' ? { ...tree, folders: ['front_end'] } : tree;
}

/**
 * Returns an edit with the texts before and after it.
 *
 * @param {any} edit
 * @param {number} place
 * @returns {Case}
 */
function caseOf(edit, place) {
  const file = path.join(laid[edit.tree] ?? '', edit.path);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = before.split('\n');
  const at = edit.after ?? lines.length;
  const after = edit.rename
    ? before.replaceAll(new RegExp(`\\b${edit.rename[0]}\\b`, 'g'), edit.rename[1])
    : [...lines.slice(0, at), ...edit.text.replace(/\n$/, '').split('\n'), ...lines.slice(at)].join('\n');
  if (after === before) throw new Error(`${edit.path} has no ${edit.rename?.[0]}.`);
  return { tree: edit.tree, path: edit.path, before, after, expected: edit.expected, isHeld: place % 2 === 1 };
}

/**
 * Runs the hook after an edit, and undoes the edit.
 *
 * @param {Case} one
 */
function answer({ tree, path: name, before, after }) {
  const cwd = laid[tree] ?? '';
  const file = path.join(cwd, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, after);
  const [old_string, new_string] = changed(before, after);
  const event = {
    session_id: 'bench',
    transcript_path: '/tmp/bench.jsonl',
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PostToolUse',
    tool_name: before === '' ? 'Write' : 'Edit',
    tool_use_id: 'toolu_1',
    tool_input: before === '' ? { file_path: file, content: after } : { file_path: file, old_string, new_string },
    tool_response: { filePath: file, success: true },
  };
  const input = JSON.stringify(event);
  const { stdout } = spawnSync(process.execPath, [program, 'hook', ...unhurried], {
    cwd,
    env,
    input,
    encoding: 'utf8',
  });
  // Clients give no options, and a loaded machine may then be too late for an answer.
  const ms = timeOf([program, 'hook'], { cwd, env, input });
  if (before === '') rmSync(file);
  else writeFileSync(file, before);
  const note = stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
  return { note, ms };
}

/**
 * @param {readonly string[]} command
 * @param {import('node:child_process').SpawnSyncOptions} options
 */
function timeOf(command, options) {
  const started = performance.now();
  spawnSync(process.execPath, command, options);
  return performance.now() - started;
}

/**
 * Returns the text between the common beginning and end of two texts, with the line before it, as an agent quotes it.
 *
 * @param {string} before
 * @param {string} after
 */
function changed(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const from = Math.max(0, start - 3);
  return [old, now].map((lines) => lines.slice(from, lines.length - end).join('\n'));
}

/**
 * Returns cases of a small tree: a function of one file, renamed, at the end of another one.
 *
 * @param {string} tree
 * @returns {Case[]}
 */
function tinyCases(tree) {
  const [from, to] = readdirSync(tree, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && /\nfunction \w+\(/.test(readFileSync(path.join(tree, name), 'utf8')))
    .sort();
  if (from === undefined || to === undefined) throw new Error(`${tree} has no two files with functions.`);
  const [source, before] = [from, to].map((name) => readFileSync(path.join(tree, name), 'utf8'));
  const [text = '', name = ''] = /\nfunction (\w+)\([^]*?\n\}\n/.exec(source ?? '') ?? [];
  const after = `${before}${text.replaceAll(name, 'writtenAgain')}`;
  return [{ tree: 'devtools', path: to, before: before ?? '', after, expected: `${from}#${name}`, isHeld: false }];
}
