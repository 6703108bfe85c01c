/**
 * Parts: the units into which the rows of an index are split. The part of a row is a permanent hash of its key.
 * Rendezvous hashing assigns parts to servers (Thaler, Ravishankar 1998): each server has a score for each part, and
 * the highest score wins. A new server therefore takes its share from each of the others, and no other part moves.
 */
import { mix32 } from '../../core/methods/bits.ts';

/** Number of parts of a new index. It limits the number of servers, and is the minimum number of tasks of a scan. */
export const defaultParts = 64;

/**
 * Returns the part of a row whose key is two 32-bit numbers, below `parts`. The function must never change, because
 * stored rows are found by it.
 */
export function partOf(first: number, second: number, parts: number): number {
  return mix32(mix32(first ^ 0x9e3779b9) ^ second) % parts;
}

/**
 * Returns the server of each part.
 *
 * @param servers  distinct names, at least one; the order does not affect the result
 */
export function rendezvous(servers: readonly string[], parts: number): readonly string[] {
  const seeds = servers.map((name) => hashName(name));
  return Array.from({ length: parts }, (_, part) => {
    const scores = seeds.map((seed) => partOf(seed, part, 2 ** 32));
    let best = 0;
    for (let i = 1; i < servers.length; i++) {
      const isTie = scores[i]! === scores[best]!;
      if (scores[i]! > scores[best]! || (isTie && servers[i]! < servers[best]!)) best = i;
    }
    return servers[best]!;
  });
}

function hashName(name: string): number {
  let hash = 0;
  for (const letter of name) hash = mix32(hash ^ letter.codePointAt(0)!);
  return hash;
}
