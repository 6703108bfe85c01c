/**
 * Explain Match: compares two passages of files token by token and computes the components of their similarity. The
 * lexers provide the tokens, the options the weights, and explain.ts the measures.
 */
import { firstPlace } from '../collections/lists.ts';
import type { DocumentIndex } from './documents/documents.ts';
import { DocumentIndexer } from './documents/indexDocument.ts';
import { explain, type Explanation } from '../methods/explain.ts';
import { createMemory, Kernel } from './kernel.ts';
import { lexiconForPath } from './languages/allLexicons.ts';
import type { Lexicon } from './languages/lexicalRules.ts';
import type { Options } from './options.ts';
import { kindMask } from '../kernel/lex/lexedLayout.ts';
import { kindCodes, separator, tokenKinds } from './languages/tokenKind.ts';
import { type NamedDocument, partsOf } from './documents/namedDocument.ts';
import { passageOf } from './report/passageOf.ts';
import { placeOfToken } from './documents/tokenPlaces.ts';
import { type Stretch, windowDistance } from './documents/windows.ts';

export interface PassageText {
  /** Path of the file. It determines the language unless a lexicon is given. */
  readonly path: string;
  readonly text: Uint8Array;
  /** First and last line of the range, from 1, both inclusive. */
  readonly lines?: { readonly start: number; readonly end: number } | undefined;
  /**
   * Columns at which the range begins on its first line and ends on its last, as in a report: from 1, in UTF-16 units,
   * end exclusive. Only valid together with `lines`. They distinguish code from a comment on the same line.
   */
  readonly columns?: { readonly start: number; readonly end: number } | undefined;
  readonly lexicon?: Lexicon;
}

/** One of the two explained passages. Lines count from 1, both inclusive. */
export interface ExplainedPassage {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly tokens: number;
  readonly totalLines: number;
}

/** Distinct names and words of two passages: in both, and in only one. Frequent and long words come first. */
export interface ExplainedWords {
  readonly both: readonly string[];
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
}

export interface PassageExplanation extends Omit<Explanation, 'fingerprintA' | 'fingerprintB' | 'similarity'> {
  readonly a: ExplainedPassage;
  readonly b: ExplainedPassage;
  /**
   * Share of the tokens that are identical in both, in the same order, in [0, 1]: the similarity of `explain`. The
   * similarity in a report comes from another alignment, in which consistently renamed names correspond.
   */
  readonly sameTokens: number;
  /** Number of tokens in a feature, which is the shingle size of the language. */
  readonly shingleSize: number;
  /** Fingerprints of the passages, 16 hexadecimal digits each. */
  readonly fingerprints: readonly [a: string, b: string];
  /**
   * Number of differing bits between the closest windows of the two passages, or 64 if there are no windows. A scan
   * finds pairs of passages by this distance.
   */
  readonly windowDistance: number;
  readonly words: ExplainedWords;
}

/**
 * Compares two passages, and lists their shared and differing features and words. If the first passage is prose, uses
 * the shingle size for prose; otherwise, the one for code.
 *
 * Lines past the end of a text are ignored. A passage that is empty or shorter than a shingle has no features: see
 * `explain` for the result.
 *
 * @param limit   maximum number of shared and of differing features to list
 * @param decode  decodes UTF-8
 */
