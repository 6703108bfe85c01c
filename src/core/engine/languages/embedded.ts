/**
 * Divides a text with several languages into stretches of one language each. Code in the fences of Markdown, AsciiDoc,
 * and reStructuredText is quoted code. Scripts and styles in HTML belong to the text of the page. Front matter is
 * ignored. The result need not be exact, only good enough for lexing.
 */
import {
  afterBlanks,
  endOfLineBefore,
  find,
  findLine,
  isAt,
  isBlankLine,
  lineEndAfter,
  lineStartOf,
  textOf,
} from './asciiText.ts';
import { exampleLines, isExample } from './examples.ts';
import { lexiconForLanguage, lexiconForPath, unnamedLexicon } from './allLexicons.ts';
import type { Lexicon } from './lexicalRules.ts';
import { fallbackLexicon } from './lexicons/fallback.ts';
import { isRunningText } from './runningText.ts';
import type { DocumentPart } from '../documents/namedDocument.ts';
import { PhpEnds } from './phpCode.ts';

/** A stretch of a text in one language: the bytes [start, end). */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly lexicon: Lexicon;
}

/** A stretch, and the part of the document that it belongs to: text, comments, or quoted code. */
export interface Segment extends Stretch {
  readonly part: DocumentPart;
  /** True if the code is quoted by the text around it. */
  readonly isQuoted?: true;
  /** True if the segment directly continues the text of the previous segment, so that no separator is needed. */
  readonly goesOn?: boolean;
}

/**
 * Returns the segments of a text whose main language is that of `lexicon`, ascending and not empty. Text between
 * segments has no tokens. Takes time linear in the length of the text.
 */
export function segments(bytes: Uint8Array, lexicon: Lexicon): Segment[] {
  const stretches = stretchesOf(bytes, lexicon);
  if (!lexicon.prose) return stretches.map((stretch) => ({ ...stretch, part: 'text' }));
  return stretches.flatMap((stretch) => {
    const { start, end } = stretch;
    // Give a fence marked `text` the same lexicon as a fence without a language, so that a quoted license or table has
    // the same tokens in both.
    const plainText = lexiconForName('plaintext');
    const isFenced = stretch.lexicon !== lexicon;
    const namesNoLanguage = isFenced && (stretch.lexicon === fallbackLexicon || stretch.lexicon === plainText);
    const segment = namesNoLanguage
      ? { ...stretch, lexicon: isRunningText(bytes, start, end) ? plainText : fallbackLexicon }
      : stretch;
    return segment.lexicon.prose ? [{ ...segment, part: 'text' }] : quotedSegments(bytes, segment);
  });
}

/** Returns the code that comments quote, such as examples in docstrings. It lies within the text's segments. */
export function quotedInComments(bytes: Uint8Array, lexicon: Lexicon): Segment[] {
  if (lexicon.id !== python) return [];
  return exampleLines(bytes, 0, bytes.length).map((line) => ({ ...line, lexicon, part: 'quoted' }));
}

function stretchesOf(bytes: Uint8Array, lexicon: Lexicon): Stretch[] {
  const split = splitters[lexicon.id];
  const found = split ? split(bytes, lexicon) : [{ start: 0, end: bytes.length, lexicon }];
  return found.filter(({ start, end }) => start < end);
}

/** Divides a block of quoted code in a page into segments. */
function quotedSegments(bytes: Uint8Array, { start, end, lexicon }: Stretch): Segment[] {
  const mayBeExample = lexicon.id === python || lexicon === fallbackLexicon;
  if (
    mayBeExample &&
    isExample(
      bytes,
      findLine(bytes, start, (line) => !isBlankLine(bytes, line)),
    )
  ) {
    const inPython = lexiconForName(python);
    return exampleLines(bytes, start, end).map((line) => ({
      ...line,
      lexicon: inPython,
      part: 'text',
      isQuoted: true,
    }));
  }
  const usedLexicon = lexicon === fallbackLexicon ? unnamedLexicon() : lexicon;
  return stretchesOf(bytes.subarray(start, end), usedLexicon).map((stretch) => ({
    start: start + stretch.start,
    end: start + stretch.end,
    lexicon: stretch.lexicon,
    part: 'text',
    isQuoted: true,
  }));
}

const python = 'python';

type Splitter = (bytes: Uint8Array, lexicon: Lexicon) => Stretch[];

const splitters: Readonly<Record<string, Splitter>> = {
  markdown: splitMarkdown,
  asciidoc: splitAsciidoc,
  restructuredtext: splitRestructuredText,
  html: splitMarkup(),
  vue: splitMarkup(),
  svelte: splitMarkup(),
  astro: splitAstro,
  erb: splitMarkup('ruby'),
  ejs: splitMarkup('javascript'),
  jsp: splitMarkup('java'),
  aspnet: splitMarkup('csharp'),
  php: splitPhp,
};

