/** Hashes of languages. */
import assert from 'node:assert/strict';
import { lexicons, unnamedLexicon } from '../../../src/core/engine/languages/allLexicons.ts';
import {
  commentLanguageHash,
  familyOf,
  languageHashOf,
  mainLanguageHash,
} from '../../../src/core/engine/languages/languageHash.ts';

suite('language hashes', () => {
  const ids = [...lexicons, unnamedLexicon()].map(({ id }) => id);

  test('differ between all languages with a lexicon', () => {
    const hashes = [...ids.map(languageHashOf), commentLanguageHash];
    assert.equal(new Set(hashes).size, ids.length + 1);
    for (const hash of hashes) assert.ok(hash >= 0 && hash < 256, String(hash));
  });

  test('differ from those of other languages', () => {
    const hashes = new Set([...ids.map(languageHashOf), commentLanguageHash]);
    for (let i = 0; i < 1000; i++) assert.ok(!hashes.has(languageHashOf(`language${i}`)));
    assert.ok(!hashes.has(mainLanguageHash(new Map())));
  });

  test('have one family for C, C++, and Objective-C only', () => {
    const families = new Map<number, string[]>();
    for (const id of ids) {
      const family = familyOf(languageHashOf(id));
      families.set(family, [...(families.get(family) ?? []), id]);
    }
    const shared = [...families.values()].filter((family) => family.length > 1);
    assert.deepEqual(
      shared.map((family) => family.sort()),
      [['c', 'cpp', 'objective-c']],
    );
  });
});
