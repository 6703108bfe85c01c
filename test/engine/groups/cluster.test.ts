/** Clusters of synthetic matches: properties of every cluster, and independence of the order of matches. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import {
  type Cluster,
  type ClusterChanges,
  Clusters,
  type KeptCluster,
  type MatchVerifier,
} from '../../../src/core/engine/groups/cluster.ts';
import { type MatchChanges, recordsOnly } from '../../../src/core/engine/groups/matchedPassages.ts';
import { type Match, type TokenRange, writeMatch } from '../../../src/core/engine/matches/matchRecord.ts';
import { lastOf } from '../../../src/core/engine/steps.ts';
import { constants } from '../../../src/core/engine/constants.ts';
import { matchWords } from '../../../src/core/kernel/matches/matchRecordLayout.ts';

/** Returns a match between tokens of two documents. */
function match(a: TokenRange, b: TokenRange, score = 100): Match {
  const tokens = Math.min(a.end - a.start, b.end - b.start);
  return {
    docA: a.document,
    a0: a.start,
    a1: a.end,
    docB: b.document,
    b0: b.start,
    b1: b.end,
    equal: tokens,
    consistent: 0,
    once: 0,
    differing: 0,
    bits: 0,
    score,
    longest: 0,
    similarity: (2 * tokens) / (a.end - a.start + b.end - b.start),
  };
}

function range(document: number, start: number, end: number): TokenRange {
  return { document, start, end };
}

/** Accepts passages that do not overlap and have similar lengths. */
const alike: MatchVerifier = (a, b) => {
  const [x, y] = [a.end - a.start, b.end - b.start];
  if (overlap(a, b) || Math.min(x, y) < 0.6 * Math.max(x, y)) return undefined;
  return a.document < b.document || (a.document === b.document && a.start < b.start) ? match(a, b) : match(b, a);
};

function overlap(a: TokenRange, b: TokenRange): boolean {
  return a.document === b.document && a.start < b.end && b.start < a.end;
}

function endsOf({ docA, a0, a1, docB, b0, b1 }: Match): TokenRange[] {
  return [range(docA, a0, a1), range(docB, b0, b1)];
}

/** Minimum length of equal runs that must not be split, present in about half of the random matches. */
const minEqual = 30;

/** Returns an empty set of clusters in documents whose tokens are not available. */
function emptyClusters(): Clusters {
  return new Clusters((document) => document, {
    spanOf: ({ document, start, end }) => ({ text: document, from: start, to: end }),
    minEqual: () => minEqual,
    minEqualOfAll: minEqual,
    samePassage: () => constants.groups.samePassage.code,
    isUnit: () => false,
    everyEqualRun: () => true,
  });
}

/** Returns the clusters of matches, in arbitrary order. */
function cluster(list: readonly Match[], verify: MatchVerifier): readonly Cluster[] {
  const clusters = emptyClusters();
  return lastOf(clusters.updateSteps(changesOf(list), verify)).added.map((kept) => clusters.read(kept));
}

/** Returns the clusters in a canonical order, for comparison. */
function sorted(clusters: readonly Cluster[]): string[] {
  return clusters.map((c) => JSON.stringify(c)).sort();
}

const place = fc.tuple(fc.nat(3), fc.nat(30), fc.integer({ min: 5, max: 60 }));
const matches = fc
  .uniqueArray(fc.tuple(place, place, fc.integer({ min: 90, max: 120 })), {
    maxLength: 40,
    size: 'max',
    selector: ([a, b]) => `${String(a)} ${String(b)}`,
  })
  .map((list) =>
    list
      .map(([a, b, score]) => ({
        a: range(a[0], 10 * a[1], 10 * a[1] + a[2]),
        b: range(b[0], 10 * b[1], 10 * b[1] + b[2]),
        score,
      }))
      .filter(({ a, b }) => !overlap(a, b))
      .map(({ a, b, score }) =>
        a.document < b.document || (a.document === b.document && a.start < b.start)
          ? match(a, b, score)
          : match(b, a, score),
      )
      .map((made) => ({ ...made, longest: made.equal })),
  );

/** Calls `look` with every cluster of random matches, and with the matches. */
function each(look: (c: Cluster, list: readonly Match[]) => void): void {
  fc.assert(fc.property(matches, (list) => cluster(list, alike).forEach((c) => look(c, list))));
}

