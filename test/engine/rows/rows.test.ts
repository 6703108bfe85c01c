/** Rows, compared with a simple reference: groups are compared one by one with all rows so far. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import type { Group, Passage } from '../../../src/core/engine/report/report.ts';
import { byWorth } from '../../../src/core/engine/rows/rowOrder.ts';
import { type Entry, Rows } from '../../../src/core/engine/rows/rows.ts';
import { lastOf } from '../../../src/core/engine/steps.ts';

const paths = ['a', 'b', 'c', 'd'];

/** A group of synthetic passages that do not overlap. */
const group: fc.Arbitrary<Omit<Group, 'id'>> = fc
  .record({
    places: fc.array(fc.tuple(fc.constantFrom(...paths), fc.nat(300), fc.integer({ min: 1, max: 90 })), {
      minLength: 2,
      maxLength: 5,
    }),
    worth: fc.nat(9),
  })
  .map(({ places, worth }) => groupOf(worth, passagesOf(places)))
  .filter(({ passages }) => passages.length > 1);

const fileGroup: fc.Arbitrary<Omit<Group, 'id'>> = fc
  .tuple(fc.subarray(paths, { minLength: 2 }), fc.nat(9))
  .map(([files, worth]) => ({
    ...groupOf(
      worth,
      files.map((path) => passageOf(path, 1, 400)),
    ),
    kind: 'file' as const,
  }));

