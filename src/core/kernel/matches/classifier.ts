// Decides whether an alignment is a match worth showing.
import { callKind, identifierKind, kindMask } from '../lex/lexed';
import { Match } from './matchRecord';
import { featureCount, settings } from './settings';
import { leftToken, pair, rightToken } from './documentPair';
import { abstractToken, isName, mix64 } from '../documents/fingerprint';
import { isOneText } from './oneText';
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
} from './renaming';
import { leastInAnyOrder, sharedInAnyOrder } from './reordered';
import { lists, Run } from './runs';
import { golden32 } from '../documents/hashFactors';
import { itemOf, newRecord, recordBytes } from '../records';

/** Requirements for the current pair of documents, and counts of the alignment that is judged. */
@unmanaged class Classifier {
  /** Minimum similarity of the passages. */
  leastSimilarity: f64;
  /** Features of the alignment: `featureCount` numbers, f64 each. */
  features: usize;
  /** Minimum number of tokens of each passage. */
  leastTokens: u32;
  /** Result of `isSimilar`: numbers of columns as in a record, and of identifiers, and of those that differ. */
  equal: u32;
  consistent: u32;
  once: u32;
  differing: u32;
  longest: u32;
  identifiers: u32;
  otherIdentifiers: u32;
  /** True if no seed has brought the passages together. */
  isGiven: bool;
}

export let classifier = changetype<Classifier>(0);

const vocabulary: usize = 10;

/**
 * Upper limit of the logarithm of the length in the score: about 600 tokens. The classifier was not trained on longer
 * matches, so they are treated as having this length.
 */
const mostLength: f64 = 2.5;

/** Bytes of scratch memory that `placeClassifier` lays out. */
export const classifierScratchBytes: usize = recordBytes<Classifier>() + (featureCount << 3);

/** @param scratch  aligned to 8 */
export function placeClassifier(scratch: usize): void {
  classifier = newRecord<Classifier>(scratch);
  classifier.features = scratch + recordBytes<Classifier>();
}

/** Selects the requirements for the current kind of documents. @param given  see `isGiven` */
export function openClassifier(given: bool): void {
  classifier.isGiven = given;
  classifier.leastTokens = pair.renaming ? settings.codeTokens : settings.proseTokens;
  classifier.leastSimilarity = pair.renaming ? settings.codeSimilarity : settings.proseSimilarity;
}

/**
 * Returns true if runs [first, end), an alignment of the current passages, are a match worth showing: large enough,
 * similar enough, and for code accepted by the classifier and with enough distinct shingles. Writes the counts into the
 * record.
 */
export function accepts(first: u32, end: u32, record: Match): bool {
  if (!largeEnough() || !isSimilar(first, end, classifier.leastSimilarity)) return false;
  const both: u32 = pair.left.length + pair.right.length;
  if (pair.renaming) {
    const tokens = <f64>both / 2;
    setFeature(2, <f64>classifier.consistent / tokens);
    setFeature(3, <f64>classifier.once / tokens);
    setFeature(4, <f64>classifier.differing / tokens);
    const shorter = <f64>min(pair.left.length, pair.right.length);
    // A block inserted into a copy is not part of it: the copy is judged like its original.
    const measured = hasBlockPutIn(first, end, classifier.equal) ? shorter : tokens;
    setFeature(1, <f64>classifier.equal / measured);
    setFeature(
      5,
      1 - <f64>(classifier.equal + classifier.consistent + classifier.once + classifier.differing) / measured,
    );
    setFeature(6, measured == tokens ? tokens / <f64>max(pair.left.length, pair.right.length) : evennessOfFrame);
    setFeature(7, NativeMath.min(mostLength, NativeMath.log(tokens / 50)));
    setFeature(8, pair.sameDocument ? 1 : 0);
    setFeature(9, <f64>min<u32>(classifier.longest, 60) / 60);
    setFeature(11, classifier.identifiers ? 1 - <f64>classifier.otherIdentifiers / <f64>classifier.identifiers : 0.5);
    // Passages that are equal throughout are copies, regardless of other features.
    const isCopy = classifier.equal << 1 == both || reachesScore(0);
    if (!isCopy && (settings.allowance == 0 || !reachesScore(-settings.allowance))) return false;
    // A long equal text is a copy regardless of its form, unless it is a single repeated row.
    const distinctShingles = isCopy
      ? settings.distinctShingles
      : max(settings.distinctShingles, settings.allowedDistinctShingles);
    const asked = classifier.longest < classifier.leastTokens << 1 ? distinctShingles : distinctShingles >> 2;
    if (!hasDistinctShingles(first, end, <f64>classifier.equal / tokens, asked)) return false;
  } else if (!isOneText(first, end, classifier.leastSimilarity)) {
    return false;
  }
  writeCounts(record);
  return true;
}

