/** Formats the differences of two reports (compareReports.mjs) as text, with the lines of the passages. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { labelOf, percentOf, placeOf } from './compareReports.mjs';

/**
 * @typedef {import('./compareReports.mjs').Group} Group
 * @typedef {import('./compareReports.mjs').Change} Change
 * @typedef {import('./compareReports.mjs').Differences} Differences
 *
 * @typedef {{ examples: number, lines: number }} Limits  examples of each sort, and lines of each passage
 */

/** Maximum number of passages to show of a group, and to list of a changed range. */
const [maxPassages, maxListed] = [2, 4];
const maxColumns = 140;

/**
 * @param {Differences} differences
 * @param {string} tree  the folder that paths are relative to
 * @param {Limits} limits
 */
export function describeChanges(differences, tree, limits) {
  const { gained, lost, range, category, similarity, place, order, around } = differences;
  const text = (/** @type {Group} */ group) => passagesText(group, tree, limits.lines);
  /** @type {string[]} */
  const sections = [];
  /**
   * @template T
   * @param {string} title
   * @param {readonly T[]} all
   * @param {(one: T) => string} describe
   */
  const add = (title, all, describe) => {
    if (all.length === 0) return;
    const shown = all.slice(0, limits.examples);
    const count = shown.length < all.length ? `${all.length}, the first ${shown.length}` : String(all.length);
    sections.push(`${title} (${count}):\n\n${shown.map(describe).join('\n\n')}`);
  };
  add('gained', gained, (group) => `+ ${headOf(group)}\n${text(group)}`);
  add('lost', lost, (group) => `- ${headOf(group)}\n${text(group)}`);
  add('range', range, ({ before, after }) => `~ ${headOf(after)}\n${rangesText(before, after)}\n${text(after)}`);
  add('category', category, ({ before, after }) => `~ ${labelOf(before)} → ${headOf(after)}\n${text(after)}`);
  add('similarity', similarity, ({ before, after }) => `~ ${percentOf(before)}% → ${headOf(after)}\n${text(after)}`);
  add('place', place, ({ before, after }) => {
    const now = after.parent === undefined ? 'a row of its own' : 'a part of another row';
    return `~ now ${now}, was ${before.parent === undefined ? 'a row' : 'a part'}: ${headOf(after)}\n${text(after)}`;
  });
  add('order', order, ({ from, to, after }) => `~ row ${from} → ${to}: ${headOf(after)}\n${text(after)}`);
  add('around', around, (row) => row);
  return sections.join('\n\n');
}

/** @param {Group} group */
function headOf(group) {
  const worth = group.worth === undefined ? '' : `, worth ${group.worth}`;
  return `${labelOf(group)}, ${percentOf(group)}%, ${group.lines} lines, ${group.passages.length} passages${worth}`;
}

/**
 * @param {Group} before
 * @param {Group} after
 */
function rangesText(before, after) {
  const [were, are] = [before, after].map(({ passages }) => passages.map(placeOf));
  const list = (/** @type {string} */ sign, /** @type {readonly string[]} */ places) => [
    ...places.slice(0, maxListed).map((place) => `    ${sign} ${place}`),
    ...(places.length > maxListed ? [`    ${sign} and ${places.length - maxListed} more`] : []),
  ];
  const [removed, added] = [were?.filter((one) => !are?.includes(one)), are?.filter((one) => !were?.includes(one))];
  const lines = [...list('-', removed ?? []), ...list('+', added ?? [])];
  return lines.length > 0 ? lines.join('\n') : '    only columns differ';
}

/**
 * @param {Group} group
 * @param {string} tree
 * @param {number} maxLines
 */
function passagesText({ kind, passages }, tree, maxLines) {
  const shown = passages.slice(0, maxPassages).map((passage) => {
    // Passages of file groups are entire files, whose first lines are not informative.
    if (kind === 'file') return `  ${passage.path}`;
    const lines = readFileSync(path.join(tree, passage.path), 'utf8').split(/\r\n|\r|\n/);
    const own = lines.slice(passage.startLine - 1, passage.endLine);
    const cut = own.slice(0, maxLines).map((line) => `    | ${line.slice(0, maxColumns)}`);
    if (own.length > maxLines) cut.push(`    … ${own.length - maxLines} more lines`);
    return [`  ${placeOf(passage)}`, ...cut].join('\n');
  });
  if (passages.length > maxPassages) shown.push(`  and ${passages.length - maxPassages} more passages`);
  return shown.join('\n');
}
