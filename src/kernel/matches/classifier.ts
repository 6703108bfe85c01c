// Whether an alignment is a match worth showing.
import { callKind, identifierKind, kindMask } from '../lex/lexedLayout';
import { consistentWord, differingWord, equalWord, longestWord, onceWord } from './matchLayout';
import {
  allowanceAt,
  allowedDistinctShinglesAt,
  codeSimilarityAt,
  codeTokensAt,
  distinctShinglesAt,
  featureCount,
  givenCostAt,
  idfTableAt,
  proseSimilarityAt,
  proseTokensAt,
  scoreWeightsAt,
} from './settingsLayout';
import { languageHash, left, leftToken, renaming, right, rightToken, sameDocument } from './documentPair';
import { abstractToken, isName, mix64 } from '../documents/fingerprint';
import { isOneText } from './oneText';
import { endA, endB, startA, startB } from './passages';
import { idfSlot } from './idf';
import {
  columnAgreement,
  countNames,
  countNextPart,
  isCounted,
  knowsColumns,
  leftKey,
  nextDifference,
  openTable,
  slotOf,
  slotValueAt,
} from './renaming';
import { leastInAnyOrder, sharedInAnyOrder } from './reordered';
import { otherRuns, runAAt, runBAt, runBytes, runLengthAt } from './runs';
import { golden32 } from '../documents/hashFactors';

let features: usize = 0; // featureCount numbers, f64

// Settings: see settingsLayout.ts.
let codeTokens: u32 = 0;
let proseTokens: u32 = 0;
let codeSimilarity: f64 = 0;
let proseSimilarity: f64 = 0;
let scoreWeights: usize = 0; // see `score`
let givenCost: f64 = 0;
let leastDistinctShingles: u32 = 0;
let allowance: f64 = 0; // how far below 0 a score may be
let allowedDistinctShingles: u32 = 0; // what is asked of such a match
let idfTable: usize = 0; // u8 for each slot

// Of the pair of documents at hand.
/** Whether no seed has brought the passages together. */
export let isGiven: bool = false;
/** Tokens that either passage has to have. */
export let leastTokens: u32 = 0;
let leastSimilarity: f64 = 0;

const vocabulary: usize = 10;

/**
 * The logarithm of a length up to which the verdict was fitted, that of some 600 tokens. It is told by nothing how matches
 * that are longer differ, so it is asked of all of them as of such a one.
 */
const mostLength: f64 = 2.5;

/** Bytes of scratch memory that `placeFeatures` lays out. */
export const featureScratchBytes: usize = featureCount << 3;

/** @param scratch  aligned to 8 */
export function placeFeatures(scratch: usize): void {
  features = scratch;
}

/** Takes what of the settings is asked of matches: see `readSettings` in match.ts. */
export function setClassifier(settings: usize): void {
  idfTable = <usize>load<u32>(settings, idfTableAt);
  codeTokens = load<u32>(settings, codeTokensAt);
  proseTokens = load<u32>(settings, proseTokensAt);
  scoreWeights = <usize>load<u32>(settings, scoreWeightsAt);
  leastDistinctShingles = load<u32>(settings, distinctShinglesAt);
  codeSimilarity = load<f64>(settings, codeSimilarityAt);
  proseSimilarity = load<f64>(settings, proseSimilarityAt);
  givenCost = load<f64>(settings, givenCostAt);
  allowance = load<f64>(settings, allowanceAt);
  allowedDistinctShingles = load<u32>(settings, allowedDistinctShinglesAt);
}

/** Asks what the kind of documents at hand has to reach. @param given  see `isGiven` */
export function openClassifier(given: bool): void {
  isGiven = given;
  leastTokens = renaming ? codeTokens : proseTokens;
  leastSimilarity = renaming ? codeSimilarity : proseSimilarity;
}

/**
 * Whether runs [first, end), an alignment of the passages at hand, make a match worth showing: large enough, similar
 * enough, and in code accepted by the classifier, with enough distinct shingles. Writes the counts into the record.
 */
