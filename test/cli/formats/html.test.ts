/** The HTML report as a file. Its behavior in a browser is tested in test/browser. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type JsonReport, kindred } from '../kindred.ts';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { dataIn } from './pageData.ts';
import { awkwardFiles } from './reports.ts';

async function inFolder(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = makeFolder(files);
  try {
    await use(folder);
  } finally {
    removeFolder(folder);
  }
}

suite('html', () => {
  test('contains all groups of the report and the texts of its rows, and is reproducible', async () => {
    await inFolder(awkwardFiles, async (folder) => {
      const commandArguments = ['scan', '--format', 'html=a.html,json=a.json', '--include', '*.ts'];
      assert.equal((await kindred(commandArguments, { cwd: folder })).code, 0);
      const html = readFileSync(path.join(folder, 'a.html'), 'utf8');
      const report = JSON.parse(readFileSync(path.join(folder, 'a.json'), 'utf8')) as JsonReport;
      const data = dataIn(html);
      assert.deepEqual(
        data.groups.map(({ id }) => id),
        report.groups.map(({ id }) => id),
      );
      const [first] = report.groups[0].passages;
      const lines = awkwardFiles[first.path].split('\n').slice(first.startLine - 1, first.endLine);
      assert.equal(data.texts['0 0'], lines.join('\n'));
      await kindred(['scan', '--format', 'html=b.html', '--include', '*.ts'], { cwd: folder });
      assert.equal(readFileSync(path.join(folder, 'b.html'), 'utf8'), html);
    });
  });

  test('shows file names as text, and loads nothing', async () => {
    await inFolder(awkwardFiles, async (folder) => {
      const html = (await kindred(['scan', '--format', 'html'], { cwd: folder })).stdout;
      assert.ok(html.includes('=cmd`|&lt;&amp;&gt;&quot;é.ts'));
      assert.match(html, /default-src 'none'/);
      assert.doesNotMatch(html, /<(?:link|img|iframe|script)\b[^>]*\b(?:src|href)=/);
    });
  });
});
