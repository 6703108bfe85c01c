/**
 * Prints random comments without their code, for a reader who judges if each is clear on the first reading. Also counts
 * the first words of comments.
 *
 * node scripts/sampleComments.mjs [folder…] [--seed N] [--count 50]
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from '@typescript-eslint/typescript-estree';
import { avoidedOpenings, joinLineComments, linesOf, openingWords } from './plainComments.mjs';
import { asksForHelp, helpOf, root } from './project.mjs';

if (asksForHelp) {
  console.log(helpOf(import.meta.filename));
  process.exit();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '50' } },
});

const folders = positionals.length > 0 ? positionals : ['src', 'test', 'scripts', 'bench'];
const comments = folders.flatMap((folder) => sourcesIn(path.resolve(root, folder)).flatMap(commentsIn));
printOpenings();
printSample(Number(values.seed), Number(values.count));

/**
 * Returns the scripts and sources in a folder at any depth, or the file itself, in alphabetical order.
 *
 * @param {string} place
 */
function sourcesIn(place) {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(place, name))
    .filter((name) => /\.(?:ts|mjs)$/.test(name) && !/[\\/](?:fixtures|node_modules)[\\/]/.test(name))
    .sort();
}

/**
 * @param {string} file
 * @returns {string[][]} the lines of each comment
 */
function commentsIn(file) {
  const text = readFileSync(file, 'utf8');
  const { comments: all } = parse(text, { comment: true, range: true, loc: true, allowInvalidAST: true });
  return joinLineComments(text, all ?? []).map(linesOf);
}

function printOpenings() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const words of comments.map(openingWords)) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const avoided = avoidedOpenings.map((word) => `${word} ${counts.get(word) ?? 0}`);
  const common = [...counts].sort(([, a], [, b]) => b - a).slice(0, 20);
  console.log(`${comments.length} comments in ${folders.join(', ')}`);
  console.log(`Openings to avoid: ${avoided.join(', ')}`);
  console.log(`Most common openings: ${common.map((entry) => entry.join(' ')).join(', ')}\n`);
}

/**
 * @param {number} seed
 * @param {number} count
 */
function printSample(seed, count) {
  const rest = [...comments];
  let state = seed;
  for (let n = 1; n <= count && rest.length > 0; n++) {
    // Linear congruential generator: Knuth, MMIX, reduced to 32 bits (Numerical Recipes, section 7.1).
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const [lines = []] = rest.splice(Math.floor((state / 2 ** 32) * rest.length), 1);
    console.log(`${n}. ${lines.join('\n   ')}`);
  }
}
