/** Finds passages that only declare functions, without bodies: overloads, abstract methods, and prototypes. */
import type { DocumentIndex } from '../documents/documents.ts';
import { assigningTokens, controlTokens, declaringTokens } from '../documents/makeup.ts';
import { kindCodes, type TokenKind, tokenOf } from '../languages/tokenKind.ts';
import { kindMask } from '../../kernel/lex/lexedLayout.ts';

/** Returns true if the tokens [start, end) of a document are signatures of functions, or a part of one. */
export function areSignatures(
  words: Uint32Array,
  { tokens, tokenCount }: Pick<DocumentIndex, 'tokens' | 'tokenCount'>,
  start: number,
  end: number,
): boolean {
  const own = words.subarray(tokens >>> 2, (tokens >>> 2) + tokenCount);
  // Most passages have statements, so look for these first.
  if (own.subarray(start, end).some((token) => controlTokens.has(token) && !modifiers.has(token))) return false;
  const depths = depthsOf(own, start, end);
  // The passage may begin inside a list.
  let list = openAround(own, start);
  const outside = depths.reduce((x, y) => Math.min(x, y), list === undefined ? 0 : -1);
  let found = false;
  for (let at = start; at < end; at++) {
    const isOutside = depths[at - start] === outside;
    if (own[at] === signs.open && isOutside) list = at;
    // Inside a list, an assignment is a default value.
    if (isOutside && assigningTokens.has(own[at])) return false;
    if (list !== undefined && (hasName(own, list) || isCallSignature(own, list))) {
      if (!isSignature(own, list)) return false;
      found = true;
    }
    list = undefined;
  }
  return found;
}

/**
 * Returns, for each of the tokens [start, end), how many more lists of parameters and type parameters are around it
 * than around the first token. In parentheses, < and > may also be comparisons.
 */
function depthsOf(words: Uint32Array, start: number, end: number): number[] {
  const opened: number[] = [];
  let depth = 0;
  return Array.from(words.subarray(start, end), (token) => {
    const before = depth;
    if (token === signs.open) opened.push(depth++);
    else if (token === signs.close) depth = opened.pop() ?? depth - 1;
    else if (token === signs.less) depth++;
    else if (token === signs.greater || token === signs.twoGreater) {
      depth = Math.max(depth - (token === signs.greater ? 1 : 2), opened.length > 0 ? opened.at(-1)! + 1 : -Infinity);
    }
    return before;
  });
}

/** Returns true if the list that opens at an index follows a name, possibly with type parameters: `max(`, `max<T>(`. */
function hasName(words: Uint32Array, open: number): boolean {
  return open > 0 && ((words[open - 1] & kindMask) === kindCodes.call || words[open - 1] === signs.greater);
}

/**
 * Returns true if the list that opens at an index is the first call signature of an interface, as in
 * `interface Max<T> { (…): T }`. Parameters of lambdas in braces have an arrow behind them instead of a colon.
 */
function isCallSignature(words: Uint32Array, open: number): boolean {
  if (open < 2 || words[open - 1] !== signs.openBrace) return false;
  const head = words[open - 2];
  return (isWord(head) || head === signs.greater) && colons.has(words[closeOf(words, open) + 1]);
}

/**
 * Returns true if the list that opens at an index belongs to a function without a body, and not to a call. The type of
 * the function is before its name, as in `int max(…);`, or after the list, as in `max(…): int`.
 */
function isSignature(words: Uint32Array, open: number): boolean {
  const behind = closeOf(words, open) + 1;
  if (behind === 0) return false;
  const before = open > 1 ? words[open - 2] : 0;
  const isTyped = isWord(before) ? before !== signs.new : typeEnds.has(before);
  const isEnd = words[behind] === signs.semicolon || (words[behind] & kindMask) === kindCodes.keyword;
  return (typeStarts.has(words[behind]) || (isTyped && isEnd)) && !hasBody(words, behind);
}

function isWord(token: number): boolean {
  const kind = token & kindMask;
  return kind === kindCodes.identifier || kind === kindCodes.keyword;
}

/** Returns true if a brace or an arrow comes before the end of the declaration whose list ends before an index. */
function hasBody(words: Uint32Array, behind: number): boolean {
  for (let at = behind; at < Math.min(words.length, behind + maxList); at++) {
    if (bodyStarts.has(words[at])) return true;
    if (declarationEnds.has(words[at]) || declaringTokens.has(words[at])) return false;
  }
  return false;
}

/** Maximum number of tokens in a list of parameters. Longer lists are not recognized. */
const maxList = 400;

/** Returns the index of the bracket that opens the list around an index, or `undefined` if there is none. */
function openAround(words: Uint32Array, start: number): number | undefined {
  let depth = 0;
  for (let at = start - 1; at >= Math.max(0, start - maxList); at--) {
    const token = words[at];
    if (token === signs.close || token === signs.closeBrace) depth++;
    else if (token === signs.openBrace && depth-- === 0) return undefined;
    else if (token === signs.open && depth-- === 0) return at;
  }
  return undefined;
}

/** Returns the index of the bracket that closes a list, or -1 if there is none. */
function closeOf(words: Uint32Array, open: number): number {
  let depth = 0;
  for (let at = open; at < Math.min(words.length, open + maxList); at++) {
    if (words[at] === signs.open) depth++;
    else if (words[at] === signs.close && --depth === 0) return at;
  }
  return -1;
}

const signs = {
  open: tokenOf('(', 'punctuation'),
  close: tokenOf(')', 'punctuation'),
  openBrace: tokenOf('{', 'punctuation'),
  closeBrace: tokenOf('}', 'punctuation'),
  semicolon: tokenOf(';', 'punctuation'),
  less: tokenOf('<', 'operator'),
  greater: tokenOf('>', 'operator'),
  twoGreater: tokenOf('>>', 'operator'),
  new: tokenOf('new', 'keyword'),
};

/** Words of control flow that may be part of a signature. */
const modifiers: ReadonlySet<number> = new Set(tokensOf('keyword', 'async default throws'));
const typeEnds: ReadonlySet<number> = new Set([...tokensOf('operator', '> >> * & ?'), ...tokensOf('punctuation', ']')]);
const colons: ReadonlySet<number> = new Set([tokenOf(':', 'operator'), tokenOf(':', 'punctuation')]);
const typeStarts: ReadonlySet<number> = new Set([...colons, tokenOf('->', 'operator')]);
const bodyStarts: ReadonlySet<number> = new Set([...tokensOf('operator', '=>'), ...tokensOf('punctuation', '{')]);
/** Signs after which another declaration may begin. The body of a stub in Python is an ellipsis. */
const declarationEnds: ReadonlySet<number> = new Set([
  ...tokensOf('operator', '...'),
  ...tokensOf('punctuation', '; ('),
]);

function tokensOf(kind: TokenKind, words: string): number[] {
  return words.split(' ').map((word) => tokenOf(word, kind));
}
