/**
 * `npm run faults` injects faults (test/faults/faults.ts) and counts lost data. It kills the command line at random
 * moments, damages stored data, makes the disk unavailable, and changes files during a scan.
 *
 *   npm run faults -- [--tries N] [--seed S] [fault…]
 *
 * --tries  tries of each kind of fault (20)
 * --seed   seed of the random choices (1); the timing of signals also depends on the machine
 * fault    only these kinds of fault; an unknown name lists all kinds
 *
 * Faults that fill a disk require root. The exit code is 1 if data was lost.
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
