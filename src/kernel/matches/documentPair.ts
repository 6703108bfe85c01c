// The two documents that are matched at the moment, and what their tokens weigh. An alignment of them is a list of runs
// (runs.ts): tokens of the left document, each of which stands for one of the right document.
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
} from '../documents/documentLayout';
import { isName } from '../documents/fingerprint';
import { separator } from '../documents/separators';

// What a token of each kind weighs in a score: structure little, words much. By their codes in lexedLayout.ts.
const kindWeights = memory.data<u8>([1, 2, 3, 4, 5, 3, 5, 4, 4, 2, 0, 0, 0, 0, 0, 0]);

/** Tokens and lines (addresses) and how many of them. */
export let left: usize = 0;
export let leftCount: u32 = 0;
export let right: usize = 0;
export let rightCount: u32 = 0;
export let leftLines: usize = 0;
export let leftLineCount: u32 = 0;
export let rightLines: usize = 0;
export let rightLineCount: u32 = 0;
/** Whether separators part it into texts of their own: then nothing is aligned across them. */
export let leftApart: bool = false;
export let rightApart: bool = false;
export let sameDocument: bool = false;
/** The language of the left one: see `idfSlot`. */
export let languageHash: u32 = 0;
/** Whether names may stand for others: in code. */
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

/** The weights of `count` tokens. Up to three more are read. */
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

/** Whether two tokens may be aligned: equal ones, and names of one kind where one may stand for another. */
@inline export function same(x: u32, y: u32): bool {
  return x == y ? x != separator : renaming && ((x ^ y) & kindMask) == 0 && isName(x);
}
