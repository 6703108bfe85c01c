// Finds lines that functions have in common although no window of both is alike. A function that was ported to another
// language has other keywords, types, and signs, but most names and literals are the same, in the same order. So four
// consecutive words are a phrase, whatever is between them and whatever their kinds. A function that was adapted with
// many edits shares several short runs with its original. So twelve consecutive tokens are a pattern; names and
// literals in it count only by their kind. Each line is represented by the phrase or pattern with the smallest hash
// among those that begin on it (Broder 1997).
// scripts/build.mjs derives phrasesLayout.ts from this file.
import { kindBits } from '../lex/lexed';
import { Document } from '../documents/document';
import { abstractToken, isName, mix64 } from '../documents/fingerprint';
import { golden64 } from '../documents/hashFactors';
import { separator } from '../documents/separators';
import { addressAt, bytesOf, itemOf, setItem } from '../records';
import { unitOnly } from './seed';

/** Maximum number of lines with the same phrase or pattern that are linked. One of more lines is an idiom. */
export const maxLinesOfPhrase: u32 = 8;
/**
 * Number of zero bits at the end of a phrase, which is a hash of 40 bits. It is this short because the index of many
 * repositories stores it. Of 100 million lines, fewer than 10,000 pairs have the same hash by chance.
 */
export const phraseShift: u32 = 24;

/** Size in bytes of a filter, and number of bits in it minus one. */
export const phraseFilterBytes: u32 = 1 << 18;
const filterMask: u64 = ((<u64>phraseFilterBytes) << 3) - 1;

/** The lines of all documents that have a phrase or a pattern. */
@unmanaged export class PhraseLists {
  /** Address of the table of `Document` records. */
  documents: usize;
  /**
   * Address of a filter, or 0 if lines of all documents are added. It is a bit set of the phrases in other languages
   * than `language`. Lines in this language are added only if the filter has their phrase.
   */
  filter: usize;
  language: u32;
  /** 1 if the lines are represented by their patterns instead of their phrases. */
  hasPatterns: u32;
  /** Addresses of the phrase (u64), number, document, and first token of each line. */
  phrases: usize;
  ids: usize;
  docs: usize;
  positions: usize;
  /** Number of lines in the lists. */
  count: u32;
}

/**
 * Writes the phrase (u64) of each window of a document of code, or 0 if no phrase begins in it.
 *
 * @param windows  address of the first token of each window; the tokens are ascending, `stride` bytes apart
 */
export function writePhrases(
  tokens: usize,
  count: u32,
  windows: usize,
  stride: u32,
  windowCount: u32,
  out: usize,
): void {
  memory.fill(out, 0, bytesOf<u64>(windowCount));
  // The last three words, where they are, and how many of them are in the same text.
  let first: u64 = 0,
    second: u64 = 0,
    third: u64 = 0;
  let firstAt: u32 = 0,
    secondAt: u32 = 0,
    thirdAt: u32 = 0,
    wordsBefore: u32 = 0;
  let window: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const token = itemOf<u32>(tokens, i);
    if (!isName(token)) {
      if (token == separator) wordsBefore = 0;
      continue;
    }
    const word = <u64>(token >> (<u32>kindBits));
    if (wordsBefore < 3) wordsBefore++;
    else {
      window = windowFrom(windows, stride, windowCount, window, firstAt);
      keepLeastPhrase(out, window, ((first * golden64 + second) * golden64 + third) * golden64 + word);
    }
    first = second;
    second = third;
    third = word;
    firstAt = secondAt;
    secondAt = thirdAt;
    thirdAt = i;
  }
}

/**
 * Number of tokens of a pattern. Of forty functions that were adapted by hand, those that windows miss are found with
 * 12 and 14 tokens, but not all with 10 (too many lines have the same pattern) or 16. See
 * bench/results/2026-12-01-unit-candidates.md.
 */
const patternLength: u32 = 12;

/** Writes the pattern (u64) of each window of a document of code. Parameters are as for `writePhrases`. */
export function writePatterns(
  tokens: usize,
  count: u32,
  windows: usize,
  stride: u32,
  windowCount: u32,
  out: usize,
): void {
  memory.fill(out, 0, bytesOf<u64>(windowCount));
  let leading: u64 = 1;
  for (let i: u32 = 1; i < patternLength; i++) leading *= golden64;
  let sum: u64 = 0;
  let window: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    sum = sum * golden64 + valueAt(tokens, i);
    if (i + 1 < patternLength) continue;
    const first = i + 1 - patternLength;
    window = windowFrom(windows, stride, windowCount, window, first);
    keepLeastPhrase(out, window, sum);
    sum -= leading * valueAt(tokens, first);
  }
}

@inline function valueAt(tokens: usize, i: u32): u64 {
  return mix64(<u64>abstractToken(itemOf<u32>(tokens, i)));
}