suite('cluster: properties of every cluster', () => {
  test('has two or more passages, in order', () =>
    each(({ passages }) => {
      assert.ok(passages.length >= 2);
      const ordered = [...passages].sort((x, y) => x.document - y.document || x.start - y.start || x.end - y.end);
      assert.deepEqual(passages, ordered);
    }));

  test('contains each long equal run completely on both sides', () => {
    let looked = 0;
    const holds = (c: Cluster, place: TokenRange): boolean =>
      c.passages.some(({ document, start, end }) => {
        const shared = Math.min(end, place.end) - Math.max(start, place.start);
        // Two ends of one passage share 0.7 of their length, of which 0.8 may be in another passage.
        return document === place.document && shared >= 0.5 * (place.end - place.start);
      });
    fc.assert(
      fc.property(matches, (list) => {
        const clusters = cluster(list, alike);
        for (const { docA, a0, a1, docB, b0, b1, longest } of list) {
          if (docA === docB || longest < minEqual) continue;
          looked++;
          assert.ok(clusters.some((c) => holds(c, range(docA, a0, a1)) && holds(c, range(docB, b0, b1))));
        }
      }),
    );
    assert.ok(looked > scaled(100));
  });

  test('has no overlapping passages', () =>
    each(({ passages }) => {
      passages.forEach((p, i) => passages.slice(0, i).forEach((q) => assert.ok(!overlap(p, q))));
    }));

  test('has links between its own passages, without duplicates, that connect all of them', () =>
    each(({ passages, links }) => {
      assert.ok(links.every(({ a, b }) => a >= 0 && a < b && b < passages.length));
      assert.equal(new Set(links.map(({ a, b }) => `${a} ${b}`)).size, links.length);
      assert.equal(new Set(links.flatMap(({ a, b }) => [a, b])).size, passages.length);
    }));

  test('has a passage that matches all others', () =>
    each(({ passages, links }) => {
      const degrees = passages.map((_, i) => links.filter(({ a, b }) => a === i || b === i).length);
      assert.ok(degrees.includes(passages.length - 1));
    }));

  test('has passages with extents of matches', () =>
    each(({ passages }, list) => {
      const sides = new Set(list.flatMap(endsOf).map((side) => JSON.stringify(side)));
      for (const passage of passages) assert.ok(sides.has(JSON.stringify(passage)));
    }));
});

suite('cluster: identity of passages', () => {
  /** Ranges are written `document:start-end`. Each cluster is given as the two sides of its matches. */
  function check(pairs: readonly [string, string][], ...expected: string[][]): void {
    const list = pairs.map(([a, b]) => match(parse(a), parse(b)));
    const found = cluster(list, alike).map((c) => c.passages.map((p) => `${p.document}:${p.start}-${p.end}`));
    assert.deepEqual(found.sort(), expected);
  }

  function parse(text: string): TokenRange {
    const [document, start, end] = text.split(/[:-]/).map(Number);
    return range(document, start, end);
  }

  test('copies connected by matches form one cluster', () =>
    check(
      [
        ['0:0-100', '1:0-100'],
        ['1:0-100', '2:50-150'],
      ],
      ['0:0-100', '1:0-100', '2:50-150'],
    ));

  test('ends of matches that nearly coincide form one passage', () =>
    check(
      [
        ['0:0-100', '1:0-100'],
        ['1:4-101', '2:0-97'],
      ],
      ['0:0-100', '1:4-101', '2:0-97'],
    ));

  test('passages have the extent that most members share, regardless of a better match', () => {
    const best = match(range(0, 0, 120), range(1, 0, 120), 100);
    const common = [1, 2, 3].flatMap((b) =>
      Array.from({ length: b }, (_, a) => match(range(a, 0, 90), range(b, 0, 90), 50)),
    );
    const clusters = cluster([best, ...common.slice(1)], alike);
    assert.deepEqual(
      clusters.map(({ passages }) => passages),
      // The rest of the best match has the minimum size, so this match is a cluster of its own.
      [[0, 1, 2, 3].map((document) => range(document, 0, 90)), endsOf(best)],
    );
    // The best match is longer than the passages, so they were compared again.
    assert.ok(clusters[0].links.every(({ match: m }) => endsOf(m).every(({ end }) => end === 90)));
    assert.equal(clusters[0].links.length, 6);
  });

  test('the extent of a passage follows its own match, regardless of a better match', () => {
    const best = match(range(1, 0, 90), range(2, 0, 90), 100);
    const longer = match(range(0, 0, 120), range(2, 0, 120), 50);
    const clusters = cluster([best, longer], () => undefined);
    assert.deepEqual(
      clusters.map(({ passages }) => passages),
      [endsOf(best), endsOf(longer)],
    );
  });

  test('the extent of a passage follows its only match, regardless of a better match with itself', () => {
    const itself = match(range(0, 0, 90), range(0, 2, 92), 100);
    const longer = match(range(0, 0, 120), range(1, 0, 120), 50);
    assert.deepEqual(
      cluster([itself, longer], () => undefined).map(({ passages }) => passages),
      [endsOf(longer)],
    );
  });

  test('is empty if the two sides of the only match overlap', () => {
    assert.deepEqual(
      cluster([match(range(0, 0, 100), range(0, 60, 160))], () => undefined),
      [],
    );
  });

  test('does not include a passage that resembles only a neighbor', () =>
    check(
      [
        ['0:0-100', '1:0-100'],
        ['2:0-55', '3:0-55'],
        ['1:0-100', '3:0-55'],
      ],
      ['0:0-100', '1:0-100'],
      ['2:0-55', '3:0-55'],
    ));

  test('shows a passage that resembles only a neighbor with that neighbor', () =>
    check(
      [
        ['0:0-100', '1:0-100'],
        ['1:0-100', '2:0-55'],
      ],
      ['0:0-100', '1:0-100'],
      ['1:0-100', '2:0-55'],
    ));

  test('a less specific cluster with the same passages is omitted', () =>
    check(
      [
        ['0:0-100', '1:0-100'],
        ['0:20-60', '1:20-60'],
      ],
      ['0:0-100', '1:0-100'],
    ));

  test('a part that also occurs elsewhere is kept', () =>
    check(
      [
        ['0:0-100', '1:0-100'],
        ['0:20-60', '2:0-40'],
      ],
      ['0:0-100', '1:0-100'],
      ['0:20-60', '2:0-40'],
    ));

  test('a passage is never in a cluster with one that it overlaps', () =>
    check(
      [
        ['0:0-100', '1:0-100'],
        ['0:0-100', '1:60-160'],
      ],
      ['0:0-100', '1:0-100'],
    ));
});

