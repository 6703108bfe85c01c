/** Changed lines of files between the base and now, as in a diff without context. Lines count from 1. */

/** Lines that replace other lines. */
export interface Hunk {
  /** First replaced line of the base; the preceding line if none is replaced. */
  readonly baseStart: number;
  readonly baseCount: number;
  /** The same for the current lines. */
  readonly start: number;
  readonly count: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export interface FileChange {
  /** `undefined` for a removed file. */
  readonly path: string | undefined;
  /** `undefined` for an added file. */
  readonly basePath: string | undefined;
  /** In order. For an added or removed file, a single hunk with all lines. */
  readonly hunks: readonly Hunk[];
}

/** Range of lines, including the end. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** Range of lines on the other side, and the number of unchanged lines in it. */
export interface MappedRange extends LineRange {
  readonly kept: number;
}

/** Length of a hunk with all lines, above that of any file. */
const allLines = 2 ** 31;

export function addedFile(path: string): FileChange {
  const hunk = { baseStart: 0, baseCount: 0, start: 1, count: allLines, removed: [], added: [] };
  return { path, basePath: undefined, hunks: [hunk] };
}

export function removedFile(basePath: string): FileChange {
  const hunk = { baseStart: 1, baseCount: allLines, start: 0, count: 0, removed: [], added: [] };
  return { path: undefined, basePath, hunks: [hunk] };
}

/** Returns the hunks with both sides swapped. */
export function reversed(hunks: readonly Hunk[]): Hunk[] {
  return hunks.map(({ baseStart, baseCount, start, count, removed, added }) => ({
    baseStart: start,
    baseCount: count,
    start: baseStart,
    count: baseCount,
    removed: added,
    added: removed,
  }));
}

/** Returns the hunks that add nonblank lines in a range, or only remove lines there. */
export function hunksWithin(hunks: readonly Hunk[], { startLine, endLine }: LineRange): Hunk[] {
  return hunks.filter((hunk) => {
    if (isBlank(hunk)) return false;
    // Removed lines were between two lines, both of which must be in the range.
    if (hunk.count === 0) return startLine <= hunk.start && hunk.start < endLine;
    return hunk.start <= endLine && hunk.start + hunk.count > startLine;
  });
}

/** True if a nonblank line of a range was added. */
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
 * Returns the base lines that correspond to current lines, in order: unchanged lines, and replaced ones line by line,
 * up to the shorter length. Added lines correspond to none.
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
 * Returns the base range of current lines; replaced lines map to the lines that they replace. Returns `undefined` if
 * none of them existed. With `reversed` hunks, maps from the base.
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

/**
 * @param side  selects the base line of a replaced one: all of the hunk if nothing is kept, otherwise as many lines as
 *   there are now
 */
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
