// Odd factors for multiplicative hashing. The upper bits of a product depend on all bits of the hashed value (Knuth
// 1998, section 6.4).

/** 2³² and 2⁶⁴ divided by the golden ratio. */
export const golden32: u32 = 0x9e3779b1;
export const golden64: u64 = 0x9e3779b97f4a7c15;
/** Factor of the finalizer of MurmurHash3 (Appleby 2011). */
export const murmur32: u32 = 0x85ebca6b;
