/**
 * Equal runs are found completely: each run of equal tokens that is long enough for a passage is in one row, whatever
 * its context. The expected runs come from all diagonals of all pairs of documents (oracles/equalRuns.ts).
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { sampled, scaled } from '../../scripts/scaled.mjs';
import { type Documents, findingsOf, matchesOf } from './corpusOf.ts';
import { fixtureFolder, fixtureNames } from './lexing.ts';
import { lostByMatching, lostOfSeeded, type LostRun, lostRuns, seededRuns, wantedRuns } from './oracles/equalRuns.ts';
import { repeatingDocuments, repeatingPages } from './repeatingDocuments.ts';

function checkWhole(documents: Documents): void {
  assert.deepEqual(lostRuns(documents, findingsOf(documents)).map(asText), []);
}

function asText({ a, b, tokens, found }: LostRun): string {
  return `${a.path}:${a.startLine}-${a.endLine} ~ ${b.path}:${b.startLine}-${b.endLine}: ${found} of ${tokens} tokens`;
}

/** Unique statements of about ten tokens each. */
function statements(count: number, from = 0): string {
  return Array.from(
    { length: count },
    (_, i) => `const own${i + from} = call${i + from}(arg${i}, ${i + from});\n`,
  ).join('');
}

const set = `  const alpha = read(source, 'alpha');\n`;
const push = '  list.push({ alpha, count: alpha.length });\n';
const guard = '  if (alpha > limit) throw new RangeError(alpha);\n';
const work = (body: string): string => `function work(source, options) {\n${body}}\n`;
const own = '  own(0, "own");\n';
/** Strings so long that their words and holes become tokens. */
const holes = Array.from(
  { length: 20 },
  (_, i) =>
    `report${i}(\`Opening the socket of a file ${i}, the current state of it is \${this.total${i}()}, of \${y}\`);\n`,
).join('');
const cases = Array.from(
  { length: 12 },
  (_, i) => `  mode${i})\n    export first${i}="$name${i}/lib"\n    run tool${i} --all "$first${i}"\n    ;;\n`,
).join('');

const shell = `${Array.from({ length: 8 }, (_, i) => `folder${i}="$base${i}/part"\n`).join('')}case "$1" in\n${cases}esac\n`;

const head = 'function work(source, options) {\n';
const gamma = '  this.gamma = options.gamma ?? defaults.gamma;\n';
const checks = `  expect(parse('beta')).toEqual([1, 'beta']);
  case 'index': return index;
  if (alpha > limit) throw new RangeError(alpha);
  case 'delta': return delta;
  expect(parse('last')).toEqual([1, 'last']);
`;
const delta = '  if (delta > limit) throw new RangeError(delta);\n';
const count = '  list.push({ count, count: count.length });\n';
const last = '  list.push({ last, count: last.length });\n';
const end = "  const first = read(source, 'first');\n  log.info(`beta`, total + beta);\n";
const stores = (...names: readonly string[]): string =>
  names.map((name) => `  await store.put(${name}.id, await ${name}.load());\n`).join('');

const sentences = [
  'Nothing is reported twice and nothing that was found before is forgotten while the documents stay the same.',
  'A passage that is found in several documents is shown once with all of the places where it was found.',
  'The harbour was rebuilt in the spring after the flood had taken away its northern wall and the lamps.',
  'When two windows have fingerprints that differ in few bits the passages around them are compared word by word.',
  'The index holds every window of every document and is searched whenever a document changes its text.',
];
const paragraph = (...places: readonly number[]): string => places.map((place) => `${sentences[place]}\n`).join('');

const sizes = `export interface Size {
  files: number;
  lines: number;
}
class Sizes {
  readonly #sizes = new Map<string, Size>();
  readonly #lines = new Map<string, number>();
  readonly #changed = new Set<string>();
  replace(replaced: readonly Document[]): void {
    const [before, after] = [textsOf(replaced, 'before'), textsOf(replaced, 'after')];
    for (const { path } of before) this.#lines.delete(path);
    for (const { path, index } of after) this.#lines.set(path, index.totalLines);
    this.#countAll(before, -1);
    this.#countAll(after, 1);
  }
`;
const oneMethod = `  linesOf(path: string): number {
    return this.#lines.get(path)!;
  }
`;

