/**
 * Classes of bytes, and functions that compare and search bytes. Positions are addresses. No search reads beyond its
 * `end`.
 */
import * as ascii from './ascii';
import { classMask, classesAt, digitClass, lettersAt, operatorClass, plainClassesAt, wordClass } from './lexicon';
import { lexer } from './lexState';

@inline export function classAt(p: usize): u32 {
  return load<u8>(lexer.lexicon + load<u8>(p), classesAt) & classMask;
}

/** Returns the class of the byte at `p`, for use if no rule applies there. */
@inline export function plainClassAt(p: usize): u32 {
  return load<u8>(lexer.lexicon + load<u8>(p), plainClassesAt);
}

/** Returns true if the byte at `p` is a letter or digit. */
@inline export function isWordAt(p: usize): bool {
  const plain = plainClassAt(p);
  return plain == wordClass || plain == digitClass;
}

@inline export function isOperatorAt(p: usize): bool {
  return plainClassAt(p) == operatorClass;
}

@inline export function isLineEnd(byte: u32): bool {
  return byte == ascii.lineFeed || byte == ascii.carriageReturn;
}

@inline export function isBlank(byte: u32): bool {
  return byte == ascii.space || byte == ascii.tab;
}

@inline export function isDigit(byte: u32): bool {
  return byte - ascii.zero < 10;
}

@inline export function isAsciiLetter(byte: u32): bool {
  return (byte | ascii.caseBit) - ascii.letterA < 26;
}

/** Returns true if the `length` bytes at `p` equal the lower bytes of `bytes`. `length` is 1 to 8. */
@inline export function matches(p: usize, bytes: u64, length: u32): bool {
  return (load<u64>(p) ^ bytes) << ((8 - length) << 3) == 0;
}

/** Returns true if the `length` bytes at `a` equal those at `b`. */
export function equal(a: usize, b: usize, length: usize): bool {
  for (let index: usize = 0; index < length; index++) {
    if (load<u8>(a + index) != load<u8>(b + index)) return false;
  }
  return true;
}

export function afterBlanks(p: usize, end: usize): usize {
  while (p < end && isBlank(load<u8>(p))) p++;
  return p;
}

export function afterWhite(p: usize, end: usize): usize {
  while (p < end && load<u8>(p) <= ascii.space) p++;
  return p;
}

/** Returns the position after the line break at `p`, which is LF, CRLF, or CR. */
export function afterLineEnd(p: usize, end: usize): usize {
  return load<u8>(p) == ascii.carriageReturn && p + 1 < end && load<u8>(p, 1) == ascii.lineFeed ? p + 2 : p + 1;
}

export function isFirstOnLine(p: usize): bool {
  while (p > lexer.source && isBlank(load<u8>(p - 1))) p--;
  return p == lexer.source || isLineEnd(load<u8>(p - 1));
}

/** Returns the end of the line that contains `p`: the position of its LF or CR, or `end`. */
export function endOfLine(p: usize, end: usize): usize {
  const lineFeeds = i8x16.splat(<i8>ascii.lineFeed);
  const returns = i8x16.splat(<i8>ascii.carriageReturn);
  while (p < end) {
    const bytes = v128.load(p);
    const found = i8x16.bitmask(v128.or(i8x16.eq(bytes, lineFeeds), i8x16.eq(bytes, returns)));
    if (found) return min(p + ctz(found), end);
    p += 16;
  }
  return end;
}

/** Returns the position of the next `byte` from `p` on, or `end` if there is none. */
export function find(byte: u32, p: usize, end: usize): usize {
  const needles = i8x16.splat(<i8>byte);
  while (p < end) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(p), needles));
    if (found) return min(p + ctz(found), end);
    p += 16;
  }
  return end;
}

const highNibbles: usize = memory.data<u8>([1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]);

/**
 * Returns the number of bytes from `p` on that belong to a word: bytes that are letters in the lexicon, and all bytes
 * from 0x80 on.
 */
@inline export function wordLength(p: usize, end: usize): usize {
  let length: usize = 0;
  let run: u32;
  do {
    const bytes = v128.load(p + length);
    // Table of letters: bit h of letters[l] is set if the byte 16 h + l is a letter. A swizzle looks up 16 bytes at
    // once.
    const letters = v128.and(
      i8x16.swizzle(v128.load(lexer.lexicon, lettersAt), v128.and(bytes, i8x16.splat(15))),
      i8x16.swizzle(v128.load(highNibbles), i8x16.shr_u(bytes, 4)),
    );
    run = ctz(~i8x16.bitmask(v128.or(i8x16.ne(letters, i8x16.splat(0)), bytes)));
    length += run;
  } while (run == 16 && p + length < end);
  return min<usize>(length, end - p);
}
