/**
 * `npm run faults`: kills the command line at random moments, damages what it has stored, takes its disk away, and changes
 * files under its hands (test/faults/faults.ts), and counts what is lost by that.
 *
 *   npm run faults -- [--tries N] [--seed S] [fault…]
 *
 * --tries  of each kind of fault (20)
 * --seed   of what is left to chance (1). At which moment a signal comes is up to the machine as well
 * fault    only these; one that there is not names all
 *
 * Those that fill a disk have to be run by root. The exit code is 1 when something was lost.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { asksForHelp, helpOf, root } from './project.mjs';

/** @param {readonly string[]} command */
function node(...command) {
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

const program = path.join('dist', 'test', 'faults', 'run.js');
if (asksForHelp) console.log(helpOf(import.meta.filename));
else process.exitCode = node('scripts/build.mjs', '--tests') || node(program, ...process.argv.slice(2));
