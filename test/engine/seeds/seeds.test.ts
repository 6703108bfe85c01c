/** Seeds: the selection of windows to compare. */
import assert from 'node:assert/strict';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import { groupsOf } from '../corpusOf.ts';

/** Returns different words without end. */
function words(count: number, name: (place: number) => string): string {
  return Array.from({ length: count }, (_, place) => name(place)).join(' ');
}

suite('seeds', () => {
  test('prose has its own distance', () => {
    const page = words(120, (place) => `word${place}`);
    // No five consecutive words are the same, so no window equals one of the other page.
    const edited = words(120, (place) => (place % 5 === 0 ? `other${place}` : `word${place}`));
    const found = (maxDistance: number, ofProse: number): number =>
      groupsOf(
        { 'a.md': page, 'b.md': edited },
        { maxDistance, prose: { ...defaultOptions.prose, shingleSize: 1, maxDistance: ofProse } },
      ).length;
    assert.equal(found(16, 0), 0);
    assert.equal(found(0, 16), 1);
  });
});
