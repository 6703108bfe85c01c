/** Rows of the tree for reports made by hand. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FilePair, Group } from '../../src/core/engine/report/report.ts';
import { FindingsModel } from '../../src/surfaces/vscode/findings/findings.ts';
import type { GroupTree } from '../../src/surfaces/vscode/tree/groupTree.ts';
import { idOf, type Row } from '../../src/surfaces/vscode/tree/rows.ts';
import { worthOfGroup } from '../../src/surfaces/vscode/tree/rowTooltips.ts';
import type { Grouping } from '../../src/surfaces/vscode/tree/shownRows.ts';
import type { SectionName } from '../../src/presentation/wording/outline.ts';
import { type Contents, foldersOfRows, groupOf, passageOf, snapshotOf, totalsOf } from './reports.ts';
import { treeOf } from './trees.ts';

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
        ['Source', '2 · 6% of source', Expanded],
        ['Text', '1', Expanded],
        ['Tests', '1 · 41% of tests', Collapsed],
        ['Data', '1', Collapsed],
        ['Boilerplate', '1', Collapsed],
      ],
    );
    await show({});
    assert.deepEqual(rows(), []);
    tree.dispose();
  });

  test('shows a hundred rows of a section at a time, and more to reveal a hidden one', async () => {
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

  test('is refreshed after requests that overlap, because VS Code drops one of the answers', async () => {
    const { tree, rows } = await treeWith({ groups: [groupOf('one'), groupOf('two')] });
    const [section] = rows();
    await tree.getTreeItem(section);
    let refreshes = 0;
    tree.onDidChangeTreeData(() => refreshes++);
    const request = async (row: Row | undefined): Promise<void> => {
      await Promise.all(tree.getChildren(row).map((it) => tree.getTreeItem(it)));
    };
    await request(undefined);
    await request(section);
    await request(section);
    assert.equal(refreshes, 0, 'one after the other');
    await Promise.all([request(section), request(section)]);
    assert.equal(refreshes, 1, 'the same row');
    await Promise.all([request(section), request(undefined)]);
    assert.equal(refreshes, 2, 'a row and the top level');
    await Promise.all([request(undefined), request(section)]);
    assert.equal(refreshes, 2, 'the top level, and then a row');
    tree.dispose();
  });

  test('names groups of whole files by their files', async () => {
    const fileGroup = (id: string, containment: [number, number], changes: Partial<Group> = {}): Group => ({
      ...groupOf(id, [passageOf(`docs/${id}.md`, 1, 9), passageOf('docs/b.md', 1, 90)]),
      kind: 'file',
      type: 'near',
      similarity: 0.6,
      category: 'text',
      pairs: [{ a: 0, b: 1, similarity: 0.6, distance: 9, containment }],
      ...changes,
    });
    const paths = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}/page.md`);
    const many = fileGroup('m', [1, 1], { passages: paths.map((path) => passageOf(path, 1, 9)) });
    const groups = [fileGroup('a', [0.967, 0.12], { inside: 0 }), fileGroup('c', [0.95, 0.6]), many, groupOf('g')];
    const { tree, rows, model, labels } = await treeWith({ groups });
    assert.deepEqual(await labels(rows('text')), [
      'a.md in b.md · 9 lines · 96%  docs',
      'c.md ↔ b.md · 9 lines · 60%  docs',
      'page.md: a, b, c, d, … · 5 copies · 9 lines · 60%',
    ]);
    assert.deepEqual([model.groups.length, model.fileGroups.length], [1, 3]);
    assert.deepEqual(model.copiesIn(vscode.Uri.file('/w/docs/a.md')), []);
    tree.dispose();
  });

  test('begins rows of files with the same names with a folder in which they differ', async () => {
    const group = (kind: Group['kind'], id: string, ...folders: readonly [string, string][]): Group => ({
      ...groupOf(
        id,
        folders.map(([folder, name]) => passageOf(`${folder}/${name}`, 1, 10)),
      ),
      kind,
    });
    const inGuide = (language: string): readonly [string, string][] =>
      ['start.md', 'index.md'].map((name) => [`docs/${language}/guide`, name]);
    const groups = [
      group('file', 'first', ...inGuide('en')),
      group('file', 'second', ...inGuide('hi')),
      group('code', 'third', ...inGuide('ja')),
      group('file', 'fourth', ['api/v1', 'index.md'], ['api/v2', 'index.md']),
      group('file', 'fifth', ['web/old', 'index.md'], ['web/new', 'index.md']),
      group('file', 'sixth', ['plugins/figma/server', 'figma.md'], ['plugins/linear/server', 'linear.md']),
      group('file', 'seventh', ['plugins/figma/api', 'figma.md'], ['plugins/linear/api', 'linear.md']),
    ];
    const { tree, rows, labels } = await treeWith({ groups });
    assert.deepEqual(
      (await labels(rows('source'))).map((label) => label.split(' · ').slice(0, 2).join(' · ')),
      [
        'en · start.md ↔ index.md',
        'hi · start.md ↔ index.md',
        'guide · 2 copies',
        'index.md: v1 ↔ v2 · 9 lines',
        'index.md: old ↔ new · 9 lines',
        'server · figma.md ↔ linear.md',
        'api · figma.md ↔ linear.md',
      ],
    );
    tree.dispose();
  });

  test('keeps the id of a row when a copy is edited, and gives no id to two rows', async () => {
    const files = (...paths: readonly string[]) => paths.map((path) => passageOf(path, 1, 9));
    const { tree, rows, show } = await treeWith({
      groups: [groupOf('before'), groupOf('other', files('c.ts', 'd.ts'))],
    });
    const ids = async (): Promise<(string | undefined)[]> => {
      const all = rows('source').flatMap((row) => [row, ...tree.getChildren(row)]);
      return Promise.all(all.map(async (row) => (await tree.getTreeItem(row)).id));
    };
    const [first, ...others] = await ids();
    assert.equal(first, 'before');
    // Reports name a group by its longest copy.
    await show({ groups: [groupOf('edited'), groupOf('other', files('c.ts', 'd.ts'))] });
    assert.deepEqual(await ids(), [first, ...others]);
    await show({ groups: [groupOf('again'), groupOf('other', files('c.ts', 'd.ts'))] });
    assert.deepEqual(await ids(), [first, ...others]);
    // A pasted copy of the text before the edits.
    await show({ groups: [groupOf('again'), groupOf('before', files('e.ts', 'f.ts'))] });
    const now = await ids();
    assert.equal(now[0], first);
    assert.equal(new Set(now).size, now.length);
    tree.dispose();
  });

  test('finds the rows beside a row, the nearest list first, and the current row with its identity', async () => {
    const groups = ['a', 'b', 'c', 'd'].map((id) => groupOf(id));
    const { tree, rows, show } = await treeWith({ groups: [...groups, { ...groupOf('prose'), category: 'text' }] });
    const third = rows('source')[2];
    const copy = tree.getChildren(third)[0];
    assert.deepEqual(tree.rowsBeside(copy).map(idOf), ['c/b.ts', 'd', 'b', 'a', 'section/text']);
    await show({ groups: groups.filter(({ id }) => id !== 'c') });
    assert.deepEqual(
      [third, copy].map((row) => tree.shown(row)),
      [undefined, undefined],
    );
    assert.deepEqual(tree.shown({ type: 'group', group: groups[3] }), rows('source')[2]);
    tree.dispose();
  });

  test('shows the copies of a group, and the groups in its text in a row of their own', async () => {
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
    // They have the commands of other rows.
    const items = await Promise.all([last, ...tree.getChildren(last)].map((row) => tree.getTreeItem(row)));
    assert.deepEqual(
      items.map(({ contextValue }) => contextValue),
      ['group', 'copy.base', 'copy'],
    );
    tree.dispose();
  });

  test('shows pairs of files with the groups that they share', async () => {
    const passages = (line: number) => [passageOf('x/a.go', line, line + 9), passageOf('x/b.go', line, line + 9)];
    const pair: FilePair = {
      paths: ['x/a.go', 'x/b.go'],
      groups: ['first', 'second'],
      lines: [20, 20],
      shares: [0.5, 0.8],
      category: 'source',
      worth: 120,
    };
    const groups = [groupOf('first', passages(1)), groupOf('second', passages(20))];
    const { tree, rows, labels } = await treeWith({ groups, files: [pair] });
    const [row] = rows('source');
    assert.deepEqual(await labels([...rows(), row]), ['Source  2', 'a.go ↔ b.go · 61% · 2 passages  x']);
    // Their places are in the parent row.
    assert.deepEqual(await labels(tree.getChildren(row)), ['Line 1 · 9 lines · 90%', 'Line 20 · 9 lines · 90%']);
    assert.deepEqual(chainOf(tree, tree.getChildren(row)[1]), ['second', 'files/x/a.go|x/b.go', 'section/source']);
    const { tooltip } = await tree.resolveTreeItem(await tree.getTreeItem(row), row);
    assert.match(
      (tooltip as vscode.MarkdownString).value,
      /20 lines \\\(80\\%\\\)\n\nWorth 120\\: the sum of 2 passages/,
    );
    tree.dispose();
  });

  test('shows files with the same role with the lines that they share and their rows', async () => {
    const passages = (line: number, ...names: readonly string[]) =>
      names.map((name) => passageOf(`db/${name}Runner.ts`, line, line + 9));
    const groups = [
      groupOf('first', passages(1, 'mysql', 'oracle')),
      groupOf('second', passages(20, 'mysql', 'oracle', 'sap')),
      groupOf('third', passages(40, 'oracle', 'sap')),
      groupOf('fourth', passages(60, 'mysql')),
    ];
    const { tree, rows, labels } = await treeWith({ groups });
    const [row] = rows('source');
    assert.deepEqual(await labels([...rows(), row]), ['Source  4', 'Runner · 3 files · 3 passages · 70 lines  db']);
    const [members, ...inside] = tree.getChildren(row);
    assert.equal(inside.length, 3);
    assert.deepEqual(await labels([members, ...tree.getChildren(members)]), [
      '3 files: lines that they share',
      'mysql · 20 lines · 20 with oracle · 10 with sap',
      'oracle · 30 lines · 20 with mysql · 20 with sap',
      'sap · 20 lines · 20 with oracle · 10 with mysql',
    ]);
    const ids = ['mysql', 'oracle', 'sap'].map((name) => `db/${name}Runner.ts`).join('|');
    assert.deepEqual(chainOf(tree, inside[1]), ['second', `peers/${ids}`, 'section/source']);
    const [member] = tree.getChildren(members);
    assert.deepEqual(chainOf(tree, member).slice(1), [`members/${ids}`, `peers/${ids}`, 'section/source']);
    const { tooltip } = await tree.resolveTreeItem(await tree.getTreeItem(row), row);
    assert.match(
      (tooltip as vscode.MarkdownString).value,
      /\| 1 \| mysql \| 20 \| {2}\| 20 \| 10 \|\n.+\n.+\n\nWorth 180\\: the sum of 3 passages/,
    );
    tree.dispose();
  });

  test('shows similar folders with their files by path, least similar first', async () => {
    const versions = ['docs/7.4', 'docs/7.5'];
    const page = (name: string, similarity: number): Group => ({
      ...groupOf(
        name,
        versions.map((folder) => passageOf(`${folder}/core/${name}.md`, 1, 90)),
      ),
      kind: 'file',
      similarity,
      category: 'text',
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
    assert.deepEqual(await labels([row]), ['7.4 ↔ 7.5 · 55% · 6 files  docs']);
    assert.ok(row?.type === 'folders');
    const shared = { ...row, folders: { ...row.folders, alike: [0, 0] } };
    assert.deepEqual(await labels([shared]), ['7.4 ↔ 7.5 · 45 lines · 6 files  docs']);
    assert.deepEqual(await labels(tree.getChildren(row)), [
      ...['core/late.md · 9 lines · 61%', 'core/kept.md · 9 lines · 99%', 'a.md ↔ b.md · 2 copies · 9 lines · 90%'],
    ]);
    tree.arrange({ order: 'path' });
    assert.deepEqual(
      tree.getChildren(row).map((child) => child.type === 'group' && child.group.id),
      ['passage', 'kept', 'late'],
    );
    tree.dispose();
  });

  test('groups by file, folder, and language, and each row has a parent and a unique id', async () => {
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
      ...['one.ts · src/a  2', '  x.py  20-29 · edited · 90%', '    x.py:1-9 · tools'],
      ...['  two.ts  1-9 · edited · 90%', '    two.ts:1-9 · src/a'],
      ...['x.py · tools  1', '  one.ts  1-9 · edited · 90%', '    one.ts:20-29 · src/a'],
      // A nested group has a row where its parent has none.
      ...['a.md · docs  1', '  one.ts  1-4 · edited · 90%', '    one.ts:22-25 · src/a'],
      ...['two.ts · src/a  1', '  one.ts  1-9 · edited · 90%', '    one.ts:1-9 · src/a'],
    ]);
    tree.arrange({ grouping: 'folder', order: 'path' });
    const top = tree.getChildren();
    assert.deepEqual(await labels(top), ['docs  1', 'src/a  2', 'tools  1']);
    assert.deepEqual(await labels(tree.getChildren(top[1])), ['one.ts  2', 'two.ts  1']);
    tree.arrange({ order: 'worth' });
    await check('language', [
      ...[
        'TypeScript  2',
        '  one.ts ↔ x.py · 2 copies · 9 lines · 90%',
        '  one.ts ↔ two.ts · 2 copies · 9 lines · 90%  src/a',
      ],
    ]);
    tree.dispose();
  });

  test('counts a duplicate once in a folder, with all groups inside it', async () => {
    const groups = [
      groupOf('far', [passageOf('src/one.ts', 20, 49), passageOf('tools/x.py', 1, 30)]),
      { ...groupOf('inside', [passageOf('src/one.ts', 22, 25), passageOf('docs/a.md', 1, 4)]), parent: 'far' },
      { ...groupOf('also', [passageOf('src/one.ts', 30, 35), passageOf('docs/a.md', 9, 14)]), parent: 'inside' },
    ];
    const { tree, labels } = await treeWith({ groups });
    tree.arrange({ grouping: 'folder', order: 'path' });
    const top = tree.getChildren();
    assert.deepEqual(await labels(top), ['docs  1', 'src  1', 'tools  1']);
    // The rows of a file are its copies.
    assert.deepEqual(await labels(tree.getChildren(top[0])), ['a.md  2']);
    tree.dispose();
  });

  test('keeps check marks of groups by content, and drops those of removed groups', async () => {
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

  test('shows the similarity of each of several copies to the closest one', async () => {
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
      ...['a.ts:1-9 · edited · 95%', 'b.ts:1-9 · edited · 95%', 'c.ts:1-9 · edited · 70%'],
    ]);
    tree.dispose();
  });

  test('explains the worth of a row', () => {
    const check = (changes: Partial<Group>, text: string): void =>
      assert.equal(worthOfGroup({ ...groupOf('g'), similarity: 1, ...changes }), text);
    const three = ['a.ts', 'b.ts', 'c.ts'].map((path) => passageOf(path, 1, 9));
    const oneFile = [passageOf('a.ts', 1, 9), passageOf('a.ts', 20, 29)];
    check({}, 'Worth 60: 60 tokens');
    check({ passages: three, worth: 85 }, 'Worth 85: 60 tokens, × 1.41 for 3 copies');
    check({ similarity: 0.9, worth: 49 }, 'Worth 49: 60 tokens, × 0.81 for 90% similarity');
    check({ worth: 30, category: 'tests' }, 'Worth 30: 60 tokens, × 0.5 (it is in tests, it may be a convention)');
    check(
      { worth: 11, category: 'data', passages: oneFile },
      'Worth 11: 60 tokens, × 0.18 (it is data, all copies are in one file, it may be a convention)',
    );
    check({ worth: 40 }, 'Worth 40: 60 tokens, × 0.67 (it may be a convention)');
    check({ kind: 'prose', worth: 15 }, 'Worth 15: 60 tokens, × 0.25 (it is text)');
    const pairs = [{ a: 0, b: 1, similarity: 0.2, distance: 9, containment: [0.9, 0.1] as const }];
    check(
      { kind: 'file', similarity: 0.2, inside: 0, pairs, tokens: 900, worth: 49 },
      'Worth 49: 60 tokens, × 0.81 for 90% similarity',
    );
  });

  test('gives copies in one file distinct ids that do not depend on lines', async () => {
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

/** Creates a tree beside an idle scanner. */
/** Creates a tree of a report, with functions to read its rows. */
async function treeWith(contents: Partial<Contents>) {
  const model = new FindingsModel();
  const tree = treeOf(model);
  let generation = 0;
  const show = async ({ groups: shown = [], ...rest }: Partial<Contents>): Promise<void> => {
    model.replace(await snapshotOf(shown, ++generation, rest));
  };
  const rows = (section?: SectionName): Row[] =>
    tree.getChildren(section === undefined ? undefined : { type: 'section', name: section });
  /** Returns labels, with descriptions after two spaces. */
  const labels = async (of: readonly Row[]): Promise<string[]> => {
    const items = await Promise.all(of.map((row) => tree.getTreeItem(row)));
    return items.map(({ label, description }) =>
      `${label as string}  ${description === undefined ? '' : String(description)}`.trim(),
    );
  };
  await show(contents);
  return { tree, model, rows, labels, show };
}

/** Returns the ids of a row and of its ancestors. */
function chainOf(tree: GroupTree, row: Row): string[] {
  const parent = tree.getParent(row);
  return [idOf(row), ...(parent ? chainOf(tree, parent) : [])];
}
