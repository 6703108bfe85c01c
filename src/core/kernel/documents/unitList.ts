// The units of a document while they are searched.
import { itemOf } from '../records';
import { minUnitTokens, roleIn, Unit } from './unit';

/** State of the search for units in the current document. */
@unmanaged export class Units {
  tokens: usize;
  /** Address of the word table; see unit.ts. */
  words: usize;
  /** Address of the unit records, maximum number of records, and number of records that have been written. */
  records: usize;
  room: u32;
  count: u32;
  /**
   * Address of the nesting levels, and number of the innermost level. Level 0 is outside of all brackets. In a text
   * with indented blocks, the memory holds the open blocks instead.
   */
  levels: usize;
  depth: u32;
  /** True if a line that begins with an operator continues the statement before it. */
  hasOperatorLines: bool;
}

export let units = changetype<Units>(0);

/** Makes a record the current one. */
export function useUnits(record: Units): void {
  units = record;
}

@inline export function tokenAt(i: u32): u32 {
  return itemOf<u32>(units.tokens, i);
}

@inline function unitAt(i: u32): Unit {
  return itemOf<Unit>(units.records, i);
}

@inline export function roleOf(token: u32): u32 {
  return roleIn(units.words, token);
}

/** Adds an open unit. Returns its number + 1, or 0 if there is no room. */
export function openUnit(start: u32): u32 {
  if (units.count == units.room) return 0;
  const unit = unitAt(units.count++);
  unit.start = start;
  unit.end = 0;
  return units.count;
}

@inline export function closeUnit(number: u32, end: u32): void {
  if (number) unitAt(number - 1).end = end;
}

/**
 * Removes units that are too short or have no end, and sorts the others. Nearly all of them are already in order.
 * Returns the number of units that are left.
 */
export function sortedUnits(): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < units.count; i++) {
    const start = unitAt(i).start,
      end = unitAt(i).end;
    if (end < start + minUnitTokens) continue;
    let at = kept;
    while (at > 0 && (unitAt(at - 1).start > start || (unitAt(at - 1).start == start && unitAt(at - 1).end < end))) {
      unitAt(at).start = unitAt(at - 1).start;
      unitAt(at).end = unitAt(at - 1).end;
      at--;
    }
    if (at > 0 && unitAt(at - 1).start == start && unitAt(at - 1).end == end) {
      for (; at < kept; at++) {
        unitAt(at).start = unitAt(at + 1).start;
        unitAt(at).end = unitAt(at + 1).end;
      }
      continue;
    }
    unitAt(at).start = start;
    unitAt(at).end = end;
    kept++;
  }
  return kept;
}
