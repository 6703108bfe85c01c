/** Compares two texts with the steps of simhash: shingles, weighted votes, bits, and the fingerprints' distance. */
import { explainPassages } from '../../../core/engine/explainPassages.ts';
import { defaultOptions, type Options } from '../../../core/engine/options.ts';
import { scan } from '../../../library/scan.ts';
import { shingles as shingleHashes } from '../../../core/methods/shingle.ts';
import type { Comparison, TextPair, WeightedShingle } from './messages.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Limit on the number of shingles that no text reaches. */
const allShingles = 1_000_000;

export function compareTwoTexts({ texts, language, options }: TextPair): Comparison {
  const paths = [`a${language}`, `b${language}`] as const;
  const [left, right] = paths.map((path, at) => ({ path, text: encoder.encode(texts[at]) })) as [Source, Source];
  const { a, b, fingerprints, shared, differing, ...measures } = explainPassages(left, right, completed(options), {
    limit: allShingles,
    decode: (utf8) => decoder.decode(utf8),
  });
  const shingles = distinct([...shared, ...differing], measures.shingleSize);
  const votes = votesOf(shingles);
  return {
    ...measures,
    fingerprints: [
      { hex: fingerprints[0], votes: votes[0], tokens: a.tokens },
      { hex: fingerprints[1], votes: votes[1], tokens: b.tokens },
    ],
    shingles,
    groups: scan(
      paths.map((path, at) => ({ path, text: texts[at]! })),
      options,
    ).findings.groups.filter(({ kind }) => kind !== 'file'),
    paths,
  };
}

interface Source {
  readonly path: string;
  readonly text: Uint8Array;
}

function completed({ weights, prose, ...others }: TextPair['options']): Options {
  return {
    ...defaultOptions,
    ...others,
    weights: { ...defaultOptions.weights, ...weights },
    prose: { ...defaultOptions.prose, ...prose },
  };
}

interface Feature {
  readonly tokens: readonly string[];
  readonly weightInA: number;
  readonly weightInB: number;
}

/** Removes duplicate features, and sorts them by descending weight. */
function distinct(features: readonly Feature[], size: number): WeightedShingle[] {
  const byTokens = new Map(features.map((feature) => [feature.tokens.join('\0'), feature]));
  return [...byTokens.values()]
    .map(({ tokens, weightInA, weightInB }): WeightedShingle => {
      const [hash = 0n] = shingleHashes(tokens, size);
      return { tokens, bits: hash.toString(2).padStart(64, '0'), weights: [weightInA, weightInB] };
    })
    .sort((x, y) => Math.max(...y.weights) - Math.max(...x.weights));
}

/** Returns the sums of the votes on each bit for both texts, most significant bit first. */
function votesOf(shingles: readonly WeightedShingle[]): [number[], number[]] {
  const votes: [number[], number[]] = [new Array<number>(64).fill(0), new Array<number>(64).fill(0)];
  for (const { bits, weights } of shingles) {
    for (const [side, sums] of votes.entries()) {
      for (let bit = 0; bit < 64; bit++) sums[bit]! += bits[bit] === '1' ? weights[side]! : -weights[side]!;
    }
  }
  return votes;
}
