/**
 * Compares by path, in the order of listings and reports. UTF-16 code units are compared, so the order is the same on
 * every machine.
 */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}
