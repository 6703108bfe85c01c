/** The kernel's lexer, compared with a simple reference implementation. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { anyText } from '../arbitraries.ts';
import { lexParts } from '../lexing.ts';
import { lexJavaByDefinition, type PlainToken } from '../oracles/lexJavaByDefinition.ts';

const java = lexiconForPath('A.java');

function lexJava(bytes: Uint8Array): PlainToken[] {
  const { tokens } = lexParts(bytes, [{ start: 0, end: bytes.length, lexicon: java }], { imports: true });
  return tokens.map(({ kind, word, start, length }) => ({ kind, word, start, length }));
}

function check(bytes: Uint8Array): void {
  assert.deepEqual(lexJava(bytes), lexJavaByDefinition(bytes));
}

suite('lex: compared with the reference', () => {
  test('arbitrary bytes as Java', () => {
    fc.assert(fc.property(anyText, check), { numRuns: scaled(1500) });
  });
  test('real texts of all languages as Java', () => {
    for (const folder of ['test/fixtures/lex', 'src/core/engine', 'src/core/kernel'].map((name) =>
      path.resolve(name),
    )) {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      for (const name of names.filter((name) => /\.\w+$/.test(name) && !name.endsWith('.wasm'))) {
        check(readFileSync(path.join(folder, name)));
      }
    }
  });
});
