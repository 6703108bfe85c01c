/** Parts of a report that are updated incrementally, compared with the same parts computed from scratch. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { reachesAllCases, scaled } from '../../../scripts/scaled.mjs';
import { insertItems, placesIn, removePlaces, replaceItems } from '../../../src/core/collections/sortedList.ts';
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import type { NamedDocument } from '../../../src/core/engine/documents/namedDocument.ts';
import { GroupNames } from '../../../src/core/engine/report/groupNames.ts';
import type { FilePair, FolderGroup, Group, Passage } from '../../../src/core/engine/report/report.ts';
import { FilePairs } from '../../../src/core/engine/rows/filePairs.ts';
import { FolderGroups } from '../../../src/core/engine/rows/folderGroups.ts';
import { FolderSizes, isIn } from '../../../src/core/engine/rows/folderSizes.ts';
import { byWorth } from '../../../src/core/engine/rows/rowOrder.ts';
import { type Entry, Rows } from '../../../src/core/engine/rows/rows.ts';
import { lastOf } from '../../../src/core/engine/steps.ts';

const folders = ['one', 'two', 'two/deep', 'three', 'three/deep'];
const paths = folders.flatMap((folder) => ['a', 'b', 'c'].map((name) => `${folder}/${name}`)).sort();
const families = [1, 2];

interface Change {
  readonly removed: readonly Entry[];
  readonly added: readonly Entry[];
  readonly filesRemoved: readonly Entry[];
  readonly filesAdded: readonly Entry[];
  /** Changed line counts by path: before and after. */
  readonly lines: ReadonlyMap<string, readonly [before: number | undefined, after: number]>;
}

interface Parts {
  readonly groups: readonly Group[];
  readonly files: readonly FilePair[];
  readonly folders: readonly FolderGroup[];
  readonly renamed: number;
}

class ReportParts {
  readonly #rows = new Rows();
  readonly #names = new GroupNames();
  readonly #sizes = new FolderSizes();
  readonly #pairs = new FilePairs((path) => this.#sizes.linesOf(path));
  readonly #folders = new FolderGroups(this.#sizes);

  change({ removed, added, filesRemoved, filesAdded, lines }: Change): void {
    this.#sizes.replace(
      Array.from(lines, ([path, [before, after]]) => ({
        before: before === undefined ? undefined : document(path, before),
        after: document(path, after),
      })),
    );
    lastOf(this.#rows.replaceSteps(removed, added));
    this.#rows.replaceFiles(filesRemoved, filesAdded);
  }

