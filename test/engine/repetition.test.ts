/** Texts with endless repetition: the work grows linearly, and related passages stay together. */
import assert from 'node:assert/strict';
import { Corpus } from '../../src/core/engine/corpus.ts';
import { DocumentIndexer } from '../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { Matcher } from '../../src/core/engine/matches/matches.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import type { Findings } from '../../src/core/engine/report/report.ts';
import { lastOf } from '../../src/core/engine/steps.ts';
import { type Changes, type Documents, findingsOf } from './corpusOf.ts';

const encoder = new TextEncoder();

interface Work {
  readonly seeds: number;
  readonly tokens: number;
  readonly matches: number;
}

/**
 * Returns the numbers of window pairs, and of tokens and matches compared in the last pair of documents: the time of a
 * scan is proportional to them.
 */
function workOf(documents: Documents, changes: Changes = {}): Work {
  const kernel = new Kernel(createMemory());
  const options = { ...defaultOptions, ...changes };
  const indexer = new DocumentIndexer(kernel, options);
  const corpus = new Corpus(kernel, options);
  for (const [path, text] of Object.entries(documents)) {
    const bytes = encoder.encode(text);
    const room = indexer.reserve(bytes.length);
    room.set(bytes);
    corpus.adopt(path, indexer.index(room.subarray(0, bytes.length), lexiconForPath(path)));
  }
  const { task } = lastOf(corpus.planSteps());
  new Matcher(kernel, task, options).matchSeeds(0, task.seeds.count);
  const { tokensCompared, matchesCompared } = kernel.exports;
  return { seeds: task.seeds.count, tokens: tokensCompared(), matches: matchesCompared() };
}

/** Checks that twice the size makes about twice the seeds and twice the number of compared tokens. */
function checkGrowth(make: (size: number) => Documents, size: number, changes: Changes = {}): void {
  const [half, whole] = [size / 2, size].map((count) => workOf(make(count), changes)) as [Work, Work];
  assert.ok(whole.seeds <= 2.1 * half.seeds + 10, `${half.seeds} seeds became ${whole.seeds}`);
  assert.ok(whole.tokens <= 2.1 * half.tokens + 1000, `${half.tokens} tokens became ${whole.tokens}`);
}

