/** Groups of thousands of files. */
import assert from 'node:assert/strict';
import { fileGroupsOf } from '../engine/corpusOf.ts';
import { fileGroups, textOf, wordsFrom } from '../engine/files/wordTexts.ts';

suite('file clusters: crowds', () => {
  test('group 5,000 copies of a file', () => {
    const text = textOf(wordsFrom(0, 50));
    const copies = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`${i}.md`, text]));
    const groups = fileGroupsOf(copies);
    assert.deepEqual(
      groups.map(({ passages, pairs, type }) => [passages.length, pairs.length, type]),
      [[5000, 4999, 'exact']],
    );
  });
  // With two unique words, the fingerprints of 300 words differ in some bits, so not all are near one leader.
  for (const [method, minResemblance, maxDistance] of [
    ['minhash', 1500, 64],
    ['simhash', 1000, 6],
    ['combined', 1400, 12],
  ] as const) {
    test(`group copies of a file with two different words each: ${method}`, () => {
      const words = wordsFrom(0, 300);
      const copies = Array.from({ length: 1500 }, (_, i) => {
        const own = [...words];
        own[(i * 7) % 300] = `own${i}`;
        own[(i * 13) % 300] = `other${i}`;
        return [String(i), own] as const;
      });
      const groups = fileGroups(Object.fromEntries(copies), method);
      assert.ok(groups.reduce((sum, { passages }) => sum + passages.length, 0) >= minResemblance);
      // Each is linked to the leader only, so there are as many pairs as members, not as many as pairs of members.
      for (const { passages, pairs } of groups.filter((group) => group.passages.length > 8)) {
        assert.equal(pairs.length, passages.length - 1);
        assert.ok(pairs.every(({ distance }) => distance <= maxDistance));
      }
    });
  }
  test('a license in 2,000 files connects none of them', () => {
    const licence = wordsFrom(0, 60);
    const files = Array.from(
      { length: 2000 },
      (_, i) => [String(i), [...licence, ...wordsFrom(1000 * (i + 1), 150)]] as const,
    );
    assert.deepEqual(fileGroups(Object.fromEntries(files)), []);
  });
});
