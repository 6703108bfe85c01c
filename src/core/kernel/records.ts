// Records of one thread. All threads share one memory, so a record is in scratch memory that belongs to a thread. A module
// has one record there, and its tables after it.

/** Returns the size of a record, rounded up so that the tables after it are aligned to 16. */
@inline export function recordBytes<T>(): usize {
  return (offsetof<T>() + 15) & ~15;
}

/** Returns the record at an address. Its fields are set to 0. */
@inline export function newRecord<T>(address: usize): T {
  memory.fill(address, 0, offsetof<T>());
  return changetype<T>(address);
}

/** Returns a record of a list at an address. */
@inline export function itemOf<T>(list: usize, i: u32): T {
  return changetype<T>(list + <usize>i * offsetof<T>());
}