  report(): Parts {
    const rows = this.#rows.order();
    const { groups, renamed } = this.#names.update(rows);
    this.#pairs.update(rows.moved);
    this.#folders.update(rows.moved);
    const [files, folders] = [this.#pairs.list(rows, renamed), this.#folders.list(rows, renamed)];
    return { groups: groups.read(), files, folders, renamed: renamed.length };
  }
}

/** Passages, as indices of paths and shares of the lines of their files. */
const places = fc.uniqueArray(
  fc.tuple(fc.oneof(fc.nat(3), fc.nat(paths.length - 1)), fc.nat(9), fc.integer({ min: 1, max: 3 })),
  {
    minLength: 2,
    maxLength: 3,
    selector: ([place]) => place,
  },
);
const group = fc.record({ places, worth: fc.nat(9), content: fc.nat(3), family: fc.nat(9) });
const step = fc.record({
  added: fc.array(group, { maxLength: 12 }),
  addedFiles: fc.array(group, { maxLength: 1 }),
  /** Interval at which kept groups and groups of files are removed. */
  removes: fc.integer({ min: 2, max: 9 }),
  lines: fc.array(fc.tuple(fc.constantFrom(...paths), fc.integer({ min: 40, max: 400 })), { maxLength: 1 }),
  isReported: fc.boolean(),
});

/** Copies between folders: for both sides, the index of the path, and the tenth of the file where the copy begins. */
const folderCopies = [
  // Two pairs of folders.
  {
    count: 7,
    copies: [
      [0, 0, 3, 0],
      [1, 0, 4, 0],
      [6, 0, 12, 0],
      [7, 0, 13, 0],
    ],
  },
  // Three folders, and a pair of one of them and the parent of another.
  {
    count: 5,
    copies: [0, 1, 2].flatMap((file) => [
      [file, 0, 9 + file, 0],
      [3 + file, 0, 9 + file, 5],
      [file, 5, 6 + file, 0],
    ]),
  },
].map(({ count, copies }) =>
  copies.map(([x, from, y, fromInY], content) => {
    const places: [number, number, number][] = [
      [x, from, count],
      [y, fromInY, count],
    ];
    return { places, worth: 4, content, family: 9 };
  }),
);
/** Changes of groups of whole files in these folders, of a file without copies, and of one copy. */
const fileStep = fc.record({
  added: fc.array(group, { maxLength: 3 }),
  removes: fc.integer({ min: 1, max: 4 }),
  lines: fc.array(fc.tuple(fc.constantFrom('three/c', 'two/deep/c'), fc.constantFrom(10, 400, 2000)), { maxLength: 1 }),
  copy: fc.nat(9),
});

/** Returns a condition that is true for an entry unless an earlier one is equal: a report has no group twice. */
function isNewTo(present: readonly Entry[]): (entry: Entry, place: number, added: readonly Entry[]) => boolean {
  return ({ group }, place, added) =>
    [...present, ...added.slice(0, place)].every((other) => byWorth(other.group, group) !== 0);
}

suite('parts of a report', () => {
  test('equal those computed from scratch after any history', () => {
    const seen = { files: 0, folders: 0, renamed: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 10, size: 'max' }), (history) => {
        const live = new ReportParts();
        const lines = new Map(paths.map((path) => [path, 100]));
        let [entries, files]: Entry[][] = [[], []];
        live.change({ ...nothing, lines: new Map(paths.map((path) => [path, [undefined, 100]])) });
        for (const { isReported, ...changes } of history) {
          const changed = new Map(changes.lines.map(([path, now]) => [path, [lines.get(path)!, now] as const]));
          for (const [path, [, now]] of changed) lines.set(path, now);
          // All groups of a changed text are created again.
          const isOfChanged = ({ group }: Entry): boolean => group.passages.some(({ path }) => changed.has(path));
          const isRemoved = (entry: Entry, place: number): boolean =>
            place % changes.removes === 0 || isOfChanged(entry);
          const [removed, filesRemoved] = [entries, files].map((list) => list.filter(isRemoved));
          entries = entries.filter((entry) => !removed.includes(entry));
          files = files.filter((entry) => !filesRemoved.includes(entry));
          const added = changes.added.map((one) => entryOf(one, 'code', lines)).filter(isNewTo(entries));
          const filesAdded = changes.addedFiles.map((one) => entryOf(one, 'file', lines)).filter(isNewTo(files));
          entries.push(...added);
          files.push(...filesAdded);
          live.change({ removed, added, filesRemoved, filesAdded, lines: changed });
          if (!isReported) continue;
          const [found, expected] = [live.report(), fromScratch(entries, files, lines)];
          assert.deepEqual({ ...found, renamed: 0 }, expected);
          seen.files += found.files.length;
          seen.folders += found.folders.length;
          seen.renamed += found.renamed;
        }
      }),
      { numRuns: scaled(300) },
    );
    assert.ok(!reachesAllCases || Math.min(...Object.values(seen)) > 20, JSON.stringify(seen));
  });

  test('list each group of whole files in one folder group, and reuse folder groups that do not change', () => {
    const seen = { listed: 0, removed: 0, reused: 0, regrouped: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...folderCopies),
        fc.array(fileStep, { minLength: 2, maxLength: 8, size: 'max' }),
        (layout, history) => {
          const live = new ReportParts();
          const lines = new Map(paths.map((path) => [path, 100]));
          const copies = layout.map((one) => entryOf(one, 'code', lines));
          live.change({ ...nothing, added: copies, lines: new Map(paths.map((path) => [path, [undefined, 100]])) });
          const present = new Set(copies);
          let files: Entry[] = [];
          let before = live.report();
          assert.equal(before.folders.length, 2);
          for (const { added, removes, copy, ...step } of history) {
            const toggled = copies.slice(copy, copy + 1);
            const copiesRemoved = toggled.filter((one) => present.delete(one));
            const copiesAdded = toggled.filter((one) => !copiesRemoved.includes(one));
            for (const one of copiesAdded) present.add(one);
            const changed = new Map<string, readonly [number, number]>();
            for (const [path, count] of step.lines.filter(([path]) => !copies.some((one) => isInFile(one, path)))) {
              changed.set(path, [lines.get(path)!, count]);
              lines.set(path, count);
            }
            const filesRemoved = files.filter(
              (entry, place) => place % removes === 0 || [...changed.keys()].some((path) => isInFile(entry, path)),
            );
            files = files.filter((entry) => !filesRemoved.includes(entry));
            const filesAdded = added.map((one) => entryOf(one, 'file', lines)).filter(isNewTo(files));
            files.push(...filesAdded);
            live.change({ removed: copiesRemoved, added: copiesAdded, filesRemoved, filesAdded, lines: changed });
            const found = live.report();
            assert.deepEqual({ ...found, renamed: 0 }, fromScratch([...present], files, lines));
            const rows = found.folders.flatMap(({ groups }) => groups);
            assert.equal(new Set(rows).size, rows.length);
            if (found.folders.length !== before.folders.length) seen.regrouped++;
            const isListed = (entry: Entry): boolean => found.folders.some((folder) => isAcross(entry, folder.paths));
            if (files.some(isListed)) seen.listed++;
            if (filesRemoved.some(isListed)) seen.removed++;
            const areSameRows = found.renamed === 0 && isDeepStrictEqual(passagesIn(found), passagesIn(before));
            if (
              areSameRows &&
              changed.size === 0 &&
              filesAdded.length > 0 &&
              ![...filesRemoved, ...filesAdded].some(isListed)
            ) {
              assert.equal(found.folders, before.folders);
              seen.reused++;
            }
            before = found;
          }
        },
      ),
      { numRuns: scaled(400) },
    );
    assert.ok(!reachesAllCases || Math.min(...Object.values(seen)) > 20, JSON.stringify(seen));
  });

  test('list smaller folders instead of the folders around them when these get more text of their own', () => {
    const live = new ReportParts();
    const lines = new Map(paths.map((path) => [path, 100]));
    const copies = [0, 1, 2, 3, 4, 5].map((file): Entry => {
      const places: [number, number, number][] = [3, 9].map((first) => [first + file, 0, file < 3 ? 6 : 9]);
      return entryOf({ places, worth: 4, content: file, family: 9 }, 'code', lines);
    });
    live.change({
      ...nothing,
      added: copies,
      lines: new Map(Array.from(lines, ([path, n]) => [path, [undefined, n]])),
    });
    const listed = (): readonly string[][] => live.report().folders.map((folder) => [...folder.paths]);
    assert.deepEqual(listed(), [['three', 'two']]);
    live.change({ ...nothing, lines: new Map([['two/d', [undefined, 500]]]) });
    assert.deepEqual(listed(), [['three/deep', 'two/deep']]);
  });

  test('include a group that was removed and added again between two reports', () => {
    const live = new ReportParts();
    const lines = new Map(paths.map((path) => [path, 100]));
    const entry = entryOf(
      {
        places: [
          [0, 0, 5],
          [1, 0, 5],
        ],
        worth: 1,
        content: 0,
        family: 9,
      },
      'code',
      lines,
    );
    live.change({ ...nothing, added: [entry], lines: new Map(paths.map((path) => [path, [undefined, 100]])) });
    assert.deepEqual(live.report().groups, [entry.group]);
    live.change({ ...nothing, removed: [entry] });
    live.change({ ...nothing, added: [entry] });
    assert.deepEqual(live.report().groups, [entry.group]);
  });
});