function copies(count: number, text: (place: number) => string): Documents {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${String(i).padStart(4, '0')}.ts`, text(i)]));
}

/** Returns the numbers of passages of the groups of a kind, in descending order. */
function sizesOf({ groups }: Findings, kind: string): number[] {
  return groups
    .filter((group) => group.kind === kind)
    .map(({ passages }) => passages.length)
    .sort((x, y) => y - x);
}

const operators = ['+', '-', '*', '%', '<<', '&', '|', '^'];

/** Returns dissimilar lines, different for each seed. */
function lines(count: number, seed: number): string {
  const name = (i: number): string => `n${(seed * 7919 + i * 104_729) % 99_991}`;
  return Array.from({ length: count }, (_, i) => {
    const [x, y] = [operators[(seed + i * i) % 8], operators[(seed * 3 + (i * i * i) / 2) & 7]];
    const tail = Array.from({ length: (seed + i * i) % 5 }, (__, k) => `, ${name(7 * i + k)}`).join('');
    return `  ${name(i)} = ${name(i + 1)} ${x} ${name(i + 2)}(${name(i + 3)} ${y} ${i % 90}${tail});`;
  }).join('\n');
}

const licence = `/*
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated files,
 * to deal in the software without restriction, including without limitation the rights to use, copy, modify, merge,
 * publish, distribute and sell copies of it, provided that this notice appears in all copies of it or large parts.
 */
`;

suite('repetition', () => {
  test('copies of one file are one group', () => {
    const make = (count: number): Documents => copies(count, () => lines(40, 5));
    checkGrowth(make, 600);
    const findings = findingsOf(make(600));
    assert.equal(findings.totals.files, 600);
    assert.deepEqual(sizesOf(findings, 'code'), [600]);
  });

  test('a license above every file is not code, and is one group of comments', () => {
    const make = (count: number): Documents => copies(count, (i) => `${licence}call${i}();\n`);
    checkGrowth(make, 600);
    assert.deepEqual(sizesOf(findingsOf(make(600)), 'prose'), []);
    checkGrowth(make, 600, { readComments: 'asText' });
    assert.deepEqual(sizesOf(findingsOf(make(600), { readComments: 'asText' }), 'prose'), [600]);
  });

  test('a table of equal rows is not a copy of itself, but of another table', () => {
    const rows = (count: number): string => `const rows = [\n${"  [1, 'two', 3, four],\n".repeat(count)}];\n`;
    checkGrowth((count) => ({ 'a.ts': rows(count) }), 40_000);
    const alone = findingsOf({ 'a.ts': rows(40_000) });
    assert.deepEqual([alone.totals.lines, alone.groups.length], [40_002, 0]);
    const twice = findingsOf({ 'a.ts': rows(2_000), 'b.ts': rows(2_000) });
    assert.deepEqual([twice.totals.lines, sizesOf(twice, 'code').length <= 1], [4_004, true]);
  });

  test('is not reported for one statement on every line', () => {
    const make = (count: number): Documents => ({ 'a.ts': 'total = add(total, next(source), 1);\n'.repeat(count) });
    checkGrowth(make, 40_000);
    const { totals, groups } = findingsOf(make(40_000));
    assert.deepEqual([totals.lines, totals.tokens, groups.length], [40_000, 40_000 * 14, 0]);
  });

  test('is not reported for one sentence on every line of a comment', () => {
    const line = '// The quick brown fox jumps over the lazy dog and runs away.\n';
    const make = (count: number): Documents => ({ 'a.ts': line.repeat(count) });
    checkGrowth(make, 4_000, { readComments: 'asText' });
    assert.deepEqual(findingsOf(make(4_000), { readComments: 'asText' }).groups, []);
  });

  test('runs of paragraphs in changing order are only compared with the matches around them', () => {
    const paragraphs = Array.from({ length: 30 }, (_, i) =>
      Array.from({ length: 50 }, (__, j) => `word${(i * 50 + j) * 7919}`).join(' '),
    );
    // Each repetition steps through all paragraphs with another step width. Their number, 31, is prime.
    const page = (repetition: number): string =>
      paragraphs.map((_, i) => paragraphs[(((i + 1) * (repetition + 1)) % 31) - 1]).join('\n\n');
    const make = (count: number): Documents => ({
      'a.md': Array.from({ length: count }, (_, i) => page(i)).join('\n\n'),
    });
    for (const { seeds, matches } of [15, 30].map((count) => workOf(make(count))))
      assert.ok(matches <= seeds, `${matches} matches were compared for ${seeds} seeds`);
  });

  test('statements of one form with few names are not aligned with each other throughout the text', () => {
    let state = 4711;
    const letter = (): string => {
      // Lehmer's generator, which suffices for text that is the same on every run.
      state = (state * 48_271) % 2_147_483_647;
      return 'abcdefgh'[state % 8];
    };
    const all = Array.from({ length: 200_000 }, () => `${letter()}.${letter()}(${letter()}, ${letter()});\n`);
    // With twice the lines, four times as many windows are near by chance. Each of them stands for less and less text.
    const [half, whole] = [100_000, 200_000].map((count) => workOf({ 'a.ts': all.slice(0, count).join('') })) as [
      Work,
      Work,
    ];
    assert.ok(whole.seeds > 3 * half.seeds, `${half.seeds} seeds became ${whole.seeds}`);
    assert.ok(whole.tokens <= 2.3 * half.tokens, `${half.tokens} tokens became ${whole.tokens}`);
  });

  test('entries of a list with few forms are not compared with each other throughout the list', () => {
    let state = 4711;
    const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    const properties = ['loaded: true', 'type: "link"', 'isOpen: false', 'children: []'];
    const entries = Array.from({ length: 4_000 }, () => {
      const some = properties.filter(() => random(4) > 0);
      return `  {\n${[...some, `path: "/p${random(997)}"`].map((property) => `    ${property},\n`).join('')}  },\n`;
    });
    const [half, whole] = [2_000, 4_000].map((count) =>
      workOf({ 'a.ts': `const all = [\n${entries.slice(0, count).join('')}];\n` }),
    ) as [Work, Work];
    assert.ok(whole.seeds > 2 * half.seeds, `${half.seeds} seeds became ${whole.seeds}`);
    assert.ok(whole.tokens <= 1.5 * half.tokens, `${half.tokens} tokens became ${whole.tokens}`);
  });
});
