/** Compares by path, for listings and reports. UTF-16 code units make the order the same on all machines. */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}