suite('a sorted list', () => {
  test('contains the new items after a replacement', () => {
    const byValue = (x: number, y: number): number => x - y;
    const numbers = fc.uniqueArray(fc.nat(200), { maxLength: 120, size: 'max' });
    fc.assert(
      fc.property(numbers, numbers, (some, others) => {
        const list = [...some].sort(byValue);
        const removed = some.filter((_, i) => i % 3 === 0);
        const added = others.filter((one) => !some.includes(one));
        const left = list.filter((one) => !removed.includes(one));
        assert.deepEqual(replaceItems(list, removed, added, byValue), [...left, ...added].sort(byValue));
        const changed = [...list];
        removePlaces(changed, placesIn(list, removed, byValue));
        assert.deepEqual(changed, left);
        const sorted = [...added].sort(byValue);
        insertItems(changed, placesIn(left, sorted, byValue), sorted);
        assert.deepEqual(changed, [...left, ...added].sort(byValue));
      }),
    );
  });
});

/** Returns true if all files of a group are in the given folders, and at least two of the folders have some. */
function isAcross({ group: { passages } }: Entry, folderPaths: readonly string[]): boolean {
  const found = passages.map(({ path }) => folderPaths.find((folder) => isIn(path, folder)));
  return !found.includes(undefined) && new Set(found).size > 1;
}

