/** Runs the kernel's join of fingerprints (src/core/kernel/seeds/join.ts) in steps, for scans and for the library. */
import * as layout from '../../kernel/seeds/nearPairsLayout.ts';
import { choiceGroups } from '../../methods/permutation.ts';

/** A module of the kernel, with the memory in which it joins. */
export interface JoinKernel {
  readonly memory: { readonly buffer: ArrayBufferLike };
  /** Returns the address of `size` new bytes, aligned to 16. The memory may grow. */
  allocate(size: number): number;
  scatter(join: number, fingerprints: number, n: number, mask: bigint): number;
  /** Joins until about `steps` steps are done. Returns 0 if two fingerprints are equal. */
  join(join: number, steps: number): number;
}

export interface JoinInput {
  /** Address of n fingerprints. */
  readonly fingerprints: number;
  readonly n: number;
  /** Number of blocks of the 64 bits, and maximum number of differing bits. */
  readonly blocks: number;
  readonly distance: number;
  /** Size of a pair in bytes. */
  readonly pairBytes: number;
  /** Maximum number of partners of a fingerprint in a table, if pairs have the indices of their fingerprints. */
  readonly maxPartners: number | undefined;
}

export interface JoinedPairs {
  readonly address: number;
  readonly count: number;
}

/** Number of fingerprints in a part. A part and its chains fit in the first-level cache. */
const partLength = 512;
/** Maximum number of bits in a part number. More than 4,096 parts would exceed the address-translation cache. */
const maxPartBits = 12;
/**
 * Number of comparisons in a step, which takes less than a millisecond. A later call may run faster machine code,
 * because the engine optimizes in the background.
 */
const stepsAtOnce = 262_144;

/** Size in bytes of a choice in the form that the kernel reads. A choice has at most 64 masks of excluded blocks. */
const choiceBytes = layout.choiceHeadBytes + 64 * 8;

/**
 * Finds the pairs of fingerprints within the distance, in steps. The memory allocated here is not released. Returns
 * `undefined` if it finds equal fingerprints.
 *
 * @param stepSize  number of comparisons in a step
 */
export function* joinSteps(
  kernel: JoinKernel,
  { fingerprints, n, blocks, distance, pairBytes, maxPartners }: JoinInput,
  stepSize = stepsAtOnce,
): Generator<void, JoinedPairs | undefined> {
  const groups = choiceGroups(blocks, distance);
  const join = kernel.allocate(layout.joinBytes);
  // The view must be renewed after each allocation.
  const get = (field: number): number => new Uint32Array(kernel.memory.buffer, join + field, 1)[0];
  const set = (field: number, value: number): void => {
    new Uint32Array(kernel.memory.buffer, join + field, 1)[0] = value;
  };
  const partBits = Math.max(1, Math.min(maxPartBits, Math.ceil(Math.log2(n / partLength))));
  const choices = kernel.allocate(Math.max(...groups.map((group) => group.choices.length)) * choiceBytes);
  set(layout.joinDistanceAt, distance);
  set(layout.joinMaxPartnersAt, maxPartners ?? 0);
  set(layout.joinPartBitsAt, partBits);
  set(layout.joinPartsAt, kernel.allocate(8 * n));
  set(layout.joinStartsAt, kernel.allocate(4 * (2 ** partBits + 1)));
  set(layout.joinNumbersAt, maxPartners === undefined ? 0 : kernel.allocate(4 * n));
  set(layout.joinChoicesAt, choices);
  set(layout.joinChoiceBytesAt, choiceBytes);
  let chainRoom = 0;
  let room = 2 * Math.ceil(n / 4 + 512);
  let address = 0;
  set(layout.joinCountAt, 0);
  for (const group of groups) {
    const longest = kernel.scatter(join, fingerprints, n, group.shared) >>> 0;
    if (longest > chainRoom) {
      // With a reserve, because the longest part of another group is a little longer or shorter.
      chainRoom = longest + (longest >>> 2);
      set(layout.joinHeadsAt, kernel.allocate(16 * chainRoom));
      set(layout.joinNextAt, kernel.allocate(4 * chainRoom));
      set(layout.joinLinkedAt, kernel.allocate(4 * chainRoom));
    }
    if (address === 0) {
      // Allocate the memory for pairs last. If more is needed, it usually directly follows this memory.
      address = kernel.allocate(room * pairBytes);
      set(layout.joinPairsAt, address);
      set(layout.joinRoomAt, room);
    }
    group.choices.forEach(({ mask, earlierMasks }, i) => {
      const record = new BigUint64Array(kernel.memory.buffer, choices + i * choiceBytes, choiceBytes >>> 3);
      record[layout.choiceHeadMaskAt >>> 3] = mask;
      record[layout.choiceHeadLeftOutAt >>> 3] = BigInt(earlierMasks.length);
      record.set(earlierMasks, layout.choiceHeadBytes >>> 3);
    });
    set(layout.joinChoiceCountAt, group.choices.length);
    while (get(layout.joinPartAt) < 2 ** partBits) {
      if (kernel.join(join, stepSize) === 0) return undefined;
      if (get(layout.joinIsFullAt) === 1) {
        // A fingerprint has fewer than n pairs in a choice.
        const more = 2 * Math.ceil((room + n) / 2);
        if (kernel.allocate(more * pairBytes) !== address + room * pairBytes) {
          const all = kernel.allocate((room + more) * pairBytes);
          const used = address + get(layout.joinCountAt) * pairBytes;
          new Uint8Array(kernel.memory.buffer).copyWithin(all, address, used);
          address = all;
          set(layout.joinPairsAt, address);
        }
        room += more;
        set(layout.joinRoomAt, room);
      }
      yield;
    }
  }
  return { address, count: get(layout.joinCountAt) };
}
