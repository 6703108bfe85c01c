// Records of a thread. All threads share one memory, so records are in scratch memory that belongs to one thread. Each
// module has one record there, and its tables after it.

/** Returns the size of a record in bytes, rounded up to a multiple of 16, so that the tables after it are aligned. */
@inline export function recordBytes<T>(): usize {
  return (offsetof<T>() + 15) & ~15;
}

/** Clears the record at an address and returns it. */
@inline export function newRecord<T>(address: usize): T {
  memory.fill(address, 0, offsetof<T>());
  return changetype<T>(address);
}

/** Returns the record at an index of a list. */
@inline export function itemOf<T>(list: usize, i: u32): T {
  return changetype<T>(list + <usize>i * offsetof<T>());
}
