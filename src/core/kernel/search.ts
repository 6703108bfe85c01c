// Binary search in records that ascend by one of their fields.
import { itemOf } from './records';

/** Returns the number of leading records whose field, a u32 at the offset `field`, is not greater than a value. */
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