/** Documents with ambiguous alignments, similar windows, or overlapping passages. */
const begun = `export function tied(bucket: readonly number[], isNear: (a: number, b: number) => boolean): [number, number][] {
  const { partners } = tuning.files;
  return bucket.flatMap((second, place) => {
`;
/** As few lines as a passage may have, of which the last one closes the method. */
const closing = `    if (low === this.different || all[low] !== fingerprint) return undefined;
    const { words } = this.#kernel;
    const window = words[(this.#ids >>> 2) + words[(this.#firsts >>> 2) + low]];
    return { document: words[(this.#docs >>> 2) + window], position: words[(this.#positions >>> 2) + window] };
  }
`;
const addHead = `  add(passages: readonly number[]): void {
    const { documents, starts, ends } = this.#table;
`;
const caseLines = `${set}${guard}${push}${guard}  case 'alpha': return alpha;\n${set}`;
const adding = `    const cluster = this.#clusterCount++;
    for (const passage of passages) {
      const document = documents[passage];
      let members = this.#byDocument.get(document);
      if (members === undefined) this.#byDocument.set(document, (members = { all: [], byStretch: new Map() }));
`;
const examples: readonly Documents[] = [
  // The first part of a case on the right side, and the last one on the left side: together more than 24 tokens.
  {
    'a.ts': [
      `${set}${set}\n  case 'alpha': return alpha;\n${set}${set}${guard}${guard}  case 'alpha': return alpha;\n${set}\n`,
      `${set}  case 'alpha': return alpha;\n${set}${set}${guard}${guard}  case 'alpha': return alpha;\n${set}`,
    ].join(''),
    'b.ts': set.repeat(3),
  },
  // The longer match of two files has a method more than the group of three passages.
  {
    'a.ts': `${sizes}${sizes}${oneMethod}${statements(2)}`,
    'b.ts': `${sizes}${oneMethod}}\n`,
  },
  // A match contains the run except for its first line, and has too few lines without it.
  {
    'a.ts': `${addHead}${adding}interface Members {\n`,
    'b.ts': `${addHead}  readonly shape: Shape;\n}\nexport interface Fingerprints {\n${adding}      const member = 1;\n`,
  },
  // Without the last line, which is behind the cases, the run has too few lines.
  { 'a.ts': `${caseLines}\n${caseLines}${set}\n${set.repeat(3)}` },
  { 'a.ts': `${closing}${own}`, 'b.ts': `class Groups {\n  find() {\n${own}${closing}}\n` },
  // The alignment could continue across the difference into the second place.
  { 'a.ts': [set.repeat(3), work(set.repeat(3)), own, set.repeat(3), work(set.repeat(3)), set.repeat(3)].join('\n') },
  // Each window equals one of the next few.
  {
    'a.ts': set.repeat(3) + push + set.repeat(3) + push + set,
    'b.ts': set.repeat(3) + push + set.repeat(3) + push + set,
  },
  // Two alignments that overlap on one side.
  {
    'a.ts': (set.repeat(3) + guard).repeat(2),
    'b.ts': (set.repeat(3) + guard).repeat(2) + set + own + guard + set.repeat(2) + guard,
  },
  // Equal passages within a file, and a second copy of the file.
  {
    'a.ts': `${work(set + push + guard + set + push)}${statements(9)}${work(set + push + guard + set + push)}`,
    'b.ts': `${work(set + push + guard + set + push)}${statements(9)}${work(set + push + guard + set + push)}`,
  },
  // A copied piece before the text it was copied from.
  { 'a.ts': statements(20), 'b.ts': statements(6) + statements(20) },
  // Closing brackets without opening ones.
  { 'a.ts': holes + statements(30), 'b.ts': holes + statements(30) },
  { 'a.sh': shell, 'b.sh': `begin here\n${shell}` },
  // Ends that belong to something larger.
  {
    'a.ts': `${statements(20)}${work(statements(7, 20))}first();\n`,
    'b.ts': `${statements(20)}${work(`${statements(7, 20)}other(than, that);\n`)}`,
  },
  // Two unfinished statements at the end, together longer than the limit for one.
  { 'a.ts': `${statements(20)}${begun}first();\n`, 'b.ts': `${statements(20)}${begun}other(than, that);\n` },
  // A run on one side is part of a longer run on the other, and its passage is attracted to another one.
  {
    'a.ts': `${`${head}${gamma}${checks}`.repeat(2)}${delta}${count}${last}${stores('alpha')}${last}${stores('delta')}${end}`,
    'b.ts': `${head}${checks}${head}${stores('first')}${last}${stores('alpha', 'delta')}${end}  other.call(82, "own");\n${stores('first', 'alpha', 'delta')}${end}`,
  },
  // Pages with the same content in another order, and a section in the same order.
  {
    'a.md': paragraph(0, 1, 2),
    'b.md': `${paragraph(0, 2, 1, 3, 1)}\n${paragraph(0, 2, 1, 4)}`,
  },
];

