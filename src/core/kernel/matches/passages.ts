// The passages of the current match: tokens [startA, endA) and [startB, endB).

export let startA: u32 = 0;
export let endA: u32 = 0;
export let startB: u32 = 0;
export let endB: u32 = 0;

export function setPassages(fromA: u32, toA: u32, fromB: u32, toB: u32): void {
  startA = fromA;
  endA = toA;
  startB = fromB;
  endB = toB;
}
