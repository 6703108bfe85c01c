import assert from 'node:assert/strict';
import { renderMarkdown } from '../../../src/surfaces/cli/formats/markdown.ts';
import { maxCharacters } from '../../../src/surfaces/cli/formats/markdownPieces.ts';
import type { ScanReport } from '../../../src/surfaces/cli/scanReport.ts';
import { checked, inAwkwardTree, nowhere, textOf } from './reports.ts';

suite('markdown', () => {
  test('lists new groups first, and counts known and ignored ones', async () => {
    await inAwkwardTree((report) => {
      const text = textOf(renderMarkdown(checked(report), nowhere));
      assert.match(
        text,
        /^<!-- kindred -->\n## Kindred: 1 new duplicate\n\n❌ 1 new group; at most 0 are allowed \(--max-new\)\./,
      );
      const [group] = report.findings.groups;
      const [place] = /^- .* — new$/m.exec(text)!;
      assert.ok(place.includes(group.passages[1].path), place);
      assert.ok(text.indexOf(place) < text.indexOf('\n1 known group.\n'));
      assert.match(text, /\n1 group ignored\.\n/);
      assert.match(text, /<summary>First lines<\/summary>\n\n```ts\n.*export function/);
    });
  });

  test('escapes markup in file names, and keeps table cells intact', async () => {
    await inAwkwardTree((report) => {
      const text = textOf(renderMarkdown(report, nowhere));
      assert.ok(/- ``src\/=cmd`\|<&>"é\.ts:61-\d+``\n/.test(text), text);
      // The first five groups are shown in full.
      const { groups } = report.findings;
      const many = [...groups, ...groups, ...groups, ...groups].map((group, at) => ({ ...group, id: String(at) }));
      const table = textOf(renderMarkdown({ ...report, findings: { ...report.findings, groups: many } }, nowhere));
      const row = table.split('\n').find((line) => line.startsWith('|') && line.includes('=cmd'))!;
      assert.equal(row.replaceAll('\\|', '').split('|').length, 7, row);
    });
  });

  test('fits into a comment, with all folds closed', async () => {
    await inAwkwardTree((report) => {
      const [group] = report.findings.groups;
      const passages = Array.from({ length: 40 }, (_, at) => ({
        ...group.passages[0],
        path: `${'deep/'.repeat(60)}${at}`,
      }));
      const groups = Array.from({ length: 3_000 }, (_, at) => ({ ...group, id: `${at}`, passages }));
      const crowd: ScanReport = { ...report, findings: { ...report.findings, groups } };
      const judged = groups.map((one, at) => (at < 1_000 ? { ...one, isNew: true as const } : one));
      const check = { ...checked(report).check!, message: 'Too many.' };
      for (const one of [crowd, { ...crowd, findings: { ...report.findings, groups: judged }, check }]) {
        const text = textOf(renderMarkdown(one, nowhere));
        assert.ok(text.length <= maxCharacters && text.length > 10_000, String(text.length));
        assert.equal(text.split('<details>').length, text.split('</details>').length);
      }
    });
  });

  test('links places if a service shows the lines', async () => {
    await inAwkwardTree((report) => {
      const github = {
        GITHUB_SERVER_URL: 'https://github.test',
        GITHUB_REPOSITORY: 'o/r',
        GITHUB_SHA: '0123abc',
      };
      const text = textOf(renderMarkdown(report, { prefix: 'deep/', environment: github }));
      assert.match(
        text,
        /\(https:\/\/github\.test\/o\/r\/blob\/0123abc\/deep\/src\/b%20%5B1%5D%2C%2050%25%3A%20%28x%29\.ts#L61-L\d+\)/,
      );
      const gitlab = { CI_PROJECT_URL: 'https://gitlab.test/o/r', CI_COMMIT_SHA: '0123abc' };
      assert.match(
        textOf(renderMarkdown(report, { prefix: '', environment: gitlab })),
        /r\/-\/blob\/0123abc\/src\/a\.ts#L1-\d+\)/,
      );
    });
  });

  test('reports that there are no findings', async () => {
    await inAwkwardTree((report) => {
      const text = textOf(renderMarkdown({ ...report, findings: { ...report.findings, groups: [] } }, nowhere));
      assert.match(text, /^<!-- kindred -->\n## Kindred: no near-duplicates\n/);
    });
  });
});