suite('cluster: order', () => {
  test('does not depend on the order of the matches', () => {
    const shuffled = matches.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        assert.deepEqual(sorted(cluster(other, alike)), sorted(cluster(list, alike)));
      }),
    );
  });

  test('is empty without matches', () => {
    assert.deepEqual(cluster([], alike), []);
  });
});

suite('cluster: changes', () => {
  const documents = fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 2 });

  test('has the same result after changes as a new search', () => {
    const history = fc.tuple(matches, fc.array(fc.tuple(documents, matches), { maxLength: 6 }));
    fc.assert(
      fc.property(history, ([first, changes]) => {
        const clusters = emptyClusters();
        const shown = new Set<KeptCluster>();
        let list: Match[] = [];
        for (const [renewed, others] of [[[], first] as const, ...changes]) {
          const isRenewed = ({ docA, docB }: Match): boolean => renewed.some((d) => d === docA || d === docB);
          const addedMatches = renewed.length === 0 ? others : others.filter(isRenewed);
          list = [...list.filter((m) => !isRenewed(m)), ...addedMatches];
          const changed = { ...changesOf(addedMatches), renewed: new Set(renewed) };
          const { removed, added } = lastOf(clusters.updateSteps(changed, alike));
          for (const kept of removed) assert.ok(shown.delete(kept));
          for (const kept of added) shown.add(kept);
          const read = [...shown].map((kept) => clusters.read(kept));
          assert.deepEqual(sorted(read), sorted(cluster(list, alike)));
        }
      }),
    );
  });

  test('does not include a passage that resembles only a neighbor, whatever was compared before', () => {
    // Copies that are all compared with each other, and triples whose ends do not match. At one of these triples the
    // table of comparisons grows.
    const threes = Array.from({ length: 40 }, (_, i) => {
      const [first, second, third] = [range(100 + 3 * i, 0, 60), range(101 + 3 * i, 0, 80), range(102 + 3 * i, 0, 130)];
      return [match(first, second), match(second, third)];
    });
    for (let groups = 0; groups < 16; groups++) {
      const copies = Array.from({ length: groups }, (_, group) =>
        Array.from({ length: 7 }, (_, i) =>
          match(range(1000 + 10 * group + i, 0, 100), range(1001 + 10 * group + i, 0, 100)),
        ),
      );
      const sizes = cluster([...copies, ...threes].flat(), alike).map(({ passages }) => passages.length);
      assert.deepEqual(
        sizes.sort((x, y) => y - x),
        [...copies.map(() => 8), ...threes.flatMap(() => [2, 2])],
      );
    }
  });

  test('keeps an unchanged cluster that has extents of its own', () => {
    const clusters = emptyClusters();
    const verify: MatchVerifier = (a, b) => (b.document === 4 ? undefined : alike(a, b));
    const add = (...list: readonly Match[]): ClusterChanges => {
      return lastOf(clusters.updateSteps(changesOf(list), verify));
    };
    const [kept] = add(
      match(range(0, 0, 110), range(3, 0, 110), 100),
      match(range(0, 0, 90), range(1, 0, 90), 50),
      match(range(0, 0, 90), range(2, 0, 90), 50),
    ).added;
    assert.deepEqual(clusters.read(kept).passages[0], range(0, 0, 90));
    const { removed, added, regathered } = add(match(range(3, 0, 110), range(4, 0, 110), 100));
    assert.deepEqual(
      added.map((other) => clusters.read(other).passages.map(({ document }) => document)),
      [[3, 4]],
    );
    assert.deepEqual([removed, regathered], [[], [kept]]);
  });

  test('uses the first of two alignments of the same runs', () => {
    const [a, b] = [range(0, 0, 100), range(1, 0, 100)];
    const [first, second] = [match(a, b), { ...match(a, b), equal: 90 }];
    for (const [list, expected] of [
      [[first, second], 1],
      [[second, first], 0.9],
    ] as const) {
      assert.deepEqual(
        cluster(list, alike).map(({ links }) => links.map((link) => link.match.similarity)),
        [[expected]],
      );
    }
  });
});

function changesOf(list: readonly Match[]): MatchChanges {
  const records = new Uint32Array(list.length * matchWords);
  list.forEach((it, i) => writeMatch(records, i * matchWords, it));
  return recordsOnly(
    records,
    list.map((_, i) => i * matchWords),
  );
}
