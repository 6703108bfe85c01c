/** The live index of seeds, compared with a complete search through all documents, over random histories. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import { type Blocks, createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { LiveSeeds, pairKey } from '../../../src/core/engine/seeds/liveSeeds.ts';
import {
  type AllSeeds,
  type Distances,
  findSeedsSteps,
  type Seeds,
  tableBytes,
  windowsOf,
  writeDocument,
  writeDocuments,
} from '../../../src/core/engine/seeds/seeds.ts';
import { searchesPatterns } from '../../../src/core/engine/seeds/phrases.ts';
import { lastOf } from '../../../src/core/engine/steps.ts';
import { seedBitsShift, seedBytes, seedPositionMask, unitOnly } from '../../../src/core/kernel/seeds/seedLayout.ts';
import { documentOf, type Text, type Windows } from './madeUpWindows.ts';

const documentCount = 6;
/** Number of the first prose document. All later ones are prose too. */
const firstOfProse = 4;
const distances = [0, 1, 3, 6, 12];

/**
 * Fingerprints with few distinct values, and others some bits away, so that groups and crowds form. 0 is not a seed.
 */
const fingerprint = fc
  .tuple(fc.nat(3), fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(fc.nat(63), { maxLength: 4 })))
  .map(([base, bits]) =>
    bits.reduce((value, bit) => value ^ (1n << BigInt(bit)), BigInt(base) * 0x1357_9bdf_0246_8acen),
  );
const windows: fc.Arbitrary<Windows> = fc.array(
  fc.record({ step: fc.nat(30), written: fingerprint, renamed: fingerprint }),
  { maxLength: 14, size: 'max' },
);
/** Fingerprints that are all near each other, in documents long enough to form crowds. */
const crowd: fc.Arbitrary<Windows> = fc.array(
  fc.record({
    step: fc.nat(30),
    written: fc
      .array(fc.nat(63), { minLength: 1, maxLength: 5 })
      .map((bits) => bits.reduce((value, bit) => value ^ (1n << BigInt(bit)), 0x1357_9bdf_0246_8acen)),
    renamed: fingerprint,
  }),
  { minLength: 40, maxLength: 80, size: 'max' },
);

interface Content extends Text {
  readonly windows: Windows;
}
const windowsOnly = windows.map((list): Content => ({ windows: list }));
const crowdOnly = crowd.map((list): Content => ({ windows: list }));
/** Lines of a few words, which share phrases within and across three languages, and no windows. */
const lines: fc.Arbitrary<Content> = fc.record({
  windows: fc.array(fc.record({ step: fc.nat(6), written: fc.constant(0n), renamed: fc.constant(0n) }), {
    maxLength: 14,
    size: 'max',
  }),
  tokens: fc.array(fc.constantFrom(0x13, 0x14, 0x23, 0x23, 0x41), { maxLength: 60, size: 'max' }),
  languageHash: fc.nat(2),
});

const frequent = [0x13, 0x41, 0x14, 0x23];
/** Lines of repeated sequences of tokens in one language, which share patterns, and no windows. */
const repetitiveLines: fc.Arbitrary<Content> = fc.record({
  windows: fc.array(fc.record({ step: fc.nat(9), written: fc.constant(0n), renamed: fc.constant(0n) }), {
    maxLength: 14,
    size: 'max',
  }),
  tokens: fc
    .array(fc.constantFrom(...Array<number[]>(6).fill(frequent), [0x23, 0x41], [0x51, 0x24]), {
      maxLength: 24,
      size: 'max',
    })
    .map((parts) => parts.flat()),
});

interface History {
  readonly distances: Distances;
  /** Rank of each document in the order of paths. */
  readonly ranks: readonly number[];
  /** Steps with changed documents; `undefined` removes one. The first windows of the previous version may be kept. */
  readonly steps: readonly (readonly (readonly [document: number, content: Content | undefined, kept: number])[])[];
}

function histories(
  distance: fc.Arbitrary<number>,
  content: fc.Arbitrary<Content>,
  maxSteps: number,
): fc.Arbitrary<History> {
  return fc.record({
    distances: fc.record({ code: distance, prose: distance }),
    ranks: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: documentCount }),
    steps: fc.array(
      fc.array(fc.tuple(fc.nat(documentCount - 1), fc.option(content, { freq: 4, nil: undefined }), fc.nat(6)), {
        minLength: 1,
        maxLength: 3,
      }),
      { minLength: 1, maxLength: maxSteps, size: 'max' },
    ),
  });
}

/**
 * Compares the seeds after each step with those of a complete search. Returns the largest number of truncated
 * fingerprints, and the number of all seeds of phrases and patterns.
 */
