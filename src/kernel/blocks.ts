// Blocks of memory that are given back: free lists by size. Sizes are rounded up to units of 16 bytes, and past eight of
// these to four steps in each doubling, so that a block lost to rounding is a fifth of itself at most and what one
// document gave back fits the next version of it. For one thread only: the one that keeps the corpus.

/** Fresh memory, of as many bytes. Throws when there is none. */
@external("env", "allocate")
declare function allocate(size: usize): usize;

const unitShift: usize = 4;
const classes: usize = 128;

let lists: usize = 0; // for each class the first free block, whose first word is the next one; 0 ends it

export function blockListBytes(): usize {
  return classes << 2;
}

/** Starts with no free blocks; `table` has `blockListBytes` bytes. */
export function prepareBlocks(table: usize): void {
  lists = table;
  memory.fill(table, 0, classes << 2);
}

/** Units of the class that has room for so many. */
@inline function roundedUnits(units: u32): u32 {
  if (units <= 8) return units;
  const step: u32 = 1 << (29 - clz(units - 1));
  return (units + step - 1) & ~(step - 1);
}

@inline function listOf(units: u32): usize {
  if (units <= 8) return lists + (<usize>units << 2);
  const power: u32 = 31 - clz(units - 1);
  return lists + (<usize>((power << 2) + (((units - 1) >> (power - 2)) & 3)) << 2);
}

@inline function unitsOf(size: usize): u32 {
  return max<u32>(1, <u32>((size + 15) >> unitShift));
}

/** The bytes that a block for `size` bytes really has. */
export function blockRoom(size: usize): usize {
  return <usize>roundedUnits(unitsOf(size)) << unitShift;
}

export function allocateBlock(size: usize): usize {
  const units = roundedUnits(unitsOf(size));
  const list = listOf(units);
  const block = <usize>load<u32>(list);
  if (!block) return allocate(<usize>units << unitShift);
  store<u32>(list, load<u32>(block));
  return block;
}

/** Gives back what `allocateBlock` gave for this size. */
export function freeBlock(block: usize, size: usize): void {
  const list = listOf(roundedUnits(unitsOf(size)));
  store<u32>(block, load<u32>(list));
  store<u32>(list, <u32>block);
}

/** Takes memory of any other origin, `size` bytes aligned to 16; what does not fill a class is lost. */
export function donateBlock(block: usize, size: usize): void {
  let units = <u32>(size >> unitShift);
  if (!units) return;
  if (units > 8) units &= ~((<u32>1 << (29 - clz(units))) - 1);
  freeBlock(block, <usize>units << unitShift);
}
