/**
 * Permutations of the 64 bits of a fingerprint that move some blocks of bits to the front. The tables of a
 * Hamming-distance search are sorted by the permuted fingerprints (Manku, Jain, Das Sarma 2007, section 3).
 *
 * The bits are divided into m blocks. Two fingerprints that differ in at most k < m bits differ in at most k blocks, so
 * they agree on at least m − k blocks. For each choice of m − k blocks there is one permutation, which moves these
 * blocks to the front as the key:
 *
 *   | A | B | C | D | E |      m = 5, k = 3: C(5, 2) = 10 permutations
 *   | A   B | C   D   E |      the first; its key is A B
 *   | A   C | B   D   E |      …
 *   | D   E | A   B   C |      the last
 */
import { fromWords, highWord, lowWord } from './bits.ts';
import { checkHash, checkObject, checkWhole } from './checkArgument.ts';

/** Maximum number of tables. The largest number that saves more than it costs is C(64, 3) = 41,664. */
const maxTables = 100_000;

/** A permutation of 64 bits. */
export interface Permutation {
  /** `order[i]` is the bit that moves to position i: each number from 0, the most significant bit, to 63 once. */
  readonly order: Uint8Array;
  /** Number of leading bits that form the key, 1 to 64. Two fingerprints that share a bucket agree on these bits. */
  readonly keyBits: number;
  /** Moves of bits between words for the permutation, and for its inverse, four numbers each; see `moveBits`. */
  readonly moves: Int32Array;
  readonly backMoves: Int32Array;
}

/**
 * Throws unless the numbers of blocks and of differing bits are valid.
 *
 * @throws TypeError, RangeError  naming `blocks` or `distance`, unless there are 1 to 64 blocks, more blocks than the
 *   distance, and at most 100,000 tables
 */
export function checkDesign(blocks: number, distance: number): void {
  checkWhole('distance', distance, 0, 63);
  checkWhole('blocks', blocks, 1, 64);
  if (blocks <= distance) {
    throw new RangeError(`blocks must be greater than distance; blocks is ${blocks} and distance is ${distance}.`);
  }
  const tables = tableCount(blocks, distance);
  if (tables > maxTables) {
    throw new RangeError(
      `blocks ${blocks} and distance ${distance} would make ${tables.toLocaleString('en')} tables, ` +
        `more than ${maxTables.toLocaleString('en')}: take fewer blocks.`,
    );
  }
}

/** Returns the number of tables that are needed to find every pair: C(blocks, blocks − distance). */
export function tableCount(blocks: number, distance: number): number {
  let count = 1;
  for (let i = 1; i <= distance; i++) count = (count * (blocks - distance + i)) / i;
  return Math.round(count);
}

/**
 * Returns the position of each block's first bit, followed by 64, which makes blocks + 1 numbers. The widths of blocks
 * differ by at most one, and wider blocks come first. For example, six blocks have 11, 11, 11, 11, 10, and 10 bits.
 */
export function blockStarts(blocks: number): number[] {
  const width = Math.floor(64 / blocks);
  const wider = 64 % blocks;
  return Array.from({ length: blocks + 1 }, (_, block) => block * width + Math.min(block, wider));
}

/**
 * Returns every choice of `choiceSize` blocks among the blocks 0 to `blocks` − 1. The blocks of a choice ascend. The
 * choices are in lexicographic order.
 */
function blockChoices(blocks: number, choiceSize: number): number[][] {
  const choices: number[][] = [];
  extend([], 0);
  return choices;

  function extend(choice: readonly number[], from: number): void {
    const missing = choiceSize - choice.length;
    if (missing === 0) choices.push([...choice]);
    else for (let block = from; block <= blocks - missing; block++) extend([...choice, block], block + 1);
  }
}

/** A choice of blocks, as bit masks. */
export interface ChosenBlocks {
  /** Mask of each chosen block, in order, and one mask of all chosen blocks. */
  readonly blockMasks: readonly bigint[];
  readonly mask: bigint;
  /**
   * Mask of each block that is not chosen and comes before the last chosen block. If two fingerprints also agree on
   * such a block, they agree on an earlier choice as well.
   */
  readonly earlierMasks: readonly bigint[];
}

/**
 * Returns every choice of `blocks` − `distance` blocks, in lexicographic order. Two fingerprints within the distance
 * agree on all bits of at least one choice. If the distance equals the number of blocks, there is one choice, which has
 * no blocks.
 *
 * @param blocks  0 to 64, not less than `distance`
 */
export function chosenBlocks(blocks: number, distance: number): ChosenBlocks[] {
  const starts = blockStarts(blocks);
  const bits = starts
    .slice(1)
    .map((end, block) => BigInt.asUintN(64 - starts[block], -1n) & ~BigInt.asUintN(64 - end, -1n));
  return blockChoices(blocks, blocks - distance).map((choice) => {
    const blockMasks = choice.map((block) => bits[block]);
    const before = bits.slice(0, choice.at(-1) ?? 0);
    return {
      blockMasks,
      mask: blockMasks.reduce((mask, block) => mask | block, 0n),
      earlierMasks: before.filter((_, block) => !choice.includes(block)),
    };
  });
}

/** Choices of blocks that share all blocks but the last. */
export interface ChoiceGroup {
  /** Mask of the shared blocks. */
  readonly shared: bigint;
  readonly choices: ChosenBlocks[];
}

/** Returns the choices of `chosenBlocks`, grouped. The choice of a single block shares this block. */
export function choiceGroups(blocks: number, distance: number): ChoiceGroup[] {
  const groups = new Map<bigint, ChoiceGroup>();
  for (const choice of chosenBlocks(blocks, distance)) {
    const { blockMasks, mask } = choice;
    const shared = blockMasks.length > 1 ? mask ^ blockMasks[blockMasks.length - 1] : mask;
    const group = groups.get(shared) ?? { shared, choices: [] };
    group.choices.push(choice);
    groups.set(shared, group);
  }
  return [...groups.values()];
}

