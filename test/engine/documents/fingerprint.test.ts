/**
 * Window fingerprints of the kernel, compared with the definition: each window computed from its shingles with
 * integers.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { root } from '../../../scripts/project.mjs';
import * as layout from '../../../src/core/kernel/documents/windowingLayout.ts';
import { lexFile } from '../lexing.ts';
import { withArrays } from '../kernelArrays.ts';
import { differingBits, simhashByDefinition } from '../oracles.ts';

interface Design {
  readonly windowTokens: number;
  readonly shingleSize: number;
  readonly renamed: boolean;
  readonly minTokens: number;
  readonly minDistinct: number;
  /** Weights of the 16 kinds. */
  readonly weights: readonly number[];
}

/** Returns the fingerprints of the windows that begin at these tokens. */
function fingerprints(tokens: readonly number[], windows: readonly number[], design: Design): bigint[] {
  return withArrays((arrays) => {
    const votes = arrays.exports.createVotes(arrays.room(arrays.exports.votesBytes()));
    const out = arrays.room(8 * windows.length);
    const weights = arrays.putShorts(design.weights);
    const windowing = arrays.room(layout.windowingBytes);
    const words = arrays.kernel.words.subarray(windowing / 4);
    words[layout.windowingWindowTokensAt / 4] = design.windowTokens;
    words[layout.windowingShingleSizeAt / 4] = design.shingleSize;
    words[layout.windowingRenamedAt / 4] = Number(design.renamed);
    words[layout.windowingMinTokensAt / 4] = design.minTokens;
    words[layout.windowingMinDistinctAt / 4] = design.minDistinct;
    words[layout.windowingWeightsAt / 4] = weights;
    words[layout.windowingVotesAt / 4] = votes;
    arrays.exports.fingerprint(
      ...[arrays.putWords(tokens), tokens.length, arrays.putWords(windows), 4, windows.length, windowing],
      ...[arrays.room(10 * tokens.length + 64), out],
    );
    return arrays.longs(out, windows.length);
  });
}

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);

/** Finalizer of MurmurHash3. */
function mix(value: bigint): bigint {
  let mixed = u64((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn);
  mixed = u64((mixed ^ (mixed >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return mixed ^ (mixed >> 33n);
}

/** Returns the token that is counted. With abstracted names, a name (kinds 3 to 6) counts as its kind. */
function counted(token: number, renamed: boolean): number {
  const kind = token & 15;
  return renamed && kind >= 3 && kind <= 6 ? kind : token;
}

function fingerprintByDefinition(tokens: readonly number[], first: number, design: Design): bigint {
  const { windowTokens, shingleSize: size, renamed, minTokens, minDistinct, weights } = design;
  const window = tokens.slice(first, first + windowTokens);
  // Tokens count as distinct if their hashes fall into different ones of 64 slots.
  const places = new Set(window.map((token) => Math.imul(counted(token, renamed), 0x9e3779b1) >>> 26));
  if (window.length < Math.max(minTokens, size) || places.size < minDistinct) return 0n;
  const shingles = window.slice(size - 1).map((_, i) => window.slice(i, i + size));
  const hashes = shingles.map((shingle) =>
    mix(shingle.reduce((hash, token) => u64(hash * 0x9e3779b97f4a7c15n + mix(BigInt(counted(token, renamed)))), 0n)),
  );
  const mean = (shingle: readonly number[]): number =>
    Math.floor((shingle.reduce((sum, token) => sum + weights[token & 15], 0) + (size >> 1)) / size);
  return simhashByDefinition(hashes, shingles.map(mean));
}

function check(tokens: readonly number[], windows: readonly number[], design: Design): void {
  assert.deepEqual(
    fingerprints(tokens, windows, design),
    windows.map((first) => fingerprintByDefinition(tokens, first, design)),
  );
}

/** Tokens of kinds 0 to 9, few enough distinct ones that they recur. */
const token = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 9 }))
  .map(([hash, kind]) => ((Math.imul(hash, 0x85ebca6b) & ~15) | kind) >>> 0);

const design: fc.Arbitrary<Design> = fc.record({
  windowTokens: fc.integer({ min: 1, max: 30 }),
  shingleSize: fc.integer({ min: 1, max: 6 }),
  renamed: fc.boolean(),
  minTokens: fc.integer({ min: 0, max: 12 }),
  minDistinct: fc.integer({ min: 0, max: 6 }),
  weights: fc.array(fc.integer({ min: 0, max: 63 }), { minLength: 16, maxLength: 16 }),
});

const usual: Design = {
  windowTokens: 18,
  shingleSize: 4,
  renamed: false,
  minTokens: 13,
  minDistinct: 9,
  weights: [8, 16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0],
};

suite('fingerprint', () => {
  test('equals the definition for every window of random tokens', () => {
    const text = fc.array(token, { maxLength: 120 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 40 }), design, (tokens, places, how) => {
        const windows = [...new Set(places.map((place) => place % Math.max(1, tokens.length)))].sort((x, y) => x - y);
        check(tokens, tokens.length === 0 ? [] : windows, how);
      }),
      { numRuns: scaled(200) },
    );
  });

  test('equals the definition for every line of real code, in both views', () => {
    for (const name of ['src/core/engine/groups/cluster.ts', 'src/core/kernel/seeds/join.ts', 'scripts/test.mjs']) {
      const { tokens, lines } = lexFile(name, readFileSync(path.join(root, name)));
      const words = tokens.map(({ word }) => word >>> 0);
      const windows = lines.map(({ firstToken }) => firstToken);
      assert.ok(windows.length > 50);
      check(words, windows, usual);
      check(words, windows, { ...usual, windowTokens: 24, minTokens: 18, minDistinct: 8, renamed: true });
    }
  });

  test('windows that differ in one token are near, and windows that differ only in names are equal when renamed', () => {
    const code = (name: string): number[] =>
      lexFile('a.ts', `const ${name} = first(second, 3) + third[4] * fourth; return fifth;`).tokens.map(
        (t) => t.word >>> 0,
      );
    const [x, y] = [code('alpha'), code('beta')];
    const one = { ...usual, minTokens: 0, minDistinct: 0 };
    const [near] = fingerprints(x, [0], one);
    const [other] = fingerprints(y, [0], one);
    assert.ok(differingBits(near, other) > 0 && differingBits(near, other) < 24);
    assert.deepEqual(fingerprints(x, [0], { ...one, renamed: true }), fingerprints(y, [0], { ...one, renamed: true }));
  });
});

