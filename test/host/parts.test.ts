/** Parts of the host on findings made by hand: paths and URIs, news, siblings, pages of the tree, words, text of files. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import type {
  CategoryTotals,
  FilePair,
  Findings,
  FolderGroup,
  Group,
  Passage,
  Skipped,
  Totals,
} from '../../src/engine/report/report.ts';
import { Canonicals } from '../../src/host/findings/canonicals.ts';
import { FindingsModel } from '../../src/host/findings/findings.ts';
import { siblingsOf } from '../../src/client/siblings.ts';
import { headlineOf } from '../../src/host/findings/headline.ts';
import { configurationNames, isConfiguration } from '../../src/host/workspace/configurationFiles.ts';
import { GitChanges } from '../../src/host/workspace/gitChanges.ts';
import { Folders, LooseDocuments, readFolders } from '../../src/host/workspace/folders.ts';
import { type Filter, isFilter, TreeFilter } from '../../src/host/tree/filter.ts';
import { GroupTree } from '../../src/host/tree/groupTree.ts';
import { NewSince } from '../../src/host/tree/newSince.ts';
import { PassageNames } from '../../src/host/tree/passageNames.ts';
import { idOf, type Row } from '../../src/host/tree/rows.ts';
import { worthOfGroup } from '../../src/host/tree/rowTooltips.ts';
import type { Grouping } from '../../src/host/tree/shownRows.ts';
import type { SectionName } from '../../src/wording/outline.ts';
import { SavedText } from '../../src/host/findings/savedText.ts';
import { changedSettings, readSettings, type Settings } from '../../src/host/settings.ts';
import type { Copy } from '../../src/client/report.ts';
import { makeSnapshot, type Snapshot } from '../../src/host/findings/snapshot.ts';
import { tellingLine } from '../../src/wording/tellingLine.ts';
import {
  groupTitle,
  headlineText,
  lineRange,
  nameBeside,
  namesAmong,
  pairOfPlaces,
  percent,
  percentage,
  place,
} from '../../src/host/wording.ts';
import { defaultSourceOptions } from '../../src/io/sources.ts';
import type { Judgement } from '../../src/protocol/judgement.ts';
import { FindingsPacker, packFindings } from '../../src/protocol/packedFindings.ts';
import { folder, remove, uriOf, write } from './window.ts';

suite('folders', () => {
  test('have relative paths if there is only one', () => {
    const folders = readFolders(() => defaultSourceOptions);
    assert.equal(folders.pathOf(uriOf('src/ä b.ts')), 'src/ä b.ts');
    assert.equal(folders.uriOf('src/ä b.ts').toString(), uriOf('src/ä b.ts').toString());
    assert.equal(folders.pathOf(vscode.Uri.file('/elsewhere/a.ts')), undefined);
    assert.equal(folders.pathOf(vscode.Uri.file(`${folder()}2/a.ts`)), undefined);
    assert.equal(folders.pathOf(uriOf('a.ts').with({ scheme: 'git' })), undefined);
  });

  test('several folders: paths begin with the name of theirs, and the inner folder owns its files', () => {
    const folders = foldersOf(['/w/app', 'app/'], ['/w/app/lib', 'lib/'], ['/x', 'app (2)/']);
    for (const [file, path] of [
      ['/w/app/a.ts', 'app/a.ts'],
      ['/w/app/lib/a.ts', 'lib/a.ts'],
      ['/x/a.ts', 'app (2)/a.ts'],
    ]) {
      assert.equal(folders.pathOf(vscode.Uri.file(file)), path);
      assert.equal(folders.uriOf(path).path, file);
    }
    assert.throws(() => folders.uriOf('other/a.ts'), RangeError);
  });
});

suite('folders of other file systems', () => {
  const folders = new Folders(
    [
      ['memory://one/w', 'w/'],
      ['memory://one/w/a%20b', 'inner/'],
      ['memory://two/w', 'w (2)/'],
      ['file:///w', 'w (3)/'],
    ].map(([uri, prefix]) => ({ uri: vscode.Uri.parse(uri), prefix, sources: defaultSourceOptions })),
    new LooseDocuments(),
  );

  test('they are roots by their URI, and know which others own files in them', () => {
    const roots = folders.roots.map((root) => ('uri' in root ? [root.uri, root.inner] : root.folder));
    assert.deepEqual(roots, [
      ['memory://one/w', ['a b/']],
      ['memory://one/w/a%20b', []],
      ['memory://two/w', []],
      vscode.Uri.file('/w').fsPath,
    ]);
  });

  test('their files are told apart by scheme and host', () => {
    for (const [uri, path] of [
      ['memory://one/w/x.ts', 'w/x.ts'],
      ['memory://one/w/a%20b/%C3%A4.ts', 'inner/ä.ts'],
      ['memory://two/w/x.ts', 'w (2)/x.ts'],
      ['file:///w/x.ts', 'w (3)/x.ts'],
    ]) {
      assert.equal(folders.pathOf(vscode.Uri.parse(uri)), path);
      assert.equal(folders.uriOf(path).toString(), uri);
    }
    assert.equal(folders.pathOf(vscode.Uri.parse('memory://three/w/x.ts')), undefined);
  });
});

suite('the model', () => {
  test('treats additions of a later report as news until they are forgotten', async () => {
    const model = new FindingsModel();
    for (const [generation, ids, news] of [
      [1, ['a', 'b'], 0],
      [2, ['a', 'b', 'c'], 1],
      [3, ['b'], 0],
      [4, ['b', 'd', 'e'], 2],
    ] as const) {
      model.replace(
        await snapshotOf(
          ids.map((id) => groupOf(id)),
          generation,
        ),
      );
      assert.equal(model.newRows, news, `after report ${generation}`);
    }
    model.forgetNews();
    model.replace(
      await snapshotOf(
        ['x', 'y'].map((id) => groupOf(id)),
        5,
      ),
    );
    assert.equal(model.newRows, 0);
  });

  test('treats additions after a scan without changes as news', async () => {
    const model = new FindingsModel();
    const groupsOf = (ids: readonly string[]) => ids.map((id) => groupOf(id));
    model.replace(await snapshotOf(groupsOf(['a']), 1));
    // As for a report of the last session, and for settings that change nothing.
    model.forgetNews();
    model.stay();
    model.replace(await snapshotOf(groupsOf(['a', 'b']), 2));
    assert.equal(model.newRows, 1);
    model.forgetNews();
    assert.equal(model.newRows, 1);
    model.stay();
    assert.equal(model.newRows, 0);
  });

  test('treats an additional copy of the same text as news, and a removed one not', async () => {
    const model = new FindingsModel();
    const places = ['a.ts', 'b.ts', 'c.ts'].map((path) => passageOf(path, 1, 9));
    for (const [generation, copies, news] of [
      [1, 2, 0],
      [2, 3, 1],
      [3, 2, 0],
    ] as const) {
      model.replace(await snapshotOf([groupOf('same', places.slice(0, copies))], generation));
      assert.equal(model.newRows, news, `${copies} copies`);
      assert.equal(model.isNew(model.groups[0]), news > 0);
    }
  });

  test('copies that went are no news, and copies that came are', async () => {
    const model = new FindingsModel();
    const copies = (id: string, ...contents: readonly string[]): Group =>
      groupOf(
        id,
        contents.map((content, at) => ({ ...passageOf(`${at}.ts`, 1, 9), content })),
      );
    for (const [generation, group, news] of [
      [1, copies('one', 'a', 'b', 'b'), 0],
      // The longest copy, of which the id is made, went.
      [2, copies('two', 'b', 'b'), 0],
      [3, copies('two', 'b', 'b', 'b'), 1],
      [4, copies('three', 'b', 'c'), 1],
    ] as const) {
      model.replace(await snapshotOf([group], generation));
      assert.equal(model.newRows, news, `after report ${generation}`);
    }
  });

  test('news inside a row is news of that row, once', async () => {
    const model = new FindingsModel();
    const inside = (id: string, parent: string): Group => ({ ...groupOf(id), parent });
    for (const [generation, groups, news] of [
      [1, [groupOf('row'), inside('part', 'row')], 0],
      [2, [groupOf('row'), inside('part', 'row'), inside('third', 'row'), inside('fourth', 'row')], 1],
      [3, [groupOf('row'), groupOf('other'), inside('its', 'other')], 1],
      [4, [groupOf('row'), inside('third', 'row'), groupOf('other'), inside('its', 'other')], 2],
    ] as const) {
      model.replace(await snapshotOf(groups, generation));
      assert.equal(model.newRows, news, `after report ${generation}`);
    }
  });

  test('copies of a file come in the order of its lines, those at a line the shortest first', async () => {
    const model = new FindingsModel();
    const groups = [
      groupOf('late', [passageOf('a.ts', 50, 60), passageOf('b.ts', 1, 11)]),
      groupOf('long', [passageOf('a.ts', 1, 40), passageOf('c.ts', 1, 40)]),
      groupOf('short', [passageOf('a.ts', 10, 20), passageOf('d.ts', 1, 11)]),
    ];
    model.replace(await snapshotOf(groups, 1));
    const uri = vscode.Uri.file('/w/a.ts');
    assert.deepEqual(
      model.copiesIn(uri).map(({ group }) => group.id),
      ['long', 'short', 'late'],
    );
    const idsAt = (line: number) => model.copiesAt(uri, line).map(({ group }) => group.id);
    assert.deepEqual([idsAt(9), idsAt(19), idsAt(20), idsAt(44)], [['short', 'long'], ['short', 'long'], ['long'], []]);
  });

  test('siblings come with the similarity of their own match, the closest first', () => {
    const group: Group = {
      ...groupOf(
        'g',
        ['a', 'b', 'c', 'd'].map((name) => passageOf(name, 1, 9)),
      ),
      similarity: 0.7,
      pairs: [
        { a: 0, b: 1, similarity: 0.8, distance: 2 },
        { a: 1, b: 2, similarity: 0.7, distance: 3 },
        { a: 1, b: 3, similarity: 0.9, distance: 1 },
      ],
    };
    const siblings = (place: number) => siblingsOf({ group, place }).map((it) => [it.passage.path, it.similarity]);
    assert.deepEqual(siblings(1), [
      ['d', 0.9],
      ['a', 0.8],
      ['c', 0.7],
    ]);
    // It matches no other than b: the least of the group is said of the rest.
    assert.deepEqual(siblings(3), [
      ['b', 0.9],
      ['a', 0.7],
      ['c', 0.7],
    ]);
  });
});

suite('the tree', () => {
  test('has a section for each category that has rows, and one for folders', async () => {
    const { tree, rows, show } = await treeWith({
      groups: [
        groupOf('code'),
        { ...groupOf('prose'), category: 'text' },
        { ...groupOf('case'), category: 'tests' },
        { ...groupOf('table'), category: 'data' },
        { ...groupOf('header'), category: 'boilerplate' },
        groupOf('version', [passageOf('v1/a.ts', 1, 9), passageOf('v2/a.ts', 1, 9)]),
      ],
      folders: [foldersOfRows(['v1', 'v2'], ['version'])],
      categories: { tests: totalsOf(41, 100, 1), source: totalsOf(12, 200, 2) },
    });
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const items = await Promise.all(rows().map((row) => tree.getTreeItem(row)));
    assert.deepEqual(
      items.map(({ label, description, collapsibleState }) => [label, description, collapsibleState]),
      [
        ['Folders', '1', Expanded],
        ['Source', '2 · 6 % of source', Expanded],
        ['Text', '1', Expanded],
        ['Tests', '1 · 41 % of tests', Collapsed],
        ['Data', '1', Collapsed],
        ['Boilerplate', '1', Collapsed],
      ],
    );
    await show({});
    assert.deepEqual(rows(), []);
    tree.dispose();
  });

  test('has a hundred rows of a section at a time, and one that is hidden is brought up to be revealed', async () => {
    const groups = Array.from({ length: 250 }, (_, number) => groupOf(`g${number}`));
    const { tree, rows } = await treeWith({ groups });
    const shape = () => {
      const inSection = rows('source');
      const last = inSection.at(-1)!;
      return [inSection.length, last.type === 'more' ? last.hidden : 0];
    };
    assert.deepEqual(shape(), [101, 150]);
    const more = await tree.getTreeItem(rows('source').at(-1)!);
    assert.deepEqual([more.label, more.id], ['Show 100 more…', 'more/section/source']);
    tree.showMore('section/source');
    assert.deepEqual(shape(), [201, 50]);
    tree.ensureShown({ type: 'group', group: groups[199] });
    assert.deepEqual(shape(), [201, 50]);
    tree.ensureShown({ type: 'copy', group: groups[200], place: 1, passage: groups[200].passages[1] });
    assert.deepEqual(shape(), [250, 0]);
    tree.dispose();
  });

  test('has groups of whole files among the rows of their section, called by their files', async () => {
    const fileGroup = (id: string, containment: [number, number], changes: Partial<Group> = {}): Group => ({
      ...groupOf(id, [passageOf(`docs/${id}.md`, 1, 9), passageOf('docs/b.md', 1, 90)]),
      ...{ kind: 'file', type: 'near', similarity: 0.6, category: 'text' },
      pairs: [{ a: 0, b: 1, similarity: 0.6, distance: 9, containment }],
      ...changes,
    });
    const paths = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}/page.md`);
    const many = fileGroup('m', [1, 1], { passages: paths.map((path) => passageOf(path, 1, 9)) });
    const groups = [fileGroup('a', [0.967, 0.12], { inside: 0 }), fileGroup('c', [0.95, 0.6]), many, groupOf('g')];
    const { tree, rows, model, labels } = await treeWith({ groups });
    assert.deepEqual(await labels(rows('text')), [
      'a.md in b.md · 9 lines · 96 %  docs',
      'c.md ↔ b.md · 9 lines · 60 %  docs',
      'page.md: a, b, c, d, … · 5 copies · 9 lines · 60 %',
    ]);
    assert.deepEqual([model.groups.length, model.fileGroups.length], [1, 3]);
    assert.deepEqual(model.copiesIn(vscode.Uri.file('/w/docs/a.md')), []);
    tree.dispose();
  });

  test('has below a group its copies, and in a row of their own the groups that stand in its text', async () => {
    const groups: Group[] = [
      groupOf('outer', [passageOf('a.ts', 1, 90), passageOf('b.ts', 1, 90)]),
      { ...groupOf('one', [passageOf('a.ts', 5, 20), passageOf('b.ts', 5, 20)]), parent: 'outer' },
      { ...groupOf('deep', [passageOf('a.ts', 6, 9), passageOf('b.ts', 6, 9)]), parent: 'one' },
      { ...groupOf('two', [passageOf('a.ts', 30, 50), passageOf('b.ts', 30, 50)]), parent: 'outer' },
    ];
    const { tree, rows, labels } = await treeWith({ groups });
    const [outer] = rows('source');
    assert.deepEqual(await labels(tree.getChildren(outer)), ['a.ts:1-90', 'b.ts:1-90', '2 more in the same text']);
    const inner = tree.getChildren(outer).at(-1)!;
    assert.deepEqual(
      tree.getChildren(inner).map((row) => row.type === 'group' && row.group.id),
      ['one', 'two'],
    );
    const [one] = tree.getChildren(inner);
    const last = tree.getChildren(tree.getChildren(one).at(-1))[0];
    assert.deepEqual(chainOf(tree, tree.getChildren(last)[1]), [
      ...['deep/b.ts', 'deep', 'inner/one', 'one', 'inner/outer', 'outer', 'section/source'],
    ]);
    // They are commanded as any others.
    const items = await Promise.all([last, ...tree.getChildren(last)].map((row) => tree.getTreeItem(row)));
    assert.deepEqual(
      items.map(({ contextValue }) => contextValue),
      ['group', 'copy.base', 'copy'],
    );
    tree.dispose();
  });

  test('has pairs of files that share several groups, and these below', async () => {
    const passages = (line: number) => [passageOf('x/a.go', line, line + 9), passageOf('x/b.go', line, line + 9)];
    const pair: FilePair = {
      ...{ paths: ['x/a.go', 'x/b.go'], groups: ['first', 'second'], lines: [20, 20], shares: [0.5, 0.8] },
      ...{ category: 'source', worth: 120 },
    };
    const groups = [groupOf('first', passages(1)), groupOf('second', passages(20))];
    const { tree, rows, labels } = await treeWith({ groups, files: [pair] });
    const [row] = rows('source');
    assert.deepEqual(await labels([...rows(), row]), ['Source  2', 'a.go ↔ b.go · 61 % · 2 passages  x']);
    // Their places are in the parent row.
    assert.deepEqual(await labels(tree.getChildren(row)), ['Line 1 · 9 lines · 90 %', 'Line 20 · 9 lines · 90 %']);
    assert.deepEqual(chainOf(tree, tree.getChildren(row)[1]), ['second', 'files/x/a.go|x/b.go', 'section/source']);
    const { tooltip } = await tree.resolveTreeItem(await tree.getTreeItem(row), row);
    assert.match(
      (tooltip as vscode.MarkdownString).value,
      /20 lines \\\(80 \\%\\\)\n\nWorth 120\\: the sum of 2 groups/,
    );
    tree.dispose();
  });

  test('has folders that repeat each other with files by their paths in them, the one that fell behind first', async () => {
    const versions = ['docs/7.4', 'docs/7.5'];
    const page = (name: string, similarity: number): Group => ({
      ...groupOf(
        name,
        versions.map((folder) => passageOf(`${folder}/core/${name}.md`, 1, 90)),
      ),
      ...{ kind: 'file', similarity, category: 'text' },
    });
    const groups = [
      page('kept', 0.99),
      page('late', 0.61),
      groupOf('passage', [passageOf('docs/7.4/core/a.md', 1, 9), passageOf('docs/7.5/core/b.md', 1, 9)]),
    ];
    const { tree, rows, labels } = await treeWith({
      groups,
      folders: [
        foldersOfRows(
          versions,
          groups.map(({ id }) => id),
        ),
      ],
    });
    const [row] = rows('folders');
    assert.deepEqual(await labels([row]), ['7.4 ↔ 7.5 · 55 % · 6 files  docs']);
    assert.ok(row?.type === 'folders');
    const shared = { ...row, folders: { ...row.folders, alike: [0, 0] } };
    assert.deepEqual(await labels([shared]), ['7.4 ↔ 7.5 · 45 lines · 6 files  docs']);
    assert.deepEqual(await labels(tree.getChildren(row)), [
      ...['core/late.md · 9 lines · 61 %', 'core/kept.md · 9 lines · 99 %', 'a.md ↔ b.md · 2 copies · 9 lines · 90 %'],
    ]);
    tree.arrange({ order: 'path' });
    assert.deepEqual(
      tree.getChildren(row).map((child) => child.type === 'group' && child.group.id),
      ['passage', 'kept', 'late'],
    );
    tree.dispose();
  });

  test('is grouped by file, folder and language, where each row has a parent and an id of its own', async () => {
    const groups = [
      groupOf('near', [passageOf('src/a/one.ts', 1, 9), passageOf('src/a/two.ts', 1, 9)]),
      { ...groupOf('far', [passageOf('src/a/one.ts', 20, 29), passageOf('tools/x.py', 1, 9)]), worth: 90 },
      { ...groupOf('inside', [passageOf('src/a/one.ts', 22, 25), passageOf('docs/a.md', 1, 4)]), parent: 'far' },
    ];
    const { tree, labels } = await treeWith({ groups });
    const check = async (grouping: Grouping, expected: readonly string[]): Promise<void> => {
      tree.arrange({ grouping });
      const all: string[] = [];
      const ids = new Set<string>();
      const visit = async (rows: readonly Row[], depth: number): Promise<void> => {
        for (const row of rows) {
          all.push('  '.repeat(depth) + (await labels([row])).join());
          assert.ok(!ids.has(idOf(row)), idOf(row));
          ids.add(idOf(row));
          const children = tree.getChildren(row);
          for (const child of children) assert.equal(idOf(tree.getParent(child)!), idOf(row));
          // Copies of a group are tested elsewhere.
          if (row.type !== 'group') await visit(children, depth + 1);
        }
      };
      await visit(tree.getChildren(), 0);
      assert.deepEqual(all, expected);
    };
    await check('file', [
      ...['one.ts · src/a  2', '  x.py  20-29 · 90 %', '    x.py:1-9 · tools'],
      ...['  two.ts  1-9 · 90 %', '    two.ts:1-9 · src/a'],
      ...['x.py · tools  1', '  one.ts  1-9 · 90 %', '    one.ts:20-29 · src/a'],
      // A nested group has a row where its parent has none.
      ...['a.md · docs  1', '  one.ts  1-4 · 90 %', '    one.ts:22-25 · src/a'],
      ...['two.ts · src/a  1', '  one.ts  1-9 · 90 %', '    one.ts:1-9 · src/a'],
    ]);
    tree.arrange({ grouping: 'folder', order: 'path' });
    const top = tree.getChildren();
    assert.deepEqual(await labels(top), ['docs  1', 'src/a  2', 'tools  1']);
    assert.deepEqual(await labels(tree.getChildren(top[1])), ['one.ts  2', 'two.ts  1']);
    tree.arrange({ order: 'worth' });
    await check('language', [
      ...[
        'TypeScript  2',
        '  one.ts ↔ x.py · 2 copies · 9 lines · 90 %',
        '  one.ts ↔ two.ts · 2 copies · 9 lines · 90 %  src/a',
      ],
    ]);
    tree.dispose();
  });

  test('remembers what is checked by its content, and forgets what is gone', async () => {
    const { tree, show } = await treeWith({ groups: [groupOf('kept'), groupOf('gone')] });
    const { Checked } = vscode.TreeItemCheckboxState;
    const row = (id: string): Row => ({ type: 'group', group: groupOf(id) });
    assert.equal((await tree.getTreeItem(row('kept'))).checkboxState, undefined);
    tree.useCheckboxes(true);
    tree.check([
      [row('kept'), Checked],
      [row('gone'), Checked],
    ]);
    assert.equal((await tree.getTreeItem(row('kept'))).checkboxState, Checked);
    await show({ groups: [{ ...groupOf('kept'), worth: 7 }] });
    const checked = tree.checked()!.map((it) => it.type === 'group' && [it.group.id, it.group.worth]);
    assert.deepEqual(checked, [['kept', 7]]);
    tree.useCheckboxes(false);
    assert.equal(tree.checked(), undefined);
    tree.dispose();
  });

  test('tells of each of several copies how alike it is to the closest', async () => {
    const group: Group = {
      ...groupOf(
        'g',
        ['a.ts', 'b.ts', 'c.ts'].map((path) => passageOf(path, 1, 9)),
      ),
      similarity: 0.7,
      pairs: [
        { a: 0, b: 1, similarity: 0.95, distance: 2 },
        { a: 1, b: 2, similarity: 0.7, distance: 3 },
      ],
    };
    const { tree, rows, labels } = await treeWith({ groups: [group] });
    assert.deepEqual(await labels(tree.getChildren(rows('source')[0])), [
      ...['a.ts:1-9 · 95 %', 'b.ts:1-9 · 95 %', 'c.ts:1-9 · 70 %'],
    ]);
    tree.dispose();
  });

  test('tells why a row is as high as it is', () => {
    const check = (changes: Partial<Group>, text: string): void =>
      assert.equal(worthOfGroup({ ...groupOf('g'), similarity: 1, ...changes }), text);
    const three = ['a.ts', 'b.ts', 'c.ts'].map((path) => passageOf(path, 1, 9));
    const oneFile = [passageOf('a.ts', 1, 9), passageOf('a.ts', 20, 29)];
    check({}, 'Worth 60: 60 tokens');
    check({ passages: three, worth: 120 }, 'Worth 120: 60 tokens, × 2 for 3 copies');
    check({ similarity: 0.9, worth: 49 }, 'Worth 49: 60 tokens, × 0.81 for 90 % similarity');
    check(
      { worth: 30, category: 'tests' },
      'Worth 30: 60 tokens, × 0.5 because it is in tests, it may be a convention',
    );
    check(
      { worth: 11, category: 'data', passages: oneFile },
      'Worth 11: 60 tokens, × 0.18 because it is data, all is in one file, it may be a convention',
    );
    check({ worth: 40 }, 'Worth 40: 60 tokens, × 0.67 because it may be a convention');
    check({ kind: 'prose', worth: 15 }, 'Worth 15: 60 tokens, × 0.25 because it is text');
    const pairs = [{ a: 0, b: 1, similarity: 0.2, distance: 9, containment: [0.9, 0.1] as const }];
    check(
      { kind: 'file', similarity: 0.2, inside: 0, pairs, tokens: 900, worth: 49 },
      'Worth 49: 60 tokens, × 0.81 for 90 % similarity',
    );
  });

  test('copies in one file have ids of their own, which do not depend on lines', async () => {
    const idsAt = async (line: number): Promise<(string | undefined)[]> => {
      const model = new FindingsModel();
      const tree = treeOf(model);
      const passages = [
        passageOf('a.ts', line, line + 9),
        passageOf('a.ts', line + 50, line + 59),
        passageOf('b.ts', 1, 9),
      ];
      model.replace(await snapshotOf([groupOf('g', passages)], 1));
      const [section] = tree.getChildren();
      const rows = tree.getChildren(tree.getChildren(section)[0]);
      return (await Promise.all(rows.map((row) => tree.getTreeItem(row)))).map(({ id }) => id);
    };
    assert.deepEqual(await idsAt(1), ['g/a.ts', 'g/a.ts#2', 'g/b.ts']);
    assert.deepEqual(await idsAt(33), await idsAt(1));
  });
});

suite('the filter', () => {
  test('lets through what meets all of its conditions', async () => {
    const model = new FindingsModel();
    const filter = filterOf(model, () => vscode.Uri.file('/w/src/a.ts'));
    const old = [
      { ...groupOf('source', [passageOf('src/a.ts', 1, 9), passageOf('src/b.ts', 1, 9)]), type: 'exact' as const },
      {
        ...groupOf('tests', [passageOf('src/a.ts', 20, 29), passageOf('srcs/c.ts', 1, 9)]),
        category: 'tests' as const,
      },
      { ...groupOf('data', [passageOf('x/d.ts', 1, 9), passageOf('x/e.ts', 1, 9)]), category: 'data' as const },
      { ...groupOf('whole', [passageOf('y/f.ts', 1, 9), passageOf('y/g.ts', 1, 9)]), kind: 'file' as const },
    ];
    model.replace(await snapshotOf(old, 1));
    model.replace(await snapshotOf([...old, groupOf('new')], 2));
    const check = async (filters: readonly Filter[], ids: readonly string[]): Promise<void> => {
      assert.ok(filters.every(isFilter));
      assert.equal(await filter.use(filters), undefined);
      assert.deepEqual(
        model.groups.filter((group) => filter.lets(group)).map(({ id }) => id),
        ids,
        JSON.stringify(filters),
      );
    };
    await check([], ['source', 'tests', 'data', 'new']);
    await check([{ type: 'new' }], ['new']);
    assert.deepEqual(
      model.fileGroups.map((group) => [group.id, filter.lets(group)]),
      [['whole', false]],
    );
    await check([{ type: 'active' }], ['source', 'tests']);
    await check([{ type: 'folder', path: 'src' }], ['source', 'tests']);
    await check([{ type: 'folder', path: 'src/b.ts' }], ['source']);
    await check([{ type: 'folder', path: 'srcs' }], ['tests']);
    await check([{ type: 'likeness', of: ['exact'] }], ['source']);
    await check([{ type: 'category', of: ['tests', 'data'] }], ['tests', 'data']);
    await check([{ type: 'active' }, { type: 'category', of: ['tests', 'data'] }], ['tests']);
    for (const wrong of [{ type: 'category', of: [] }, { type: 'likeness', of: ['same'] }, { type: 'folder' }, 'new']) {
      assert.equal(isFilter(wrong), false);
    }
    filter.dispose();
  });
});

suite('files changed in Git', () => {
  test('are files of all repositories, staged or not, and it is told when that changes', () => {
    const repository = (changes: Readonly<Record<string, readonly string[]>>) => {
      const changed = new vscode.EventEmitter<void>();
      const changesOf = (name: string) => (changes[name] ?? []).map((path) => ({ uri: vscode.Uri.file(path) }));
      const state = {
        indexChanges: changesOf('index'),
        workingTreeChanges: changesOf('workingTree'),
        mergeChanges: changesOf('merge'),
        untrackedChanges: changesOf('untracked'),
        onDidChange: changed.event,
      };
      return { state, changed };
    };
    const [first, second] = [
      repository({ index: ['/w/a.ts'], workingTree: ['/w/a.ts', '/w/b.ts'], untracked: ['/w/c.ts'] }),
      repository({ merge: ['/x/d.ts'] }),
    ];
    const opened = new vscode.EventEmitter<typeof first>();
    const repositories = [first];
    const changes = new GitChanges({
      ...{ repositories, onDidOpenRepository: opened.event },
      onDidCloseRepository: new vscode.EventEmitter<typeof first>().event,
    });
    let told = 0;
    changes.onDidChange(() => told++);
    const paths = () => changes.files().map(({ path }) => path);
    assert.deepEqual(paths(), ['/w/a.ts', '/w/a.ts', '/w/b.ts', '/w/c.ts']);
    second.changed.fire();
    assert.equal(told, 0);
    repositories.push(second);
    opened.fire(second);
    assert.deepEqual(paths().at(-1), '/x/d.ts');
    first.changed.fire();
    second.changed.fire();
    assert.equal(told, 3);
    changes.dispose();
    first.changed.fire();
    assert.equal(told, 3);
  });
});

suite('text of files', () => {
  const name = 'text.txt';
  const uri = () => uriOf(name);
  const text = new SavedText(new FindingsModel());

  teardown(() => remove(name));

  test('lines are those that were asked for, whatever ends them', async () => {
    await write(name, 'one\r\ntwo\nthrée\r\n\nfive');
    assert.deepEqual(await text.linesOf(uri(), 2, 3), ['two', 'thrée']);
    assert.deepEqual(await text.linesOf(uri(), 1, 1), ['one']);
    assert.deepEqual(await text.linesOf(uri(), 4, 9), ['', 'five']);
    assert.deepEqual(await text.linesOf(uri(), 5, 5), ['five']);
    await write(name, 'one\rtwo\r\r\nfour\r');
    assert.deepEqual(await text.linesOf(uri(), 2, 2), ['two']);
    assert.deepEqual(await text.linesOf(uri(), 1, 9), ['one', 'two', '', 'four', '']);
    await writeFile(uri().fsPath, Buffer.from('\ufeffone\rtwö', 'utf16le'));
    assert.deepEqual(await text.linesOf(uri(), 2, 2), ['twö']);
  });

  test('there are none past the end, nor in a file that is gone', async () => {
    await write(name, 'one\n');
    assert.deepEqual(await text.linesOf(uri(), 7, 9), []);
    await remove(name);
    assert.deepEqual(await text.linesOf(uri(), 1, 9), []);
  });

  test('UTF-16 is read by its mark, and what is no UTF-8 in the encoding of the settings', async () => {
    await writeFile(uri().fsPath, Buffer.from('\ufeffone\ntwö\nthree', 'utf16le'));
    assert.deepEqual(await text.linesOf(uri(), 2, 2), ['twö']);
    await writeFile(uri().fsPath, Buffer.from('one\ntwö\nthree', 'latin1'));
    const [line] = await text.linesOf(uri(), 2, 2);
    assert.match(line, /^tw.$/u);
  });

  test('many files at once are all read', async () => {
    await write(name, 'one\ntwo\n');
    const answers = await Promise.all(Array.from({ length: 100 }, () => text.linesOf(uri(), 2, 2)));
    assert.ok(answers.every(([line]) => line === 'two'));
  });
});

suite('configuration files', () => {
  test('are known by their names, in every folder', () => {
    assert.ok(configurationNames.every((name) => isConfiguration(name) && isConfiguration(`app/${name}`)));
    assert.ok(['kindredrc.json', '.kindredrc.json.bak', 'a.kindredrc.json'].every((name) => !isConfiguration(name)));
  });
});

suite('settings', () => {
  test('report changes by name and effect', () => {
    const before = readSettings();
    const after: Settings = {
      ...before,
      options: { ...before.options, maxDistance: 9, prose: { ...before.options.prose, minWords: 99 } },
      workers: 7,
      memoryMB: 1_000,
      run: 'manual',
      diagnostics: { ...before.diagnostics, severity: { ...before.diagnostics.severity, code: 'error' } },
      statusBar: false,
      showViewOnStartup: true,
    };
    assert.deepEqual(changedSettings(before, readSettings()), new Map());
    const changed = changedSettings(before, after);
    assert.deepEqual(
      [...changed].sort(),
      Object.entries({
        'kindred.diagnostics.severity.code': 'shown',
        'kindred.maxDistance': 'found',
        'kindred.performance.memory': 'found',
        'kindred.performance.workers': 'later',
        'kindred.prose.minWords': 'found',
        'kindred.run': 'later',
        'kindred.showViewOnStartup': 'later',
        'kindred.statusBar.enable': 'shown',
      }),
    );
    // Each of them is a setting, as VS Code knows it.
    for (const name of changed.keys()) {
      assert.notEqual(vscode.workspace.getConfiguration().inspect(name)?.defaultValue, undefined, name);
    }
  });
});

suite('a snapshot', () => {
  test('of a report based on an earlier one equals that of the complete report', async () => {
    const places = fc.array(
      fc.tuple(fc.constantFrom('a.ts', 'b.ts', 'c.ts', 'd.ts'), fc.integer({ min: 1, max: 90 })),
      { minLength: 2, maxLength: 4 },
    );
    const groups = fc.uniqueArray(
      fc.tuple(fc.string({ minLength: 1 }), places, fc.constantFrom<Group['kind']>('code', 'prose', 'file')),
      { selector: ([id]) => id, maxLength: 12, size: 'max' },
    );
    const histories = groups
      .map((all) =>
        all.map(([id, at, kind]): Group => {
          const passages = at.map(([path, line]) => passageOf(path, line, line + 9));
          return { ...groupOf(id.replaceAll('\0', ''), passages), kind };
        }),
      )
      .chain((all) =>
        fc.array(fc.tuple(fc.shuffledSubarray(all), fc.nat(2), fc.boolean()), { maxLength: 6, size: 'max' }),
      );
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const packer = new FindingsPacker();
        const folders = foldersOf(['/w', '']);
        let held: Snapshot | undefined;
        for (const [i, [list, skips, isMissed]] of history.entries()) {
          const generation = i + 1;
          const skipped = Array.from({ length: skips }, (_, place) => ({ path: `${place}.ts`, reason: 'binary' }));
          const findings = findingsOf(list, skipped);
          const packed = packer.pack(findings, generation, held?.generation);
          assert.equal(packed.base?.generation, held?.generation);
          if (isMissed) continue;
          const after: Snapshot | undefined = await makeSnapshot(
            { generation, findings: packed, judgement: nothingIgnored(findings), hidden: [], elapsedMs: 1 },
            folders,
            held,
          );
          assert.ok(after);
          const judgement = nothingIgnored(findings);
          const whole = { generation, findings: packFindings(findings), judgement, hidden: [], elapsedMs: 1 };
          assert.deepEqual(contentsOf(after), contentsOf((await makeSnapshot(whole, folders, undefined))!));
          // It is no report of another one.
          if (held) {
            const other = { ...held, generation: generation + 7 };
            assert.equal(await makeSnapshot({ ...whole, findings: packed }, folders, other), undefined);
          }
          held = after;
        }
      }),
    );
  });

  /** A snapshot without the time it was made at; the copies of a file are in no order. */
  function contentsOf({ copies, wholes, found, ...snapshot }: Snapshot) {
    const sorted = (lists: ReadonlyMap<string, readonly Copy[]>) =>
      new Map(
        [...lists].map(([path, list]) => [
          path,
          new Set(list.map(({ group, place, passage }) => JSON.stringify([group.id, place, passage]))),
        ]),
      );
    const foundSorted = { ...found, copies: sorted(found.copies), wholes: sorted(found.wholes) };
    return { ...snapshot, madeAt: undefined, found: foundSorted, copies: sorted(copies), wholes: sorted(wholes) };
  }
});

