/** Assembly of a package in a separate folder. */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './project.mjs';

/**
 * Copies files of the project, with permissions that do not depend on the umask of the checkout.
 *
 * @param {readonly string[]} files     relative to the project
 * @param {string} folder               absolute; existing content is removed
 * @param {readonly string[]} programs  executable files
 */
export function putTogether(files, folder, programs = []) {
  rmSync(folder, { recursive: true, force: true });
  for (const file of files) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    if (file.endsWith('.md')) {
      writeFileSync(target, withoutDeadLinks(file, readFileSync(path.join(root, file), 'utf8'), files));
    } else {
      copyFileSync(path.join(root, file), target);
    }
    chmodSync(target, programs.includes(file) ? 0o755 : 0o644);
  }
}

/**
 * Replaces links to files that a package does not contain with their text. There is no public address to complete them
 * with.
 *
 * @param {string} name              path of the Markdown file in the package
 * @param {string} text
 * @param {readonly string[]} files  paths in the package
 */
export function withoutDeadLinks(name, text, files) {
  return text.replaceAll(/(?<!!)\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g, (link, label, target) =>
    files.includes(path.posix.join(path.posix.dirname(name), target)) ? link : label,
  );
}