/** Returns the window in which a token lies. It is `window` or a later one. */
@inline function windowFrom(windows: usize, stride: u32, windowCount: u32, window: u32, token: u32): u32 {
  while (window + 1 < windowCount && firstOf(windows, stride, window + 1) <= token) window++;
  return window;
}

/** Sets the phrase of a window, given the sum that it is a hash of, unless the window has a smaller one. */
@inline function keepLeastPhrase(out: usize, window: u32, sum: u64): void {
  // A phrase is never 0.
  const phrase = ((mix64(sum) >> (<u64>phraseShift)) | 1) << (<u64>phraseShift);
  const minPhrase = itemOf<u64>(out, window);
  if (!minPhrase || phrase < minPhrase) setItem<u64>(out, window, phrase);
}

@inline function firstOf(windows: usize, stride: u32, window: u32): u32 {
  return load<u32>(windows + <usize>window * <usize>stride);
}

/** Returns true if lines of a document are searched by phrases or patterns, which only lead to compared units. */
@inline function hasPhrases(document: Document): bool {
  return !document.isProse && document.unitCount != 0 && document.windowCount != 0;
}

/** Adds the phrases of documents [from, to) to the filter, except for those in the main language. */
export function markPhrases(lists: PhraseLists, from: u32, to: u32): void {
  for (let d = from; d < to; d++) {
    const document = itemOf<Document>(lists.documents, d);
    if (hasPhrases(document) && document.familyHash != lists.language) markPhrasesOf(lists, document);
  }
}

function markPhrasesOf(lists: PhraseLists, document: Document): void {
  // The list of phrases is still empty.
  const phrases = lists.phrases;
  writePhrasesOf(document, phrases);
  for (let w: u32 = 0; w < document.windowCount; w++) {
    const bit = filterBit(itemOf<u64>(phrases, w));
    const word = addressAt<u32>(lists.filter, bit >> 5);
    store<u32>(word, load<u32>(word) | ((<u32>1) << (bit & 31)));
  }
}

/** Adds the lines of documents [from, to) to the lists. */
export function gatherPhrases(lists: PhraseLists, from: u32, to: u32): void {
  for (let d = from; d < to; d++) {
    const document = itemOf<Document>(lists.documents, d);
    if (hasPhrases(document)) gatherPhrasesOf(lists, document, d);
  }
}

function gatherPhrasesOf(lists: PhraseLists, document: Document, d: u32): void {
  const filter = document.familyHash == lists.language ? lists.filter : 0;
  let n = lists.count;
  const phrases = addressAt<u64>(lists.phrases, n);
  if (lists.hasPatterns) writePatternsOf(document, phrases);
  else writePhrasesOf(document, phrases);
  for (let w: u32 = 0; w < document.windowCount; w++) {
    const phrase = itemOf<u64>(phrases, w);
    if (!phrase || (filter && !hasBit(filter, filterBit(phrase)))) continue;
    setItem<u64>(lists.phrases, n, phrase);
    setItem<u32>(lists.ids, n, n);
    setItem<u32>(lists.docs, n, d);
    setItem<u32>(lists.positions, n, firstOf(document.windows, document.stride, w));
    n++;
  }
  lists.count = n;
}

@inline function writePhrasesOf(document: Document, out: usize): void {
  writePhrases(document.tokens, document.tokenCount, document.windows, document.stride, document.windowCount, out);
}

@inline function writePatternsOf(document: Document, out: usize): void {
  writePatterns(document.tokens, document.tokenCount, document.windows, document.stride, document.windowCount, out);
}

/** Returns the number of a phrase's bit. The last bit of the hash is always set, and the first ones are mostly 0. */
@inline function filterBit(phrase: u64): u32 {
  return <u32>((phrase >> (<u64>phraseShift + 1)) & filterMask);
}

@inline function hasBit(filter: usize, bit: u32): bool {
  return ((itemOf<u32>(filter, bit >> 5) >> (bit & 31)) & 1) != 0;
}

/**
 * Links the lines [first, end), which have the same phrase or pattern, unless there are too many. Precondition: they
 * are sorted by document and position. Links all pairs of lines with the same pattern, but of those with the same
 * phrase only the lines in different languages.
 *
 * @param windows    has the methods documentOf(i) and link(i, j, bits)
 * @param documents  address of the table of `Document` records, or 0 if the lines have the same pattern
 */
@inline export function linkPhrases<Windows>(windows: Windows, first: u32, end: u32, documents: usize): void {
  if (end - first > maxLinesOfPhrase) return;
  for (let b = first + 1; b < end; b++) {
    const language = documents ? languageOf(documents, windows.documentOf(b)) : 0;
    for (let a = first; a < b; a++) {
      if (!documents || languageOf(documents, windows.documentOf(a)) != language) windows.link(a, b, unitOnly);
    }
  }
}

/** Returns the hash of the language family of a document. */
@inline export function languageOf(documents: usize, document: u32): u32 {
  return itemOf<Document>(documents, document).familyHash;
}