function check({ distances, ranks, steps }: History): { readonly maxTruncated: number; readonly ofPhrases: number } {
  const kernel = new Kernel(createMemory());
  const blocks = kernel.keepBlocks();
  const ranksAt = kernel.allocate(4 * documentCount);
  kernel.words.set(ranks, ranksAt >>> 2);
  const table = kernel.allocate(tableBytes(documentCount));
  const hasPatterns = searchesPatterns(distances.code);
  const lists = { ranks: ranksAt, phrases: { table }, hasPatterns };
  const live = new LiveSeeds(blocks, distances, { code: 50, prose: 20 }, lists, 0);
  live.fitPartners();
  const documents = new Map<number, DocumentIndex>();
  const contents = new Map<number, Content>();
  const seeds = new Map<number, string[]>();
  let [maxTruncated, ofPhrases] = [0, 0];
  for (const step of steps) {
    const changed = new Set<number>();
    for (const [document, fresh, kept] of step) {
      const content = fresh && withBeginning(contents.get(document), kept, fresh);
      if (content) contents.set(document, content);
      const after = content && documentOf(kernel, content.windows, document >= firstOfProse, content);
      live.replace(document, documents.get(document), after, changed);
      if (after) documents.set(document, after);
      else documents.delete(document);
      if (after) writeDocument(kernel, table, document, after);
    }
    const whole = new Set(step.map(([document]) => document));
    forget(seeds, whole, changed);
    const present = new Set([...whole].filter((document) => documents.has(document)));
    const pairs = [...changed].filter((key) => bothIn(documents, key));
    record(
      seeds,
      kernel,
      live.seedsOf(present, new Set(pairs), (document) => documents.get(document)!),
    );
    const { found, truncated } = searched(kernel, documents, ranks, distances);
    assert.deepEqual(ordered(seeds), ordered(found));
    assert.equal(live.truncated, truncated);
    maxTruncated = Math.max(maxTruncated, truncated);
    ofPhrases += [...seeds.values()].flat().filter(isOfPhrases).length;
  }
  assert.equal(live.fitPartners(), false);
  return { maxTruncated, ofPhrases };
}

/** Returns a content after the first windows of another one, and their tokens. */
function withBeginning(before: Content | undefined, kept: number, content: Content): Content {
  if (before === undefined) return content;
  return {
    ...content,
    windows: [...before.windows.slice(0, kept), ...content.windows],
    ...(content.tokens && { tokens: [...(before.tokens ?? []).slice(0, 4 * kept), ...content.tokens] }),
  };
}

suite('liveSeeds: after any history', () => {
  test('the seeds of each pair of documents equal those of a complete search', () => {
    fc.assert(
      fc.property(histories(fc.constantFrom(...distances), windowsOnly, 8), (history) => void check(history)),
      { numRuns: scaled(150) },
    );
  });

  test('the same holds in crowds, and the number of truncated fingerprints is equal', () => {
    let truncated = 0;
    fc.assert(
      fc.property(histories(fc.constantFrom(6, 12), crowdOnly, 4), (history) => {
        truncated += check(history).maxTruncated;
      }),
      { numRuns: scaled(25) },
    );
    assert.ok(truncated > scaled(100));
  });

  test('the same holds for lines with the same phrase in several languages', () => {
    let found = 0;
    fc.assert(
      fc.property(histories(fc.constant(3), lines, 8), (history) => {
        found += check(history).ofPhrases;
      }),
      { numRuns: scaled(150) },
    );
    assert.ok(found > scaled(1_000), `${found} seeds`);
  });

  test('the same holds for lines with the same pattern', () => {
    let found = 0;
    fc.assert(
      fc.property(histories(fc.constant(6), repetitiveLines, 8), (history) => {
        found += check(history).ofPhrases;
      }),
      { numRuns: scaled(50) },
    );
    assert.ok(found > scaled(150), `${found} seeds`);
  });
});

