/** A real pair is among the seeds although many others are near by chance, in a scan and in a live index. */
import assert from 'node:assert/strict';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { LiveSeeds } from '../../src/core/engine/seeds/liveSeeds.ts';
import { findSeedsSteps, type Seeds, writeDocuments } from '../../src/core/engine/seeds/seeds.ts';
import { lastOf } from '../../src/core/engine/steps.ts';
import { randomHashes, flipped } from '../methods/hashArbitraries.ts';
import { documentOf, type Windows } from '../engine/seeds/madeUpWindows.ts';

const plantedCount = 100;

/**
 * Returns `count` windows, and copies of some of them in another document. The copies differ in up to k bits, most in
 * k.
 *
 * @param alikeBits bits that all fingerprints have in common, because those of real trees are nearer to each other than
 * random ones
 */
function plant(count: number, k: number, alikeBits: number): { readonly many: Windows; readonly copies: Windows } {
  const window = (written: bigint): Windows[number] => ({ step: 30, written, renamed: 0n });
  const many = randomHashes(count, k).map((number) => (number >> BigInt(alikeBits)) | 1n);
  const places = randomHashes(plantedCount * k, 3 * k + 1).map((number) => Number(number % BigInt(64 - alikeBits)));
  const copies = Array.from({ length: plantedCount }, (_, i) => {
    const turns = new Set(places.slice(i * k, i * k + (i % 4 === 0 ? k - 2 : k)));
    // Bit 0 stays set, because the fingerprint 0 is not a seed.
    return flipped(
      many[originalOf(i)],
      [...turns].filter((bit) => bit > 0),
    );
  });
  return { many: many.map(window), copies: copies.map(window) };
}

/** Returns the window of which a copy was made. */
function originalOf(copy: number): number {
  return 97 * copy;
}

/** Returns the copies that are not linked to their originals by the seeds of documents 0 and 1. */
function missed(kernel: Kernel, { address, count }: Seeds): number[] {
  const linked = new Set<string>();
  for (let i = 0; i < count; i++) {
    const [docA, docB, left, right] = kernel.words.subarray((address >>> 2) + 4 * i, (address >>> 2) + 4 * i + 4);
    if (docA === 0 && docB === 1) linked.add(`${left % 2 ** 27} ${right}`);
  }
  const position = (place: number): number => 31 * (place + 1);
  const copies = Array.from({ length: plantedCount }, (_, i) => i);
  return copies.filter((i) => !linked.has(`${position(originalOf(i))} ${position(i)}`));
}

suite('seeds: a copy is found among many that are near by chance', () => {
  // With this many equal bits, a fingerprint has 3 to 15 others within k bits by chance.
  const alike: Readonly<Record<number, number>> = { 14: 11, 16: 8 };
  for (const [k, alikeBits] of Object.entries(alike).map(([key, bits]) => [Number(key), bits])) {
    test(`k = ${k}, 20,000 windows that have ${alikeBits} bits in common`, () => {
      const kernel = new Kernel(createMemory());
      const { many, copies } = plant(20_000, k, alikeBits);
      const indexes = [many, copies].map((list) => documentOf(kernel, list, false));
      const table = writeDocuments(kernel, indexes);
      const seeds = lastOf(findSeedsSteps(kernel, indexes, table, { code: k, prose: 0 }));
      assert.deepEqual(missed(kernel, seeds), []);
      assert.equal(seeds.truncated, 0);
    });
  }

  test('k = 16, 40,000 random windows', () => {
    const kernel = new Kernel(createMemory());
    const { many, copies } = plant(40_000, 16, 0);
    const indexes = [many, copies].map((list) => documentOf(kernel, list, false));
    const table = writeDocuments(kernel, indexes);
    const seeds = lastOf(findSeedsSteps(kernel, indexes, table, { code: 16, prose: 0 }));
    assert.deepEqual(missed(kernel, seeds), []);
    assert.equal(seeds.truncated, 0);
  });

  test('k = 16, in a live index', () => {
    const kernel = new Kernel(createMemory());
    const blocks = kernel.keepBlocks();
    const { many, copies } = plant(20_000, 16, 8);
    const indexes = [many, copies].map((list) => documentOf(kernel, list, false));
    const ranksAt = kernel.allocate(16);
    kernel.words.set([0, 1], ranksAt >>> 2);
    const live = new LiveSeeds(blocks, { code: 16, prose: 0 }, { code: 20_000, prose: 0 }, { ranks: ranksAt }, 0);
    for (const [document, index] of indexes.entries()) live.insert(document, index);
    live.fitPartners();
    const seeds = live.seedsOf(new Set([1]), new Set(), (document) => indexes[document]);
    assert.deepEqual(missed(kernel, seeds), []);
  });
});
