/** From windows to seeds: sorting, groups of equal fingerprints, and links between the windows of a group. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { hash } from '../../methods/hashArbitraries.ts';
import { type KernelArrays, withArrays } from '../kernelArrays.ts';
import { ascending, components } from '../oracles.ts';

/** Sorts fingerprints, each with its index. */
function sortFingerprints(fingerprints: readonly bigint[]): { sorted: bigint[]; ids: number[] } {
  return withArrays((arrays) => {
    const n = fingerprints.length;
    const address = arrays.putLongs(fingerprints);
    const ids = arrays.putWords(fingerprints.map((_, i) => i));
    const others = [arrays.room(8 * n), arrays.room(4 * n)] as const;
    arrays.exports.sortFingerprints(address, ids, ...others, n, arrays.room(4 * 8_192));
    return { sorted: arrays.longs(address, n), ids: arrays.words(ids, n) };
  });
}

/** A seed stores a window's place in 27 bits, and above them the differing bits. */
const placeBits = 27;
/** Value of the differing bits in seeds at which only a run of equal tokens may begin. */
const runOnly = 31;
type Seed = readonly [docA: number, docB: number, placeA: number, placeB: number, bits: number];

function sortSeeds(seeds: readonly Seed[]): Seed[] {
  return withArrays((arrays) => {
    const words = seeds.flatMap(([docA, docB, a, b, bits]) => [docA, docB, (a | (bits << placeBits)) >>> 0, b]);
    const address = arrays.putWords(words);
    arrays.exports.sortSeeds(address, arrays.room(4 * words.length), seeds.length, arrays.room(4 * 2048));
    return readSeeds(arrays.records(address, seeds.length, 4));
  });
}

function readSeeds(records: readonly number[][]): Seed[] {
  return records.map(([docA, docB, a, b]) => [docA, docB, a % 2 ** placeBits, b, a >>> placeBits]);
}

/** A window, by its document and place. Windows are numbered by document, then by place. */
interface Window {
  readonly document: number;
  readonly place: number;
}

interface Linking {
  readonly groups: readonly (readonly number[])[];
  readonly windows: readonly Window[];
  readonly allPairs: number;
  readonly apart: number;
  readonly room?: number;
}

/** Returns the seeds of groups of windows with equal fingerprints. */
function seedEqual({ groups, windows, allPairs, apart, room = 10_000 }: Linking): { seeds: Seed[]; count: number } {
  return withArrays((arrays) => {
    const firsts = [0];
    for (const group of groups) firsts.push(firsts[firsts.length - 1] + group.length);
    const out = arrays.room(16 * room);
    const record = seedWindows(arrays, { firsts, ids: groups.flat(), windows, allPairs, apart, out, room });
    const count = arrays.exports.seedEqual(record, groups.length);
    return { seeds: readSeeds(arrays.records(out, Math.min(count, room), 4)), count };
  });
}

/** Writes a record of windows and returns its address. */
function seedWindows(
  arrays: KernelArrays,
  {
    firsts,
    ids,
    windows,
    ...values
  }: Omit<Required<Linking>, 'groups'> & { firsts: readonly number[]; ids: readonly number[]; out: number },
): number {
  const [docs, positions] = [windows.map((w) => w.document), windows.map((w) => w.place)];
  const lists = [ids, firsts, docs, positions].map((list) => arrays.putWords(list));
  return arrays.putWords([...lists, values.allPairs, values.apart, 0, 0, values.out, values.room, 0]);
}

function overlap(x: Window, y: Window, apart: number): boolean {
  return x.document === y.document && y.place - x.place < apart;
}

