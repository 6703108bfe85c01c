/** Formats a passage's lines as "12-40", or "12" for a single line. */
export function linesOf({ startLine, endLine }: { readonly startLine: number; readonly endLine: number }): string {
  return startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
}