suite('dropRepeating', () => {
  test('removes windows that equal one of the four before or after them', () => {
    const list = fc.array(fc.bigInt({ min: 0n, max: 6n }), { maxLength: 40 });
    fc.assert(
      fc.property(list, (values) => {
        const kept = withArrays((arrays) => {
          const address = arrays.putLongs(values);
          arrays.exports.dropRepeating(address, values.length, arrays.room(values.length));
          return arrays.longs(address, values.length);
        });
        const repeats = (value: bigint, i: number): boolean =>
          values.some((other, j) => j !== i && Math.abs(i - j) <= 4 && other === value);
        assert.deepEqual(
          kept,
          values.map((value, i) => (repeats(value, i) ? 0n : value)),
        );
      }),
    );
  });
});

suite('anchors', () => {
  const anchors = (tokens: readonly number[], maxCode: number): number[] =>
    withArrays((arrays) => {
      const out = arrays.room(4 * tokens.length);
      const count = arrays.exports.anchors(arrays.putWords(tokens), tokens.length, 5, 2, maxCode, out);
      return arrays.words(out, count);
    });

  test('depend only on the words that follow', () => {
    const words = fc.array(token, { minLength: 5, maxLength: 60 });
    fc.assert(
      fc.property(words, fc.array(token, { maxLength: 20 }), (text, before) => {
        const alone = anchors(text, 100);
        const moved = anchors([...before, ...text], 100).filter((place) => place >= before.length);
        assert.deepEqual(
          moved.map((place) => place - before.length),
          alone,
        );
      }),
    );
  });

  test('are absent from long code between separators and otherwise independent of that rule', () => {
    const ofKinds = (min: number, max: number): fc.Arbitrary<number> =>
      fc.tuple(fc.nat(0xfff), fc.integer({ min, max })).map(([hash, kind]) => (hash << 4) | kind);
    const part = fc.oneof(fc.array(ofKinds(7, 8), { maxLength: 20 }), fc.array(ofKinds(0, 6), { maxLength: 20 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const tokens = parts.flatMap((list, i) => (i === 0 ? list : [0xffff_ffff, ...list]));
        const inLongCode = parts.flatMap((list, i) => {
          const isLongCode = list.length > 8 && (list[0] & 15) < 7;
          return [...(i === 0 ? [] : [false]), ...list.map(() => isLongCode)];
        });
        assert.deepEqual(
          anchors(tokens, 8),
          anchors(tokens, 1000).filter((place) => !inLongCode[place]),
        );
      }),
      { numRuns: scaled(2000) },
    );
  });
});
