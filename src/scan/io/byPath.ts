/**
 * Compares by path, for the order of listings and reports. It compares UTF-16 code units, so the order does not depend
 * on the machine.
 */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}
