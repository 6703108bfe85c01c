/**
 * Parts: what the rows of an index are split by. A row's part is a hash of its key, the same for ever; which server has a part
 * is decided by rendezvous hashing (Thaler, Ravishankar 1998): each server has a score for each part, and the highest has it,
 * so that a further server takes its share from each of the others and nothing else moves.
 */
import { mix32 } from '../methods/bits.ts';

/** How many parts a new index has: no more servers can share it, and a scan has as many tasks at least. */
export const defaultParts = 64;

/**
 * The part of a row whose key is two numbers of 32 bits, below `parts`. A constant of every index: rows that are stored are
 * found by it.
 */
export function partOf(first: number, second: number, parts: number): number {
  return mix32(mix32(first ^ 0x9e3779b9) ^ second) % parts;
}

/**
 * Which server has each part, by its place in `servers`.
 *
 * @param servers  names, each once, at least one; their order does not matter for who has what
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