suite('the line that tells what a passage is', () => {
  const check = (path: string, line: string | undefined, ...lines: readonly string[]): void =>
    assert.equal(tellingLine(lines, 'code', path), line, lines.join('\n'));

  test('decorators, annotations, attributes and modifiers are passed over, on lines of their own or not', () => {
    check('a.ts', 'class Terminal', '@injectable()', 'export class Terminal {');
    check('a.ts', 'class Terminal', '@Component({', "  selector: 'a)b',", '  inputs: [one],', '})', 'class Terminal {');
    check('a.ts', 'name: string;', '@inject(ILogger) @named(`x`)', '  protected readonly name: string;');
    check('A.java', 'void read()', '@Override', '@SuppressWarnings({"a", "b"})', 'public final void read() {');
    check('A.java', 'void reads()', '@Test public void reads() {');
    check('A.java', '@interface Marker', 'public @interface Marker {');
    check('a.py', 'def index(page):', "@app.route('/', methods=['GET'])", 'def index(page):');
    check('A.cs', 'Task Reads(int a,', '[Fact(Skip = "no")]', 'public async Task Reads(int a,');
    check('a.rs', 'struct Row', '#[derive(Debug, Clone)]', 'pub struct Row {');
    check('a.php', 'function index()', "#[Route('/')]", 'public function index() {');
  });

  test('keeps lines that only look like one', () => {
    check('a.css', '@media (max-width: 60em)', '@media (max-width: 60em) {', '  a { color: red }');
    check('a.rb', '@total = sum(list)', '@total = sum(list)');
    check('a.ts', 'rows', '  ],', '[1, 2],', 'rows = [');
    check('a.m', '@interface Row : NSObject', '@interface Row : NSObject');
    check('a.ts', '@injectable()', '@injectable()');
  });

  test('prose is known by how it begins, without the marks of a heading', () => {
    assert.equal(tellingLine(['', '## Arrays  and', 'lists'], 'prose', 'a.md'), 'Arrays and');
    assert.equal(
      tellingLine(['<!-- YAML', 'added: v1', '-->', '* `buffer` {Buffer}'], 'prose', 'a.md'),
      'buffer {Buffer}',
    );
    assert.equal(tellingLine(['<!-- YAML', 'added: v1'], 'prose', 'a.md'), '<!-- YAML');
    assert.equal(tellingLine([], 'prose', 'a.md'), undefined);
  });
});

