/**
 * Explain Match: two passages of files as the engine sees them, token by token, and what their likeness is made of. The
 * tokens are those of the lexers, and they weigh what the options say; the measures are those of explain.ts.
 */
import type { DocumentIndex } from './documents/documents.ts';
import { DocumentIndexer } from './documents/indexDocument.ts';
import { explain, type Explanation } from '../methods/explain.ts';
import { createMemory, Kernel } from './kernel.ts';
import { lexiconForPath } from './languages/lexicon.ts';
import type { Lexicon } from './languages/lexicalRules.ts';
import type { Options } from './options.ts';
import { kindMask } from '../kernel/lex/lexedLayout.ts';
import { separator, tokenKinds } from './languages/tokenKind.ts';
import { type NamedDocument, partsOf } from './documents/namedDocument.ts';
import { passageOf } from './report/passageOf.ts';
import { placeOfToken } from './documents/tokenPlaces.ts';
import { type Stretch, windowDistance } from './documents/windows.ts';

/** A part of a text; all of it without a range. */
export interface PassageText {
  /** The name decides the language, unless a lexicon is given. */
  readonly path: string;
  /** UTF-8. */
  readonly text: Uint8Array;
  /** From 1, inclusive. */
  readonly lines?: { readonly start: number; readonly end: number };
  /**
   * Where it begins on its first line and ends on its last, as in a report: from 1, in UTF-16 units, the end exclusive. Only
   * with lines. They tell the code of a line from the comment behind it.
   */
  readonly columns?: { readonly start: number; readonly end: number };
  readonly lexicon?: Lexicon;
}

/** A passage that was explained. Lines from 1, inclusive. */
export interface ExplainedPassage {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly tokens: number;
  /** Lines of the whole text. */
  readonly totalLines: number;
}

export interface PassageExplanation extends Omit<Explanation, 'fingerprintA' | 'fingerprintB'> {
  readonly a: ExplainedPassage;
  readonly b: ExplainedPassage;
  /** Tokens in a feature: the shingle size of the language. */
  readonly shingleSize: number;
  /** The fingerprints of the passages: 16 hexadecimal digits. */
  readonly fingerprints: readonly [a: string, b: string];
  /** Bits that differ between the closest windows of the two, which is what a scan looks for; 64 when there are none. */
  readonly windowDistance: number;
}

/**
 * Explains two passages, in the shingles of the first one's language (prose has its own).
 *
 * Lines past the end of a text are left out. A passage without a token, or shorter than a shingle, has no feature: see
 * `explain` for what is said of it.
 *
 * @param most    how many shared and how many differing features are listed at most
 * @param decode  the text of UTF-8
 */
export function explainPassages(
  a: PassageText,
  b: PassageText,
  options: Options,
  { most, decode }: { readonly most: number; readonly decode: (utf8: Uint8Array) => string },
): PassageExplanation {
  const kernel = new Kernel(createMemory());
  const indexer = new DocumentIndexer(kernel, options);
  const names = new Map<number, string>();
  const kinds = new Map<string, number>();
  const documents = [a, b].map((passage) => read(passage));
  const chosen = mostLikelyParts(documents[0].candidates, documents[1].candidates);
  const [x, y] = [a, b].map((passage, at) => tokensOf(passage, documents[at], chosen[at]));
  const shingleSize = x.index.prose ? options.prose.shingleSize : options.shingleSize;
  // The end of a part of a text (a paragraph, a cell) is no token of a kind, and weighs nothing.
  const weights = new Map([...kinds].map(([name, kind]) => [name, weightOf(options, kind)]));
  const { fingerprintA, fingerprintB, ...explanation } = explain(x.tokens, y.tokens, {
    size: shingleSize,
    weights,
    most,
  });
  return {
    a: x.passage,
    b: y.passage,
    shingleSize,
    fingerprints: [hex(fingerprintA), hex(fingerprintB)],
    windowDistance: windowDistance(kernel, x.stretch, y.stretch),
    ...explanation,
  };

  function read({ path, text, lines, columns, lexicon = lexiconForPath(path) }: PassageText): Read {
    const room = indexer.reserve(text.byteLength);
    room.set(text);
    const whole = indexer.index(room, lexicon);
    const { start: startLine, end } = lines ?? { start: 1, end: whole.totalLines };
    const endLine = Math.min(end, whole.totalLines);
    const range: Range = { startLine, startColumn: columns?.start, endLine, endColumn: columns?.end };
    return { whole, range, candidates: candidatesOf(kernel, whole, isWhole(whole, range) ? undefined : range) };
  }

  function tokensOf({ path, text }: PassageText, { whole, range }: Read, { index, start, end }: Candidate) {
    const tokens: string[] = [];
    for (let place = start; place < end; place++) {
      if (!isSeparator(kernel, index, place)) tokens.push(nameOf(index, text, place));
    }
    const { startLine, endLine } = range;
    const passage = { path, startLine, endLine, tokens: tokens.length, totalLines: whole.totalLines };
    return { index, passage, tokens, stretch: { index, start, end } };
  }

  /** What a token is called: its text, with its kind where another token has the same. Equal tokens have equal names. */
  function nameOf(index: DocumentIndex, text: Uint8Array, place: number): string {
    const token = kernel.words[(index.tokens >>> 2) + place];
    const known = names.get(token);
    if (known !== undefined) return known;
    const { start, end } = placeOfToken(kernel, index, place);
    const kind = token & kindMask;
    const plain = decode(text.subarray(start, end)).replaceAll(/\s+/g, ' ');
    let name = plain;
    // Tokens of one text may differ: a name that is called, a text too long to be told apart by its beginning.
    for (let other = 1; kinds.has(name); other++) {
      name = `${plain}‹${tokenKinds[kind]}${other > 1 ? ` ${other}` : ''}›`;
    }
    names.set(token, name);
    kinds.set(name, kind);
    return name;
  }
}

