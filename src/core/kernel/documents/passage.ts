// Lines and columns of tokens, from the packed positions of a document (places.ts). scripts/build.mjs derives
// passageLayout.ts from this file.
import { behind, Block, blockTokens, howShift, Line, lineIndex, longLength, opensLine } from './places';
import { itemOf } from '../records';
import { maxMarkedLines, numberMask } from '../lex/lexed';

/** Position of a token: byte offsets in the text. */
@unmanaged export class TokenPlace {
  start: u32;
  /** End of the token. If the token is longer than 65,535 bytes, this is `start` + 65,535. */
  end: u32;
  lineStart: u32;
  /** Address of the next packed byte. */
  next: u32;

  byte(): u32 {
    const at = <usize>this.next;
    this.next++;
    return <u32>load<u8>(at);
  }

  unsigned(): u32 {
    let value: u32 = 0,
      shift: u32 = 0,
      byte: u32;
    do {
      byte = this.byte();
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte >= 128);
    return value;
  }

  signed(): u32 {
    const value = this.unsigned();
    return (value >> 1) ^ -(value & 1);
  }
}

/** Position of a passage. Lines and columns count from 1; the last line is inclusive. */
@unmanaged export class PassagePlace {
  startLine: u32;
  startColumn: u32;
  endLine: u32;
  endColumn: u32;
}

/** Size in bytes of the memory that `placePassage` writes to. The position of the passage is at its beginning. */
export const passageRoom: usize = offsetof<PassagePlace>() + offsetof<TokenPlace>();

/** Unpacks the position of a token. */
export function placeToken(places: usize, tokenCount: u32, token: u32, out: usize): void {
  const place = changetype<TokenPlace>(out),
    block = itemOf<Block>(places, token / blockTokens);
  const stream = changetype<usize>(itemOf<Block>(places, (tokenCount + blockTokens - 1) / blockTokens));
  place.next = <u32>stream + block.stream;
  place.lineStart = block.line;
  place.end = block.end;
  for (let i = token - (token % blockTokens); i <= token; i++) {
    const head = place.byte();
    const how = head >> howShift,
      length = head & ((1 << howShift) - 1);
    if (how == opensLine) {
      place.lineStart = place.end + place.signed();
      place.start = place.lineStart + place.signed();
    } else place.start = place.end + (how == behind ? place.signed() : how);
    place.end = place.start + length;
    if (length == longLength) place.end += place.unsigned();
  }
}

/**
 * Writes the lines and columns of the tokens [start, end) of a document, which must not be empty.
 *
 * @param unitless  address of the array in the document; 0 if its text is ASCII
 * @param out       `passageRoom` bytes
 */
export function placePassage(
  places: usize,
  tokenCount: u32,
  lines: usize,
  lineCount: u32,
  totalLines: u32,
  unitless: usize,
  sizeBytes: u32,
  start: u32,
  end: u32,
  out: usize,
): void {
  const passage = changetype<PassagePlace>(out),
    place = changetype<TokenPlace>(out + offsetof<PassagePlace>());
  placeToken(places, tokenCount, start, changetype<usize>(place));
  passage.startLine = lineOf(lines, lineCount, totalLines, start) + 1;
  passage.startColumn = column(unitless, sizeBytes, place.lineStart, place.start);
  placeToken(places, tokenCount, end - 1, changetype<usize>(place));
  passage.endLine = lineOf(lines, lineCount, totalLines, end - 1) + 1;
  passage.endColumn = column(unitless, sizeBytes, place.lineStart, place.end);
}

/** Returns the line on which a token starts, counted from 0. */
export function lineOf(lines: usize, lineCount: u32, totalLines: u32, token: u32): u32 {
  return itemOf<Line>(lines, lineIndex(lines, lineCount, token)).number & numbersOf(totalLines);
}

/**
 * Returns the number of lines that the tokens [start, end) cover, or the number of those with tokens if it is greater.
 * It is greater in a notebook, which may have several lines of cells on one line of the file.
 */
export function linesCovered(lines: usize, lineCount: u32, totalLines: u32, start: u32, end: u32): u32 {
  const first = lineIndex(lines, lineCount, start),
    last = lineIndex(lines, lineCount, end - 1),
    mask = numbersOf(totalLines);
  const covered = <i32>(itemOf<Line>(lines, last).number & mask) - <i32>(itemOf<Line>(lines, first).number & mask);
  return <u32>max<i32>(covered, <i32>(last - first)) + 1;
}

/** Returns the bits of `Line.number` that contain the line number. */
@inline function numbersOf(totalLines: u32): u32 {
  return totalLines < <u32>maxMarkedLines ? numberMask : 0xffffffff;
}

/** Returns a column in UTF-16 units. In ASCII text, a byte is one unit. */
function column(unitless: usize, sizeBytes: u32, lineStart: u32, offset: u32): u32 {
  let units = offset - lineStart;
  if (unitless) {
    for (let at = lineStart, end = min(offset, sizeBytes); at < end; at++) {
      units -= ((<u32>load<u8>(unitless + ((<usize>at) >> 3))) >> (at & 7)) & 1;
    }
  }
  return units + 1;
}
