/** Seeds of lines with the same phrase or pattern, compared with their definition. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import { constants } from '../../../src/core/engine/constants.ts';
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
function phrasesOf(lines: Lines): PlacedPhrase[] {
  return leastOf(lines, (text) => {
    if (!isWord(text[0])) return undefined;
    const words = text.slice(0, text.includes(separator) ? text.indexOf(separator) : undefined).filter(isWord);
    return words.length < 4 ? undefined : phraseOf(words.slice(0, 4));
  });
}

const patternLength = 12;

/** Returns the smallest pattern that begins on each line. */
function patternsOf(lines: Lines): PlacedPhrase[] {
  return leastOf(lines, (text) => {
    if (text.length < patternLength) return undefined;
    const kinds = text.slice(0, patternLength).map((value) => (isWord(value) ? value & 15 : value));
    const sum = kinds.reduce((sum, kind) => u64(sum * 0x9e3779b97f4a7c15n + mixed(BigInt(kind))), 0n);
    return (mixed(sum) >> 24n) | 1n;
  });
}

/**
 * Returns the smallest hash that begins on each line.
 *
 * @param hashOf  returns the hash that begins at the first of the given tokens, if any
 */
function leastOf({ steps, tokens }: Lines, hashOf: (text: readonly number[]) => bigint | undefined): PlacedPhrase[] {
  let start = 0;
  const starts = steps.map((step) => (start += 1 + step));
  return starts.flatMap((position, line) => {
    // The first line of a document begins at its first token.
    const from = line === 0 ? 0 : position;
    const end = starts[line + 1] ?? tokens.length;
    const phrases = tokens.slice(0, end).flatMap((_, at) => (at < from ? [] : (hashOf(tokens.slice(at)) ?? [])));
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
    const { found, crowds } = check(
      document,
      3,
      (lines) => phrasesOf(lines),
      (x, y) => x.languageHash !== y.languageHash,
    );
    assert.ok(found > scaled(400), `${found} seeds`);
    assert.ok(crowds > scaled(20), `${crowds} phrases of more than eight lines`);
  });
});

const frequent = [0x13, 0x41, 0x14, 0x23];
/** Repeated sequences of tokens in one language. */
const repetitive: fc.Arbitrary<Lines> = fc.record({
  steps: fc.array(fc.nat(9), { maxLength: 20, size: 'max' }),
  tokens: fc
    .array(fc.constantFrom(...Array<number[]>(6).fill(frequent), [0x23, 0x41], [0x51, separator]), {
      minLength: 6,
      maxLength: 30,
      size: 'max',
    })
    .map((parts) => parts.flat()),
  languageHash: fc.constant(0),
});

suite('lines with the same pattern', () => {
  test('are linked from a distance of 6 on, unless more than eight have it or they overlap', () => {
    const { tokens: apart } = constants.written;
    const { found, crowds } = check(
      repetitive,
      6,
      (lines) => patternsOf(lines),
      (x, y) => x.number !== y.number || y.position - x.position >= apart,
    );
    assert.ok(found > scaled(1_000), `${found} seeds`);
    assert.ok(crowds > scaled(20), `${crowds} patterns of more than eight lines`);
    const near = check(
      repetitive,
      5,
      () => [],
      () => true,
    );
    assert.equal(near.found, 0);
  });
});

interface Line extends PlacedPhrase {
  readonly number: number;
  readonly languageHash: number;
}

/**
 * Compares the seeds of random documents with all pairs of lines that have the same hash and are linked. Returns the
 * numbers of seeds, and of hashes of more than eight lines.
 */
function check(
  documentOfLines: fc.Arbitrary<Lines>,
  distance: number,
  hashesOf: (lines: Lines) => PlacedPhrase[],
  areLinked: (x: Line, y: Line) => boolean,
): { readonly found: number; readonly crowds: number } {
  let [found, crowds] = [0, 0];
  fc.assert(
    fc.property(fc.array(documentOfLines, { maxLength: 7, size: 'max' }), (documents) => {
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
        findSeedsSteps(kernel, indexes, writeDocuments(kernel, indexes), { code: distance, prose: 3 }),
      );
      const seeds = Array.from({ length: count }, (_, i) => {
        const [x, y, left, right] = kernel.words.subarray((address >>> 2) + 4 * i);
        assert.equal(left >>> seedBitsShift, unitOnly);
        return [x, y, left & seedPositionMask, right].join(' ');
      });
      const lines = documents.flatMap((lines, number) =>
        hashesOf(lines).map((line) => ({ ...line, number, languageHash: lines.languageHash })),
      );
      const expected = [...new Set(lines.map(({ phrase }) => phrase))].flatMap((phrase) => {
        const group = lines.filter((line) => line.phrase === phrase);
        if (group.length > 8) crowds++;
        if (group.length > 8) return [];
        return group.flatMap((y, at) =>
          group
            .slice(0, at)
            .filter((x) => areLinked(x, y))
            .map((x) => [x.number, y.number, x.position, y.position].join(' ')),
        );
      });
      found += expected.length;
      assert.deepEqual(seeds.sort(), expected.sort());
    }),
    { numRuns: scaled(300) },
  );
  return { found, crowds };
}
