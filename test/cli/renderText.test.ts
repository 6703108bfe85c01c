import assert from 'node:assert/strict';
import { plain } from '../../src/cli/colours.ts';
import { renderText, type TextView } from '../../src/cli/renderText.ts';
import type { Findings, Group, Passage } from '../../src/engine/report/report.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

const totals = {
  ...{ files: 1_234, lines: 56_789, tokens: 400_000, groups: 1, passages: 2 },
  ...{ duplicatedLines: 12, duplicatedPercent: 0.02, skipped: 0 },
};

function passage(path: string, startLine: number, endLine: number): Passage {
  return { path, startLine, startColumn: 1, endLine, endColumn: 2, tokens: 60 };
}

function group(changes: Partial<Group>): Group {
  return {
    ...{ id: '0123456789abcdef', kind: 'code', type: 'near', similarity: 0.9996, lines: 6, tokens: 60 },
    passages: [passage('a.ts', 2, 7), passage('b.ts', 1, 1)],
    pairs: [{ a: 0, b: 1, similarity: 0.9996, distance: 1 }],
    ...changes,
  };
}

suite('renderText', () => {
  let folder = '';
  teardown(() => removeFolder(folder));

  /** What is shown of these findings, with these files on disk. */
  function check(
    findings: Partial<Findings>,
    files: Readonly<Record<string, string>>,
    expected: string,
    view: Partial<TextView> = {},
  ): void {
    removeFolder(folder);
    folder = makeFolder(files);
    const report = {
      scope: 'all' as const,
      tool: { name: 'kindred', version: '0.0.0' } as const,
      root: folder,
      options: {},
      findings: { complete: true, totals, groups: [], skipped: [], ...findings },
      hidden: [],
      elapsedMs: 1_234,
    };
    const text = [...renderText(report, { colours: plain, width: 40, top: 50, from: folder, ...view })].join('');
    assert.equal(text, expected);
  }

  const summary = '1 group with 2 passages, 12 of 56,789 lines (0.02 %) in 1,234 files (1.23 s).\n';

  test('a near copy is never 100 % similar; the preview has no indentation, no empty lines, and fits', () => {
    check(
      { groups: [group({})] },
      { 'a.ts': `// 1\n{\n\t\tfirst();\n\n\t\t\tsecond(${'x'.repeat(60)});\n\t\tthird();\n\t\tfourth();\n` },
      '1. Near copies of code, 99 % similar: 2 places, 6 lines · 60 tokens · 0123456789abcdef\n' +
        '   a.ts:2-7\n   b.ts:1\n' +
        `     first();\n       second(${'x'.repeat(25)}…\n     third();\n\n${summary}`,
    );
  });

  test('kinds and types have their words; of many places, ten are shown; a file that is gone has no preview', () => {
    const many = Array.from({ length: 12 }, (_, place) => passage(`${place}.md`, 1, 3));
    const places = many.slice(0, 10).map(({ path }) => `   ${path}:1-3\n`);
    check(
      {
        groups: [
          group({ kind: 'prose', type: 'exact', passages: many }),
          group({ type: 'renamed', lines: 1, tokens: 1 }),
        ],
      },
      {},
      `1. Exact copies of text: 12 places, 6 lines · 60 tokens · 0123456789abcdef\n${places.join('')}   … and 2 more places\n\n` +
        '2. Renamed copies of code: 2 places, 1 line · 1 token · 0123456789abcdef\n   a.ts:2-7\n   b.ts:1\n\n' +
        summary,
    );
  });

  test('files come after passages, with what lies inside what', () => {
    const pairOf = (similarity: number, ofA: number, ofB: number): Group['pairs'] => [
      { a: 0, b: 1, similarity, distance: 9, containment: [ofA, ofB] },
    ];
    check(
      {
        totals: { ...totals, groups: 5, passages: 10 },
        groups: [
          group({ passages: [] }),
          group({ kind: 'file', type: 'exact', similarity: 1, pairs: pairOf(1, 1, 1) }),
          group({ kind: 'file', similarity: 0.876, pairs: pairOf(0.876, 0.9, 0.96) }),
          group({ kind: 'file', similarity: 0.6, pairs: pairOf(0.6, 0.7, 0.96) }),
          group({ kind: 'file', similarity: 0.1, pairs: pairOf(0.1, 0.99, 0.12), inside: 0 }),
        ],
      },
      {},
      '1. Near copies of code, 99 % similar: 0 places, 6 lines · 60 tokens · 0123456789abcdef\n\n' +
        '2. Identical files: 2 files, 6 lines · 60 tokens · 0123456789abcdef\n   a.ts\n   b.ts\n\n' +
        '3. Near-duplicate files, 87 % similar: 2 files, 6 lines · 60 tokens · 0123456789abcdef\n   a.ts\n   b.ts\n\n' +
        '4. Near-duplicate files, 60 % similar: 2 files, 6 lines · 60 tokens · 0123456789abcdef\n   a.ts\n   b.ts\n\n' +
        '5. A file contained in another: 2 files, 6 lines · 60 tokens · 0123456789abcdef\n   a.ts\n   b.ts\n' +
        `     99 % of a.ts is in b.ts\n\n${summary}4 groups of near-duplicate files, 2 files.\n`,
    );
  });

  test('likeness is the percentage that the report has', () => {
    check(
      { groups: [0.29, 0.57, 0.58].map((similarity) => group({ similarity, passages: [] })) },
      {},
      [29, 57, 58]
        .map((it, place) => `${place + 1}. Near copies of code, ${it} % similar: 0 places, 6 lines`)
        .map((heading) => `${heading} · 60 tokens · 0123456789abcdef\n\n`)
        .join('') + summary,
    );
  });

  test('passages and files have a top of their own', () => {
    const files = group({ kind: 'file' });
    check(
      { totals: { ...totals, groups: 4, passages: 8 }, groups: [group({}), group({}), files, files] },
      {},
      '… and 2 more groups (--top 0 shows all).\n\n… and 2 more groups of files (--top 0 shows all).\n\n' +
        '2 groups with 4 passages, 12 of 56,789 lines (0.02 %) in 1,234 files (1.23 s).\n' +
        '2 groups of near-duplicate files, 2 files.\n',
      { top: 0 },
    );
  });

  test('windows in crowds are counted', () => {
    const crowd = 'Windows with too many near matches, compared only with the nearest: 1,234.\n';
    check({ totals: { ...totals, crowdedWindows: 1234 } }, {}, `${summary}${crowd}`);
  });

  test('what is beyond the top is counted', () => {
    check({ groups: [group({}), group({}), group({})] }, {}, `… and 3 more groups (--top 0 shows all).\n\n${summary}`, {
      top: 0,
    });
  });

  test('what was left out is counted by reason; the largest and the unreadable are named', () => {
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
          large('e', '3 GB'),
          { path: 'x.min.js', reason: 'minified', setting: 'generated' },
          { path: 'y.png', reason: 'binary' },
          { path: 'z\u001b[2J', reason: 'unreadable (permission denied)' },
        ],
      },
      {},
      'No near-duplicates in 1,234 files, 56,789 lines (1.23 s).\n' +
        'Excluded:\n' +
        '   4 × too large (--max-file-size reads them): e (3 GB), c (300 MB), b (2 MB), …\n' +
        '   1 × binary\n' +
        '   1 × minified (--generated reads them)\n' +
        '   1 × unreadable: z·[2J (permission denied)\n' +
        'The scan was interrupted; the results are incomplete.\n',
    );
  });
});
