// Searches a text for a word.

/**
 * Returns true if a text contains a word, which must not be empty. Positions at which the first and the last byte match
 * are rare, so only these are compared. Reads up to 15 bytes after the text.
 */
export function hasWord(text: usize, length: u32, word: usize, wordLength: u32): bool {
  if (length < wordLength) return false;
  const behind = <usize>(wordLength - 1),
    last = text + <usize>(length - wordLength);
  const first = i8x16.splat(load<i8>(word)),
    final = i8x16.splat(load<i8>(word + behind));
  for (let at = text; at <= last; at += 16) {
    const alike = v128.and(i8x16.eq(v128.load(at), first), i8x16.eq(v128.load(at + behind), final));
    for (let places = i8x16.bitmask(alike); places; places &= places - 1) {
      const place = at + <usize>ctz<i32>(places);
      if (place <= last && memory.compare(place, word, <usize>wordLength) == 0) return true;
    }
  }
  return false;
}
