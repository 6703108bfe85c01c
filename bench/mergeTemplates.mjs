/**
 * Checks the merge proposals of the groups of real trees: the common text of the copies, with its holes filled, must
 * equal each copy token for token.
 *
 *   npm run bench -- merge [--groups N] [--seed N] [--list N] --tree FOLDER [--tree FOLDER …]
 *
 * --groups  number of groups of code to draw from each tree (300)
 * --seed    the same seed draws the same groups (1)
 * --list    number of proposals with a signature and parameters to print for reading, of the source of each tree (0)
 *
 * Ends with an error if a filled text does not equal its copy.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { machine, quantile, round, runKindred, table } from './measuring.mjs';
import { randomNumbers } from './randomNumbers.mjs';
import { shuffled } from './realTexts.mjs';
import { importSources } from './sources.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', multiple: true, default: ['.'] },
    groups: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    list: { type: 'string', default: '0' },
  },
});
const { antiUnify, canAlign, filled, lexiconForPath, mergeProposal, tokensOf } = await importSources({
  'core/engine/languages/allLexicons.ts': ['lexiconForPath'],
  'presentation/copies/antiUnify.ts': ['antiUnify', 'filled'],
  'presentation/copies/renaming.ts': ['canAlign'],
  'presentation/copies/tokens.ts': ['tokensOf'],
  'surfaces/tools/mergeProposal.ts': ['mergeProposal'],
});
/** Maximum number of copies of a group; the same as for the answer of `get_duplicate`. */
const maxCopies = 50;

const trees = values.tree.map((tree) => check(path.resolve(tree)));
console.log(
  table(
    [
      'tree',
      'groups',
      'copies',
      'tokens',
      'holes',
      'failures',
      'too long',
      'equal',
      'signature',
      'obstacles',
      'p95 ms',
    ],
    trees.map(({ figures: it }) => [
      it.tree,
      it.groups,
      it.copies,
      it.tokens,
      it.holes,
      it.failures.length,
      it.tooLong,
      it.equal,
      it.withSignature,
      it.withObstacles,
      round(it.p95Ms),
    ]),
  ),
);
for (const { listed } of trees) for (const one of listed) console.log(`\n${one}`);
console.log(JSON.stringify({ bench: 'merge', machine: machine(), trees: trees.map(({ figures }) => figures) }));
if (trees.some(({ figures }) => figures.failures.length > 0)) process.exitCode = 1;

/** @param {string} root */
function check(root) {
  const { groups } = runKindred(root, [], { whole: true }).report;
  const code = groups.filter((/** @type {Group} */ { kind }) => kind === 'code');
  const drawn = shuffled(code, randomNumbers(Number(values.seed))).slice(0, Number(values.groups));
  const figures = {
    tree: path.basename(root),
    groups: 0,
    copies: 0,
    tokens: 0,
    holes: 0,
    /** Places of copies that the filled text does not equal. @type {string[]} */
    failures: [],
    tooLong: 0,
    equal: 0,
    withSignature: 0,
    withObstacles: 0,
    p95Ms: 0,
  };
  /** @type {string[]} */
  const listed = [];
  /** @type {number[]} */
  const times = [];
  /** Lines of each file. @type {Map<string, string[]>} */
  const files = new Map();
  for (const group of drawn) {
    const copies = group.passages.slice(0, maxCopies).map((passage) => copyOf(root, passage, files));
    const language = lexiconForPath(copies[0].path).id;
    const texts = copies.map(textOf);
    if (!canAlign(...texts)) {
      figures.tooLong++;
      continue;
    }
    const template = antiUnify(texts, language);
    for (const [at, copy] of copies.entries()) {
      const tokens = tokensOf(texts[at], language).map((/** @type {{ text: string }} */ token) => token.text);
      // Separated by a character that no token contains, so that differently split tokens are not equal.
      if (filled(template, at).join('\0') !== tokens.join('\0')) figures.failures.push(placeOf(copy));
      figures.tokens += tokens.length;
    }
    figures.groups++;
    figures.copies += copies.length;
    figures.holes += template.holes.length;
    const started = performance.now();
    const proposal = mergeProposal(copies, language);
    times.push(performance.now() - started);
    if (proposal === undefined) continue;
    if (proposal.parameters.length === 0) figures.equal++;
    else if (proposal.obstacles.length > 0) figures.withObstacles++;
    else if (proposal.signatures.length > 0) {
      figures.withSignature++;
      if (group.category === 'source' && listed.length < Number(values.list)) listed.push(shown(copies, proposal));
    }
  }
  return { figures: { ...figures, p95Ms: quantile(times, 0.95) }, listed };
}

/**
 * @param {string} root
 * @param {import('../src/core/engine/report/report.ts').Passage} passage
 * @param {Map<string, string[]>} files
 */
function copyOf(root, passage, files) {
  let lines = files.get(passage.path);
  if (lines === undefined) {
    lines = readFileSync(path.join(root, passage.path), 'utf8').split(/\r\n|\n|\r/);
    files.set(passage.path, lines);
  }
  return { ...passage, lines, endLine: Math.min(passage.endLine, lines.length) };
}

/** @param {ReturnType<typeof copyOf>} copy */
function textOf({ lines, startLine, endLine }) {
  return lines.slice(startLine - 1, endLine).join('\n');
}

/** @param {ReturnType<typeof copyOf>} copy */
function placeOf({ path: name, startLine, endLine }) {
  return `${name}:${startLine}-${endLine}`;
}

/**
 * @param {ReturnType<typeof copyOf>[]} copies
 * @param {import('../src/surfaces/tools/mergeProposal.ts').MergeProposal} proposal
 */
function shown(copies, { signatures, parameters, template, savedLines }) {
  return [
    copies.map(placeOf).join(' | '),
    ...signatures.map((signature) => `  signature ${signature}`),
    ...parameters.map(({ name, kind, fillings }) => `  ${kind} ${name}: ${fillings.slice(0, 5).join(' | ')}`),
    `  saved lines: ${savedLines}`,
    ...template.map((line) => `  = ${line}`),
  ].join('\n');
}

/** @typedef {import('../src/core/engine/report/report.ts').Group} Group */
