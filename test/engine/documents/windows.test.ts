/** Distance of two passages in the index, compared with a search of all pairs of their windows. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import { type Stretch, windowDistance } from '../../../src/core/engine/documents/windows.ts';
import { clumpedHashes } from '../../methods/hashArbitraries.ts';
import { type KernelArrays, withArrays } from '../kernelArrays.ts';
import { differingBits } from '../oracles.ts';

/** Windows of a document, with the first token and the fingerprints of each, and the passage to look up. */
interface Sample {
  readonly firsts: readonly number[];
  readonly written: readonly bigint[];
  readonly renamed: readonly bigint[];
  readonly start: number;
  readonly end: number;
}

const sample: fc.Arbitrary<Sample> = fc
  .tuple(clumpedHashes, fc.nat(40), fc.nat(40), fc.infiniteStream(fc.integer({ min: 1, max: 5 })), fc.nat(3))
  .map(([hashes, start, length, steps, zeros]) => {
    let token = 0;
    const firsts = hashes.map(() => (token += steps.next().value as number));
    const written = hashes.map((hash, i) => (i % 4 < zeros ? 0n : hash));
    return { firsts, written, renamed: [...hashes].reverse(), start, end: start + length };
  });

function stretch(arrays: KernelArrays, { firsts, written, renamed, start, end }: Sample, stride: number): Stretch {
  const records = firsts.flatMap((first) => [first, ...new Array<number>(stride / 4 - 1).fill(0)]);
  const index = {
    windows: arrays.putWords(records),
    windowStride: stride,
    windowCount: firsts.length,
    written: arrays.putLongs(written),
    renamed: arrays.putLongs(renamed),
  };
  return { index: index as DocumentIndex, start, end };
}

function closest(x: Sample, y: Sample, view: 'written' | 'renamed'): number {
  const of = (s: Sample): bigint[] =>
    s[view].filter((fingerprint, i) => fingerprint !== 0n && s.firsts[i] >= s.start && s.firsts[i] < s.end);
  return Math.min(64, ...of(x).flatMap((a) => of(y).map((b) => differingBits(a, b))));
}

suite('windows', () => {
  test('the distance of two passages is that of their nearest windows in either view', () => {
    fc.assert(
      fc.property(sample, sample, (x, y) => {
        const actual = withArrays((arrays) =>
          windowDistance(arrays.kernel, stretch(arrays, x, 12), stretch(arrays, y, 4)),
        );
        assert.equal(actual, Math.min(closest(x, y, 'written'), closest(x, y, 'renamed')));
      }),
    );
  });
});
