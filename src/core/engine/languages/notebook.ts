/**
 * Reads Jupyter notebooks (nbformat 3 and 4). They are JSON files whose cells store their text as strings, usually one
 * for each line. This module extracts the unescaped text of all cells, and where in the file each byte of that text
 * comes from.
 *
 *   { "cells": [ { "cell_type": "code", "source": ["a = 1\n", "b = a"] }, … ], "metadata": { "kernelspec": … } }
 *   { "worksheets": [ { "cells": [ { "cell_type": "code", "input": …, "language": "python" }, … ] } ] }
 */
import { lineEndAfter, textOf } from './asciiText.ts';
import { lexiconForName, type Segment, segments } from './embedded.ts';
import { grown } from '../grown.ts';
import type { Lexicon } from './lexicalRules.ts';
import { fallbackLexicon } from './lexicons/fallback.ts';

export interface Notebook {
  /** The text of all cells. Each cell ends with a line break. */
  readonly text: Uint8Array;
  /** Segments of `text`. Code cells belong to the text of the document, other cells to its comments. */
  readonly segments: readonly Segment[];
  readonly origin: Origin;
}

/**
 * Maps the bytes of an extracted text to their positions in the file. The text is cut into runs. A run is either the
 * same bytes as in the file, or one escape sequence of the file.
 *
 *   starts   u32 × runs: start of each run in the text, ascending
 *   places   u32 × runs: start of the run in the file
 *   ends     u32 × runs: end of the run in the file
 */
export interface Origin {
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
  readonly ends: Uint32Array;
  readonly runCount: number;
}

export function isNotebook({ id }: Lexicon): boolean {
  return id === 'jupyter';
}

/** Reads a notebook. Returns `undefined` if the file is not a notebook. */
export function readNotebook(bytes: Uint8Array): Notebook | undefined {
  const found = new Reader(bytes).notebook();
  if (found === undefined) return undefined;
  const { cells, language } = found;
  const text = new Writer(bytes);
  const plain = lexiconForName(language ?? 'python');
  const markdown = lexiconForName('markdown');
  const all: Segment[] = [];
  for (const { type, strings, language: own } of cells) {
    const start = text.length;
    appendCell(text, strings);
    const end = text.length;
    if (type === 'code') {
      const magic = cellMagic(text.bytes, start, end);
      const lexicon = magic?.lexicon ?? (own === undefined ? plain : lexiconForName(own));
      all.push({ start: magic?.end ?? start, end, lexicon, part: 'text' });
    } else if (type === 'markdown' || type === 'heading') {
      for (const segment of segments(text.bytes.subarray(start, end), markdown)) {
        all.push({ ...segment, start: start + segment.start, end: start + segment.end, part: 'comments' });
      }
    }
  }
  return {
    text: text.bytes.subarray(0, text.length),
    segments: all.filter(({ start, end }) => start < end),
    origin: text.origin(),
  };
}

/** Returns the text of all cells, even of those that a scan ignores; `undefined` if the file is no notebook. */
export function textOfCells(bytes: Uint8Array): Uint8Array | undefined {
  const found = new Reader(bytes).notebook();
  if (found === undefined) return undefined;
  const text = new Writer(bytes);
  for (const { strings } of found.cells) appendCell(text, strings);
  return text.bytes.subarray(0, text.length);
}

function appendCell(text: Writer, strings: readonly JsonString[]): void {
  for (const string of strings) text.append(string);
  text.endLine();
}

/** Returns the cell text on a range of lines of the file (from 1, inclusive), and the lexicon of the cells' code. */
export function cellLines(
  file: Uint8Array,
  { text, segments: all, origin }: Notebook,
  { start, end }: { readonly start: number; readonly end: number },
): { readonly text: Uint8Array; readonly lexicon: Lexicon } {
  const [from, to] = [lineStart(file, start), lineStart(file, end + 1)];
  const { starts, places, runCount } = origin;
  let [first, last] = [text.length, 0];
  for (let run = 0; run < runCount; run++) {
    if (places[run] < from || places[run] >= to) continue;
    first = Math.min(first, starts[run]);
    last = Math.max(last, starts[run + 1] ?? text.length);
  }
  const cellText = text.subarray(first, Math.max(Math.min(last, text.length), first));
  const code = all.find(({ end: stop, part }) => part === 'text' && stop > first);
  const isCode = code !== undefined && code.start < last;
  return { text: cellText, lexicon: isCode ? code.lexicon : lexiconForName('markdown') };
}