suite('liveSeeds: of many documents', () => {
  test('are the same if all are inserted at once, also after a change', () => {
    let found = 0;
    const contents = fc.array(fc.oneof(windowsOnly, crowdOnly, lines, repetitiveLines), {
      minLength: 2,
      maxLength: documentCount - 1,
      size: 'max',
    });
    const changes = fc.oneof(windowsOnly, lines, repetitiveLines);
    fc.assert(
      fc.property(contents, changes, fc.constantFrom(...distances), (contents, changed, distance) => {
        const kernel = new Kernel(createMemory());
        const blocks = kernel.keepBlocks();
        const ranksAt = kernel.allocate(4 * documentCount);
        kernel.words.set([0, 1, 2, 3, 4, 5], ranksAt >>> 2);
        const documents = contents.map((content, number) =>
          documentOf(kernel, content.windows, number >= firstOfProse, content),
        );
        const after = documentOf(kernel, changed.windows, false, changed);
        const table = writeDocuments(kernel, documents);
        const windowCount = windowsOf(documents);
        const seedsBy = (isAtOnce: boolean): Uint32Array[] => {
          const live = new LiveSeeds(
            blocks,
            { code: distance, prose: distance },
            { code: 50, prose: 20 },
            { ranks: ranksAt, phrases: { table }, hasPatterns: searchesPatterns(distance) },
            0,
          );
          if (isAtOnce) lastOf(live.fillSteps(table, documents.length, windowCount));
          else for (const [number, document] of documents.entries()) live.insert(number, document);
          live.fitPartners();
          const seeds = (first: DocumentIndex): Uint32Array => {
            const all = new Set(documents.keys());
            const { address, count } = live.seedsOf(all, new Set(), (number) =>
              number === 0 ? first : documents[number],
            );
            return kernel.words.slice(address >>> 2, (address + count * seedBytes) >>> 2);
          };
          const before = seeds(documents[0]);
          live.replaceWindows(0, documents[0], after);
          const now = seeds(after);
          live.drop();
          return [before, now];
        };
        const expected = seedsBy(false);
        assert.deepEqual(seedsBy(true), expected);
        if (distance > 0) found += expected[0].length;
      }),
      { numRuns: scaled(60) },
    );
    assert.ok(found > scaled(1_000));
  });
});

suite('liveSeeds: of a text', () => {
  test('are its pairs with all windows within any distance', () => {
    let atLimit = 0;
    fc.assert(
      fc.property(
        fc.array(windows, { maxLength: documentCount, size: 'max' }),
        windows,
        fc.constantFrom(...distances),
        fc.constantFrom(...distances),
        (lists, text, ofIndex, distance) => {
          const kernel = new Kernel(createMemory());
          const blocks = kernel.keepBlocks();
          const ranksAt = kernel.allocate(4 * documentCount);
          kernel.words.set([0, 1, 2, 3, 4, 5], ranksAt >>> 2);
          const live = new LiveSeeds(
            blocks,
            { code: ofIndex, prose: ofIndex },
            { code: 50, prose: 20 },
            { ranks: ranksAt },
            0,
          );
          for (const [number, list] of lists.entries()) live.insert(number, documentOf(kernel, list, false));
          const index = documentOf(kernel, text, false);
          const { seeds } = live.seedsOfText(documentCount, index, { code: distance, prose: distance }, 1_000);
          const found: string[] = [];
          for (let at = seeds.address >>> 2, end = at + 4 * seeds.count; at < end; at += 4) {
            const [, document, left, right] = kernel.words.subarray(at, at + 4);
            found.push([document, left & seedPositionMask, right, left >>> seedBitsShift].join(' '));
          }
          const pairs = placed(text).flatMap((own) =>
            lists.flatMap((list, document) =>
              placed(list).flatMap((other) =>
                (['written', 'renamed'] as const).flatMap((view) => {
                  if (own[view] === 0n || other[view] === 0n) return [];
                  const bits = bitCount(own[view] ^ other[view]);
                  return [{ bits, seed: [document, own.position, other.position, bits].join(' ') }];
                }),
              ),
            ),
          );
          const expected = pairs.filter(({ bits }) => bits <= distance).map(({ seed }) => seed);
          atLimit += pairs.filter(({ bits }) => bits === distance).length;
          assert.deepEqual(found.sort(), expected.sort());
        },
      ),
      { numRuns: scaled(100) },
    );
    assert.ok(atLimit > scaled(100), `${atLimit} pairs at the distance itself`);
  });
});

