// Decides if an alignment is a match that is worth showing.
import { callKind, identifierKind, kindMask } from '../lex/lexed';
import { Match } from './matchRecord';
import { Features } from './features';
import { reserve } from './matchScratch';
import { settings } from './settings';
import { leftToken, pair, rightToken } from './documentPair';
import { abstractToken, isName, mix64 } from '../documents/fingerprint';
import { isOneText } from './oneText';
import { idfSlot, stepsPerBit } from './idf';
import {
  columnAgreement,
  countNames,
  countNextPart,
  isCounted,
  KeyTable,
  lanesOf,
  leftKey,
  Names,
  nextDifference,
  openTable,
} from './renaming';
import { extraOfReworded, minInAnyOrder, manyWords, sharedInAnyOrder, sharedWords } from './reordered';
import { lists, Run } from './runs';
import { golden32 } from '../documents/hashFactors';
import { addressAt, itemOf, newRecord, recordBytes } from '../records';

/** Requirements for matches of the current pair of documents, and data of the alignment that is being judged. */
@unmanaged class Classifier {
  minSimilarity: f64;
  /** Bounds of the score of the alignment. Both are the score once the shared vocabulary was counted. */
  minScore: f64;
  maxScore: f64;
  features: Features;
  /** The names of the alignment, which `isSimilar` counts. */
  names: Names;
  minTokens: u32;
  /**
   * Results of `isSimilar`. `equal` to `longest` are as in a match record. `identifiers` and `otherIdentifiers` are the
   * numbers of aligned pairs of identifiers, and of those pairs in which the identifiers differ.
   */
  equal: u32;
  consistent: u32;
  once: u32;
  differing: u32;
  longest: u32;
  identifiers: u32;
  otherIdentifiers: u32;
  /** Result of `sharedVocabulary`: sum of the inverse document frequencies of the words that both passages contain. */
  sharedIdf: u32;
  /** True if the shared vocabulary of the alignment was counted. */
  knowsVocabulary: bool;
  /** True if no seed connects the two passages. */
  isGiven: bool;
}

export let classifier = changetype<Classifier>(0);

/**
 * Maximum of the logarithm of the length in the score, which is about 600 tokens. Longer matches are treated as if they
 * had this length, because the training data have none.
 */
const maxLength: f64 = 2.5;

const scratchAt = reserve(recordBytes<Classifier>() + recordBytes<Features>());

export function placeClassifier(scratch: usize): void {
  const address = scratch + scratchAt;
  classifier = newRecord<Classifier>(address);
  classifier.features = newRecord<Features>(address + recordBytes<Classifier>());
  classifier.features.one = 1;
}

/** Values of `isGiven`. */
export const foundBySeeds: bool = false;
export const givenByCaller: bool = true;

/**
 * Selects the requirements for the kind of the current documents.
 *
 * @param isGiven  true if no seed connects the passages
 */
export function openClassifier(isGiven: bool): void {
  classifier.isGiven = isGiven;
  classifier.minTokens = pair.renaming ? settings.codeTokens : settings.proseTokens;
  classifier.minSimilarity = pair.renaming ? settings.codeSimilarity : settings.proseSimilarity;
}

/**
 * Returns true if an alignment is a match worth showing. It consists of the runs [first, end) in the current passages.
 * It must be long enough and similar enough. In code, it must also have enough distinct shingles, and the classifier
 * must accept it. Writes the counts of the alignment to the record.
 */
export function accepts(first: u32, end: u32, record: Match): bool {
  return acceptsFrom(first, end, record, settings.requiredScore);
}

/**
 * Same as `accepts`, for passages that were widened to the blocks around them. Their score must not be negative, even
 * if other passages may have any score: the function that was copied would raise the similarity of a class that has
 * little else in common with the other one.
 */
export function acceptsWidened(first: u32, end: u32, record: Match): bool {
  return acceptsFrom(first, end, record, 0);
}

/** Same as `accepts`, with the minimum of the classifier's score. */
@inline function acceptsFrom(first: u32, end: u32, record: Match, requiredScore: f64): bool {
  return (
    largeEnough() &&
    isSimilar(first, end, classifier.minSimilarity) &&
    acceptsSimilar(first, end, record, requiredScore)
  );
}

