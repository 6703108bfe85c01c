import assert from 'node:assert/strict';
import { plain } from '../../src/surfaces/cli/colours.ts';
import { renderText, type TextView } from '../../src/surfaces/cli/formats/text.ts';
import type { ScanReport } from '../../src/surfaces/cli/scanReport.ts';
import type {
  CategoryTotals,
  FilePair,
  Findings,
  FolderGroup,
  Group,
  Passage,
  Totals,
} from '../../src/core/engine/report/report.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

const totals: Totals = {
  files: 1_234,
  lines: 56_789,
  tokens: 400_000,
  groups: 1,
  passages: 2,
  duplicatedLines: 12,
  duplicatedPercent: 0.02,
  skipped: 0,
  categories: { examples: { files: 1_234, lines: 56_789, rows: 1, duplicatedLines: 12, duplicatedPercent: 0.02 } },
};

function passage(path: string, startLine: number, endLine: number): Passage {
  return { path, startLine, startColumn: 1, endLine, endColumn: 2, tokens: 60 };
}

function group(changes: Partial<Group>): Group {
  return {
    id: '0123456789abcdef',
    kind: 'code',
    type: 'near',
    similarity: 0.9996,
    lines: 6,
    tokens: 60,
    category: 'source',
    worth: 60,
    passages: [passage('a.ts', 2, 7), passage('b.ts', 1, 1)],
    pairs: [{ a: 0, b: 1, similarity: 0.9996, distance: 1 }],
    ...changes,
  };
}

