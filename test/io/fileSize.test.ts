import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { formatExceeded, formatFileSize, parseFileSize } from '../../src/scan/io/fileSize.ts';

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

  test('formats a size that looks equal to its limit with more decimals, or both in bytes', () => {
    const mb = 2 ** 20;
    assert.deepEqual(formatExceeded(300 * mb, 256 * mb), ['300 MB', '256 MB']);
    assert.deepEqual(formatExceeded(256.3 * mb, 256 * mb), ['256.3 MB', '256 MB']);
    assert.deepEqual(formatExceeded(256.02 * mb, 256 * mb), ['256.02 MB', '256 MB']);
    assert.deepEqual(formatExceeded(256 * mb + 1, 256 * mb), ['268435457 B', '268435456 B']);
    // The limit is rounded up.
    assert.deepEqual(formatExceeded(1_000_100, 1_000_000), ['1000100 B', '1000000 B']);
  });

  test('formats a size larger than its limit', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 30), fc.integer({ min: 1, max: 2 ** 12 }), (limitBytes, more) => {
        const [size, limit] = formatExceeded(limitBytes + more, limitBytes);
        return parseFileSize(size)! > parseFileSize(limit)!;
      }),
    );
  });
});
