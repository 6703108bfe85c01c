// Allocator of memory blocks that can be released individually. Released blocks are merged with adjacent free blocks
// (boundary tags: Knuth 1997, section 2.5). They are found by size in two-level lists (Masmano, Ripoll, Crespo, Real
// 2004, section 3). Sizes are in units of 16 bytes. A block has no header, because millions of blocks are small. So the
// caller must pass the size of a block to release it. A bitmap of all units marks the first and last unit of each free
// block, so that free neighbors can be recognized.
//
//   first unit of a free block   next u32 | previous u32 | units u32 | -
//   last unit of a free block    - | - | - | units u32                     may be the first unit
//
// Only the thread that owns the corpus may use the allocator.
import { addressAt, itemOf, setItem } from './records';

/** Allocates memory in the arena. Throws if the memory is exhausted. */
@external("env", "allocate") declare function allocate(size: usize): usize;

const unitShift: usize = 4;

/**
 * First or last unit of a free block. If the block has several units, only the last one has `unitsBehind`, and only the
 * first one has the other fields.
 */
@unmanaged class FreeUnit {
  next: usize;
  previous: usize;
  units: u32;
  unitsBehind: u32;
}

/**
 * Free blocks are in lists by size class. Up to this size in units, each size is a class. Above it, each doubling of
 * the size has `1 << stepBits` classes.
 */
const exactUnits: u32 = 16;
const stepBits: u32 = 3;
const classes: u32 = 224;
const classWords: u32 = classes >> 5;
/**
 * Maximum number of blocks to examine in the list of the requested size's class. In the lists of larger classes, any
 * block is large enough.
 */
const tried: u32 = 32;
/** Number of units to request from the arena at once: 64 KiB. */
const freshUnits: u32 = 4096;

/** The bitmap is divided into parts of 32 KiB. Each part covers 4 MiB of memory. */
const partShift: u32 = 18;
const partBytes: usize = 1 << (partShift - 3);
/** Number of parts for 4 GiB, and one more that is never allocated. */
const parts: u32 = (1 << (28 - partShift)) + 1;

/**
 * Address of three tables. First, for each size class, its first free block, or 0. Second, for each size class, a bit
 * that is set if it has free blocks. Third, for each part of the bitmap, its address, or 0 if it is not allocated.
 */
let lists: usize = 0;
const filledAt: usize = classes << 2;
const edgesAt: usize = filledAt + (classWords << 2);

export function blockListBytes(): usize {
  return (classes + classWords + parts) << 2;
}

/**
 * Initializes the allocator without free blocks.
 *
 * @param table  memory of `blockListBytes` bytes
 * @param used   number of units that are already allocated in the arena. Bitmap parts for them are allocated now, so
 *   that
 *               this memory can be donated later
 */
export function prepareBlocks(table: usize, used: u32): void {
  lists = table;
  memory.fill(table, 0, blockListBytes());
  cover(0, used);
}

@inline function unitsOf(size: usize): u32 {
  return max<u32>(1, <u32>((size + 15) >> unitShift));
}

@inline function addressOf(unit: u32): usize {
  return (<usize>unit) << unitShift;
}

/** Returns the size in bytes that a block really has if `size` bytes were requested. */
export function blockRoom(size: usize): usize {
  return (<usize>unitsOf(size)) << unitShift;
}

export function allocateBlock(size: usize): usize {
  const units = unitsOf(size);
  const block = findBlock(units);
  if (!block) return allocateFresh(units);
  const room = changetype<FreeUnit>(block).units;
  remove(block);
  if (room > units) insert(block + addressOf(units), room - units);
  return block;
}

/** Releases a block. `size` must be the size with which it was allocated. */
export function freeBlock(block: usize, size: usize): void {
  releaseUnits(<u32>(block >> unitShift), unitsOf(size));
}

/**
 * Moves the content of a block to a new block of another size, and releases the old one. Returns the new address. A
 * block without content has the address 0.
 */
export function moveBlock(block: usize, used: usize, size: usize, other: usize): usize {
  let moved: usize = 0;
  if (other) {
    moved = allocateBlock(other);
    memory.copy(moved, block, used);
  }
  if (size) freeBlock(block, size);
  return moved;
}

/**
 * Adds memory that was allocated elsewhere, as free blocks. Only complete units are added, because adjacent memory may
 * be in use.
 */
export function donateBlock(block: usize, size: usize): void {
  const first = <u32>((block + 15) >> unitShift);
  const end = <u32>((block + size) >> unitShift);
  if (end <= first) return;
  cover(first, end);
  releaseUnits(first, end - first);
}

