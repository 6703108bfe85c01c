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

/** Returns an item of a list by its index: a record, or a number of type `T`. */
@inline export function itemOf<T>(list: usize, i: usize): T {
  if (isReference<T>()) return changetype<T>(list + i * offsetof<T>());
  return load<T>(addressAt<T>(list, i));
}

/** Sets a number in a list of numbers of type `T`. */
@inline export function setItem<T>(list: usize, i: usize, value: T): void {
  store<T>(addressAt<T>(list, i), value);
}

/** Returns the address of a number in a list of numbers of type `T`. */
@inline export function addressAt<T>(list: usize, i: usize): usize {
  return list + bytesOf<T>(i);
}

/** Returns the size in bytes of a list of `count` numbers of type `T`. */
@inline export function bytesOf<T>(count: usize): usize {
  return count << alignof<T>();
}
