/**
 * Classes of characters from U+0080 on, for lexing prose: letters, marks, and characters of scripts without spaces,
 * each of which becomes a token. The classes follow the blocks of the Unicode standard. Also converts characters to
 * lowercase.
 */

export const markClass: u32 = 0;
export const letterClass: u32 = 1;
export const ideographClass: u32 = 2;

/** Returns the number of bytes of the character at `p`. In invalid UTF-8, each byte counts as a letter. */
export function characterBytes(p: usize, end: usize): usize {
  const lead: u32 = load<u8>(p);
  const length: usize = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
  if (p + length > end) return 1;
  for (let index: usize = 1; index < length; index++) {
    if ((load<u8>(p + index) & 0xc0) != 0x80) return 1;
  }
  return length;
}

/** Returns the code point of the character of `length` bytes at `p`. */
function codePoint(p: usize, length: usize): u32 {
  const lead: u32 = load<u8>(p);
  if (length == 2) return ((lead & 31) << 6) | (load<u8>(p, 1) & 63);
  if (length == 3) return ((lead & 15) << 12) | (((<u32>load<u8>(p, 1)) & 63) << 6) | (load<u8>(p, 2) & 63);
  return (
    ((lead & 7) << 18) |
    (((<u32>load<u8>(p, 1)) & 63) << 12) |
    (((<u32>load<u8>(p, 2)) & 63) << 6) |
    (load<u8>(p, 3) & 63)
  );
}

export function characterClass(p: usize, length: usize): u32 {
  if (length == 1) return letterClass;
  const code = codePoint(p, length);
  if (length == 2) return code < 0x0370 ? latinClass(code) : isMark2(code) ? markClass : letterClass;
  return length == 3 ? class3(code) : class4(code);
}

/**
 * Returns the class of a character in U+0080–U+036F. Below U+00C0, all except ª µ º are marks. × and ÷ are marks, too.
 */
function latinClass(code: u32): u32 {
  if (code < 0xc0) return code == 0xaa || code == 0xb5 || code == 0xba ? letterClass : markClass;
  return code == 0xd7 || code == 0xf7 ? markClass : letterClass;
}

/** Returns true for Greek, Hebrew, and Arabic punctuation. */
function isMark2(code: u32): bool {
  if (code == 0x037e || code == 0x0387 || code == 0x05be || code == 0x05c0 || code == 0x05c3) return true;
  return code == 0x060c || code == 0x061b || code == 0x061f || (code >= 0x066a && code <= 0x066d) || code == 0x06d4;
}

function class3(code: u32): u32 {
  if (code < 0x2000) {
    if (code == 0x0964 || code == 0x0965) return markClass;
    // Blocks of Thai, Lao, Tibetan, Myanmar, and Khmer.
    const blankless =
      (code >= 0x0e00 && code < 0x1000) || (code >= 0x1000 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800);
    return blankless ? ideographClass : letterClass;
  }
  if (code < 0x2e80) {
    // This range has blocks of punctuation, symbols, arrows, and boxes. From U+2C00 on, letters follow, from Glagolitic
    // to Cyrillic Extended-A.
    return code >= 0x2c00 && code < 0x2e00 ? letterClass : markClass;
  }
  if (code < 0xa000) {
    if (code >= 0x3000 && code < 0x3040) return code >= 0x3005 && code <= 0x3007 ? ideographClass : markClass;
    return code == 0x30fb ? markClass : ideographClass;
  }
  if (code < 0xe000) return letterClass;
  if (code < 0xf900) return markClass;
  if (code < 0xfb00) return ideographClass;
  if (code < 0xfe00) return letterClass;
  return code < 0xfe70 || code == 0xfeff ? markClass : code < 0xff00 ? letterClass : fullWidthClass(code);
}

/**
 * Returns the class of a character in the block of half-width and full-width forms: digits and letters among marks,
 * half-width Katakana and Hangul, and symbols.
 */
function fullWidthClass(code: u32): u32 {
  if (code >= 0xff66) return code < 0xffe0 ? ideographClass : markClass;
  const small = (code - 0xff21) & ~0x20;
  return code - 0xff10 < 10 || (code >= 0xff21 && small < 26) ? letterClass : markClass;
}

/**
 * Returns the class of a character with four bytes. Characters from U+20000 on are ideographs, U+1F000–U+1FAFF are
 * marks, and all others are letters.
 */
function class4(code: u32): u32 {
  if (code >= 0x20000 && code < 0x40000) return ideographClass;
  return code >= 0x1f000 ? markClass : letterClass;
}

/**
 * Returns the bytes of the character of `length` bytes at `p` as one number, with the first byte lowest. Uppercase
 * Latin, Greek, Cyrillic, and Armenian letters are converted to lowercase, which has the same length.
 */
export function foldCharacter(p: usize, length: usize): u32 {
  if (length == 1) return load<u8>(p);
  if (length == 2) {
    const code = codePoint(p, 2);
    const small = code < 0x0370 ? smallLatin(code) : smallGreekOrCyrillic(code);
    return 0xc0 | (small >> 6) | ((0x80 | (small & 63)) << 8);
  }
  if (length == 3) {
    const code = codePoint(p, 3);
    // In Latin Extended Additional, the code points of uppercase letters are even.
    const small = code >= 0x1e00 && code < 0x1f00 && (code < 0x1e96 || code >= 0x1ea0) ? code | 1 : code;
    return 0xe0 | (small >> 12) | ((0x80 | ((small >> 6) & 63)) << 8) | ((0x80 | (small & 63)) << 16);
  }
  return load<u32>(p);
}

function smallLatin(code: u32): u32 {
  if (code < 0x100) return code >= 0xc0 && code <= 0xde && code != 0xd7 ? code + 32 : code;
  if (code >= 0x180 || code == 0x130 || code == 0x131 || code == 0x138 || code == 0x149) return code;
  if (code == 0x178) return 0xff;
  // Uppercase letters have odd code points from U+0139 to U+0148 and from U+0179 to U+017E. Elsewhere, their code
  // points are even.
  const odd = (code >= 0x139 && code <= 0x148) || (code >= 0x179 && code <= 0x17e);
  if (odd) return (code + 1) & ~1;
  return code < 0x179 ? code | 1 : code;
}

function smallGreekOrCyrillic(code: u32): u32 {
  if (code < 0x0400) {
    if (code >= 0x0391 && code <= 0x03ab) return code + 32;
    if (code >= 0x0388 && code <= 0x038a) return code + 37;
    if (code == 0x0386) return 0x03ac;
    if (code == 0x038c) return 0x03cc;
    if (code == 0x038e || code == 0x038f) return code + 63;
    // Treat a final sigma like any other sigma.
    return code == 0x03c2 ? 0x03c3 : code;
  }
  if (code < 0x0410) return code + 80;
  if (code < 0x0430) return code + 32;
  if ((code >= 0x0460 && code < 0x0482) || (code >= 0x048a && code < 0x04c0) || (code >= 0x04d0 && code < 0x0530))
    return code | 1;
  if (code >= 0x04c1 && code < 0x04cf) return (code + 1) & ~1;
  return code >= 0x0531 && code <= 0x0556 ? code + 48 : code;
}
