/**
 * Interactive examples in docstrings and pages, as in Python's doctest: lines of code with prompts, followed by the
 * output, which is not code.
 *
 *   >>> for name in names:
 *   ...     print(name)
 *   first
 */
import { afterBlanks, find, isAt, isBlankLine, lineEndAfter, lineStartOf } from './asciiText.ts';

/** The code on a line of an example: the bytes [start, end) after the prompt. */
export interface ExampleLine {
  readonly start: number;
  readonly end: number;
  /** True if only output is between the previous line of code and this one. */
  readonly goesOn: boolean;
}

/** Returns true if the line at `line` has a prompt. */
export function isExample(bytes: Uint8Array, line: number): boolean {
  return isPrompt(bytes, '>>>', afterBlanks(bytes, line));
}

/** Returns the lines of code in all examples within the bytes [start, end), ascending. Takes linear time. */
export function exampleLines(bytes: Uint8Array, start: number, end: number): ExampleLine[] {
  const lines: ExampleLine[] = [];
  const first = find(bytes, '>>>', start);
  if (first < 0 || first >= end) return lines;
  // Kind of the previous line. `blank` is a blank line after output.
  let before = 'other' as 'other' | 'code' | 'output' | 'blank';
  for (let line = Math.max(start, lineStartOf(bytes, first)); line < end;) {
    const next = Math.min(lineEndAfter(bytes, line), end);
    const prompt = afterBlanks(bytes, line);
    if (isPrompt(bytes, '>>>', prompt) || (before === 'code' && isPrompt(bytes, '...', prompt))) {
      lines.push({ start: prompt + 3, end: endOfCode(bytes, prompt + 3, next), goesOn: before !== 'other' });
      before = 'code';
    } else if (isBlankLine(bytes, line)) {
      if (before !== 'other') before = 'blank';
    } else {
      before = before === 'code' || before === 'output' ? 'output' : 'other';
    }
    line = next;
  }
  return lines.filter((line) => line.start < line.end);
}

const space = 32;

function isPrompt(bytes: Uint8Array, mark: string, at: number): boolean {
  return isAt(bytes, mark, at) && (at + 3 >= bytes.length || bytes[at + 3] <= space);
}

/** Returns the end of the code at `start`: the start of the next line, or the docstring's end on this line. */
function endOfCode(bytes: Uint8Array, start: number, next: number): number {
  let end = next;
  while (end > start && bytes[end - 1] <= space) end--;
  return end - start >= 3 && (isAt(bytes, '"""', end - 3) || isAt(bytes, "'''", end - 3)) ? end - 3 : next;
}