/** Returns the offset of a line of a file, counted from 1. Returns the end of the file if it has fewer lines. */
function lineStart(file: Uint8Array, line: number): number {
  let at = 0;
  for (let before = 1; before < line && at < file.length; before++) at = lineEndAfter(file, at);
  return at;
}

/** Converts the positions of tokens and lines in an extracted text to positions in the file. */
export function moveToOrigin(
  file: Uint8Array,
  { starts: runStarts, places, ends, runCount }: Origin,
  lexed: {
    readonly starts: Uint32Array;
    readonly lengths: Uint16Array;
    /** Three words for each line: index of its first token, line number, and offset of the line. */
    readonly lines: Uint32Array;
  },
): void {
  const { starts, lengths, lines } = lexed;
  let run = 0;
  const runOf = (offset: number): number => {
    while (run + 1 < runCount && runStarts[run + 1] <= offset) run++;
    return run;
  };
  for (let token = 0; token < starts.length; token++) {
    const [start, end] = [starts[token], starts[token] + lengths[token]];
    const first = runOf(start);
    starts[token] = placeIn(first, start);
    if (end === start) continue;
    // Search backward from the end of the token. Tokens do not overlap, so the search stays within this token.
    const last = runOf(end - 1);
    const isEscaped = ends[last] - places[last] !== (runStarts[last + 1] ?? 0) - runStarts[last];
    const stop = isEscaped ? ends[last] : placeIn(last, end - 1) + 1;
    lengths[token] = Math.min(stop - starts[token], 0xffff);
    run = first;
  }
  let [line, lineStart] = [0, 0];
  for (let record = 0; record < lines.length; record += 3) {
    const token = starts[lines[record]];
    for (let next = lineEndAfter(file, lineStart); next <= token && next > lineStart;) {
      line++;
      lineStart = next;
      next = lineEndAfter(file, lineStart);
    }
    lines[record + 1] = line;
    lines[record + 2] = lineStart;
  }

  function placeIn(place: number, offset: number): number {
    return Math.min(places[place] + offset - runStarts[place], ends[place]);
  }
}

/** A JSON string in the file: the bytes [start, end) between its quotes. */
interface JsonString {
  readonly start: number;
  readonly end: number;
}

interface Cell {
  readonly type: string;
  readonly strings: readonly JsonString[];
  /** Language that the cell itself declares, or `undefined` if it declares none. */
  readonly language: string | undefined;
}

/**
 * Returns the language that a cell selects on its first line, as in `%%bash`, and the end of that line. If the line
 * does not change the language, as in `%%time`, the language is `undefined`.
 */
function cellMagic(
  text: Uint8Array,
  start: number,
  end: number,
): { readonly lexicon: Lexicon | undefined; readonly end: number } | undefined {
  if (text[start] !== percent || text[start + 1] !== percent) return undefined;
  const line = Math.min(lineEndAfter(text, start), end);
  const [, name = '', rest = ''] = /^%%(\w+)\s*(.*)/.exec(textOf(text, start, line)) ?? [];
  const languageName = /^(script|sx|system)$/.test(name)
    ? firstProgram(rest)
    : /^(write)?file$/.test(name)
      ? ending(rest)
      : name;
  const lexicon = lexiconForName(languageName);
  return { lexicon: lexicon === fallbackLexicon ? undefined : lexicon, end: line };
}

/**
 * Returns the name of the program that runs a script cell: "perl" for `%%script --bg /usr/bin/perl -w`. If no program
 * is named, as in `%%sx`, returns the name of a shell.
 */
function firstProgram(rest: string): string {
  return /^(?:-\S+\s+)*(?:\S*\/)?(\w+)/.exec(rest)?.[1] ?? 'bash';
}

