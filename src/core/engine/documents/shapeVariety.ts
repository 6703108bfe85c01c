/**
 * Variety of shapes in code: the share of its runs of eight tokens that are distinct when names and literals count by
 * their kind only. Lists of declarations, getters, delegating methods, and builder calls repeat their own shape.
 */
import { kindMask } from '../../kernel/lex/lexedLayout.ts';
import { kindCodes } from '../languages/tokenKind.ts';

/** Tokens of a run. */
const run = 8;
/** Number of runs that are examined, from the beginning. Longer code is like its beginning. */
const mostRuns = 4000;
/** Odd factor of the hash of a run, and the factor of its oldest token. */
const factor = 0x9e3779b1;
const oldest = powerOf(factor, run - 1);

/** Slots of the hashes of runs: at least twice as many as there are runs. */
const seen = new Uint32Array(2 << (31 - Math.clz32(2 * mostRuns)));

/** Returns a share in [0, 1]; 1 for less than two runs. */
export function shapeVariety(words: Uint32Array, address: number, count: number): number {
  const first = address >>> 2;
  const runs = Math.min(mostRuns, count - run + 1);
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

/** Returns a number that is equal for all names, for all calls, and for all literals. */
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

/** Adds a hash to the set of seen ones. Returns false if it is there. */
function isNew(hash: number, mask: number): boolean {
  // 0 marks an empty slot.
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
