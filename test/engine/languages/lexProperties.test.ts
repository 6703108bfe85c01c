/** Properties of the lexer for any bytes in any language. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { sampled, scaled } from '../../../scripts/scaled.mjs';
import { lexiconForPath, lexicons } from '../../../src/core/engine/languages/allLexicons.ts';
import type { Lexicon } from '../../../src/core/engine/languages/lexicalRules.ts';
import type { KeptParts } from '../../../src/core/engine/languages/lexiconBytes.ts';
import { anyText } from '../arbitraries.ts';
import { fixtureFolder, fixtureNames, type LexingResult, lexParts, splitParts } from '../lexing.ts';

function fixture(name: string): Buffer {
  return readFileSync(path.join(fixtureFolder, name));
}

const anyLexicon = fc.constantFrom(...lexicons);

function lexAll(bytes: Uint8Array, lexicon: Lexicon, kept?: KeptParts): LexingResult {
  return lexParts(bytes, [{ start: 0, end: bytes.length, lexicon }], kept);
}

/** Returns the offsets at which lines start: after LF, CRLF, and CR. */
function lineStartsByDefinition(bytes: Uint8Array): number[] {
  const starts = [0];
  bytes.forEach((byte, offset) => {
    if (byte === 10 || (byte === 13 && bytes[offset + 1] !== 10)) starts.push(offset + 1);
  });
  return starts;
}

function checkInvariants(bytes: Uint8Array, { tokens, lines, lineEnds, nonAscii }: LexingResult): void {
  assert.ok(tokens.length <= bytes.length, 'at most one token a byte');
  let end = 0;
  for (const token of tokens) {
    assert.ok(token.start >= end, 'tokens ascend and do not overlap');
    assert.ok(token.length > 0, 'no token is empty');
    end = token.start + token.length;
    const isOnLine = !bytes.subarray(token.start, end).some((byte) => byte === 10 || byte === 13);
    assert.ok(isOnLine, `a token is on one line: ${JSON.stringify(token)}`);
  }
  assert.ok(end <= bytes.length, 'tokens lie inside the text');
  const starts = lineStartsByDefinition(bytes);
  assert.equal(lineEnds, starts.length - 1);
  assert.equal(
    nonAscii,
    bytes.some((byte) => byte >= 0x80),
  );
  const lineOf = (offset: number): number => starts.filter((start) => start <= offset).length - 1;
  const expected = tokens
    .map((token, index) => ({ firstToken: index, line: lineOf(token.start) }))
    .filter(({ line }, index, all) => index === 0 || all[index - 1].line !== line)
    .map(({ firstToken, line }) => ({ firstToken, line, lineStart: starts[line] }));
  assert.deepEqual(lines, expected);
}