/**
 * Returns true if an alignment that is long and similar enough meets the other requirements of `accepts`. Precondition:
 * `isSimilar` was called.
 *
 * @param requiredScore  minimum score of the classifier
 */
function acceptsSimilar(first: u32, end: u32, record: Match, requiredScore: f64): bool {
  const both: u32 = pair.left.length + pair.right.length;
  if (pair.renaming) {
    const tokens = <f64>both / 2;
    const features = classifier.features;
    features.consistent = <f64>classifier.consistent / tokens;
    features.once = <f64>classifier.once / tokens;
    features.differing = <f64>classifier.differing / tokens;
    const shorter = <f64>min(pair.left.length, pair.right.length);
    // If a block was inserted into one of the copies, judge the match without that block.
    const measured = hasBlockPutIn(first, end, classifier.equal) ? shorter : tokens;
    const aligned = classifier.equal + classifier.consistent + classifier.once + classifier.differing;
    features.equal = <f64>classifier.equal / measured;
    features.gaps = 1 - <f64>aligned / measured;
    features.evenness = measured == tokens ? tokens / <f64>max(pair.left.length, pair.right.length) : evennessOfFrame;
    features.length = NativeMath.min(maxLength, NativeMath.log(tokens / 50));
    features.sameDocument = pair.sameDocument ? 1 : 0;
    features.longest = <f64>min<u32>(classifier.longest, 60) / 60;
    features.identifiers = classifier.identifiers
      ? 1 - <f64>classifier.otherIdentifiers / <f64>classifier.identifiers
      : 0.5;
    // If all tokens of both passages are identical, they are copies regardless of other features.
    if (classifier.equal << 1 != both) {
      boundScore();
      if (!reachesScore(requiredScore) || hasOnlyCommonWords()) return false;
    }
    if (!hasDistinctShingles(first, end, <f64>classifier.equal / tokens, minShingles(1))) return false;
  } else if (!isOneText(first, end, classifier.minSimilarity)) {
    return false;
  }
  writeCounts(record);
  return true;
}

/**
 * Returns the required number of distinct shingles. A long passage of identical text is a copy even if it looks like a
 * listing, unless it only repeats a single row.
 *
 * @param share  multiple of the usual number
 */
function minShingles(share: f64): u32 {
  const shingles = <u32>(share * <f64>settings.distinctShingles);
  return classifier.longest < classifier.minTokens << 1 ? shingles : shingles >> 2;
}

/**
 * Minimum information, in bits, of the words that passages of different files share. Of nine accepted units with fewer
 * than 32 bits, none was a copy; 24 bits lose fewer edited copies (bench/results/2026-11-29-unit-labels.md).
 */
const minBitsOfPassages: u32 = 24;

/**
 * Returns true if the current passages are in different files and share only common words. Such passages have the same
 * form, like the setup of two tests. Passages in which names are replaced share few words even if they are copies.
 * Passages that are compared because both match a third one do not need to share words, and nor do any if the options
 * allow negative scores.
 */
function hasOnlyCommonWords(): bool {
  if (pair.sameDocument || classifier.isGiven || settings.requiredScore < 0) return false;
  return !replacesNames() && !sharesBits(minBitsOfPassages);
}

/**
 * Returns true if names are replaced in enough aligned pairs. A name that occurs only once is half as much evidence as
 * one that is replaced consistently.
 */
function replacesNames(): bool {
  const both = <f64>(pair.left.length + pair.right.length);
  return <f64>(2 * classifier.consistent + classifier.once) >= consistentOfRenamed * both;
}

/** Returns true if the words that the current passages share have at least this much information, in bits. */
function sharesBits(bits: u32): bool {
  countVocabulary();
  return classifier.sharedIdf >= bits * <u32>stepsPerBit;
}

/**
 * Minimum similarity of two passages after they were extended to whole blocks. Two human judges considered 95% of the
 * pairs with a similarity from .7 to .8 to be clones, but only 81% of those from .6 to .7 (1,999 pairs of the artifact
 * of Saini, Farmahinifarahani, Lu, Baldi, Lopes 2018).
 */
