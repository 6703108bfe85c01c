/**
 * The nominations of nominateFiles.ts one bucket at a time, for when documents come and go: into which buckets a sketch
 * goes, which pairs a bucket ties, and how near these are.
 */
import { hammingDistance } from '../../methods/bits.ts';
import type { FileSketch } from '../documents/fileSketch.ts';
import {
  agreement,
  bandDigests,
  leastNearness,
  maskedDigest,
  tableMasks,
  tiedNear,
  tiedPairs,
} from './nominateFiles.ts';
import type { Method } from '../options.ts';
import { tuning } from '../tuning.ts';

type Fingerprint = Pick<FileSketch, 'high' | 'low'>;

/** What is kept of a sketch: it outlives the document. */
export interface Nominee extends Fingerprint {
  /** The digest of its bucket in each band or table. */
  readonly digests: Uint32Array;
}

export interface Nominator {
  read(sketch: FileSketch): Nominee;
  /** The pairs that a bucket ties, of numbers in order; some more than once. */
  ties(bucket: readonly number[], nomineeOf: (number: number) => Nominee): [number, number][];
  /** Greater is nearer; undefined for a pair that is not nominated. */
  nearness(x: FileSketch, y: FileSketch): number | undefined;
}

export function nominatorOf(method: Method): Nominator {
  const { least, farthest } = tuning.files[method];
  return method === 'simhash' ? bySimhash(farthest) : byMinhash(least);
}

function byMinhash(least: number): Nominator {
  return {
    read: ({ high, low, signature }) => ({ high, low, digests: bandDigests(signature) }),
    ties: tiedPairs,
    nearness(x, y) {
      const nearness = agreement(x.signature, y.signature);
      return nearness >= leastNearness(least) ? nearness : undefined;
    },
  };
}

function bySimhash(distance: number): Nominator {
  const masks = tableMasks(distance);
  const bits = (x: Fingerprint, y: Fingerprint): number => hammingDistance(x.high, x.low, y.high, y.low);
  return {
    read: ({ high, low }) => ({
      ...{ high, low },
      digests: Uint32Array.from(masks, (mask) => maskedDigest(high, low, mask)),
    }),
    ties: (bucket, nomineeOf) => tiedNear(bucket, (a, b) => bits(nomineeOf(a), nomineeOf(b)) <= distance),
    nearness: (x, y) => -bits(x, y),
  };
}