suite('words', () => {
  test('only what is equal is 100 %', () => {
    assert.deepEqual([1, 0.999, 0.29, 0.5].map(percent), ['100 %', '99 %', '29 %', '50 %']);
    assert.deepEqual([12.345, 100, 0].map(percentage), ['12.3 %', '100 %', '0 %']);
  });

  test('places are as a terminal takes them', () => {
    assert.equal(place(passageOf('src/a.ts', 3, 9)), 'src/a.ts:3-9');
    assert.equal(lineRange(passageOf('a', 3, 3)), '3');
  });

  test('a report is told by what is repeated of source and text, each line counted once', () => {
    const check = (text: string, categories: Totals['categories']): void =>
      assert.equal(headlineText(headlineOf({ ...findingsOf([], []).totals, categories })), text);
    const [source, text, tests] = [totalsOf(60, 100, 7), totalsOf(3, 200, 2), totalsOf(50, 100, 9)];
    check('9 duplicates, 21 % of source and text', { source, text, tests });
    check('7 duplicates, 60 % of source', { source, tests });
    check('2 duplicates, 1.5 % of text', { text });
    check('9 duplicates, 50 % of all lines', { tests });
    check('No duplicates in source and text', { source: totalsOf(0, 9, 0), text: totalsOf(0, 9, 0), tests });
    check('No duplicates', {});
  });

  test('a group is called by what it is', () => {
    const title = (changes: Partial<Group>) => groupTitle({ ...groupOf('g'), ...changes });
    assert.equal(title({ type: 'exact', similarity: 1 }), '2 exact copies');
    assert.equal(title({ type: 'near', similarity: 0.934 }), '2 near-duplicates, 93 % similar');
    const pairs = [0.934, 0.7, 0.999].map((similarity) => ({ a: 0, b: 1, similarity, distance: 1 }));
    assert.equal(title({ type: 'near', similarity: 0.7, pairs }), '2 near-duplicates, 70 to 99 % similar');
    assert.equal(
      title({ type: 'near', similarity: 0.934, pairs: pairs.slice(0, 1) }),
      '2 near-duplicates, 93 % similar',
    );
    assert.equal(title({ type: 'renamed', similarity: 0.9 }), '2 renamed copies, 90 % similar');
    assert.equal(title({ type: 'exact', kind: 'file' }), '2 identical files');
    assert.equal(title({ type: 'near', kind: 'file', similarity: 0.8 }), '2 near-duplicate files, 80 % similar');
    const inside = { pairs: [{ a: 0, b: 1, similarity: 0.5, distance: 9, containment: [0.12, 0.967] as const }] };
    assert.equal(title({ type: 'near', kind: 'file', inside: 1, ...inside }), '96 % of b.ts is in a.ts');
    assert.equal(
      title({ type: 'near', kind: 'file', similarity: 0.5, ...inside }),
      '2 near-duplicate files, 50 % similar',
    );
  });

  test('a file is called by its name, and by the folder that tells it from one of the same name', () => {
    assert.equal(nameBeside('x/a.ts', 'y/b.ts'), 'a.ts');
    assert.equal(nameBeside('x/web/a.ts', 'x/node/a.ts'), 'web/a.ts');
    assert.equal(nameBeside('web/lib/src/a.ts', 'node/lib/src/a.ts'), 'web/…/a.ts');
    assert.equal(nameBeside('a.ts', 'x/a.ts'), 'a.ts');
    assert.equal(nameBeside('x/a.ts', 'a.ts'), 'x/a.ts');
    assert.equal(nameBeside('b/a.ts', 'x/b/a.ts'), 'b/a.ts');
  });

  test('files of one name are told apart by what differs, which comes first', () => {
    const namesOf = (...paths: readonly string[]) => paths.map((path) => namesAmong(paths).get(path));
    assert.deepEqual(namesOf('packages/core/package.json', 'packages/git/package.json', 'package.json', 'a/b.ts'), [
      ...['core/package.json', 'git/package.json', 'package.json', 'b.ts'],
    ]);
    assert.deepEqual(namesOf('v1/a/src/p.json', 'v1/b/src/p.json', 'v2/a/src/p.json'), [
      ...['v1/a/…/p.json', 'b/…/p.json', 'v2/a/…/p.json'],
    ]);
    const about = (version: string) => passageOf(`reference/${version}/Core/About/about_Arrays.md`, 10, 1172);
    assert.deepEqual(pairOfPlaces(about('7.4'), about('7.5')), [
      ...['7.4/…/about_Arrays.md:10-1172', '7.5/…/about_Arrays.md:10-1172'],
    ]);
    assert.deepEqual(pairOfPlaces(passageOf('a/b.ts', 1, 9), passageOf('a/b.ts', 30, 38)), ['b.ts:1-9', '30-38']);
  });

  test('names among each other are as many as there are files, and each ends the way from its folder', () => {
    const folderNames = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 });
    const path = fc
      .tuple(folderNames, fc.constantFrom('x.ts', 'y.ts'))
      .map(([folders, name]) => [...folders, name].join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
        const names = namesAmong(paths);
        assert.equal(new Set(names.values()).size, paths.length);
        for (const [of, name] of names) {
          const [start, end] = name.split('/…/');
          assert.ok(end === undefined ? of.endsWith(name) : of.includes(`${start}/`) && of.endsWith(`/${end}`), name);
        }
      }),
    );
  });
});