export const minOfCompleted: f64 = 0.7;
/**
 * Minimum similarity of two passages after they were extended to whole indented blocks, if they cannot be cut to blocks
 * instead. At .70, functions that have only their first half in common are lost. At .60, the estimated precision of
 * pairs in Python is up to .008 lower: see bench/results/2026-11-26-edges.md.
 */
export const minOfUncut: f64 = 0.65;

/**
 * Same as `accepts`, for a match that was accepted before its passages were extended to whole blocks. Only similarity
 * decides if they are still copies.
 *
 * @param minSimilarity  minimum similarity
 */
export function acceptsCompleted(first: u32, end: u32, record: Match, minSimilarity: f64): bool {
  if (!isSimilar(first, end, max(classifier.minSimilarity, minSimilarity))) return false;
  writeCounts(record);
  return true;
}

/**
 * Thresholds for two units, as the share of their tokens that are identical. At or above the first threshold, the units
 * are copies regardless of other features. Below the second threshold, they are copies only if their names were
 * replaced consistently. The two judges considered 94% of the units with a share of at least .8 to be clones
 * (estimated from 1,999 pairs). At .60, no more copies are found than at .62: see bench/results/2026-11-27-adapted.md.
 */
const equalOfUnits: f64 = 0.8;
export const minEqualOfUnits: f64 = 0.62;
/**
 * Requirements for units with replaced names: minimum similarity, minimum share of aligned pairs in which a name is
 * replaced consistently, and maximum share of pairs in which it is replaced inconsistently.
 */
export const minOfRenamed: f64 = 0.78;
const consistentOfRenamed: f64 = 0.15;
const differingOfRenamed: f64 = 0.05;
/**
 * The same requirements for units in which nearly all names are replaced, and the share of the usual distinct shingles
 * that they need. Units that merely look alike rarely replace each name by the same name everywhere. With .6 of the
 * shingles, classes of forwarding methods would pass.
 */
const minOfThroughout: f64 = 0.88;
const differingOfThroughout: f64 = 0.01;
const shinglesOfThroughout: f64 = 0.8;

/**
 * Minimum score of two units. The classifier was trained on alignments around seeds, which may end in the middle of a
 * function. With a lower minimum, more of the additional groups are noise: see bench/results/2026-11-28-acceptance.md.
 */
const minScoreOfUnits: f64 = -0.6;
/**
 * Minimum information, in bits, of the words that two units with a negative score share if they are in different files.
 * Units that merely look alike share common words only, for example the calls that every test makes. It does not apply
 * if the options allow such a score for any passages.
 */
const minSharedBits: u32 = 32;
/**
 * Requirements for units of which one contains most words of the other: share of identical tokens, share of these
 * words, their information in bits, and distinct shingles compared with other units. An example is a function to which
 * statements were added. See bench/results/2026-11-29-unit-labels.md.
 */
const minEqualOfContained: f64 = 0.65;
const minContainedWords: f64 = 0.7;
const minContainedBits: u32 = 50;
const shinglesOfContained: f64 = 1.25;

/**
 * Same as `accepts`, for two units that are aligned from end to end. Such an alignment is stronger evidence than one
 * around a seed. So the score of units may be negative. Units are also accepted if most of their tokens are identical,
 * if names are replaced everywhere and nearly always in the same way, or if one contains most words of the other.
 */
export function acceptsUnits(first: u32, end: u32, record: Match): bool {
  if (!isSimilar(first, end, classifier.minSimilarity)) return false;
  const both = <f64>(pair.left.length + pair.right.length);
  const written = <f64>(2 * classifier.equal) / both,
    alike = <f64>(2 * (classifier.equal + classifier.consistent) + classifier.once) / both;
  if (written < minEqualOfUnits && alike < minOfRenamed) return false;
  const requiredScore = min(settings.requiredScore, minScoreOfUnits);
  if (acceptsSimilar(first, end, record, requiredScore) && (pair.sameDocument || sharesWords(written))) return true;
  const consistent = 2 * <f64>classifier.consistent,
    differing = 2 * <f64>classifier.differing;
  const isRenamed = alike >= minOfRenamed && replacesNames() && differing <= differingOfRenamed * both;
  let shingles: f64 = 1;
  if (!isRenamed && written < equalOfUnits) {
    if (written < minEqualOfContained || !sharesBits(minContainedBits)) return false;
    if (classifier.features.vocabulary < minContainedWords) return false;
    shingles = shinglesOfContained;
  } else if (
    alike >= minOfThroughout &&
    consistent >= consistentOfRenamed * both &&
    differing <= differingOfThroughout * both
  ) {
    shingles = shinglesOfThroughout;
  }
  if (!hasDistinctShingles(first, end, written, minShingles(shingles))) return false;
  writeCounts(record);
  return true;
}

