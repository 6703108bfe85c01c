/** The parts of the kernel's alignment, compared with their definitions on random texts and edited real ones. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { root } from '../../../scripts/project.mjs';
import { type Extension, KernelAlignment, type Run, type Stretch } from './kernelAlignment.ts';
import { lexFile } from '../lexing.ts';
import {
  agreementByDefinition,
  blockByDefinition,
  bestScoreOfAll,
  extendByDefinition,
  jumpByDefinition,
  rescoreByDefinition,
  separator,
} from '../oracles/alignmentByDefinition.ts';

/** Tokens of kinds 0 to 9 with few distinct values. */
const token = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 9 }))
  .map(([hash, kind]) => ((Math.imul(hash, 0x85ebca6b) & ~15) | kind) >>> 0);

interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly added: readonly number[];
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  removed: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 20 })),
  added: fc.oneof(fc.array(token, { maxLength: 3 }), fc.array(token, { maxLength: 20 })),
});

function edited(text: readonly number[], edits: readonly Edit[]): number[] {
  const copy = [...text];
  for (const { at, removed, added } of edits) copy.splice(at % (copy.length + 1), removed, ...added);
  return copy;
}

/** Replaces some names of a text, each consistently. */
function renamed(text: readonly number[], every: number): number[] {
  return text.map((word) => (isName(word) && (word >>> 4) % every === 0 ? (word ^ 0x5a5a_5a50) >>> 0 : word));
}

function isName(word: number): boolean {
  return (word & 15) >= 3 && (word & 15) <= 6;
}

type Pair = readonly [readonly number[], readonly number[]];

/** A text and an edited copy of it. */
const randomPair: fc.Arbitrary<Pair> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 60, arbitrary: token }, { weight: 1, arbitrary: fc.constant(separator) }), {
      maxLength: 80,
    }),
    fc.array(edit, { maxLength: 5 }),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(([text, edits, every]) => [text, edited(renamed(text, every), edits)]);

const realText = ['src/core/engine/groups/cluster.ts', 'src/core/kernel/seeds/join.ts', 'README.md'].map((name) =>
  lexFile(name, readFileSync(path.join(root, name))).tokens.map(({ word }) => word >>> 0),
);

