/**
 * Variety of code: the share of distinct runs among all runs of eight tokens, where names and literals count only by
 * their kind. It is low for lists of declarations, getters, delegating methods, and builder calls.
 */
import { kindMask } from '../../kernel/lex/lexedLayout.ts';
import { kindCodes } from '../languages/tokenKind.ts';

/** Length of a run in tokens. */
const run = 8;
/** Maximum number of runs to examine. The rest of longer code is usually like its beginning. */
const maxRuns = 4000;
/** Multiplier of the rolling hash; odd, so that no bits are lost. */
const factor = 0x9e3779b1;
const oldest = powerOf(factor, run - 1);

/** Hash set of the runs seen so far. At most half of the slots are used. */
const seen = new Uint32Array(2 << (31 - Math.clz32(2 * maxRuns)));

/** Returns the variety of `count` tokens, in [0, 1]. Returns 1 if there are fewer than two runs. */
export function shapeVariety(words: Uint32Array, address: number, count: number): number {
  const first = address >>> 2;
  const runs = Math.min(maxRuns, count - run + 1);
  if (runs < 2) return 1;
  const slots = 2 << (31 - Math.clz32(2 * runs));
  seen.fill(0, 0, slots);
  let [hash, distinct] = [0, 0];
  for (let at = 0; at < runs + run - 1; at++) {
    if (at >= run) hash = (hash - Math.imul(shapeOf(words[first + at - run]), oldest)) | 0;
    hash = (Math.imul(hash, factor) + shapeOf(words[first + at])) | 0;
    if (at >= run - 1 && isNew(hash, slots - 1)) distinct++;
  }
  return distinct / runs;
}

/** Maps a token to a number that is the same for all names, the same for all calls, and the same for all literals. */
function shapeOf(token: number): number {
  switch (token & kindMask) {
    case kindCodes.identifier:
    case kindCodes.call:
      return token & kindMask;
    case kindCodes.number:
    case kindCodes.string:
      return kindCodes.number;
    default:
      return token;
  }
}

/** Adds a hash to the set `seen`. Returns false if the set already contained it. */
function isNew(hash: number, mask: number): boolean {
  // A slot with 0 is empty, so no key may be 0.
  const key = hash >>> 0 || 1;
  let slot = (Math.imul(key ^ (key >>> 15), 0x85ebca6b) >>> 16) & mask;
  while (seen[slot] !== 0) {
    if (seen[slot] === key) return false;
    slot = (slot + 1) & mask;
  }
  seen[slot] = key;
  return true;
}

function powerOf(base: number, exponent: number): number {
  let power = 1;
  for (let i = 0; i < exponent; i++) power = Math.imul(power, base);
  return power;
}
