/** Edits that lead from one version of a tree to another, as an agent would have made them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { structuredPatch } from 'diff';

/** Number of unchanged lines that an edit quotes before and after the changed ones. */
const context = 3;
/** Larger files are data. */
const maxBytes = 400_000;

/**
 * Returns an edit for each new file and for each hunk with added lines, with the text of the file before and after it.
 * Hunks of a file follow each other.
 *
 * @param {string} from
 * @param {string} to
 * @returns {{ path: string, before: string, after: string }[]}
 */
export function editsBetween(from, to) {
  const names = readdirSync(to, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => /\.[a-z]{1,4}$/.test(name) && statSync(path.join(to, name)).isFile());
  return files.flatMap((name) => {
    if (statSync(path.join(to, name)).size > maxBytes) return [];
    const after = readFileSync(path.join(to, name), 'utf8');
    const old = path.join(from, name);
    if (!existsSync(old)) return [{ path: name, before: '', after }];
    return hunks(readFileSync(old, 'utf8'), after).map((edit) => ({ path: name, ...edit }));
  });
}

/**
 * @param {string} before
 * @param {string} after
 */
function hunks(before, after) {
  if (before === after) return [];
  const lines = before.split('\n');
  let shift = 0;
  return structuredPatch('', '', before, after, '', '', { context }).hunks.flatMap((hunk) => {
    const now = hunk.lines.filter((line) => /^[ +]/.test(line)).map((line) => line.slice(1));
    const text = lines.join('\n');
    lines.splice(hunk.oldStart - 1 + shift, hunk.oldLines, ...now);
    shift += hunk.newLines - hunk.oldLines;
    return hunk.lines.some((line) => line.startsWith('+')) ? [{ before: text, after: lines.join('\n') }] : [];
  });
}
