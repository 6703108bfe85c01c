// The current pair of documents, and the weights of their tokens. An alignment is a list of runs (runs.ts): tokens of
// the left document that correspond to tokens of the right document.
import { kindMask } from '../lex/lexedLayout';
import {
  documentRecordBytes,
  tokensAt,
  tokenCountAt,
  flagsAt,
  linesAt,
  lineCountAt,
  marksFlag,
  proseFlag,
  languageShift,
  languageMask,
  apartShift,
  unitsAt,
  unitCountAt,
} from '../documents/documentLayout';
import { isName } from '../documents/fingerprint';
import { separator } from '../documents/separators';
import { newRecord, recordBytes } from '../records';

// Weight of each kind of token in a score: low for structure, high for words. Ordered by the codes in lexedLayout.ts.
const kindWeights = memory.data<u8>([1, 2, 3, 4, 5, 3, 5, 4, 4, 2, 0, 0, 0, 0, 0, 0]);

@unmanaged class DocumentPair {
  /** Addresses and numbers of tokens and lines. */
  left: usize;
  leftCount: u32;
  right: usize;
  rightCount: u32;
  leftLines: usize;
  leftLineCount: u32;
  rightLines: usize;
  rightLineCount: u32;
  /** Addresses and numbers of units: see unitsLayout.ts. */
  leftUnits: usize;
  leftUnitCount: u32;
  rightUnits: usize;
  rightUnitCount: u32;
  /** Language of the left document: see `idfSlot`. */
  languageHash: u32;
  /** True if separators divide the document into independent texts. Nothing is then aligned across them. */
  leftApart: bool;
  rightApart: bool;
  sameDocument: bool;
  /** True if the lines have marks: see placesLayout.ts. */
  leftMarked: bool;
  rightMarked: bool;
  /** True if names may correspond to other names, as in code. */
  renaming: bool;
}

export let pair = changetype<DocumentPair>(0);

/** Bytes of scratch memory that `placeDocumentPair` uses. */
export const documentPairScratchBytes: usize = recordBytes<DocumentPair>();

export function placeDocumentPair(scratch: usize): void {
  pair = newRecord<DocumentPair>(scratch);
}

/** @param documents  records: see documentLayout.ts */
export function openDocuments(documents: usize, docA: u32, docB: u32): void {
  const a = documents + <usize>docA * documentRecordBytes;
  const b = documents + <usize>docB * documentRecordBytes;
  pair.left = <usize>load<u32>(a, tokensAt);
  pair.leftCount = load<u32>(a, tokenCountAt);
  pair.right = <usize>load<u32>(b, tokensAt);
  pair.rightCount = load<u32>(b, tokenCountAt);
  pair.leftLines = <usize>load<u32>(a, linesAt);
  pair.leftLineCount = load<u32>(a, lineCountAt);
  pair.rightLines = <usize>load<u32>(b, linesAt);
  pair.rightLineCount = load<u32>(b, lineCountAt);
  pair.leftMarked = (load<u32>(a, flagsAt) & marksFlag) != 0;
  pair.rightMarked = (load<u32>(b, flagsAt) & marksFlag) != 0;
  pair.leftUnits = <usize>load<u32>(a, unitsAt);
  pair.leftUnitCount = load<u32>(a, unitCountAt);
  pair.rightUnits = <usize>load<u32>(b, unitsAt);
  pair.rightUnitCount = load<u32>(b, unitCountAt);
  pair.renaming = (load<u32>(a, flagsAt) & proseFlag) == 0;
  pair.languageHash = (load<u32>(a, flagsAt) >> languageShift) & languageMask;
  pair.leftApart = load<u32>(a, flagsAt) >> apartShift != 0;
  pair.rightApart = load<u32>(b, flagsAt) >> apartShift != 0;
  pair.sameDocument = docA == docB;
}

@inline export function leftToken(i: u32): u32 {
  return load<u32>(pair.left + ((<usize>i) << 2));
}
@inline export function rightToken(i: u32): u32 {
  return load<u32>(pair.right + ((<usize>i) << 2));
}

@inline export function weightOf(token: u32): i32 {
  return <i32>load<u8>(kindWeights + (token & kindMask));
}

/** Returns the sum of the weights of `count` tokens. Reads up to three more tokens. */
@inline export function sumOfWeights(tokens: usize, count: u32): i32 {
  const weights = v128.load(kindWeights);
  let sums = i32x4.splat(0);
  for (let i: u32 = 0; i < count; i += 4, tokens += 16) {
    const kinds = v128.and(v128.load(tokens), i32x4.splat(kindMask));
    const counted = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count - i));
    sums = i32x4.add(sums, v128.and(v128.and(i8x16.swizzle(weights, kinds), i32x4.splat(255)), counted));
  }
  const ofTwo = i32x4.add(sums, i8x16.shuffle(sums, sums, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return i32x4.extract_lane(ofTwo, 0) + i32x4.extract_lane(ofTwo, 1);
}

/** Returns true if two tokens may be aligned: equal tokens, and names of one kind if renaming is allowed. */
@inline export function same(x: u32, y: u32): bool {
  return x == y ? x != separator : pair.renaming && ((x ^ y) & kindMask) == 0 && isName(x);
}
