// Radix sort: one pass over records, and the sums of counts, which other distributions need, too.
import { addressAt, bytesOf } from './records';

/**
 * Moves n records to `to`, ordered by one digit of a field, its bits from `shift` on. The order of records with the
 * same digit stays.
 *
 * @param size    size of a record, 8 or 16 bytes
 * @param field   offset of the field, a number of type `Field`
 * @param last    greatest digit, a power of 2 minus 1
 * @param counts  `last` + 1 words
 */
@inline export function sortByDigit<Field>(
  from: usize,
  to: usize,
  n: u32,
  size: usize,
  field: usize,
  shift: Field,
  last: u32,
  counts: usize,
): void {
  const end = from + <usize>n * size;
  memory.fill(counts, 0, bytesOf<u32>(last + 1));
  for (let at = from; at < end; at += size) {
    const slot = addressAt<u32>(counts, (<usize>(load<Field>(at + field) >> shift)) & last);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  startsOfCounts(counts, last + 1, 0);
  for (let at = from; at < end; at += size) {
    const slot = addressAt<u32>(counts, (<usize>(load<Field>(at + field) >> shift)) & last);
    const place = load<u32>(slot);
    store<u32>(slot, place + 1);
    if (size == 16) v128.store(to + <usize>place * size, v128.load(at));
    else store<u64>(to + <usize>place * size, load<u64>(at));
  }
}

/** Replaces the number of items in each list by the place at which the list begins. The first begins at `start`. */
@inline export function startsOfCounts(counts: usize, n: u32, start: u32): void {
  let sum = start;
  for (let slot = counts; slot < addressAt<u32>(counts, n); slot += 4) {
    const count = load<u32>(slot);
    store<u32>(slot, sum);
    sum += count;
  }
}