suite('renderText', () => {
  let folder = '';
  teardown(() => removeFolder(folder));

  /** Renders these findings, with these files on disk. */
  function check(
    findings: Partial<Findings>,
    files: Readonly<Record<string, string>>,
    expected: string,
    view: Partial<TextView> = {},
    scope: ScanReport['scope'] = 'all',
  ): void {
    removeFolder(folder);
    folder = makeFolder(files);
    const all: Findings = {
      complete: true,
      totals,
      groups: [],
      files: [],
      folders: [],
      skipped: [],
      ...findings,
    };
    const report = {
      scope,
      tool: { name: 'kindred', version: '0.0.0' } as const,
      root: folder,
      options: {},
      findings: all,
      shown: all,
      ignoredGroups: 0,
      hidden: [],
      elapsedMs: 1_234,
    };
    const text = [
      ...renderText(report, {
        colours: plain,
        width: 40,
        folders: 10,
        rows: 20,
        inFolders: 3,
        all: false,
        from: folder,
        ...view,
      }),
    ].join('');
    assert.equal(text, expected);
  }

  const summary = '1 group with 2 passages, 0.02% of all files (12 of 56,789 lines) in 1,234 files (1.23 s).\n';
  const nothing = 'No near-duplicates in 1,234 files, 56,789 lines (1.23 s).\n';

  test('a near copy is never 100% similar; the preview has no indentation and no empty lines, and fits', () => {
    check(
      { groups: [group({})] },
      { 'a.ts': `// 1\n{\n\t\tfirst();\n\n\t\t\tsecond(${'x'.repeat(60)});\n\t\tthird();\n\t\tfourth();\n` },
      'Source: 1 duplicate\n\n' +
        '1. Near copies of code, 99% similar: 2 places, 6 lines · 60 tokens · 0123456789abcdef\n' +
        '   a.ts:2-7\n   b.ts:1\n' +
        `     first();\n       second(${'x'.repeat(25)}…\n     third();\n\n${summary}`,
    );
  });

  test('a preview skips comments, unless there is nothing else', () => {
    const passages = [passage('a.ts', 1, 5), passage('b.ts', 1, 2)];
    const expected = (preview: string) =>
      'Source: 1 duplicate\n\n' +
      '1. Near copies of code, 99% similar: 2 places, 6 lines · 60 tokens · 0123456789abcdef\n' +
      `   a.ts:1-5\n   b.ts:1-2\n${preview}\n${summary}`;
    check(
      { groups: [group({ passages })] },
      { 'a.ts': '@Memo() // once\n/**\n * Returns the sum.\n */\nfunction sum() {\n' },
      expected('     @Memo() // once\n     function sum() {\n'),
    );
    check(
      { groups: [group({ passages })] },
      { 'a.ts': '// first\n// second\n' },
      expected('     // first\n     // second\n'),
    );
  });

  test('a preview skips docstrings, but no other strings of several lines', () => {
    const passages = [passage('a.py', 1, 9), passage('b.py', 1, 2)];
    const code =
      'def names(db):\n    """Returns\n    all names."""\n    query = f("""\n        select name\n    """)\n    # once\n    return db.run(query)\n';
    check(
      { groups: [group({ passages })] },
      { 'a.py': code },
      'Source: 1 duplicate\n\n' +
        '1. Near copies of code, 99% similar: 2 places, 6 lines · 60 tokens · 0123456789abcdef\n' +
        '   a.py:1-9\n   b.py:1-2\n' +
        `     def names(db):\n         query = f("""\n             select name\n\n${summary}`,
    );
  });

  test('names kinds and types, shows at most ten places, and no preview of a removed file', () => {
    const many = Array.from({ length: 12 }, (_, place) => passage(`${place}.md`, 1, 3));
    const places = many.slice(0, 10).map(({ path }) => `   ${path}:1-3\n`);
    check(
      {
        groups: [
          group({ kind: 'prose', type: 'exact', passages: many, worth: 61 }),
          group({ id: '1', type: 'renamed', lines: 1, tokens: 1 }),
        ],
      },
      {},
      `Source: 2 duplicates\n\n1. Exact copies of text: 12 places, 6 lines · 60 tokens · 0123456789abcdef\n${places.join('')}   … and 2 more places\n\n` +
        '2. Renamed copies of code: 2 places, 1 line · 1 token · 1\n   a.ts:2-7\n   b.ts:1\n\n' +
        summary,
    );
  });

  test('whole files have no lines and no preview, and a contained file has its share', () => {
    const pairOf = (similarity: number, ofA: number, ofB: number): Group['pairs'] => [
      { a: 0, b: 1, similarity, distance: 9, containment: [ofA, ofB] },
    ];
    const passages = [passage('x/a.ts', 1, 9), passage('x/b.ts', 1, 99)];
    const file = (changes: Partial<Group>): Group => group({ kind: 'file', passages, ...changes });
    check(
      {
        totals: { ...totals, groups: 5, passages: 10 },
        groups: [
          group({ id: '0', passages: [] }),
          file({ id: '1', type: 'exact', similarity: 1, pairs: pairOf(1, 1, 1) }),
          file({ id: '2', similarity: 0.876, pairs: pairOf(0.876, 0.9, 0.96) }),
          file({ id: '3', similarity: 0.6, pairs: pairOf(0.6, 0.7, 0.96) }),
          file({ id: '4', similarity: 0.1, pairs: pairOf(0.1, 0.99, 0.12), inside: 0 }),
        ],
      },
      {},
      'Source: 5 duplicates\n\n' +
        '1. Near copies of code, 99% similar: 0 places, 6 lines · 60 tokens · 0\n\n' +
        '2. Identical files: 2 files, 6 lines · 60 tokens · 1\n   x/a.ts\n   x/b.ts\n\n' +
        '3. Near-duplicate files, 87% similar: 2 files, 6 lines · 60 tokens · 2\n   x/a.ts\n   x/b.ts\n\n' +
        '4. Near-duplicate files, 60% similar: 2 files, 6 lines · 60 tokens · 3\n   x/a.ts\n   x/b.ts\n\n' +
        '5. A file contained in another: 2 files, 9 lines · 60 tokens · 4\n   x/a.ts\n   x/b.ts\n' +
        `     99% of a.ts is in b.ts\n\n${summary}4 groups of near-duplicate files, 2 files.\n`,
    );
  });

  test('similarity is the percentage in the report', () => {
    check(
      {
        groups: [0.29, 0.57, 0.58].map((similarity, place) => group({ id: `${place}`, similarity, passages: [] })),
      },
      {},
      'Source: 3 duplicates\n\n' +
        [29, 57, 58]
          .map((it, place) => `${place + 1}. Near copies of code, ${it}% similar: 0 places, 6 lines · 60 tokens`)
          .map((heading, place) => `${heading} · ${place}\n\n`)
          .join('') +
        summary,
    );
  });

  test('counts windows in crowds', () => {
    const crowd = 'Windows with too many near matches, compared only with the nearest: 1,234.\n';
    check({ totals: { ...totals, crowdedWindows: 1234 } }, {}, `${summary}${crowd}`);
  });

  /** Returns a group without places, as a row. */
  const plainGroup = (id: string, changes: Partial<Group> = {}): Group =>
    group({ id, type: 'exact', passages: [], ...changes });
  const rowOf = (ordinal: number, id: string): string =>
    `${ordinal}. Exact copies of code: 0 places, 6 lines · 60 tokens · ${id}\n\n`;
  const ofCategory = (lines: number, duplicatedLines: number, rows: number): CategoryTotals => ({
    files: 9,
    lines,
    rows,
    duplicatedLines,
    duplicatedPercent: Math.round((10_000 * duplicatedLines) / lines) / 100,
  });
  const inSections: Partial<Findings> = {
    totals: {
      ...totals,
      categories: {
        source: ofCategory(900, 80, 2),
        text: ofCategory(100, 11, 1),
        tests: ofCategory(12_034, 4_934, 2),
        data: ofCategory(1_000, 1, 1),
        boilerplate: ofCategory(7, 0, 0),
      },
    },
    groups: [
      plainGroup('s1'),
      plainGroup('s2', { worth: 50 }),
      plainGroup('t', { category: 'text' }),
      plainGroup('test1', { category: 'tests', tests: true }),
      plainGroup('test2', { category: 'tests', tests: true, worth: 50 }),
      plainGroup('d', { category: 'data', tests: true }),
    ],
  };
  const sourceAndText =
    `Source: 2 duplicates, 8.8% of 900 lines\n\n${rowOf(1, 's1')}${rowOf(2, 's2')}` +
    `Text: 1 duplicate, 11% of 100 lines\n\n${rowOf(3, 't')}`;
  const ofSections =
    '1 group with 2 passages, 9.1% of source and text (91 of 1,000 lines) in 1,234 files (1.23 s).\n' +
    'By category: source 8.8%, text 11%, tests 41%, data 0.1%, boilerplate 0%.\n';

  test('rows are in sections, tests and data are only counted, and the headline is about source and text', () => {
    check(
      inSections,
      {},
      `${sourceAndText}Tests: 2 duplicates, 41% of 12,034 lines (--all shows them)\n` +
        `Data: 1 duplicate, 0.1% of 1,000 lines (--all shows them)\n\n${ofSections}`,
    );
  });

  test('shows all sections on request, and marks rows in tests where that is not obvious', () => {
    check(
      inSections,
      {},
      `${sourceAndText}Tests: 2 duplicates, 41% of 12,034 lines\n\n${rowOf(4, 'test1')}${rowOf(5, 'test2')}` +
        `Data: 1 duplicate, 0.1% of 1,000 lines\n\n${rowOf(6, 'd').replace('code:', 'code in tests:')}${ofSections}`,
      { all: true },
    );
  });

  test('counts rows beyond the limit of a section without numbers', () => {
    check(
      inSections,
      {},
      `Source: 2 duplicates, 8.8% of 900 lines\n\n${rowOf(1, 's1')}… and 1 more duplicate (--top 0 shows all).\n\n` +
        `Text: 1 duplicate, 11% of 100 lines\n\n${rowOf(2, 't')}` +
        `Tests: 2 duplicates, 41% of 12,034 lines (--all shows them)\n` +
        `Data: 1 duplicate, 0.1% of 1,000 lines (--all shows them)\n\n${ofSections}`,
      { rows: 1 },
    );
  });

  test('whole files alone have no share of lines', () => {
    const files = [
      group({ kind: 'file', type: 'exact', passages: [] }),
      group({ id: 'u', kind: 'file', category: 'tests' }),
    ];
    check(
      {
        totals: { ...totals, categories: { source: ofCategory(900, 80, 1), tests: ofCategory(12_034, 4_934, 1) } },
        groups: files,
      },
      {},
      'Source: 1 duplicate\n\n1. Identical files: 0 files, 6 lines · 60 tokens · 0123456789abcdef\n\n' +
        'Tests: 1 duplicate (--all shows them)\n\n' +
        '2 groups of near-duplicate files, 2 files in 1,234 files, 56,789 lines (1.23 s).\n',
      {},
      'files',
    );
  });

  suite('nested groups', () => {
    const nested = {
      totals: { ...totals, groups: 4, passages: 8 },
      groups: [
        plainGroup('a'),
        group({ id: 'b', parent: 'a', similarity: 0.7 }),
        plainGroup('c', { parent: 'b', kind: 'prose', tests: true }),
        plainGroup('d', { parent: 'a', type: 'renamed' }),
      ],
    };
    const end = summary.replace('1 group with 2', '4 groups with 8');

    test('are counted', () => {
      const row = rowOf(1, 'a').replace('\n\n', '\n   with 3 groups inside it\n\n');
      check(nested, {}, `Source: 1 duplicate\n\n${row}${end}`);
    });

    test('are listed if all are requested', () => {
      const row = rowOf(1, 'a').replace(
        '\n\n',
        '\n   with 3 groups inside it:\n' +
          '     Near copies of code, 70% similar: 2 places, 6 lines\n       a.ts:2-7\n       b.ts:1\n' +
          '       with 1 group inside it:\n' +
          '         Exact copies of text in tests: 0 places, 6 lines\n' +
          '     Renamed copies of code: 0 places, 6 lines\n\n',
      );
      check(nested, {}, `Source: 1 duplicate\n\n${row}${end}`, { all: true });
    });
  });

  suite('files with the same role', () => {
    const shared = (line: number, ...names: readonly string[]): Group =>
      group({
        id: `${line}`,
        worth: 100 - line,
        passages: names.map((name) => passage(`db/${name}Runner.ts`, line, line + 9)),
      });
    const groups = [shared(1, 'mysql', 'sap'), shared(20, 'mysql', 'oracle', 'sap'), shared(40, 'oracle', 'sap')];

    test('are one row, with the lines that each shares with the others, and the places', () => {
      check(
        { groups },
        {},
        'Source: 3 duplicates\n\n1. Runner: 3 files, 3 passages, 70 lines in db\n' +
          '   mysql    20 lines   20 with sap, 10 with oracle\n' +
          '   oracle   20 lines   20 with sap, 10 with mysql\n' +
          '   sap      30 lines   20 with mysql, 20 with oracle\n' +
          '    99%  db/mysqlRunner.ts:1-10\n         db/sapRunner.ts:1-10\n' +
          '    99%  db/mysqlRunner.ts:20-29\n         db/oracleRunner.ts:20-29\n         db/sapRunner.ts:20-29\n' +
          `    99%  db/oracleRunner.ts:40-49\n         db/sapRunner.ts:40-49\n\n${summary}`,
      );
    });

    test('say which file contains another one', () => {
      const pairs = [{ a: 0, b: 1, similarity: 0.1, distance: 9, containment: [0.1, 0.91] as [number, number] }];
      const passages = [passage('db/mysqlRunner.ts', 1, 320), passage('db/sapRunner.ts', 1, 34)];
      const containing = group({ id: 'c', kind: 'file', similarity: 0.1, worth: 9, passages, pairs, inside: 1 });
      check(
        { groups: [...groups, containing], totals: { ...totals, groups: 2, passages: 4 } },
        {},
        'Source: 4 duplicates\n\n1. Runner: 3 files, 4 passages, 98 lines in db\n' +
          '   mysql    34 lines   34 with sap, 10 with oracle\n' +
          '   oracle   20 lines   20 with sap, 10 with mysql\n' +
          '   sap      44 lines   34 with mysql, 20 with oracle\n' +
          '    99%  db/mysqlRunner.ts:1-10\n         db/sapRunner.ts:1-10\n' +
          '    99%  db/mysqlRunner.ts:20-29\n         db/oracleRunner.ts:20-29\n         db/sapRunner.ts:20-29\n' +
          '    99%  db/oracleRunner.ts:40-49\n         db/sapRunner.ts:40-49\n' +
          `    91%  of sapRunner.ts is in mysqlRunner.ts\n\n${summary}1 group of near-duplicate files, 2 files.\n`,
      );
    });

    test('are counted beyond the sixth, and so are the others beyond the third', () => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
      const all = [1, 20, 40].map((line) => shared(line, ...names));
      const lines = names.slice(0, 6).map((name) => {
        const others = names.filter((other) => other !== name).slice(0, 3);
        return `   ${name}   30 lines   ${others.map((other) => `30 with ${other}`).join(', ')}\n`;
      });
      const places = [1, 20, 40].map((line) => {
        const [first, ...others] = names.slice(0, 4).map((name) => `db/${name}Runner.ts:${line}-${line + 9}\n`);
        return `    99%  ${first}${others.map((place) => `         ${place}`).join('')}         … and 3 more places\n`;
      });
      check(
        { groups: all },
        {},
        'Source: 3 duplicates\n\n1. Runner: 7 files, 3 passages, 210 lines in db\n' +
          `${lines.join('')}   … and 1 more file\n${places.join('')}\n${summary}`,
      );
    });
  });

  suite('two files with several passages in common', () => {
    const match = (id: string, line: number, similarity: number): Group =>
      group({
        id,
        similarity,
        worth: 100 - line,
        passages: [passage('p/one.go', line, line + 9), passage('p/other.go', line, line)],
      });
    const groups = [1, 22, 33, 44, 55, 66].map((line, place) => match(`${place}`, line, 1 - place / 10));
    const pairOf = (paths: [string, string], ids: readonly string[]): FilePair => ({
      paths,
      groups: ids,
      lines: [61, 7],
      shares: [0.61, 0.07],
      category: 'source',
      worth: 90,
    });
    const files = [pairOf(['p/one.go', 'p/other.go'], ['0', '1', '2', '3', '4', '5'])];
    const heading = 'Source: 6 duplicates\n\n1. one.go and other.go: 6 passages, 61% and 7% of their lines\n';

    test('are one row, with the places side by side', () => {
      check(
        { groups, files },
        {},
        `${heading}   100%  p/one.go:1-10   p/other.go:1\n    90%  p/one.go:22-31  p/other.go:22\n` +
          '    80%  p/one.go:33-42  p/other.go:33\n    70%  p/one.go:44-53  p/other.go:44\n' +
          `    60%  p/one.go:55-64  p/other.go:55\n         … and 1 more passage\n\n${summary}`,
      );
    });

    test('are one below the other if there is no space, or if there are more than two', () => {
      const third = { ...groups[1], passages: [...groups[1].passages, passage('p/other.go', 77, 78)] };
      const two = [groups[0], groups[1]];
      const pair = [pairOf(['p/one.go', 'p/other.go'], ['0', '1'])];
      const shown = heading.replace('6 passages', '2 passages').replace('6 duplicates', '2 duplicates');
      const first = '   100%  p/one.go:1-10\n         p/other.go:1\n';
      const second = '    90%  p/one.go:22-31\n         p/other.go:22\n';
      check({ groups: two, files: pair }, {}, `${shown}${first}${second}\n${summary}`, { width: 37 });
      check(
        { groups: [groups[0], third], files: pair },
        {},
        `${shown}${first}${second}         p/other.go:77-78\n\n${summary}`,
      );
    });

    test('show folders if their names are equal', () => {
      const ofOneName = [
        group({ id: '0', passages: [passage('lib/v1/io/a.go', 1, 2), passage('lib/v2/io/a.go', 3, 4)], worth: 61 }),
        group({ id: '1', passages: [passage('lib/v1/io/a.go', 5, 6), passage('lib/v2/io/a.go', 7, 8)] }),
      ];
      check(
        { groups: ofOneName, files: [pairOf(['lib/v1/io/a.go', 'lib/v2/io/a.go'], ['0', '1'])] },
        {},
        'Source: 2 duplicates\n\n1. io/a.go in v1 and v2: 2 passages, 61% and 7% of their lines\n' +
          '    99%  lib/v1/io/a.go:1-2  lib/v2/io/a.go:3-4\n' +
          `    99%  lib/v1/io/a.go:5-6  lib/v2/io/a.go:7-8\n\n${summary}`,
        { width: 80 },
      );
    });
  });

  suite('folders that repeat each other', () => {
    const here = (id: string, changes: Partial<Group>, ...places: readonly [string, number, number][]): Group =>
      group({ id, ...changes, passages: places.map(([name, from, to]) => passage(name, from, to)) });
    const groups = [
      here('0', { kind: 'file', lines: 1_234 }, ['lib/7.4/call.c', 1, 1_234], ['lib/7.5/call.c', 1, 1_200]),
      here('1', { worth: 50 }, ['lib/7.4/a.c', 3, 8], ['lib/7.5/a.c', 5, 5]),
      here('2', { worth: 40 }, ['lib/7.4/a.c', 3, 8], ['lib/7.5/b.c', 5, 9], ['lib/7.5/b.c', 15, 19]),
      here(
        '3',
        {
          kind: 'file',
          similarity: 0.05,
          worth: 30,
          inside: 1,
          pairs: [{ a: 0, b: 1, similarity: 0.05, distance: 9, containment: [0.05, 0.83] }],
        },
        ['lib/7.4/all.c', 1, 9_999],
        ['lib/7.5/one.c', 1, 120],
      ),
      here('4', { worth: 20 }, ['lib/7.4/p.c', 1, 6], ['lib/7.5/p.c', 2, 7]),
      here('5', { worth: 10 }, ['lib/7.4/p.c', 11, 16], ['lib/7.5/p.c', 12, 17]),
    ];
    const folders: FolderGroup = {
      paths: ['lib/7.4', 'lib/7.5'],
      files: [12, 1_000],
      alike: [9, 11],
      lines: [1_100, 99],
      shares: [0.5, 0.069],
      passages: 13,
      groups: ['0', '1', '2', '3', '4', '5'],
      category: 'source',
      worth: 500,
    };
    const files: FilePair[] = [
      {
        paths: ['lib/7.4/p.c', 'lib/7.5/p.c'],
        groups: ['4', '5'],
        lines: [12, 12],
        shares: [0.3, 0.2],
        category: 'source',
        worth: 30,
      },
    ];
    const heading =
      '1. Folders that repeat each other: 7.4 and 7.5 in lib\n' +
      '   7.4       9 of 12 files alike   1,100 lines   50%\n' +
      '   7.5   11 of 1,000 files alike      99 lines    6%\n';
    const first =
      '      99%  call.c · 1,234 lines\n' +
      '      99%  a.c:3-8 and 5 · 6 lines\n' +
      '      99%  7.4/a.c:3-8 and 7.5/b.c (2 places) · 6 lines\n';
    const others =
      '      83%  of 7.5/one.c is in 7.4/all.c · 120 lines\n' +
      '           p.c: 2 passages, 30% and 20% of their lines\n';

    test('come first, with the difference of their paths and the first rows in them', () => {
      check(
        { totals: { ...totals, groups: 6, passages: 12 }, folders: [folders], groups, files },
        {},
        `Folders: 1 row\n\n${heading}${first}           … and 2 more rows (kindred folders shows more).\n\n` +
          summary.replace('1 group with 2', '4 groups with 8') +
          '2 groups of near-duplicate files, 4 files.\n',
      );
    });

    test('are shown alone, with the requested number of rows', () => {
      const end = '1 group of folders that repeat each other, 2 folders in 1,234 files, 56,789 lines (1.23 s).\n';
      const alone = { folders: [folders], groups: [...groups, group({ id: 'x' })], files };
      check(alone, {}, `Folders: 1 row\n\n${heading}${first}${others}\n${end}`, { inFolders: 9 }, 'folders');
      const more = '           … and 2 more rows (--top 0 shows all).\n';
      check(alone, {}, `Folders: 1 row\n\n${heading}${first}${more}\n${end}`, {}, 'folders');
    });

    test('are counted as rows if there are more than are shown', () => {
      const more = '… and 1 more row (--top 0 shows all).\n';
      const end = '2 groups of folders that repeat each other, 2 folders in 1,234 files, 56,789 lines (1.23 s).\n';
      const twice = { folders: [folders, { ...folders, worth: 400 }], groups, files };
      const inside = '           … and 5 more rows (--top 0 shows all).\n';
      const expected = `Folders: 2 rows\n\n${heading}${inside}\n${more}\n${end}`;
      check(twice, {}, expected, { folders: 1, inFolders: 0 }, 'folders');
    });

    test('show the differing middle of their paths, or full paths without a common part', () => {
      const heads = (paths: readonly string[], expected: string): void => {
        const pair = { ...folders, paths, groups: [], files: [1, 1], alike: [1, 0], lines: [1, 2], shares: [1, 0] };
        check(
          { folders: [pair], groups: [], totals: { ...totals, groups: 0 } },
          {},
          `Folders: 1 row\n\n${expected}\n${nothing}`,
        );
      };
      heads(
        ['lib/7.4/src', 'lib/7.5/src'],
        '1. Folders that repeat each other: 7.4 and 7.5 in lib/…/src\n' +
          '   7.4   1 of 1 file alike    1 line   100%\n   7.5   0 of 1 file alike   2 lines     0%\n',
      );
      heads(
        ['bytes', 'strings'],
        '1. Folders that repeat each other: bytes and strings\n' +
          '   bytes     1 of 1 file alike    1 line   100%\n   strings   0 of 1 file alike   2 lines     0%\n',
      );
    });

    test('may be absent', () => {
      const none = 'No folders repeat each other in 1,234 files, 56,789 lines (1.23 s).\n';
      check({ groups }, {}, none, {}, 'folders');
    });
  });

  test('counts skipped files by reason, and names the largest and the unreadable ones', () => {
    const large = (path: string, size: string): Findings['skipped'][0] => ({
      path,
      reason: `too large (${size}, limit 1 MB)`,
      setting: 'maxFileSize',
    });
    check(
      {
        totals: { ...totals, groups: 0 },
        complete: false,
        skipped: [
          large('b', '2 MB'),
          large('c', '300 MB'),
          large('d', '1.5 MB'),
          large('e', '900 MB'),
          { path: 'f', reason: 'too large for any limit (3 GB)' },
          { path: 'x.min.js', reason: 'minified', setting: 'generated' },
          { path: 'y.png', reason: 'binary' },
          { path: 'z\u001b[2J', reason: 'unreadable (permission denied)' },
        ],
      },
      {},
      'Incomplete: 1 file could not be read (z·[2J).\n\n' +
        nothing +
        'Excluded:\n' +
        '   4 × too large (--max-file-size reads them): e (900 MB), c (300 MB), b (2 MB), …\n' +
        '   1 × binary\n' +
        '   1 × minified (--generated reads them)\n' +
        '   1 × too large for any limit (--max-file-size is at most 1 GB): f (3 GB)\n' +
        '   1 × unreadable: z·[2J (permission denied)\n' +
        'The scan was interrupted; the results are incomplete.\n',
    );
  });
});
