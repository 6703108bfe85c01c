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
  proseFlag,
  languageShift,
  languageMask,
  apartShift,
  unitsAt,
  unitCountAt,
} from '../documents/documentLayout';
import { isName } from '../documents/fingerprint';
import { separator } from '../documents/separators';

// Weight of each kind of token in a score: low for structure, high for words. Ordered by the codes in lexedLayout.ts.
const kindWeights = memory.data<u8>([1, 2, 3, 4, 5, 3, 5, 4, 4, 2, 0, 0, 0, 0, 0, 0]);

/** Addresses and numbers of tokens and lines. */
export let left: usize = 0;
export let leftCount: u32 = 0;
export let right: usize = 0;
export let rightCount: u32 = 0;
export let leftLines: usize = 0;
export let leftLineCount: u32 = 0;
export let rightLines: usize = 0;
export let rightLineCount: u32 = 0;
/** Addresses and numbers of units: see unitsLayout.ts. */
export let leftUnits: usize = 0;
export let leftUnitCount: u32 = 0;
export let rightUnits: usize = 0;
export let rightUnitCount: u32 = 0;
/** True if separators split the document into independent texts. Nothing is then aligned across them. */
export let leftApart: bool = false;
export let rightApart: bool = false;
export let sameDocument: bool = false;
/** Language of the left document: see `idfSlot`. */
export let languageHash: u32 = 0;
/** True if names may correspond to other names, as in code. */
export let renaming: bool = true;

/** @param documents  records: see documentLayout.ts */
export function openDocuments(documents: usize, docA: u32, docB: u32): void {
  const a = documents + <usize>docA * documentRecordBytes;
  const b = documents + <usize>docB * documentRecordBytes;
  left = <usize>load<u32>(a, tokensAt);
  leftCount = load<u32>(a, tokenCountAt);
  right = <usize>load<u32>(b, tokensAt);
  rightCount = load<u32>(b, tokenCountAt);
  leftLines = <usize>load<u32>(a, linesAt);
  leftLineCount = load<u32>(a, lineCountAt);
  rightLines = <usize>load<u32>(b, linesAt);
  rightLineCount = load<u32>(b, lineCountAt);
  leftUnits = <usize>load<u32>(a, unitsAt);
  leftUnitCount = load<u32>(a, unitCountAt);
  rightUnits = <usize>load<u32>(b, unitsAt);
  rightUnitCount = load<u32>(b, unitCountAt);
  renaming = (load<u32>(a, flagsAt) & proseFlag) == 0;
  languageHash = (load<u32>(a, flagsAt) >> languageShift) & languageMask;
  leftApart = load<u32>(a, flagsAt) >> apartShift != 0;
  rightApart = load<u32>(b, flagsAt) >> apartShift != 0;
  sameDocument = docA == docB;
}

@inline export function leftToken(i: u32): u32 {
  return load<u32>(left + ((<usize>i) << 2));
}
@inline export function rightToken(i: u32): u32 {
  return load<u32>(right + ((<usize>i) << 2));
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
  return x == y ? x != separator : renaming && ((x ^ y) & kindMask) == 0 && isName(x);
}
