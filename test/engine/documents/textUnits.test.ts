/** Columns in arbitrary bytes: those of the text that an editor decodes from them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { lastLineUnits, markUnitless } from '../../../src/core/engine/documents/textUnits.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes at the limits of valid UTF-8, so that each occurs at each position. */
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

/** Counts the UTF-16 units that begin before `end`, according to the bit of each byte. */
function unitsBefore(bits: Uint8Array, end: number): number {
  let units = 0;
  for (let at = 0; at < end; at++) if (!((bits[at >>> 3] >>> (at & 7)) & 1)) units++;
  return units;
}

suite('UTF-16 units of bytes', () => {
  test('equal those of the decoded text', () => {
    fc.assert(
      fc.property(bytes, (text) => {
        const bits = new Uint8Array(8);
        markUnitless(text, bits);
        assert.equal(unitsBefore(bits, text.length), decoder.decode(text).length);
        // Check up to each line end, because no character continues across one.
        text.forEach((byte, at) => {
          if (byte !== 10 && byte !== 13) return;
          assert.equal(unitsBefore(bits, at), decoder.decode(text.subarray(0, at)).length);
        });
      }),
      { numRuns: scaled(5_000) },
    );
  });

  test('count the last line from the last line ending before the end of the text', () => {
    fc.assert(
      fc.property(bytes, (text) => {
        const shown = decoder.decode(text).replace(/(\r\n|\r|\n)$/, '');
        assert.equal(lastLineUnits(text), shown.split(/\r|\n/).at(-1)?.length);
      }),
      { numRuns: scaled(5_000) },
    );
  });

  test('a position inside a character is after its preceding bytes', () => {
    const bits = new Uint8Array(1);
    markUnitless(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80, 0x61), bits);
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((end) => unitsBefore(bits, end)),
      [0, 1, 2, 2, 2, 3],
    );
  });
});
