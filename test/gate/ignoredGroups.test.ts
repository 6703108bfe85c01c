/** Ignored groups with their reasons, and reports without ignored groups. */
import assert from 'node:assert/strict';
import { totalsWithout } from '../../src/core/engine/report/totalsWithout.ts';
import type { Group } from '../../src/core/engine/report/report.ts';
import { type BaselineEntry, matchBaseline } from '../../src/review/gate/baseline.ts';
import { type Contents, contentsOf } from '../../src/review/gate/contents.ts';
import { ignoredRegions } from '../../src/review/gate/ignoreComments.ts';
import { ignoredGroups, passagesAside } from '../../src/review/gate/ignoredGroups.ts';
import { withoutIgnored } from '../../src/review/gate/withoutIgnored.ts';
import { type Documents, findingsOf } from '../engine/corpusOf.ts';
import { drawing, parsing, parsingRenamed } from '../passages.ts';

const two = { 'a.ts': `let a;\n${parsing}`, 'b.ts': `let b;\n\n${parsing}` };
const three = { ...two, 'c.ts': `let c;\n\n\n${parsing}` };

/** Checks why each group is ignored. Groups are named by their files. */
function check(
  files: Documents,
  { own, project }: { readonly own?: readonly BaselineEntry[]; readonly project?: readonly BaselineEntry[] },
  expected: Readonly<Record<string, 'comment' | 'baseline' | 'own' | 'nothing'>>,
): void {
  const { groups } = findingsOf(files);
  const ignored = ignoredGroups(groups, {
    regionsOf: (path) => ignoredRegions(files[path]),
    baseline: matchBaseline(groups, project ?? []),
    own: matchBaseline(groups, own ?? []),
  });
  const found = groups.map((group) => [namesOf(group), ignored.get(group)?.by ?? 'nothing'] as const);
  assert.deepEqual(Object.fromEntries(found), expected);
}

function namesOf({ kind, passages }: Group): string {
  return `${kind}: ${passages.map(({ path }) => path).join(' ')}`;
}

/** Creates entries for all groups of the given files. */
function entriesOf(files: Documents, reason: string | undefined): BaselineEntry[] {
  return findingsOf(files).groups.map((group) => ({ contents: contentsOf(group), reason }));
}

/** Returns text that no other file contains. */
const own = (seed: string): string =>
  Array.from({ length: 40 }, (_, at) => `export const ${seed}${at} = ${seed}_${at * 7}(${at}, '${seed}${at}');\n`).join(
    '',
  );

suite('ignored groups', () => {
  test('match a project entry with a reason, or any entry of the user', () => {
    const all = { 'code: a.ts b.ts': 'nothing', 'file: a.ts b.ts': 'nothing' } as const;
    check(two, { project: entriesOf(two, undefined) }, all);
    check(two, { project: entriesOf(two, 'why') }, { 'code: a.ts b.ts': 'baseline', 'file: a.ts b.ts': 'baseline' });
    check(two, { own: entriesOf(two, undefined) }, { 'code: a.ts b.ts': 'own', 'file: a.ts b.ts': 'own' });
  });

  test('return if a copy is added, removed, or edited', () => {
    const project = entriesOf(three, 'why');
    const expectedReasons = { 'code: a.ts b.ts': 'nothing', 'file: a.ts b.ts': 'nothing' } as const;
    check(two, { project }, expectedReasons);
    const edited = { ...two, 'b.ts': `let b;\n\n${parsingRenamed}` };
    const { groups } = findingsOf(edited);
    const match = matchBaseline(groups, entriesOf(two, 'why'));
    assert.equal(ignoredGroups(groups, { regionsOf: () => [], baseline: match }).size, 0);
    assert.ok(groups.length > 0);
  });

  test('include only groups whose copies are all inside an ignored group', () => {
    const text = (seed: string): string => own(seed);
    const shared = parsing + text('shared') + drawing;
    const files = { 'a.ts': text('x') + shared, 'b.ts': text('y') + shared, 'c.ts': text('z') + drawing };
    const { groups } = findingsOf(files);
    const row = groups.find(({ passages, parent }) => passages.length === 2 && parent === undefined)!;
    const inner = groups.find(({ passages }) => passages.length === 3)!;
    assert.ok(row.passages[0].endLine - row.passages[0].startLine > 60);
    const entries = [{ contents: contentsOf(row), reason: 'why' }];
    const ignored = ignoredGroups(groups, { regionsOf: () => [], baseline: matchBaseline(groups, entries) });
    assert.ok(ignored.has(row));
    assert.ok(!ignored.has(inner), 'it has a copy elsewhere');
    const left = withoutIgnored(
      { groups, files: [], folders: [] },
      { groups: new Set(Array.from(ignored.keys(), ({ id }) => id)), passages: new Map() },
    );
    const shown = left.groups.find(({ id }) => id === inner.id)!;
    assert.equal(shown.parent, undefined);
  });

  suite('a pair', () => {
    const pairOf = (contents: Contents): BaselineEntry => ({ contents, reason: 'why', isPair: true });

    test('ignores a group of its two copies, but no larger group', () => {
      const project = [pairOf(contentsOf(findingsOf(two).groups.find(({ kind }) => kind === 'code')!))];
      check(two, { project }, { 'code: a.ts b.ts': 'baseline', 'file: a.ts b.ts': 'baseline' });
      const { groups } = findingsOf(three);
      const match = matchBaseline(groups, project);
      assert.deepEqual(match.stale, []);
      assert.equal(match.entryOf.size, 0);
    });

    test('is stale if one copy is removed', () => {
      const contents = new Map([
        ['0123456789abcdef', 1],
        ['fedcba9876543210', 1],
      ]);
      assert.equal(matchBaseline(findingsOf(two).groups, [pairOf(contents)]).stale.length, 1);
    });
  });

  suite('by comments', () => {
    test('include a group with fewer than two remaining copies', () => {
      const text = `// kindred-ignore-next\n${parsing}`;
      check({ ...two, 'b.ts': text + own('b') }, {}, { 'code: a.ts b.ts': 'comment', 'file: a.ts b.ts': 'comment' });
      check(
        { ...three, 'b.ts': text + own('b') },
        {},
        { 'code: a.ts b.ts c.ts': 'nothing', 'file: a.ts b.ts': 'nothing', 'file: a.ts c.ts': 'nothing' },
      );
    });

    test('remove a copy from its group, and keep the other copies with their pairs', () => {
      const files: Documents = { ...three, 'b.ts': `// kindred-ignore-next\n${parsing}${own('b')}` };
      const { groups, files: pairs, folders, totals } = findingsOf(files);
      const regionsOf = (path: string) => ignoredRegions(files[path]);
      const aside = passagesAside(groups, new Map(), regionsOf);
      assert.deepEqual([...aside.values()], [[1]]);
      const passages = new Map(Array.from(aside, ([{ id }, places]) => [id, places]));
      const left = withoutIgnored({ groups, files: pairs, folders }, { groups: new Set(), passages });
      const group = left.groups.find(({ kind }) => kind === 'code')!;
      assert.deepEqual(
        group.passages.map(({ path }) => path),
        ['a.ts', 'c.ts'],
      );
      assert.ok(group.pairs.every(({ a, b }) => a === 0 && b === 1));
      const now = totalsWithout({ totals, groups }, left.groups, () => undefined);
      assert.equal(totals.duplicatedLines - now.duplicatedLines, 15);
      assert.equal(now.passages, totals.passages - 1);
    });
  });
});
