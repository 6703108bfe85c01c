/**
 * Copies an array, and zeroes the padding after it, so that equal documents have equal bytes. In JavaScript, copying
 * between views of shared memory is far slower.
 */
export function copyArray(to: usize, from: usize, size: u32): void {
  memory.copy(to, from, size);
  const end = to + <usize>size;
  memory.fill(end, 0, ((end + 7) & ~7) - end);
}