/** A store of a window in which nothing is kept. */
const emptyStore: vscode.Memento = {
  keys: () => [],
  get: <T>(_key: string, otherwise?: T) => otherwise as T,
  update: () => Promise.resolve(),
};

/** A tree beside a scanner at which nothing is going on. */
function treeOf(model: FindingsModel): GroupTree {
  const onDidChangeState = new vscode.EventEmitter<void>().event;
  const text = new SavedText(model);
  const scanner = { state: { type: 'idle', stopped: false }, onDidChangeState } as const;
  return new GroupTree({
    ...{ findings: model, text, scanner, names: new PassageNames(model, text) },
    ...{ filter: filterOf(model), canonicals: new Canonicals(model, emptyStore) },
  });
}

/** A filter of a window without Git, in which nothing is kept. */
function filterOf(model: FindingsModel, activeFile: () => vscode.Uri | undefined = () => undefined): TreeFilter {
  const nobody = { check: () => Promise.reject(new Error('Nobody answers here.')) };
  const newSince = new NewSince(nobody, model, () => Promise.resolve(undefined));
  return new TreeFilter(model, new SavedText(model), newSince, emptyStore, activeFile);
}

function foldersOf(...folders: readonly (readonly [file: string, prefix: string])[]): Folders {
  return new Folders(
    folders.map(([file, prefix]) => ({ uri: vscode.Uri.file(file), prefix, sources: defaultSourceOptions })),
    new LooseDocuments(),
  );
}

