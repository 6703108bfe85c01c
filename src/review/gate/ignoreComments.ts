/**
 * Finds comments that mark copies as intended, including comments for other tools:
 *
 *   kindred-ignore-start … kindred-ignore-end   ignores the lines between them
 *   kindred-ignore-next                         ignores the statement, function, or paragraph below
 *   kindred-ignore-file                         ignores the file
 *   jscpd:ignore-start … jscpd:ignore-end, CPD-OFF … CPD-ON, noinspection DuplicatedCode (as `next`)
 *
 * The rest of the line after the marker is the reason.
 */
import type { Passage } from '../../core/engine/report/report.ts';
import type { LineRange } from './changes.ts';

/** Lines that a comment ignores. They include the comment itself. */
export interface IgnoredRegion extends LineRange {
  /** Line of the comment, counted from 1. */
  readonly line: number;
  /** The marker as it is written in the source. */
  readonly marker: string;
  /** Reason that the comment states, or `undefined` if it states none. */
  readonly reason: string | undefined;
}

/** Strings for a quick check: if a text contains none of them, it has no ignore comments. */
export const ignoreMarkers = ['kindred-ignore-', 'jscpd:ignore-', 'CPD-O', 'noinspection'] as const;

/** Matches the beginning of a comment in any language, alone on its line, followed by a marker. */
const comment =
  /(?:\/\/|\/\*|\*|#|--|<!--|;|%|\(\*|\{-|'''|""")[\s*!#/;%-]*(kindred-ignore-(?:start|end|next|file)|jscpd:ignore-(?:start|end)|CPD-(?:OFF|ON)|noinspection\s+(?:[\w.]+\s*,\s*)*DuplicatedCode)(?![\w-])(.*)$/;

/** Matches the beginning of a Jupyter notebook, which is JSON. */
const notebookStart = /^\s*\{\s*"(?:cells|metadata|nbformat|nbformat_minor|worksheets)"\s*:/;

/**
 * If a line in the JSON of a notebook is a line of a cell, such as ` "x = 1\n",`, returns the text of that line.
 * Otherwise returns the line unchanged.
 */
function lineOfCell(line: string): string {
  return /^\s*"(.*?)(?:\\n)?",?$/.exec(line)?.[1] ?? line;
}

type Role = 'start' | 'end' | 'next' | 'file';

/**
 * Returns the regions of a text that its comments ignore, in the order of the comments. If a region is not closed, it
 * extends to the end of the text.
 */
export function ignoredRegions(text: string): IgnoredRegion[] {
  if (!ignoreMarkers.some((marker) => text.includes(marker))) return [];
  const written = text.split(/\r\n|\n|\r/);
  const lines = notebookStart.test(text) ? written.map(lineOfCell) : written;
  const regions: IgnoredRegion[] = [];
  let open: IgnoredRegion | undefined;
  for (const [place, content] of lines.entries()) {
    const [, marker, rest = ''] = comment.exec(content) ?? [];
    if (marker === undefined) continue;
    const line = place + 1;
    const region = { line, startLine: line, endLine: lines.length, marker, reason: reasonIn(rest) };
    switch (roleOf(marker)) {
      case 'start':
        open ??= region;
        break;
      case 'end':
        if (open) regions.push({ ...open, endLine: line });
        open = undefined;
        break;
      case 'next':
        regions.push({ ...region, endLine: endOfNext(lines, line) });
        break;
      case 'file':
        regions.push({ ...region, startLine: 1 });
        break;
    }
  }
  if (open) regions.push(open);
  return regions.sort((x, y) => x.line - y.line);
}

function roleOf(marker: string): Role {
  if (marker.endsWith('start') || marker === 'CPD-OFF') return 'start';
  if (marker.endsWith('end') || marker === 'CPD-ON') return 'end';
  return marker.endsWith('file') ? 'file' : 'next';
}

function reasonIn(rest: string): string | undefined {
  const reason = rest
    .replace(/\s*(?:\*+\/|-->|\*\)|-\}|'''|""")\s*\}?\s*$/, '')
    .replace(/^[\s:,–—-]+/, '')
    .trim();
  return reason === '' ? undefined : reason;
}

/**
 * Returns the last line of the statement, function, or paragraph below a comment. It consists of its first line, lines
 * with deeper indentation, and closing lines.
 *
 * @param line  line of the comment, counted from 1
 */
function endOfNext(lines: readonly string[], line: number): number {
  let first = line;
  while (first < lines.length && lines[first]!.trim() === '') first++;
  if (first >= lines.length) return lines.length;
  const indentation = indentationOf(lines[first]!);
  let end = first;
  for (let at = first + 1; at < lines.length; at++) {
    const content = lines[at]!;
    if (content.trim() === '') {
      // A paragraph ends at a blank line, but a block of code may continue after one.
      if (end === at - 1 && !goesOn(lines, at, indentation)) break;
      continue;
    }
    const isInside = indentationOf(content) > indentation;
    const closes =
      indentationOf(content) === indentation && /^\s*(?:[)\]}{]|end\b|else\b|catch\b|finally\b)/.test(content);
    const heads = end === first && at === first + 1 && /^\s*(?:@|#\[|\/\*\*?|\*|\/\/)/.test(lines[first]!);
    if (!isInside && !closes && !heads && !isProse(lines, first)) break;
    end = at;
  }
  return end + 1;
}

/** Returns true if a block of code continues after blank lines. */
function goesOn(lines: readonly string[], at: number, indentation: number): boolean {
  const next = lines.slice(at).find((content) => content.trim() !== '');
  return next !== undefined && (indentationOf(next) > indentation || /^\s*[)\]}]/.test(next));
}

/** Returns true if a line begins a paragraph of prose, because it neither ends a statement nor opens a block. */
function isProse(lines: readonly string[], first: number): boolean {
  return /^[\p{L}\p{N}"'(*_[>-]/u.test(lines[first]!) && !/[;{}():=,]\s*$/.test(lines[first]!);
}

function indentationOf(content: string): number {
  return content.length - content.trimStart().length;
}

/** Returns the region that contains most lines of a passage, or `undefined` if no region does. */
export function regionAround(
  { startLine, endLine }: Passage,
  regions: readonly IgnoredRegion[],
): IgnoredRegion | undefined {
  return regions.find((region) => {
    const common = Math.min(endLine, region.endLine) - Math.max(startLine, region.startLine) + 1;
    return 2 * common > endLine - startLine + 1;
  });
}