suite('liveSeeds: memory', () => {
  test('is the same after a thousand replacements', () => {
    const kernel = new Kernel(createMemory());
    const blocks = kernel.keepBlocks();
    const lists = fc.sample(windows, { numRuns: 40, seed: 7 }).map((list) => documentOf(kernel, list, false));
    const ranksAt = kernel.allocate(4 * documentCount);
    kernel.words.set([0, 1, 2, 3, 4, 5], ranksAt >>> 2);
    const live = new LiveSeeds(blocks, { code: 3, prose: 3 }, { code: 50, prose: 20 }, { ranks: ranksAt }, 0);
    live.fitPartners();
    const current: (DocumentIndex | undefined)[] = [];
    const marks = Array.from({ length: 4 }, (_, round) => {
      for (let i = 0; i < 1_000; i++) {
        const [place, next] = [i % documentCount, lists[(i * 7) % lists.length]];
        live.replace(place, current[place], next, new Set());
        current[place] = next;
      }
      return round > 0 ? kernel.mark() : 0;
    });
    assert.equal(marks[3], marks[1]);
  });

  test('is released, whatever was allocated before', () => {
    const kernel = new Kernel(createMemory());
    const blocks = kernel.keepBlocks();
    const lists = fc.sample(crowd, { numRuns: 2, seed: 5 }).map((list) => documentOf(kernel, list, false));
    const ranksAt = kernel.allocate(4 * lists.length);
    kernel.words.set([...lists.keys()], ranksAt >>> 2);
    const marks = Array.from({ length: 4 }, () => {
      const live = new LiveSeeds(blocks, { code: 12, prose: 3 }, { code: 320, prose: 0 }, { ranks: ranksAt }, 0);
      for (const [number, list] of lists.entries()) live.replace(number, undefined, list, new Set());
      assert.ok(live.seedsOf(new Set(lists.keys()), new Set(), (number) => lists[number]).count > 0);
      live.drop();
      return kernel.mark();
    });
    assert.equal(marks.at(-1), marks[0]);
  });

  test('depends on the current documents, not on earlier ones', () => {
    const inUse = (others: number): number => {
      const kernel = new Kernel(createMemory());
      const blocks = kernel.keepBlocks();
      const lists = fc.sample(windows, { numRuns: 200, seed: 3 }).map((list) => documentOf(kernel, list, false));
      const ranksAt = kernel.allocate(4 * lists.length);
      kernel.words.set([...lists.keys()], ranksAt >>> 2);
      const live = new LiveSeeds(blocks, { code: 3, prose: 3 }, { code: 50, prose: 20 }, { ranks: ranksAt }, 0);
      for (let number = 0; number < 10 + others; number++) live.insert(number, lists[number]);
      for (let number = 10; number < 10 + others; number++) {
        live.replaceWindows(number, lists[number], undefined);
      }
      return kernel.usedBytes() - freeBytes(blocks);
    };
    assert.equal(inUse(190), inUse(0));
  });
});

/** Returns windows with their positions. */
function placed(list: Windows): (Windows[number] & { readonly position: number })[] {
  let position = 0;
  return list.map((window) => ({ ...window, position: (position += 1 + window.step) }));
}

/** True for a seed, as `record` writes it, that links lines with the same phrase or pattern. */
function isOfPhrases(seed: string): boolean {
  return Number(seed.split(' ')[2]) >>> seedBitsShift === unitOnly;
}

function bitCount(value: bigint): number {
  return value.toString(2).replaceAll('0', '').length;
}

/** Returns the number of bytes in released blocks: as many as can be allocated before memory grows. */
function freeBytes(blocks: Blocks): number {
  const mark = blocks.kernel.mark();
  let taken = -1;
  for (; blocks.kernel.mark() === mark; taken++) blocks.allocate(16);
  return 16 * taken;
}

function forget(seeds: Map<number, string[]>, whole: ReadonlySet<number>, changed: ReadonlySet<number>): void {
  for (const key of seeds.keys()) {
    const [x, y] = [Math.floor(key / 2 ** 26), key % 2 ** 26];
    if (whole.has(x) || whole.has(y) || changed.has(key)) seeds.delete(key);
  }
}

function bothIn(documents: ReadonlyMap<number, DocumentIndex>, key: number): boolean {
  return documents.has(Math.floor(key / 2 ** 26)) && documents.has(key % 2 ** 26);
}

function record(seeds: Map<number, string[]>, kernel: Kernel, { address, count }: Seeds, numbers?: number[]): void {
  for (let i = 0; i < count; i++) {
    const [x, y, left, right] = kernel.words.subarray((address >>> 2) + 4 * i, (address >>> 2) + 4 * i + 4);
    const [a, b] = numbers ? [numbers[x], numbers[y]] : [x, y];
    const key = pairKey(a, b);
    const list = seeds.get(key) ?? [];
    list.push(`${a} ${b} ${left} ${right}`);
    seeds.set(key, list);
  }
}

/** Returns the result of a complete search, by rank. */
function searched(
  kernel: Kernel,
  documents: ReadonlyMap<number, DocumentIndex>,
  ranks: readonly number[],
  distances: Distances,
): { readonly found: Map<number, string[]>; readonly truncated: number } {
  const mark = kernel.mark();
  const numbers = [...documents.keys()].sort((x, y) => ranks[x] - ranks[y]);
  const indexes = numbers.map((number) => documents.get(number)!);
  const found = new Map<number, string[]>();
  const seeds: AllSeeds = lastOf(findSeedsSteps(kernel, indexes, writeDocuments(kernel, indexes), distances));
  record(found, kernel, seeds, numbers);
  kernel.release(mark);
  return { found, truncated: seeds.truncated };
}

function ordered(seeds: ReadonlyMap<number, string[]>): [number, string[]][] {
  return [...seeds].sort(([x], [y]) => x - y);
}
