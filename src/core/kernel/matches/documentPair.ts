// The current pair of documents, and the weights of their tokens. An alignment of the two is a list of runs (runs.ts).
// Each run aligns tokens of the left document with the same number of tokens of the right one.
import { kindMask } from '../lex/lexed';
import { apartShift, Document, marksFlag } from '../documents/document';
import { isName } from '../documents/fingerprint';
import { separator } from '../documents/separators';
import { reserve } from './matchScratch';
import { Piece } from './pieces';
import { Run } from './runs';
import { Side, sideBytes } from './side';
import { itemOf, newRecord, recordBytes } from '../records';

// Weight of each token kind in a score: low for structure, high for words. The order is that of the kind codes in
// lexed.ts.
const kindWeights = memory.data<u8>([1, 2, 3, 4, 5, 3, 5, 4, 4, 2, 0, 0, 0, 0, 0, 0]);

@unmanaged class DocumentPair {
  /** Numbers of the documents. */
  docA: u32;
  docB: u32;
  /** Hash of the left document's language; see `idfSlot`. */
  languageHash: u32;
  sameDocument: bool;
  /** True if the documents are in different languages. */
  hasTwoLanguages: bool;
  /** True if a name may be aligned with another name, as in code. */
  renaming: bool;

  @inline get left(): Side {
    return changetype<Side>(changetype<usize>(this) + recordBytes<DocumentPair>());
  }

  @inline get right(): Side {
    return changetype<Side>(changetype<usize>(this) + recordBytes<DocumentPair>() + sideBytes);
  }
}

export let pair = changetype<DocumentPair>(0);

const scratchAt = reserve(recordBytes<DocumentPair>() + 2 * sideBytes);

export function placeDocumentPair(scratch: usize): void {
  pair = newRecord<DocumentPair>(scratch + scratchAt);
  pair.left.runAt = offsetof<Run>('a');
  pair.left.pieceAt = offsetof<Piece>('a0');
  pair.right.runAt = offsetof<Run>('b');
  pair.right.pieceAt = offsetof<Piece>('b0');
}

/**
 * Opens a pair of documents.
 *
 * @param documents  address of the table of `Document` records
 */
export function openDocuments(documents: usize, docA: u32, docB: u32): void {
  const left = itemOf<Document>(documents, docA),
    right = itemOf<Document>(documents, docB);
  pair.docA = docA;
  pair.docB = docB;
  openSide(pair.left, left);
  openSide(pair.right, right);
  pair.renaming = !left.isProse;
  pair.languageHash = left.languageHash;
  pair.sameDocument = docA == docB;
  pair.hasTwoLanguages = left.languageHash != right.languageHash;
}

function openSide(side: Side, document: Document): void {
  side.tokens = document.tokens;
  side.tokenCount = document.tokenCount;
  side.lines = document.lines;
  side.lineCount = document.lineCount;
  side.units = document.units;
  side.unitCount = document.unitCount;
  side.partFrom = 0;
  side.partTo = side.tokenCount;
  side.blocksTo = 0;
  side.forgetLines();
  side.isMarked = (document.flags & marksFlag) != 0;
  side.isApart = document.flags >> apartShift != 0;
}

/** Sets the passages of the current match: tokens [a0, a1) and [b0, b1). */
export function setPassages(a0: u32, a1: u32, b0: u32, b1: u32): void {
  pair.left.start = a0;
  pair.left.end = a1;
  pair.right.start = b0;
  pair.right.end = b1;
}

@inline export function leftToken(i: u32): u32 {
  return pair.left.token(i);
}
@inline export function rightToken(i: u32): u32 {
  return pair.right.token(i);
}

@inline export function weightOf(token: u32): i32 {
  return <i32>load<u8>(kindWeights + (token & kindMask));
}

/** Returns the sum of the weights of `count` tokens. May read up to three tokens after them. */
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

/**
 * Returns true if two tokens may be aligned: equal tokens other than separators, or two names of the same kind if
 * renaming is allowed.
 */
@inline export function same(x: u32, y: u32): bool {
  return x == y ? x != separator : pair.renaming && ((x ^ y) & kindMask) == 0 && isName(x);
}