function weightOf({ weights }: Options, kind: number): number {
  const name = tokenKinds.at(kind);
  return name === undefined ? 0 : weights[name];
}

/** A text that was read, and what of it a range may mean. */
interface Read {
  readonly whole: DocumentIndex;
  readonly range: Range;
  readonly candidates: readonly Candidate[];
}

/** Lines and columns from 1, the last line inclusive, the last column exclusive. Without columns, all of the lines. */
interface Range {
  readonly startLine: number;
  readonly startColumn: number | undefined;
  readonly endLine: number;
  readonly endColumn: number | undefined;
}

/** Tokens [start, end) of a document. */
type Tokens = Pick<Stretch, 'start' | 'end'>;

/** What a range has of one part of a text. */
interface Candidate extends Stretch {
  /** Whether it begins and ends where the range does, as a passage of a report does. */
  readonly fits: boolean;
  /** Code is compared with code, and prose with prose; a page that quotes code has both. */
  readonly hasCode: boolean;
  readonly hasProse: boolean;
}

function isWhole({ totalLines, endColumn: last }: DocumentIndex, range: Range): boolean {
  const { startLine, startColumn = 1, endLine, endColumn = last } = range;
  return startLine === 1 && startColumn === 1 && endLine === totalLines && endColumn >= last;
}

/**
 * What a range may mean: the tokens in it of each part of the text, the more likely part first; of the text, of which there
 * may be none, when no part has any. Without a range all of the text is meant, and of its parts the first.
 */
function candidatesOf(kernel: Kernel, whole: DocumentIndex, range: Range | undefined): readonly Candidate[] {
  const runs = partsOf('', whole).map(({ index }) => ({ index, ...tokensIn(kernel, index, range) }));
  const some = runs.filter(({ start, end }) => start < end);
  const [text] = runs;
  const quoted = some.find(({ index }) => index === whole.quoted);
  // Where a page has nothing but the code that it quotes, that is what is meant.
  const isFence = whole.prose && quoted !== undefined && quoted.end - quoted.start >= text.end - text.start;
  const ordered = isFence ? [quoted, ...some.filter((run) => run !== quoted)] : some.length > 0 ? some : [text];
  return ordered.map((run, at): Candidate => ({
    ...run,
    fits: range ? run.start < run.end && fits(kernel, run, range) : at === 0,
    hasCode: !run.index.prose || (run === text && quoted !== undefined),
    hasProse: run.index.prose,
  }));
}

/**
 * The parts that two ranges mean. A range of lines may have code, comments and quoted code; what a report compared is of one
 * nature on both sides, and begins and ends where its range does. What is as likely is taken in the order of candidates.
 */
function mostLikelyParts(as: readonly Candidate[], bs: readonly Candidate[]): readonly [Candidate, Candidate] {
  let best: readonly [Candidate, Candidate] = [as[0], bs[0]];
  let most = -1;
  for (const a of as) {
    for (const b of bs) {
      const areAlike = (a.hasCode && b.hasCode) || (a.hasProse && b.hasProse);
      const likely = (areAlike ? 3 : 0) + Number(a.fits) + Number(b.fits);
      if (likely > most) [best, most] = [[a, b], likely];
    }
  }
  return best;
}

function fits(kernel: Kernel, { index, start, end }: Stretch, range: Range): boolean {
  const is = passageOf(kernel, named(index), { start, end });
  const { startLine, startColumn = is.startColumn, endLine, endColumn = is.endColumn } = range;
  return (
    is.startLine === startLine && is.startColumn === startColumn && is.endLine === endLine && is.endColumn === endColumn
  );
}

/** The tokens of a document, or those that begin in a range, without what parts it at their ends. */
function tokensIn(kernel: Kernel, index: DocumentIndex, range: Range | undefined): Tokens {
  const { startLine = 1, startColumn = 1, endLine = index.totalLines, endColumn } = range ?? {};
  let start = firstTokenFrom(kernel, index, startLine, startColumn);
  let end =
    endColumn === undefined
      ? firstTokenFrom(kernel, index, endLine + 1, 1)
      : firstTokenFrom(kernel, index, endLine, endColumn);
  while (end > start && isSeparator(kernel, index, end - 1)) end--;
  while (end > start && isSeparator(kernel, index, start)) start++;
  return { start, end };
}

/** The first token that does not begin before a place. */
function firstTokenFrom(kernel: Kernel, index: DocumentIndex, line: number, column: number): number {
  let low = 0;
  let high = index.tokenCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    // What parts the document stands nowhere: it goes with the token before it.
    let token = middle;
    while (token >= low && isSeparator(kernel, index, token)) token--;
    if (token < low || beginsBefore(kernel, index, token, line, column)) low = middle + 1;
    else high = token;
  }
  return low;
}

function beginsBefore(kernel: Kernel, index: DocumentIndex, token: number, line: number, column: number): boolean {
  const { startLine, startColumn } = passageOf(kernel, named(index), { start: token, end: token + 1 });
  return startLine < line || (startLine === line && startColumn < column);
}

function isSeparator(kernel: Kernel, index: DocumentIndex, token: number): boolean {
  return kernel.words[(index.tokens >>> 2) + token] === separator;
}

/** A part of a text whose name does not matter. */
function named(index: DocumentIndex): NamedDocument {
  return { path: '', index, part: 'text' };
}

function hex(fingerprint: bigint): string {
  return fingerprint.toString(16).padStart(16, '0');
}