suite('rows', () => {
  test('a group mostly outside better rows is a row, others are shown in the row with the largest part of them', () => {
    const better = entryOf('better', groupOf(9, [passageOf('a', 1, 50), passageOf('b', 1, 50)]));
    const mostly = entryOf('mostly', groupOf(8, [passageOf('a', 30, 60), passageOf('c', 1, 30)]));
    const barely = entryOf('barely', groupOf(7, [passageOf('a', 50, 99), passageOf('c', 50, 99)]));
    const ofFiles = entryOf('files', {
      ...groupOf(1, [passageOf('a', 1, 99), passageOf('c', 1, 99)]),
      kind: 'file',
    });
    const rows = new Rows();
    lastOf(rows.replaceSteps([], [better, mostly, barely]));
    assert.deepEqual(shown(rows, []), ['better', 'better mostly', 'barely']);
    assert.deepEqual(shown(rows, [ofFiles]), ['better', 'better mostly', 'files', 'files barely']);
    assert.deepEqual(shown(rows, []), ['better', 'better mostly', 'barely']);
    lastOf(rows.replaceSteps([better], []));
    assert.deepEqual(shown(rows, []), ['mostly', 'mostly barely']);
  });

  test('groups of one family are shown in the row of the best group, and their lines belong to that row', () => {
    const family = 1;
    const best = { ...entryOf('best', groupOf(9, [passageOf('a', 1, 20), passageOf('b', 1, 20)])), family };
    const other = { ...entryOf('other', groupOf(7, [passageOf('c', 1, 20), passageOf('d', 1, 20)])), family };
    const onOther = entryOf('on other', groupOf(5, [passageOf('c', 5, 15), passageOf('a', 80, 90)]));
    const rows = new Rows();
    lastOf(rows.replaceSteps([], [best, other, onOther]));
    assert.deepEqual(shown(rows, []), ['best', 'best other', 'best on other']);
    other.family = 2;
    lastOf(rows.replaceSteps([], [], [other]));
    assert.deepEqual(shown(rows, []), ['best', 'other', 'other on other']);
    other.family = family;
    lastOf(rows.replaceSteps([], [], [other]));
    lastOf(rows.replaceSteps([best], []));
    assert.deepEqual(shown(rows, []), ['other', 'other on other']);
  });

  test('groups on the same line of a file are rows if they do not overlap', () => {
    const onLine = (startColumn: number, endColumn: number): Passage => ({
      ...passageOf('a', 1, 1),
      startColumn,
      endColumn,
    });
    const better = entryOf('better', groupOf(9, [onLine(50, 90), passageOf('b', 1, 10)]));
    const before = entryOf('before', groupOf(8, [onLine(1, 50), passageOf('c', 1, 1)]));
    const inside = entryOf('inside', groupOf(7, [onLine(60, 70), passageOf('d', 1, 1)]));
    const rows = new Rows();
    lastOf(rows.replaceSteps([], [better, before, inside]));
    assert.deepEqual(shown(rows, []), ['better', 'better inside', 'before']);
    lastOf(rows.replaceSteps([better], []));
    assert.deepEqual(shown(rows, []), ['before', 'inside']);
  });

  test('after any history, they depend only on the existing groups', () => {
    const step = fc.record({
      group,
      family: fc.nat(6),
      leaves: fc.nat(5),
      moves: fc.nat(8),
      files: fc.array(fileGroup, { maxLength: 3 }),
      isAsked: fc.boolean(),
    });
    let nested = 0;
    let related = 0;
    const families = [1, 2, 3];
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 12 }), (history) => {
        const rows = new Rows();
        let there: Entry[] = [];
        let files: Entry[] = [];
        let count = 0;
        for (const steps of history) {
          const removed: Entry[] = [];
          const added: Entry[] = [];
          const regathered: Entry[] = [];
          for (const { group, family, leaves, moves, files: next } of steps) {
            added.push({ ...entryOf(`${count++}`, group), family: families[family] });
            if (leaves < there.length) removed.push(...there.splice(leaves, 1));
            // Some entries stay and move to another family.
            const moving = there.at(moves);
            if (moving !== undefined) {
              moving.family = families[(family + moves) % 7];
              regathered.push(moving);
            }
            // Some files stay and keep their objects.
            files = [...files.slice(1), ...next.map((one) => entryOf(`${count++}`, one))];
          }
          there = [...there, ...added];
          // Some moved entries may have been removed by then.
          lastOf(rows.replaceSteps(removed, added, regathered));
          if (!steps.every(({ isAsked }) => isAsked)) continue;
          const expected = slowRows(there, files);
          nested += expected.filter((line) => line.includes(' ')).length;
          related += there.filter(({ family }) => family !== undefined).length;
          assert.deepEqual(shown(rows, files), expected);
        }
      }),
      { numRuns: scaled(300) },
    );
    assert.ok(nested > scaled(100), `${nested} groups were shown in others`);
    assert.ok(related > scaled(100), `${related} groups were of families`);
  });

  test('report enough moves to derive all positions', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(group, fc.nat(3)), { maxLength: 20 }), fileGroup, (history, one) => {
        const rows = new Rows();
        const told = new Map<Entry, string>();
        const there: Entry[] = [];
        const files = entryOf('files', one);
        for (const [i, [added, leaves]] of history.entries()) {
          const entry = entryOf(`${i}`, added);
          const removed = leaves < there.length ? there.splice(leaves, 1) : [];
          there.push(entry);
          lastOf(rows.replaceSteps(removed, [entry]));
          if (i % 2 === 0) rows.replaceFiles([], [files]);
          else rows.replaceFiles([files], []);
          const { ordered, moved, parentOf } = rows.order();
          for (const { entry: it, before, after } of moved) {
            assert.equal(told.get(it), before && namesOf(before));
            if (after) told.set(it, namesOf(after));
            else told.delete(it);
          }
          assert.deepEqual(new Set(told.keys()), new Set(ordered));
          for (const it of ordered) {
            assert.equal(parentOf(it)?.group.id, told.get(it)!.split(' ').at(-2));
          }
        }
      }),
    );
  });
});

/** Returns groups in order, each with the groups that contain it. */
function shown(rows: Rows, files: readonly Entry[]): string[] {
  const before = rows.order().ordered.filter(({ group }) => group.kind === 'file');
  rows.replaceFiles(
    before.filter((entry) => !files.includes(entry)),
    files.filter((entry) => !before.includes(entry)),
  );
  const { ordered, parentOf } = rows.order();
  return ordered.map((entry) => {
    const chain = [entry];
    for (let above = parentOf(entry); above; above = parentOf(above)) chain.unshift(above);
    return namesOf(chain);
  });
}