export function accepts(first: u32, end: u32, record: usize): bool {
  if (!largeEnough()) return false;
  if (renaming) countNames(otherRuns, first, end);
  let equal: u32 = 0,
    consistent: u32 = 0,
    once: u32 = 0,
    differing: u32 = 0,
    longest: u32 = 0,
    column: u32 = 0,
    identifiers: u32 = 0,
    otherIdentifiers: u32 = 0;
  for (let r = first; r < end; r++) {
    const run = otherRuns + <usize>r * runBytes;
    const a = load<u32>(run, runAAt),
      b = load<u32>(run, runBAt),
      length = load<u32>(run, runLengthAt);
    let before = equal;
    if (renaming) identifiers += countIdentifiers(a, length);
    const x = left + ((<usize>a) << 2),
      y = right + ((<usize>b) << 2);
    for (let i: u32 = 0; i < length; i++) {
      const difference = nextDifference(x, y, i, length);
      equal += difference - i;
      i = difference;
      if (i == length) break;
      longest = max(longest, equal - before);
      before = equal;
      otherIdentifiers += u32(isIdentifier(leftToken(a + i)));
      const agrees = columnAgreement(column++);
      if (agrees == 2) consistent++;
      else if (agrees == 1) once++;
      else differing++;
    }
    longest = max(longest, equal - before);
  }
  const both: u32 = endA - startA + endB - startB;
  const similarity = <f64>(2 * (equal + consistent) + once) / <f64>both;
  if (similarity < leastSimilarity) return false;
  if (renaming) {
    const tokens = <f64>both / 2;
    setFeature(2, <f64>consistent / tokens);
    setFeature(3, <f64>once / tokens);
    setFeature(4, <f64>differing / tokens);
    const shorter = <f64>min(endA - startA, endB - startB);
    // Of a copy into which a block was put the block is no part: it is asked what its original would be.
    const measured = hasBlockPutIn(first, end, equal) ? shorter : tokens;
    setFeature(1, <f64>equal / measured);
    setFeature(5, 1 - <f64>(equal + consistent + once + differing) / measured);
    setFeature(6, measured == tokens ? tokens / <f64>max(endA - startA, endB - startB) : evennessOfFrame);
    setFeature(7, NativeMath.min(mostLength, NativeMath.log(tokens / 50)));
    setFeature(8, sameDocument ? 1 : 0);
    setFeature(9, <f64>min<u32>(longest, 60) / 60);
    setFeature(11, identifiers ? 1 - <f64>otherIdentifiers / <f64>identifiers : 0.5);
    // What is equal throughout is a copy, whatever else is measured of it.
    const isCopy = equal << 1 == both || reachesScore(0);
    if (!isCopy && (allowance == 0 || !reachesScore(-allowance))) return false;
    // What is equal for long is a copy of whatever form, but that it has to be more than one row.
    const distinctShingles = isCopy ? leastDistinctShingles : max(leastDistinctShingles, allowedDistinctShingles);
    const asked = longest < leastTokens << 1 ? distinctShingles : distinctShingles >> 2;
    if (!hasDistinctShingles(first, end, <f64>equal / tokens, asked)) return false;
  } else if (!isOneText(first, end, leastSimilarity)) {
    return false;
  }
  store<u32>(record, equal, 4 * equalWord);
  store<u32>(record, consistent, 4 * consistentWord);
  store<u32>(record, once, 4 * onceWord);
  store<u32>(record, differing, 4 * differingWord);
  store<u32>(record, longest, 4 * longestWord);
  return true;
}

/** Whether a token is an identifier, called or not: literals differ between copies more often. */
@inline function isIdentifier(token: u32): bool {
  const kind = token & kindMask;
  return kind == <u32>identifierKind || kind == <u32>callKind;
}

/** How many of `length` tokens of the left document from one on are identifiers. Up to three more are read. */
function countIdentifiers(from: u32, length: u32): u32 {
  const tokens = left + ((<usize>from) << 2);
  let count: u32 = 0;
  for (let i: u32 = 0; i < length; i += 4) {
    const kinds = v128.and(v128.load(tokens + ((<usize>i) << 2)), i32x4.splat(kindMask));
    const identifiers = v128.or(i32x4.eq(kinds, i32x4.splat(identifierKind)), i32x4.eq(kinds, i32x4.splat(callKind)));
    const counted = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(length - i));
    count += popcnt<i32>(i32x4.bitmask(v128.and(identifiers, counted)));
  }
  return count;
}