/**
 * Minimum information, in bits, of the words that a function shares with one in another language to which it was
 * ported. See bench/results/2026-11-30-ported-functions.md.
 */
const minBitsOfPorted: u32 = 60;

/**
 * Same as `acceptsUnits`, for two units in different languages that have most of their words in common, in the same
 * order. Keywords, types, and signs depend on the language, so neither the score nor the number of distinct shingles
 * matters.
 */
export function acceptsPorted(first: u32, end: u32, record: Match): bool {
  if (!isSimilar(first, end, classifier.minSimilarity)) return false;
  classifier.knowsVocabulary = false;
  if (!sharesBits(minBitsOfPorted)) return false;
  writeCounts(record);
  return true;
}

/**
 * Returns true if the score of the alignment is high enough for any alignment, or if its passages have enough words in
 * common.
 *
 * @param written  share of identical tokens
 */
function sharesWords(written: f64): bool {
  return written == 1 || reachesScore(settings.requiredScore) || sharesBits(minSharedBits);
}

/**
 * Counts the aligned pairs of the runs [first, end) by their relation. Returns true if the current passages reach the
 * minimum similarity.
 */
function isSimilar(first: u32, end: u32, minSimilarity: f64): bool {
  const names = countNames(lists.otherRuns, first, end);
  classifier.names = names;
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
      const agrees = columnAgreement(names, column++);
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
  return <f64>(2 * (equal + consistent) + once) >= minSimilarity * <f64>(pair.left.length + pair.right.length);
}

function writeCounts(record: Match): void {
  record.equal = classifier.equal;
  record.consistent = classifier.consistent;
  record.once = classifier.once;
  record.differing = classifier.differing;
  record.longest = classifier.longest;
}

/**
 * Returns true if a token is an identifier, including names of called functions. Literals do not count, because copies
 * often change them.
 */
@inline function isIdentifier(token: u32): bool {
  const kind = token & kindMask;
  return kind == <u32>identifierKind || kind == <u32>callKind;
}

/**
 * Returns the number of identifiers in `length` tokens of the left document. May read up to three tokens after them.
 */
function countIdentifiers(from: u32, length: u32): u32 {
  const tokens = pair.left.at(from);
  let count: u32 = 0;
  for (let i: u32 = 0; i < length; i += 4) {
    const kinds = v128.and(v128.load(addressAt<u32>(tokens, i)), i32x4.splat(kindMask));
    const identifiers = v128.or(i32x4.eq(kinds, i32x4.splat(identifierKind)), i32x4.eq(kinds, i32x4.splat(callKind)));
    const counted = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(length - i));
    count += popcnt<i32>(i32x4.bitmask(v128.and(identifiers, counted)));
  }
  return count;
}

/**
 * Value of the feature `evenness` if a block was inserted on one side. It is less than 1, because the match is not an
 * exact copy.
 */
const evennessOfFrame: f64 = 0.95;
/**
 * Minimum number of identical tokens before and after an inserted block. That is two or three lines, which two texts
 * rarely share by chance.
 */
const minOfFrame: u32 = 16;
/** Minimum share of identical tokens in the passage without the inserted block. */
const minEqualOfFrame: f64 = 0.97;

/**
 * Returns true if a block was inserted into one of the copies: the alignment of the runs [first, end) has two pieces
 * with extra tokens between them on only one side, and the other side consists of identical tokens. A long block would
 * lower the share of identical tokens and the evenness, although the copy is just as good.
 */
function hasBlockPutIn(first: u32, end: u32, equal: u32): bool {
  if (end - first != 2) return false;
  if (<f64>equal < minEqualOfFrame * <f64>min(pair.left.length, pair.right.length)) return false;
  for (let r = first; r < end; r++) {
    if (itemOf<Run>(lists.otherRuns, r).length < minOfFrame) return false;
  }
  return true;
}

