/**
 * Computes the length of the longest common subsequence of two token sequences with the bit-parallel method of
 * Crochemore, Iliopoulos, Pinzon, Reid 2001. A row of the usual table is represented as one long number, whose zero
 * bits mark where the length increases. Computing the next row takes one addition and three logical operations on such
 * numbers. The total cost is |a| × |b| / 32 steps.
 */

/**
 * Returns the length of the longest common subsequence. It is 0 if a side is empty.
 *
 * @param a, b  numbers that are equal if and only if the tokens are equal
 */
export function commonLength(a: Uint32Array, b: Uint32Array): number {
  const words = (a.length + 31) >> 5;
  const places = placesOf(a, words);
  const nowhere = new Uint32Array(words);
  const row = new Uint32Array(words).fill(0xffffffff);
  for (const token of b) {
    const matches = places.get(token) ?? nowhere;
    let carry = 0;
    for (let word = 0; word < words; word++) {
      const before = row[word];
      const taken = before & matches[word];
      const sum = before + (taken >>> 0) + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      row[word] = (sum >>> 0) | (before & ~matches[word]);
    }
  }
  let length = 0;
  for (let place = 0; place < a.length; place++) if (((row[place >> 5] >>> (place & 31)) & 1) === 0) length++;
  return length;
}

/** For each number in `a`, returns a bit set of the positions at which it occurs. */
function placesOf(a: Uint32Array, words: number): Map<number, Uint32Array> {
  const places = new Map<number, Uint32Array>();
  a.forEach((token, place) => {
    let bits = places.get(token);
    if (bits === undefined) places.set(token, (bits = new Uint32Array(words)));
    bits[place >> 5] |= 1 << (place & 31);
  });
  return places;
}
