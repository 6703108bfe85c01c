/**
 * `kindred mcp` with clients of the official SDK, in both revisions of the protocol, and with clients that misbehave.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../scripts/project.mjs';
import type { FindTextsData } from '../../src/surfaces/tools/findSimilar.ts';
import { toolsFor } from '../../src/surfaces/tools/tools.ts';
import { kindred } from '../cli/kindred.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, harbour, merging, mergingAgain, parsing, parsingRenamed } from '../passages.ts';
import { asksForPatience, McpClient, revisions } from './mcpClient.ts';

const files = {
  'src/a.ts': parsing,
  'src/b.ts': `const other = 1;\n\n${parsing.replace("'connection'", "'upgrade'")}`,
  'test/c.ts': `${harbour}\nexport const c = 1;\n`,
  'test/d.ts': `${harbour}\nexport const d = 2;\n`,
  '.gitignore': 'secret/\n',
  'secret/key.ts': `${drawing}\n`,
};

for (const revision of revisions) {
  suite(`kindred mcp, revision ${revision}`, () => {
    let folder = '';
    let cache = '';
    let server: McpClient;
    suiteSetup(async () => {
      folder = makeFolder(files);
      cache = makeFolder({});
      server = await McpClient.start([folder], cache, revision);
    });
    suiteTeardown(async () => {
      await server.close();
      removeFolder(folder);
      removeFolder(cache);
    });

    test('lists four read-only tools with their input schemas', async () => {
      const { tools: listed } = await server.client.listTools();
      assert.deepEqual(
        listed.map(({ name, description, inputSchema, annotations }) => ({
          name,
          description,
          input: inputSchema,
          readOnly: annotations?.readOnlyHint,
        })),
        toolsFor({ findInWorktrees: () => assert.fail() }).map(({ name, description, input }) => ({
          name,
          description,
          input,
          readOnly: true,
        })),
      );
      assert.match(server.client.getInstructions() ?? '', /find_similar/);
    });

    test('answers each tool with data, and an invalid input with an error', async () => {
      const { passages } = await server.data('find_similar', { place: 'src/a.ts:1-15' });
      const [{ id }] = (await server.data('list_duplicates', {})).duplicates;
      const { copies } = await server.data('get_duplicate', { id });
      assert.deepEqual([passages[0].place, copies[1].place], ['src/b.ts:3-17', 'src/b.ts:3-17']);
      assert.match(await server.problem('check_changes', {}), /is not in a Git working tree/);
      assert.equal(await server.problem('get_duplicate', {}), 'id is missing.');
    });
  });
}

suite('tools of kindred mcp', () => {
  const revision = '2026-07-28';
  let folder = '';
  let cache = '';
  let server: McpClient;
  suiteSetup(async () => {
    folder = makeFolder({});
    cache = makeFolder({});
    server = await McpClient.start([folder], cache, revision);
  });
  // The server follows the changes between tests.
  setup(() => {
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true });
    for (const [name, text] of Object.entries(files)) write(name, text);
  });
  suiteTeardown(async () => {
    await server.close();
    removeFolder(folder);
    removeFolder(cache);
  });

  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };

  /** Makes the folder a Git repository, with all files in one commit. */
  const commitAll = (): void => {
    const git = (...gitArguments: readonly string[]): void => {
      const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
      execFileSync('git', ['-C', folder, ...who, ...gitArguments], { stdio: 'ignore' });
    };
    git('init', '-q', '-b', 'main');
    git('add', '--all');
    git('commit', '-q', '-m', 'base');
  };

  test('lists its tools in at most 6,000 bytes, with an index of many repositories too', async () => {
    const env = { KINDRED_INDEX: '/nowhere' };
    const other = await McpClient.start([folder], cache, revision, env);
    for (const { client } of [server, other]) {
      const bytes = Buffer.byteLength(JSON.stringify((await client.listTools()).tools));
      assert.ok(bytes <= 6_000, `${bytes} bytes`);
    }
    await other.close();
  });

  test('finds existing text, also with other names, and nothing for new text', async () => {
    const found = await server.data('find_similar', { text: parsingRenamed, language: 'ts' });
    assert.deepEqual(
      found.passages.map(({ place, type }) => [place, type]),
      [
        ['src/a.ts:1-15', 'renamed'],
        ['src/b.ts:3-17', 'renamed'],
      ],
    );
    assert.match(found.passages[0].begins ?? '', /parseHeader/);
    assert.equal(found.index.state, 'ready');
    assert.equal(found.index.files, 5);
    const [{ duplicateId }] = found.passages;
    assert.equal((await server.data('get_duplicate', { id: duplicateId })).total, 2);
    const none = await server.data('find_similar', { text: drawing, language: 'typescript' });
    assert.equal(none.total, 0);
    assert.match(none.next, /write it/);
    const short = await server.data('find_similar', { text: 'a', language: 'ts' });
    assert.equal(short.tooShort, true);
  });

  test('reports that a text is too short, not that no copy exists', async () => {
    const text = "const colon = line.indexOf(':');\nif (colon <";
    assert.ok(parsing.replace(/\n +/g, '\n').includes(text));
    const short = await server.data('find_similar', { text, language: 'ts' });
    assert.deepEqual([short.total, short.tooShort, short.tokens], [0, true, 14]);
    assert.match(short.next, /^The text is too short to search for, so it may exist\. Specify a longer text/);
    const ask = async (texts: readonly string[]): Promise<string> =>
      ((await server.data('find_similar', { texts, language: 'ts' })) as unknown as FindTextsData).next;
    assert.match(await ask([text, text]), /^The texts are too short to search for, so they may exist\./);
    assert.match(
      await ask([text, drawing]),
      /^No copy of these texts was found.* Those that are tooShort may exist nevertheless: specify longer texts\.$/,
    );
  });

  test('counts results beyond the limit', async () => {
    const { passages, total, leftOut } = await server.data('find_similar', {
      text: parsing,
      language: 'ts',
      limit: 1,
    });
    assert.deepEqual([passages.length, total, leftOut.passages], [1, 2, 1]);
  });

  test('states in a sentence why the nearest passage is no copy', async () => {
    const text = [...parsing.split('\n').slice(0, 3), ...drawing.split('\n')].join('\n');
    const { total, nearest, next } = await server.data('find_similar', { text, language: 'ts' });
    assert.equal(total, 0);
    assert.match(
      nearest ?? '',
      /^Nearest: src\/a\.ts:1-3, 1\.00 alike to lines 1-3 of the text \(\.\d\d of it\), but only (\d\d tokens, below 50|3 lines, below 5)\.$/,
    );
    assert.match(next, /^No copy was found, but similar code: read what nearest names/);
    const none = await server.data('find_similar', { text: drawing, language: 'ts' });
    assert.deepEqual([none.total, none.nearest], [0, undefined]);
  });

  test('names the function that a text is like, if there is an index of functions', async () => {
    write('src/merge.ts', merging);
    const before = await server.data('find_similar', { text: mergingAgain, language: 'typescript' });
    assert.equal(before.total, 0);
    assert.doesNotMatch(before.nearest ?? '', /mergeRanges/);
    const ofPlace = await server.data('find_similar', { place: 'src/merge.ts:1-13' });
    assert.deepEqual([ofPlace.total, ofPlace.nearest], [0, undefined]);
    assert.match(ofPlace.next, /^No copy of this place was found\. Code with other statements may still do the same/);
    const env = { XDG_CACHE_HOME: cache };
    await kindred(['hook', '--index'], { cwd: folder, env });
    const other = await McpClient.start([folder], cache, revision, env);
    for (const language of ['ts', 'typescript']) {
      const { nearest, next, total } = await other.data('find_similar', { text: mergingAgain, language });
      assert.equal(total, 0);
      assert.match(
        nearest ?? '',
        /^Nearest: mergeRanges in src\/merge\.ts:1-13 is \.52 like unite; written differently, but .*: function mergeRanges/,
      );
      assert.match(next, /^No copy was found, but similar code: read what nearest names/);
    }
    assert.equal((await other.data('find_similar', { text: drawing, language: 'ts' })).nearest, undefined);
    // The agent has written its draft to a file, and the index of functions may know it already.
    write('src/draft.ts', mergingAgain);
    for (const isIndexed of [false, true]) {
      if (isIndexed) await kindred(['hook', '--index'], { cwd: folder, env });
      for (const input of [{ text: mergingAgain, language: 'ts' }, { place: 'src/draft.ts#unite' }]) {
        const { nearest, next, passages } = await other.data('find_similar', input);
        assert.match(nearest ?? '', /^Nearest: mergeRanges in src\/merge\.ts:1-13 /);
        const own = 'text' in input ? ['src/draft.ts:1-13'] : [];
        assert.deepEqual(
          passages.map(({ place }) => place),
          own,
        );
        assert.match(
          next,
          own.length === 0
            ? /^No copy was found, but similar code/
            : /^The first passage has exactly this text\. If you have just written it there, read what nearest names, /,
        );
      }
    }
    await other.close();
  });

  test('does not name a draft that is already in a file as the code to call', async () => {
    write('src/draft.ts', `${parsingRenamed}\n`);
    write('src/own.ts', `${drawing}\n`);
    const nextFor = async (text: string): Promise<string> =>
      (await server.data('find_similar', { text, language: 'ts' })).next;
    assert.match(
      await nextFor(parsingRenamed),
      /^The first passage has exactly this text\. If you have just written it there, read passage 2, and call or extend that/,
    );
    assert.match(
      await nextFor(drawing),
      / If you have just written it there, there is no other copy; otherwise call it/,
    );
  });

  test('shows a duplicate although Git fails', async () => {
    commitAll();
    write('src/a.ts', `${parsing}\n// changed\n`);
    // As in a partial clone without a connection.
    rmSync(path.join(folder, '.git/objects'), { recursive: true });
    mkdirSync(path.join(folder, '.git/objects'));
    const [{ id }] = (await server.data('list_duplicates', {})).duplicates;
    assert.ok((await server.data('get_duplicate', { id })).copies.length > 1);
  });

  test('finds several texts in one call, each as in a call of its own', async () => {
    const texts = [parsingRenamed, drawing, 'a', parsing];
    const data = (await server.data('find_similar', { texts, language: 'ts' })) as unknown as FindTextsData;
    assert.deepEqual([data.complete, data.leftOut.texts], [true, 0]);
    for (const [at, text] of texts.entries()) {
      const { searchMs, index, next, ...alone } = await server.data('find_similar', { text, language: 'ts' });
      assert.deepEqual(data.texts[at], { text: at + 1, ...alone });
      assert.ok(searchMs >= 0 && next !== '' && index.generation === data.index.generation);
    }
    assert.match(
      await server.problem('find_similar', { texts, language: 'klingon' }),
      /^There is no language klingon; specify a file name/,
    );
    const long = Array.from({ length: 3 }, () => 'x '.repeat(50_000));
    assert.equal(
      await server.problem('find_similar', { texts: long, language: 'ts' }),
      'The texts have 300000 characters together; the limit is 200000. Specify fewer texts, or less of each.',
    );
  });

  test('finds the lines of a file elsewhere, but not at their own place', async () => {
    const { passages } = await server.data('find_similar', { place: 'src/a.ts:1-15' });
    assert.deepEqual(
      passages.map(({ place }) => place),
      ['src/b.ts:3-17'],
    );
    const whole = await server.data('find_similar', { place: path.join(folder, 'src', 'a.ts') });
    assert.deepEqual(
      whole.passages.map(({ place }) => place),
      ['src/b.ts:3-17'],
    );
  });

  test('finds a declaration elsewhere', async () => {
    const method = parsing.replace('export function ', '').replaceAll(/^(?=.)/gm, '  ');
    write('src/f.ts', `class Header {\n${method}}\n`);
    for (const place of ['src/a.ts#parseHeader', 'src/f.ts#Header.parseHeader']) {
      const { passages } = await server.data('find_similar', { place });
      assert.equal(passages.length, 2, place);
    }
    assert.equal(
      await server.problem('find_similar', { place: 'src/f.ts#Header.parse' }),
      'src/f.ts has no declaration Header.parse; it has parseHeader, Header.',
    );
    assert.match(await server.problem('find_similar', { place: 'secret/key.ts#Turtle' }), /is not compared/);
  });

  test('reads nothing that is outside the folder, ignored, or missing', async () => {
    const elsewhere = makeFolder({ 'x.ts': parsing });
    symlinkSync(elsewhere, path.join(folder, 'link'));
    for (const place of ['../../etc/passwd', `${elsewhere}/x.ts`, '/etc/passwd:1-3', path.join(folder, 'link/x.ts')]) {
      assert.match(await server.problem('find_similar', { place }), /is outside the followed folders/, place);
    }
    for (const place of ['secret/key.ts:1-5', 'link/x.ts', 'src/missing.ts', '.gitignore/..', 'src']) {
      assert.match(await server.problem('find_similar', { place }), /is not compared/, place);
    }
    assert.match(await server.problem('find_similar', { place: 'src/a.ts:90-99' }), /has only 16 lines/);
    assert.match(await server.problem('check_changes', { baseline: '../known.jsonc' }), /is outside/);
    assert.match(await server.problem('list_duplicates', { folder: '..' }), /is outside/);
    assert.match(await server.problem('check_changes', { folder: '..' }), /is outside/);
    const found = await server.data('find_similar', { text: drawing, language: 'ts' });
    assert.equal(found.total, 0);
    removeFolder(elsewhere);
  });

  test('follows no links to files outside the folder, neither existing nor new ones', async () => {
    const elsewhere = makeFolder({ 'x.ts': harbour, 'y.ts': drawing });
    symlinkSync(path.join(elsewhere, 'x.ts'), path.join(folder, 'src', 'later.ts'));
    await server.data('find_similar', { text: harbour, language: 'ts' });
    // Replaces a file that was compared before by a link.
    write('src/swapped.ts', drawing);
    assert.equal((await server.data('find_similar', { text: drawing, language: 'ts' })).total, 1);
    rmSync(path.join(folder, 'src/swapped.ts'));
    symlinkSync(path.join(elsewhere, 'y.ts'), path.join(folder, 'src', 'swapped.ts'));
    assert.equal((await server.data('find_similar', { text: drawing, language: 'ts' })).total, 0);
    const again = await McpClient.start([folder], makeFolder({}), revision);
    for (const one of [server, again]) {
      const { passages } = await one.data('find_similar', { text: harbour, language: 'ts' });
      assert.deepEqual(
        passages.map(({ place }) => place.split(':')[0]),
        ['test/c.ts', 'test/d.ts'],
      );
      for (const place of ['src/later.ts', 'src/swapped.ts']) {
        assert.match(await one.problem('find_similar', { place }), /a symbolic link to a file elsewhere/);
      }
      const { duplicates } = await one.data('list_duplicates', { category: 'tests', limit: 100 });
      for (const { id } of duplicates) {
        const { copies } = await one.data('get_duplicate', { id });
        assert.ok(copies.every(({ place }) => place.startsWith('test/')));
      }
      assert.match(
        await one.problem('list_duplicates', { folder: 'src/later.ts' }),
        /is a symbolic link to a place outside/,
      );
    }
    await again.close();
    // A link inside the folder is another name of a listed file.
    symlinkSync(path.join(folder, 'src/a.ts'), path.join(folder, 'src', 'inside.ts'));
    assert.equal((await server.data('find_similar', { text: parsing, language: 'ts' })).total, 2);
    removeFolder(elsewhere);
  });

  test('reports an unknown folder or language with the known ones', async () => {
    assert.equal(
      await server.problem('list_duplicates', { folder: 'scr' }),
      'There is no folder scr; those with duplicates are src, test.',
    );
    assert.match(await server.problem('check_changes', { folder: 'scr' }), /^There is no folder scr;/);
    write('lib/net/http/e.ts', parsing);
    assert.equal(
      await server.problem('list_duplicates', { folder: 'lib/net/htpp' }),
      'There is no folder lib/net/htpp; those with duplicates in lib/net are lib/net/http.',
    );
    assert.equal(
      await server.problem('list_duplicates', { folder: 'http' }),
      'There is no folder http; did you mean lib/net/http?',
    );
    const problemOf = (language: string): Promise<string> =>
      server.problem('find_similar', { text: parsing, language });
    assert.match(
      await problemOf('typscript'),
      / Similar ids: typescript, typescriptreact\. The language "all" lists all ids\.$/,
    );
    assert.match(await problemOf('all'), /^The ids of the languages are .*\bpython, .*\btypescript, /);
    assert.equal(
      await problemOf('klingon'),
      'There is no language klingon; specify a file name or extension, such as src/a.ts or py, or the id of a language. The language "all" lists all ids.',
    );
    for (const language of ['ts', '.tsx', 'TypeScript', 'src/new.ts', 'plaintext', 'go', 'c++']) {
      await server.data('find_similar', { text: parsing, language });
    }
  });

  test('reports a folder that is not compared, with the reason', async () => {
    const problem = (name: string): Promise<string> => server.problem('list_duplicates', { folder: name });
    assert.equal(await problem('secret'), 'secret is not compared: .gitignore excludes it.');
    assert.equal(await problem('secret/key.ts'), 'secret/key.ts is not compared: .gitignore excludes it.');
    const outer = makeFolder({ 'inner/a.ts': parsing });
    symlinkSync(outer, path.join(folder, 'linked'));
    for (const name of ['linked', 'linked/inner']) {
      assert.equal(
        await problem(name),
        `${name} is a symbolic link to a place outside the followed folders, so it is not compared.`,
      );
    }
    removeFolder(outer);
    write('build/.gitignore', '*\n');
    assert.equal(await problem('build'), 'build is not compared: it has no files that can be compared.');
    mkdirSync(path.join(folder, 'empty'));
    assert.equal(await problem('empty'), 'empty is not compared: it has no files that can be compared.');
    write('binary/rows.ts', 'a\0b\0c');
    assert.match(
      await problem('binary'),
      /^binary is not compared: its files are skipped, such as binary\/rows\.ts \(/,
    );
    // The files of this folder are compared, but have no duplicates.
    write('alone/x.ts', drawing);
    assert.equal((await server.data('list_duplicates', { folder: 'alone' })).total, 0);
  });

  test('names the committed copy as the one to keep', async () => {
    commitAll();
    write('lib/new.ts', parsing);
    const [{ id, places }] = (await server.data('list_duplicates', {})).duplicates;
    assert.match(places[0], /^lib\/new\.ts/);
    const { copies, next } = await server.data('get_duplicate', { id });
    assert.deepEqual(
      copies.map(({ place }) => place.split(':')[0]),
      ['src/a.ts', 'lib/new.ts', 'src/b.ts'],
    );
    assert.match(next, /src\/a\.ts/);
  });

  test('does not search for a text without a language, because it would not find the copies', async () => {
    for (const input of [{ text: parsing }, { text: parsing, language: ' ' }, { texts: [parsing, drawing] }]) {
      assert.match(
        await server.problem('find_similar', input),
        /^The language of the text is missing; specify a file name or extension, such as src\/a\.ts or py, or the id/,
      );
    }
  });

  test('reports an invalid input in a sentence', async () => {
    const both = await server.problem('find_similar', { text: 'a', place: 'b' });
    assert.match(both, /^Specify either text or texts, with the language, or a place/);
    assert.equal(await server.problem('get_duplicate', {}), 'id is missing.');
    assert.equal(
      await server.problem('list_duplicates', { limit: 0 }),
      'limit must be a whole number from 1 to 100, not 0.',
    );
    assert.match(await server.problem('list_duplicates', { category: 'code' }), /must be one of source, text/);
    assert.match(await server.problem('find_similar', { code: 'a' }), /There is no input code; the inputs are text/);
    assert.match(await server.problem('get_duplicate', { id: 'ffff' }), /There is no duplicate ffff/);
  });

  test('lists duplicates by worth, with filters and counts', async () => {
    const { duplicates, total } = await server.data('list_duplicates', {});
    assert.equal(total, 1);
    assert.deepEqual(
      [duplicates[0].kind, duplicates[0].places, duplicates[0].alsoInside],
      ['file', ['src/a.ts:1-15', 'src/b.ts:3-17'], 1],
    );
    const tested = await server.data('list_duplicates', { category: 'tests' });
    assert.ok(tested.duplicates.length > 0);
    assert.ok(tested.duplicates.every(({ category }) => category === 'tests'));
    assert.equal((await server.data('list_duplicates', { folder: 'test' })).total, 0);
    assert.equal((await server.data('list_duplicates', { folder: './src/' })).total, 1);
    const page = await server.data('list_duplicates', { offset: 1 });
    assert.deepEqual([page.duplicates.length, page.total, page.leftOut.after], [0, 1, 0]);
    write('src/b.ts', `const other = 1;\n\n// kindred-ignore-next on purpose\n${parsing}`);
    const ignored = await server.data('list_duplicates', {});
    assert.deepEqual([ignored.duplicates.length, ignored.leftOut.ignored], [0, 1]);
  });

  test('returns a duplicate with its texts and differences', async () => {
    const [{ id }] = (await server.data('list_duplicates', {})).duplicates;
    const data = await server.data('get_duplicate', { id });
    const { differences, copies, total, type } = data;
    assert.deepEqual([total, type, copies.length, differences.length], [2, 'renamed', 2, 1]);
    assert.equal(copies[0].text.trimEnd(), parsing.trimEnd());
    assert.equal(differences[0].place, copies[1].place);
    assert.match(differences[0].differs ?? '', /-.*'connection'.*\n\+.*'upgrade'/);
    const names = Object.keys(data);
    assert.ok(names.indexOf('differences') < names.indexOf('copies'), names.join());
  });

  test('returns a renamed copy with its names and other differences', async () => {
    write('src/b.ts', `const other = 1;\n\n${parsingRenamed}`);
    const [{ id }] = (await server.data('list_duplicates', {})).duplicates;
    const { differences, merge } = await server.data('get_duplicate', { id });
    const [{ differs = '', names = [] }] = differences;
    assert.ok(names.includes('readSettings → parseHeader') && names.includes('part → value'), names.join());
    assert.match(differs, /-.*'connection'.*\n\+.*'version'/);
    assert.doesNotMatch(differs, /readSettings/);
    assert.deepEqual(merge?.signatures, []);
    assert.deepEqual(merge.obstacles, ['different local variables, or expressions of them (line 5)']);
  });

  test('proposes one function for the copies of a duplicate', async () => {
    write('src/b.ts', `const other = 1;\n\n${parsingRenamed.replace('no sign', 'no colon')}`);
    const [{ id }] = (await server.data('list_duplicates', {})).duplicates;
    const { merge, next } = await server.data('get_duplicate', { id });
    const signature = 'function parseHeader(input: string, limit: number, size, key): Map<string, string[]>';
    assert.deepEqual([merge?.signatures, merge?.obstacles], [[signature], []]);
    assert.deepEqual(merge?.parameters, [
      { name: 'size', kind: 'value', fillings: ['100', '250'] },
      { name: 'key', kind: 'value', fillings: ["'connection'", "'version'"] },
    ]);
    assert.match(merge.template, /fields\.delete\(⟨key⟩\);/);
    assert.ok(next.includes(signature), next);
  });

  test('checks changes against a commit', async () => {
    const unversioned = await server.problem('check_changes', {});
    assert.match(unversioned, /is not in a Git working tree/);
    assert.doesNotMatch(unversioned, /--/);
    commitAll();
    const clean = await server.data('check_changes', {});
    assert.deepEqual([clean.holds, clean.total], [true, 0]);
    write('src/third.ts', parsing);
    const broken = await server.data('check_changes', { since: 'main' });
    assert.deepEqual([broken.holds, broken.message], [false, 'Failed: 1 group has new copies.']);
    assert.deepEqual(broken.newDuplicates[0].newCopies, ['src/third.ts:1-15']);
    assert.deepEqual(broken.newDuplicates[0].otherCopies, ['src/a.ts:1-15', 'src/b.ts:3-17']);
    const changed = await server.data('list_duplicates', { changedSince: 'HEAD' });
    assert.equal(changed.total, 1);
    rmSync(path.join(folder, 'src/third.ts'));
    assert.equal((await server.data('check_changes', {})).holds, true);
    assert.equal((await server.data('list_duplicates', { changedSince: 'HEAD' })).total, 0);
    assert.match(await server.problem('check_changes', { since: '--output=x' }), /there is no commit/);
  });

  test('returns the copied passage of a new file that consists of it', async () => {
    const others = Array.from({ length: 40 }, (_, i) => `export const value${i} = compute(${i * 7}, 'v${i}');\n`);
    rmSync(path.join(folder, 'src/b.ts'));
    write('src/a.ts', `${drawing}\n${others.join('')}\n${parsing}`);
    commitAll();
    write('src/new.ts', `${parsing.replace('parseHeader', 'readSettings').replace('100', '250')}`);
    const { newDuplicates } = await server.data('check_changes', {});
    assert.deepEqual(
      newDuplicates.map(({ newCopies, otherCopies, lines }) => ({ newCopies, otherCopies, lines })),
      [{ newCopies: ['src/new.ts:1-15'], otherCopies: ['src/a.ts:58-72'], lines: 15 }],
    );
    assert.ok(newDuplicates[0].inside! > 0.9);
    assert.ok(newDuplicates[0].similarity > 0.95);
    const { duplicates } = await server.data('list_duplicates', { folder: 'src/new.ts' });
    assert.deepEqual(duplicates[0].places, ['src/a.ts:58-72', 'src/new.ts:1-15']);
    assert.deepEqual([duplicates[0].kind, duplicates[0].lines], ['file', 15]);
    for (const id of [newDuplicates[0].id, duplicates[0].id]) {
      const { differences, merge, similarity } = await server.data('get_duplicate', { id });
      assert.match(differences[0].differs, /250/);
      assert.match(merge?.signatures[0] ?? '', /^function /);
      assert.equal(similarity, newDuplicates[0].similarity);
    }
  });

  test('describes similar files by the passage that they share, and keeps the same copy', async () => {
    const others = (name: string, count: number): string =>
      Array.from({ length: count }, (_, i) => `export const ${name}${i} = ${name}(${i * 7}, '${name}-${i}');\n`).join(
        '',
      );
    rmSync(path.join(folder, 'src'), { recursive: true });
    write('src/dates.ts', `${others('day', 5)}${parsing.replace('export ', '')}`);
    commitAll();
    write('src/ranges.ts', `${parsing.replace('100', '250')}${others('span', 3)}`);
    const pair = (await server.data('list_duplicates', {})).duplicates[0];
    assert.deepEqual([pair.kind, pair.places, pair.copies], ['file', ['src/dates.ts:6-20', 'src/ranges.ts:1-15'], 2]);
    assert.ok(pair.fileSimilarity! < 0.8 && pair.similarity > 0.95, JSON.stringify(pair));
    const [asFiles, asPart] = [
      await server.data('get_duplicate', { id: pair.id }),
      await server.data('get_duplicate', { id: pair.part! }),
    ];
    for (const name of ['similarity', 'differences', 'merge', 'copies', 'next'] as const)
      assert.deepEqual(asFiles[name], asPart[name], name);
    // Only the new copy can be called.
    assert.equal(asFiles.copies[0].place, 'src/ranges.ts:1-15');
    const [one, ...more] = (await server.data('check_changes', {})).newDuplicates;
    assert.deepEqual([one.id, one.similarity, one.keep], [pair.part, asPart.similarity, 'src/ranges.ts:1-15']);
    assert.deepEqual([one.newCopies, one.otherCopies, more], [['src/ranges.ts:1-15'], ['src/dates.ts:6-20'], []]);

    // A third copy, so the passage has a row beside that of the two files.
    write('src/zones.ts', `${drawing}${merging}${parsing}`);
    const { duplicates } = await server.data('list_duplicates', {});
    const files = duplicates.find(({ kind }) => kind === 'file')!;
    const passage = duplicates.find(({ id }) => id === files.part)!;
    assert.deepEqual([duplicates.length, files.copies, passage.copies], [2, 2, 3]);
    assert.ok(files.similarity >= passage.similarity);
    const shown = await server.data('get_duplicate', { id: files.id });
    const { copies, next } = await server.data('get_duplicate', { id: passage.id });
    assert.deepEqual([shown.merge, shown.copies.length], [undefined, 2]);
    assert.equal(
      shown.next,
      `This passage has 3 copies, also in other files: merge all of them, as get_duplicate ${passage.id} shows, and keep ${copies[0].place}.`,
    );
    assert.match(next, new RegExp(`^Make one function of ${copies[0].place}, `));
    const checked = await server.data('check_changes', {});
    assert.deepEqual([checked.total, checked.message], [1, 'Failed: 1 group has new copies.']);
    const [{ id, keep, newCopies }] = checked.newDuplicates;
    assert.deepEqual(
      [id, keep, newCopies],
      [passage.id, copies[0].place, ['src/ranges.ts:1-15', 'src/zones.ts:29-43']],
    );
  });

  test('names the copy to keep if all copies are new', async () => {
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    execFileSync('git', [...who, 'commit', '-q', '--allow-empty', '-m', 'none'], { cwd: folder });
    const { newDuplicates, next } = await server.data('check_changes', {});
    const one = newDuplicates.find(({ newCopies }) => newCopies.includes('src/a.ts:1-15'))!;
    assert.deepEqual([one.otherCopies, one.keep], [[], 'src/a.ts:1-15']);
    assert.match(next, /^Use the copy in keep in place of the other copies of its duplicate, then check again;/);
    assert.ok(next.includes('kindred-ignore-start') && next.includes('kindred-ignore-end'), next);
  });

  test('sees a file immediately after it is written', async () => {
    await server.data('find_similar', { text: drawing, language: 'ts' });
    write('lib/deep/new.ts', drawing);
    const found = await server.data('find_similar', { text: drawing, language: 'ts' });
    assert.deepEqual(
      found.passages.map(({ place }) => place.split(':')[0]),
      ['lib/deep/new.ts'],
    );
    // Also in a folder that was just created.
    write('lib/deep/new.ts', `\n\n${drawing}`);
    const moved = await server.data('find_similar', { text: drawing, language: 'ts' });
    assert.deepEqual(
      moved.passages.map(({ place }) => place.split('-')[0]),
      ['lib/deep/new.ts:3'],
    );
    rmSync(path.join(folder, 'lib'), { recursive: true });
    assert.equal((await server.data('find_similar', { text: drawing, language: 'ts' })).total, 0);
  });

  test('reports invalid settings, and applies them after they are fixed', async () => {
    write('.kindredrc.jsonc', '{ "minTokens": -3 }');
    const problem = await server.problem('list_duplicates', {});
    assert.match(problem, /The settings are invalid:.*minTokens.*Fix the configuration file/);
    write('.kindredrc.jsonc', '{ "exclude": ["src"] }');
    assert.equal((await server.data('list_duplicates', {})).total, 0);
    rmSync(path.join(folder, '.kindredrc.jsonc'));
    assert.equal((await server.data('list_duplicates', {})).total, 1);
  });
});

