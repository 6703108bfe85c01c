/** Reads the first lines of passages, for previews. */
import path from 'node:path';
import type { Passage } from '../../core/engine/report/report.ts';
import { PassageTokens } from '../../core/engine/passageTokens.ts';
import { readSource } from '../../scan/io/readSource.ts';
import { printable } from '../../presentation/wording/printable.ts';

/**
 * Returns the first lines of a passage that have code or text, without common indentation and truncated to a width.
 * Skips lines of comments, unless the passage begins with nothing else. Returns none if the file can no longer be read.
 */
export function previewOf(passage: Passage, root: string, lineCount: number, width: number): string[] {
  const file = { file: path.join(root, passage.path), path: passage.path };
  const source = readSource(file, { maxFileSizeBytes: 2 ** 30, generated: true }, (size) => Buffer.allocUnsafe(size));
  if ('skipped' in source) return [];
  const lines = linesOf(Buffer.from(source.bytes.buffer, source.bytes.byteOffset, source.bytes.length), passage);
  const telling = tellingLines(lines, passage.path).slice(0, lineCount);
  const indentation = Math.min(...telling.map((line) => line.search(/\S/)));
  return telling.map((line) => clip(printable(line.slice(indentation)), width));
}

let tokens: PassageTokens | undefined;

/** Returns lines with letters or digits outside comments, or those in comments if there are no others. */
function tellingLines(lines: readonly string[], name: string): string[] {
  const comments = (tokens ??= new PassageTokens()).commentLines(name, Buffer.from(lines.join('\n')));
  const withWords = lines.flatMap((line, i) =>
    /[\p{L}\p{N}]/u.test(line) ? [{ line, comment: comments.has(i + 1) }] : [],
  );
  const code = withWords.filter(({ comment }) => !comment);
  return (code.length > 0 ? code : withWords).map(({ line }) => line);
}

function clip(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** Maximum number of lines to read. Public functions often have 20 and more lines of documentation. */
const maxLines = 60;

/** Returns the first lines of a passage. Recognizes the same line breaks as the scan. */
function linesOf(bytes: Buffer, passage: Passage): string[] {
  let start = 0;
  for (let line = 1; line < passage.startLine; line++) {
    start = nextLine(bytes, start);
    if (start > bytes.length) return [];
  }
  const lines: string[] = [];
  for (let line = passage.startLine; line <= passage.endLine && lines.length < maxLines; line++) {
    const next = nextLine(bytes, start);
    // Truncate the line before decoding it: some files have lines of several megabytes.
    lines.push(bytes.toString('utf8', start, Math.min(next, start + 1_000)).replace(/[\r\n]+$/, ''));
    if (next > bytes.length) break;
    start = next;
  }
  return lines;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Returns the position of the next line. If there is none, returns a position past the end. */
function nextLine(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] === lineFeed) return at + 1;
    if (bytes[at] === carriageReturn) return bytes[at + 1] === lineFeed ? at + 2 : at + 1;
  }
  return bytes.length + 1;
}
