/** Sketches of documents and the exact comparison of two documents, compared with their definitions. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DocumentIndexer } from '../../../src/core/engine/documents/indexDocument.ts';
import { readSketch } from '../../../src/core/engine/documents/fileSketch.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import * as layout from '../../../src/core/kernel/documents/windowingLayout.ts';
import { overlappingSets, randomHashes } from '../../methods/hashArbitraries.ts';
import { withArrays } from '../kernelArrays.ts';
import { simhashByDefinition } from '../oracles.ts';

const bins = 64;
const modulus = 4;
/** Weights by kind, the low four bits of a token. */
const weights = [8, 16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0];

interface Sketch {
  readonly fingerprint: bigint;
  readonly signature: readonly number[];
  readonly sample: readonly number[];
}

/** Returns the kernel's sketch of a document. */
function sketch(tokens: readonly number[], size: number): Sketch {
  return withArrays((arrays) => {
    const votes = arrays.exports.createVotes(arrays.room(arrays.exports.votesBytes()));
    const out = arrays.room(8 + 4 * (bins + tokens.length));
    const windowing = arrays.room(layout.windowingBytes);
    for (const [at, value] of [
      [layout.windowingShingleSizeAt, size],
      [layout.windowingWeightsAt, arrays.putShorts(weights)],
      [layout.windowingVotesAt, votes],
    ] as const)
      arrays.kernel.words[(windowing + at) >>> 2] = value;
    const scratch = arrays.room(Math.max(10 * tokens.length, 4 * bins));
    const words = arrays.putWords(tokens);
    const sampled = arrays.exports.sketch(words, tokens.length, windowing, scratch, bins, modulus, out);
    return {
      fingerprint: arrays.longs(out, 1)[0],
      signature: arrays.words(out + 8, bins),
      sample: arrays.words(out + 8 + 4 * bins, sampled),
    };
  });
}

/** Returns the sketch of a document according to the definition. */
function sketchByDefinition(tokens: readonly number[], size: number): Sketch {
  const runs = runsOf(tokens, size);
  const hashes = runs.map(hashOf);
  const runWeights = runs.map((run) => Math.floor(sum(run.map((token) => weights[token & 15])) / size + 0.5));
  const inBin = (bin: number): number[] =>
    hashes.filter((hash) => Number(hash >> 58n) === bin).map((hash) => Number((hash >> 26n) & 0xffffffffn));
  const smallest = Array.from({ length: bins }, (_, bin) => inBin(bin)).map((values) =>
    values.length === 0 ? undefined : Math.min(...values),
  );
  return {
    fingerprint: simhashByDefinition(hashes, runWeights),
    signature: smallest.map((value, bin) => {
      for (let attempt = 1n; value === undefined; attempt++) {
        value = smallest[Number(mix((BigInt(bin) << 32n) | attempt) & BigInt(bins - 1))];
      }
      return value;
    }),
    sample: hashes.filter((hash) => hash % BigInt(modulus) === 0n).map((hash) => Number((hash >> 2n) & 0xffffffffn)),
  };
}

function runsOf(tokens: readonly number[], size: number): number[][] {
  return tokens.slice(size - 1).map((_, first) => tokens.slice(first, first + size));
}

/** Polynomial hash of the mixed tokens, mixed again, as in the fingerprints of windows. */
function hashOf(run: readonly number[]): bigint {
  return mix(run.reduce((hash, token) => wrap(hash * 0x9e3779b97f4a7c15n + mix(BigInt(token))), 0n));
}

function mix(value: bigint): bigint {
  value ^= value >> 33n;
  value = wrap(value * 0xff51afd7ed558ccdn);
  value ^= value >> 33n;
  value = wrap(value * 0xc4ceb9fe1a85ec53n);
  return value ^ (value >> 33n);
}

function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Tokens with few distinct values, so that runs repeat, or with many. */
const tokens = fc.oneof(
  fc.array(fc.nat(5), { minLength: 16, maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xffffffff }), { minLength: 16, maxLength: 300 }),
);
const size = fc.integer({ min: 1, max: 16 });

/** Returns a document with the given distinct tokens, all of one kind. */
function documentOf(hashes: readonly bigint[]): number[] {
  return hashes.map((hash) => Number((hash & 0xfffffffn) << 4n) + 3);
}