suite('equal runs: the oracle', () => {
  const twice = { 'a.ts': statements(12), 'b.ts': `begin();\n${statements(12)}end();\n` };
  test('reports a run that no group has', () => {
    const findings = findingsOf(twice);
    assert.deepEqual(lostRuns(twice, findings), []);
    assert.deepEqual(
      lostRuns(twice, { ...findings, groups: [] }).map(({ a, b, tokens, found }) => [a, b, tokens, found]),
      [
        [
          { path: 'a.ts', start: 0, end: 120, startLine: 1, endLine: 12 },
          { path: 'b.ts', start: 4, end: 124, startLine: 2, endLine: 13 },
          120,
          0,
        ],
      ],
    );
  });
  test('reports text beside the passages of a group', () => {
    const findings = findingsOf(twice);
    const groups = findings.groups.map((group) => ({
      ...group,
      passages: group.passages.map((passage) => ({ ...passage, endLine: passage.endLine - 3 })),
    }));
    assert.deepEqual(
      lostRuns(twice, { ...findings, groups }).map(({ found }) => found),
      [90],
    );
  });
  test('requires nothing that is too small, of one form, or a repetition of itself', () => {
    const count = (text: string, other = text): number => wantedRuns({ 'a.ts': text, 'b.ts': other });
    assert.equal(count(statements(4)), 0);
    assert.equal(count(statements(5)), 1);
    assert.equal(wantedRuns({ 'a.ts': 'list.push(next, 1);\n'.repeat(40) }), 0);
    assert.equal(wantedRuns({ 'a.ts': statements(8) + statements(8) }), 1);
    // Three consecutive places, each equal to the next one.
    assert.equal(wantedRuns({ 'a.ts': statements(8).repeat(3) }), 2);
    // Sixty and a hundred tokens of equal rows.
    assert.equal(count("  [1, 'two'],\n".repeat(10), `x;\n${"  [1, 'two'],\n".repeat(10)}`), 0);
    assert.ok(count("  [1, 'two'],\n".repeat(17), `x;\n${"  [1, 'two'],\n".repeat(17)}`) > 0);
  });
});

suite('equal runs are matched whole, and found whole', () => {
  /** Checks documents and returns the number of their runs. */
  function check(documents: Documents): number {
    const matched = matchesOf(documents);
    const seeded = seededRuns(documents, matched);
    assert.deepEqual(lostByMatching(seeded, matched).map(asText), []);
    assert.deepEqual(lostOfSeeded(seeded, matched, findingsOf(documents)).map(asText), []);
    return seeded.runs.length;
  }

  function checkAll(arbitrary: fc.Arbitrary<Documents>, runs: fc.Parameters<[Documents]>): void {
    let looked = 0;
    fc.assert(
      fc.property(arbitrary, (documents) => {
        looked += check(documents);
      }),
      runs,
    );
    assert.ok(looked > (runs.numRuns ?? 0) / 10);
  }

  test('in documents that repeat themselves', () => {
    checkAll(repeatingDocuments, { numRuns: scaled(200) });
    // Regression: the match contains the middle of a run but not its ends.
    checkAll(repeatingDocuments, { numRuns: 1, seed: 418793648, path: '76' });
  });
  test('in pages', () => {
    checkAll(repeatingPages, { numRuns: scaled(100) });
  });
  test('beside similar text', () => {
    for (const documents of examples) check(documents);
  });
  test('in a piece that is repeated immediately, any number of times', () => {
    for (const count of [2, 3, 4, 10, 20]) {
      check({ 'a.ts': statements(8).repeat(count) });
      check({ 'a.ts': `first();\n${statements(30).repeat(count)}${statements(7)}last();\n` });
    }
  });
  test('in pieces of real files that were copied into others', () => {
    checkAll(copiedPieces(), { numRuns: scaled(40) });
  });
  test('in a copy of each lexer fixture with other text before it', () => {
    for (const [name, text] of sampled(fixtureTexts())) {
      check({ [`a/${name}`]: text, [`b/${name}`]: `${text.split('\n').slice(3, 9).join('\n')}\n${text}` });
    }
  });
});

suite('all equal runs are found whole', () => {
  test('whatever their length', () => {
    for (const count of [100, 700]) checkWhole({ 'a.ts': statements(count), 'b.ts': statements(count) });
  });
  test('in a piece that is repeated immediately, any number of times', () => {
    for (const count of [2, 3, 10, 30]) checkWhole({ 'a.ts': statements(8).repeat(count) });
  });
  test('in two copies of each lexer fixture', () => {
    for (const [name, text] of sampled(fixtureTexts())) checkWhole({ [`a/${name}`]: text, [`b/${name}`]: text });
  });
});

function fixtureTexts(): [string, string][] {
  return fixtureNames().map((name) => [name, readFileSync(path.join(fixtureFolder, name), 'utf8')]);
}

/** Two or three files of the engine with pieces of each copied into others. */
function copiedPieces(): fc.Arbitrary<Documents> {
  const folder = path.resolve('src/core/engine');
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'))
    .filter((lines) => lines.length > 40 && lines.length < 250);
  const copy = fc.record({ from: fc.nat(), line: fc.nat(), count: fc.integer({ min: 8, max: 60 }), to: fc.nat() });
  return fc
    .tuple(fc.subarray(texts, { minLength: 2, maxLength: 3 }), fc.array(copy, { minLength: 1, maxLength: 4 }))
    .map(([chosenTexts, copies]) => {
      const files = chosenTexts.map((lines) => [...lines]);
      for (const { from, line, count, to } of copies) {
        const source = chosenTexts[from % chosenTexts.length];
        const piece = source.slice(line % source.length, (line % source.length) + count);
        const target = files[to % files.length];
        target.splice(line % target.length, 0, ...piece);
      }
      return Object.fromEntries(files.map((lines, i) => [`${i}.ts`, lines.join('\n')]));
    });
}
