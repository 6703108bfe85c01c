/** Reads places as users enter them: files, ranges of lines or columns, and declarations. */
import { existsSync, statSync } from 'node:fs';
import { declarationNamed } from '../../presentation/wording/declarations.ts';
import { readSource } from '../../scan/io/readSource.ts';
import type { Problem } from './scanArguments.ts';

/** A file, or a range in it. */
export interface Place {
  readonly file: string;
  readonly lines: Ends | undefined;
  readonly columns: Ends | undefined;
}

interface Ends {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a place: "src/a.ts:10-42", "src/a.ts:10", "src/a.ts", or "src/a.ts#parseDay" for a declaration. A place may
 * contain columns, as in JSON reports: "src/a.ts:10:5-42:3". If the entire text is the name of an existing file, does
 * not look for a range or a declaration at its end. Returns an error message if a file does not have the declaration.
 */
export function parsePlace(text: string): Place | Problem {
  const whole = { file: text, lines: undefined, columns: undefined };
  if (existsSync(text)) return whole;
  const precise = /^(.+):(\d+):(\d+)-(\d+):(\d+)$/.exec(text);
  if (precise) {
    const [, file = '', startLine, startColumn, endLine, endColumn] = precise;
    const endsOf = (start = '', end = ''): Ends => ({ start: Number(start), end: Number(end) });
    return { file, lines: endsOf(startLine, endLine), columns: endsOf(startColumn, endColumn) };
  }
  // The sign may also be part of a folder's name, or of the symbol: `c#/clock.ts#Clock#parse`.
  const at = [...text.matchAll(/#/g)].map(({ index }) => index).find((index) => isFile(text.slice(0, index)));
  if (at !== undefined) return placeOfSymbol(text.slice(0, at), text.slice(at + 1));
  const [, file = '', start = '', end = start] = /^(.+):(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  return file === '' ? whole : { file, lines: { start: Number(start), end: Number(end) }, columns: undefined };
}

function placeOfSymbol(file: string, symbol: string): Place | Problem {
  const bytes = readPlace({ file, lines: undefined, columns: undefined });
  if ('problem' in bytes) return bytes;
  const found = declarationNamed(file, Buffer.from(bytes).toString('utf8').split(/\r?\n/), symbol);
  if ('problem' in found) return { type: 'problem', problem: found.problem };
  return { file, lines: { start: found.startLine, end: found.endLine }, columns: undefined };
}

function isFile(name: string): boolean {
  return existsSync(name) && statSync(name).isFile();
}

/** Returns the content of a place's file. Returns an error message if it cannot be compared or the range is invalid. */
export function readPlace({ file, lines, columns }: Place): Uint8Array | Problem {
  const problem = (words: string): Problem => ({ type: 'problem', problem: words });
  if (!existsSync(file)) return problem(`there is no file ${file}; check the path.`);
  if (lines && (lines.start < 1 || lines.end < lines.start)) {
    return problem(
      `${file}:${lines.start}-${lines.end} is not a valid range of lines; lines count from 1, and the end must not precede the start.`,
    );
  }
  if (lines && columns) {
    const isBackwards = lines.start === lines.end && columns.end <= columns.start;
    if (columns.start < 1 || columns.end < 1 || isBackwards) {
      return problem(
        `${file}:${lines.start}:${columns.start}-${lines.end}:${columns.end} is not a valid range; columns count from 1, and the end must be after the start.`,
      );
    }
  }
  const source = readSource({ file, path: file }, { maxFileSizeBytes: 2 ** 30, generated: true }, (size) =>
    Buffer.alloc(size),
  );
  return 'skipped' in source ? problem(`${file} cannot be compared: ${source.skipped.reason}.`) : source.bytes;
}
