/** Seeds of lines with the same phrase, compared with their definition. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { languageHashOf } from '../../../src/core/engine/languages/languageHash.ts';
import { linesByFamily } from '../../../src/core/engine/seeds/phrases.ts';
import { findSeedsSteps, writeDocuments } from '../../../src/core/engine/seeds/seeds.ts';
import { lastOf } from '../../../src/core/engine/steps.ts';
import { seedBitsShift, seedPositionMask, unitOnly } from '../../../src/core/kernel/seeds/seedLayout.ts';
import { documentOf } from './madeUpWindows.ts';

const separator = 0xffff_ffff;

interface Lines {
  /** Number of tokens before each line, from the beginning of the previous one. */
  readonly steps: readonly number[];
  readonly tokens: readonly number[];
  readonly languageHash: number;
}

/** Names and literals of a few words, signs, and separators. */
const token = fc.constantFrom(...[0x13, 0x14, 0x23, 0x13, 0x14, 0x13, 0x14, 0x25, 0x13, 0x24, 0x41], separator);
const document: fc.Arbitrary<Lines> = fc.record({
  steps: fc.array(fc.nat(6), { maxLength: 20, size: 'max' }),
  tokens: fc.array(token, { maxLength: 90, size: 'max' }),
  languageHash: fc.nat(2),
});

const isWord = (value: number): boolean => (value & 15) >= 3 && (value & 15) <= 6;
const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);

function mixed(value: bigint): bigint {
  let mix = value ^ (value >> 33n);
  mix = u64(mix * 0xff51afd7ed558ccdn);
  mix ^= mix >> 33n;
  mix = u64(mix * 0xc4ceb9fe1a85ec53n);
  return mix ^ (mix >> 33n);
}

function phraseOf(words: readonly number[]): bigint {
  const hash = mixed(words.reduce((sum, word) => u64(sum * 0x9e3779b97f4a7c15n + BigInt(word >>> 4)), 0n));
  return (hash >> 24n) | 1n;
}

interface PlacedPhrase {
  readonly position: number;
  readonly phrase: bigint;
}

/** Returns the smallest phrase that begins on each line. */
function phrasesOf({ steps, tokens }: Lines): PlacedPhrase[] {
  let start = 0;
  const starts = steps.map((step) => (start += 1 + step));
  return starts.flatMap((position, line) => {
    // The first line of a document begins at its first token.
    const from = line === 0 ? 0 : position;
    const end = starts[line + 1] ?? tokens.length;
    const phrases = tokens.slice(0, end).flatMap((first, at) => {
      if (at < from || !isWord(first)) return [];
      const text = tokens.slice(at);
      const words = text.slice(0, text.includes(separator) ? text.indexOf(separator) : undefined).filter(isWord);
      return words.length < 4 ? [] : [phraseOf(words.slice(0, 4))];
    });
    return phrases.length === 0 ? [] : [{ position, phrase: phrases.reduce((x, y) => (x < y ? x : y)) }];
  });
}

suite('lines with the same phrase', () => {
  test('are searched only if there are functions in several languages', () => {
    const kernel = new Kernel(createMemory());
    const text = (hash: number, tokens: number[], windows = 1, prose = false): DocumentIndex =>
      documentOf(
        kernel,
        Array.from({ length: windows }, () => ({ step: 0, written: 0n, renamed: 0n })),
        prose,
        {
          tokens,
          languageHash: hash,
        },
      );
    const [java, kotlin] = ['java', 'kotlin'].map(languageHashOf);
    const first = text(java, [0x13]);
    const familiesOf = (documents: readonly DocumentIndex[]): number[] => [...linesByFamily(documents).keys()];
    assert.deepEqual(familiesOf([first, text(java, [0x23])]), [java]);
    for (const other of [text(kotlin, []), text(kotlin, [0x23], 0), text(kotlin, [0x23], 1, true)]) {
      assert.deepEqual(familiesOf([first, other]), [java]);
    }
    assert.deepEqual(familiesOf([first, text(kotlin, [0x23])]), [java, kotlin]);
    const withHeadersOfC = ['c', 'cpp', 'objective-c'].map((id) => text(languageHashOf(id), [0x13]));
    assert.deepEqual(familiesOf(withHeadersOfC), [languageHashOf('c')]);
  });

  test('are linked if they are in different languages, and at most eight have the phrase', () => {
    let [found, crowds] = [0, 0];
    fc.assert(
      fc.property(fc.array(document, { maxLength: 7, size: 'max' }), (documents) => {
        const kernel = new Kernel(createMemory());
        const indexes = documents.map(({ steps, ...text }) =>
          documentOf(
            kernel,
            steps.map((step) => ({ step, written: 0n, renamed: 0n })),
            false,
            text,
          ),
        );
        const { address, count } = lastOf(
          findSeedsSteps(kernel, indexes, writeDocuments(kernel, indexes), { code: 3, prose: 3 }),
        );
        const seeds = Array.from({ length: count }, (_, i) => {
          const [x, y, left, right] = kernel.words.subarray((address >>> 2) + 4 * i);
          assert.equal(left >>> seedBitsShift, unitOnly);
          return [x, y, left & seedPositionMask, right].join(' ');
        });
        const lines = documents.flatMap((lines, number) =>
          phrasesOf(lines).map((line) => ({ ...line, number, languageHash: lines.languageHash })),
        );
        const expected = [...new Set(lines.map(({ phrase }) => phrase))].flatMap((phrase) => {
          const group = lines.filter((line) => line.phrase === phrase);
          if (group.length > 8) crowds++;
          if (group.length > 8) return [];
          return group.flatMap((y, at) =>
            group
              .slice(0, at)
              .filter((x) => x.languageHash !== y.languageHash)
              .map((x) => [x.number, y.number, x.position, y.position].join(' ')),
          );
        });
        found += expected.length;
        assert.deepEqual(seeds.sort(), expected.sort());
      }),
      { numRuns: scaled(300) },
    );
    assert.ok(found > scaled(400), `${found} seeds`);
    assert.ok(crowds > scaled(20), `${crowds} phrases of more than eight lines`);
  });
});