/** Returns a free block with at least `units` units, for small sizes, or 0 if there is none. */
function findBlock(units: u32): usize {
  const own = classOf(units);
  let best: usize = 0;
  let room: u32 = u32.MAX_VALUE;
  let block = <usize>itemOf<u32>(lists, own);
  for (let i: u32 = 0; block && i < tried; i++) {
    const theirs = changetype<FreeUnit>(block).units;
    if (theirs == units) return block;
    if (theirs > units && theirs < room) {
      best = block;
      room = theirs;
    }
    block = changetype<FreeUnit>(block).next;
  }
  if (best) return best;
  let word = (own + 1) >> 5;
  let bits = word < classWords ? load<u32>(addressAt<u32>(lists, word), filledAt) & ((<u32>-1) << ((own + 1) & 31)) : 0;
  while (!bits) {
    if (++word >= classWords) return 0;
    bits = load<u32>(addressAt<u32>(lists, word), filledAt);
  }
  return <usize>itemOf<u32>(lists, (word << 5) + ctz(bits));
}

function allocateFresh(units: u32): usize {
  const taken = max(units, freshUnits);
  const block = allocate(addressOf(taken));
  const first = <u32>(block >> unitShift);
  cover(first, first + taken);
  if (taken > units) releaseUnits(first + units, taken - units);
  return block;
}

/** Merges released units with adjacent free blocks, and adds the result to the list of its size class. */
function releaseUnits(first: u32, units: u32): void {
  if (isEdge(first + units)) {
    const behind = addressOf(first + units);
    units += changetype<FreeUnit>(behind).units;
    remove(behind);
  }
  if (isEdge(first - 1)) {
    const before = changetype<FreeUnit>(addressOf(first - 1)).unitsBehind;
    first -= before;
    units += before;
    remove(addressOf(first));
  }
  insert(addressOf(first), units);
}

// ---------------------------------------------------------------------------------------------------------------------
// Lists

@inline function classOf(units: u32): u32 {
  if (units < exactUnits) return units;
  const power: u32 = 31 - clz(units);
  return exactUnits + ((power - 4) << stepBits) + ((units >> (power - stepBits)) & ((1 << stepBits) - 1));
}

function insert(block: usize, units: u32): void {
  const own = classOf(units);
  const list = addressAt<u32>(lists, own);
  const next = <usize>load<u32>(list);
  store<u32>(list, <u32>block);
  const free = changetype<FreeUnit>(block);
  free.next = next;
  free.previous = 0;
  free.units = units;
  changetype<FreeUnit>(block + addressOf(units - 1)).unitsBehind = units;
  if (next) changetype<FreeUnit>(next).previous = block;
  else {
    const word = addressAt<u32>(lists, own >> 5);
    store<u32>(word, load<u32>(word, filledAt) | ((<u32>1) << (own & 31)), filledAt);
  }
  const first = <u32>(block >> unitShift);
  setEdge(first);
  setEdge(first + units - 1);
}

function remove(block: usize): void {
  const free = changetype<FreeUnit>(block);
  const units = free.units;
  const next = free.next;
  const previous = free.previous;
  if (next) changetype<FreeUnit>(next).previous = previous;
  if (previous) changetype<FreeUnit>(previous).next = next;
  else {
    const own = classOf(units);
    setItem<u32>(lists, own, <u32>next);
    if (!next) {
      const word = addressAt<u32>(lists, own >> 5);
      store<u32>(word, load<u32>(word, filledAt) & ~((<u32>1) << (own & 31)), filledAt);
    }
  }
  const first = <u32>(block >> unitShift);
  clearEdge(first);
  clearEdge(first + units - 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Bitmap of the first and last units of free blocks

/** Allocates the parts of the bitmap that cover the units [first, end). */
function cover(first: u32, end: u32): void {
  for (let part = first >> partShift; part << partShift < end; part++) {
    const place = addressAt<u32>(lists, part);
    if (load<u32>(place, edgesAt)) continue;
    const bits = allocate(partBytes);
    memory.fill(bits, 0, partBytes);
    store<u32>(place, <u32>bits, edgesAt);
  }
}

@inline function byteOf(unit: u32): usize {
  return (
    <usize>load<u32>(addressAt<u32>(lists, unit >> partShift), edgesAt) + <usize>((unit & ((1 << partShift) - 1)) >> 3)
  );
}

@inline function bitOf(unit: u32): u8 {
  const place = <u8>(unit & 7);
  return (<u8>1) << place;
}

@inline function isEdge(unit: u32): bool {
  if (!load<u32>(addressAt<u32>(lists, unit >> partShift), edgesAt)) return false;
  return (load<u8>(byteOf(unit)) & bitOf(unit)) != 0;
}

@inline function setEdge(unit: u32): void {
  const at = byteOf(unit);
  store<u8>(at, load<u8>(at) | bitOf(unit));
}

@inline function clearEdge(unit: u32): void {
  const at = byteOf(unit);
  store<u8>(at, load<u8>(at) & ~bitOf(unit));
}