/** Returns the file extension after `%%writefile`: "py" for `%%writefile -a src/boats.py`. */
function ending(rest: string): string {
  return /\.(\w+)["']?\s*$/.exec(rest)?.[1] ?? '';
}

const quote = 34;
const percent = 37;
const comma = 44;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
const lineFeed = 10;

/** Reads the parts of a notebook's JSON that matter, and skips the rest. Stops at the first syntax error. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #failed = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  notebook(): { cells: Cell[]; language: string | undefined } | undefined {
    let cells: Cell[] | undefined;
    let language: string | undefined;
    this.#object((key) => {
      if (key === 'cells' && this.#next() === openBracket) cells = this.#cells();
      else if (key === 'worksheets' && this.#next() === openBracket) {
        const sheets: Cell[] = (cells = []);
        this.#list(() => {
          this.#object((inner) => {
            if (inner === 'cells' && this.#next() === openBracket) sheets.push(...this.#cells());
            else this.#pass();
          });
        });
      } else if (key === 'metadata' && this.#next() === openBrace) language = this.#language();
      else this.#pass();
    });
    return this.#failed || cells === undefined ? undefined : { cells, language };
  }

  #cells(): Cell[] {
    const cells: Cell[] = [];
    this.#list(() => cells.push(this.#cell()));
    return cells;
  }

  #cell(): Cell {
    let type = '';
    let language: string | undefined;
    const strings: JsonString[] = [];
    this.#object((key) => {
      if (key === 'cell_type') type = this.#name();
      // nbformat 3 uses the keys `input` and `language`.
      else if (key === 'source' || key === 'input') {
        if (this.#next() === openBracket) this.#list(() => strings.push(this.#string()));
        else strings.push(this.#string());
      } else if (key === 'language' && this.#next() === quote) language = this.#name();
      else if (key === 'metadata' && this.#next() === openBrace) language = this.#cellLanguage() ?? language;
      else this.#pass();
    });
    return { type, strings, language };
  }

  /** Reads `vscode.languageId`, which VS Code writes if a cell has another language than the notebook. */
  #cellLanguage(): string | undefined {
    return this.#namesIn(new Map([['vscode', 'languageId']])).get('vscode');
  }

  /** Reads the notebook's language: `language_info.name`, which the kernel writes, or `kernelspec.language`. */
  #language(): string | undefined {
    const found = this.#namesIn(
      new Map([
        ['kernelspec', 'language'],
        ['language_info', 'name'],
      ]),
    );
    return found.get('language_info') ?? found.get('kernelspec');
  }

  /** Reads the next object. For each of the given keys, returns the name under the inner key, if it is there. */
  #namesIn(innerKeys: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    this.#object((key) => {
      if (!innerKeys.has(key) || this.#next() !== openBrace) {
        this.#pass();
        return;
      }
      this.#object((inner) => {
        if (inner === innerKeys.get(key) && this.#next() === quote) found.set(key, this.#name());
        else this.#pass();
      });
    });
    return found;
  }

  /** Reads the next object. Calls `read` with each key; `read` must consume the value. */
  #object(read: (key: string) => void): void {
    this.#expect(openBrace);
    if (this.#next() === closeBrace) this.#at++;
    else {
      do {
        const key = this.#name();
        this.#expect(colon);
        if (!this.#failed) read(key);
      } while (this.#takesComma());
      this.#expect(closeBrace);
    }
  }

  #list(read: () => void): void {
    this.#expect(openBracket);
    if (this.#next() === closeBracket) this.#at++;
    else {
      do read();
      while (this.#takesComma());
      this.#expect(closeBracket);
    }
  }

  /** Skips the next value. */
  #pass(): void {
    let depth = 0;
    do {
      const byte = this.#next();
      if (byte === quote) this.#string();
      else {
        if (byte === openBrace || byte === openBracket) depth++;
        else if (byte === closeBrace || byte === closeBracket) depth--;
        this.#at++;
        // Skip a number, true, false, or null.
        if (isBare(byte)) while (isBare(this.#bytes[this.#at])) this.#at++;
      }
    } while (depth > 0 && !this.#failed && this.#at < this.#bytes.length);
    if (depth !== 0) this.#failed = true;
  }

  #string(): JsonString {
    this.#expect(quote);
    const start = this.#at;
    if (this.#failed) return { start, end: start };
    for (let end = start; ;) {
      end = this.#bytes.indexOf(quote, end);
      if (end < 0) {
        this.#failed = true;
        return { start, end: start };
      }
      let before = end;
      while (this.#bytes[before - 1] === backslash && before > start) before--;
      if ((end - before) % 2 === 0) {
        this.#at = end + 1;
        return { start, end };
      }
      end++;
    }
  }

  #name(): string {
    const { start, end } = this.#string();
    return textOf(this.#bytes, start, end);
  }

  #takesComma(): boolean {
    if (this.#failed || this.#next() !== comma) return false;
    this.#at++;
    return true;
  }

  #expect(byte: number): void {
    if (this.#next() === byte) this.#at++;
    else this.#failed = true;
  }

  /** Returns the next byte other than white space. */
  #next(): number | undefined {
    while (isWhite(this.#bytes[this.#at])) this.#at++;
    return this.#bytes[this.#at];
  }
}

function isWhite(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/** Returns true for a byte that can be part of a number, true, false, or null. */
function isBare(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (
    (byte >= 48 && byte <= 57) || ((byte | 32) >= 97 && (byte | 32) <= 122) || byte === 43 || byte === 45 || byte === 46
  );
}

/** Writes the unescaped text of JSON strings, and records where in the file each run of bytes comes from. */
class Writer {
  readonly bytes: Uint8Array;
  length = 0;
  readonly #file: Uint8Array;
  #starts = new Uint32Array(1024);
  #places = new Uint32Array(1024);
  #ends = new Uint32Array(1024);
  #runCount = 0;
  #end = 0;

  constructor(file: Uint8Array) {
    this.#file = file;
    // Unescaping never makes text longer, but each cell may get an additional line break.
    this.bytes = new Uint8Array(file.length);
  }

  append({ start, end }: JsonString): void {
    const string = this.#file.subarray(start, end);
    for (let at = 0; at < string.length;) {
      const escape = string.indexOf(backslash, at);
      const stop = escape < 0 ? string.length : escape;
      if (stop > at) {
        this.#addRun(start + at, start + stop);
        this.bytes.set(string.subarray(at, stop), this.length);
        this.length += stop - at;
      }
      at = escape < 0 ? stop : this.#appendEscaped(start + stop, end) - start;
    }
    this.#end = end;
  }

  /** Writes a line break after a cell that does not end with one. */
  endLine(): void {
    this.#addRun(this.#end, this.#end);
    this.bytes[this.length++] = lineFeed;
  }

  origin(): Origin {
    const count = this.#runCount;
    // Add a run at the end of the text, so that every run has a successor.
    this.#addRun(this.#end, this.#end);
    return { starts: this.#starts, places: this.#places, ends: this.#ends, runCount: count };
  }

  /** Writes the character that the escape sequence at `at` represents. Returns the end of the sequence. */
  #appendEscaped(at: number, end: number): number {
    const letter = this.#file[at + 1];
    const stop = Math.min(letter === 117 ? at + 6 : at + 2, end);
    if (letter !== 117) {
      this.#addRun(at, stop);
      this.bytes[this.length++] = escapes.get(letter) ?? letter;
      return stop;
    }
    let unit = this.#unitAt(at);
    let after = stop;
    if (unit >= 0xd800 && unit < 0xdc00 && this.#file[stop] === backslash && this.#file[stop + 1] === 117) {
      const low = this.#unitAt(stop);
      if (low >= 0xdc00 && low < 0xe000) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        after = Math.min(stop + 6, end);
      }
    }
    this.#addRun(at, after);
    this.#appendCharacter(unit);
    return after;
  }

  #unitAt(at: number): number {
    const unit = parseInt(textOf(this.#file, at + 2, at + 6), 16);
    return Number.isNaN(unit) ? 0xfffd : unit;
  }

  /** Writes a character in UTF-8. It is never longer than its escape sequence. */
  #appendCharacter(character: number): void {
    if (character < 0x80) {
      this.bytes[this.length++] = character;
      return;
    }
    const more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    this.bytes[this.length++] = [0, 0xc0, 0xe0, 0xf0][more] | (character >> (6 * more));
    for (let left = more - 1; left >= 0; left--) this.bytes[this.length++] = 0x80 | ((character >> (6 * left)) & 63);
  }

  #addRun(place: number, end: number): void {
    const run = this.#runCount++;
    if (run === this.#starts.length) {
      this.#starts = grown(this.#starts, 2 * run);
      this.#places = grown(this.#places, 2 * run);
      this.#ends = grown(this.#ends, 2 * run);
    }
    this.#starts[run] = this.length;
    this.#places[run] = place;
    this.#ends[run] = end;
  }
}

/** Meanings of the letters after a backslash. Any other character after a backslash represents itself. */
const escapes = new Map([
  [110, lineFeed],
  [116, 9],
  [114, 13],
  [98, 8],
  [102, 12],
]);
