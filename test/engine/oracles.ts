/**
 * Simple reference implementations: the library's results computed from the definitions with bigints and nested loops.
 */

/** Returns the number of differing bits. */
export function differingBits(a: bigint, b: bigint): number {
  return (a ^ b).toString(2).replaceAll('0', '').length;
}

/** Returns every pair of different numbers within the distance, each in ascending order, sorted by pair. */
export function bruteForcePairs(hashes: Iterable<bigint>, distance: number): [bigint, bigint][] {
  const distinct = [...new Set(hashes)].sort(ascending);
  return distinct.flatMap((a, i) =>
    distinct
      .slice(i + 1)
      .filter((b) => differingBits(a, b) <= distance)
      .map((b): [bigint, bigint] => [a, b]),
  );
}

/** Returns the positions i < j of numbers within the distance and the number of differing bits, in ascending order. */
export function bruteForceJoin(hashes: readonly bigint[], distance: number): [number, number, number][] {
  return hashes.flatMap((a, i) =>
    hashes
      .slice(i + 1)
      .map((b, k): [number, number, number] => [i, i + 1 + k, differingBits(a, b)])
      .filter(([, , bits]) => bits <= distance),
  );
}

/** Returns every stored number within the distance of a query, nearest first, then by value. */
export function bruteForceNeighbours(stored: Iterable<bigint>, query: bigint, distance: number): bigint[] {
  return Array.from(stored, (other) => ({ other, bits: differingBits(query, other) }))
    .filter(({ bits }) => bits <= distance)
    .sort((a, b) => a.bits - b.bits || ascending(a.other, b.other))
    .map(({ other }) => other);
}

/** Sets bit i if the features with a 1 there weigh more than those with a 0. */
export function simhashByDefinition(hashes: readonly bigint[], weights: readonly number[]): bigint {
  let fingerprint = 0n;
  for (let bit = 0n; bit < 64n; bit++) {
    const sum = hashes.reduce((votes, hash, i) => votes + ((hash >> bit) & 1n ? weights[i] : -weights[i]), 0);
    if (sum > 0) fingerprint |= 1n << bit;
  }
  return fingerprint;
}

/** Returns |A ∩ B| / |A ∪ B|, or 1 for two empty sets. */
export function exactResemblance<Element>(a: Iterable<Element>, b: Iterable<Element>): number {
  const union = new Set([...a, ...b]);
  const [inA, inB] = [new Set(a), new Set(b)];
  return union.size === 0
    ? 1
    : [...union].filter((element) => inA.has(element) && inB.has(element)).length / union.size;
}

/** Returns |A ∩ B| / |A|, or 1 for an empty A. */
export function exactContainment<Element>(a: Iterable<Element>, b: Iterable<Element>): number {
  const [inA, inB] = [new Set(a), new Set(b)];
  return inA.size === 0 ? 1 : [...inA].filter((element) => inB.has(element)).length / inA.size;
}

/** Returns the length of the longest common subsequence by the textbook dynamic program. */
export function commonLengthByTable(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (let i = 0; i < a.length; i++) {
    const next = [0];
    for (let j = 0; j < b.length; j++) next.push(a[i] === b[j] ? row[j] + 1 : Math.max(row[j + 1], next[j]));
    row = next;
  }
  return row[b.length];
}

/** Returns n! / (n − k)! / k!. */
export function choose(n: number, k: number): number {
  let count = 1;
  for (let i = 1; i <= k; i++) count = (count * (n - k + i)) / i;
  return count;
}

export function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the number of connected components. */
export function components(nodes: readonly number[], links: readonly (readonly [number, number])[]): number {
  const parts = new Map(nodes.map((node) => [node, new Set([node])]));
  for (const [x, y] of links) {
    const joined = new Set([...parts.get(x)!, ...parts.get(y)!]);
    for (const node of joined) parts.set(node, joined);
  }
  return new Set(parts.values()).size;
}