/** The evenness of a match whose longer side has a block more: less than 1, since it is no copy as written. */
const evennessOfFrame: f64 = 0.95;
/** Tokens that have to be equal before the block, and behind it: two lines or three, as they do not come together by chance. */
const leastOfFrame: u32 = 16;
/** The share of the shorter passage that has to be equal as written. */
const leastEqualOfFrame: f64 = 0.97;

/**
 * Whether runs [first, end) are a frame of two pieces with a block between them that one side alone has. The longer the block
 * is, the less is equal and the less even are the sides, though the copy is as good; so the pieces and what is around them
 * decide: the shorter passage is equal as written from end to end.
 */
function hasBlockPutIn(first: u32, end: u32, equal: u32): bool {
  if (end - first != 2) return false;
  if (<f64>equal < leastEqualOfFrame * <f64>min(endA - startA, endB - startB)) return false;
  for (let r = first; r < end; r++) {
    if (load<u32>(otherRuns + <usize>r * runBytes, runLengthAt) < leastOfFrame) return false;
  }
  return true;
}

/** Whether the passages at hand have as many tokens as are asked for. */
export function largeEnough(): bool {
  return min(endA - startA, endB - startB) >= leastTokens;
}

/** The same for passages of prose by what they share in any order, which counts as equal. */
export function acceptsInAnyOrder(record: usize): bool {
  if (!largeEnough()) return false;
  const least = max(leastSimilarity, leastInAnyOrder);
  const shared = sharedInAnyOrder(least);
  if (<f64>shared < least * <f64>(endA - startA + endB - startB)) return false;
  store<u32>(record, shared >> 1, 4 * equalWord);
  store<u32>(record, 0, 4 * consistentWord);
  store<u32>(record, 0, 4 * onceWord);
  store<u32>(record, 0, 4 * differingWord);
  store<u32>(record, 0, 4 * longestWord);
  return true;
}

@inline function setFeature(i: usize, value: f64): void {
  store<f64>(features + (i << 3), value);
}

/**
 * Whether the features reach `least` in `score`. The shared vocabulary, which is dear, is counted only where it decides:
 * with all others known the form is a parabola of it, whose least and greatest value from 0 to 1 bound it.
 */
function reachesScore(least: f64): bool {
  setFeature(vocabulary, 0);
  const none = score();
  setFeature(vocabulary, 1);
  const all = score();
  setFeature(vocabulary, 0.5);
  const half = score();
  // none + linear × x + square × x²
  const square = 2 * (none + all) - 4 * half;
  const linear = all - none - square;
  const turn = square == 0 ? 0 : NativeMath.min(1, NativeMath.max(0, -linear / (2 * square)));
  const between = none + turn * (linear + turn * square);
  if (max(max(none, all), between) < least - rounding) return false;
  if (min(min(none, all), between) > least + rounding) return true;
  setFeature(vocabulary, sharedVocabulary());
  return score() >= least;
}

/** More than the bounds of a score can be off by rounding: its terms are below 1000. */
const rounding: f64 = 1e-6;

/** A quadratic form of the features: of each pair of them a weight, those of the first one first. */
function score(): f64 {
  setFeature(0, 1);
  let sum: f64 = isGiven ? -givenCost : 0;
  let weight = scoreWeights;
  for (let i: usize = 0; i < <usize>featureCount; i++) {
    for (let j = i; j < <usize>featureCount; j++) {
      sum += load<f64>(weight) * load<f64>(features + (i << 3)) * load<f64>(features + (j << 3));
      weight += 8;
    }
  }
  return sum;
}

/**
 * How much of the words of the passage that has fewer of them is in the other too, 0 to 1: weighted containment (Broder
 * 1997, section 2) of their different names and literals, by inverse document frequency. A copy says what its original says; look-alikes
 * share what everybody says.
 */
