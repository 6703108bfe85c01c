/** The size of the HTML report of a large tree. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dataIn } from '../cli/formats/pageData.ts';
import { kindred } from '../cli/kindred.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

suite('html report', () => {
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
    const folder = makeFolder(files);
    try {
      assert.equal((await kindred(['scan', '--no-renamed', '--format', 'html=a.html'], { cwd: folder })).code, 0);
      const html = readFileSync(path.join(folder, 'a.html'));
      const data = dataIn(html.toString());
      assert.ok(data.groups.length >= 4_000, `${data.groups.length} groups`);
      assert.ok(html.length < 2_000_000, `${html.length} bytes`);
      assert.ok(Object.keys(data.texts).length > 200, `${Object.keys(data.texts).length} texts`);
    } finally {
      removeFolder(folder);
    }
  });
});
