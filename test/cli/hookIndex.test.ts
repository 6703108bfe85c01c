/**
 * The index of functions for the hook: renewing it gives the same as making it from nothing, and reads only changes.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { lexicons } from '../../src/core/engine/languages/allLexicons.ts';
import { type Source, storeUnits } from '../../src/surfaces/hook/unitIndex.ts';
import { termsOf } from '../../src/surfaces/hook/unitTerms.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

suite('index of functions', () => {
  let folder = '';

  setup(() => {
    folder = makeFolder({});
  });

  teardown(() => removeFolder(folder));

  /** Returns a file with functions, one for each number. */
  function textOf(functions: readonly number[]): string {
    return functions.map((n) => `function work${n}(items) {\n  return items.filter(${n}).call${n}();\n}\n`).join('');
  }

  test('has terms in every language', () => {
    for (const lexicon of lexicons) {
      const { terms, tokens } = termsOf('load(first); load(second)', lexicon);
      assert.ok(terms.length > 0 && tokens >= 2, lexicon.id);
    }
  });

  test('equals a new index after it is renewed, and reads only changed files', () => {
    const functions = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 });
    const tree = fc.dictionary(fc.constantFrom('a.ts', 'b.ts', 'c.py', 'd/e.ts'), functions);
    fc.assert(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 4 }), (trees) => {
        const place = path.join(folder, `${Math.random()}`);
        let before: Readonly<Record<string, readonly number[]>> = {};
        for (const now of trees) {
          const read: string[] = [];
          const sources = Object.keys(now)
            .sort()
            .map((name): Source => {
              const text = textOf(now[name]);
              // A stamp depends on the content alone.
              const stamp = { sizeBytes: text.length, mtimeMs: hashOf(text), ctimeMs: 1, inode: 1 };
              return {
                path: name,
                stamp,
                isNewAt: () => name === 'b.ts',
                read: () => {
                  read.push(name);
                  return { text, stamp };
                },
              };
            });
          storeUnits(place, sources);
          const changed = sources.map((one) => one.path).filter((name) => !isEqual(before[name], now[name]));
          assert.deepEqual(read, changed);
          storeUnits(`${place}.new`, sources);
          assert.deepEqual(readFileSync(place), readFileSync(`${place}.new`));
          removeFolder(`${place}.new`);
          before = now;
        }
      }),
      { numRuns: scaled(100) },
    );
  });
});

function isEqual(left: readonly number[] | undefined, right: readonly number[] | undefined): boolean {
  return left !== undefined && JSON.stringify(left) === JSON.stringify(right);
}

function hashOf(text: string): number {
  return [...text].reduce((hash, sign) => (hash * 31 + sign.charCodeAt(0)) % 1_000_003, 7);
}
