/** The first lines of a passage, to recognise it by. */
import path from 'node:path';
import type { Passage } from '../engine/report.ts';
import { readSource } from '../io/readSource.ts';

/**
 * The first lines that say something, without their common indentation and cut to a width. None when the file cannot
 * be read any more.
 */
export function previewOf(passage: Passage, root: string, lineCount: number, width: number): string[] {
  const file = { file: path.join(root, passage.path), path: passage.path };
  const source = readSource(file, { maxFileSizeBytes: 2 ** 30, generated: true }, (size) => Buffer.allocUnsafe(size));
  if ('skipped' in source) return [];
  const lines = linesOf(Buffer.from(source.bytes.buffer, source.bytes.byteOffset, source.bytes.length), passage);
  const telling = lines.filter((line) => /[\p{L}\p{N}]/u.test(line)).slice(0, lineCount);
  const indentation = Math.min(...telling.map((line) => line.search(/\S/)));
  return telling.map((line) => clip(printable(line.slice(indentation)), width));
}

/** Text without what would steer a terminal: source files may hold anything. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  return text.replaceAll('\t', '  ').replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '·');
}

function clip(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** The lines of a passage, the first 20 at most; what follows seldom helps. */
function linesOf(bytes: Buffer, passage: Passage): string[] {
  let start = 0;
  for (let line = 1; line < passage.startLine; line++) {
    const end = bytes.indexOf('\n', start);
    if (end < 0) return [];
    start = end + 1;
  }
  const lines: string[] = [];
  for (let line = passage.startLine; line <= passage.endLine && lines.length < 20; line++) {
    const end = bytes.indexOf('\n', start);
    // A line of megabytes is clipped before it is decoded.
    const stop = Math.min(end < 0 ? bytes.length : end, start + 1_000);
    lines.push(bytes.toString('utf8', start, stop).replace(/\r$/, ''));
    if (end < 0) break;
    start = end + 1;
  }
  return lines;
}
