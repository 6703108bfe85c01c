/** Lines of files that have changed since the base, as in a diff without context. Lines count from 1. */

/** A block of consecutive lines that replaces a block of lines in the base. */
export interface Hunk {
  /** First line of the base that is replaced. If the hunk only adds lines, the line before the insertion. */
  readonly baseStart: number;
  readonly baseCount: number;
  /** First current line. If the hunk only removes lines, the line before them. */
  readonly start: number;
  readonly count: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export interface FileChange {
  /** Current path; `undefined` for a removed file. */
  readonly path: string | undefined;
  /** Path in the base; `undefined` for an added file. */
  readonly basePath: string | undefined;
  /** Hunks in order. An added or removed file has a single hunk with all lines. */
  readonly hunks: readonly Hunk[];
}

/** Range of lines; the end is inclusive. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** A file that differs from a commit, and the ranges of lines that it adds, in order. */
export interface ChangedFile {
  readonly path: string;
  readonly added: readonly LineRange[];
}

/** The range of lines on the other side that corresponds to a range, and its number of unchanged lines. */
export interface MappedRange extends LineRange {
  readonly kept: number;
}

/** Length of a hunk that represents a whole file. No file has this many lines. */
const allLines = 2 ** 31;

export function addedFile(path: string): FileChange {
  const hunk = { baseStart: 0, baseCount: 0, start: 1, count: allLines, removed: [], added: [] };
  return { path, basePath: undefined, hunks: [hunk] };
}

export function removedFile(basePath: string): FileChange {
  const hunk = { baseStart: 1, baseCount: allLines, start: 0, count: 0, removed: [], added: [] };
  return { path: undefined, basePath, hunks: [hunk] };
}

/** Returns the current files among changes. */
export function changedFilesIn(changes: readonly FileChange[]): ChangedFile[] {
  return changes.flatMap(({ path, hunks }) => {
    if (path === undefined) return [];
    const added = hunks.filter(({ count }) => count > 0);
    return [{ path, added: added.map(({ start, count }) => ({ startLine: start, endLine: start + count - 1 })) }];
  });
}

/** Returns the hunks with the base and the current side swapped. */
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

/** Returns the hunks, except blank ones, that add lines within a range, or remove lines between two of it. */
export function hunksWithin(hunks: readonly Hunk[], { startLine, endLine }: LineRange): Hunk[] {
  return hunks.filter((hunk) => {
    if (isBlank(hunk)) return false;
    // Removed lines were between two current lines. Both of these must be in the range.
    if (hunk.count === 0) return startLine <= hunk.start && hunk.start < endLine;
    return hunk.start <= endLine && hunk.start + hunk.count > startLine;
  });
}

/** Returns true if lines that are not blank were added within a range. */
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
 * Returns the base lines that correspond to a range of current lines, in order. In a changed block, lines correspond
 * one by one to the lines of the replaced block, as long as both have lines. Added lines correspond to nothing.
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
 * Returns the range of base lines that corresponds to a range of current lines. A changed block corresponds to the
 * block that it replaces. Returns `undefined` if nothing corresponds. With `reversed` hunks, converts base lines to
 * current lines.
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
 * @param side  end of the range to which the line belongs. With `start` and `end`, the range includes at most as many
 *   lines of a replaced block as it has lines of the changed block. With `start of all` and `end of all`, it includes
 *   the entire replaced block
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
