/** Columns in arbitrary bytes: those of the text that an editor decodes from them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';

const kernel = new Kernel(createMemory());
const memory = kernel.allocate(80);
const bitsAt = memory + 64;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes at the limits of valid UTF-8, so that each occurs at each position. */
const limits = fc.array(
  fc.oneof(
    fc.constantFrom(0x61, 0x0a, 0x0d, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef),
    fc.constantFrom(0xf0, 0xf1, 0xf4, 0xf5, 0xff),
    fc.integer({ min: 0, max: 255 }),
  ),
  { maxLength: 24 },
);

/** Such bytes, partly after ASCII text, which is skipped in blocks of 16 bytes. */
const bytes = fc
  .tuple(fc.constantFrom(0, 3, 16, 40), limits)
  .map(([ascii, list]) => Uint8Array.from([...new Array<number>(ascii).fill(0x61), ...list]));

/** Copies a text of at most 64 bytes to the kernel's memory. The bytes after it are those of an earlier text. */
function inKernel(text: Uint8Array): number {
  kernel.bytes.set(text, memory);
  return memory;
}

function unitlessOf(text: Uint8Array): Uint8Array {
  kernel.exports.markUnitless(inKernel(text), text.length, bitsAt);
  return kernel.bytes.slice(bitsAt, bitsAt + 8);
}

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
        const bits = unitlessOf(text);
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
        assert.equal(kernel.exports.lastLineUnits(inKernel(text), text.length), shown.split(/\r|\n/).at(-1)?.length);
      }),
      { numRuns: scaled(5_000) },
    );
  });

  test('a position inside a character is after its preceding bytes', () => {
    const bits = unitlessOf(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80, 0x61));
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((end) => unitsBefore(bits, end)),
      [0, 1, 2, 2, 2, 3],
    );
  });
});
