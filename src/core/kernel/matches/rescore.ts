// Scores an existing alignment: finds its stretch with the greatest score, in which inconsistent names and gaps count
// as penalties.
import { leftToken, pair, rightToken, sumOfWeights, weightOf } from './documentPair';
import { reserve } from './matchScratch';
import { columnAgreement, countNames, Names, nextDifference } from './renaming';
import { dropHead, Run, spanRuns } from './runs';
import { addressAt, itemOf, newRecord, recordBytes } from '../records';
import { Piece } from './pieces';

/**
 * The stretch of a list of runs with the greatest score. It extends from token `from` of run `first` to token `to`
 * (exclusive) of run `last`. The record is reused, so it is valid until the next call of `rescore` or `rescoreCounted`.
 */
@unmanaged export class BestStretch {
  score: i32;
  first: u32;
  from: u32;
  last: u32;
  to: u32;
}

let bestStretch = changetype<BestStretch>(0);

const scratchAt = reserve(recordBytes<BestStretch>());

export function placeBestStretch(scratch: usize): void {
  bestStretch = newRecord<BestStretch>(scratch + scratchAt);
}

/**
 * Finds the stretch of the runs [first, end) with the greatest score. It is the maximum-sum segment of the scores of
 * aligned pairs.
 */
export function rescore(list: usize, first: u32, end: u32): BestStretch {
  return rescoreCounted(list, first, end, countNames(list, first, end), 1);
}

/**
 * Does the same as `rescore` with names that were counted before.
 *
 * @param names      the names of these runs; if they are not complete, they were just counted
 * @param gapFactor  factor by which the cost of each gap is multiplied
 */
export function rescoreCounted(list: usize, first: u32, end: u32, names: Names, gapFactor: i32): BestStretch {
  let bestScore: i32 = 0,
    bestFirst = first,
    bestFrom: u32 = 0,
    bestLast = first,
    bestTo: u32 = 0;
  let score: i32 = 0,
    startRun = first,
    startAt: u32 = 0,
    column: u32 = 0;
  for (let r = first; r < end; r++) {
    const run = itemOf<Run>(list, r);
    const a = run.a,
      b = run.b,
      length = run.length;
    if (r > first) {
      score -= (weightBefore(run) * gapFactor) >> 1;
      if (score < 0) {
        score = 0;
        startRun = r;
        startAt = 0;
      }
    }
    const x = pair.left.at(a),
      y = pair.right.at(b);
    for (let i: u32 = 0; i < length;) {
      // Each equal token increases the score, so a stretch of greatest score cannot end between equal tokens.
      const differing = nextDifference(x, y, i, length);
      score += sumOfWeights(addressAt<u32>(x, i), differing - i) << 1;
      i = differing;
      if (i < length) {
        const name = leftToken(a + i);
        const weight = weightOf(name) << 1;
        const agrees = columnAgreement(names, column++);
        if (score > bestScore) {
          bestScore = score;
          bestFirst = startRun;
          bestFrom = startAt;
          bestLast = r;
          bestTo = i;
        }
        i++;
        if (agrees == 2) score += (weight * 3) >> 2;
        else if (agrees == 0) score -= weight >> 1;
        if (score < 0) {
          score = 0;
          startRun = r;
          startAt = i;
        }
      }
      if (score > bestScore) {
        bestScore = score;
        bestFirst = startRun;
        bestFrom = startAt;
        bestLast = r;
        bestTo = i;
      }
    }
  }
  const best = bestStretch;
  best.score = bestScore;
  best.first = bestFirst;
  best.from = bestFrom;
  best.last = bestLast;
  best.to = bestTo;
  return best;
}

/** Result of `boundScore` if the score is certainly high enough. */
export const certainScore: i32 = i32.MAX_VALUE;

/**
 * Returns an upper limit of the score that `rescore` would find for the runs [first, end). It does not count names, but
 * assumes that all are renamed consistently. If the score is at least `enough` even without this assumption, returns
 * `certainScore`.
 */
export function boundScore(list: usize, first: u32, end: u32, enough: i32): i32 {
  let limit: i32 = 0,
    maxScore: i32 = 0;
  for (let r = first; r < end; r++) {
    const run = itemOf<Run>(list, r);
    const a = run.a,
      b = run.b,
      length = run.length;
    if (r > first) maxScore = max(0, maxScore - (weightBefore(run) >> 1));
    let minScore: i32 = 0;
    for (let i: u32 = 0; i < length; i++) {
      const x = leftToken(a + i);
      const weight = weightOf(x);
      if (x == rightToken(b + i)) {
        minScore += weight << 1;
        maxScore += weight << 1;
        if (minScore >= enough) return certainScore;
      } else {
        minScore = max(0, minScore - weight);
        maxScore += (weight * 3) >> 1;
      }
    }
    limit = max(limit, maxScore);
  }
  return limit;
}

/** Returns the cost of a gap, in which tokens of both sides are skipped: half of their weight. */
@inline export function gapCost(a0: u32, a1: u32, b0: u32, b1: u32): i32 {
  return weightOfGap(a0, a1, b0, b1) >> 1;
}

function weightOfGap(a0: u32, a1: u32, b0: u32, b1: u32): i32 {
  let sum: i32 = 0;
  for (let i = a0; i < a1; i++) sum += weightOf(leftToken(i));
  for (let i = b0; i < b1; i++) sum += weightOf(rightToken(i));
  return sum;
}

/** Returns the weight of the tokens in the gap before a run. */
@inline function weightBefore(run: Run): i32 {
  const before = changetype<Run>(changetype<usize>(run) - offsetof<Run>());
  const length = before.length;
  return weightOfGap(before.a + length, run.a, before.b + length, run.b);
}

/** Cuts the runs down to their best stretch, and updates the range and the runs of the piece. */
export function trim(list: usize, p: Piece, best: BestStretch): void {
  let first = best.first,
    from = best.from;
  if (from >= itemOf<Run>(list, first).length) {
    first++;
    from = 0;
  }
  itemOf<Run>(list, best.last).length = best.to;
  dropHead(itemOf<Run>(list, first), from);
  spanRuns(list, p, first, best.last + 1);
}