suite('a server with misbehaving clients', () => {
  let folder = '';
  let cache = '';
  setup(() => {
    folder = makeFolder(files);
    cache = makeFolder({});
  });
  teardown(() => {
    removeFolder(folder);
    removeFolder(cache);
  });

  const command = (): string[] => [path.join(root, 'dist/cli.js'), 'mcp', folder, '--cache', cache];

  test('exits when its client is killed', async () => {
    // The client starts the server and prints its process id. Then it is killed, as in a crash.
    const script = `
      const { spawn } = require('node:child_process');
      const server = spawn(process.execPath, ${JSON.stringify(command())}, { stdio: ['pipe', 'pipe', 'ignore'] });
      server.stdin.write(${JSON.stringify(`${initialize}\n`)});
      server.stdout.once('data', () => console.log(server.pid));
    `;
    const client = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) => {
      client.stdout.once('data', (data: Buffer) => resolve(Number(data.toString())));
    });
    assert.ok(isRunning(pid));
    client.kill('SIGKILL');
    while (isRunning(pid)) await setTimeout(50);
  });

  test('exits when its client reads no more answers', async () => {
    const server = spawn(process.execPath, command(), { stdio: ['pipe', 'pipe', 'ignore'] });
    const exited = once(server, 'exit');
    server.stdin.write(`${initialize}\n`);
    await once(server.stdout, 'data');
    server.stdout.destroy();
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })}\n`);
    assert.deepEqual(await exited, [0, null]);
  });

  test('answers a message in two parts, and ignores an invalid one', async () => {
    const server = spawn(process.execPath, command(), { stdio: ['pipe', 'pipe', 'ignore'] });
    const answers = createInterface(server.stdout)[Symbol.asyncIterator]();
    const next = async (): Promise<{ id?: number; result?: { content?: { text: string }[] } }> =>
      JSON.parse(String((await answers.next()).value)) as never;
    const half = initialize.length / 2;
    server.stdin.write(initialize.slice(0, half));
    await setTimeout(300);
    server.stdin.write(`${initialize.slice(half)}\n`);
    assert.equal((await next()).id, 1);
    server.stdin.write('{"jsonrpc": "2.0", "id": 7, "method": \nthis is no message\n\n');
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    const call = { name: 'list_duplicates', arguments: {} };
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`);
    let answer = await next();
    while (answer.id !== 2) answer = await next();
    // A busy machine has no index after ten seconds.
    assert.match(answer.result?.content?.[0].text ?? '', /src\/a\.ts|The index is not ready yet/);
    // The last message is incomplete, so the server must not wait for the rest.
    server.stdin.end('{"jsonrpc": "2.0", "id": 3,');
    const code = await new Promise((resolve) => server.once('close', resolve));
    assert.equal(code, 0);
  });

  test('rejects an oversized message, and answers the next one', async () => {
    const server = spawn(process.execPath, command(), { stdio: ['pipe', 'pipe', 'ignore'] });
    const answers = createInterface(server.stdout)[Symbol.asyncIterator]();
    const next = async (): Promise<{ id: number; error?: { message: string }; result?: object }> =>
      JSON.parse(String((await answers.next()).value)) as never;
    server.stdin.write(`${initialize}\n`);
    assert.equal((await next()).id, 1);
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    const params = { name: 'find_similar', arguments: { text: 'x'.repeat(11 * 2 ** 20), language: 'ts' } };
    const request = { method: 'tools/call', params };
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 5, ...request })}\n`);
    server.stdin.write(`${JSON.stringify({ ...request, jsonrpc: '2.0', id: 6 })}\n`);
    for (const id of [5, 6]) {
      const refused = await next();
      assert.equal(refused.id, id);
      assert.match(refused.error?.message ?? '', /^The message is larger than 10 MiB/);
    }
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })}\n`);
    const answered = await next();
    assert.deepEqual([answered.id, answered.result !== undefined], [7, true]);
    server.kill();
    await new Promise((resolve) => server.once('close', resolve));
  });

  test('stores the index if the client disconnects right after the first answer', async () => {
    const server = await McpClient.start([folder], cache, '2025-11-25');
    await server.data('find_similar', { text: drawing, language: 'ts' });
    await server.close();
    for (const name of ['documents', 'matches', 'findings']) {
      assert.ok(existsSync(path.join(cache, `index.${name}`)), name);
    }
    const again = await McpClient.start([folder], cache, '2025-11-25');
    const { index } = await again.data('list_duplicates', {});
    assert.ok(index.files > 0);
    await again.close();
  });

  test('returns the findings of a new scan after 10,000 quick edits', async () => {
    const server = await McpClient.start([folder], cache, '2026-07-28');
    await server.data('list_duplicates', {});
    const texts = [parsing, parsingRenamed, drawing, harbour, 'export const nothing = 1;\n'];
    for (let edit = 0; edit < 10_000; edit++) {
      const file = path.join(folder, 'src', `edited${edit % 17}.ts`);
      if (edit % 13 === 5) rmSync(file, { force: true });
      else writeFileSync(file, `// ${edit}\n${texts[(edit * 7) % texts.length]}`);
      // Also during updates.
      if (edit % 2_500 === 0) await server.data('find_similar', { text: drawing, language: 'ts' });
    }
    const { duplicates, total } = await server.data('list_duplicates', { limit: 100 });
    const { stdout } = await kindred(['scan', folder, '--format', 'json'], { cwd: folder });
    const { groups } = JSON.parse(stdout) as { groups: { id: string; parent?: string; category: string }[] };
    const rows = groups.filter(({ parent, category }) => parent === undefined && category === 'source');
    assert.ok(total > 3);
    assert.deepEqual(
      duplicates.map(({ id }) => id),
      rows.map(({ id }) => id),
    );
    await server.close();
  });

  test('returns the same findings from two servers of one folder, which share a stored index', async () => {
    const servers = await Promise.all(revisions.map((revision) => McpClient.start([folder], cache, revision)));
    // This search makes the second server replace the stored findings of the first one.
    await Promise.all(servers.map((server) => server.data('find_similar', { text: drawing, language: 'ts' })));
    const answers = await Promise.all(servers.map((server) => server.data('list_duplicates', {})));
    assert.deepEqual(answers[0].duplicates, answers[1].duplicates);
    appendFileSync(path.join(folder, 'src/b.ts'), drawing);
    appendFileSync(path.join(folder, 'src/a.ts'), drawing);
    const later = await Promise.all(servers.map((server) => server.data('list_duplicates', {})));
    assert.deepEqual(later[0].duplicates, later[1].duplicates);
    assert.notDeepEqual(later[0].duplicates, answers[0].duplicates);
    const stored = path.join(cache, 'index.findings');
    while (!existsSync(stored)) await setTimeout(100);
    await Promise.all(servers.map((server) => server.close()));
    const again = await McpClient.start([folder], cache, '2025-11-25');
    // This search waits until the files have been checked.
    await again.data('find_similar', { text: drawing, language: 'ts' });
    assert.deepEqual((await again.data('list_duplicates', {})).duplicates, later[0].duplicates);
    await again.close();
  });

  test('returns stored findings after a start while they are checked, and reports that state', async () => {
    const first = await McpClient.start([folder], cache, '2025-11-25');
    const before = await first.data('list_duplicates', {});
    const stored = path.join(cache, 'index.findings');
    while (!existsSync(stored)) await setTimeout(100);
    await first.close();
    // Enough files that reading them takes longer than the request.
    for (let i = 0; i < 1_000; i++) writeFileSync(path.join(folder, `src/more${i}.ts`), drawing);
    const again = await McpClient.start([folder], cache, '2025-11-25');
    const { index, duplicates } = await again.earlyData('list_duplicates', {});
    assert.equal(index.state, 'indexing');
    assert.match(index.detail!, /^These findings are older; later changes are being checked\./);
    assert.deepEqual(duplicates, before.duplicates);
    const messages: string[] = [];
    const found = await again.earlyData('find_similar', { text: drawing, language: 'ts' }, (message) =>
      messages.push(message),
    );
    assert.equal(found.index.state, 'ready');
    assert.ok(messages.length > 0 && messages.every((message) => message !== ''), messages.join());
    const { index: checked } = await again.data('list_duplicates', {});
    assert.deepEqual([checked.state, checked.files], ['ready', index.files + 1_000]);
    await again.close();
  });

  test('serves several folders under their names', async () => {
    const other = makeFolder({ 'z.ts': parsing });
    const [here, there] = [folder, other].map((name) => path.basename(name));
    const server = await McpClient.start([folder, other], cache, '2026-07-28');
    const { passages } = await server.data('find_similar', { place: path.join(other, 'z.ts') });
    assert.deepEqual(passages.map(({ place }) => place.split('/')[0]).sort(), [here, here]);
    const problem = await server.problem('check_changes', {});
    assert.match(problem, new RegExp(`specify which folder to check: ${here}, ${there}`));
    const git = (...gitArguments: readonly string[]): void => {
      const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
      execFileSync('git', ['-C', other, ...who, ...gitArguments], { stdio: 'ignore' });
    };
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'base');
    const { newDuplicates, holds } = await server.data('check_changes', { folder: there });
    assert.equal(holds, false);
    assert.deepEqual(newDuplicates[0].newCopies, [`${there}/z.ts:1-15`]);
    assert.deepEqual(newDuplicates[0].otherCopies, [`${here}/src/a.ts:1-15`, `${here}/src/b.ts:3-17`]);
    await server.close();
    removeFolder(other);
  });

  test('rejects a missing folder with a sentence', async () => {
    const { code, stderr } = await kindred(['mcp', path.join(folder, 'nowhere')], { cwd: folder });
    assert.equal(code, 2);
    assert.match(stderr, /^kindred: there is no folder .*nowhere; check the path\.\n$/);
  });
});

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

