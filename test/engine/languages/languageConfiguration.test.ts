/** Lexicons from VS Code's language configurations. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { lexiconFromLanguageConfiguration } from '../../../src/core/engine/languages/languageConfiguration.ts';
import { lexiconBytes } from '../../../src/core/engine/languages/lexiconBytes.ts';
import { lexParts } from '../lexing.ts';

/** Checks the tokens of a text in a language with this configuration. */
function check(configuration: unknown, text: string, ...expected: string[]): void {
  const bytes = new TextEncoder().encode(text);
  const lexicon = lexiconFromLanguageConfiguration('any', configuration);
  const { tokens } = lexParts(bytes, [{ start: 0, end: bytes.length, lexicon }]);
  assert.deepEqual(
    tokens.map(({ text }) => text),
    expected,
  );
}

suite('lexicons from language configurations', () => {
  test('comments and strings', () => {
    const configuration = {
      comments: { lineComment: '//', blockComment: ['(*', '*)'] },
      autoClosingPairs: [['{', '}'], { open: '"', close: '"', notIn: ['string'] }],
      surroundingPairs: [
        ["'", "'"],
        ['<', '>'],
      ],
    };
    check(configuration, 'a "// \\" b" \'c (*\' (* d *) e // f\ng', 'a', '"// \\" b"', "'c (*'", 'e', 'g');
  });
  test('a line comment as an object, in the first column only', () => {
    check({ comments: { lineComment: { comment: '*', noIndent: true } } }, '* a\n * b', '*', 'b');
  });
  test('a line comment that begins with a word', () => {
    check({ comments: { lineComment: 'REM' } }, 'REM a\nb REM c', 'b', 'REM', 'c');
  });
  test('a quote that begins a comment does not begin a string', () => {
    check({ comments: { lineComment: '"' }, autoClosingPairs: [['"', '"']] }, 'a " b " c', 'a');
  });
  test('triple-quoted strings span lines', () => {
    check({ autoClosingPairs: [['"""', '"""']] }, '"""a\nb""" c', 'a', 'b', 'c');
  });
  test('any configuration results in a lexicon that compiles', () => {
    const value = fc.oneof(fc.string(), fc.anything(), fc.array(fc.string()), fc.array(fc.array(fc.string())));
    const comments = fc.record({ lineComment: value, blockComment: value }, { requiredKeys: [] });
    const configuration = fc.oneof(
      fc.anything(),
      fc.record({ comments, autoClosingPairs: value, surroundingPairs: value }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(configuration, (any) => {
        lexiconBytes(lexiconFromLanguageConfiguration('any', any), { imports: false });
      }),
      { numRuns: scaled(1000) },
    );
  });
});
