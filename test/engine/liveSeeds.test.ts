/** The live index of seeds against the search through all documents at once, over random histories. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DocumentIndex } from '../../src/engine/documents.ts';
import { createMemory, Kernel } from '../../src/engine/kernel.ts';
import { LiveSeeds, pairKey } from '../../src/engine/liveSeeds.ts';
import { type Distances, findSeeds, type Seeds, writeDocuments } from '../../src/engine/seeds.ts';

/** The windows of a document: how far each begins behind the one before it, and its fingerprints in both views. */
type Windows = readonly { readonly step: number; readonly written: bigint; readonly renamed: bigint }[];

const documentCount = 6;
/** Documents from this number on are prose. */
const firstOfProse = 4;
const distances = [0, 1, 3, 6, 12];

/** Few fingerprints, and others some bits away: groups and crowds come about. 0 does not seed. */
const fingerprint = fc
  .tuple(fc.nat(3), fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(fc.nat(63), { maxLength: 4 })))
  .map(([base, bits]) =>
    bits.reduce((value, bit) => value ^ (1n << BigInt(bit)), BigInt(base) * 0x1357_9bdf_0246_8acen),
  );
const windows: fc.Arbitrary<Windows> = fc.array(
  fc.record({ step: fc.nat(30), written: fingerprint, renamed: fingerprint }),
  { maxLength: 14, size: 'max' },
);
const histories = fc.record({
  distances: fc.record({ code: fc.constantFrom(...distances), prose: fc.constantFrom(...distances) }),
  /** For each document its place by path. */
  ranks: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: documentCount }),
  /** What becomes of which document, some at a time; nothing: it is removed. */
  steps: fc.array(
    fc.array(fc.tuple(fc.nat(documentCount - 1), fc.option(windows, { freq: 4, nil: undefined })), {
      minLength: 1,
      maxLength: 3,
    }),
    { minLength: 1, maxLength: 8, size: 'max' },
  ),
});

suite('liveSeeds: after any history', () => {
  test('the seeds of each pair of documents are those of a search through all', () => {
    fc.assert(
      fc.property(histories, ({ distances, ranks, steps }) => {
        const kernel = new Kernel(createMemory());
        kernel.keepBlocks();
        const ranksAt = kernel.allocate(4 * documentCount);
        kernel.words.set(ranks, ranksAt >>> 2);
        const live = new LiveSeeds(kernel, distances, { code: 50, prose: 20 }, ranksAt);
        live.fitMasks();
        const documents = new Map<number, DocumentIndex>();
        const seeds = new Map<number, string[]>();
        for (const step of steps) {
          const changed = new Set<number>();
          for (const [document, list] of step) {
            const after = list && documentOf(kernel, list, document >= firstOfProse);
            live.replace(document, documents.get(document), after, changed);
            if (after) documents.set(document, after);
            else documents.delete(document);
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
          assert.deepEqual(ordered(seeds), ordered(searched(kernel, documents, ranks, distances)));
        }
        assert.equal(live.fitMasks(), false);
      }),
      { numRuns: 150 },
    );
  });
});

suite('liveSeeds: memory', () => {
  test('is the same after a thousand replacements', () => {
    const kernel = new Kernel(createMemory());
    kernel.keepBlocks();
    const lists = fc.sample(windows, { numRuns: 40, seed: 7 }).map((list) => documentOf(kernel, list, false));
    const ranksAt = kernel.allocate(4 * documentCount);
    kernel.words.set([0, 1, 2, 3, 4, 5], ranksAt >>> 2);
    const live = new LiveSeeds(kernel, { code: 3, prose: 3 }, { code: 50, prose: 20 }, ranksAt);
    live.fitMasks();
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
});

/** A document of made-up windows. */
function documentOf(kernel: Kernel, list: Windows, prose: boolean): DocumentIndex {
  const positions: number[] = [];
  for (const { step } of list) positions.push((positions.at(-1) ?? 0) + 1 + step);
  const windowsAt = kernel.allocate(4 * list.length + 16);
  kernel.words.set(positions, windowsAt >>> 2);
  const longs = (values: readonly bigint[]): number => {
    const address = kernel.allocate(8 * values.length + 16);
    new BigUint64Array(kernel.memory.buffer, address, values.length).set(values);
    return address;
  };
  return {
    ...{ sizeBytes: 0, tokens: 0, tokenCount: 0, places: 0, placesBytes: 0, lines: 0, lineCount: 0, totalLines: 0 },
    ...{ unitless: 0, isAscii: true, prose, family: 0, endColumn: 1, comments: undefined },
    ...{ sketch: 0, hasSketch: false, sketchSample: 0, hasRenamed: !prose },
    ...{ windows: windowsAt, windowStride: 4, windowCount: list.length },
    written: longs(list.map((w) => w.written)),
    renamed: prose ? 0 : longs(list.map((w) => w.renamed)),
  };
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

/** What a search through all documents finds, in the order of their ranks. */
function searched(
  kernel: Kernel,
  documents: ReadonlyMap<number, DocumentIndex>,
  ranks: readonly number[],
  distances: Distances,
): Map<number, string[]> {
  const mark = kernel.mark();
  const numbers = [...documents.keys()].sort((x, y) => ranks[x] - ranks[y]);
  const indexes = numbers.map((number) => documents.get(number)!);
  const seeds = new Map<number, string[]>();
  record(seeds, kernel, findSeeds(kernel, indexes, writeDocuments(kernel, indexes), distances), numbers);
  kernel.release(mark);
  return seeds;
}

function ordered(seeds: ReadonlyMap<number, string[]>): [number, string[]][] {
  return [...seeds].sort(([x], [y]) => x - y);
}
