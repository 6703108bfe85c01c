import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { formatFileSize, parseFileSize } from '../../src/scan/io/fileSize.ts';

suite('fileSize', () => {
  const sizes: readonly (readonly [string, number | undefined])[] = [
    ['0', 0],
    ['1048576', 1_048_576],
    ['500k', 512_000],
    ['500KB', 512_000],
    ['2mb', 2_097_152],
    ['1.5 MB', 1_572_864],
    ['1g', 1_073_741_824],
    ['12 b', 12],
    ['', undefined],
    ['mb', undefined],
    ['-1', undefined],
    ['2 miles', undefined],
    ['1e3', undefined],
    ['constructor', undefined],
    ['1 toString', undefined],
  ];
  for (const [text, size] of sizes) {
    test(`"${text}" is ${size === undefined ? 'not a size' : `${size} bytes`}`, () => {
      assert.equal(parseFileSize(text), size);
    });
  }

  test('formats sizes with the largest unit that fits', () => {
    assert.deepEqual([0, 1023, 1024, 1536, 10_240, 314_572_800].map(formatFileSize), [
      '0 B',
      '1023 B',
      '1 KB',
      '1.5 KB',
      '10 KB',
      '300 MB',
    ]);
  });

  test('parses formatted sizes within the rounding', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 30), (size) => {
        const read = parseFileSize(formatFileSize(size)) ?? Number.NaN;
        return Math.abs(read - size) <= size * 0.051;
      }),
    );
  });
});
