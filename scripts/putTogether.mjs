/** The files of a package in a folder of its own, as they are packed. */
import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './project.mjs';

/**
 * Copies files of the project, with permissions that do not depend on who made the checkout.
 *
 * @param {readonly string[]} files     relative to the project
 * @param {string} folder               absolute; what is in it goes
 * @param {readonly string[]} programs  those of the files that can be run
 */
export function putTogether(files, folder, programs = []) {
  rmSync(folder, { recursive: true, force: true });
  for (const file of files) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(path.join(root, file), target);
    chmodSync(target, programs.includes(file) ? 0o755 : 0o644);
  }
}