/**
 * Minimum similarity of completed passages. Two people called .95 of the pairs from .7 to .8 clones, but only .81 of
 * those from .6 to .7 (1,999 pairs of the artifact of Saini, Farmahinifarahani, Lu, Baldi, Lopes 2018).
 */
export const leastOfCompleted: f64 = 0.7;
/**
 * The same where nothing can be cut, for indented blocks. At .70, functions that share their first half are lost; at .60,
 * the estimated precision of pairs in Python is up to .008 lower: see bench/results/2026-11-26-edges.md.
 */
export const leastOfUncut: f64 = 0.65;

/**
 * As `accepts`, for an accepted match whose passages were completed to whole blocks: only similarity decides whether
 * they still are copies.
 *
 * @param least  minimum similarity
 */
export function acceptsCompleted(first: u32, end: u32, record: Match, least: f64): bool {
  if (!isSimilar(first, end, max(classifier.leastSimilarity, least))) return false;
  writeCounts(record);
  return true;
}

/**
 * Share of the tokens of two units that are equal as written: from the first on they are copies whatever their features,
 * and below the second one only if they are renamed. Two people called .94 of the units from .8 on clones (estimated from
 * 1,999 judged pairs). At .60, no more copies are found than at .62: see bench/results/2026-11-27-adapted.md.
 */
const equalOfUnits: f64 = 0.8;
export const leastEqualOfUnits: f64 = 0.62;
/** Requirements for renamed units: minimum similarity, and shares of columns renamed consistently and inconsistently. */
export const leastOfRenamed: f64 = 0.78;
const consistentOfRenamed: f64 = 0.15;
const differingOfRenamed: f64 = 0.05;
/**
 * The same for units that are renamed throughout, and the share of the distinct shingles that they need: look-alikes
 * rarely replace each name by the same name everywhere. With .6 of the shingles, classes of forwarding methods do.
 */
const leastOfThroughout: f64 = 0.88;
const differingOfThroughout: f64 = 0.01;
const shinglesOfThroughout: f64 = 0.8;

/**
 * As `accepts`, for two units that are aligned from end to end. Such an alignment says more than one that a seed led to,
 * so the following are copies as well: units that are equal in most tokens, and units whose names are renamed everywhere
 * and nearly always in the same way.
 */
export function acceptsUnits(first: u32, end: u32, record: Match): bool {
  const isAccepted = accepts(first, end, record);
  const both = <f64>(pair.left.length + pair.right.length);
  const written = <f64>(2 * classifier.equal) / both,
    alike = <f64>(2 * (classifier.equal + classifier.consistent) + classifier.once) / both;
  if (isAccepted && (written >= leastEqualOfUnits || alike >= leastOfRenamed)) return true;
  if (alike < classifier.leastSimilarity) return false;
  const consistent = 2 * <f64>classifier.consistent,
    differing = 2 * <f64>classifier.differing;
  // A name that occurs once is half as much evidence.
  const isRenamed =
    alike >= leastOfRenamed &&
    consistent + <f64>classifier.once >= consistentOfRenamed * both &&
    differing <= differingOfRenamed * both;
  if (!isRenamed && written < equalOfUnits) return false;
  const isThroughout =
    alike >= leastOfThroughout && consistent >= consistentOfRenamed * both && differing <= differingOfThroughout * both;
  const distinctShingles = isThroughout
    ? <u32>(shinglesOfThroughout * <f64>settings.distinctShingles)
    : settings.distinctShingles;
  const asked = classifier.longest < classifier.leastTokens << 1 ? distinctShingles : distinctShingles >> 2;
  if (!hasDistinctShingles(first, end, written, asked)) return false;
  writeCounts(record);
  return true;
}

