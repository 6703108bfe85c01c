// Computes the length of the longest common subsequence of two passages' tokens. Uses one bit for each token of the
// right passage, so 64 tokens are processed at a time (Crochemore, Iliopoulos, Pinzon, Reid 2001).
import { kindMask } from '../lex/lexed';
import { leftToken, rightToken } from './documentPair';
import { reserve } from './matchScratch';
import { abstractToken, isName } from '../documents/fingerprint';
import { golden32 } from '../documents/hashFactors';
import { separator } from '../documents/separators';
import { itemOf, newRecord, recordBytes, setItem } from '../records';

// Forms in which tokens are compared. First, as written, and with abstracted names (replaced by their kind).
export const writtenForm: u32 = 0;
export const abstractedForm: u32 = 1;
/** Only words, which are names and literals, regardless of their kind. Other tokens match nothing. */
export const wordForm: u32 = 2;
const formCount: u32 = 3;

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

/** A table of the tokens in a right passage, in one form. */
@unmanaged class TokenTable {
  slots: usize;
  stamp: u32;
  /** Tokens [start, end) of the passage in the table. */
  start: u32;
  end: u32;
}

@unmanaged export class CommonTokens {
  /** Address of the tables of all forms. Each is followed by its slots. */
  tables: usize;
  /**
   * Address of a bit set with one bit for each token of the right passage. If the subsequence contains the token, its
   * bit is cleared.
   */
  columns: usize;

  @inline tableOf(form: u32): TokenTable {
    return changetype<TokenTable>(this.tables + <usize>form * (recordBytes<TokenTable>() + tableBytes));
  }
}

let common = changetype<CommonTokens>(0);

const tablesBytes: usize = <usize>formCount * (recordBytes<TokenTable>() + tableBytes);
const scratchAt = reserve(recordBytes<CommonTokens>() + tablesBytes + maxWords * 8);

export function placeCommonTokens(scratch: usize): void {
  scratch += scratchAt;
  common = newRecord<CommonTokens>(scratch);
  common.tables = scratch + recordBytes<CommonTokens>();
  common.columns = common.tables + tablesBytes;
  memory.fill(common.tables, 0, tablesBytes);
  for (let form: u32 = 0; form < formCount; form++) {
    const table = common.tableOf(form);
    table.slots = changetype<usize>(table) + recordBytes<TokenTable>();
  }
}

/** Returns empty tables, for the current documents. */
export function openCommonTokens(): CommonTokens {
  for (let form: u32 = 0; form < formCount; form++) common.tableOf(form).end = 0;
  return common;
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

/** Returns a token in one of the forms. A token that matches nothing becomes a separator. */
@inline function inForm(token: u32, form: u32): u32 {
  if (form == wordForm) return isName(token) ? token | kindMask : separator;
  return form == abstractedForm ? abstractToken(token) : token;
}

/**
 * Returns the length of the longest common subsequence of the left tokens [a0, a1) and the right tokens [b0, b1) in one
 * of the forms. The right passage has at most `maxCommonTokens` tokens. If it is the same as in the previous call for
 * this form, reuses its table.
 *
 * @param minLength  if the length is less than this, returns 0, because the exact number does not matter then
 */
export function commonTokens(common: CommonTokens, a0: u32, a1: u32, b0: u32, b1: u32, form: u32, minLength: f64): u32 {
  const words = (<usize>(b1 - b0) + 63) >> 6;
  const table = common.tableOf(form);
  if (table.start != b0 || table.end != b1) fillTable(table, b0, b1, form, words);
  const columns = common.columns;
  memory.fill(columns, 0xff, words << 3);
  for (let i = a0; i < a1; i++) {
    // Each remaining token can add one token to the subsequence.
    if (((i - a0) & 31) == 31 && <f64>(clearedColumns(columns, words) + a1 - i) < minLength) return 0;
    const record = slotOf(table, inForm(leftToken(i), form));
    if (record.stamp != table.stamp) continue;
    let carry: u64 = 0;
    for (let w: usize = 0; w < words; w++) {
      const column = itemOf<u64>(columns, w);
      const matching = column & itemOf<u64>(record.bits, w);
      const sum = column + matching;
      const total = sum + carry;
      carry = u64(sum < column) | u64(total < sum);
      setItem<u64>(columns, w, total | (column & ~matching));
    }
  }
  const length = clearedColumns(columns, words);
  return <f64>length < minLength ? 0 : length;
}

/**
 * Returns the length of the subsequence so far. Each cleared bit is one token of it. Bits beyond the end of the passage
 * are never cleared.
 */
function clearedColumns(columns: usize, words: usize): u32 {
  let cleared: u32 = 0;
  for (let w: usize = 0; w < words; w++) cleared += 64 - <u32>popcnt(itemOf<u64>(columns, w));
  return cleared;
}

function fillTable(table: TokenTable, start: u32, end: u32, form: u32, words: usize): void {
  table.start = start;
  table.end = end;
  table.stamp++;
  for (let i: u32 = 0; i < end - start; i++) {
    const token = inForm(rightToken(start + i), form);
    if (form == wordForm && token == separator) continue;
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