/** Windows of a few documents, and groups of them, each in ascending order. */
const linking = fc
  .record({
    steps: fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 30 }), fc.nat(1)), { maxLength: 60, size: 'max' }),
    allPairs: fc.integer({ min: 1, max: 6 }),
    apart: fc.constantFrom(1, 18, 40),
  })
  .map(({ steps, allPairs, apart }): Linking => {
    const windows: Window[] = [];
    const groups: number[][] = [[], []];
    let document = 0;
    let place = 0;
    for (const [next, step, group] of steps) {
      place = next === 0 ? 0 : place + step;
      if (next === 0) document++;
      groups[group].push(windows.push({ document, place }) - 1);
    }
    return { windows, groups: groups.filter((g) => g.length > 0), allPairs, apart };
  });

suite('candidates: sorting', () => {
  test('fingerprints ascend, and equal ones keep their order', () => {
    const few = fc.constantFrom(0n, 1n, 0x10000n, 0xffff_0000_0000_0000n, 0xffff_ffff_ffff_ffffn);
    fc.assert(
      fc.property(fc.array(fc.oneof(hash, few), { maxLength: 200 }), (fingerprints) => {
        const expected = fingerprints.map((fingerprint, id) => ({ fingerprint, id }));
        expected.sort((x, y) => ascending(x.fingerprint, y.fingerprint) || x.id - y.id);
        const { sorted, ids } = sortFingerprints(fingerprints);
        assert.deepEqual(
          sorted,
          expected.map((e) => e.fingerprint),
        );
        assert.deepEqual(
          ids,
          expected.map((e) => e.id),
        );
      }),
      { numRuns: scaled(60) },
    );
  });

  test('seeds ascend by their documents, then by the right place, the left place, and the bits', () => {
    const number = (max: number): fc.Arbitrary<number> => fc.oneof(fc.nat(3), fc.nat(max));
    const place = number(2 ** placeBits - 1);
    const seed = fc.tuple(number(100_000), number(100_000), place, place, fc.nat(16));
    fc.assert(
      fc.property(fc.array(seed, { maxLength: 100, size: 'max' }), (seeds) => {
        const expected = [...seeds].sort(
          (x, y) => x[0] - y[0] || x[1] - y[1] || x[3] - y[3] || x[2] - y[2] || x[4] - y[4],
        );
        assert.deepEqual(sortSeeds(seeds), expected);
      }),
      { numRuns: scaled(100) },
    );
  });
});

