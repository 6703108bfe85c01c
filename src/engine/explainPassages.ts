/**
 * Explain Match: two passages of files as the engine sees them, token by token, and what their likeness is made of. The
 * tokens are those of the lexers, and they weigh what the options say; the measures are those of explain.ts.
 */
import type { DocumentIndex } from './documents/documents.ts';
import { DocumentIndexer } from './documents/indexDocument.ts';
import { explain, type Explanation } from '../methods/explain.ts';
import { createMemory, Kernel } from './kernel.ts';
import { type Lexicon, lexiconForPath } from './languages/lexicon.ts';
import type { Options } from './options.ts';
import { kindBits, separator, tokenKinds } from './languages/tokenKind.ts';
import { placeOfToken } from './documents/tokenPlaces.ts';
import { type Stretch, windowDistance } from './documents/windows.ts';

/** Lines of a text; all of it without a range. */
export interface PassageText {
  /** The name decides the language, unless a lexicon is given. */
  readonly path: string;
  /** UTF-8. */
  readonly text: Uint8Array;
  /** From 1, inclusive. */
  readonly lines?: { readonly start: number; readonly end: number };
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
  const [x, y] = [a, b].map((passage) => read(passage));
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

  function read({ path, text, lines, lexicon = lexiconForPath(path) }: PassageText) {
    const room = indexer.reserve(text.byteLength);
    room.set(text);
    const whole = indexer.index(room, lexicon);
    const { start: startLine, end } = lines ?? { start: 1, end: whole.totalLines };
    const endLine = Math.min(end, whole.totalLines);
    const { index, start, end: stop } = stretchOfLines(kernel, whole, startLine, endLine);
    const tokens: string[] = [];
    for (let place = start; place < stop; place++) {
      if (kernel.words[(index.tokens >>> 2) + place] !== separator) tokens.push(nameOf(index, text, place));
    }
    const passage = { path, startLine, endLine, tokens: tokens.length, totalLines: index.totalLines };
    return { index, passage, tokens, stretch: { index, start, end: stop } };
  }

  /** What a token is called: its text, with its kind where another token has the same. Equal tokens have equal names. */
  function nameOf(index: DocumentIndex, text: Uint8Array, place: number): string {
    const token = kernel.words[(index.tokens >>> 2) + place];
    const known = names.get(token);
    if (known !== undefined) return known;
    const { start, end } = placeOfToken(kernel, index, place);
    const kind = token & ((1 << kindBits) - 1);
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

/**
 * The tokens that begin on lines of a document: of its text, of the code that it quotes where there is nothing else on
 * these lines, or of its comments where there is neither.
 */
function stretchOfLines(kernel: Kernel, whole: DocumentIndex, startLine: number, endLine: number): Stretch {
  const stretches = [whole, whole.quoted, whole.comments].flatMap((index) =>
    index ? [{ index, ...tokensOfLines(kernel, index, startLine, endLine) }] : [],
  );
  const [text] = stretches;
  const sizeOf = ({ start, end }: Stretch): number => end - start;
  const quoted = stretches.find(({ index }) => index === whole.quoted);
  if (quoted && sizeOf(quoted) > 0 && sizeOf(quoted) >= sizeOf(text)) return quoted;
  return stretches.find((stretch) => sizeOf(stretch) > 0) ?? text;
}

/** The tokens [start, end) that begin on lines, without what parts the document at their ends. */
function tokensOfLines(
  kernel: Kernel,
  index: DocumentIndex,
  startLine: number,
  endLine: number,
): Pick<Stretch, 'start' | 'end'> {
  const { words } = kernel;
  // Records { first token, line from 0 } of the lines on which a token begins.
  const firstFrom = (line: number): number => {
    for (let record = 0; record < index.lineCount; record++) {
      const at = (index.lines >>> 2) + 2 * record;
      if (words[at + 1] >= line) return words[at];
    }
    return index.tokenCount;
  };
  const start = firstFrom(startLine - 1);
  let end = firstFrom(endLine);
  while (end > start && words[(index.tokens >>> 2) + end - 1] === separator) end--;
  return { start, end };
}

function hex(fingerprint: bigint): string {
  return fingerprint.toString(16).padStart(16, '0');
}