function passageOf(path: string, startLine: number, endLine: number): Passage {
  return { path, startLine, startColumn: 1, endLine, endColumn: 2, tokens: 60 };
}

function groupOf(id: string, passages = [passageOf('a.ts', 1, 9), passageOf('b.ts', 1, 9)]): Group {
  return {
    ...{ id, kind: 'code', type: 'near', similarity: 0.9, lines: 9, tokens: 60, category: 'source', worth: 60 },
    ...{ passages, pairs: [] },
  };
}

type Contents = Pick<Findings, 'groups' | 'files' | 'folders'> & Pick<Totals, 'categories'>;

/** A tree of a report, and how its rows are read. */
async function treeWith(contents: Partial<Contents>) {
  const model = new FindingsModel();
  const tree = treeOf(model);
  let generation = 0;
  const show = async ({ groups: shown = [], ...rest }: Partial<Contents>): Promise<void> => {
    model.replace(await snapshotOf(shown, ++generation, rest));
  };
  const rows = (section?: SectionName): Row[] =>
    tree.getChildren(section === undefined ? undefined : { type: 'section', name: section });
  /** Labels, with descriptions behind two blanks. */
  const labels = async (of: readonly Row[]): Promise<string[]> => {
    const items = await Promise.all(of.map((row) => tree.getTreeItem(row)));
    return items.map(({ label, description }) =>
      `${label as string}  ${description === undefined ? '' : String(description)}`.trim(),
    );
  };
  await show(contents);
  return { tree, model, rows, labels, show };
}

