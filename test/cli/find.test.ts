/** `kindred find`: finds near-duplicates of a passage or of standard input. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, parsing, parsingRenamed } from '../passages.ts';
import { kindred, type Surroundings } from './kindred.ts';

interface Answer {
  readonly text: { readonly path?: string; readonly startLine?: number; readonly endLine?: number };
  readonly total: number;
  readonly tooShort: boolean;
  readonly passages: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    type: string;
  }[];
}

suite('kindred find', () => {
  let folder = '';

  suiteSetup(() => {
    folder = makeFolder({
      'src/a.ts': parsing,
      'src/b.ts': drawing + parsing,
      'src/c.ts': `let x = 1;\n${parsingRenamed}`,
      'other/d.ts': parsing,
      'src/two.ts': 'class A {\n  twice() {\n    return 2;\n  }\n}\nclass B {\n  twice() {\n    return 2;\n  }\n}\n',
    });
  });

  suiteTeardown(() => removeFolder(folder));

  async function json(commandArguments: readonly string[], more: Partial<Surroundings> = {}): Promise<Answer> {
    const { code, stdout, stderr } = await kindred(['find', ...commandArguments, '--format', 'json'], {
      cwd: folder,
      ...more,
    });
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout) as Answer;
  }

  function places({ passages }: Answer): string[] {
    return passages.map((passage) => `${passage.path}:${passage.startLine}-${passage.endLine} ${passage.type}`);
  }

  test('finds the copies of a range, but not the range itself', async () => {
    const answer = await json(['src/a.ts:1-15']);
    assert.deepEqual(places(answer), ['other/d.ts:1-15 exact', 'src/b.ts:16-30 exact', 'src/c.ts:2-16 renamed']);
    assert.deepEqual([answer.text.path, answer.text.startLine, answer.text.endLine], ['src/a.ts', 1, 15]);
  });

  test('finds text from standard input, in the named language', async () => {
    for (const language of ['typescript', 'ts', '.ts', 'src/new.ts']) {
      const answer = await json(['--stdin', '--language', language], { input: parsing });
      assert.equal(answer.total, 4, language);
      assert.equal(places(answer)[0], 'other/d.ts:1-15 exact');
    }
  });

  test('searches only the given files, with the given limits', async () => {
    assert.deepEqual(places(await json(['src/a.ts', '--in', 'other'])), ['d.ts:1-15 exact']);
    assert.equal(
      (await json(['src/a.ts:1-15', '--min-similarity', '1'])).passages.every(({ type }) => type !== 'near'),
      true,
    );
    assert.equal((await json(['src/a.ts:1-15', '--most', '1'])).passages.length, 1);
    assert.equal((await json(['src/a.ts:1-15', '--most', '1'])).total, 3);
  });

  test('has the same result with a cache', async () => {
    const cache = path.join(folder, 'cache');
    const without = places(await json(['src/a.ts:1-15']));
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(places(await json(['src/a.ts:1-15', '--cache', cache])), without);
    }
  });

  test('prints the place, the similarity, and the matching part of the text', async () => {
    const { stdout } = await kindred(['find', 'src/a.ts:1-15'], { cwd: folder });
    const [head, ...lines] = stdout.trimEnd().split('\n');
    assert.match(head, /^src\/a\.ts:1-15 \(\d+ tokens\): 3 near-duplicates$/);
    assert.deepEqual(
      lines.map((line) => line.trim().split(/ {2,}/)),
      [
        ['100%', 'exact', path.join('other', 'd.ts:1-15')],
        ['100%', 'exact', path.join('src', 'b.ts:16-30')],
        ['99%', 'renamed', path.join('src', 'c.ts:2-16')],
      ],
    );
    const short = await kindred(['find', 'src/c.ts:1'], { cwd: folder });
    assert.equal(short.stdout, 'src/c.ts:1 is too short or too uniform to search for (5 tokens).\n');
  });

  test('finds the copies of a declaration by its name', async () => {
    const answer = await json(['src/b.ts#parseHeader']);
    assert.deepEqual([answer.text.startLine, answer.text.endLine], [16, 30]);
    assert.deepEqual(places(answer), ['other/d.ts:1-15 exact', 'src/a.ts:1-15 exact', 'src/c.ts:2-16 renamed']);
  });

  test('finds the copies of a declaration in a folder whose name has a number sign', async () => {
    mkdirSync(path.join(folder, 'c#'));
    try {
      writeFileSync(path.join(folder, 'c#/e.ts'), parsing);
      const { text, total } = await json(['c#/e.ts#parseHeader']);
      assert.deepEqual([text.path, text.startLine, text.endLine, total], ['c#/e.ts', 1, 15, 4]);
    } finally {
      removeFolder(path.join(folder, 'c#'));
    }
  });

  test('finds the copies of a method, and of a function with overload signatures', async () => {
    const method = parsing.replace('export function ', '').replaceAll(/^(?=.)/gm, '  ');
    const overload = 'export function parseHeader(\n  input: string,\n): Map<string, string[]>;\n';
    const file = path.join(folder, 'methods.ts');
    writeFileSync(
      file,
      `${overload}${parsing}class Header {\n${method}}\nclass Row {\n  parseHeader() {\n    return 1;\n  }\n}\n`,
    );
    try {
      const lines = async (place: string): Promise<unknown> => {
        const { text } = await json([place]);
        return [text.startLine, text.endLine];
      };
      assert.deepEqual(await lines('methods.ts#Header.parseHeader'), [20, 34]);
      writeFileSync(file, `${overload}${parsing}`);
      assert.deepEqual(await lines('methods.ts#parseHeader'), [4, 18]);
    } finally {
      rmSync(file);
    }
  });

  test('prints JSON with --json', async () => {
    const { stdout } = await kindred(['find', 'src/a.ts:1-15', '--json'], { cwd: folder });
    assert.equal((JSON.parse(stdout) as Answer).total, 3);
  });

  test('reports that a text shorter than a window is too short, although a file contains it', async () => {
    const [, , , line] = parsing.split('\n');
    const commandArguments = ['find', '--stdin', '--language', 'ts'];
    for (const input of [line.trim(), `${line.trim()} known`]) {
      assert.ok(parsing.includes(line.trim()));
      const { stdout } = await kindred(commandArguments, { cwd: folder, input });
      assert.match(stdout, /^The text is too short or too uniform to search for \(1[0-7] tokens\)\.$/m);
      assert.equal((await json(commandArguments.slice(1), { input })).tooShort, true);
    }
  });

  test('finds the copies of each passage that a diff adds', async () => {
    const added = (name: string, text: string): string => {
      const lines = text.trimEnd().split('\n');
      const head = `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n`;
      return `${head}@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
    };
    // The first file is in the folder, so it is not its own copy; the second one is only in the diff.
    const diff =
      added('src/c.ts', `let x = 1;\n${parsingRenamed}`) + added('new.ts', 'export const unlike = [1, 2];\n');
    const { code, stdout } = await kindred(['find', '--diff', '--json'], { cwd: folder, input: diff });
    const { texts } = JSON.parse(stdout) as { readonly texts: readonly Answer[] };
    assert.equal(code, 0);
    assert.deepEqual(
      texts.map((one) => [one.text.path, one.total]),
      [
        ['src/c.ts', 3],
        ['new.ts', 0],
      ],
    );
    assert.deepEqual(places(texts[0]), ['other/d.ts:1-15 renamed', 'src/a.ts:1-15 renamed', 'src/b.ts:16-30 renamed']);
    const inSource = await kindred(['find', '--diff'], { cwd: path.join(folder, 'src'), input: diff });
    assert.match(inSource.stdout, /^c\.ts:1-16 .*: 2 near-duplicates$/m);
    assert.match(inSource.stdout, /^2 added passages, 1 with near-duplicates, 1 too short to search for$/m);
    const none = await kindred(['find', '--diff'], { cwd: folder, input: '' });
    assert.deepEqual(none, { code: 0, stdout: '0 added passages, 0 with near-duplicates\n', stderr: '' });
    const wrong = await kindred(['find', '--diff'], { cwd: folder, input: 'no diff\n' });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--diff needs a unified diff/);
  });

  test('rejects invalid calls with a message', async () => {
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[], 'specify what to find: a place such as src/a.ts:10-42, --stdin, or --diff.'],
      [['src/a.ts', '--diff'], 'give a place, --stdin or --diff, not several.'],
      [['src/a.ts#parseHeadr'], 'src/a.ts has no declaration parseHeadr; it has parseHeader.'],
      [['src/two.ts#twice'], 'src/two.ts has 2 declarations twice; specify the lines of one: 2-4, 7-9.'],
      [['src/a.ts', '--stdin'], 'give a place or --stdin, not both.'],
      [['src/a.ts', '--language', 'ts'], '--language requires --stdin; a file name implies its language.'],
      [['none.ts:1-2'], 'there is no file none.ts; check the path.'],
      [['src/a.ts:90'], 'src/a.ts has only 16 lines; line 90 does not exist.'],
      [['src/a.ts', '--k', '17'], '--max-distance must be a whole number from 0 to 16, not 17.'],
      [
        ['--stdin', '--language', 'klingon'],
        '--language: there is no language "klingon"; use an identifier such as typescript, a file extension such as ts, or a file name.',
      ],
      [
        ['--stdin'],
        '--stdin requires --language; use an identifier such as typescript, a file extension such as ts, or a file name.',
      ],
    ];
    for (const [commandArguments, sentence] of cases) {
      const outcome = await kindred(['find', ...commandArguments], { cwd: folder, input: '' });
      assert.deepEqual(outcome, { code: 2, stdout: '', stderr: `kindred: ${sentence}\n` });
    }
  });
});