/** Counts the columns of runs [first, end). Returns true if the current passages are at least as similar as required. */
function isSimilar(first: u32, end: u32, least: f64): bool {
  if (pair.renaming) countNames(lists.otherRuns, first, end);
  let equal: u32 = 0,
    consistent: u32 = 0,
    once: u32 = 0,
    longest: u32 = 0,
    identifiers: u32 = 0,
    otherIdentifiers: u32 = 0,
    column: u32 = 0;
  for (let r = first; r < end; r++) {
    const run = itemOf<Run>(lists.otherRuns, r);
    const a = run.a,
      b = run.b,
      length = run.length;
    let before = equal;
    if (pair.renaming) identifiers += countIdentifiers(a, length);
    const x = pair.left.at(a),
      y = pair.right.at(b);
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
    }
    longest = max(longest, equal - before);
  }
  classifier.equal = equal;
  classifier.consistent = consistent;
  classifier.once = once;
  classifier.differing = column - consistent - once;
  classifier.longest = longest;
  classifier.identifiers = identifiers;
  classifier.otherIdentifiers = otherIdentifiers;
  return <f64>(2 * (equal + consistent) + once) >= least * <f64>(pair.left.length + pair.right.length);
}

function writeCounts(record: Match): void {
  record.equal = classifier.equal;
  record.consistent = classifier.consistent;
  record.once = classifier.once;
  record.differing = classifier.differing;
  record.longest = classifier.longest;
}

/** Returns true if a token is an identifier, called or not. Literals differ between copies more often. */
@inline function isIdentifier(token: u32): bool {
  const kind = token & kindMask;
  return kind == <u32>identifierKind || kind == <u32>callKind;
}

/** Returns the number of identifiers in `length` tokens of the left document. Reads up to three more tokens. */
function countIdentifiers(from: u32, length: u32): u32 {
  const tokens = pair.left.at(from);
  let count: u32 = 0;
  for (let i: u32 = 0; i < length; i += 4) {
    const kinds = v128.and(v128.load(tokens + ((<usize>i) << 2)), i32x4.splat(kindMask));
    const identifiers = v128.or(i32x4.eq(kinds, i32x4.splat(identifierKind)), i32x4.eq(kinds, i32x4.splat(callKind)));
    const counted = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(length - i));
    count += popcnt<i32>(i32x4.bitmask(v128.and(identifiers, counted)));
  }
  return count;
}

/** Evenness of a match with an inserted block on one side: less than 1, since it is not an exact copy. */
const evennessOfFrame: f64 = 0.95;
/**
 * Minimum number of equal tokens before and after the block: two or three lines, which rarely occur together by chance.
 */
const leastOfFrame: u32 = 16;
/** Minimum share of the shorter passage that is equal as written. */
const leastEqualOfFrame: f64 = 0.97;

/**
 * Returns true if runs [first, end) consist of two pieces with an inserted block between them on one side. A longer
 * block reduces the equal share and the evenness although the copy is just as good. The decision therefore depends only
 * on the pieces: the shorter passage must be equal as written from end to end.
 */
function hasBlockPutIn(first: u32, end: u32, equal: u32): bool {
  if (end - first != 2) return false;
  if (<f64>equal < leastEqualOfFrame * <f64>min(pair.left.length, pair.right.length)) return false;
  for (let r = first; r < end; r++) {
    if (itemOf<Run>(lists.otherRuns, r).length < leastOfFrame) return false;
  }
  return true;
}

/** Returns true if the current passages have enough tokens. */
export function largeEnough(): bool {
  return min(pair.left.length, pair.right.length) >= classifier.leastTokens;
}

/** As `accepts`, for passages of prose by their shared words in any order, which count as equal. */
export function acceptsInAnyOrder(record: Match): bool {
  if (!largeEnough()) return false;
  const least = max(classifier.leastSimilarity, leastInAnyOrder);
  const shared = sharedInAnyOrder(least);
  if (<f64>shared < least * <f64>(pair.left.length + pair.right.length)) return false;
  record.equal = shared >> 1;
  record.consistent = 0;
  record.once = 0;
  record.differing = 0;
  record.longest = 0;
  return true;
}