function isInFile({ group: { passages } }: Entry, file: string): boolean {
  return passages.some(({ path }) => path === file);
}

function passagesIn({ groups }: Parts): Group[] {
  return groups.filter(({ kind }) => kind !== 'file');
}

const nothing: Change = { removed: [], added: [], filesRemoved: [], filesAdded: [], lines: new Map() };

function fromScratch(
  entries: readonly Entry[],
  files: readonly Entry[],
  lines: ReadonlyMap<string, number>,
): Omit<Parts, 'renamed'> & { renamed: number } {
  const [added, filesAdded] = [entries, files].map((list) =>
    list.map(({ group, family }): Entry => ({ group, shown: group, ...(family && { family }) })),
  );
  const parts = new ReportParts();
  parts.change({
    ...nothing,
    added,
    filesAdded,
    lines: new Map(Array.from(lines, ([path, count]) => [path, [undefined, count]])),
  });
  return { ...parts.report(), renamed: 0 };
}

function entryOf(
  { places, worth, content, family }: typeof group extends fc.Arbitrary<infer Value> ? Value : never,
  kind: 'code' | 'file',
  lines: ReadonlyMap<string, number>,
): Entry {
  const passages = [...places]
    .sort(([x], [y]) => x - y)
    .map(([place, start, count]): Passage => {
      const path = paths[place];
      const all = lines.get(path)!;
      const from = kind === 'file' ? 0 : Math.floor((start * all) / 10);
      const to = kind === 'file' ? all : Math.min(all, from + Math.ceil((count * all) / 10));
      return { path, startLine: from + 1, startColumn: 1, endLine: to, endColumn: 2, tokens: 60 };
    });
  const made: Group = {
    id: `${content}`,
    kind,
    type: 'exact',
    similarity: 1,
    lines: passages[0].endLine - passages[0].startLine + 1,
    tokens: 60,
    category: 'source',
    worth,
    passages,
    pairs: [],
  };
  return { group: made, shown: made, ...(families[family] && { family: families[family] }) };
}

function document(path: string, totalLines: number): NamedDocument {
  return { path, index: { totalLines } as DocumentIndex, part: 'text' };
}
