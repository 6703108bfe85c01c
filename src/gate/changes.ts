/** What has changed in files between the base and now, as lines: what a diff without context says. Lines count from 1. */

/** A run of lines that stands in the place of another one. */
export interface Hunk {
  /** The first line of the base that it replaces; the line it follows when it replaces none. */
  readonly baseStart: number;
  readonly baseCount: number;
  /** The same of the lines that are there now. */
  readonly start: number;
  readonly count: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** A file that is not what it was. */
export interface FileChange {
  /** Undefined when it is gone. */
  readonly path: string | undefined;
  /** Undefined when it was not there. */
  readonly basePath: string | undefined;
  /** In order; of a file that came or went one that has all lines. */
  readonly hunks: readonly Hunk[];
}

/** A run of lines, the end included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** Where a run of lines is on the other side, and how many of its lines are there unchanged. */
export interface MappedRange extends LineRange {
  readonly kept: number;
}

/** A hunk of all lines there are: more than a file can have. */
const allLines = 2 ** 31;

/** A file that was not in the base. */
export function addedFile(path: string): FileChange {
  const hunk = { baseStart: 0, baseCount: 0, start: 1, count: allLines, removed: [], added: [] };
  return { path, basePath: undefined, hunks: [hunk] };
}

/** A file that is gone. */
export function removedFile(basePath: string): FileChange {
  const hunk = { baseStart: 1, baseCount: allLines, start: 0, count: 0, removed: [], added: [] };
  return { path: undefined, basePath, hunks: [hunk] };
}

/** The hunks from the point of view of the base: what was added is removed. */
export function reversed(hunks: readonly Hunk[]): Hunk[] {
  return hunks.map(({ baseStart, baseCount, start, count, removed, added }) => ({
    ...{ baseStart: start, baseCount: count, start: baseStart, count: baseCount },
    ...{ removed: added, added: removed },
  }));
}

/** The hunks that add lines which are not all blank in a range, or replace some by nothing there. */
export function hunksWithin(hunks: readonly Hunk[], { startLine, endLine }: LineRange): Hunk[] {
  return hunks.filter((hunk) => {
    if (isBlank(hunk)) return false;
    // Lines that were taken out stood between two lines: both are in the range.
    if (hunk.count === 0) return startLine <= hunk.start && hunk.start < endLine;
    return hunk.start <= endLine && hunk.start + hunk.count > startLine;
  });
}

/** Whether some line of a range was added, blank ones aside. */
export function hasAddedLine(hunks: readonly Hunk[], { startLine, endLine }: LineRange): boolean {
  return hunks.some(({ start, count, added }) => {
    if (count === 0 || start > endLine || start + count <= startLine) return false;
    if (added.length === 0) return true;
    const from = Math.max(startLine - start, 0);
    return added.slice(from, endLine - start + 1).some((line) => line.trim() !== '');
  });
}

function isBlank({ count, baseCount, added, removed }: Hunk): boolean {
  if (added.length < count || removed.length < baseCount) return false;
  return [...added, ...removed].every((line) => line.trim() === '');
}

/**
 * The lines of the base that lines of now stand for, in order: those that were not touched, and of a run that replaces another
 * one line for line, as far as both go. Lines that were added stand for none.
 */
export function baseLines(hunks: readonly Hunk[], { startLine, endLine }: LineRange): number[] {
  const lines: number[] = [];
  let [offset, next] = [0, 0];
  for (let line = startLine; line <= endLine; line++) {
    for (; next < hunks.length; next++) {
      const { start, count, baseCount } = hunks[next]!;
      if (count === 0 ? start >= line : start + count > line) break;
      offset += baseCount - count;
    }
    const hunk = hunks[next];
    if (hunk === undefined || hunk.count === 0 || hunk.start > line) lines.push(line + offset);
    else if (line - hunk.start < hunk.baseCount) lines.push(hunk.baseStart + line - hunk.start);
  }
  return lines;
}

/**
 * Where lines that are there now were in the base: those that were replaced are where what they replace was. Undefined when
 * nothing of them was there. With `reversed` hunks it is the other way round.
 */
export function baseRange(hunks: readonly Hunk[], { startLine, endLine }: LineRange): MappedRange | undefined {
  let kept = endLine - startLine + 1;
  for (const { start, count } of hunks) {
    const common = Math.min(endLine, start + count - 1) - Math.max(startLine, start) + 1;
    if (count > 0 && common > 0) kept -= common;
  }
  const mapped = {
    startLine: baseLine(hunks, startLine, kept > 0 ? 'start' : 'start of all'),
    endLine: baseLine(hunks, endLine, kept > 0 ? 'end' : 'end of all'),
    kept,
  };
  return mapped.endLine < mapped.startLine ? undefined : mapped;
}

/** @param side  of what was replaced, all counts when nothing is kept, else as many lines as there are now up to what is kept */
function baseLine(hunks: readonly Hunk[], line: number, side: 'start' | 'end' | 'start of all' | 'end of all'): number {
  let offset = 0;
  for (const { baseStart, baseCount, start, count } of hunks) {
    if (count === 0) {
      if (start < line) offset += baseCount;
      continue;
    }
    if (start > line) break;
    if (start + count > line) {
      const first = baseCount === 0 ? baseStart + 1 : baseStart;
      switch (side) {
        case 'start of all':
          return first;
        case 'end of all':
          return first + baseCount - 1;
        case 'start':
          return first + baseCount - Math.min(baseCount, start + count - line);
        case 'end':
          return first - 1 + Math.min(baseCount, line - start + 1);
      }
    }
    offset += baseCount - count;
  }
  return line + offset;
}
