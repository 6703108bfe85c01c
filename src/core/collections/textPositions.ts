/**
 * Positions in texts. Lines and columns count from 1. Two passages on the same line do not always overlap: all cells of
 * a notebook may be on one line of its file, as may be the statements of a minified script.
 */
interface Place {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Returns true if two passages of one file have text in common. */
export function overlap(x: Place, y: Place): boolean {
  return startsBeforeEnd(x, y) && startsBeforeEnd(y, x);
}

/** Returns the number of lines that two passages of one file have in common; 0 if no text is in both. */
export function sharedLines(x: Place, y: Place): number {
  return overlap(x, y) ? Math.min(x.endLine, y.endLine) - Math.max(x.startLine, y.startLine) + 1 : 0;
}

function startsBeforeEnd({ startLine, startColumn }: Place, { endLine, endColumn }: Place): boolean {
  return startLine < endLine || (startLine === endLine && startColumn < endColumn);
}

/** Returns the line of an offset, from 1. A line ends with CR, LF, or both, as in VS Code. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\r|\n/).length;
}
