/** Columns of any bytes: those of the text that an editor makes of them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { lastLineUnits, markUnitless } from '../../../src/engine/documents/textUnits.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes around the borders of what UTF-8 allows, so that each is met in each place. */
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x61, 0x0a, 0x0d, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef),
      fc.constantFrom(0xf0, 0xf1, 0xf4, 0xf5, 0xff),
      fc.integer({ min: 0, max: 255 }),
    ),
    { maxLength: 24 },
  )
  .map((list) => Uint8Array.from(list));

/** The units of the first bytes of a text, by its bits. */
function unitsBefore(bits: Uint8Array, end: number): number {
  let units = 0;
  for (let at = 0; at < end; at++) if (!((bits[at >>> 3] >>> (at & 7)) & 1)) units++;
  return units;
}

suite('UTF-16 units of bytes', () => {
  test('are those of the text that is shown', () => {
    fc.assert(
      fc.property(bytes, (text) => {
        const bits = new Uint8Array(8);
        markUnitless(text, bits);
        assert.equal(unitsBefore(bits, text.length), decoder.decode(text).length);
        // Up to each place where a line ends, which no character goes across.
        text.forEach((byte, at) => {
          if (byte !== 10 && byte !== 13) return;
          assert.equal(unitsBefore(bits, at), decoder.decode(text.subarray(0, at)).length);
        });
      }),
      { numRuns: scaled(5_000) },
    );
  });

  test('count the last line from the last line end that is not at the very end', () => {
    fc.assert(
      fc.property(bytes, (text) => {
        const shown = decoder.decode(text).replace(/(\r\n|\r|\n)$/, '');
        assert.equal(lastLineUnits(text), shown.split(/\r|\n/).at(-1)?.length);
      }),
      { numRuns: scaled(5_000) },
    );
  });

  test('a place in a character is behind what there is of it', () => {
    const bits = new Uint8Array(1);
    markUnitless(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80, 0x61), bits);
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((end) => unitsBefore(bits, end)),
      [0, 1, 2, 2, 2, 3],
    );
  });
});