/** A passage of a real text, and an edited copy. */
function realPair(maxTokens: number): fc.Arbitrary<Pair> {
  return fc
    .tuple(
      fc.constantFrom(...realText),
      ...([
        fc.nat(),
        fc.integer({ min: 1, max: maxTokens }),
        fc.array(edit, { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
      ] as const),
    )
    .map(([text, at, length, edits, every]) => {
      const passage = text.slice(at % text.length).slice(0, length);
      return [passage, edited(renamed(passage, every), edits)];
    });
}

function onBoth(
  check: (pair: Pair) => void,
  maxTokens = 400,
  pairs: fc.Arbitrary<Pair>[] = [randomPair, realPair(maxTokens)],
): void {
  for (const pair of pairs) fc.assert(fc.property(pair, check), { numRuns: scaled(70) });
}

/** Mirrors an extension of reversed texts, so that its places refer to the original texts. */
function turnedBack({ runs, usedA, usedB }: Extension, [a, b]: Pair): Extension {
  return {
    runs: runs.map((run) => ({
      a: a.length - run.a - run.length,
      b: b.length - run.b - run.length,
      length: run.length,
    })),
    usedA,
    usedB,
  };
}

/** Returns an alignment of the two texts with some runs omitted and others cut. It need not be the best one. */
function alignmentOf([a, b]: Pair, prose: boolean): Run[] {
  const { runs } = extendByDefinition(a, b, !prose, 1_000);
  return runs
    .map((run, i) => (i % 3 === 2 && run.length > 3 ? { ...run, length: run.length - 2 } : run))
    .filter((_, i) => i % 5 !== 4);
}

/**
 * Returns a stretch in canonical form, starting at the first token of a run. The end of one run and the beginning of
 * the next are equivalent.
 */
function normal(stretch: Stretch, runs: readonly Run[]): Stretch {
  return stretch.score > 0 && stretch.from >= runs[stretch.first].length
    ? { ...stretch, first: stretch.first + 1, from: 0 }
    : stretch;
}

suite('extend', () => {
  for (const prose of [false, true]) {
    const kind = prose ? 'prose' : 'code';
    test(`${kind} extends as far as the definition, in both directions`, () => {
      const drops = [0, 8, 40, 200];
      onBoth(([a, b]) => {
        const kernel = new KernelAlignment(a, b, prose);
        for (const xDrop of drops) {
          const forward = extendByDefinition(a, b, !prose, xDrop);
          assert.deepEqual(kernel.extendFrom('forward', xDrop), forward);
          const turned = extendByDefinition([...a].reverse(), [...b].reverse(), !prose, xDrop);
          const back = kernel.extendFrom('back', xDrop);
          assert.deepEqual(back, turnedBack(turned, [a, b]));
        }
      });
    });
  }

  test('reaches the best score of all alignments without the X-drop limit', () => {
    onBoth(([a, b]) => {
      const { runs, usedA, usedB } = new KernelAlignment(a, b).extendFrom('forward', 1_000_000);
      const aligned = runs.reduce((sum, { length }) => sum + length, 0);
      // The number of differences between two runs is the longer side of the gap.
      let [i, j, differences] = [0, 0, 0];
      for (const run of [...runs, { a: usedA, b: usedB, length: 0 }]) {
        differences += Math.max(run.a - i, run.b - j);
        [i, j] = [run.a + run.length, run.b + run.length];
      }
      assert.ok(aligned <= Math.min(usedA, usedB));
      assert.equal(usedA + usedB - 8 * differences, bestScoreOfAll(a, b, true));
    }, 120);
  });
});

suite('jump', () => {
  test('finds the gap after which the texts continue most alike', () => {
    let found = 0;
    onBoth(([a, b]) => {
      for (const prose of [false, true]) {
        const kernel = new KernelAlignment(a, b, prose);
        for (const copy of prose ? [false] : [false, true]) {
          const skipped = Math.min(3, a.length);
          const jumped = kernel.jump(skipped, copy);
          if (jumped) found++;
          assert.deepEqual(jumped, jumpByDefinition(a.slice(skipped), b, !prose, copy));
        }
      }
    }, 130);
    assert.ok(found > scaled(100));
  });
});

suite('rescore', () => {
  test('judges each renaming like its definition', () => {
    onBoth(([a, b]) => {
      const runs = alignmentOf([a, b], false);
      const pairs = runs
        .flatMap((run) => Array.from({ length: run.length }, (_, i) => [a[run.a + i], b[run.b + i]] as const))
        .filter(([x, y]) => x !== y);
      assert.deepEqual(
        new KernelAlignment(a, b).agreements(runs, pairs.length),
        pairs.map((pair) => agreementByDefinition(a, b, runs, pair)),
      );
    }, 200);
  });

  const nameOf = (number: number): number => ((Math.imul(number, 0x9e3779b1) << 4) | 3) >>> 0;
  /** Names numbered from `first`, each repeated `times` times in sequence. */
  const manyNames = (count: number, times: number, first: number): number[] =>
    Array.from({ length: count * times }, (_, i) => nameOf(Math.floor(i / times) + first));

  test('judges a long listing of mostly unique names like its definition', () => {
    // Some names recur in each text, also unchanged, and more of them in an unaligned part.
    const listing = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 400, maxLength: 500 });
    fc.assert(
      fc.property(listing, listing, ([...x], [...y]) => {
        const length = Math.min(x.length, y.length);
        const named = (digits: readonly number[], from: number): number[] =>
          digits.map((digit, i) => nameOf(digit < 2 ? digit + 1 : digit < 4 ? from + digit : from + 100 + i));
        const [a, b] = [named(x, 1000), named(y, 2000)];
        const runs = [
          { a: 0, b: 0, length: 300 },
          { a: 310, b: 310, length: length - 320 },
        ];
        const pairs = runs
          .flatMap((run) => Array.from({ length: run.length }, (_, i) => [a[run.a + i], b[run.b + i]] as const))
          .filter(([p, q]) => p !== q);
        assert.ok(pairs.length > 256);
        assert.deepEqual(
          new KernelAlignment(a, b).agreements(runs, pairs.length),
          pairs.map((pair) => agreementByDefinition(a, b, runs, pair)),
        );
      }),
      { numRuns: scaled(20) },
    );
  });

  test('judges names beyond its capacity in parts', () => {
    const [count, times] = [50_000, 3];
    const [a, b] = [manyNames(count, times, 1), manyNames(count, times, count + 1)];
    const runs = [
      { a: 0, b: 0, length: 1000 },
      { a: 1000, b: 1000, length: count * times - 1000 },
    ];
    const judged = new KernelAlignment(a, b).agreements(runs, count * times);
    // At the border of two parts, one occurrence of a name may be isolated.
    assert.ok(!judged.includes(0));
    assert.ok(judged.filter((agreement) => agreement === 1).length < 10);
    const { score, first, from, last, to } = new KernelAlignment(a, b).rescore(runs, 1);
    assert.deepEqual([first, from, last, to], [0, 0, 1, count * times - 1000]);
    assert.ok(score > 4 * count * times);
  });

  test('judges columns beyond its capacity in parts', () => {
    const [count, rounds] = [4000, 300];
    const a = Array.from({ length: rounds }, () => manyNames(count, 1, 1)).flat();
    const b = Array.from({ length: rounds }, () => manyNames(count, 1, count + 1)).flat();
    // The last names correspond to each other at random.
    const names = Array.from({ length: 5000 }, (_, i) => nameOf(3 * count + ((i * i * 7) % 97)));
    a.push(...names);
    b.push(...names.map((_, i) => names[(i * 31 + 11) % names.length]));
    const differing = a.flatMap((x, i) => (x === b[i] ? [] : [i]));
    const judged = new KernelAlignment(a, b).agreements([{ a: 0, b: 0, length: a.length }], differing.length);
    const consistent = differing.filter((i) => i < count * rounds).length;
    assert.ok(judged.slice(0, consistent).every((agreement) => agreement === 2));
    assert.ok(judged.slice(consistent).every((agreement) => agreement < 2));
  });

  test('finds the stretch with the greatest score', () => {
    onBoth(([a, b]) => {
      for (const prose of [false, true]) {
        const runs = alignmentOf([a, b], prose);
        if (runs.length === 0) continue;
        for (const gapFactor of [1, 4]) {
          assert.deepEqual(
            normal(new KernelAlignment(a, b, prose).rescore(runs, gapFactor), runs),
            rescoreByDefinition(a, b, runs, !prose, gapFactor),
          );
        }
      }
    }, 60);
  });

  test('has lower and upper bounds that need no correspondence of names', () => {
    let [surely, hopeless] = [0, 0];
    onBoth(([a, b]) => {
      for (const prose of [false, true]) {
        const runs = alignmentOf([a, b], prose);
        const kernel = new KernelAlignment(a, b, prose);
        const { score } = kernel.rescore(runs, 1);
        for (const enough of [20, 90, score, score + 1]) {
          const { certain, maxScore } = kernel.boundScore(runs, enough);
          if (certain) surely++;
          else if (maxScore < enough) hopeless++;
          assert.ok(certain ? score >= enough : maxScore >= score);
        }
      }
    }, 150);
    assert.ok(surely > scaled(50) && hopeless > scaled(50));
  });
});

suite('blocksAround', () => {
  const brackets = [0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x81, 0x91, 0xa1, 0xb1];
  const word = fc.oneof(fc.constantFrom(...brackets.slice(0, 6)), fc.constantFrom(...brackets, 0x83, 0x94, separator));
  const place = fc.tuple(fc.array(word, { minLength: 1, maxLength: 200 }), fc.nat(), fc.integer({ min: 1, max: 60 }));

  test('finds at each level the missing brackets of the passage and one more pair', () => {
    let found = 0;
    fc.assert(
      fc.property(place, ([text, at, length]) => {
        const from = at % text.length;
        const to = Math.min(text.length, from + length);
        const blocks = new KernelAlignment(text, []).blocksAround(from, to, brackets);
        found += blocks.filter((block) => block !== undefined).length;
        const expected = blocks.map((_, level) => blockByDefinition(text, from, to, level, brackets));
        assert.deepEqual(blocks, expected);
      }),
      { numRuns: scaled(500) },
    );
    assert.ok(found > scaled(100));
  });
});
