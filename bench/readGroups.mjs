/**
 * Prints a random sample of the groups of a tree for manual review.
 *
 *   npm run bench -- read --tree FOLDER [--seed N] [--groups N] [--lines N]
 *
 * Every group has the same probability. The same --seed (1) gives the same --groups (50). For each group, the two
 * compared passages with the lowest similarity are printed. At most --lines (30) lines of the first passage are shown,
 * with `=` before lines that the second has too. Lines that only the second passage has follow after `+`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runKindred } from './measuring.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: '.' },
    seed: { type: 'string', default: '1' },
    groups: { type: 'string', default: '50' },
    lines: { type: 'string', default: '30' },
  },
});
const root = path.resolve(values.tree);
const lines = Number(values.lines);
const { groups } = runKindred(root, [], { whole: true }).report;
const drawn = sample(groups, Number(values.groups), Number(values.seed));
drawn.forEach((group, place) => print(group, place + 1));
console.log(JSON.stringify({ bench: 'read', groups: groups.length, drawn: drawn.map(({ id }) => id) }));

/**
 * Returns a random sample of the groups, in the order of the report.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} size
 * @param {number} start
 * @returns {Item[]}
 */
function sample(items, size, start) {
  const places = items.map((_, place) => place);
  let state = start >>> 0;
  // The linear congruential generator of Numerical Recipes (1992, section 7.1). Its upper bits are good enough.
  const next = (/** @type {number} */ below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let end = places.length; end > 1; end--) {
    const other = next(end);
    [places[end - 1], places[other]] = [places[other] ?? 0, places[end - 1] ?? 0];
  }
  return places
    .slice(0, size)
    .sort((x, y) => x - y)
    .flatMap((place) => items[place] ?? []);
}

/**
 * @param {import('../src/core/engine/report/report.ts').Group} group
 * @param {number} number
 */
function print(group, number) {
  const lowestPair = group.pairs.reduce((x, y) => (y.similarity < x.similarity ? y : x));
  const [a, b] = [group.passages[lowestPair.a], group.passages[lowestPair.b]];
  if (!a || !b) return;
  const heading = `${group.kind} ${group.type} ${lowestPair.similarity}, ${group.passages.length} passages, ${group.tokens} tokens`;
  const [textA, textB] = [textOf(a), textOf(b)];
  const [inA, inB] = [new Set(textA.map(plain)), new Set(textB.map(plain))];
  console.log(`\n#${number} ${heading}\n${placeOf(a)} | ${placeOf(b)}`);
  const shown = textA.slice(0, lines);
  for (const line of shown) console.log(`${inB.has(plain(line)) ? '=' : '-'} ${line.slice(0, 160)}`);
  if (shown.length < textA.length) console.log(`  … ${textA.length - shown.length} more lines`);
  const others = textB.filter((line) => !inA.has(plain(line)));
  for (const line of others.slice(0, lines)) console.log(`+ ${line.slice(0, 160)}`);
  if (others.length > lines) console.log(`  … ${others.length - lines} more lines`);
}

/** @param {import('../src/core/engine/report/report.ts').Passage} passage */
function placeOf({ path: name, startLine, endLine }) {
  return `${name}:${startLine}-${endLine}`;
}

/** @param {import('../src/core/engine/report/report.ts').Passage} passage */
function textOf({ path: name, startLine, endLine }) {
  return readFileSync(path.join(root, name), 'utf8')
    .split('\n')
    .slice(startLine - 1, endLine);
}

/** @param {string} line */
function plain(line) {
  return line.replace(/\s+/g, ' ').trim();
}