suite('candidates: windows of equal fingerprints', () => {
  test('sorted fingerprints are reduced to distinct ones, each with its windows', () => {
    const few = fc.constantFrom(1n, 2n, 3n, 1n << 63n);
    fc.assert(
      fc.property(fc.array(fc.oneof(few, hash), { maxLength: 60 }), (values) => {
        const sorted = [...values].sort(ascending);
        withArrays((arrays) => {
          const address = arrays.putLongs(sorted);
          const firsts = arrays.room(4 * (sorted.length + 1));
          const count = arrays.exports.groupEqual(address, sorted.length, firsts);
          const distinct = [...new Set(sorted)];
          assert.deepEqual(arrays.longs(address, count), distinct);
          const expected = [...distinct.map((fingerprint) => sorted.indexOf(fingerprint)), sorted.length];
          assert.deepEqual(arrays.words(firsts, count + 1), expected);
        });
      }),
    );
  });

  test('all windows of a group are linked, except overlapping windows of one document', () => {
    fc.assert(
      fc.property(linking, (input) => {
        const { windows, groups, apart } = input;
        const numberOf = new Map(windows.map(({ document, place }, i) => [`${document}:${place}`, i]));
        const links = seedEqual(input).seeds.map(([docA, docB, a, b]): [number, number] => [
          numberOf.get(`${docA}:${a}`)!,
          numberOf.get(`${docB}:${b}`)!,
        ]);
        for (const group of groups) {
          // Overlapping windows of a group are the same text, so a link to one also links the other.
          const own = group.slice(1).map((w, i): [number, number] => [group[i], w]);
          const overlapping = own.filter(([x, y]) => overlap(windows[x], windows[y], apart));
          const inGroup = links.filter(([x]) => group.includes(x));
          assert.ok(
            inGroup.every(([, y]) => group.includes(y)),
            'a link leads out of its group',
          );
          assert.equal(components(group, [...inGroup, ...overlapping]), 1);
        }
      }),
      { numRuns: scaled(200) },
    );
  });

  test('a seed has the earlier window first, distance 0 or the mark for runs only, and no overlapping windows', () => {
    fc.assert(
      fc.property(linking, (input) => {
        for (const [docA, docB, a, b, bits] of seedEqual(input).seeds) {
          assert.ok(bits === 0 || (bits === runOnly && docA === docB), `${bits} bits`);
          assert.ok(docA < docB || (docA === docB && b - a >= input.apart), `${docA}:${a} and ${docB}:${b}`);
        }
      }),
    );
  });

  test('a small group across documents is linked completely', () => {
    const windows = [0, 1, 2, 3].map((document) => ({ document, place: 5 }));
    const { seeds } = seedEqual({ windows, groups: [[0, 1, 2, 3]], allPairs: 4, apart: 18 });
    assert.equal(new Set(seeds.map(String)).size, 6);
  });

  test('within a document, a window is linked to eight earlier windows without overlap, all but the nearest for runs only', () => {
    const windows = Array.from({ length: 12 }, (_, i) => ({ document: 0, place: 10 * i }));
    const { seeds } = seedEqual({ windows, groups: [windows.map((_, i) => i)], allPairs: 12, apart: 18 });
    const expected = windows.flatMap(({ place }) =>
      windows
        .filter((before) => place - before.place >= 18)
        .reverse()
        .slice(0, 8)
        .map((before, i) => [before.place, place, i === 0 ? 0 : runOnly]),
    );
    assert.deepEqual(
      seeds.map(([, , a, b, bits]) => [a, b, bits]),
      expected,
    );
  });

  test('links grow linearly with the windows, not with their pairs', () => {
    for (const perDocument of [1, 7, 2000]) {
      const windows = Array.from({ length: 2000 }, (_, i) => ({
        document: Math.floor(i / perDocument),
        place: 20 * (i % perDocument),
      }));
      const { count } = seedEqual({ windows, groups: [windows.map((_, i) => i)], allPairs: 4, apart: 18 });
      assert.ok(count <= 8 * windows.length, `${count} seeds`);
    }
  });

  test('seeds beyond the capacity are counted but not written', () => {
    const windows = [0, 1, 2, 3].map((document) => ({ document, place: 5 }));
    const input = { windows, groups: [[0, 1, 2, 3]], allPairs: 4, apart: 18 };
    const whole = seedEqual(input);
    const cut = seedEqual({ ...input, room: 2 });
    assert.equal(cut.count, whole.count);
    assert.deepEqual(cut.seeds, whole.seeds.slice(0, 2));
  });
});

suite('candidates: pairs of near fingerprints', () => {
  test('the first windows of both are linked, the earlier first, with the differing bits', () => {
    const { seeds, count } = withArrays((arrays) => {
      // Fingerprint 0 has windows 2 and 3, fingerprint 1 has windows 0 and 1.
      const windows = [
        { document: 0, place: 7 },
        { document: 0, place: 30 },
        { document: 1, place: 9 },
        { document: 1, place: 40 },
      ];
      const out = arrays.room(16 * 4);
      const [firsts, ids] = [
        [0, 2, 4],
        [2, 3, 0, 1],
      ];
      const record = seedWindows(arrays, { firsts, ids, windows, allPairs: 4, apart: 18, out, room: 4 });
      const counted = arrays.exports.seedPairs(record, arrays.putLongs([(1n << 35n) | (3n << 29n) | 0n]), 1);
      return { seeds: readSeeds(arrays.records(out, counted, 4)), count: counted };
    });
    assert.equal(count, 1);
    assert.deepEqual(seeds, [[0, 1, 7, 9, 3]]);
  });
});
