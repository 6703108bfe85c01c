/**
 * Groups of prose and of quoted code that add nothing to others: after any updates, the same as if all had been added
 * at once.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { type Coverable, CoveredGroups } from '../../../src/core/engine/report/coveredGroups.ts';
import type { Group, Passage } from '../../../src/core/engine/report/report.ts';

type Place = readonly [path: string, startLine: number, endLine: number, tokens: number];

/** Returns a group with passages, the last `others` of which are in files. */
function groupOf(kind: 'prose' | 'code', places: readonly Place[], others = 0): Coverable {
  const passages = places.map(([path, startLine, endLine, tokens]): Passage => ({
    path,
    startLine,
    startColumn: 1,
    endLine,
    endColumn: 2,
    tokens,
  }));
  const of: Group = {
    id: '',
    kind,
    type: 'exact',
    similarity: 1,
    lines: 1,
    tokens: 1,
    category: 'source',
    worth: 1,
    passages,
    pairs: [],
  };
  const own = passages.slice(0, passages.length - others);
  return { group: of, kind: kind === 'prose' ? 'around' : 'quoted', passages: own };
}

/** Adds groups and checks the list indices of those that are shown. */
function check(groups: readonly Coverable[], ...expected: number[]): void {
  const { hidden, shown } = new CoveredGroups().replace([], groups);
  assert.deepEqual(hidden, []);
  assert.deepEqual(shown.map((group) => groups.indexOf(group)).sort(), expected);
}

const section = groupOf('prose', [
  ['a.md', 1, 40, 400],
  ['b.md', 101, 140, 400],
]);
const codeOfIt = groupOf('code', [
  ['a.md', 10, 20, 100],
  ['b.md', 110, 120, 100],
]);

suite('covered groups', () => {
  test('the code of a copied section is not shown separately', () => check([section, codeOfIt], 0));
  test('a section that consists almost entirely of code is not shown', () => {
    const around = groupOf('prose', [
      ['a.md', 8, 21, 110],
      ['b.md', 109, 120, 105],
    ]);
    check([around, codeOfIt], 1);
  });
  test('are hidden only by groups that are shown, or by groups hidden by those', () => {
    const around = groupOf('prose', [
      ['a.md', 10, 20, 100],
      ['b.md', 110, 120, 100],
    ]);
    check([around, codeOfIt, section], 2);
    check([around, codeOfIt], 1);
  });
  test('code that is also elsewhere is shown', () => {
    const places: Place[] = [
      ['a.md', 10, 20, 100],
      ['c.ts', 1, 11, 100],
    ];
    check([section, groupOf('code', places, 1)], 0, 1);
    check([section, groupOf('code', [...places.slice(0, 1), ['c.md', 1, 11, 100]])], 0, 1);
  });
  test('code that occurs twice in one passage of prose, or has its own prose, is shown', () => {
    const twice = groupOf('code', [
      ['a.md', 10, 14, 60],
      ['a.md', 20, 24, 60],
    ]);
    const elsewhere = groupOf('prose', [
      ['a.md', 50, 54, 60],
      ['b.md', 150, 154, 60],
    ]);
    check([section, twice, elsewhere], 0, 1, 2);
  });
  test('code on the lines of a passage that does not contain it is shown', () => {
    const onLine = ({ group, kind }: Coverable, startColumn: number, endColumn: number): Coverable => {
      const passages = group.passages.map((passage) => ({ ...passage, startColumn, endColumn }));
      return { group: { ...group, passages }, kind, passages };
    };
    const places: Place[] = [
      ['a.ipynb', 1, 1, 100],
      ['b.ipynb', 1, 1, 100],
    ];
    const text = onLine(groupOf('prose', places), 1, 400);
    check([text, onLine(groupOf('code', places), 400, 700)], 0, 1);
    check([text, onLine(groupOf('code', places), 300, 390)], 1);
  });
  test('after any history, hidden groups depend only on the existing groups', () => {
    const place = fc
      .tuple(
        fc.constantFrom('a.md', 'b.md'),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 0, max: 90 }),
        fc.nat(99),
      )
      .map(([path, start, lines, tokens]): Place => [path, start, start + lines, tokens + 1]);
    const group = fc
      .tuple(fc.constantFrom('prose' as const, 'code' as const), fc.array(place, { minLength: 1, maxLength: 3 }))
      .map(([kind, places]) => groupOf(kind, places));
    const history = fc.array(fc.tuple(fc.array(group, { maxLength: 6 }), fc.array(fc.nat(50), { maxLength: 4 })));
    let hiddenInAll = 0;
    fc.assert(
      fc.property(history, (steps) => {
        const covered = new CoveredGroups();
        const present: Coverable[] = [];
        const shownNow = new Set<Coverable>();
        for (const [added, places] of steps) {
          const removed = [...new Set(places)].flatMap((at) => (at < present.length ? [present[at]] : []));
          const { hidden, shown } = covered.replace(removed, added);
          present.splice(0, present.length, ...present.filter((item) => !removed.includes(item)), ...added);
          for (const item of hidden) assert.ok(shownNow.delete(item));
          for (const item of shown) {
            assert.ok(!shownNow.has(item));
            shownNow.add(item);
          }
          const fresh = new CoveredGroups().replace([], present).shown;
          assert.deepEqual(shownNow, new Set(fresh));
          hiddenInAll += present.length - fresh.length;
        }
      }),
      { numRuns: scaled(1000) },
    );
    assert.ok(hiddenInAll > scaled(100), String(hiddenInAll));
  });
});
