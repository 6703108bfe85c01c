// Inverse document frequency of tokens: log2 of the number of documents in a language divided by the number with the
// token (Spärck Jones 1972). Documents are counted in a table of slots, to which tokens are hashed. Tokens that share a
// slot seem more common than they are, but never rarer.
import { identifierKind, kindMask } from '../lex/lexed';
import { Document } from '../documents/document';
import { golden32, murmur32 } from '../documents/hashFactors';
import { addressAt, itemOf, setItem } from '../records';

const slotBits: u32 = 20;
const slots: u32 = 1 << slotBits;
const families: u32 = 256;
/** Number of steps per bit in which weights are stored. */
export const stepsPerBit: f64 = 16;
/** Minimum number of documents to assume. In a small workspace, every token would otherwise seem rare. */
const minDocuments: u32 = 256;
/**
 * Weight of a token that is not in the table because it was added later: the weight of a token that occurs in one
 * document of a small workspace.
 */
const idfOfNewToken: u8 = 8 * <u8>stepsPerBit;

/** Returns the slot of a token in documents of a language. */
@inline export function idfSlot(token: u32, languageHash: u32): u32 {
  return ((token ^ (languageHash * murmur32)) * golden32) >> (32 - slotBits);
}

/** Returns the size in bytes of an idf table, which has one byte for each slot. */
export function idfTableBytes(): usize {
  return slots;
}

/**
 * Returns the size in bytes of the scratch memory that `measureIdf` needs: a word for each language; and for each slot,
 * two words and a byte for its language.
 */
export function idfScratchBytes(): usize {
  return countBytes(slots);
}

/**
 * Returns the size in bytes of the counters of `entries` slots. If `entries` is less than the number of all slots, the
 * slot numbers are stored, too.
 */
function countBytes(entries: u32): usize {
  return <usize>families * 4 + <usize>entries * (entries == slots ? 9 : 13);
}

/**
 * Counters of a slot: the number of documents with a token in the slot, and the number + 1 of the last one of these
 * documents.
 */
@unmanaged class Counters {
  having: u32;
  lastDocument: u32;
}

/**
 * Maximum number of tokens for which slots are counted in a small hash table. For ninety small files, clearing and
 * reading the 10 MB of all slots took a fifteenth of the time.
 */
const fewTokens: u32 = 100_000;

/**
 * Fills an idf table.
 *
 * @param documents  address of the table of `Document` records
 * @param counts     `idfScratchBytes()` bytes of scratch memory
 */
export function measureIdf(documents: usize, count: u32, counts: usize, idfTable: usize): void {
  const tokens = countTelling(documents, count);
  let entries = slots;
  if (tokens <= fewTokens) {
    entries = 1024;
    while (entries < tokens + (tokens >> 2)) entries <<= 1;
  }
  memory.fill(counts, 0, countBytes(entries));
  // One call for each document, because V8 replaces its first, slow code only between calls.
  for (let d: u32 = 0; d < count; d++) {
    countInto(changetype<usize>(itemOf<Document>(documents, d)), 1, d, counts, entries);
  }
  writeFrom(counts, entries, idfTable);
}

/** Returns the number of code tokens that are informative. Stops counting when there are more than `fewTokens`. */
function countTelling(documents: usize, count: u32): u32 {
  let telling: u32 = 0;
  for (let d: u32 = 0; d < count && telling <= fewTokens; d++) {
    const document = itemOf<Document>(documents, d);
    if (document.isProse) continue;
    const tokens = document.tokens;
    const end = addressAt<u32>(tokens, document.tokenCount);
    for (let at = tokens; at < end; at += 4) telling += u32((load<u32>(at) & kindMask) >= <u32>identifierKind);
  }
  return telling;
}

/**
 * Counts the documents of one of several tables. The caller must pass the tables in the order of the documents.
 *
 * @param first   number of documents in the previous tables
 * @param counts  `idfScratchBytes()` bytes, which must be 0 before the first table
 */
export function countDocuments(documents: usize, count: u32, first: u32, counts: usize): void {
  countInto(documents, count, first, counts, slots);
}

/** @param entries  number of all slots, or a power of two that is greater than the number of slots that will be used */
function countInto(documents: usize, count: u32, first: u32, counts: usize, entries: u32): void {
  const records = counts + <usize>families * 4;
  const languageHashOf = addressAt<u64>(records, entries);
  for (let d: u32 = 0; d < count; d++) {
    const document = itemOf<Document>(documents, d);
    const tokens = document.tokens;
    const end = addressAt<u32>(tokens, document.tokenCount);
    // Skip prose. Only tokens of code are weighted, and words of prose would fill the slots.
    if (document.isProse) continue;
    const languageHash = document.languageHash;
    const inLanguage = addressAt<u32>(counts, languageHash);
    store<u32>(inLanguage, load<u32>(inLanguage) + 1);
    for (let at = tokens; at < end; at += 4) {
      const token = load<u32>(at);
      // Punctuation, operators, and keywords are not informative.
      if ((token & kindMask) < <u32>identifierKind) continue;
      const slot = idfSlot(token, languageHash);
      const place = entries == slots ? slot : placeOf(slot, languageHashOf + entries, entries - 1);
      const counters = itemOf<Counters>(records, place);
      if (counters.lastDocument == first + d + 1) continue;
      counters.lastDocument = first + d + 1;
      counters.having++;
      store<u8>(languageHashOf + place, <u8>languageHash);
    }
  }
}

/** Returns the index of a slot in a hash table with linear probing. The keys of the table are slot numbers + 1. */
function placeOf(slot: u32, keys: usize, mask: u32): u32 {
  let place = slot & mask;
  let key = itemOf<u32>(keys, place);
  while (key != 0 && key != slot + 1) {
    place = (place + 1) & mask;
    key = itemOf<u32>(keys, place);
  }
  setItem<u32>(keys, place, slot + 1);
  return place;
}

/** Writes an idf table from the counters of `countDocuments`. */
export function writeIdf(counts: usize, idfTable: usize): void {
  writeFrom(counts, slots, idfTable);
}

function writeFrom(counts: usize, entries: u32, idfTable: usize): void {
  const records = counts + <usize>families * 4;
  const languageHashOf = addressAt<u64>(records, entries);
  const keys = languageHashOf + entries;
  memory.fill(idfTable, idfOfNewToken, slots);
  for (let place: u32 = 0; place < entries; place++) {
    const having = itemOf<Counters>(records, place).having;
    if (having == 0) continue;
    const slot = entries == slots ? place : itemOf<u32>(keys, place) - 1;
    const all = max(minDocuments, itemOf<u32>(counts, load<u8>(languageHashOf + place)));
    store<u8>(idfTable + slot, <u8>min<f64>(255, stepsPerBit * NativeMath.log2(<f64>all / <f64>having)));
  }
}

/** Returns true if each token of a document has the same weight in two idf tables. */
export function weighsAlike(tokens: usize, count: u32, languageHash: u32, before: usize, after: usize): bool {
  const end = addressAt<u32>(tokens, count);
  for (let at = tokens; at < end; at += 4) {
    const token = load<u32>(at);
    if ((token & kindMask) < <u32>identifierKind) continue;
    const slot = idfSlot(token, languageHash);
    if (load<u8>(before + slot) != load<u8>(after + slot)) return false;
  }
  return true;
}
