// Computes the length of the longest common subsequence of two passages' tokens. Uses one bit for each token of the
// right passage, so 64 tokens are processed at a time (Crochemore, Iliopoulos, Pinzon, Reid 2001).
import { leftToken, rightToken } from './documentPair';
import { reserve } from './matchScratch';
import { abstractToken } from '../documents/fingerprint';
import { golden32 } from '../documents/hashFactors';
import { itemOf, newRecord, recordBytes, setItem } from '../records';

/** Maximum number of tokens of the right passage. */
export const maxCommonTokens: u32 = 1024;
const maxWords: usize = (<usize>maxCommonTokens) >> 6;
/**
 * Number of slots for the distinct tokens of a passage, as a power of two. It is at least twice the maximum number of
 * tokens.
 */
const slotBits: u32 = 11;
const slotCount: u32 = 1 << slotBits;
/**
 * A slot of the table. The slot is followed by a bit set with one bit for each token of the passage, which marks the
 * positions of this token.
 */
@unmanaged class Slot {
  token: u32;
  stamp: u32;

  @inline get bits(): usize {
    return changetype<usize>(this) + offsetof<Slot>();
  }
}

const slotBytes: usize = offsetof<Slot>() + maxWords * 8;
const tableBytes: usize = <usize>slotCount * slotBytes;

/** A table of the tokens in a right passage, either unchanged or with abstracted names (replaced by their kind). */
@unmanaged class TokenTable {
  slots: usize;
  stamp: u32;
  /** Tokens [start, end) of the passage in the table. */
  start: u32;
  end: u32;
}

@unmanaged class CommonTokens {
  /** Table of unchanged tokens, and table of tokens with abstracted names. */
  written: TokenTable;
  abstracted: TokenTable;
  /**
   * Address of a bit set with one bit for each token of the right passage. If the subsequence contains the token, its
   * bit is cleared.
   */
  columns: usize;
}

let common = changetype<CommonTokens>(0);

const scratchAt = reserve(recordBytes<CommonTokens>() + 2 * (recordBytes<TokenTable>() + tableBytes) + maxWords * 8);

export function placeCommonTokens(scratch: usize): void {
  scratch += scratchAt;
  common = newRecord<CommonTokens>(scratch);
  scratch += recordBytes<CommonTokens>();
  common.written = newTable(scratch);
  scratch += recordBytes<TokenTable>() + tableBytes;
  common.abstracted = newTable(scratch);
  common.columns = scratch + recordBytes<TokenTable>() + tableBytes;
}

/** Creates an empty table in scratch memory. Its slots follow its record. */
function newTable(scratch: usize): TokenTable {
  const table = newRecord<TokenTable>(scratch);
  table.slots = scratch + recordBytes<TokenTable>();
  memory.fill(table.slots, 0, tableBytes);
  return table;
}

/** Empties the tables. Must be called when the current documents have changed. */
export function openCommonTokens(): void {
  common.written.end = common.abstracted.end = 0;
}

/**
 * Returns the slot that contains a token, or an empty slot for it. A slot is in use if its stamp equals the stamp of
 * the table.
 */
@inline function slotOf(table: TokenTable, token: u32): Slot {
  let slot = (token * golden32) >> (32 - slotBits);
  let record = changetype<Slot>(table.slots + <usize>slot * slotBytes);
  while (record.stamp == table.stamp && record.token != token) {
    slot = (slot + 1) & (slotCount - 1);
    record = changetype<Slot>(table.slots + <usize>slot * slotBytes);
  }
  return record;
}

/**
 * Returns the length of the longest common subsequence of the left tokens [a0, a1) and the right tokens [b0, b1). If
 * `renamed` is true, names are abstracted. Each passage has at most `maxCommonTokens` tokens. If the right passage is
 * the same as in the previous call, reuses its table.
 *
 * @param minLength  if the length is less than this, returns 0, because the exact number does not matter then
 */
export function commonTokens(a0: u32, a1: u32, b0: u32, b1: u32, renamed: bool, minLength: f64): u32 {
  const words = (<usize>(b1 - b0) + 63) >> 6;
  const table = renamed ? common.abstracted : common.written;
  if (table.start != b0 || table.end != b1) fillTable(table, b0, b1, renamed, words);
  memory.fill(common.columns, 0xff, words << 3);
  for (let i = a0; i < a1; i++) {
    // Each remaining token can add one token to the subsequence.
    if (((i - a0) & 31) == 31 && <f64>(clearedColumns(words) + a1 - i) < minLength) return 0;
    const record = slotOf(table, renamed ? abstractToken(leftToken(i)) : leftToken(i));
    if (record.stamp != table.stamp) continue;
    let carry: u64 = 0;
    for (let w: usize = 0; w < words; w++) {
      const column = itemOf<u64>(common.columns, w);
      const matching = column & itemOf<u64>(record.bits, w);
      const sum = column + matching;
      const total = sum + carry;
      carry = u64(sum < column) | u64(total < sum);
      setItem<u64>(common.columns, w, total | (column & ~matching));
    }
  }
  const length = clearedColumns(words);
  return <f64>length < minLength ? 0 : length;
}

/**
 * Returns the length of the subsequence so far. Each cleared bit is one token of it. Bits beyond the end of the passage
 * are never cleared.
 */
function clearedColumns(words: usize): u32 {
  let cleared: u32 = 0;
  for (let w: usize = 0; w < words; w++) cleared += 64 - <u32>popcnt(itemOf<u64>(common.columns, w));
  return cleared;
}

function fillTable(table: TokenTable, start: u32, end: u32, renamed: bool, words: usize): void {
  table.start = start;
  table.end = end;
  table.stamp++;
  for (let i: u32 = 0; i < end - start; i++) {
    const token = renamed ? abstractToken(rightToken(start + i)) : rightToken(start + i);
    const record = slotOf(table, token);
    if (record.stamp != table.stamp) {
      record.token = token;
      record.stamp = table.stamp;
      memory.fill(record.bits, 0, words << 3);
    }
    const word = record.bits + (((<usize>i) >> 6) << 3);
    store<u64>(word, load<u64>(word) | ((<u64>1) << (i & 63)));
  }
}
