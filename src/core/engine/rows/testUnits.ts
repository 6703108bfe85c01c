/**
 * Finds tests inside source files by their tokens: test modules and functions of Rust, self-tests at the end of Python
 * modules, test suites and in-source tests of JavaScript, and unit tests of D and Zig.
 */
import type { DocumentIndex } from '../documents/documents.ts';
import { languageHashOf } from '../languages/languageHash.ts';
import { kindCodes, tokenOf } from '../languages/tokenKind.ts';
import { kindMask } from '../../kernel/lex/lexedLayout.ts';

/** Returns the token at an index, or 0 if the index is outside of the document. */
type TokenSource = (index: number) => number;

/** Returns the unit (function, module, or block) that the token at `at` marks as a test, if there is one. */
type UnitSearch = (tokenAt: TokenSource, at: number, count: number) => Unit | undefined;

/** Finds the test units of a language. */
interface UnitFinder {
  /** Tokens at which a test may begin. */
  readonly marks: readonly number[];
  readonly find: UnitSearch;
}

/** Tokens [start, end). */
type Unit = readonly [start: number, end: number];

export class TestUnits {
  readonly #ofDocument = new WeakMap<DocumentIndex, readonly Unit[]>();

  /** Returns true if most of a passage lies in test code. */
  hasMostOf(words: Uint32Array, index: DocumentIndex, start: number, end: number): boolean {
    let units = this.#ofDocument.get(index);
    if (units === undefined) this.#ofDocument.set(index, (units = unitsOf(words, index)));
    let inside = 0;
    for (const [first, behind] of units) inside += Math.max(0, Math.min(end, behind) - Math.max(start, first));
    return 2 * inside > end - start;
  }
}

/** Returns the outermost units of a document that are tests, ascending. */
function unitsOf(words: Uint32Array, { languageHash, tokens, tokenCount, prose }: DocumentIndex): readonly Unit[] {
  const finder = prose ? undefined : finders.get(languageHash);
  if (finder === undefined) return none;
  const { marks, find } = finder;
  const own = words.subarray(tokens >>> 2, (tokens >>> 2) + tokenCount);
  // Few documents contain a mark, so check this first. `includes` is native code, but V8 optimizes the loop below only
  // in long scans.
  if (!marks.some((mark) => own.includes(mark))) return none;
  const tokenAt: TokenSource = (index) => (index >= 0 && index < tokenCount ? own[index] : 0);
  const units: Unit[] = [];
  for (let at = 0; at < tokenCount; at++) {
    const unit = marks.includes(own[at]) ? find(tokenAt, at, tokenCount) : undefined;
    if (unit === undefined) continue;
    units.push(unit);
    at = Math.max(at, unit[1] - 1);
  }
  return units;
}

const none: readonly Unit[] = [];

const token = {
  cfg: tokenOf('cfg', 'call'),
  all: tokenOf('all', 'call'),
  test: tokenOf('test', 'identifier'),
  testKeyword: tokenOf('test', 'keyword'),
  unittest: tokenOf('unittest', 'keyword'),
  mod: tokenOf('mod', 'keyword'),
  pub: tokenOf('pub', 'keyword'),
  hash: tokenOf('#', 'operator'),
  name: tokenOf('__name__', 'identifier'),
  describe: tokenOf('describe', 'call'),
  vitest: tokenOf('vitest', 'identifier'),
  open: tokenOf('(', 'punctuation'),
  close: tokenOf(')', 'punctuation'),
  openBrace: tokenOf('{', 'punctuation'),
  closeBrace: tokenOf('}', 'punctuation'),
  closeBracket: tokenOf(']', 'punctuation'),
  semicolon: tokenOf(';', 'punctuation'),
};

/** Words that occur in self-tests, but not in code at the end of a module that calls a main function. */
const selfTests: ReadonlySet<number> = new Set([
  tokenOf('assert', 'keyword'),
  ...['unittest', 'doctest', 'pytest'].map((word) => tokenOf(word, 'identifier')),
  ...['testmod', 'test', 'tests', 'run_tests', 'self_test', 'selftest', '_test'].map((word) => tokenOf(word, 'call')),
]);