function sharedVocabulary(): f64 {
  openTable(endA - startA + endB - startB);
  let inA: u32 = 0,
    inB: u32 = 0,
    inBoth: u32 = 0;
  for (let i = startA; i < endA; i++) {
    const token = leftToken(i);
    if ((token & kindMask) < <u32>identifierKind) continue;
    const record = slotOf(leftKey(token));
    if (load<u32>(record, slotValueAt)) continue;
    store<u32>(record, 1, slotValueAt);
    inA += idfOf(token);
  }
  for (let i = startB; i < endB; i++) {
    const token = rightToken(i);
    if ((token & kindMask) < <u32>identifierKind) continue;
    const record = slotOf(leftKey(token));
    const seen = load<u32>(record, slotValueAt);
    if (seen > 1) continue;
    store<u32>(record, 2, slotValueAt);
    inB += idfOf(token);
    if (seen) inBoth += idfOf(token);
  }
  return <f64>inBoth / <f64>max<u32>(1, min(inA, inB));
}

/**
 * Whether what both passages say is more than one form repeated. It is measured by the different shingles (Broder 1997) of
 * columns that stand side by side on both sides and in which no name is renamed inconsistently: each tells once with its
 * names abstracted, however often the form returns, and once as written where both sides are equal, the more the more of
 * the match is. A list of accessors, cases or rows has the shingles of one row and no others; its copy has those of all its
 * words besides. Of data, which have no names, only what is written tells.
 *
 * @param written  the share of the match that is equal as written
 * @param asked    how many different shingles
 */
function hasDistinctShingles(first: u32, end: u32, written: f64, asked: u32): bool {
  const share = written * written * written;
  if (!knowsColumns()) countNames(otherRuns, first, end);
  openTable((endA - startA) << 1);
  const hasNames = anyName(startA, endA);
  let forms: u32 = 0,
    wordings: u32 = 0,
    column: u32 = 0;
  for (let r = first; r < end; r++) {
    const run = otherRuns + <usize>r * runBytes;
    const a = load<u32>(run, runAAt),
      b = load<u32>(run, runBAt),
      length = load<u32>(run, runLengthAt);
    let form: u64 = 0,
      wording: u64 = 0;
    // Columns up to this one without an inconsistent name, and without a name that is not equal.
    let alike: u32 = 0,
      equal: u32 = 0;
    for (let i: u32 = 0; i < length; i++) {
      const token = leftToken(a + i);
      form = (form << 16) | shortHash(abstractToken(token));
      wording = (wording << 16) | shortHash(token);
      alike++;
      equal++;
      if (token != rightToken(b + i)) {
        equal = 0;
        if (!isCounted(column)) {
          // That takes the table: each part of so long an alignment is measured by itself.
          countNextPart();
          openTable((endA - startA) << 1);
          forms = wordings = 0;
        }
        if (!columnAgreement(column++)) alike = 0;
      }
      if (alike < tokensOfShingle) continue;
      if (hasNames && isNew(mix64(form) & ~1)) forms++;
      if (equal >= tokensOfShingle && isNew(mix64(wording) | 1)) wordings++;
      if (<f64>forms + share * <f64>wordings >= <f64>asked) return true;
    }
  }
  return false;
}

/** Whether the left passage has a name. */
function anyName(from: u32, to: u32): bool {
  for (let i = from; i < to; i++) if (isName(leftToken(i))) return true;
  return false;
}

/** Tokens of a shingle: as many as 64 bits hold short hashes. */
const tokensOfShingle: u32 = 4;

@inline function shortHash(token: u32): u64 {
  return (token * golden32) >> 16;
}

/** Enters a key into the table; false if it is there. */
function isNew(key: u64): bool {
  const record = slotOf(key);
  if (load<u32>(record, slotValueAt)) return false;
  store<u32>(record, 1, slotValueAt);
  return true;
}

@inline function idfOf(token: u32): u32 {
  return <u32>load<u8>(idfTable + idfSlot(token, languageHash));
}
