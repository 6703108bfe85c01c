// How telling a token is: log2 of the number of documents of its language over the number that have the token
// (Spärck Jones 1972). Counted once for all documents into a table of slots; tokens that share a slot look more common
// than they are, never rarer.
import { identifierKind, kindMask } from '../lex/lexedLayout';
import {
  documentRecordBytes,
  tokensAt,
  tokenCountAt,
  flagsAt,
  proseFlag,
  languageShift,
  languageMask,
} from '../documents/documentLayout';
import { golden32, murmur32 } from '../documents/hashFactors';

const slotBits: u32 = 20;
const slots: u32 = 1 << slotBits;
const families: u32 = 256;
/** Idf weights are kept in steps of a sixteenth of a bit. */
const stepsPerBit: f64 = 16;
/** In a small workspace everything is rare among its few documents; this many are taken for granted. */
const leastDocuments: u32 = 256;
/** Of a token that came after the table was measured: as rare as one of a single document in a small workspace. */
const idfOfNewToken: u8 = 8 * <u8>stepsPerBit;

/** The slot of a token in documents of a language. */
@inline export function idfSlot(token: u32, languageHash: u32): u32 {
  return ((token ^ (languageHash * murmur32)) * golden32) >> (32 - slotBits);
}

/** Bytes of an idf table: one for each slot. */
export function idfTableBytes(): usize {
  return slots;
}

/** Bytes that `measureIdf` counts in: two words for each slot, one for each language, and for each slot its language. */
export function idfScratchBytes(): usize {
  return <usize>slots * 9 + <usize>families * 4;
}

/** What is counted of a slot: how many documents have a token in it, and the last of them by number + 1. */
const havingAt: usize = 0;
const lastDocumentAt: usize = 4;

/**
 * Fills an idf table.
 *
 * @param documents  records: see documentLayout.ts
 * @param counts     `idfScratchBytes` bytes
 */
export function measureIdf(documents: usize, count: u32, counts: usize, idfTable: usize): void {
  memory.fill(counts, 0, idfScratchBytes());
  countDocuments(documents, count, 0, counts);
  writeIdf(counts, idfTable);
}

/**
 * Counts documents whose records come in several tables, one table after the other in the order of the documents.
 *
 * @param first   how many documents were counted before
 * @param counts  `idfScratchBytes` bytes, all 0 before the first table
 */
export function countDocuments(documents: usize, count: u32, first: u32, counts: usize): void {
  const inLanguage = counts + ((<usize>slots) << 3);
  const languageHashOf = inLanguage + <usize>families * 4;
  for (let d: u32 = 0; d < count; d++) {
    const document = documents + <usize>d * documentRecordBytes;
    const tokens = <usize>load<u32>(document, tokensAt);
    const end = tokens + ((<usize>load<u32>(document, tokenCountAt)) << 2);
    // Only of code it is asked how telling it is; words of prose would crowd the slots.
    if (load<u32>(document, flagsAt) & proseFlag) continue;
    const languageHash = (load<u32>(document, flagsAt) >> languageShift) & languageMask;
    store<u32>(inLanguage + ((<usize>languageHash) << 2), load<u32>(inLanguage + ((<usize>languageHash) << 2)) + 1);
    for (let at = tokens; at < end; at += 4) {
      const token = load<u32>(at);
      // Punctuation, operators and keywords tell nothing.
      if ((token & kindMask) < <u32>identifierKind) continue;
      const slot = idfSlot(token, languageHash);
      const record = counts + ((<usize>slot) << 3);
      if (load<u32>(record, lastDocumentAt) == first + d + 1) continue;
      store<u32>(record, first + d + 1, lastDocumentAt);
      store<u32>(record, load<u32>(record, havingAt) + 1, havingAt);
      store<u8>(languageHashOf + slot, <u8>languageHash);
    }
  }
}

/** Fills an idf table from what was counted. */
export function writeIdf(counts: usize, idfTable: usize): void {
  const inLanguage = counts + ((<usize>slots) << 3);
  const languageHashOf = inLanguage + <usize>families * 4;
  for (let slot: u32 = 0; slot < slots; slot++) {
    const having = load<u32>(counts + ((<usize>slot) << 3), havingAt);
    const all = max(leastDocuments, load<u32>(inLanguage + ((<usize>load<u8>(languageHashOf + slot)) << 2)));
    store<u8>(
      idfTable + slot,
      having ? <u8>min<f64>(255, stepsPerBit * NativeMath.log2(<f64>all / <f64>having)) : idfOfNewToken,
    );
  }
}

/** Whether each token of a document of a language has the same inverse document frequency in two tables. */
export function weighsAlike(tokens: usize, count: u32, languageHash: u32, before: usize, after: usize): bool {
  const end = tokens + ((<usize>count) << 2);
  for (let at = tokens; at < end; at += 4) {
    const token = load<u32>(at);
    if ((token & kindMask) < <u32>identifierKind) continue;
    const slot = idfSlot(token, languageHash);
    if (load<u8>(before + slot) != load<u8>(after + slot)) return false;
  }
  return true;
}
