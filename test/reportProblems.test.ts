/** Tests of the validation of reports: each kind of problem is detected. */
import assert from 'node:assert/strict';
import type { FilePair, Findings, FolderGroup, Group } from '../src/core/engine/report/report.ts';
import { findingsOf } from './engine/corpusOf.ts';
import { drawing, harbour, parsing, quarry } from './passages.ts';
import { reportProblems } from './reportProblems.ts';

/** A report with writable properties. */
type Changeable<Value> = { -readonly [Key in keyof Value]: Changeable<Value[Key]> };

const documents: Record<string, string> = {
  'a.ts': `${parsing}\n${drawing}`,
  'b.ts': `${drawing}// ö\n${parsing}`,
  'c.md': `${harbour}\n`,
  'd.md': `${quarry}\n\n${harbour} 😀\n`,
};

suite('problems of a report', () => {
  const report = findingsOf(documents);

  test('do not exist in a real report', () => {
    assert.deepEqual(
      report.groups.map(({ kind }) => kind),
      ['file', 'code', 'code', 'file', 'prose'],
    );
    assert.deepEqual(
      reportProblems(report, (path) => documents[path]),
      [],
    );
  });

  const wrong: Readonly<Record<string, (report: Changeable<Findings>, group: Changeable<Group>) => void>> = {
    'does not fit its schema': (it) => (it.totals.files = -1),
    'totals.groups is 6': (it) => it.totals.groups++,
    'totals.passages is 9': (it) => it.totals.passages--,
    'totals.skipped is 1': (it) => it.totals.skipped++,
    'totals.files is 3': (it) => (it.totals.files = 3),
    'totals.duplicatedLines is': (it) => it.totals.duplicatedLines++,
    'more lines are duplicated than there are': (it) => (it.totals.lines = 5),
    'totals.duplicatedPercent is': (it) => (it.totals.duplicatedPercent = 1),
    'skipped: a is behind b': (it) => {
      it.skipped = ['b', 'a'].map((path) => ({ path, reason: 'unreadable' }));
      it.totals.skipped = 2;
    },
    'two groups have the id': (it, group) => (it.groups.at(-1)!.id = group.id),
    'is behind': (it) => it.groups.reverse(),
    'is not behind its parent': (_, group) => (group.parent = 'ffffffffffffffff'),
    'is not right behind its parent': (it) => (it.groups[4].parent = it.groups[0].id),
    'the category source has 9 rows': (it) => (it.totals.categories.source!.rows = 9),
    'the categories have': (it) => it.totals.categories.text!.lines++,
    'is no row, or is in two of them': (it) => it.files.push(pairOf(it.groups[1])),
    'are worth 1, and their rows': (it) => it.folders.push({ ...foldersOf(it.groups[0]), worth: 1 }),
    'is in a text of 32 lines': (_, { passages }) => (passages[0].endLine = 99),
    'ends before it starts': (_, { passages }) => (passages[1].endLine = passages[1].startLine - 1),
    'starts behind its line': (_, { passages }) => (passages[0].startColumn = 99),
    'ends behind its line': (_, { passages }) => (passages[0].endColumn = 99),
    'begins with a blank': (_, { passages }) => {
      passages[0].startLine++;
      passages[0].startColumn = 1;
    },
    'ends before its last line': (_, { passages }) => (passages[0].endColumn = 1),
    'begins or ends in the middle of a character': (it) => {
      const passage = it.groups[4].passages[1];
      passage.endColumn += 2;
    },
    'have text in common': (_, { passages }) => {
      passages[1].path = passages[0].path;
      passages[1].startLine = passages[0].endLine;
    },
    'is behind z.ts': (_, { passages }) => (passages[0].path = 'z.ts'),
    'is no whole file': (it) => it.groups[0].passages[0].startLine++,
    'is none of 2 passages': (_, { pairs }) => (pairs[0].b = 2),
    'is there twice': (_, { pairs }) => pairs.push(pairs[0]),
    'is in no pair': (_, { passages }) => passages.push({ ...passages[1], path: 'd.md' }),
    'is of another kind': (_, { pairs }) => (pairs[0].containment = [1, 1]),
    'it is not two files': (_, group) => (group.inside = 0),
    'is not the smaller file': (it) => (it.groups[3].inside = 1),
    'is not inside the other': (it) => (it.groups[3].pairs[0].containment![0] = 0.7),
    'is less alike than the group says': (it) => (it.groups[0].pairs[0].similarity = 0.01),
    'in an exact group': (_, { pairs }) => (pairs[0].similarity = 0.5),
    'no pair is alike by 0.5': (_, group) => (group.similarity = 0.5),
    'its longest passage has 15 lines, not 16': (_, group) => group.lines++,
    'its longest passage has 197 tokens, not 198': (_, group) => group.tokens++,
  };
  for (const [problem, spoil] of Object.entries(wrong)) {
    test(`are reported: ${problem}`, () => {
      const spoilt = structuredClone(report) as Changeable<Findings>;
      spoil(
        spoilt,
        spoilt.groups.find(({ tokens }) => tokens === 197)!,
      );
      const problems = reportProblems(spoilt, (path) => documents[path]);
      assert.ok(problems.join('\n').includes(problem), problems.join('\n'));
    });
  }

  test('include passages that are smaller than the minimum', () => {
    const problemsOf = (minTokens: number, minLines: number): string => {
      const options = { minTokens, minLines, prose: { minWords: 1 } };
      return reportProblems({ ...report, options } as Findings, (path) => documents[path]).join('\n');
    };
    const sizes = /of at least|no passage has/;
    assert.doesNotMatch(problemsOf(1, 15), sizes);
    assert.match(problemsOf(1, 16), /no passage has 16 lines/);
    assert.match(problemsOf(198, 1), /197 tokens, of at least 198/);
    // Any group that is long enough.
    const first = report.groups.find(({ tokens }) => tokens === 197)!;
    const shorter = first.passages.map((passage, i) =>
      i === 0 ? { ...passage, startLine: passage.startLine + 1 } : passage,
    );
    const options = { minTokens: 1, minLines: 15, prose: { minWords: 1 } };
    const groups = report.groups.map((group) => (group === first ? { ...first, passages: shorter } : group));
    assert.doesNotMatch(
      reportProblems({ ...report, groups, options } as Findings, (path) => documents[path]).join('\n'),
      sizes,
    );
  });
});

/** Returns a pair of files that names a group twice. */
function pairOf({ id, worth }: Group): Changeable<FilePair> {
  return { paths: ['a.ts', 'b.ts'], groups: [id, id], lines: [1, 1], shares: [1, 1], category: 'source', worth };
}

function foldersOf({ id, worth }: Group): Changeable<FolderGroup> {
  const counts = { files: [1, 1], alike: [1, 1], lines: [1, 1], shares: [1, 1], passages: 2 };
  return { paths: ['a.ts', 'b.ts'], ...counts, groups: [id], category: 'source', worth };
}
