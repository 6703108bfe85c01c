/** Parts of the host on findings made by hand: paths and URIs, news, siblings, pages of the tree, words, text of files. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import type { Findings, Group, Passage, Skipped } from '../../src/engine/report/report.ts';
import { FindingsModel, siblingsOf } from '../../src/host/findings.ts';
import { Folders, LooseDocuments, readFolders } from '../../src/host/folders.ts';
import { GroupTree } from '../../src/host/groupTree.ts';
import { SavedText } from '../../src/host/savedText.ts';
import { isConfiguration } from '../../src/host/scanner.ts';
import { changedSettings, readSettings, type Settings } from '../../src/host/settings.ts';
import { type Copy, makeSnapshot, type Snapshot } from '../../src/host/snapshot.ts';
import { tellingLine } from '../../src/host/tellingLine.ts';
import {
  groupTitle,
  lineRange,
  nameBeside,
  namesAmong,
  pairOfPlaces,
  percent,
  percentage,
  place,
} from '../../src/host/wording.ts';
import { configurationNames } from '../../src/io/configuration.ts';
import { defaultSourceOptions } from '../../src/io/sources.ts';
import { FindingsPacker, packFindings } from '../../src/protocol/packedFindings.ts';
import { folder, remove, uriOf, write } from './window.ts';

suite('folders', () => {
  test('one folder: paths are relative to it', () => {
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
  test('what a later report has in addition is news, until it is forgotten', async () => {
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
      assert.equal(model.newGroups, news, `after report ${generation}`);
    }
    model.forgetNews();
    model.replace(
      await snapshotOf(
        ['x', 'y'].map((id) => groupOf(id)),
        5,
      ),
    );
    assert.equal(model.newGroups, 0);
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

suite('pages of the tree', () => {
  test('two hundred groups at a time, and a hidden one is brought up to be revealed', async () => {
    const model = new FindingsModel();
    const tree = treeOf(model);
    const groups = Array.from({ length: 450 }, (_, number) => groupOf(`g${number}`));
    model.replace(await snapshotOf(groups, 1));
    const shape = () => {
      const rows = tree.getChildren();
      const last = rows.at(-1)!;
      return [rows.length, last.type === 'more' ? last.hidden : 0];
    };
    assert.deepEqual(shape(), [201, 250]);
    const more = await tree.getTreeItem(tree.getChildren().at(-1)!);
    assert.equal(more.label, 'Show 200 more…');
    tree.showMore('passages');
    assert.deepEqual(shape(), [401, 50]);
    tree.ensureShown(groups[399]);
    assert.deepEqual(shape(), [401, 50]);
    tree.ensureShown(groups[400]);
    assert.deepEqual(shape(), [450, 0]);
    tree.dispose();
  });

  test('groups of whole files are below a row of their own, by pages as well, and are no copies', async () => {
    const model = new FindingsModel();
    const tree = treeOf(model);
    const fileGroup = (id: string, containment: [number, number], changes: Partial<Group> = {}): Group => ({
      ...groupOf(id, [passageOf(`docs/${id}.md`, 1, 9), passageOf('b.md', 1, 90)]),
      kind: 'file',
      type: 'near',
      similarity: 0.6,
      pairs: [{ a: 0, b: 1, similarity: 0.6, distance: 9, containment }],
      ...changes,
    });
    const inside = fileGroup('a', [0.967, 0.12], { inside: 0 });
    const alike = fileGroup('c', [0.95, 0.6]);
    const many = Array.from({ length: 250 }, (_, number) => fileGroup(`f${number}`, [0.1, 0.9], { inside: 1 }));
    model.replace(await snapshotOf([groupOf('g'), inside, alike, ...many], 1));
    assert.deepEqual(
      tree.getChildren().map(({ type }) => type),
      ['files', 'group'],
    );
    assert.deepEqual([model.groups.length, model.fileGroups.length], [1, 252]);
    assert.deepEqual(model.copiesIn(vscode.Uri.file('/w/docs/a.md')), []);
    const [files] = tree.getChildren();
    assert.equal((await tree.getTreeItem(files)).description, '252 groups');
    const rows = tree.getChildren(files);
    assert.equal(rows.length, 201);
    const texts = await Promise.all(
      rows.slice(0, 3).map(async (row) => {
        return (await tree.getTreeItem(row)).label;
      }),
    );
    assert.deepEqual(texts, [
      'a.md in b.md · 96 % · docs/a.md, b.md',
      'c.md ↔ b.md · 60 % · docs/c.md, b.md',
      'b.md in f0.md · 90 % · docs/f0.md, b.md',
    ]);
    assert.equal((await tree.getTreeItem(rows[200])).id, 'more/files');
    tree.ensureShown(many[249]);
    assert.equal(tree.getChildren(files).length, 252);
    assert.equal(tree.getChildren().length, 2);
    tree.dispose();
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
      const rows = tree.getChildren(tree.getChildren()[0]);
      return (await Promise.all(rows.map((row) => tree.getTreeItem(row)))).map(({ id }) => id);
    };
    assert.deepEqual(await idsAt(1), ['g/a.ts', 'g/a.ts#2', 'g/b.ts']);
    assert.deepEqual(await idsAt(33), await idsAt(1));
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
  test('what has changed is known by its name, and by what it calls for', () => {
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
  test('of a report that is told by an earlier one is that of the whole report', async () => {
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
            { generation, findings: packed, hidden: [], elapsedMs: 1 },
            folders,
            held,
          );
          assert.ok(after);
          const whole = { generation, findings: packFindings(findings), hidden: [], elapsedMs: 1 };
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
  function contentsOf({ copies, wholes, ...snapshot }: Snapshot) {
    const sorted = (lists: ReadonlyMap<string, readonly Copy[]>) =>
      new Map(
        [...lists].map(([path, list]) => [
          path,
          new Set(list.map(({ group, place, passage }) => JSON.stringify([group.id, place, passage]))),
        ]),
      );
    return { ...snapshot, madeAt: undefined, copies: sorted(copies), wholes: sorted(wholes) };
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

  test('what only looks like one stays', () => {
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

/** A tree beside a scanner at which nothing is going on. */
function treeOf(model: FindingsModel): GroupTree {
  const onDidChangeState = new vscode.EventEmitter<void>().event;
  return new GroupTree(model, new SavedText(model), { state: { type: 'idle', stopped: false }, onDidChangeState });
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
  return { id, kind: 'code', type: 'near', similarity: 0.9, lines: 9, tokens: 60, passages, pairs: [] };
}

async function snapshotOf(groups: readonly Group[], generation: number): Promise<Snapshot> {
  const findings = packFindings(findingsOf(groups, []));
  const snapshot = await makeSnapshot(
    { generation, findings, hidden: [], elapsedMs: 1 },
    foldersOf(['/w', '']),
    undefined,
  );
  assert.ok(snapshot);
  return snapshot;
}

function findingsOf(groups: readonly Group[], skipped: readonly Skipped[]): Findings {
  const totals = {
    ...{ files: 1, lines: 1, tokens: 1, groups: groups.length, passages: 0 },
    ...{ duplicatedLines: 0, duplicatedPercent: 0, skipped: skipped.length },
  };
  return { complete: true, totals, groups, skipped };
}
