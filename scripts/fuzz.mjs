/**
 * `npm run fuzz`: searches for files and options of which something does not hold that always should (test/fuzz/checks.ts).
 *
 *   npm run fuzz -- [--minutes N] [--seed S] [--tree FOLDER] [--every N] [--keep-going]
 *   npm run fuzz -- --replay FOLDER
 *
 * --minutes     how long (2)
 * --seed        of the first case; each case has the next one. Another one each time if none is named
 * --tree        whose files are taken to begin with; those of all languages in test/fixtures/lex if none is named
 * --every       each so many-th case goes through the command line, with more files and links (60)
 * --keep-going  does not end at the first case that fails, and tells each kind of failure once
 * --replay      a case that was kept
 *
 * What fails is made small and kept in dist/fuzz. The exit code is then 1.
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
