/**
 * The lexer on difficult tokens. test/fixtures/lex has a text for each language, and beside it its expected tokens by
 * line, including comments (NAME.tokens). Words also state their expected kind, in any case: `seen…` is code and never
 * in a string, `text…` is in a string, and `dropped…` is in a comment, a docstring, or an import. With
 * KINDRED_ACCEPT=1, the actual tokens are written for review before they are committed, and the run still fails.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { quotedInComments } from '../../../src/core/engine/languages/embedded.ts';
import { lexicons, lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { fixtureFolder, fixtureNames, type LexingResult, lexFile, lexParts, writtenTokens } from '../lexing.ts';

const fixtures = fixtureNames();

/** Returns each line of a text followed by its tokens, and the tokens of code that its comments quote. */
function written(name: string, text: string): string {
  const bytes = new TextEncoder().encode(text);
  const own = writtenLines(lexFile(name, text, { imports: false, comments: true }));
  const quoted = writtenLines(lexParts(bytes, quotedInComments(bytes, lexiconForPath(name))));
  return text
    .split('\n')
    .map((line, index) => {
      const below = [own.get(index), quoted.has(index) ? `>>> ${quoted.get(index)}` : undefined];
      return [line, ...below.flatMap((tokens) => (tokens === undefined ? [] : `    ${tokens}`)), ''].join('\n');
    })
    .join('');
}

/** Returns the tokens of each line that has any. */
function writtenLines({ tokens, lines }: LexingResult): Map<number, string> {
  return new Map(
    lines.map(({ firstToken, line }, index) => {
      const end = lines[index + 1]?.firstToken ?? tokens.length;
      return [line, writtenTokens(tokens.slice(firstToken, end))];
    }),
  );
}

/** Returns the errors in the tokens of a fixture: the positions of words whose kind does not match their names. */
function mistakes(name: string, text: string): string[] {
  const kinds = kindsOfBytes(name, text);
  const found: string[] = [];
  for (const match of text.matchAll(/\b(seen|text|dropped)/gi)) {
    const kind = kinds[Buffer.byteLength(text.slice(0, match.index))];
    const expected = match[1].toLowerCase();
    const actual = kind === undefined ? 'dropped' : kind === 'string' ? 'text' : 'seen';
    if (actual === expected) continue;
    const before = text.slice(0, match.index);
    const line = before.split('\n').length;
    const rest = text.slice(match.index, match.index + 30).split('\n')[0];
    found.push(`${name}:${line}:${match.index - before.lastIndexOf('\n')}: ${rest} is ${actual}`);
  }
  return found;
}

/** Returns the kind of the token at each byte, or undefined where there is none. */
function kindsOfBytes(name: string, text: string): (string | undefined)[] {
  const kinds: (string | undefined)[] = [];
  for (const { start, length, kind } of lexFile(name, text).tokens) {
    for (let offset = start; offset < start + length; offset++) kinds[offset] = kind;
  }
  return kinds;
}

/** Compares the tokens of a fixture with the expected ones. */
function checkTokens(name: string, text: string): void {
  const file = path.join(fixtureFolder, `${name}.tokens`);
  const actual = written(name, text);
  const expected = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (process.env['KINDRED_ACCEPT'] !== undefined) writeFileSync(file, actual);
  assert.equal(actual, expected);
}

/** Returns the tokens of each line by line number. */
function onLines(name: string, text: string): [number, string][] {
  const own = writtenLines(lexFile(name, text, { imports: false, comments: true }));
  return [...own].map(([line, tokens]) => [line, tokens.replaceAll(/\r\n?/g, '\n')]);
}

suite('lex: fixtures', () => {
  for (const name of fixtures) {
    const text = readFileSync(path.join(fixtureFolder, name), 'utf8');
    const isProse = lexiconForPath(name).prose;
    test(`${name}: has the expected tokens`, () => checkTokens(name, text));
    test(`${name}: has the same tokens on the same lines with every type of line ending`, () => {
      const plain = onLines(name, text);
      assert.deepEqual(onLines(name, text.replaceAll('\n', '\r\n')), plain, 'with CRLF');
      assert.deepEqual(onLines(name, text.replaceAll('\n', '\r')), plain, 'with CR');
    });
    if (isProse) continue;
    test(`${name}: distinguishes code, strings, and comments`, () => {
      assert.deepEqual(mistakes(name, text), []);
      assert.deepEqual(mistakes(name, text.replaceAll('\n', '\r\n')), [], 'with CRLF');
    });
  }
  test('every language has a fixture', () => {
    const covered = new Set(fixtures.map((name) => lexiconForPath(name).id));
    assert.deepEqual(
      lexicons.filter(({ id }) => !covered.has(id)).map(({ id }) => id),
      [],
    );
  });
  test('a misplaced word is detected', () => {
    assert.equal(mistakes('a.ts', 'seen /* seen */ + "dropped" + text').length, 3);
  });
});
