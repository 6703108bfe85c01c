/**
 * The lexer on awkward tokens, a fixture a language. What the words of a fixture must be is in their names, in any case:
 * `seen…` is code, never in a string; `text…` is in a string; `dropped…` is in a comment, a docstring or an import.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lexicons, lexiconForPath } from '../../src/engine/lexicon.ts';
import { lexFile } from './lexing.ts';

const folder = path.resolve('test/fixtures/lex');
const fixtures = readdirSync(folder);

/** What is wrong with the tokens of a fixture: the places of words that are not what their names say. */
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

suite('lex: fixtures', () => {
  for (const name of fixtures) {
    test(name, () => {
      const text = readFileSync(path.join(folder, name), 'utf8');
      assert.deepEqual(mistakes(name, text), []);
      assert.deepEqual(mistakes(name, text.replaceAll('\n', '\r\n')), [], 'with CRLF');
    });
  }
  test('every language with code has a fixture', () => {
    const covered = new Set(fixtures.map((name) => lexiconForPath(name).id));
    const missing = lexicons.filter(({ prose, id }) => !prose && !covered.has(id)).map(({ id }) => id);
    // They share the rules of HTML, and differ in what they embed; see embedded.test.ts.
    assert.deepEqual(missing, ['vue', 'svelte', 'astro', 'erb', 'ejs', 'jsp', 'aspnet']);
  });
  test('a misplaced word is noticed', () => {
    assert.equal(mistakes('a.ts', 'seen /* seen */ + "dropped" + text').length, 3);
  });
});
