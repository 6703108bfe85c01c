/** What is packed for the way between two threads comes out as it went in. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Findings, Group, Pair, Skipped, Totals } from '../../src/engine/report.ts';
import { FindingsPacker, packFindings, unpackGroups, unpackSkipped } from '../../src/protocol/packedFindings.ts';

/** Records as the engine makes them, which is what they are compared with. */
const plain = { noNullPrototype: true } as const;
const count = fc.nat(1_000_000);
const similarity = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((string) => !string.includes('\0'));

const passage = fc.record(
  {
    path: text,
    startLine: count,
    startColumn: count,
    endLine: count,
    endColumn: count,
    tokens: count,
  },
  plain,
);

const pair = { a: count, b: count, similarity, distance: fc.nat(64) };
const containment = fc.tuple(similarity, similarity);

const group: fc.Arbitrary<Group> = fc.oneof(
  groupOf(fc.constantFrom('code', 'prose'), fc.record(pair, plain)),
  groupOf(fc.constant('file'), fc.record({ ...pair, containment }, plain)),
);

function groupOf(kind: fc.Arbitrary<Group['kind']>, pairs: fc.Arbitrary<Pair>): fc.Arbitrary<Group> {
  return fc.record(
    {
      id: text,
      kind,
      type: fc.constantFrom('exact', 'renamed', 'near'),
      similarity,
      lines: count,
      tokens: count,
      tests: fc.constant(true as const),
      passages: fc.array(passage, { minLength: 2, maxLength: 6 }),
      pairs: fc.array(pairs, { maxLength: 6 }),
    },
    { ...plain, requiredKeys: ['id', 'kind', 'type', 'similarity', 'lines', 'tokens', 'passages', 'pairs'] },
  );
}

const skipped: fc.Arbitrary<Skipped> = fc.record(
  { path: text, reason: text, setting: text },
  { requiredKeys: ['path', 'reason'], noNullPrototype: true },
);

const totals: Totals = {
  files: 1,
  lines: 2,
  tokens: 3,
  groups: 4,
  passages: 5,
  duplicatedLines: 6,
  duplicatedPercent: 7.5,
  skipped: 8,
};

suite('packed findings', () => {
  test('groups and skipped files come out as they went in, through a message too', () => {
    const findings: fc.Arbitrary<Findings> = fc.record(
      {
        complete: fc.boolean(),
        totals: fc.constant(totals),
        groups: fc.array(group),
        skipped: fc.array(skipped),
      },
      plain,
    );
    fc.assert(fc.property(findings, check));
  });

  test('nothing comes out of nothing', () => {
    check({ complete: true, totals, groups: [], skipped: [] });
  });

  test('the numbers of a large report are shared, not copied', () => {
    const packed = packFindings({ complete: true, totals, groups: fc.sample(group, 10), skipped: [] });
    assert.ok(packed.numbers.buffer instanceof SharedArrayBuffer);
  });

  test('reports that have groups in common come out as they went in, one after the other', () => {
    const histories = fc
      .uniqueArray(group, { minLength: 1, maxLength: 12, size: 'max', selector: ({ id }) => id })
      .chain((all) => fc.array(fc.shuffledSubarray(all), { maxLength: 5, size: 'max' }));
    fc.assert(
      fc.property(histories, fc.nat(3), (history, files) => {
        const packer = new FindingsPacker();
        for (const groups of history) {
          const packed = packer.pack({ complete: true, totals: { ...totals, files }, groups, skipped: [] });
          assert.deepEqual([...unpackGroups(packed)], groups);
        }
      }),
    );
  });
});

function check(findings: Findings): void {
  const packed = structuredClone(packFindings(findings));
  assert.deepEqual(
    {
      complete: packed.complete,
      totals: packed.totals,
      groups: [...unpackGroups(packed)],
      skipped: [...unpackSkipped(packed)],
    },
    findings,
  );
}
