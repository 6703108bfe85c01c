/**
 * The lexer on awkward tokens: a text for each language in test/fixtures/lex, and beside each what its tokens are, line
 * by line, comments included (NAME.tokens). What words must be is also in their names, in any case: `seen…` is code,
 * never in a string; `text…` is in a string; `dropped…` is in a comment, a docstring or an import.
 *
 * With KINDRED_ACCEPT=1 the tokens are written as they are, to be read before they are committed; the run still fails.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { quotedInComments } from '../../../src/engine/languages/embedded.ts';
import { lexicons, lexiconForPath } from '../../../src/engine/languages/lexicon.ts';
import { fixtureFolder, fixtureNames, type Lexed, lexFile, lexParts, writtenTokens } from '../lexing.ts';

const fixtures = fixtureNames();

/** Each line of a text, and below it its tokens, and those of the code that its comments quote. */
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

/** The tokens of each line that has some. */
function writtenLines({ tokens, lines }: Lexed): Map<number, string> {
  return new Map(
    lines.map(({ firstToken, line }, index) => {
      const end = lines[index + 1]?.firstToken ?? tokens.length;
      return [line, writtenTokens(tokens.slice(firstToken, end))];
    }),
  );
}

/** Returns the errors in the tokens of a fixture: the positions of words that do not match their names. */
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

/** The kind of the token over each byte, undefined where there is none. */
function kindsOfBytes(name: string, text: string): (string | undefined)[] {
  const kinds: (string | undefined)[] = [];
  for (const { start, length, kind } of lexFile(name, text).tokens) {
    for (let offset = start; offset < start + length; offset++) kinds[offset] = kind;
  }
  return kinds;
}

/** Compares the tokens of a fixture with those beside it. */
function checkTokens(name: string, text: string): void {
  const file = path.join(fixtureFolder, `${name}.tokens`);
  const actual = written(name, text);
  const expected = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (process.env['KINDRED_ACCEPT'] !== undefined) writeFileSync(file, actual);
  assert.equal(actual, expected);
}

/** The tokens of each line, by its number. */
function onLines(name: string, text: string): [number, string][] {
  const own = writtenLines(lexFile(name, text, { imports: false, comments: true }));
  return [...own].map(([line, tokens]) => [line, tokens.replaceAll(/\r\n?/g, '\n')]);
}

suite('lex: fixtures', () => {
  for (const name of fixtures) {
    const text = readFileSync(path.join(fixtureFolder, name), 'utf8');
    const isProse = lexiconForPath(name).prose;
    test(`${name}: its tokens`, () => checkTokens(name, text));
    test(`${name}: the same tokens on the same lines, whatever ends these`, () => {
      const plain = onLines(name, text);
      assert.deepEqual(onLines(name, text.replaceAll('\n', '\r\n')), plain, 'with CRLF');
      assert.deepEqual(onLines(name, text.replaceAll('\n', '\r')), plain, 'with CR');
    });
    if (isProse) continue;
    test(`${name}: code, strings and comments`, () => {
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
  test('a misplaced word is noticed', () => {
    assert.equal(mistakes('a.ts', 'seen /* seen */ + "dropped" + text').length, 3);
  });
});