suite('lex: properties', () => {
  test('tokens ascend inside the text with correct line records, for any bytes in any language', () => {
    fc.assert(
      fc.property(anyText, anyLexicon, fc.boolean(), fc.boolean(), (bytes, lexicon, imports, comments) => {
        checkInvariants(bytes, lexAll(bytes, lexicon, { imports, comments }));
      }),
      { numRuns: scaled(3000) },
    );
  });

  test('the same holds for beginnings and ends of real texts', () => {
    const texts = fixtureNames().map(fixture);
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat(), anyLexicon, (text, from, length, lexicon) => {
        const start = from % text.length;
        const bytes = text.subarray(start, start + (length % text.length));
        checkInvariants(bytes, lexAll(bytes, lexicon));
      }),
      { numRuns: scaled(1000) },
    );
  });

  test('no token begins or ends inside a character, whatever mark precedes it', () => {
    const marks = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter((it) => !/\w/.test(it));
    for (const name of fixtureNames()) {
      const [text, lexicon] = [fixture(name).toString('utf8'), lexiconForPath(name)];
      for (const mark of sampled(marks.filter((it) => text.includes(it)))) {
        for (const wide of ['é', '𝒳']) {
          // Insert it after the mark, and replace the text after the mark.
          const [first, ...others] = text.split(mark);
          for (const rest of [others, others.map((part) => part.slice(1))]) {
            const bytes = Buffer.from([first, ...rest].join(mark + wide));
            const { code, comments } = splitParts(bytes, [{ start: 0, end: bytes.length, lexicon }]);
            const isInside = (offset: number): boolean => offset < bytes.length && (bytes[offset] & 0xc0) === 0x80;
            const torn = [...code.tokens, ...comments.tokens].filter(
              ({ start, length }) => isInside(start) || isInside(start + length),
            );
            assert.deepEqual(torn, [], `${name} with ${wide} behind ${mark}`);
          }
        }
      }
    }
  });

  test('a segment has the same tokens as a separate text', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyLexicon, anyLexicon, (before, bytes, after, lexicon, other) => {
        // The lines around it end with LF, so that none continues into it.
        const text = Uint8Array.of(...before, 10, ...bytes, 10, ...after);
        const start = before.length + 1;
        const end = start + bytes.length;
        const whole = lexParts(text, [
          { start: 0, end: start, lexicon: other },
          { start, end, lexicon },
          { start: end, end: text.length, lexicon: other },
        ]);
        const alone = lexAll(bytes, lexicon);
        const inside = whole.tokens.filter((token) => token.start >= start && token.start < end);
        const shifted = alone.tokens.map((token) => ({ ...token, start: token.start + start }));
        assert.deepEqual(inside, shifted);
        checkInvariants(text, whole);
      }),
      { numRuns: scaled(1000) },
    );
  });

  test('text between segments has no tokens, but its lines count', () => {
    fc.assert(
      fc.property(anyText, anyText, anyLexicon, (skipped, bytes, lexicon) => {
        const text = Uint8Array.of(...skipped, 10, ...bytes);
        const start = skipped.length + 1;
        const lexed = lexParts(text, [{ start, end: text.length, lexicon }]);
        assert.ok(lexed.tokens.every((token) => token.start >= start));
        assert.equal(lexed.lineEnds, lineStartsByDefinition(text).length - 1);
        const alone = lexAll(bytes, lexicon);
        assert.deepEqual(
          lexed.tokens.map(({ word }) => word),
          alone.tokens.map(({ word }) => word),
        );
      }),
      { numRuns: scaled(500) },
    );
  });

  test('blanks, lines, and comments between tokens change no token', () => {
    // Languages in which line ends are whitespace, with their comment syntax.
    const names =
      'apex.apex c.c cpp.cpp csharp.cs d.d java.java objectivec.m rust.rs solidity.sol swift.swift typescript.ts';
    const texts = names.split(' ').map((name) => ({ name, text: fixture(name).toString('latin1') }));
    const gap = fc.constantFrom('  ', '\t', '\n', '\r\n\r\n  ', ' /* it\'s "x" */ ', ' /**/ ', ' // don\'t "x"\n');
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.infiniteStream(gap), ({ name, text }, gaps) => {
        const lexicon = lexiconForPath(name);
        const { introducing, between, typeNames } = lexicon;
        const contextual = new Set([introducing, between, typeNames].join(' ').split(/\s+/));
        const { tokens } = lexAll(Buffer.from(text, 'latin1'), lexicon);
        let reformatted = '';
        let end = 0;
        tokens.forEach(({ kind, text: token, start, length }, index) => {
          const before = tokens[index - 1];
          const white = text.slice(end, start);
          // Some gaps matter: between a call and its parenthesis, after a contextual keyword, between words and signs
          // of a string, and after an unterminated string.
          const isInString = [before, tokens[index]].some((it) => it?.kind === 'string' && /^\w+$/.test(it.text));
          const isFixed =
            token === '(' ||
            token === '${' ||
            contextual.has(before?.text ?? '') ||
            isInString ||
            (kind === 'string' && before?.text === '}') ||
            (before?.kind === 'string' && (kind === 'string' || white.includes('\n'))) ||
            !/^[ \n]+$/.test(white);
          reformatted += isFixed ? white : gaps.next().value;
          reformatted += text.slice(start, start + length);
          end = start + length;
        });
        const words = (lexed: LexingResult): string[] =>
          lexed.tokens.map(({ kind, text: token }) => `${kind} ${token}`);
        assert.deepEqual(
          words(lexAll(Buffer.from(reformatted + text.slice(end), 'latin1'), lexicon)),
          tokens.map(({ kind, text: token }) => `${kind} ${token}`),
        );
      }),
      { numRuns: scaled(200) },
    );
  });

  test('lexing is deterministic', () => {
    fc.assert(
      fc.property(anyText, anyLexicon, (bytes, lexicon) => {
        assert.deepEqual(lexAll(bytes, lexicon), lexAll(bytes, lexicon));
      }),
    );
  });
});