/** Returns true if the current passages have enough tokens. */
export function largeEnough(): bool {
  return min(pair.left.length, pair.right.length) >= classifier.minTokens;
}

/**
 * Same as `accepts`, for passages of prose that have words in common in any order. Each common word counts as
 * identical.
 */
export function acceptsInAnyOrder(record: Match): bool {
  if (!largeEnough()) return false;
  const minSimilarity = max(classifier.minSimilarity, minInAnyOrder);
  const shared = sharedInAnyOrder(minSimilarity);
  if (<f64>shared < minSimilarity * <f64>(pair.left.length + pair.right.length)) return false;
  writeShared(record, shared);
  return true;
}

/** Same as `acceptsInAnyOrder`, for whole paragraphs. These must share single words instead of sequences of words. */
export function acceptsReworded(record: Match): bool {
  if (!largeEnough()) return false;
  const minSimilarity = classifier.minSimilarity;
  let shared = wordsOfReworded(minSimilarity, manyWords);
  if (!shared) shared = wordsOfReworded(min(1, minSimilarity + extraOfReworded), classifier.minTokens >> 1);
  if (!shared) return false;
  writeShared(record, shared);
  return true;
}

/** Returns the result of `sharedWords`, or 0 if it is less than the share `minSimilarity` of all words. */
function wordsOfReworded(minSimilarity: f64, distinct: u32): u32 {
  const shared = sharedWords(minSimilarity, distinct);
  return <f64>shared < minSimilarity * <f64>(pair.left.length + pair.right.length) ? 0 : shared;
}

/** @param shared  number of shared words, on both sides */
function writeShared(record: Match, shared: u32): void {
  record.equal = shared >> 1;
  record.consistent = 0;
  record.once = 0;
  record.differing = 0;
  record.longest = 0;
}

/**
 * Determines bounds of the score of the features. Counting the shared vocabulary is expensive, so it is left to
 * `reachesScore`. As a function of the vocabulary, the score is a parabola, whose extremes between 0 and 1 are the
 * bounds.
 */
function boundScore(): void {
  classifier.features.vocabulary = 0;
  const none = score();
  classifier.features.vocabulary = 1;
  const all = score();
  classifier.features.vocabulary = 0.5;
  const half = score();
  // none + linear × x + square × x²
  const square = 2 * (none + all) - 4 * half;
  const linear = all - none - square;
  const turn = square == 0 ? 0 : NativeMath.min(1, NativeMath.max(0, -linear / (2 * square)));
  const between = none + turn * (linear + turn * square);
  classifier.minScore = min(min(none, all), between) - rounding;
  classifier.maxScore = max(max(none, all), between) + rounding;
  classifier.knowsVocabulary = false;
}

/**
 * Returns true if the score is at least `requiredScore`. Counts the shared vocabulary if the bounds do not decide this.
 */
function reachesScore(requiredScore: f64): bool {
  if (classifier.maxScore < requiredScore) return false;
  if (classifier.minScore > requiredScore) return true;
  countVocabulary();
  return classifier.minScore >= requiredScore;
}

/** Counts the shared vocabulary, and determines the score. Does nothing if this was done for the current alignment. */
function countVocabulary(): void {
  if (classifier.knowsVocabulary) return;
  classifier.features.vocabulary = sharedVocabulary();
  classifier.knowsVocabulary = true;
  classifier.minScore = classifier.maxScore = score();
}

/** Upper limit of the rounding error of a score. Each term is below 1000. */
const rounding: f64 = 1e-6;

/**
 * Returns the score, which is a quadratic form of the features. Each pair of features has a weight; weights are ordered
 * by the first feature.
 */
function score(): f64 {
  const features = changetype<usize>(classifier.features);
  const end = features + offsetof<Features>();
  let sum: f64 = classifier.isGiven ? -settings.givenCost : 0;
  let weight = settings.scoreWeights;
  for (let x = features; x < end; x += sizeof<f64>()) {
    for (let y = x; y < end; y += sizeof<f64>()) {
      sum += load<f64>(weight) * load<f64>(x) * load<f64>(y);
      weight += sizeof<f64>();
    }
  }
  return sum;
}

