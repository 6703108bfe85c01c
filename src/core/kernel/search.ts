// Binary search in records that are sorted by one of their fields.
import { itemOf } from './records';

/**
 * Returns the number of records in which a field is at most `value`. The field is a u32 at the offset `field`.
 * Precondition: the records are sorted by it.
 */
@inline export function countUpTo<T>(value: u32, records: usize, count: u32, field: usize): u32 {
  let low: u32 = 0,
    high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(changetype<usize>(itemOf<T>(records, middle)) + field) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
