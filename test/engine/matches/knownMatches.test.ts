/** Digest of the seeds between two documents, which identifies their earlier matches. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { pairsOf } from '../../../src/core/engine/matches/knownMatches.ts';
import { seedBytes, seedDocBAt, seedPosAAt, seedPosBAt } from '../../../src/core/kernel/seeds/seedLayout.ts';

const seedWords = seedBytes >>> 2;
const place = fc.nat(1_000_000);
const seeds = fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 40 });

/** Returns the pair that the seeds between two documents form. */
function pairOf(words: Uint32Array): Uint32Array {
  const kernel = new Kernel(createMemory());
  const address = kernel.allocate(words.byteLength);
  kernel.words.set(words, address >>> 2);
  return pairsOf(kernel, { address, count: words.length / seedWords });
}

suite('the digest of seeds', () => {
  test('changes with each place of each seed, in either document', () => {
    fc.assert(
      fc.property(seeds, fc.nat(), fc.constantFrom(seedPosAAt, seedPosBAt), fc.nat(30), (list, which, side, bit) => {
        const words = new Uint32Array(list.length * seedWords);
        for (const [i, [a, b]] of list.entries()) {
          words[i * seedWords + (seedDocBAt >>> 2)] = 1;
          words[i * seedWords + (seedPosAAt >>> 2)] = a;
          words[i * seedWords + (seedPosBAt >>> 2)] = b;
        }
        const changed = Uint32Array.from(words);
        changed[(which % list.length) * seedWords + (side >>> 2)] ^= 1 << bit;
        assert.deepEqual(pairOf(words), pairOf(Uint32Array.from(words)));
        assert.notDeepEqual(pairOf(changed), pairOf(words));
      }),
    );
  });
});