/**
 * Returns the share, 0 to 1, of the words of one passage that the other passage also contains. The passage with fewer
 * distinct words is used. It is the containment (Broder 1997, section 2) of distinct names and literals, weighted by
 * inverse document frequency. A copy shares rare words with its original; passages that merely look alike share common
 * words.
 */
function sharedVocabulary(): f64 {
  const left = pair.left,
    right = pair.right;
  const table = openTable((left.length + right.length) >> 1);
  let inA: u32 = 0,
    inB: u32 = 0,
    inBoth: u32 = 0;
  for (let i = left.start, end = left.end; i < end; i += 4) {
    for (let words = wordsOfFour(left.at(i), end - i); words; words &= words - 1) {
      const token = left.token(i + ctz(words));
      const record = table.slotOf(leftKey(token));
      if (record.value) continue;
      record.value = 1;
      inA += idfOf(token);
    }
  }
  for (let i = right.start, end = right.end; i < end; i += 4) {
    for (let words = wordsOfFour(right.at(i), end - i); words; words &= words - 1) {
      const token = right.token(i + ctz(words));
      const record = table.slotOf(leftKey(token));
      const seen = record.value;
      if (seen > 1) continue;
      record.value = 2;
      const idf = idfOf(token);
      inB += idf;
      if (seen) inBoth += idf;
    }
  }
  classifier.sharedIdf = inBoth;
  return <f64>inBoth / <f64>max<u32>(1, min(inA, inB));
}

/** Returns a bit for each of the next `left` tokens, at most four, that is a name or literal. */
@inline function wordsOfFour(tokens: usize, left: u32): u32 {
  const kinds = v128.and(v128.load(tokens), i32x4.splat(kindMask));
  return <u32>(i32x4.bitmask(i32x4.ge_u(kinds, i32x4.splat(identifierKind))) & lanesOf(left));
}

/**
 * Returns true if the text that the passages share has enough variety. Counts the distinct shingles (Broder 1997) of
 * adjacent aligned pairs without inconsistently renamed names. Each shingle counts once in its abstracted form, in
 * which names count only by kind. If its tokens are identical on both sides, it also counts in its written form,
 * weighted by the share of identical tokens in the match. A list of accessors, cases, or rows has few distinct
 * abstracted shingles, but its copies share all written ones. Data has no names, so only written shingles count there.
 *
 * @param written      share of identical tokens in the match
 * @param minShingles  required number of distinct shingles
 */
function hasDistinctShingles(first: u32, end: u32, written: f64, minShingles: u32): bool {
  const share = written * written * written;
  const names = classifier.names.isComplete ? classifier.names : countNames(lists.otherRuns, first, end);
  const table = openTable(pair.left.length << 1);
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
    // Number of aligned pairs since the last one with an inconsistently renamed name, and since the last pair that is
    // not identical.
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
        if (!isCounted(names, column)) {
          // Counting the next part reuses the table. In such a long alignment, each part is judged separately.
          countNextPart(names);
          openTable(pair.left.length << 1);
          forms = wordings = 0;
        }
        if (!columnAgreement(names, column++)) alike = 0;
      }
      if (alike < tokensOfShingle) continue;
      if (hasNames && isNew(table, mix64(form) & ~1)) forms++;
      if (equal >= tokensOfShingle && isNew(table, mix64(wording) | 1)) wordings++;
      if (<f64>forms + share * <f64>wordings >= <f64>minShingles) return true;
    }
  }
  return false;
}

/** Returns true if any of the tokens [from, to) of the left passage is a name. */
function anyName(from: u32, to: u32): bool {
  for (let i = from; i < to; i++) if (isName(leftToken(i))) return true;
  return false;
}

/** Number of tokens in a shingle. The short hashes of this many tokens fit in 64 bits. */
const tokensOfShingle: u32 = 4;

@inline function shortHash(token: u32): u64 {
  return (token * golden32) >> 16;
}

/** Adds a key to the table. Returns false if the table already has it. */
function isNew(table: KeyTable, key: u64): bool {
  const record = table.slotOf(key);
  if (record.value) return false;
  record.value = 1;
  return true;
}

@inline function idfOf(token: u32): u32 {
  return <u32>load<u8>(settings.idfTable + idfSlot(token, pair.languageHash));
}
