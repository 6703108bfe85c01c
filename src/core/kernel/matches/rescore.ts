// Scores an existing alignment: finds its stretch with the greatest score, in which inconsistent names and gaps count
// as penalties.
import { leftToken, pair, rightToken, sumOfWeights, weightOf } from './documentPair';
import { reserve } from './matchScratch';
import { columnAgreement, countNames, nextDifference } from './renaming';
import { dropHead, Run, spanRuns } from './runs';
import { addressAt, itemOf, newRecord, recordBytes } from '../records';
import { Piece } from './pieces';

@unmanaged class Scoring {
  /**
   * Results of `rescore`: score of the best stretch, and its extent from token `bestFrom` of run `bestFirst` to token
   * `bestTo` (exclusive) of run `bestLast`.
   */
  bestScore: i32;
  bestFirst: u32;
  bestFrom: u32;
  bestLast: u32;
  bestTo: u32;
  /** Result of `boundScore`: upper limit of the score that `rescore` would find. */
  maxScore: i32;
}

export let scoring = changetype<Scoring>(0);

const scratchAt = reserve(recordBytes<Scoring>());

export function placeScoring(scratch: usize): void {
  scoring = newRecord<Scoring>(scratch + scratchAt);
}

/**
 * Finds the stretch of the runs [first, end) with the greatest score. It is the maximum-sum segment of the scores of
 * aligned pairs.
 */
export function rescore(list: usize, first: u32, end: u32): void {
  if (pair.renaming) countNames(list, first, end);
  rescoreCounted(list, first, end, 1);
}

/**
 * Does the same as `rescore` without counting names. Precondition: the last call of `countNames` was for these runs,
 * and counted all of them in one part.
 *
 * @param gapFactor  factor by which the cost of each gap is multiplied
 */
export function rescoreCounted(list: usize, first: u32, end: u32, gapFactor: i32): void {
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
        const agrees = columnAgreement(column++);
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
  scoring.bestScore = bestScore;
  scoring.bestFirst = bestFirst;
  scoring.bestFrom = bestFrom;
  scoring.bestLast = bestLast;
  scoring.bestTo = bestTo;
}

/**
 * Computes an upper limit, `maxScore`, of the score that `rescore` would find for the runs [first, end). It does not
 * count names, but assumes that all are renamed consistently. If the score is at least `enough` even without this
 * assumption, returns true at once; `maxScore` is then incomplete.
 */
export function boundScore(list: usize, first: u32, end: u32, enough: i32): bool {
  scoring.maxScore = 0;
  let maxScore: i32 = 0;
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
        if (minScore >= enough) return true;
      } else {
        minScore = max(0, minScore - weight);
        maxScore += (weight * 3) >> 1;
      }
    }
    scoring.maxScore = max(scoring.maxScore, maxScore);
  }
  return false;
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

/** Cuts the runs down to the stretch that `rescore` has found, and updates the range and the runs of the piece. */
export function trim(list: usize, p: Piece): void {
  if (scoring.bestFrom >= itemOf<Run>(list, scoring.bestFirst).length) {
    scoring.bestFirst++;
    scoring.bestFrom = 0;
  }
  itemOf<Run>(list, scoring.bestLast).length = scoring.bestTo;
  dropHead(itemOf<Run>(list, scoring.bestFirst), scoring.bestFrom);
  spanRuns(list, p, scoring.bestFirst, scoring.bestLast + 1);
}