@inline function setFeature(i: usize, value: f64): void {
  store<f64>(classifier.features + (i << 3), value);
}

/**
 * Returns true if the features reach `least` in `score`. The shared vocabulary is expensive and is counted only if it
 * matters: with the other features known, the score is a parabola of it, whose extremes between 0 and 1 are the bounds.
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

/** Upper limit of a score's rounding error: its terms are below 1000. */
const rounding: f64 = 1e-6;

/** A quadratic form of the features: a weight for each pair, ordered by the first feature. */
function score(): f64 {
  setFeature(0, 1);
  let sum: f64 = classifier.isGiven ? -settings.givenCost : 0;
  let weight = settings.scoreWeights;
  for (let i: usize = 0; i < <usize>featureCount; i++) {
    for (let j = i; j < <usize>featureCount; j++) {
      sum += load<f64>(weight) * load<f64>(classifier.features + (i << 3)) * load<f64>(classifier.features + (j << 3));
      weight += 8;
    }
  }
  return sum;
}

/**
 * Returns the share, 0 to 1, of the vocabulary of the passage with fewer words that is also in the other: weighted
 * containment (Broder 1997, section 2) of their distinct names and literals, by inverse document frequency. A copy
 * shares rare words with its original; look-alikes share common words.
 */
function sharedVocabulary(): f64 {
  openTable(pair.left.length + pair.right.length);
  let inA: u32 = 0,
    inB: u32 = 0,
    inBoth: u32 = 0;
  for (let i = pair.left.start; i < pair.left.end; i++) {
    const token = leftToken(i);
    if ((token & kindMask) < <u32>identifierKind) continue;
    const record = slotOf(leftKey(token));
    if (record.value) continue;
    record.value = 1;
    inA += idfOf(token);
  }
  for (let i = pair.right.start; i < pair.right.end; i++) {
    const token = rightToken(i);
    if ((token & kindMask) < <u32>identifierKind) continue;
    const record = slotOf(leftKey(token));
    const seen = record.value;
    if (seen > 1) continue;
    record.value = 2;
    inB += idfOf(token);
    if (seen) inBoth += idfOf(token);
  }
  return <f64>inBoth / <f64>max<u32>(1, min(inA, inB));
}

/**
 * Returns true if the common text is more than one repeated form. Counts the distinct shingles (Broder 1997) of
 * adjacent columns without an inconsistently renamed name. Each counts once with its names abstracted, and once as
 * written if both sides are equal, weighted by the equal share of the match. A list of accessors, cases, or rows has
 * only the shingles of one row; its copy also has those of all its words. Data have no names, so only shingles as
 * written count.
 *
 * @param written  share of the match that is equal as written
 * @param asked    required number of distinct shingles
 */
function hasDistinctShingles(first: u32, end: u32, written: f64, asked: u32): bool {
  const share = written * written * written;
  if (!knowsColumns()) countNames(lists.otherRuns, first, end);
  openTable(pair.left.length << 1);
  const hasNames = anyName(pair.left.start, pair.left.end);
  let forms: u32 = 0,
    wordings: u32 = 0,
    column: u32 = 0;
  for (let r = first; r < end; r++) {
    const run = itemOf<Run>(lists.otherRuns, r);
    const a = run.a,
      b = run.b,
      length = run.length;
    let form: u64 = 0,
      wording: u64 = 0;
    // Last column with an inconsistent name, and last column with a name that is not equal.
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
          // This reuses the table. Each part of such a long alignment is measured separately.
          countNextPart();
          openTable(pair.left.length << 1);
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

/** Returns true if the left passage has a name. */
function anyName(from: u32, to: u32): bool {
  for (let i = from; i < to; i++) if (isName(leftToken(i))) return true;
  return false;
}

/** Tokens of a shingle: as many short hashes as fit into 64 bits. */
const tokensOfShingle: u32 = 4;

@inline function shortHash(token: u32): u64 {
  return (token * golden32) >> 16;
}

/** Adds a key to the table. Returns false if it already exists. */
function isNew(key: u64): bool {
  const record = slotOf(key);
  if (record.value) return false;
  record.value = 1;
  return true;
}

@inline function idfOf(token: u32): u32 {
  return <u32>load<u8>(settings.idfTable + idfSlot(token, pair.languageHash));
}
