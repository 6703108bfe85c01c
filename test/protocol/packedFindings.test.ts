/** Findings that are packed and unpacked between two threads. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import {
  admittingSettings,
  type FilePair,
  type FolderGroup,
  type Findings,
  type Group,
  type Pair,
  type SkippedFile,
  type Totals,
} from '../../src/core/engine/report/report.ts';
import { categories } from '../../src/core/engine/rows/category.ts';
import { arePossible, packGroups, unpackGroups } from '../../src/scan/io/packedGroups.ts';
import {
  changeGroups,
  FindingsPacker,
  packFindings,
  unpackSkipped,
} from '../../src/session/protocol/packedFindings.ts';
import { changeList } from '../../src/core/collections/listDifference.ts';

/** Records with the prototype of records from the engine, so that a deep comparison succeeds. */
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
    content: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map((key) => key.toString(16).padStart(16, '0')),
  },
  { ...plain, requiredKeys: ['path', 'startLine', 'startColumn', 'endLine', 'endColumn', 'tokens'] },
);

const pair = { a: count, b: count, similarity, distance: fc.nat(64) };
const containment = fc.tuple(similarity, similarity);

const group: fc.Arbitrary<Group> = fc.oneof(
  groupOf(
    fc.constantFrom('code', 'prose'),
    fc.record(
      { ...pair, type: fc.constantFrom('exact', 'renamed') },
      { ...plain, requiredKeys: ['a', 'b', 'similarity', 'distance'] },
    ),
  ),
  groupOf(fc.constant('file'), fc.record({ ...pair, containment }, plain)),
);

function groupOf(kind: fc.Arbitrary<Group['kind']>, pairs: fc.Arbitrary<Pair>): fc.Arbitrary<Group> {
  return fc.record(
    {
      id: text,
      parent: text,
      kind,
      type: fc.constantFrom('exact', 'renamed', 'near'),
      similarity,
      lines: count,
      tokens: count,
      category: fc.constantFrom(...categories),
      worth: count,
      tests: fc.constant(true as const),
      inside: fc.constantFrom(0, 1),
      passages: fc.array(passage, { minLength: 2, maxLength: 6 }),
      pairs: fc.array(pairs, { maxLength: 6 }),
    },
    {
      ...plain,
      requiredKeys: [
        ...(['id', 'kind', 'type', 'similarity', 'lines', 'tokens', 'category', 'worth'] as const),
        ...(['passages', 'pairs'] as const),
      ],
    },
  );
}

const skipped: fc.Arbitrary<SkippedFile> = fc.record(
  { path: text, reason: text, setting: fc.constantFrom(...admittingSettings) },
  { requiredKeys: ['path', 'reason'], noNullPrototype: true },
);

const rollUp = { lines: fc.tuple(count, count), shares: fc.tuple(similarity, similarity), worth: count };
const category = fc.constantFrom(...categories);
const paths = fc.tuple(text, text);

const filePair: fc.Arbitrary<FilePair> = fc.record({ paths, groups: fc.array(text), ...rollUp, category }, plain);
const folderGroup: fc.Arbitrary<FolderGroup> = fc.record(
  {
    paths,
    files: fc.tuple(count, count),
    alike: fc.tuple(count, count),
    passages: count,
    groups: fc.array(text),
    ...rollUp,
    category,
  },
  plain,
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
  categories: { source: { files: 1, lines: 2, rows: 4, duplicatedLines: 6, duplicatedPercent: 7.5 } },
};

