/**
 * Copies an array and zeroes the bytes before the next one, so that equal documents have equal bytes on every thread.
 * Views of shared memory copy far more slowly.
 */
export function copyArray(to: usize, from: usize, size: u32): void {
  memory.copy(to, from, size);
  const end = to + <usize>size;
  memory.fill(end, 0, ((end + 7) & ~7) - end);
}
