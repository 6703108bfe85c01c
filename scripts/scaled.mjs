/**
 * Scale of the random searches in tests. KINDRED_RUNS multiplies the number of runs of each property: 0.1 in
 * `npm run check`, 1 in `npm test`, 10 in `npm run test:long` (scripts/testParts.mjs).
 */
const scale = Number(process.env['KINDRED_RUNS'] ?? '1');

/** False for searches shorter than those of `npm test`, which need not reach every case. */
export const reachesAllCases = scale >= 1;

/**
 * Returns a number of runs, or of things that they must have found, at the scale of this process. It is at least 1.
 *
 * @param {number} count  at scale 1
 */
export function scaled(count) {
  return Math.max(1, Math.round(count * scale));
}

/**
 * Returns all cases of a list, or one of each ten at scale 0.1.
 *
 * @template Case
 * @param {readonly Case[]} cases
 * @returns {readonly Case[]}
 */
export function sampled(cases) {
  const step = Math.max(1, Math.round(1 / scale));
  return cases.filter((_, place) => place % step === 0);
}
