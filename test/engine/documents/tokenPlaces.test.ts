/** Packed places of tokens are read back unchanged. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { placeOfToken, type TokenPlace } from '../../../src/core/engine/documents/tokenPlaces.ts';

/**
 * A token: its distance from the previous token, its length, and the start of its line if it is the first token there.
 */
interface Step {
  readonly gap: number;
  readonly length: number;
  readonly line: number | undefined;
}

const kernel = new Kernel(createMemory());
const start = kernel.mark();

/**
 * Packs these tokens like the lexer, compares each place and the line records with them, and returns the size in bytes.
 */
function check(steps: readonly Step[]): number {
  kernel.release(start);
  const count = steps.length;
  const [starts, lengths, lines] = [4 * count, 2 * count, 30 * count + 64].map((size) => kernel.allocate(size + 16));
  const expected: TokenPlace[] = [];
  const records: number[] = [];
  let [end, lineStart] = [0, 0];
  steps.forEach(({ gap, length, line }, token) => {
    const at = end + gap;
    if (line !== undefined || token === 0) {
      lineStart = end + Math.min(line ?? 0, gap);
      records.push(token, 7 * token, lineStart);
    }
    kernel.words[(starts >>> 2) + token] = at;
    new Uint16Array(kernel.memory.buffer, lengths)[token] = length;
    end = at + length;
    expected.push({ start: at, end, lineStart });
  });
  kernel.words.set(records, lines >>> 2);
  const lineCount = records.length / 3;
  const placesBytes = kernel.exports.packPlaces(starts, lengths, count, lines, lineCount);
  const index = { places: lines + 12 * lineCount, tokenCount: count } as DocumentIndex;
  assert.deepEqual(
    expected.map((_, token) => placeOfToken(kernel, index, token)),
    expected,
  );
  const packed = kernel.words.subarray(lines >>> 2, (lines >>> 2) + 2 * lineCount);
  assert.deepEqual(
    [...packed],
    records.filter((_, i) => i % 3 < 2),
  );
  return placesBytes;
}

suite('tokenPlaces', () => {
  test('are read back unchanged, whatever is between tokens', () => {
    const size = fc.oneof(fc.nat(2), fc.nat(70), fc.nat(300), fc.nat(20_000));
    const length = fc.oneof(fc.nat(2), fc.nat(70), fc.constantFrom(62, 63, 64, 190, 191, 192, 65_535));
    const step = fc.record({ gap: size, length, line: fc.option(size, { nil: undefined }) });
    fc.assert(fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => void check(steps)));
  });
  test('support lines of any length and lines of one token each', () => {
    check(Array.from({ length: 70_000 }, (_, i) => ({ gap: i % 3, length: 1 + (i % 9), line: undefined })));
    check(Array.from({ length: 5_000 }, () => ({ gap: 1, length: 1, line: 1 })));
  });
  test('need a byte and a half for tokens of code with eight tokens per line', () => {
    const tokens = Array.from({ length: 6_400 }, (_, i) => ({
      gap: i % 8 === 0 ? 9 : i % 2,
      length: 1 + (i % 9),
      line: i % 8 === 0 ? 1 : undefined,
    }));
    assert.ok(check(tokens) <= 1.5 * tokens.length);
  });
});
