/**
 * `npm run bench -- <name> [option…]` builds the project and runs a bench. Each bench prints tables, and on its last
 * line one JSON object with its figures.
 *
 * With `--tiny` instead of options, the bench runs on a tiny tree as a smoke test; `--no-build` uses the present dist.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asksForHelp, helpOf, root } from '../scripts/project.mjs';
import { benches, layTinyTrees } from './benches.mjs';

const [name = '', ...benchArguments] = process.argv.slice(2);
process.exitCode = run(name, benchArguments);

/**
 * @param {string} name
 * @param {readonly string[]} benchArguments
 */
function run(name, benchArguments) {
  const bench = benches.find((one) => one.name === name);
  if (bench === undefined) {
    const list = benches.map((one) => `  ${one.name.padEnd(12)}${one.about}`);
    const usage = ['usage: npm run bench -- <name> [--tiny | option…]', '', ...list].join('\n');
    if (!asksForHelp) console.error(usage);
    else console.log(usage);
    return asksForHelp ? 0 : 2;
  }
  if (asksForHelp) {
    console.log(helpOf(path.join(root, 'bench', bench.file)));
    return 0;
  }
  const options = benchArguments.filter((option) => option !== '--no-build');
  const program = path.join('bench', bench.file);
  const status =
    benchArguments.length > options.length ? 0 : node(bench.opensWindow ? 'scripts/package.mjs' : 'scripts/build.mjs');
  if (status !== 0) return status;
  if (!options.includes('--tiny')) return node(program, ...options);
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-tiny-'));
  try {
    return node(program, ...bench.tiny(layTinyTrees(folder)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {readonly string[]} command */
function node(...command) {
  return spawnSync(process.execPath, command, { cwd: path.resolve(root), stdio: 'inherit' }).status ?? 1;
}
