/**
 * Copies an array, and fills the padding after it with zeros, so that equal documents have equal bytes. JavaScript
 * would be far slower at copying between views of shared memory.
 */
export function copyArray(to: usize, from: usize, size: u32): void {
  memory.copy(to, from, size);
  const end = to + <usize>size;
  memory.fill(end, 0, ((end + 7) & ~7) - end);
}
