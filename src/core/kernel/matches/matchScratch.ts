// Scratch memory of matching, which a thread divides among the modules of matching. Each module reserves its part when
// the kernel is loaded. A size is therefore stated once, in the module that uses the memory, and the order of modules
// does not matter.

let reservedBytes: usize = 0;

/**
 * Reserves a part of the scratch memory, which `prepareMatching` must initialize. Returns its offset in bytes, a
 * multiple of 16.
 */
export function reserve(bytes: usize): usize {
  const offset = reservedBytes;
  reservedBytes += (bytes + 15) & ~15;
  return offset;
}

/** Returns the size in bytes of the scratch memory that `matchSeeds` needs. */
export function matchScratchBytes(): usize {
  return reservedBytes;
}
