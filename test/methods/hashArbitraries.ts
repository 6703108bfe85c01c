/** Generators of the property tests, and the seeded numbers of the statistical tests. */
import fc from 'fast-check';

/** Any 64-bit number, often an extreme one. */
export const hash: fc.Arbitrary<bigint> = fc.bigInt({ min: 0n, max: 0xffffffffffffffffn });

/** Returns the number with some of its bits flipped. */
export function flipped(number: bigint, bits: readonly number[]): bigint {
  return bits.reduce((flippedSoFar, bit) => flippedSoFar ^ (1n << BigInt(bit)), number);
}

/**
 * Numbers in clumps. A few numbers have neighbors a few bits away, so that pairs at any small distance are common. Some
 * occur twice.
 */
export const clumpedHashes: fc.Arbitrary<bigint[]> = fc
  .array(fc.tuple(hash, fc.array(fc.array(fc.integer({ min: 0, max: 63 }), { maxLength: 7 }), { maxLength: 8 })), {
    maxLength: 6,
  })
  .map((clumps) => clumps.flatMap(([center, flips]) => [center, ...flips.map((bits) => flipped(center, bits))]));

/** Insertions and removals of numbers of an index, by their position in a pool of the given size. */
export const history = (pool: number): fc.Arbitrary<{ place: number; insert: boolean }[]> =>
  fc.array(fc.record({ place: fc.nat(pool - 1), insert: fc.boolean() }), { maxLength: 200 });

/** Few words, so that shingles repeat. */
export const tokens: fc.Arbitrary<string[]> = fc.array(fc.constantFrom('a', 'rose', 'is', 'not', ''), {
  maxLength: 40,
});

/**
 * Returns `count` random-looking 64-bit numbers that are the same in every run. The generator is SplitMix64 (Steele,
 * Lea, Flood 2014), which has nothing in common with the hashes under test.
 */
export function randomHashes(count: number, seed: number): bigint[] {
  let state = BigInt(seed) * 0xd1342543de82ef95n;
  return Array.from({ length: count }, () => {
    state = wrap(state + 0x9e3779b97f4a7c15n);
    let mixed = wrap((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = wrap((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return mixed ^ (mixed >> 31n);
  });
}

/** Returns two sets of random hashes with `shared` common elements. A has `onlyA` more, and B has `onlyB` more. */
export function overlappingSets(
  sizes: { shared: number; onlyA: number; onlyB: number },
  seed: number,
): { a: bigint[]; b: bigint[] } {
  const all = randomHashes(sizes.shared + sizes.onlyA + sizes.onlyB, seed);
  const common = all.slice(0, sizes.shared);
  return {
    a: [...common, ...all.slice(sizes.shared, sizes.shared + sizes.onlyA)],
    b: [...common, ...all.slice(sizes.shared + sizes.onlyA)],
  };
}

/** Random numbers in [0, 1), the same in every run. */
export function randomNumbers(count: number, seed: number): number[] {
  return randomHashes(count, seed).map((number) => Number(number >> 11n) / 2 ** 53);
}

function wrap(number: bigint): bigint {
  return BigInt.asUintN(64, number);
}
