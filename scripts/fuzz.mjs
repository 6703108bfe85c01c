/**
 * `npm run fuzz` searches for files and options that violate an invariant (test/fuzz/checks.ts).
 *
 *   npm run fuzz -- [--minutes N] [--seed S] [--tree FOLDER] [--every N] [--keep-going]
 *   npm run fuzz -- --replay FOLDER
 *
 * --minutes     duration (2)
 * --seed        seed of the first case; each case increments it (random)
 * --tree        folder with the initial files (the fixtures of all languages in test/fixtures/lex)
 * --every       interval of the cases that use the command line, with more files and links (60)
 * --keep-going  continues after a failure, and reports each kind of failure once
 * --replay      folder of a stored case to repeat
 *
 * A failing case is reduced and stored in dist/fuzz. The exit code is then 1.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { asksForHelp, helpOf, root } from './project.mjs';

/** @param {readonly string[]} command */
function node(...command) {
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

const program = path.join('dist', 'test', 'fuzz', 'run.js');
if (asksForHelp) console.log(helpOf(import.meta.filename));
else process.exitCode = node('scripts/build.mjs', '--tests') || node(program, ...process.argv.slice(2));