const tab = 9;
const space = 32;
const hash = 35;
const percent = 37;
const dash = 45;
const dot = 46;
const slash = 47;
const less = 60;
const equals = 61;
const greater = 62;
const backtick = 96;
const tilde = 126;

/** Returns the lexicon for a language name as authors write it: `ts`, `TypeScript`, `{r, echo=FALSE}`, `.python`. */
export function lexiconForName(name: string): Lexicon {
  const word = /[\w+#-]+/.exec(name)?.[0].toLowerCase();
  if (word === undefined) return fallbackLexicon;
  return lexiconForLanguage(word) ?? lexiconForPath(`.${word}`);
}

/** Returns the number of consecutive bytes from `start` on that equal `byte`. */
function runOf(bytes: Uint8Array, byte: number, start: number): number {
  let end = start;
  while (bytes[end] === byte) end++;
  return end - start;
}

/** Returns true if the line at `start` consists of `byte`, repeated at least `minLength` times, and trailing blanks. */
function isRule(bytes: Uint8Array, byte: number, start: number, minLength: number): boolean {
  const run = runOf(bytes, byte, start);
  return run >= minLength && isBlankLine(bytes, start + run);
}

/** Returns the offset after the front matter: between two lines of --- or +++ at the very start; 0 if none. */
function afterFrontMatter(bytes: Uint8Array): number {
  const mark = bytes[0];
  if ((mark !== dash && mark !== 43) || runOf(bytes, mark, 0) !== 3 || !isBlankLine(bytes, 3)) return 0;
  const close = findLine(bytes, lineEndAfter(bytes, 0), (line) => isRule(bytes, mark, line, 3));
  return close === bytes.length ? 0 : lineEndAfter(bytes, close);
}

/** Collects the stretches of a text whose main language is `lexicon`, including stretches of other languages. */
class StretchList {
  readonly stretches: Stretch[] = [];
  /**
   * For each fence character, the length of an indented opening fence that was never closed. Other indented fences of
   * at least this length are ignored.
   */
  readonly minEndless = new Map<number, number>();
  readonly #lexicon: Lexicon;
  #start: number;

  constructor(lexicon: Lexicon, start = 0) {
    this.#lexicon = lexicon;
    this.#start = start;
  }

  beginsAt(offset: number): boolean {
    return this.#start === offset;
  }

  /** Ends the current stretch at `before`, adds [start, end) in another language, and begins a new one at `after`. */
  add(before: number, start: number, end: number, lexicon: Lexicon, after: number): void {
    this.stretches.push({ start: this.#start, end: before, lexicon: this.#lexicon }, { start, end, lexicon });
    this.#start = after;
  }

  end(bytes: Uint8Array): Stretch[] {
    this.stretches.push({ start: this.#start, end: bytes.length, lexicon: this.#lexicon });
    return this.stretches;
  }
}

function splitMarkdown(bytes: Uint8Array, lexicon: Lexicon): Stretch[] {
  const start = afterFrontMatter(bytes);
  const list = new StretchList(lexicon, start);
  for (let line = start; line < bytes.length;) line = addFence(bytes, line, list) ?? lineEndAfter(bytes, line);
  return list.end(bytes);
}

/** If a fence begins on the line at `line`, adds its code and returns the offset of the line after it. */
function addFence(bytes: Uint8Array, line: number, list: StretchList): number | undefined {
  const fence = afterBlanks(bytes, line);
  const mark = bytes[fence];
  if (mark !== backtick && mark !== tilde) return undefined;
  const length = runOf(bytes, mark, fence);
  if (length < 3) return undefined;
  const code = lineEndAfter(bytes, fence);
  const info = textOf(bytes, fence + length, code);
  // These are not fences: ```a``` on one line is inline code, and ~~~ followed by | is part of a drawing.
  if (!/^\s*([\w{.:#+]|$)/.test(info) || (mark === backtick && info.includes('`'))) return undefined;
  const isBelowText = mark === tilde && fence === line && !list.beginsAt(line);
  if (isBelowText && isUnderline(bytes, line, length, info)) return undefined;
  const isIndented = fence - line >= 4 || bytes[line] === tab;
  if (isIndented && length >= (list.minEndless.get(mark) ?? Infinity)) return undefined;
  const close = findLine(bytes, code, (start) => isRule(bytes, mark, afterBlanks(bytes, start), length));
  if (isIndented && close === bytes.length) {
    list.minEndless.set(mark, length);
    return undefined;
  }
  const after = lineEndAfter(bytes, close);
  list.add(line, code, close, lexiconForName(info), after);
  return after;
}

/**
 * Returns true if a row of tildes underlines a title, as in AsciiDoc: the row is about as long as the text above it,
 * counted with or without emphasis marks.
 */
function isUnderline(bytes: Uint8Array, line: number, length: number, info: string): boolean {
  if (line === 0 || info.trim() !== '') return false;
  const end = endOfLineBefore(bytes, line);
  const before = lineStartOf(bytes, end);
  if (isBlankLine(bytes, before)) return false;
  const title = textOf(bytes, before, end);
  return [title, title.replaceAll(/[*_`]/g, '')].some((text) => Math.abs(text.length - length) <= 3);
}

function splitAsciidoc(bytes: Uint8Array, lexicon: Lexicon): Stretch[] {
  const list = new StretchList(lexicon);
  let language = '';
  let isUnderTitle = false;
  for (let line = 0; line < bytes.length;) {
    const next = lineEndAfter(bytes, line);
    if (!isUnderTitle && (isRule(bytes, dash, line, 4) || isRule(bytes, dot, line, 4))) {
      const mark = bytes[line];
      const length = runOf(bytes, mark, line);
      const close = findLine(bytes, next, (start) => isRule(bytes, mark, start, length));
      list.add(line, next, close, lexiconForName(language), lineEndAfter(bytes, close));
      line = lineEndAfter(bytes, close);
      language = '';
      isUnderTitle = false;
      continue;
    }
    // Directly below text, a row of dashes underlines a title. Below [source], .Name, or +, it begins a block.
    isUnderTitle = !isBlankLine(bytes, line) && bytes[line] !== 91 && bytes[line] !== dot && bytes[line] !== 43;
    // Remember the language of a block attribute such as [source,java].
    if (bytes[line] === 91) language = /^\[source[^,]*,\s*([^,\]]+)/.exec(textOf(bytes, line, next))?.[1] ?? language;
    else if (!isBlankLine(bytes, line) && bytes[line] !== dot) language = '';
    line = addFence(bytes, line, list) ?? next;
  }
  return list.end(bytes);
}

function splitRestructuredText(bytes: Uint8Array, lexicon: Lexicon): Stretch[] {
  const list = new StretchList(lexicon);
  let colon = bytes.indexOf(58);
  for (let line = 0; line < bytes.length;) {
    const next = lineEndAfter(bytes, line);
    if (isExample(bytes, line)) {
      const end = findLine(bytes, next, (start) => isBlankLine(bytes, start));
      list.add(line, line, end, lexiconForName(python), end);
      line = end;
      continue;
    }
    if (colon >= 0 && colon < line) colon = bytes.indexOf(58, line);
    const language = colon >= 0 && colon < next ? literalLanguage(textOf(bytes, line, next).trim()) : undefined;
    if (language === undefined) {
      line = next;
      continue;
    }
    const indent = afterBlanks(bytes, line) - line;
    const isInside = (start: number): boolean =>
      isBlankLine(bytes, start) || afterBlanks(bytes, start) - start > indent;
    // The options of a directive end at the first blank line.
    const code =
      language === '' ? next : findLine(bytes, next, (start) => isBlankLine(bytes, start) || !isInside(start));
    const end = findLine(bytes, code, (start) => !isInside(start));
    list.add(next, code, end, lexiconForName(language), end);
    line = Math.max(end, next);
  }
  return list.end(bytes);
}

/**
 * If a line announces code below it, returns the language of that code: `c` for `.. code-block:: c`, and '' for a line
 * that ends with `::`. Otherwise returns `undefined`.
 */
function literalLanguage(line: string): string | undefined {
  if (!line.includes('::')) return undefined;
  const directive = /^\.\. (?:code-block|code|sourcecode|highlight)::\s*(\S*)/.exec(line);
  if (directive) return directive[1] === '' ? 'unknown' : directive[1];
  return line.endsWith('::') && !line.startsWith('..') ? '' : undefined;
}

/** Separates scripts and styles from a page. With `inner`, also separates code of that language between <% and %>. */
function splitMarkup(inner?: string): Splitter {
  return (bytes, lexicon) => markupStretches(bytes, lexicon, 0, inner);
}

function markupStretches(bytes: Uint8Array, lexicon: Lexicon, from: number, inner: string | undefined): Stretch[] {
  const list = new StretchList(lexicon, from);
  let tag = bytes.indexOf(less, from);
  while (tag >= 0) {
    let next: number;
    if (bytes[tag + 1] === 33 && bytes[tag + 2] === dash && bytes[tag + 3] === dash) {
      next = after(bytes, '-->', tag + 4);
    } else if (bytes[tag + 1] === percent && inner !== undefined) {
      next = addTemplateCode(bytes, tag, inner, list);
    } else {
      next = addScript(bytes, tag, list) ?? tag + 1;
    }
    tag = bytes.indexOf(less, next);
  }
  return list.end(bytes);
}

/** Returns the offset after the next occurrence of `text` (ASCII) from `start` on, or the end of the bytes. */
function after(bytes: Uint8Array, text: string, start: number): number {
  const found = find(bytes, text, start);
  return found < 0 ? bytes.length : found + text.length;
}

/** Adds the code between <% and %>, except for the comments <%-- and <%# (an expression in ASP.NET) and <%@. */
function addTemplateCode(bytes: Uint8Array, tag: number, inner: string, list: StretchList): number {
  const mark = bytes[tag + 2];
  if (mark === dash && bytes[tag + 3] === dash) {
    const end = after(bytes, '--%>', tag);
    list.add(tag, end, end, fallbackLexicon, end);
    return end;
  }
  const end = after(bytes, '%>', tag);
  const isBinding = mark === hash && inner === 'csharp';
  const code = mark === equals || mark === dash || mark === 33 || isBinding ? tag + 3 : tag + 2;
  const isCode = (mark !== hash || isBinding) && mark !== 64 && end - 2 > code;
  list.add(tag, isCode ? code : end, isCode ? end - 2 : end, lexiconForName(inner), end);
  return end;
}

/** If the tag at `tag` opens a script or style, adds its content. Returns `undefined` for other tags. */
function addScript(bytes: Uint8Array, tag: number, list: StretchList): number | undefined {
  const name = isAt(bytes, '<script', tag) ? 'script' : isAt(bytes, '<style', tag) ? 'style' : undefined;
  if (name === undefined) return undefined;
  const behind = bytes[tag + name.length + 1];
  if (behind !== greater && !(behind <= space) && behind !== slash) return undefined;
  const open = endOfTag(bytes, tag);
  if (bytes[open - 2] === slash) return open;
  const close = find(bytes, `</${name}`, open);
  const end = close < 0 ? bytes.length : close;
  list.add(open, open, end, scriptLexicon(name, textOf(bytes, tag, open)), end);
  return end;
}

/** Returns the offset after the > that ends the tag at `tag`. Ignores a > within quotes. */
function endOfTag(bytes: Uint8Array, tag: number): number {
  let quote = 0;
  for (let offset = tag; offset < bytes.length; offset++) {
    const byte = bytes[offset];
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === 34 || byte === 39) quote = byte;
    else if (byte === greater) return offset + 1;
  }
  return bytes.length;
}

/** Returns the lexicon for a tag's `lang` or `type`: "ts", "text/typescript", "module", "application/ld+json". */
function scriptLexicon(name: 'script' | 'style', tag: string): Lexicon {
  const language = /\blang\s*=\s*["']?([\w+-]+)/i.exec(tag)?.[1];
  const type = /\btype\s*=\s*["']?(?:\w+\/)?(?:x-|ld\+)?([\w+-]+)/i.exec(tag)?.[1];
  const languageName = (language ?? type ?? '').toLowerCase();
  const plain = name === 'style' ? 'css' : 'javascript';
  if (languageName === '' || /^(module|babel|ecmascript)$/.test(languageName)) return lexiconForName(plain);
  if (languageName === 'importmap' || languageName === 'speculationrules') return lexiconForName('json');
  if (languageName === 'template') return lexiconForName('html');
  return lexiconForName(languageName);
}

/** Splits an Astro file: TypeScript between two lines of ---, then HTML. */
function splitAstro(bytes: Uint8Array, lexicon: Lexicon): Stretch[] {
  const end = afterFrontMatter(bytes);
  if (end === 0) return markupStretches(bytes, lexicon, 0, undefined);
  const start = lineEndAfter(bytes, 0);
  const code = {
    start,
    end: findLine(bytes, start, (line) => isRule(bytes, dash, line, 3)),
    lexicon: lexiconForName('ts'),
  };
  return [code, ...markupStretches(bytes, lexicon, end, undefined)];
}

/** Splits a PHP file into HTML and code, which is between <?php or <?= and ?>. A text without <? is code. */
function splitPhp(bytes: Uint8Array, lexicon: Lexicon): Stretch[] {
  let open = find(bytes, '<?', 0);
  if (open < 0) return [{ start: 0, end: bytes.length, lexicon }];
  const html = lexiconForName('html');
  const ends = new PhpEnds(bytes);
  const found: Stretch[] = [];
  let start = 0;
  for (; open >= 0; open = find(bytes, '<?', start)) {
    const close = ends.endAfter(open);
    const end = close < 0 ? bytes.length : close;
    const code = isAt(bytes, '<?php', open) ? open + 5 : bytes[open + 2] === equals ? open + 3 : open + 2;
    found.push(...markupStretches(bytes.subarray(0, open), html, start, undefined));
    // <?xml … ?> is not PHP.
    if (!isAt(bytes, '<?xml', open)) found.push({ start: code, end: Math.max(end, code), lexicon });
    start = Math.min(end + 2, bytes.length);
    if (close < 0) return found;
  }
  found.push(...markupStretches(bytes, html, start, undefined));
  return found;
}