suite('sketch of a document', () => {
  test('equals the definition over its shingles', () => {
    fc.assert(
      fc.property(tokens, size, (document, runLength) => {
        assert.deepEqual(sketch(document, runLength), sketchByDefinition(document, runLength));
      }),
    );
  });
  test('adds up votes correctly in long documents', () => {
    const repeated = documentOf(randomHashes(300, 1));
    const document = Array.from({ length: 20 }, () => repeated).flat();
    assert.equal(sketch(document, 4).fingerprint, sketchByDefinition(document, 4).fingerprint);
  });

  // With shingles of one token, resemblance equals that of the sets of tokens. 400 pairs of 64 bins have a standard
  // error of √(J (1 − J) / 25,600) ≤ 0.0032. Filled bins are not independent, so the error is larger for small sets.
  for (const [name, shared, only, allowed] of [
    ['large, J = 0.5', 400, 200, 0.013],
    ['large, J = 0.1', 100, 450, 0.008],
    ['smaller than the bins, J = 0.5', 20, 10, 0.03],
    ['much smaller, J = 0.8', 12, 1.5, 0.03],
  ] as const) {
    test(`the share of equal signature bins approximates the resemblance: ${name}`, () => {
      const pairs = 400;
      let agreeing = 0;
      for (let seed = 0; seed < pairs; seed++) {
        const sizes = { shared, onlyA: Math.floor(only), onlyB: Math.ceil(only) };
        const { a, b } = overlappingSets(sizes, seed + 1);
        const [x, y] = [sketch(documentOf(a), 1).signature, sketch(documentOf(b), 1).signature];
        agreeing += x.filter((value, bin) => value === y[bin]).length / bins;
      }
      const expected = shared / (shared + 2 * only);
      assert.ok(Math.abs(agreeing / pairs - expected) < allowed, `${agreeing / pairs}, not ${expected}`);
    });
  }
});

suite('comparing documents', () => {
  test('a set contains each shingle once and can be compared with any number of documents', () => {
    const document = fc.array(fc.nat(3), { maxLength: 40 });
    fc.assert(
      fc.property(document, fc.array(document), fc.integer({ min: 1, max: 5 }), (gathered, others, runLength) => {
        const runs = (list: readonly number[]): Set<string> => new Set(runsOf(list, runLength).map(String));
        const inSet = runs(gathered);
        withArrays((arrays) => {
          const slotCount = arrays.exports.shingleSlots(gathered.length);
          const slots = arrays.room(12 * slotCount);
          const different = arrays.exports.gatherShingles(
            ...[arrays.putWords(gathered), gathered.length, runLength, slots, slotCount],
          );
          assert.equal(different, inSet.size);
          others.forEach((other, place) => {
            const shared = arrays.exports.sharedShingles(
              ...[arrays.putWords(other), other.length, runLength, slots, slotCount, place + 1],
            );
            assert.equal(shared, [...runs(other)].filter((run) => inSet.has(run)).length);
          });
        });
      }),
    );
  });
});

suite('documents with a sketch', () => {
  const kernel = new Kernel(createMemory());
  const indexer = new DocumentIndexer(kernel, defaultOptions);

  function index(text: string, path = 'a.ts') {
    const bytes = new TextEncoder().encode(text);
    const room = indexer.reserve(bytes.length);
    room.set(bytes);
    return indexer.index(room, lexiconForPath(path));
  }

  test('have no sketch if they are too short, unless they have ten lines', () => {
    assert.notEqual(readSketch(kernel, index('x = 1;\n'.repeat(10))), undefined);
    assert.equal(readSketch(kernel, index('x = 1;\n'.repeat(9))), undefined);
    assert.equal(readSketch(kernel, index('word '.repeat(39), 'a.md')), undefined);
    assert.equal(readSketch(kernel, index('', 'a.md')), undefined);
  });
  test('have the signature of their shingles if they are long enough', () => {
    const made = readSketch(kernel, index('x = y + 1;\n'.repeat(20)));
    assert.equal(made?.signature.length, 128);
    // Six different shingles, repeated.
    assert.equal(new Set(made.signature).size, 6);
  });
  test('know the end of the last line in UTF-16 units for every type of line ending', () => {
    for (const [text, endLine, endColumn] of [
      ['', 0, 1],
      ['abc', 1, 4],
      ['abc\n', 1, 4],
      ['abc\r\n', 1, 4],
      ['abc\r', 1, 4],
      ['a\nbc\n', 2, 3],
      ['a\n\n', 2, 1],
      ['\n', 1, 1],
      ['a\né😀', 2, 4],
      ['é😀\n', 1, 4],
    ] as const) {
      const { totalLines, endColumn: column } = index(text);
      assert.deepEqual([totalLines, column], [endLine, endColumn], JSON.stringify(text));
    }
  });
  test('count the last lines even if they contain no tokens', () => {
    for (const [path, text] of [
      ['a.rst', 'one\n>>> first(2)\n2\nlast words\n'],
      ['a.rst', '>>> first(2)\n2\n3'],
      ['a.md', 'one\n```python\n>>> first(2)\n2\n3\n```\n'],
      ['a.md', 'one\n```\ntwo\n```'],
      ['a.md', '---\na: b\n---\n'],
      ['a.ejs', '<p>one</p>\n<%# two\nthree\nfour %>'],
      ['a.ejs', '<%# one\ntwo %>\n'],
      ['a.jsp', '<p>one</p>\n<%-- two\nthree\n--%>'],
      ['a.php', '<?php\none();\n?>\n<?xml\n?>'],
    ] as const) {
      const count = text.replace(/\n$/, '').split('\n').length;
      for (const end of ['\n', '\r\n', '\r']) {
        const written = text.replaceAll('\n', end);
        assert.equal(index(written, path).totalLines, count, `${path}: ${JSON.stringify(written)}`);
      }
    }
  });
});
