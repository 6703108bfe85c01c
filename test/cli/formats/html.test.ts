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
      const given = ['scan', '--format', 'html=a.html,json=a.json', '--include', '*.ts'];
      assert.equal((await kindred(given, { cwd: folder })).code, 0);
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

  test('is less than 2 MB with 4,000 groups', async () => {
    // Names that compress badly, in statements of many forms, so that only the intended parts are similar.
    let seed = 1;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const word = (): string => `w${random(2 ** 30).toString(36)}`;
    const forms: readonly (() => string)[] = [
      () => `${word()}.${word()}(${word()}, ${word()});`,
      () => `const ${word()} = [${word()}, ${word()}, '${word()}'];`,
      () => `if (${word()} > ${random(900)}) ${word()}();`,
      () => `return ${word()} ? ${word()} : new ${word()}(${word()});`,
      () => `for (const ${word()} of ${word()}) ${word()} += ${random(900)};`,
      () => `${word()}[${word()}] = { ${word()}, ${word()}: ${random(900)} };`,
      () => `throw ${word()} ?? await ${word()}('${word()}', ${word()} => ${word()});`,
    ];
    const lines = (count: number): string[] => Array.from({ length: count }, () => forms[random(forms.length)]());
    const files: Record<string, string> = {};
    for (let file = 0; file < 84; file++) {
      const parts = Array.from({ length: 50 }, () => lines(12).join('\n'));
      const apart = (some: readonly string[]): string => some.map((part) => [...lines(8), part].join('\n')).join('\n');
      files[`${word()}/left.ts`] = apart(parts);
      files[`${word()}/right.ts`] = apart([...parts].reverse());
    }
    await inFolder(files, async (folder) => {
      assert.equal((await kindred(['scan', '--no-renamed', '--format', 'html=a.html'], { cwd: folder })).code, 0);
      const html = readFileSync(path.join(folder, 'a.html'));
      const data = dataIn(html.toString());
      assert.ok(data.groups.length >= 4_000, `${data.groups.length} groups`);
      assert.ok(html.length < 2_000_000, `${html.length} bytes`);
      assert.ok(Object.keys(data.texts).length > 200, `${Object.keys(data.texts).length} texts`);
    });
  });
});