suite('kindred mcp within limits of the system', () => {
  // With 30 open files the server cannot start, and 42 are enough for the index.
  for (const limit of ['-v 4194304', '-v 16777216', '-n 35']) {
    test(`names the limit in one sentence, in the log and to the agent: ulimit ${limit}`, async () => {
      const folder = makeFolder(files);
      const call = [process.execPath, path.join(root, 'dist/cli.js'), 'mcp', folder, '--no-cache'];
      const server = spawn('sh', ['-c', `ulimit ${limit}; exec "$0" "$@"`, ...call], { stdio: 'pipe' });
      const ended = once(server, 'close');
      let log = '';
      server.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
      const send = (message: object): boolean =>
        server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      send({ id: 1, method: 'initialize', params: client });
      send({ method: 'notifications/initialized' });
      const ask = (): boolean =>
        send({ id: 2, method: 'tools/call', params: { name: 'list_duplicates', arguments: {} } });
      ask();
      let answer = '';
      for await (const line of createInterface(server.stdout)) {
        answer = line;
        if (!line.includes('"id":2')) continue;
        if (!asksForPatience(line)) break;
        ask();
      }
      server.stdin.end();
      await ended;
      removeFolder(folder);
      const sentence = limit.startsWith('-v') ? 'there is not enough memory' : 'too many files are open';
      assert.ok(answer.includes(`The index cannot be built: ${sentence}`), answer);
      assert.match(log, new RegExp(`^kindred: error: ${sentence}; [^\n]+\\.$`, 'm'));
      assert.doesNotMatch(log, /^ +at |Error:/m);
    });
  }
});