/** Finds `#[cfg(test)] mod tests { … }`, `#[test] fn parses() { … }`, `#[tokio::test] async fn connects() { … }`. */
const findInRust: UnitSearch = (tokenAt, at, count) => {
  if (tokenAt(at) === token.test) {
    return tokenAt(at + 1) === token.closeBracket ? blockFrom(at - 2, at, tokenAt, count) : undefined;
  }
  const isOfTests =
    tokenAt(at) === token.cfg &&
    (tokenAt(at + 2) === token.test || (tokenAt(at + 2) === token.all && tokenAt(at + 4) === token.test));
  if (!isOfTests) return undefined;
  // Imports have no tokens. If an attribute is the last token before an import, it belongs to the import and not to the
  // next item.
  let next = at;
  do {
    while (next < count && tokenAt(next) !== token.closeBracket) next++;
    next++;
  } while (tokenAt(next) === token.hash);
  if (tokenAt(next) === token.pub) next++;
  return tokenAt(next) === token.mod ? blockFrom(at - 2, next, tokenAt, count) : undefined;
};

/** Finds `if __name__ == "__main__":` followed by test code. */
const findInPython: UnitSearch = (tokenAt, at, count) => {
  if (tokenAt(at) !== token.name || (tokenAt(at + 2) & kindMask) !== kindCodes.string) return undefined;
  for (let next = at + 3; next < count; next++) if (selfTests.has(tokenAt(next))) return [at - 1, count];
  return undefined;
};

/** Finds `describe('parser', () => { … })` and `if (import.meta.vitest) { … }`. */
const findInScript: UnitSearch = (tokenAt, at, count) => {
  if (tokenAt(at) === token.vitest)
    return tokenAt(at + 1) === token.close ? blockFrom(at, at, tokenAt, count) : undefined;
  if (tokenAt(at) !== token.describe || (tokenAt(at + 2) & kindMask) !== kindCodes.string) return undefined;
  return [at, endOf(token.open, token.close, at + 1, tokenAt, count)];
};

/** Finds `unittest { … }` of D and `test "parses" { … }` of Zig. */
const findBlock: UnitSearch = (tokenAt, at, count) => {
  const isUnit =
    (tokenAt(at) === token.unittest && tokenAt(at + 1) === token.openBrace) ||
    (tokenAt(at) === token.testKeyword && tokenAt(at + 2) === token.openBrace);
  return isUnit ? blockFrom(at, at, tokenAt, count) : undefined;
};

const ofScript: UnitFinder = { marks: [token.describe, token.vitest], find: findInScript };
const ofBlocks: UnitFinder = { marks: [token.unittest, token.testKeyword], find: findBlock };

/** Finders of test units, by the hash of the language. */
const finders: ReadonlyMap<number, UnitFinder> = new Map(
  Object.entries({
    rust: { marks: [token.cfg, token.test], find: findInRust },
    python: { marks: [token.name], find: findInPython },
    javascript: ofScript,
    javascriptreact: ofScript,
    typescript: ofScript,
    typescriptreact: ofScript,
    d: ofBlocks,
    zig: ofBlocks,
  }).map(([language, finder]) => [languageHashOf(language), finder]),
);

/** Returns the tokens from `start` to the end of the first block after `at`; `undefined` without a block. */
function blockFrom(start: number, at: number, tokenAt: TokenSource, count: number): Unit | undefined {
  for (let next = at; next < count; next++) {
    if (tokenAt(next) === token.semicolon) return undefined;
    if (tokenAt(next) === token.openBrace) {
      return [start, endOf(token.openBrace, token.closeBrace, next, tokenAt, count)];
    }
  }
  return undefined;
}

/** Returns the index after the closing bracket that belongs to the bracket at `at`. */
function endOf(open: number, close: number, at: number, tokenAt: TokenSource, count: number): number {
  let depth = 0;
  for (let next = at; next < count; next++) {
    if (tokenAt(next) === open) depth++;
    else if (tokenAt(next) === close && --depth === 0) return next + 1;
  }
  return count;
}
