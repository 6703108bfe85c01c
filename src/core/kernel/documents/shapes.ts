// Counts distinct shapes of code: runs of tokens where names and literals count only by their kind.
import { callKind, identifierKind, kindMask, numberKind, stringKind } from '../lex/lexed';
import { bytesOf, itemOf, setItem } from '../records';
import { golden32, murmur32 } from './hashFactors';

/**
 * Returns the number of distinct runs of `size` tokens in the first `runs + size - 1` tokens.
 *
 * @param seen  slots of a hash set, 4 bytes each: a power of two that is at least twice the number of runs
 */
export function distinctShapes(tokens: usize, runs: u32, size: u32, seen: usize, slots: u32): u32 {
  memory.fill(seen, 0, bytesOf<u32>(slots));
  // Weight of the oldest token of a run. All factors are odd, so that no bits are lost.
  let oldest: u32 = 1;
  for (let i: u32 = 1; i < size; i++) oldest *= golden32;
  let hash: u32 = 0;
  for (let i: u32 = 0; i + 1 < size; i++) hash = hash * golden32 + shapeOf(itemOf<u32>(tokens, i));
  let distinct: u32 = 0;
  for (let i: u32 = 0; i < runs; i++) {
    hash = hash * golden32 + shapeOf(itemOf<u32>(tokens, i + size - 1));
    if (isNew(hash, seen, slots - 1)) distinct++;
    hash -= shapeOf(itemOf<u32>(tokens, i)) * oldest;
  }
  return distinct;
}

/** Maps a token to a number that is the same for all names, the same for all calls, and the same for all literals. */
@inline function shapeOf(token: u32): u32 {
  const kind = token & kindMask;
  if (kind == identifierKind || kind == callKind) return kind;
  return kind == numberKind || kind == stringKind ? <u32>numberKind : token;
}

/** Adds a hash to a set. Returns false if the set already contained it. */
@inline function isNew(hash: u32, seen: usize, mask: u32): bool {
  // A slot with 0 is empty, so no key may be 0.
  const key: u32 = hash ? hash : 1;
  let slot = (((key ^ (key >> 15)) * murmur32) >> 16) & mask;
  let there = itemOf<u32>(seen, slot);
  while (there && there != key) {
    slot = (slot + 1) & mask;
    there = itemOf<u32>(seen, slot);
  }
  if (there) return false;
  setItem<u32>(seen, slot, key);
  return true;
}
