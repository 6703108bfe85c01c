// Records of one thread. All threads share one memory, so a record is in scratch memory that belongs to one thread.
// Each module has a record there, followed by its tables.

/** Returns the size of a record in bytes, rounded up to a multiple of 16, so that the tables after it are aligned. */
@inline export function recordBytes<T>(): usize {
  return (offsetof<T>() + 15) & ~15;
}

/** Clears the record at an address and returns it. */
@inline export function newRecord<T>(address: usize): T {
  memory.fill(address, 0, offsetof<T>());
  return changetype<T>(address);
}

/** Returns record number i of a list. */
@inline export function itemOf<T>(list: usize, i: u32): T {
  return changetype<T>(list + <usize>i * offsetof<T>());
}