/** The ids of a row and of all that it is in. */
function chainOf(tree: GroupTree, row: Row): string[] {
  const parent = tree.getParent(row);
  return [idOf(row), ...(parent ? chainOf(tree, parent) : [])];
}

function foldersOfRows(paths: readonly string[], groups: readonly string[]): FolderGroup {
  return {
    ...{ paths, groups, files: [3, 3], alike: [2, 3], lines: [20, 25], shares: [0.5, 0.6], passages: 4 },
    ...{ category: 'text', worth: 9 },
  };
}

function totalsOf(duplicatedLines: number, lines: number, rows: number): CategoryTotals {
  return { files: 3, lines, rows, duplicatedLines, duplicatedPercent: (100 * duplicatedLines) / lines };
}

/** Returns the judgement of a report without ignored groups. */
function nothingIgnored({ totals }: Pick<Findings, 'totals'>): Judgement {
  return { sources: [], aside: [], totals, unknown: undefined, trouble: [] };
}

async function snapshotOf(
  groups: readonly Group[],
  generation: number,
  { files = [], folders = [], categories = {} }: Partial<Contents> = {},
): Promise<Snapshot> {
  const { totals, ...rest } = findingsOf(groups, []);
  const findings = packFindings({ ...rest, totals: { ...totals, categories }, files, folders });
  const snapshot = await makeSnapshot(
    { generation, findings, judgement: nothingIgnored(findings), hidden: [], elapsedMs: 1 },
    foldersOf(['/w', '']),
    undefined,
  );
  assert.ok(snapshot);
  return snapshot;
}

function findingsOf(groups: readonly Group[], skipped: readonly Skipped[]): Findings {
  const totals = {
    ...{ files: 1, lines: 1, tokens: 1, groups: groups.length, passages: 0 },
    ...{ duplicatedLines: 0, duplicatedPercent: 0, skipped: skipped.length, categories: {} },
  };
  return { complete: true, totals, groups, files: [], folders: [], skipped };
}