function namesOf(chain: readonly Entry[]): string {
  return chain.map(({ group: { id } }) => id).join(' ');
}

function slowRows(entries: readonly Entry[], files: readonly Entry[]): string[] {
  const sorted = [...entries].sort((x, y) => byWorth(x.group, y.group));
  // Rows with the lines of their relatives that are not better than the current group.
  const rows = new Map<Entry, Set<string>>();
  const chains = new Map<Entry, Entry[]>();
  for (const entry of sorted) {
    const lines = linesOf(entry);
    const best = sorted.find((other) => other === entry || (entry.family && other.family === entry.family))!;
    if (best !== entry) {
      const row = chains.get(best)![0];
      chains.set(entry, [row, entry]);
      if (row === best) for (const line of lines) rows.get(row)!.add(line);
      continue;
    }
    const counts = [...rows.values()].map((others) => intersection(lines, others));
    const covered = new Set([...rows.values()].flatMap((others) => [...others]));
    if (intersection(lines, covered) <= 0.1 * lines.size) {
      rows.set(entry, new Set(lines));
      chains.set(entry, [entry]);
    } else chains.set(entry, [[...rows.keys()][counts.indexOf(Math.max(...counts))], entry]);
  }
  const bestFiles = [...files].sort((x, y) => byWorth(x.group, y.group));
  for (const chain of chains.values()) {
    const own = new Set(chain[0].group.passages.map(({ path }) => path));
    const around = bestFiles.find(({ group }) => [...own].every((path) => group.passages.some((p) => p.path === path)));
    if (own.size > 1 && around) chain.unshift(around);
  }
  for (const entry of files) chains.set(entry, [entry]);
  const inside = (chain: readonly Entry[]): Entry[] =>
    [...chains]
      .filter(([, other]) => other.length === chain.length + 1 && chain.every((it, i) => other[i] === it))
      .map(([entry]) => entry)
      .sort((x, y) => byWorth(x.group, y.group));
  const walk = (chain: readonly Entry[]): string[] =>
    inside(chain).flatMap((entry) => {
      const own = [...chain, entry];
      return [namesOf(own), ...walk(own)];
    });
  return walk([]);
}

function linesOf({ group }: Entry): Set<string> {
  const lines = new Set<string>();
  for (const { path, startLine, endLine } of group.passages) {
    for (let line = startLine; line <= endLine; line++) lines.add(`${path} ${line}`);
  }
  return lines;
}

function intersection(x: ReadonlySet<string>, y: ReadonlySet<string>): number {
  return [...x].filter((line) => y.has(line)).length;
}

function entryOf(id: string, group: Omit<Group, 'id'>): Entry {
  const it = { id, ...group };
  return { group: it, shown: it };
}

function groupOf(worth: number, passages: readonly Passage[]): Omit<Group, 'id'> {
  return {
    kind: 'code',
    type: 'exact',
    similarity: 1,
    lines: 1,
    tokens: 1,
    category: 'source',
    worth,
    passages,
    pairs: [],
  };
}

/** Returns passages that do not overlap earlier ones. */
function passagesOf(places: readonly (readonly [path: string, start: number, lines: number])[]): Passage[] {
  const passages: Passage[] = [];
  for (const [path, start, lines] of places) {
    const passage = passageOf(path, start + 1, start + lines);
    const isApart = passages.every(
      (other) => other.path !== path || other.endLine < passage.startLine || passage.endLine < other.startLine,
    );
    if (isApart) passages.push(passage);
  }
  return passages.sort((x, y) => (x.path < y.path ? -1 : x.path > y.path ? 1 : x.startLine - y.startLine));
}

function passageOf(path: string, startLine: number, endLine: number): Passage {
  return { path, startLine, startColumn: 1, endLine, endColumn: 2, tokens: 60 };
}