/**
 * Returns the permutations that an index needs to find all fingerprints within `distance` bits. There is one for each
 * choice of `blocks` − `distance` blocks, in lexicographic order. The chosen blocks come first, then the others, each
 * in their original order.
 *
 * @throws RangeError see `checkDesign`
 * @example
 * ```js
 * const permutations = blockPermutations(5, 3);
 * permutations.length; // 10
 * permutations[0].keyBits; // 26
 * ```
 */
export function blockPermutations(blocks: number, distance: number): Permutation[] {
  checkDesign(blocks, distance);
  const starts = blockStarts(blocks);
  const bitsOf = (block: number): number[] => range(starts[block], starts[block + 1]);
  return blockChoices(blocks, blocks - distance).map((choice) => {
    const others = range(0, blocks).filter((block) => !choice.includes(block));
    const key = choice.flatMap(bitsOf);
    return permutationOf([...key, ...others.flatMap(bitsOf)], key.length);
  });
}

/**
 * Returns the permutations of the two-level design (Manku 2007, section 3.2, example for f = 64 and k = 3). The first
 * part of a key is one of 4 blocks of 16 bits. The other 48 bits are cut into 4 blocks of 12 bits, one of which is the
 * second part. This makes 16 tables with keys of 28 bits. On both levels, three differing bits leave at least one of 4
 * blocks unchanged, so nothing within 3 bits is missed.
 *
 * @example
 * ```js
 * twoLevelPermutations().length; // 16: each has a key of 28 bits
 * ```
 */
export function twoLevelPermutations(): Permutation[] {
  return range(0, 4).flatMap((first) => {
    const outer = range(16 * first, 16 * first + 16);
    const rest = range(0, 64).filter((bit) => !outer.includes(bit));
    return range(0, 4).map((second) => {
      const inner = rest.slice(12 * second, 12 * second + 12);
      return permutationOf([...outer, ...inner, ...rest.filter((bit) => !inner.includes(bit))], 28);
    });
  });
}

/**
 * Permutes the bits of a fingerprint.
 *
 * @throws TypeError, RangeError  naming `permutation` or `fingerprint`
 * @example
 * ```js
 * const [, lowHalfFirst] = blockPermutations(2, 1);
 * permute(lowHalfFirst, 0x00000000ffffffffn); // 0xffffffff00000000n
 * ```
 */
export function permute(permutation: Permutation, fingerprint: bigint): bigint {
  checkPermutation(permutation);
  checkHash('fingerprint', fingerprint);
  return moveBits64(permutation.moves, fingerprint);
}

/**
 * Moves the bits of a permuted fingerprint back. Inverse of `permute`.
 *
 * @example
 * ```js
 * const [, lowHalfFirst] = blockPermutations(2, 1);
 * unpermute(lowHalfFirst, permute(lowHalfFirst, 1n)); // 1n
 * ```
 */
export function unpermute(permutation: Permutation, fingerprint: bigint): bigint {
  checkPermutation(permutation);
  checkHash('fingerprint', fingerprint);
  return moveBits64(permutation.backMoves, fingerprint);
}

function checkPermutation(permutation: Permutation): void {
  checkObject('permutation', permutation);
  if (!(permutation.moves instanceof Int32Array && permutation.backMoves instanceof Int32Array)) {
    throw new TypeError('permutation must be one that blockPermutations or twoLevelPermutations has made.');
  }
}

function moveBits64(moves: Int32Array, fingerprint: bigint): bigint {
  const out = new Uint32Array(2);
  moveBits(moves, highWord(fingerprint), lowWord(fingerprint), out);
  return fromWords(out[0], out[1]);
}

/**
 * Applies moves to the bits of a number (`high`, `low`). Writes the result to out[0] (high) and out[1] (low).
 *
 * A move consists of four numbers: source word, mask of the bits in that word, shift to the left (negative: to the
 * right), and target word. Word 0 is the high one, word 1 the low one.
 */
export function moveBits(moves: Int32Array, high: number, low: number, out: Uint32Array): void {
  let outHigh = 0;
  let outLow = 0;
  for (let move = 0; move < moves.length; move += 4) {
    const bits = (moves[move] === 0 ? high : low) & moves[move + 1];
    const shift = moves[move + 2];
    const moved = shift >= 0 ? bits << shift : bits >>> -shift;
    if (moves[move + 3] === 0) outHigh |= moved;
    else outLow |= moved;
  }
  out[0] = outHigh;
  out[1] = outLow;
}

function permutationOf(order: readonly number[], keyBits: number): Permutation {
  const places = order.map((bit, place) => ({ bit, place }));
  return {
    order: Uint8Array.from(order),
    keyBits,
    moves: movesOf(places.map(({ bit, place }) => [bit, place])),
    backMoves: movesOf(places.map(({ bit, place }) => [place, bit])),
  };
}

/** Returns the moves of a permutation. Bits with the same source word, target word, and shift move together. */
function movesOf(places: readonly (readonly [from: number, to: number])[]): Int32Array {
  const masks = new Map<number, number>();
  for (const [from, to] of places) {
    const shift = (from & 31) - (to & 31);
    const key = ((from >> 5) << 1) | (to >> 5) | ((shift + 32) << 2);
    masks.set(key, (masks.get(key) ?? 0) | (1 << (31 - (from & 31))));
  }
  return Int32Array.from([...masks].flatMap(([key, mask]) => [(key >> 1) & 1, mask, (key >> 2) - 32, key & 1]));
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}
