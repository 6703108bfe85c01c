/** Seeds: which windows are compared with which. */
import assert from 'node:assert/strict';
import { defaultOptions } from '../../../src/engine/options.ts';
import { groupsOf } from '../corpusOf.ts';

/** Words without end, each unlike the others. */
function words(count: number, name: (place: number) => string): string {
  return Array.from({ length: count }, (_, place) => name(place)).join(' ');
}

suite('seeds', () => {
  test('prose has a distance of its own', () => {
    const page = words(120, (place) => `word${place}`);
    // No five words in a row are the same, so no window is equal to one of the other page.
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