export function explainPassages(
  a: PassageText,
  b: PassageText,
  options: Options,
  { limit, decode }: { readonly limit: number; readonly decode: (utf8: Uint8Array) => string },
): PassageExplanation {
  const kernel = new Kernel(createMemory());
  const indexer = new DocumentIndexer(kernel, options);
  const names = new Map<number, string>();
  const kinds = new Map<string, number>();
  const documents = [a, b].map((passage) => read(passage));
  const likelyParts = mostLikelyParts(documents[0].candidates, documents[1].candidates);
  const [x, y] = [a, b].map((passage, at) => tokensOf(passage, documents[at], likelyParts[at]));
  const shingleSize = x.index.prose ? options.prose.shingleSize : options.shingleSize;
  // Separators, such as the end of a paragraph or cell, have no kind and no weight.
  const weights = new Map([...kinds].map(([name, kind]) => [name, weightOf(options, kind)]));
  const {
    fingerprintA,
    fingerprintB,
    similarity: sameTokens,
    ...explanation
  } = explain(x.tokens, y.tokens, {
    size: shingleSize,
    weights,
    limit,
  });
  return {
    a: x.passage,
    b: y.passage,
    sameTokens,
    shingleSize,
    fingerprints: [hex(fingerprintA), hex(fingerprintB)],
    windowDistance: windowDistance(kernel, x.stretch, y.stretch),
    words: compareWords(wordsOf(x.tokens), wordsOf(y.tokens)),
    ...explanation,
  };

  function read({ path, text, lines, columns, lexicon = lexiconForPath(path) }: PassageText): IndexedText {
    const room = indexer.reserve(text.byteLength);
    room.set(text);
    const whole = indexer.index(room, lexicon);
    const { start: startLine, end } = lines ?? { start: 1, end: whole.totalLines };
    const endLine = Math.min(end, whole.totalLines);
    const range: Range = { startLine, startColumn: columns?.start, endLine, endColumn: columns?.end };
    return { whole, range, candidates: candidatesOf(kernel, whole, isWhole(whole, range) ? undefined : range) };
  }

  function tokensOf({ path, text }: PassageText, { whole, range }: IndexedText, { index, start, end }: Candidate) {
    const tokens: string[] = [];
    for (let place = start; place < end; place++) {
      if (!isSeparator(kernel, index, place)) tokens.push(nameOf(index, text, place));
    }
    const { startLine, endLine } = range;
    const passage = { path, startLine, endLine, tokens: tokens.length, totalLines: whole.totalLines };
    return { index, passage, tokens, stretch: { index, start, end } };
  }

  /** Returns the number of occurrences of each name and word, regardless of token kind. */
  function wordsOf(tokens: readonly string[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const token of tokens) {
      if (!wordKinds.has(kinds.get(token)!)) continue;
      const word = token.replace(/‹[^›]*›$/, '');
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return counts;
  }

  /** Returns the displayed name of a token: its text, and its kind if another token has the same text. */
  function nameOf(index: DocumentIndex, text: Uint8Array, place: number): string {
    const token = kernel.words[(index.tokens >>> 2) + place];
    const storedName = names.get(token);
    if (storedName !== undefined) return storedName;
    const { start, end } = placeOfToken(kernel, index, place);
    const kind = token & kindMask;
    const plain = decode(text.subarray(start, end)).replaceAll(/\s+/g, ' ');
    let name = plain;
    // Different tokens may have the same text. For example, a called name differs from a variable. Long texts are cut,
    // so they may look equal.
    for (let other = 1; kinds.has(name); other++) {
      name = `${plain}‹${tokenKinds[kind]}${other > 1 ? ` ${other}` : ''}›`;
    }
    names.set(token, name);
    kinds.set(name, kind);
    return name;
  }
}

/** Kinds of tokens that count as words in the explanation. */
const wordKinds: ReadonlySet<number> = new Set([
  kindCodes.identifier,
  kindCodes.call,
  kindCodes.word,
  kindCodes.heading,
]);

function compareWords(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): ExplainedWords {
  const rank = (counts: ReadonlyMap<string, number>, isListed: (word: string) => boolean): string[] =>
    [...counts]
      .filter(([word]) => isListed(word))
      .map(([word, count]) => ({ word, value: count * word.length }))
      .sort((x, y) => y.value - x.value || (x.word < y.word ? -1 : 1))
      .map(({ word }) => word);
  return {
    both: rank(a, (word) => b.has(word)),
    onlyA: rank(a, (word) => !b.has(word)),
    onlyB: rank(b, (word) => !a.has(word)),
  };
}

function weightOf({ weights }: Options, kind: number): number {
  const name = tokenKinds.at(kind);
  return name === undefined ? 0 : weights[name];
}

/** An indexed text, and the candidates for the passage in a range of it. */
interface IndexedText {
  readonly whole: DocumentIndex;
  readonly range: Range;
  readonly candidates: readonly Candidate[];
}

/** A range of lines, with or without columns. Both count from 1. The last line is inclusive; the last column is not. */
interface Range {
  readonly startLine: number;
  readonly startColumn: number | undefined;
  readonly endLine: number;
  readonly endColumn: number | undefined;
}

/** Tokens [start, end) of a document. */
type Tokens = Pick<Stretch, 'start' | 'end'>;

/** The tokens of one part of a text (code, comments, or quoted code) that lie in a range. */
interface Candidate extends Stretch {
  /** True if the tokens begin and end where the range does, as in a passage of a report. */
  readonly fits: boolean;
  /** True for code, including code quoted in prose. Code is compared only with code, and prose only with prose. */
  readonly hasCode: boolean;
  readonly hasProse: boolean;
}

function isWhole({ totalLines, endColumn: last }: DocumentIndex, range: Range): boolean {
  const { startLine, startColumn = 1, endLine, endColumn = last } = range;
  return startLine === 1 && startColumn === 1 && endLine === totalLines && endColumn >= last;
}

/**
 * Returns the tokens of each part of a text in a range, the more likely part first. If no part has tokens there,
 * returns the empty range of the text itself. Without a range, returns the first part that has tokens.
 */
function candidatesOf(kernel: Kernel, whole: DocumentIndex, range: Range | undefined): readonly Candidate[] {
  const runs = partsOf('', whole).map(({ index }) => ({ index, ...tokensIn(kernel, index, range) }));
  const some = runs.filter(({ start, end }) => start < end);
  const [text] = runs;
  const quoted = some.find(({ index }) => index === whole.quoted);
  // If a page consists mostly of quoted code, the user probably means that code.
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
 * Chooses one candidate for each of two ranges. A range of lines may contain code, comments, and quoted code. Prefers
 * candidates of the same kind whose first and last tokens are exactly at the ends of their range, as in a report. If
 * several candidates are equally good, chooses the earliest.
 */
function mostLikelyParts(as: readonly Candidate[], bs: readonly Candidate[]): readonly [Candidate, Candidate] {
  let best: readonly [Candidate, Candidate] = [as[0], bs[0]];
  let maxLikelihood = -1;
  for (const a of as) {
    for (const b of bs) {
      const areAlike = (a.hasCode && b.hasCode) || (a.hasProse && b.hasProse);
      const likely = (areAlike ? 3 : 0) + Number(a.fits) + Number(b.fits);
      if (likely > maxLikelihood) [best, maxLikelihood] = [[a, b], likely];
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

/** Returns the tokens of a document, or those that begin in a range. Excludes separators at both ends. */
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

/** Returns the index of the first token that begins at or after a position. */
function firstTokenFrom(kernel: Kernel, index: DocumentIndex, line: number, column: number): number {
  return firstPlace(index.tokenCount, (place) => {
    // A separator has no position in the text, so use the position of the token before it.
    let token = place;
    while (token >= 0 && isSeparator(kernel, index, token)) token--;
    return token < 0 || beginsBefore(kernel, index, token, line, column);
  });
}

function beginsBefore(kernel: Kernel, index: DocumentIndex, token: number, line: number, column: number): boolean {
  const { startLine, startColumn } = passageOf(kernel, named(index), { start: token, end: token + 1 });
  return startLine < line || (startLine === line && startColumn < column);
}

function isSeparator(kernel: Kernel, index: DocumentIndex, token: number): boolean {
  return kernel.words[(index.tokens >>> 2) + token] === separator;
}

/** Returns a named document with an empty path. No caller reads the path. */
function named(index: DocumentIndex): NamedDocument {
  return { path: '', index, part: 'text' };
}

function hex(fingerprint: bigint): string {
  return fingerprint.toString(16).padStart(16, '0');
}