suite('packed findings', () => {
  test('groups and skipped files survive packing and a message', () => {
    const findings: fc.Arbitrary<Findings> = fc.record(
      {
        complete: fc.boolean(),
        totals: fc.constant(totals),
        groups: fc.array(group),
        files: fc.array(filePair),
        folders: fc.array(folderGroup),
        skipped: fc.array(skipped),
      },
      plain,
    );
    fc.assert(fc.property(findings, check));
  });

  test('empty findings survive packing', () => {
    check({ complete: true, totals, groups: [], files: [], folders: [], skipped: [] });
  });

  test('the numbers of a large report are in shared memory', () => {
    const packed = packFindings({
      complete: true,
      totals,
      groups: fc.sample(group, 10),
      files: [],
      folders: [],
      skipped: [],
    });
    assert.ok(packed.numbers.buffer instanceof SharedArrayBuffer);
  });

  test('packed groups with a negative number or a missing end are rejected', () => {
    const possible = fc
      .array(group, { minLength: 1, maxLength: 4 })
      .filter((groups) => groups.every(({ passages, pairs }) => passages.length >= 2 && pairs.length >= 1));
    fc.assert(
      fc.property(possible, fc.nat(), (groups, seed) => {
        const packed = packGroups(groups);
        assert.ok(arePossible(packed));
        // The two numbers of a content key may have any value.
        const keys = new Set(keyPlaces(groups));
        const places = [...packed.numbers.keys()].filter((place) => !keys.has(place));
        const numbers = packed.numbers.slice();
        numbers[places[seed % places.length]] = -1;
        assert.ok(!arePossible({ ...packed, numbers }));
        assert.ok(!arePossible({ ...packed, numbers: packed.numbers.subarray(0, -1) }));
        assert.ok(!arePossible({ ...packed, ids: `${packed.ids}\0x` }));
      }),
    );
  });

  test('a report that is packed as changes to an earlier one survives', () => {
    let incremental = 0;
    const [pairs, folders] = [fc.sample(filePair, 5), fc.sample(folderGroup, 2)];
    const rollUps = fc.record({ files: fc.shuffledSubarray(pairs), folders: fc.shuffledSubarray(folders) }, plain);
    const histories = fc
      .uniqueArray(group, { minLength: 1, maxLength: 12, size: 'max', selector: ({ id }) => id })
      .chain((all) =>
        fc.array(fc.tuple(fc.shuffledSubarray(all), fc.nat(12), rollUps, fc.array(skipped, { maxLength: 1 })), {
          maxLength: 12,
          size: 'max',
        }),
      );
    fc.assert(
      fc.property(histories, (history) => {
        const packer = new FindingsPacker();
        const groupsOf = new Map<number, readonly Group[]>();
        for (const [i, [groups, back, rolled, left]] of history.entries()) {
          const has = back === 0 ? undefined : i - back;
          const packed = structuredClone(
            packer.pack({ complete: true, totals, groups, ...rolled, skipped: left }, i, has),
          );
          const { base } = packed;
          if (base === undefined) assert.deepEqual([...unpackGroups(packed)], groups);
          else {
            incremental++;
            assert.equal(base.generation, has);
            const before = groupsOf.get(base.generation)!;
            const changed = changeGroups({ ...packed, base }, before);
            assert.deepEqual(changed.groups, groups);
            // Unchanged groups are the same objects, and no group is sent twice.
            const unchanged = changed.groups.filter((it) => before.includes(it));
            assert.equal(unchanged.length + changed.added.length, groups.length);
            assert.deepEqual(new Set([...unchanged, ...changed.removed]), new Set(before));
            assert.equal(unchanged.length + changed.removed.length, before.length);
            const leftBefore = base.hasSameSkipped ? history[base.generation][3] : [...unpackSkipped(packed)];
            assert.deepEqual(leftBefore, left);
            const earlier = history[base.generation][2];
            assert.deepEqual(changeList(earlier.files, packed.files).items, rolled.files);
            assert.deepEqual(changeList(earlier.folders, packed.folders).items, rolled.folders);
          }
          groupsOf.set(i, base === undefined ? groups : changeGroups({ ...packed, base }, groupsOf.get(has!)!).groups);
        }
      }),
    );
    assert.ok(incremental > scaled(50), `${incremental} reports were sent as changes`);
  });

  test('only new groups are sent, unless there are too many', () => {
    const list = Array.from({ length: 3_000 }, (_, i): Group => ({
      ...fc.sample(group, { numRuns: 1, seed: i })[0],
      id: `${i}`,
    }));
    const packer = new FindingsPacker();
    const findings = (groups: readonly Group[]): Findings => ({
      complete: true,
      totals,
      groups,
      files: [],
      folders: [],
      skipped: [],
    });
    packer.pack(findings(list), 1, undefined);
    const edited = list.flatMap((it, i) => (i === 7 ? [] : i === 1_500 ? [{ ...it, id: 'new' }] : [it]));
    const packed = packer.pack(findings(edited), 2, 1);
    assert.equal(packed.ids, 'new');
    assert.deepEqual([...packed.base!.stretches], [0, 0, 7, 0, 8, 1_500, 1, 1_501, 3_000]);
    const other = list.map((it) => ({ ...it }));
    assert.equal(packer.pack(findings(other), 3, 2).base, undefined);
    // The receiver's base is no longer known.
    assert.equal(packer.pack(findings(other), 4, 1).base, undefined);
  });
});

/** Returns the places of the content keys in the numbers of packed groups. */
function keyPlaces(groups: readonly Group[]): number[] {
  let start = 0;
  return groups.flatMap(({ kind, passages, pairs }) => {
    const first = start + 12;
    start = first + 8 * passages.length + (kind === 'file' ? 6 : 5) * pairs.length;
    return passages.flatMap((_, i) => [first + 8 * i + 6, first + 8 * i + 7]);
  });
}

function check(findings: Findings): void {
  const packed = structuredClone(packFindings(findings));
  assert.deepEqual(
    {
      complete: packed.complete,
      totals: packed.totals,
      groups: [...unpackGroups(packed)],
      files: changeList([], packed.files).items,
      folders: changeList([], packed.folders).items,
      skipped: [...unpackSkipped(packed)],
    },
    findings,
  );
}
