/** `kindred find`: finds near-duplicates of a passage or of standard input. */
import assert from 'node:assert/strict';
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
    });
  });

  suiteTeardown(() => removeFolder(folder));

  async function json(given: readonly string[], more: Partial<Surroundings> = {}): Promise<Answer> {
    const { code, stdout, stderr } = await kindred(['find', ...given, '--format', 'json'], { cwd: folder, ...more });
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
    for (const language of ['typescript', 'ts', '.ts']) {
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
        ['100 %', 'exact', path.join('other', 'd.ts:1-15')],
        ['100 %', 'exact', path.join('src', 'b.ts:16-30')],
        ['99 %', 'renamed', path.join('src', 'c.ts:2-16')],
      ],
    );
    const short = await kindred(['find', 'src/c.ts:1'], { cwd: folder });
    assert.equal(short.stdout, 'src/c.ts:1 is too short or too uniform to search for (5 tokens).\n');
  });

  test('rejects invalid calls with a message', async () => {
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[], 'specify what to find: a place such as src/a.ts:10-42, or --stdin.'],
      [['src/a.ts', '--stdin'], 'give a place or --stdin, not both.'],
      [['src/a.ts', '--language', 'ts'], '--language requires --stdin; a file name implies its language.'],
      [['none.ts:1-2'], 'there is no file none.ts; check the path.'],
      [['src/a.ts:90'], 'src/a.ts has only 16 lines; line 90 does not exist.'],
      [['src/a.ts', '--k', '17'], '--k must be a whole number from 0 to 16, not 17.'],
      [
        ['--stdin', '--language', 'klingon'],
        '--language: there is no language "klingon"; use an identifier such as typescript or a file extension such as ts.',
      ],
    ];
    for (const [given, sentence] of cases) {
      const outcome = await kindred(['find', ...given], { cwd: folder, input: '' });
      assert.deepEqual(outcome, { code: 2, stdout: '', stderr: `kindred: ${sentence}\n` });
    }
  });
});
