import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, version } from '../../scripts/project.mjs';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, harbour, parsing, parsingRenamed, quarry } from '../passages.ts';
import {
  type JsonReport,
  kindred,
  kindredProcess,
  outcomeOf,
  passageGroups,
  placesOf,
  start,
  whenReadingBegins,
} from './kindred.ts';
import { type DialValues, presets } from '../../src/core/engine/dials.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { formatNames } from '../../src/surfaces/cli/formats/destinations.ts';

const padding = '\nexport const seven = 7;\n\n';
const twoCopies = { 'src/a.ts': padding + parsing, 'src/b.ts': drawing + parsing, 'src/c.ts': 'let x = 1;\n' };
const theirPlaces = 'src/a.ts:4-18 src/b.ts:16-30';

suite('kindred', () => {
  let folder = '';
  teardown(() => removeFolder(folder));

  function lay(files: Readonly<Record<string, string | Uint8Array>>): void {
    removeFolder(folder);
    folder = makeFolder(files);
  }

  /** Scans with JSON on standard output, and checks that nothing else is printed. */
  async function scan(...commandArguments: readonly string[]): Promise<JsonReport> {
    const { code, stdout, stderr } = await kindred(['scan', '--format', 'json', ...commandArguments], { cwd: folder });
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout) as JsonReport;
  }

  async function text(...commandArguments: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await kindred(['scan', ...commandArguments], { cwd: folder });
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  }

  /** Checks that the call is rejected with exactly this message. */
  async function refused(commandArguments: readonly string[], sentence: string): Promise<void> {
    const outcome = await kindred(commandArguments, { cwd: folder });
    assert.deepEqual(outcome, { code: 2, stdout: '', stderr: `kindred: ${sentence}\n` });
  }

  suite('files that nearly repeat each other', () => {
    const inside = {
      'docs/a.md': harbour,
      'docs/b.md': `${harbour}\n${quarry}`,
      'docs/c.md': quarry.replaceAll('stone', 'rock'),
    };

    test('are found alone, as text', async () => {
      lay({ ...inside, 'e.ts': parsing, 'd.ts': `// As it is.\n${parsing}` });
      const { code, stdout } = await kindred(['files'], { cwd: folder });
      assert.equal(code, 0);
      const lines = stdout.replaceAll(/ · [\d,]+ tokens · [0-9a-f]{16}/g, '').split('\n');
      assert.deepEqual(lines.slice(0, -2), [
        'Source: 1 duplicate',
        '',
        '1. Identical files: 2 files, 16 lines',
        '   d.ts',
        '   e.ts',
        '',
        'Text: 2 duplicates',
        '',
        '2. A file contained in another: 2 files, 1 line',
        '   docs/a.md',
        '   docs/b.md',
        '     100% of a.md is in b.md',
        '',
        '3. A file contained in another: 2 files, 1 line',
        '   docs/b.md',
        '   docs/c.md',
        '     93% of c.md is in b.md',
        '',
      ]);
      assert.match(lines.at(-2) ?? '', /^3 groups of near-duplicate files, 5 files in 5 files, \d+ lines/);
    });

    test('are found alone, as JSON, with the same result as beside passages', async () => {
      lay({ ...inside, ...twoCopies });
      const { stdout } = await kindred(['files', '--format', 'json'], { cwd: folder });
      const report = JSON.parse(stdout) as JsonReport;
      assert.ok(report.groups.length >= 2);
      assert.deepEqual(
        report.groups,
        (await scan()).groups.filter(({ kind }) => kind === 'file'),
      );
      assert.equal(report.totals.duplicatedLines, 0);
      const [pair] = report.groups.flatMap(({ passages, pairs }) => (passages[0]?.path === 'docs/a.md' ? pairs : []));
      assert.equal(pair?.containment?.[0], 1);
    });

    test('--method determines their similarity', async () => {
      const files = {
        'a.ts': padding + parsing,
        'b.ts': parsing + drawing,
        'c.ts': `${parsing}// equal\n`,
        'd.ts': parsing,
      };
      lay(files);
      const found = async (...commandArguments: readonly string[]): Promise<string[]> => {
        const { stdout } = await kindred(['files', '--format', 'json', ...commandArguments], { cwd: folder });
        return (JSON.parse(stdout) as JsonReport).groups.map(({ passages }) => passages.map((it) => it.path).join(' '));
      };
      const bySimhash = ['a.ts c.ts d.ts', 'a.ts b.ts'];
      assert.deepEqual(await found('--method', 'simhash'), bySimhash);
      assert.deepEqual(await found(), await found('--method', 'minhash'));
      assert.deepEqual(await found(), ['a.ts b.ts c.ts d.ts']);
      lay({ ...files, '.kindredrc.jsonc': '{ "method": "simhash" }' });
      assert.deepEqual(await found(), bySimhash);
    });

    test('no such files, nothing to compare, and an invalid method are reported', async () => {
      lay({ 'a.ts': parsing, 'b.ts': drawing });
      assert.match((await kindred(['files'], { cwd: folder })).stdout, /^No near-duplicate files in 2 files, 30 lines/);
      await refused(['files', '--method', 'jaccard'], '--method must be minhash, simhash or combined, not jaccard.');
      await refused(['files', '--metod', 'x'], 'there is no option --metod; did you mean --method?');
      await refused(['files', '--zzzzzzz'], 'there is no option --zzzzzzz; kindred files --help lists them.');
      lay({ '.kindredrc.jsonc': '{ "method": "jaccard" }' });
      await refused(
        ['scan'],
        '.kindredrc.jsonc, line 1: method must be "minhash", "simhash" or "combined", not "jaccard".',
      );
      assert.match(
        (await kindred(['files', '--help'], { cwd: folder })).stdout,
        /kindred files docs --method combined/,
      );
    });
  });

  suite('folders that repeat each other', () => {
    const parts: readonly string[] = [parsing, drawing, parsing + padding + drawing];
    const files = {
      ...Object.fromEntries(parts.map((content, place) => [`lib/7.4/${place}.ts`, `${content}// ${place}\n`])),
      ...Object.fromEntries(parts.map((content, place) => [`lib/7.5/${place}.ts`, content])),
      'src/c.ts': 'let x = 1;\n',
    };

    test('are found alone, as text, with the number of rows in --top', async () => {
      lay(files);
      const { code, stdout } = await kindred(['folders', '--top', '1'], { cwd: folder });
      assert.equal(code, 0);
      const lines = stdout.split('\n');
      assert.deepEqual(lines.slice(0, 5), [
        'Folders: 1 row',
        '',
        '1. Folders that repeat each other: 7.4 and 7.5 in lib',
        '   7.4   3 of 3 files alike   60 lines   90%',
        '   7.5   3 of 3 files alike   60 lines   95%',
      ]);
      assert.match(
        stdout,
        /^ +\d+% {2}\S.* · \d+ lines\n +… and \d+ more rows? \(--top 0 shows all\)\.\n\n1 group of /m,
      );
      assert.match(stdout, /^1 group of folders that repeat each other, 2 folders in 7 files, \d+ lines \(/m);
      assert.doesNotMatch(stdout, /^Source/m);
      assert.doesNotMatch((await kindred(['folders', '--top', '0'], { cwd: folder })).stdout, /more row/);
      assert.match(
        (await kindred(['folders', 'lib/7.4'], { cwd: folder })).stdout,
        /^No folders repeat each other in 3 /,
      );
    });

    test('are in the JSON report, which equals that of a scan', async () => {
      lay(files);
      const { stdout } = await kindred(['folders', '--format', 'json'], { cwd: folder });
      const { totals, ...report } = JSON.parse(stdout) as JsonReport;
      assert.deepEqual(
        report.folders.map(({ paths, alike }) => [paths, alike]),
        [
          [
            ['lib/7.4', 'lib/7.5'],
            [3, 3],
          ],
        ],
      );
      const { totals: totalsOfScan, ...reportOfScan } = await scan();
      assert.deepEqual(report, reportOfScan);
      assert.deepEqual({ ...totals, elapsedMs: 0 }, { ...totalsOfScan, elapsedMs: 0 });
    });
  });

  suite('explain', () => {
    const places = ['src/a.ts:4-18', 'src/b.ts:16-30'] as const;

    test('describes the similarity of two passages, as text', async () => {
      lay({ ...twoCopies, 'src/b.ts': twoCopies['src/b.ts'].replace('limit)', 'most)') });
      const { code, stdout } = await kindred(['explain', ...places, '--most', '2'], { cwd: folder });
      assert.equal(code, 0);
      const lines = stdout.split('\n').map((line) => line.trimEnd());
      assert.match(lines[0] ?? '', /^src\/a\.ts:4-18 {2}\d+ tokens$/);
      assert.match(
        lines[3] ?? '',
        /^9\d% of the tokens correspond, renamed names included; it differs: .*`limit`? → `most`?/,
      );
      assert.match(lines[5] ?? '', /^same tokens +9\d% {2}of the tokens/);
      assert.match(lines[11] ?? '', /^distance +\d+ {2}of 64 bits differ: [0-9a-f]{16} and [0-9a-f]{16}$/);
      assert.equal(lines.filter((line) => /^ +\d+\.\d\d +\d+\.\d\d {3}/.test(line)).length, 4);
    });

    test('reports that only names differ, and lists them', async () => {
      lay({
        ...twoCopies,
        'src/b.ts': twoCopies['src/b.ts'].replaceAll('fields', 'table').replaceAll('limit', 'most'),
      });
      const { stdout } = await kindred(['explain', ...places], { cwd: folder });
      assert.match(
        stdout,
        /\n\nThe code is equal except for names\.\nRenamed throughout: limit → most, fields → table\.\n\n/,
      );
    });

    test('omits the similarity if it would differ from that of a search', async () => {
      lay({ ...twoCopies, 'src/b.ts': twoCopies['src/b.ts'].replaceAll('fields', 'table') });
      const { stdout } = await kindred(['explain', ...places, '--format', 'json'], { cwd: folder });
      const { similarity, sameTokens } = JSON.parse(stdout) as Record<'similarity' | 'sameTokens', number | undefined>;
      const found = await kindred(['find', places[0], '--format', 'json'], { cwd: folder });
      const { passages } = JSON.parse(found.stdout) as {
        readonly passages: readonly { readonly similarity: number }[];
      };
      assert.ok(sameTokens! < 0.98 && passages[0].similarity > 0.99, `${sameTokens} ${passages[0].similarity}`);
      assert.equal(similarity, undefined);
    });

    test('has the same result as JSON', async () => {
      lay(twoCopies);
      const { stdout } = await kindred(['explain', ...places, '--format', 'json'], { cwd: folder });
      const explanation = JSON.parse(stdout) as Record<string, unknown>;
      assert.deepEqual(
        ['distance', 'sameTokens', 'resemblance', 'containmentOfA', 'weightedResemblance', 'windowDistance'].map(
          (key) => explanation[key],
        ),
        [0, 1, 1, 1, 1, 0],
      );
      assert.equal((explanation['shared'] as unknown[]).length, 20);
      assert.deepEqual(explanation['differing'], []);
    });

    test('accepts whole files, and names that end like a range', async () => {
      lay({ 'a.ts': parsing, 'b.ts:1-2': parsing });
      const { code, stdout } = await kindred(['explain', 'a.ts', 'b.ts:1-2', '--format', 'json'], { cwd: folder });
      assert.equal(code, 0);
      assert.equal((JSON.parse(stdout) as { b: { path: string } }).b.path, 'b.ts:1-2');
    });

    test('accepts declarations in place of their lines', async () => {
      lay({ ...twoCopies, 'c#/e.ts': parsing });
      const explain = async (...named: string[]): Promise<unknown> => {
        const { stdout, stderr } = await kindred(['explain', ...named, '--format', 'json'], { cwd: folder });
        assert.equal(stderr, '');
        return JSON.parse(stdout);
      };
      assert.deepEqual(await explain('src/a.ts#parseHeader', 'src/b.ts#parseHeader'), await explain(...places));
      assert.deepEqual(await explain('c#/e.ts#parseHeader', places[1]), await explain('c#/e.ts:1-15', places[1]));
      await refused(
        ['explain', 'src/a.ts#parseHeader', 'src/b.ts#parseHeadr'],
        'src/b.ts has no declaration parseHeadr; it has parseHeader, Turtle, turn, forward.',
      );
    });

    test('compares comments that are read, and columns from a report', async () => {
      const words = 'the readings of a day are added up';
      const files = { 'a.ts': `// ${words}\n`, 'b.py': `total = add(1, 2)  # ${words}\n`, 'x:1': parsing };
      const tokensOf = async (...more: string[]): Promise<unknown[]> => {
        const { code, stdout } = await kindred(['explain', ...more, '--format', 'json'], { cwd: folder });
        assert.equal(code, 0);
        const { a, b } = JSON.parse(stdout) as Record<'a' | 'b', { readonly tokens: number }>;
        return [a.tokens, b.tokens];
      };
      lay(files);
      const asText = ['--read-comments', 'asText'] as const;
      assert.deepEqual(await tokensOf('a.ts:1', 'b.py:1', ...asText), [8, 8]);
      assert.deepEqual(await tokensOf('a.ts:1:4-1:38', 'b.py:1:22-1:56', ...asText), [8, 8]);
      assert.deepEqual(await tokensOf('b.py:1:1-1:18', 'b.py:1', ...asText), [8, 8]);
      assert.deepEqual(await tokensOf('x:1', 'x:1:1:1-1:9'), [205, 2]);
      lay({ ...files, '.kindredrc.jsonc': '{ "readComments": "asText" }' });
      assert.deepEqual(await tokensOf('a.ts:1', 'b.py:1'), [8, 8]);
    });

    test('rejects invalid places with a message', async () => {
      lay({ 'a.ts': parsing, 'b.ts': `// nothing\n${drawing}`, 'd.ts': '\n' });
      await refused(['explain', 'a.ts:1-3', 'c.ts:1-2'], 'there is no file c.ts; check the path.');
      await refused(['explain', 'a.ts:90-95', 'b.ts'], 'a.ts has only 15 lines; line 90 does not exist.');
      const backwards = 'is not a valid range of lines; lines count from 1, and the end must not precede the start.';
      await refused(['explain', 'a.ts:9-3', 'b.ts'], `a.ts:9-3 ${backwards}`);
      await refused(['explain', 'a.ts:0-3', 'b.ts'], `a.ts:0-3 ${backwards}`);
      const empty = 'is not a valid range; columns count from 1, and the end must be after the start.';
      await refused(['explain', 'a.ts:3:7-3:7', 'b.ts'], `a.ts:3:7-3:7 ${empty}`);
      await refused(['explain', 'a.ts:3:0-3:7', 'b.ts'], `a.ts:3:0-3:7 ${empty}`);
      await refused(
        ['explain', 'a.ts', 'd.ts', '--read-comments', 'asText'],
        'd.ts has nothing to compare; whitespace is ignored.',
      );
      await refused(
        ['explain', 'a.ts', 'b.ts:1'],
        'b.ts has nothing to compare in lines 1-1; whitespace is ignored, and so are comments without --read-comments asText.',
      );
      await refused(['explain', 'a.ts', '.'], '. cannot be compared: not a file.');
      await refused(['explain', 'a.ts'], "missing required argument 'b'; see kindred explain --help.");
      await refused(
        ['explain', 'a.ts', 'b.ts', '--most', 'x'],
        '--most must be a whole number from 0 to 1000000, not x.',
      );
    });
  });

  suite('init', () => {
    const folder = makeFolder({ 'a/.jscpd.json': '{ "minTokens": 80, "threshold": 1 }', 'b/x.ts': '', 'file.ts': '' });
    suiteTeardown(() => removeFolder(folder));

    test('creates a configuration that scans apply, and never changes an existing one', async () => {
      const made = await kindred(['init', 'a'], { cwd: folder });
      assert.deepEqual(made, {
        code: 0,
        stdout: [
          'Created a/.kindredrc.jsonc.',
          'Imported from .jscpd.json: minTokens.',
          'Not imported from .jscpd.json: threshold (use kindred check --max-percent).\n',
        ].join('\n'),
        stderr: '',
      });
      const { stdout } = await kindred(['scan', 'a', '--format', 'json'], { cwd: folder });
      assert.equal((JSON.parse(stdout) as { options: { minTokens: number } }).options.minTokens, 80);
      const again = await kindred(['init', 'a'], { cwd: folder });
      assert.equal(again.code, 2);
      assert.equal(again.stderr, 'kindred: a/.kindredrc.jsonc already exists; edit it, or delete it first.\n');
    });

    test('rejects a path that is not a folder', async () => {
      const { code, stderr } = await kindred(['init', 'file.ts'], { cwd: folder });
      assert.deepEqual([code, stderr], [2, 'kindred: there is no folder file.ts.\n']);
    });
  });

  suite('the report', () => {
    test('as text shows rows in sections, with places, kind, similarity, and first lines, then totals', async () => {
      lay({ ...twoCopies, 'd.ts': padding + drawing });
      const lines = (await text('--no-progress')).replaceAll(/\d+ tokens · [0-9a-f]{16}/g, 'N tokens · ID').split('\n');
      assert.deepEqual(lines.slice(0, -3), [
        'Source: 2 duplicates, 89.5% of 67 lines',
        '',
        '1. Near-duplicate files, 55% similar: 2 files, 30 lines · N tokens · ID',
        '   src/a.ts',
        '   src/b.ts',
        '     Exact copies of code: src/a.ts:4-18, src/b.ts:16-30',
        '     export function parseHeader(input: string, limit: number): Map<string, string[]> {',
        '       const fields = new Map<string, string[]>();',
        String.raw`       for (const line of input.split('\r\n').slice(0, limit)) {`,
        '',
        '2. Exact copies of code: 2 places, 15 lines · N tokens · ID',
        '   d.ts:4-18',
        '   src/b.ts:1-15',
        '     class Turtle {',
        '       private angle = 90;',
        '       private readonly path: [number, number][] = [[0, 0]];',
        '',
      ]);
      assert.match(
        lines.at(-3) ?? '',
        /^2 groups with 4 passages, 89\.5% of source \(60 of 67 lines\) in 4 files \([\d.]+ s\)\.$/,
      );
      assert.deepEqual(lines.slice(-2), ['1 group of near-duplicate files, 2 files.', '']);
    });

    test('as text counts tests, data, and boilerplate in one line; --all shows them and nested groups', async () => {
      const { 'src/a.ts': a, 'src/c.ts': c } = twoCopies;
      lay({ 'src/a.ts': a, 'src/b.ts': parsing, 'src/c.ts': c, 'test/d.ts': drawing, 'test/e.ts': padding + drawing });
      const some = await text();
      assert.match(
        some,
        /^Source: 1 duplicate, [\d.]+% of \d+ lines\n\n1\. [^]*\n {5}Exact copies of code: src\/a\.ts:4-18, src\/b\.ts:1-15\n[^]*\n\nTests: 1 duplicate, /,
      );
      assert.match(some, /\nTests: 1 duplicate, [\d.]+% of \d+ lines \(--all shows them\)\n\n/);
      assert.match(some, /\n2 groups .* of source \(.*\nBy category: source [\d.]+%, tests [\d.]+%\.\n/);
      const all = await text('--all');
      assert.match(
        all,
        /\n {3}with 1 group inside it:\n {5}Exact copies .*\n {7}src\/a\.ts:4-18\n {7}src\/b\.ts:1-15\n\n/,
      );
      assert.match(all, /\n\nTests: 1 duplicate, [\d.]+% of \d+ lines\n\n2\. /);
      // --top limits the shown rows. Alone, it shows no additional ones.
      assert.doesNotMatch(await text('--top', '0'), /\n2\. /);
      assert.match(await text('--all', '--top', '1'), /\n2\. /);
    });

    test('as JSON has groups in the order of the text report', async () => {
      // Tests have half the weight, so they only rank higher with many copies.
      const tests = Object.fromEntries(
        Array.from({ length: 7 }, (_, n) => [`test/${n}.ts`, padding.repeat(n) + parsing]),
      );
      lay({ ...tests, 'src/a.ts': drawing, 'src/b.ts': padding + drawing });
      const { groups } = await scan();
      const rows = groups.filter(({ parent }) => parent === undefined);
      assert.deepEqual(new Set(rows.map(({ category }) => category)), new Set(['source', 'tests']));
      assert.deepEqual(
        rows.map(({ category }) => category),
        rows.map(({ category }) => category).sort(),
      );
      assert.ok(rows.at(-1)!.worth > rows[0].worth);
    });

    test('as JSON conforms to its contract, alone on standard output', async () => {
      lay(twoCopies);
      const report = await scan();
      assert.equal(report.schema, 3);
      assert.deepEqual(report.tool, { name: 'kindred', version });
      assert.equal(report.root, folder.replaceAll('\\', '/'));
      assert.equal(report.complete, true);
      assert.deepEqual(placesOf(report), [theirPlaces]);
      const [files, group, ...others] = report.groups;
      assert.deepEqual([group?.kind, group?.type, group?.similarity, group?.lines], ['code', 'exact', 1, 15]);
      assert.deepEqual(group?.pairs, [{ a: 0, b: 1, similarity: 1, distance: 0 }]);
      const { startColumn, endColumn } = group?.passages[0] ?? {};
      assert.deepEqual([startColumn, endColumn], [1, 2]);
      assert.equal(group?.parent, files?.id);
      assert.deepEqual([files?.kind, files?.type, files?.lines, others], ['file', 'near', 30, []]);
      assert.deepEqual(
        files?.passages.map((it) => [it.path, it.startLine, it.startColumn, it.endLine, it.endColumn]),
        [
          ['src/a.ts', 1, 1, 18, 2],
          ['src/b.ts', 1, 1, 30, 2],
        ],
      );
      const { elapsedMs, tokens, ...totals } = report.totals;
      assert.ok(elapsedMs > 0 && Number.isInteger(elapsedMs));
      assert.ok(tokens > 200);
      const lines = 18 + 30 + 1;
      assert.deepEqual(totals, {
        files: 3,
        lines,
        groups: 2,
        passages: 4,
        skipped: 0,
        duplicatedLines: 30,
        duplicatedPercent: Math.round((100 * 100 * 30) / lines) / 100,
        categories: {
          source: { files: 3, lines, rows: 1, duplicatedLines: 30, duplicatedPercent: 61.22 },
        },
      });
    });

    test('as JSON is reproducible except for the time, with any number of threads', async () => {
      lay(manyFiles(700));
      const reports = await Promise.all(['1', '2', '3', '2'].map((workers) => scan('--workers', workers)));
      const [first, ...others] = reports.map((report) => ({ ...report, totals: { ...report.totals, elapsedMs: 0 } }));
      assert.equal(first?.totals.files, 700);
      assert.ok((first?.groups.length ?? 0) >= 2);
      for (const other of others) assert.deepEqual(other, first);
    });

    test('has the same groups for files in another order of names', async () => {
      lay({ 'z.ts': padding + parsing, 'y.ts': drawing + parsing });
      assert.deepEqual(placesOf(await scan()), ['y.ts:16-30 z.ts:4-18']);
    });

    test('--output writes the report, replaces an existing file, and leaves nothing else', async () => {
      lay({ ...twoCopies, 'report.json': 'something old' });
      const { code, stdout } = await kindred(['scan', '--format', 'json', '--output', 'report.json'], { cwd: folder });
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^1 group with 2 passages.*\n1 group of near-duplicate files.*\nReport written to report\.json\.\n$/,
      );
      const written = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as JsonReport;
      assert.deepEqual(placesOf(written), [theirPlaces]);
      // The old report is not scanned.
      assert.equal(written.totals.files, 3);
      assert.deepEqual(readdirSync(folder).sort(), ['report.json', 'src']);
      await text('--output', 'report.txt');
      assert.match(readFileSync(path.join(folder, 'report.txt'), 'utf8'), /^Source: 1 duplicate/);
    });

    test('several formats are written at once, one of them to standard output', async () => {
      lay(twoCopies);
      const commandArguments = ['scan', '--format', 'sarif=out.sarif,json=out.json', '--format', 'markdown=-'];
      const { code, stdout, stderr } = await kindred(commandArguments, { cwd: folder });
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /^<!-- kindred -->\n## Kindred: /);
      assert.deepEqual(readdirSync(folder).sort(), ['out.json', 'out.sarif', 'src']);
      const report = JSON.parse(readFileSync(path.join(folder, 'out.json'), 'utf8')) as JsonReport;
      assert.deepEqual(placesOf(report), [theirPlaces]);
      const again = await kindred(['scan', '--format', 'sarif=out.sarif,csv=out.csv'], { cwd: folder });
      assert.match(again.stdout, /\nReport written to out\.sarif, out\.csv\.\n$/);
      assert.match(
        (await kindred(['scan', '--format', 'github'], { cwd: folder })).stdout,
        /^::warning file=src\/a\.ts,line=/,
      );
    });

    test('if one of several files cannot be written, none is written', async () => {
      lay(twoCopies);
      const call = ['scan', '--format', 'json=out.json,sarif=no/out.sarif'];
      await refused(call, '--format: there is no folder no; create it first.');
      assert.deepEqual(readdirSync(folder), ['src']);
    });

    test('an output that cannot be written is rejected before the scan, and the existing file is kept', async () => {
      lay({ ...twoCopies, 'old.json': 'old' });
      await refused(['scan', '--output', 'no/x.json'], '--output: there is no folder no; create it first.');
      await refused(['scan', '--output', 'src'], '--output: src is not a file; specify a file.');
      await refused(['scan', '--output', 'old.json', 'nope'], 'there is no file or folder nope; check the path.');
      assert.equal(readFileSync(path.join(folder, 'old.json'), 'utf8'), 'old');
    });

    test('--top limits the rows of a section and counts the rest', async () => {
      lay({ ...twoCopies, 'd.ts': drawing });
      assert.match(await text('--top', '1'), /\n1\. [^]*\n… and 1 more duplicate \(--top 0 shows all\)\.\n/);
      const all = await text('--top', '0');
      assert.match(all, /\n1\. [^]*\n2\. /);
      assert.doesNotMatch(all, /more duplicate/);
    });

    test('uses colors in a pipe only if forced', async () => {
      lay(twoCopies);
      const outputs = await Promise.all(
        [{}, { FORCE_COLOR: '1' }, { FORCE_COLOR: '1', NO_COLOR: '1' }, { NO_COLOR: '1' }, { FORCE_COLOR: '0' }].map(
          async (env) => (await kindred(['scan'], { cwd: folder, env })).stdout.includes('\u001b['),
        ),
      );
      assert.deepEqual(outputs, [false, true, true, false, false]);
      const file = path.join(folder, 'coloured.txt');
      await kindred(['scan', '--output', file], { cwd: folder, env: { FORCE_COLOR: '1' } });
      assert.ok(!readFileSync(file, 'utf8').includes('\u001b'));
    });

    test('places are relative to the current folder', async () => {
      lay(twoCopies);
      const from = async (cwd: string, root: string): Promise<string[]> => {
        const { stdout } = await kindred(['scan', '--all', root], { cwd: path.join(folder, cwd) });
        return stdout.match(/\S+:\d+-\d+$/gm) ?? [];
      };
      assert.deepEqual(await from('.', 'src'), ['src/a.ts:4-18', 'src/b.ts:16-30']);
      assert.deepEqual(await from('src', '.'), ['a.ts:4-18', 'b.ts:16-30']);
    });

    test('keeps control characters in source files from the terminal', async () => {
      const evil = parsing.replace('const fields', '/* \u001b[2J\u202e */ const fields');
      lay({ 'a.ts': evil + padding + evil });
      const shown = await text();
      assert.ok(shown.includes('/* ·[2J· */') && !shown.includes('\u001b') && !shown.includes('\u202e'));
    });

    test('ends normally when the output stream is closed', async () => {
      lay(manyFiles(400));
      const child = start(['scan', '--format', 'json'], { cwd: folder });
      child.stdout?.once('data', () => child.stdout?.destroy());
      const stderr: string[] = [];
      child.stderr?.on('data', (text: Buffer) => stderr.push(text.toString()));
      const code = await new Promise((resolve) => child.once('exit', resolve));
      assert.deepEqual([code, stderr.join('')], [0, '']);
    });
  });

  suite('quoted code', () => {
    const lines = parsing.trimEnd().split('\n');
    const cell = (type: string, text: string): object => ({ cell_type: type, source: text.split(/(?<=\n)/) });
    const notebook = { cells: [cell('code', parsing)], metadata: { language_info: { name: 'typescript' } } };
    const files = {
      'a.ts': parsing,
      'b.md': `# Parsing\n\nHow it is done:\n\n~~~ts\n${parsing}~~~\n\nWith other names:\n\n\`\`\`ts\n${parsingRenamed}\`\`\`\n`,
      'c.rst': `It is done so::\n\n${lines.map((line) => `  ${line}`).join('\n')}\n`,
      'd.ipynb': JSON.stringify(notebook, null, 1),
    };
    const inNotebook = files['d.ipynb'].split('\n').findIndex((line) => line.includes('parseHeader')) + 1;
    const places =
      'a.ts:1-15 b.md:6-20 b.md:26-40 c.rst:3-17 ' + `d.ipynb:${inNotebook}-${inNotebook + lines.length - 1}`;

    test('is found in files, pages, and notebooks, with any number of threads', async () => {
      lay(files);
      const reports = [await scan(), await scan('--workers', '1'), await scan('--workers', '4')];
      for (const report of reports) assert.deepEqual(placesOf(report), [places]);
    });

    test('is found with a stored index', async () => {
      lay(files);
      for (let time = 0; time < 2; time++) assert.deepEqual(placesOf(await scan('--cache', '.cache')), [places]);
      writeFileSync(path.join(folder, 'e.md'), `\`\`\`\n${parsing}\`\`\`\n`);
      assert.deepEqual(placesOf(await scan('--cache', '.cache')), [`${places} e.md:2-16`]);
      assert.deepEqual(placesOf(await scan('--cache', '.cache')), placesOf(await scan()));
    });

    test('is compared in notebooks without prose too', async () => {
      lay(files);
      assert.deepEqual(placesOf(await scan('--no-prose')), [places.replaceAll(/ [bc]\.\w+:\S+/g, '')]);
    });

    test('Explain Match compares it with its original file', async () => {
      lay(files);
      const { code, stdout } = await kindred(['explain', 'a.ts:1-15', 'b.md:6-20'], { cwd: folder });
      assert.equal(code, 0);
      assert.match(stdout, /100%/);
    });
  });

  suite('options', () => {
    test('each of them is in the report', async () => {
      lay(twoCopies);
      const { options } = await scan(
        ...['--max-distance', '5', '--min-tokens', '60', '--min-lines', '6', '--min-similarity', '0.85'],
        ...['--weights', 'string=0.25,call=2', '--weights', 'comment=1', '--no-renamed', '--shingle-size', '3'],
        ...['--prose', '--prose-max-distance', '7'],
        ...['--prose-min-words', '45', '--prose-min-similarity', '0.9', '--prose-shingle-size', '2'],
        ...['--include', '*.ts', '--include', '*.md', '--exclude', 'dist', '--no-gitignore', '--max-file-size', '2mb'],
        ...['--generated', '--workers', '1', '--no-progress', '--read-comments', 'asText'],
        ...['--method', 'combined', '--category', 'data=**/golden/**', '--category', 'data=a=b'],
      );
      const { weights, ...others } = options;
      assert.deepEqual(others, {
        k: 5,
        minTokens: 60,
        minLines: 6,
        minSimilarity: 0.85,
        shingleSize: 3,
        renamed: false,
        readComments: 'asText',
        prose: { enabled: true, k: 7, minWords: 45, minSimilarity: 0.9, shingleSize: 2 },
        include: ['*.ts', '*.md'],
        exclude: ['dist'],
        gitignore: false,
        maxFileSize: 2_097_152,
        generated: true,
        method: 'combined',
        categories: { data: ['**/golden/**', 'a=b'] },
      });
      const { string, call, comment, keyword } = weights as Record<string, number>;
      assert.deepEqual([string, call, comment, keyword], [0.25, 2, 1, 1]);
    });

    test('a preset changes defaults, and explicit settings override it everywhere', async () => {
      lay(twoCopies);
      const dialsOf = async (...commandArguments: readonly string[]): Promise<unknown[]> => {
        const { k, minTokens, minLines, minSimilarity, prose } = (await scan(...commandArguments)).options;
        return [k, minTokens, minLines, minSimilarity, prose];
      };
      const [strict, loose] = [presets.strict, presets.loose];
      const proseOf = (preset: DialValues): object => ({
        enabled: true,
        k: preset['prose.maxDistance'],
        minWords: preset['prose.minWords'],
        minSimilarity: preset['prose.minSimilarity'],
        shingleSize: defaultOptions.prose.shingleSize,
      });
      const { maxDistance, minTokens, minLines, minSimilarity } = strict;
      assert.deepEqual(await dialsOf('--preset', 'strict'), [
        ...[maxDistance, minTokens, minLines, minSimilarity],
        proseOf(strict),
      ]);
      assert.equal((await dialsOf('--preset', 'strict', '--min-lines', '7'))[2], 7);
      writeFileSync(path.join(folder, '.kindredrc.jsonc'), '{ "minTokens": 61, "preset": "strict" }');
      assert.deepEqual((await dialsOf()).slice(0, 4), [maxDistance, 61, minLines, minSimilarity]);
      assert.deepEqual((await dialsOf('--preset', 'loose')).slice(0, 4), [
        ...[loose.maxDistance, 61, loose.minLines, loose.minSimilarity],
      ]);
      assert.deepEqual((await dialsOf('--preset', 'balanced')).slice(0, 4), [
        defaultOptions.maxDistance,
        61,
        defaultOptions.minLines,
        defaultOptions.minSimilarity,
      ]);
      writeFileSync(path.join(folder, '.kindredrc.jsonc'), '{ "preset": "tight" }');
      const { code, stderr } = await kindred(['scan', folder], { cwd: folder });
      assert.deepEqual(
        [code, stderr.trim()],
        [2, 'kindred: .kindredrc.jsonc, line 1: preset must be "strict", "balanced" or "loose", not "tight".'],
      );
    });

    test('--override sets stricter limits for some files, as does the configuration', async () => {
      lay({ ...twoCopies, 'src/c.md': `# Code\n\n~~~ts\n${parsing}~~~\n` });
      const filesOf = ({ groups }: JsonReport): string[] => {
        const passages = groups.filter(({ kind }) => kind !== 'file').flatMap((group) => group.passages);
        return [...new Set(passages.map((passage) => path.basename(passage.path)))].sort();
      };
      assert.deepEqual(filesOf(await scan()), ['a.ts', 'b.ts', 'c.md']);
      const markdown = '{ "files": "*.md", "minLines": 50 }';
      assert.deepEqual(filesOf(await scan('--override', markdown)), ['a.ts', 'b.ts']);
      writeFileSync(path.join(folder, '.kindredrc.jsonc'), `{ "overrides": [${markdown}] }`);
      const configured = await scan();
      assert.deepEqual(filesOf(configured), ['a.ts', 'b.ts']);
      assert.deepEqual(configured.options['overrides'], [JSON.parse(markdown)]);
      assert.deepEqual(filesOf(await scan('--override', '{ "languages": ["typescript"], "minLines": 50 }')), []);
      writeFileSync(
        path.join(folder, '.kindredrc.jsonc'),
        '{ "overrides": [\n{ "files": "*.md", "minLines": 8 },\n{ "files": "*.md",\n"minLines": 0 }] }',
      );
      await refused(
        ['scan'],
        '.kindredrc.jsonc, line 4: overrides.1.minLines must be a whole number from 1 to 1000, not 0.',
      );
    });

    test('--category sets the category of groups, as does the configuration', async () => {
      lay(twoCopies);
      const categoriesOf = ({ groups }: JsonReport): string[] => [...new Set(groups.map(({ category }) => category))];
      assert.deepEqual(categoriesOf(await scan()), ['source']);
      assert.deepEqual(categoriesOf(await scan('--category', 'tests=*.ts')), ['tests']);
      writeFileSync(path.join(folder, '.kindredrc.jsonc'), '{ "categories": { "data": ["*.ts"] } }');
      const configured = await scan();
      assert.deepEqual(categoriesOf(configured), ['data']);
      assert.deepEqual(configured.options['categories'], { data: ['*.ts'] });
      assert.deepEqual(categoriesOf(await scan('--category', 'tests=*.ts')), ['tests']);
      writeFileSync(path.join(folder, '.kindredrc.jsonc'), '{ "categories": {\n"tests": [],\n"data": ["!a"] } }');
      await refused(
        ['scan'],
        '.kindredrc.jsonc, line 3: categories.data: "!a" begins with "!"; list the files of the category only.',
      );
    });

    test('--min-lines and --min-tokens exclude small copies', async () => {
      lay(twoCopies);
      assert.deepEqual(placesOf(await scan('--min-lines', '15')), [theirPlaces]);
      assert.deepEqual(placesOf(await scan('--min-lines', '16')), []);
      assert.deepEqual(placesOf(await scan('--min-tokens', '1000')), []);
    });

    test('counts characters if words of scripts without blanks cannot be determined', async () => {
      const paragraph = '如果两个文件的内容几乎相同，修改其中一个时往往会忘记修改另一个，因此错误会在系统中长期存在。';
      lay({ 'a.md': `一\n\n${paragraph}\n`, 'b.md': `${paragraph}\n` });
      const words = ['scan', '--format', 'json', '--prose-min-words', '20'];
      const env = { NODE_OPTIONS: '--import="data:text/javascript,delete Intl.Segmenter"' };
      const counts: number[] = [];
      for (const surroundings of [{ cwd: folder }, { cwd: folder, env }]) {
        const { code, stdout, stderr } = await kindred(words, surroundings);
        assert.deepEqual([code, stderr], [0, '']);
        const report = JSON.parse(stdout) as JsonReport;
        assert.deepEqual(placesOf(report), ['a.md:3-3 b.md:1-1']);
        counts.push(report.groups.find(({ kind }) => kind === 'prose')?.tokens ?? 0);
      }
      assert.deepEqual(counts, [25, 43]);
    });

    test('--no-renamed finds exact copies only', async () => {
      lay({ 'a.ts': parsing, 'b.ts': parsingRenamed });
      assert.deepEqual(
        passageGroups(await scan('--renamed')).map(({ type }) => type),
        ['renamed'],
      );
      assert.deepEqual((await scan('--no-renamed')).groups, []);
    });

    test('--no-prose compares code only', async () => {
      lay({ 'a.md': `# One\n\n${harbour}`, 'b.md': `# Another\n\nWords before.\n\n${harbour}`, ...twoCopies });
      const kinds = async (globs: string): Promise<string[]> =>
        passageGroups(await scan(globs))
          .map(({ kind }) => kind)
          .sort();
      assert.deepEqual(await kinds('--prose'), ['code', 'prose']);
      assert.deepEqual(await kinds('--no-prose'), ['code']);
    });

    test('--include, --exclude, --no-gitignore, --max-file-size, and --generated determine the files to read', async () => {
      lay({
        '.gitignore': 'out\n',
        'a.ts': 'a\n',
        'b.js': 'b\n',
        'big.ts': 'x\n'.repeat(2_000),
        'made.ts': '// @generated\n',
        'out/c.ts': 'c\n',
      });
      const files = async (...commandArguments: string[]): Promise<[number, string[]]> => {
        const { totals, skipped } = await scan(...commandArguments);
        assert.equal(totals.skipped, skipped.length);
        return [totals.files, skipped.map(({ path: name, reason, setting }) => `${name}: ${reason}: ${setting}`)];
      };
      const made = 'made.ts: generated: generated';
      // The ignore file is a text as well.
      assert.deepEqual(await files(), [4, [made]]);
      assert.deepEqual(await files('--include', '*.ts'), [2, [made]]);
      assert.deepEqual(await files('--exclude', '*.ts'), [2, []]);
      assert.deepEqual(await files('--no-gitignore'), [5, [made]]);
      assert.deepEqual(await files('--generated'), [5, []]);
      const big = 'big.ts: too large (3.9 KB, limit 1 KB): maxFileSize';
      assert.deepEqual(await files('--max-file-size', '1k'), [3, [big, made]]);
    });

    test('several roots are one scan, with paths from their common folder', async () => {
      lay({ 'p/src/a.ts': parsing, 'p/test/b.ts': parsing, 'p/c.ts': parsing });
      const report = await scan('p/src', 'p/test/b.ts');
      assert.equal(report.root, path.join(folder, 'p').replaceAll('\\', '/'));
      assert.deepEqual(placesOf(report), ['src/a.ts:1-15 test/b.ts:1-15']);
    });

    test('--help and --version print and succeed, and so does a call without a command', async () => {
      lay({});
      const help = await kindred(['scan', '--help'], { cwd: folder });
      assert.equal(help.code, 0);
      for (const option of [
        ...['format', 'output', 'max-distance', 'min-tokens', 'min-lines', 'min-similarity', 'shingle-size', 'weights'],
        ...['include', 'exclude', 'no-gitignore', 'max-file-size', 'prose', 'no-prose', 'renamed', 'no-renamed'],
        ...['generated', 'workers', 'memory', 'config', 'no-progress', 'top', 'all', 'help', 'version'],
      ]) {
        assert.match(help.stdout, new RegExp(`--${option}\\b`));
      }
      for (const commandArguments of [['--version'], ['-V'], ['scan', '--version'], ['scan', '-V']]) {
        assert.deepEqual(await kindred(commandArguments, { cwd: folder }), {
          code: 0,
          stdout: `${version}\n`,
          stderr: '',
        });
      }
      const started = await kindredProcess(['--version'], { cwd: folder });
      assert.deepEqual(started, { code: 0, stdout: `${version}\n`, stderr: '' });
      // The command line is not loaded for this.
      lay({ 'package.json': `{ "version": "${version}" }` });
      mkdirSync(path.join(folder, 'dist'));
      copyFileSync(path.join(root, 'dist/kindred.cjs'), path.join(folder, 'dist/kindred.cjs'));
      const alone = spawnSync(process.execPath, ['dist/kindred.cjs', '-V'], { cwd: folder, encoding: 'utf8' });
      assert.deepEqual([alone.status, alone.stdout, alone.stderr], [0, `${version}\n`, '']);
      for (const commandArguments of [[], ['--help'], ['-h']]) {
        const outcome = await kindred(commandArguments, { cwd: folder });
        assert.deepEqual([outcome.code, outcome.stderr], [0, '']);
        assert.match(outcome.stdout, /^Usage: kindred/);
      }
    });

    test('keeps compiled code in the cache folder of the user, where Node can do so', async () => {
      // Node 20 cannot, so the test replaces the function in any version.
      lay({
        'recorded.cjs': `require('node:module').enableCompileCache = (folder) => process.stderr.write(folder + '\\n');`,
        'failing.cjs': `require('node:module').enableCompileCache = () => { throw new Error('no home'); };`,
        'missing.cjs': `delete require('node:module').enableCompileCache;`,
      });
      const startWith = async (preload: string): Promise<string> => {
        const env = {
          NODE_OPTIONS: `--require ${path.join(folder, preload)}`,
          XDG_CACHE_HOME: folder,
          LOCALAPPDATA: folder,
        };
        const { code, stdout, stderr } = await kindredProcess(['scan', '--version'], { cwd: folder, env });
        assert.deepEqual([code, stdout], [0, `${version}\n`]);
        return stderr;
      };
      assert.match(await startWith('recorded.cjs'), /kindred[\\/]compiled\n$/);
      assert.equal(await startWith('failing.cjs'), '');
      assert.equal(await startWith('missing.cjs'), '');
    });

    test('shows the help of a command with kindred help', async () => {
      lay({});
      for (const [call, same] of [
        ['help', '--help'],
        ['help help', '--help'],
        ['help scan', 'scan --help'],
        ['help org add', 'org add --help'],
      ] as const) {
        const outcome = await kindred(call.split(' '), { cwd: folder });
        assert.deepEqual([outcome.code, outcome.stderr], [0, ''], call);
        assert.equal(outcome.stdout, (await kindred(same.split(' '), { cwd: folder })).stdout, call);
      }
      await refused(['help', 'scann'], 'there is no command "scann"; did you mean kindred help scan?');
      await refused(['help', 'qqqqq'], 'there is no command "qqqqq"; kindred --help lists them.');
    });

    test('wraps the help at 80 columns if it is not for a terminal', async () => {
      lay({});
      const { stdout: commands } = await kindred(['--help'], { cwd: folder });
      const names = [...commands.split('Commands:')[1].matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
      assert.ok(names.length > 10);
      for (const commandArguments of [[], ...names.map((name) => [name])]) {
        const { stdout } = await kindred([...commandArguments, '--help'], { cwd: folder });
        const long = stdout.split('\n').filter((line) => line.length > 80);
        assert.deepEqual(long, [], commandArguments.join(' '));
      }
    });

    test('accepts a machine with more processors than threads are allowed', async () => {
      lay(twoCopies);
      const { availableParallelism } = os;
      Object.assign(os, { availableParallelism: () => 768 });
      syncBuiltinESMExports();
      try {
        const { code, stderr } = await kindred(['scan'], { cwd: folder });
        assert.deepEqual([code, stderr], [0, '']);
      } finally {
        Object.assign(os, { availableParallelism });
        syncBuiltinESMExports();
      }
    });

    test('rejects invalid arguments with one helpful message', async () => {
      lay(twoCopies);
      const noFormat = `--format must be ${formatNames.join(', ').replace(/, (\w+)$/, ' or $1')}, not xml.`;
      const calls: readonly (readonly [call: string, sentence: string])[] = [
        ['scan --k 99', '--max-distance must be a whole number from 0 to 16, not 99.'],
        ['scan --max-distance 2.5', '--max-distance must be a whole number from 0 to 16, not 2.5.'],
        ['scan --k few', '--max-distance must be a number, not "few".'],
        ['scan --k', '--max-distance needs a value: --max-distance <bits>.'],
        ['scan --min-tokens 1', '--min-tokens must be a whole number from 10 to 10000, not 1.'],
        ['scan --min-similarity 2', '--min-similarity must be a number from 0.3 to 1, not 2.'],
        ['scan --prose-k 17', '--prose-max-distance must be a whole number from 0 to 16, not 17.'],
        ['scan --weights strng=1', '--weights: there is no kind of token "strng"; did you mean string?'],
        ['scan --weights string', '--weights takes KIND=N,… such as string=0.5,call=2, not "string".'],
        ['scan --weights string=101', '--weights string must be a number from 0 to 100, not 101.'],
        ['scan --max-file-size big', '--max-file-size must be a size such as 500k or 2mb, not "big".'],
        ['scan --max-file-size 2gb', '--max-file-size must be from 1 byte to 1 GB, not 2 GB.'],
        ['scan --memory 100mb', '--memory must be at least 256 MB, not 100 MB.'],
        ['scan --memory much', '--memory must be a size such as 512mb or 2gb, not "much".'],
        ['scan --workers 0', '--workers must be a whole number from 1 to 512, not 0.'],
        ['scan --top -1', '--top must be a whole number from 0 on, not -1.'],
        ['scan --format xml', noFormat],
        [
          'scan --format json,text',
          '--format: several reports go to standard output; name a file for each, as in sarif=out.sarif.',
        ],
        ['scan --read-comments code', '--read-comments must be none or asText, not code.'],
        ['scan --exclude !a', '--exclude: "!a" begins with "!"; use include with "a" instead.'],
        ['scan --override {"files":}', '--override: a value is missing.'],
        [
          'scan --override {"languages":["typescrit"]}',
          '--override.languages: there is no language "typescrit"; did you mean "typescript"?',
        ],
        ['scan --category data', '--category takes NAME=GLOB such as "data=**/golden/**", not "data".'],
        ['scan --category test=a', '--category: there is no category "test"; did you mean "tests"?'],
        ['scan --category data=!a', '--category data: "!a" begins with "!"; list the files of the category only.'],
        ['scan --category tests=', '--category tests: a glob must not be empty.'],
        ['scan --min-tokns 5', 'there is no option --min-tokns; did you mean --min-tokens?'],
        ['scan --qqqqqqqq', 'there is no option --qqqqqqqq; kindred scan --help lists them.'],
        ['baseline frob', 'action must be write, update, prune or explain, not frob.'],
        ['scann', 'there is no command "scann"; did you mean kindred scan?'],
        ['src', 'there is no command "src"; to scan a folder: kindred scan src.'],
        ['scan nowhere', 'there is no file or folder nowhere; check the path.'],
      ];
      await Promise.all(calls.map(async ([call, sentence]) => refused(call.split(' '), sentence)));
    });
  });

  suite('configuration', () => {
    test('the file in the scanned folder applies, and the command line overrides it', async () => {
      lay({
        ...twoCopies,
        'src/.kindredrc.jsonc':
          '{\n  // Ours.\n  "k": 4, "minLines": 20,\n  "weights": { "call": 3 },\n  "prose": false,\n  "exclude": ["b.ts"],\n}\n',
      });
      const { options, totals } = await scan('src', '--min-lines', '5', '--weights', 'string=2');
      assert.equal(totals.files, 3);
      const { k, minLines, exclude, prose, weights } = options as Record<string, Record<string, unknown>>;
      assert.deepEqual([k, minLines, exclude, prose?.['enabled']], [4, 5, ['b.ts'], false]);
      assert.deepEqual([weights?.['call'], weights?.['string']], [3, 2]);
      assert.deepEqual((await scan('.')).options['k'], 3);
    });

    test('the file selects files like the command line, which takes precedence', async () => {
      const files = Object.fromEntries(
        Object.entries(twoCopies).map(([name, text]) => [name.replace('.ts', '.js'), text]),
      );
      lay({ ...twoCopies, ...files, '.kindredrc.jsonc': '{ "include": ["*.js"], "exclude": ["c.*"] }' });
      const pathsOf = async (...commandArguments: string[]): Promise<Set<string>> =>
        new Set(
          (await scan(...commandArguments)).groups.flatMap(({ passages }) => passages.map(({ path: name }) => name)),
        );
      assert.deepEqual(await pathsOf(), new Set(Object.keys(files).filter((name) => /[ab]\.js/.test(name))));
      assert.deepEqual(
        await pathsOf('--include', '*.ts'),
        new Set(Object.keys(twoCopies).filter((name) => /[ab]\.ts/.test(name))),
      );
    });

    test('--config names another file', async () => {
      lay({
        ...twoCopies,
        '.kindredrc.jsonc': '{ "k": 4 }',
        'strict.jsonc': '{ "maxDistance": 1, "maxFileSize": "2mb" }',
      });
      const { options } = await scan('--config', 'strict.jsonc');
      assert.deepEqual([options['k'], options['maxFileSize']], [1, 2_097_152]);
    });

    test('the options of a report are a configuration with the same report', async () => {
      lay(twoCopies);
      const first = await scan('--k', '4', '--min-lines', '6', '--exclude', 'x');
      writeFileSync(path.join(folder, 'again.jsonc'), JSON.stringify(first.options));
      const second = await scan('--config', 'again.jsonc', '--exclude', 'x', '--exclude', 'again.jsonc');
      assert.deepEqual({ ...second.options, exclude: ['x'] }, first.options);
      assert.deepEqual(second.groups, first.groups);
    });

    test('reports an error with its line', async () => {
      lay(twoCopies);
      mkdirSync(path.join(folder, 'folder.jsonc'));
      const wrong = async (content: string, sentence: string): Promise<void> => {
        writeFileSync(path.join(folder, '.kindredrc.jsonc'), content);
        await refused(['scan'], sentence);
      };
      const at = '.kindredrc.jsonc, line';
      await wrong('{\n  "minToken": 5\n}', `${at} 2: there is no key "minToken"; did you mean "minTokens"?`);
      await wrong('{\n\n  "k": 99\n}', `${at} 3: maxDistance must be a whole number from 0 to 16, not 99.`);
      await wrong('{\n"k": 3\n"minLines": 4 }', `${at} 3: a comma is missing before this.`);
      await refused(['scan', '--config', 'none.jsonc'], 'there is no configuration file none.jsonc.');
      await refused(['scan', '--config', 'folder.jsonc'], 'folder.jsonc is not a file.');
    });
  });

  suite('bad input', () => {
    test('reports an empty folder without failing', async () => {
      lay({});
      assert.match(await text(), /^Nothing to compare: no source files in \.\.?\n$/);
      const report = await scan();
      assert.deepEqual([report.totals.files, report.groups, report.skipped], [0, [], []]);
      assert.equal('hidden' in report, false);
    });

    test('reports the rule that hides all files, and no other', async () => {
      lay({ ...twoCopies, '.ignore': 'src\n*.ts\n.ignore\n' });
      const { hidden } = (await scan()) as { hidden?: unknown };
      assert.deepEqual(hidden, [{ source: '.ignore', files: 1, folders: 1, setting: 'gitignore' }]);
      assert.equal('hidden' in (await scan('--no-gitignore')), false);
      rmSync(path.join(folder, '.ignore'));
      const without = (await scan('--exclude', '**')) as { hidden?: unknown };
      assert.deepEqual(without.hidden, [{ files: 0, folders: 1, setting: 'exclude' }]);
    });

    test('names files that cannot be compared with the reason, and compares the rest', async () => {
      lay({
        ...twoCopies,
        'binary.ts': Uint8Array.from({ length: 5_000 }, (_, place) => (place * 7) % 256),
        'latin.ts': Buffer.from(`// gr\xfc\xdfe \xff\n${drawing}`, 'latin1'),
        'line.ts': `const data = "${'abcdefghij'.repeat(500_000)}";\n`,
        'open.ts': `// Another beginning.\n${drawing.trimEnd()}`,
      });
      writeFileSync(path.join(folder, 'huge.ts'), '');
      truncateSync(path.join(folder, 'huge.ts'), 300 * 2 ** 20);
      symlinkSync('..', path.join(folder, 'src', 'up'));
      symlinkSync('round', path.join(folder, 'round'));
      const report = await scan();
      assert.deepEqual(placesOf(report), [theirPlaces, 'latin.ts:2-16 open.ts:2-16 src/b.ts:1-15']);
      const skipped = [
        { path: 'binary.ts', reason: 'binary' },
        { path: 'huge.ts', reason: 'too large (300 MB, limit 1 MB)', setting: 'maxFileSize' },
        { path: 'line.ts', reason: 'too large (4.8 MB, limit 1 MB)', setting: 'maxFileSize' },
        { path: 'round', reason: 'unreadable (a circular symbolic link)' },
      ];
      assert.deepEqual(report.skipped, skipped);
      assert.match(
        await text(),
        /2 × too large \(--max-file-size reads them\): huge\.ts \(300 MB\), line\.ts \(4\.8 MB\)\n/,
      );
      // The line of 5 MB is harmless if it is included.
      const withLine = await scan('--max-file-size', '10mb');
      assert.deepEqual(withLine.groups, report.groups);
      assert.equal(withLine.totals.files, report.totals.files + 1);
    });

    test('CRLF gives the same findings as LF', async () => {
      const files = { ...twoCopies, 'a.md': `# One\n\n${harbour}`, 'b.md': `# Two\n\n${harbour}` };
      lay(files);
      const unix = await scan();
      lay(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, content.replaceAll('\n', '\r\n')])));
      const windows = await scan();
      assert.equal(passageGroups(unix).length, 2);
      assert.deepEqual(windows.groups, unix.groups);
      // A copy with other line endings is a copy.
      lay({ 'a.ts': parsing, 'b.ts': parsing.replaceAll('\n', '\r\n') });
      assert.deepEqual(placesOf(await scan()), ['a.ts:1-15 b.ts:1-15']);
    });

    test('a byte order mark and UTF-16 shift no lines and columns', async () => {
      const text = `${parsing.trimEnd().slice(0, -1)}  /* é語😀 */ }\n`;
      lay({
        'a.ts': text,
        'b.ts': `\ufeff${text}`,
        'c.ts': Buffer.from(`\ufeff// UTF-16 ü\n${text}`, 'utf16le'),
      });
      const [group, ...others] = passageGroups(await scan());
      assert.deepEqual(others, []);
      const endColumn = '  /* é語😀 */ }'.length + 1;
      assert.deepEqual(
        group?.passages.map((it) => [it.startLine, it.startColumn, it.endLine, it.endColumn]),
        [
          [1, 1, 15, endColumn],
          [1, 1, 15, endColumn],
          [2, 1, 16, endColumn],
        ],
      );
    });

    test('a file that is deleted during the scan is skipped, and the scan continues', async () => {
      lay({
        ...twoCopies,
        'src/victim.ts': drawing,
        // Deletes the file when it is opened.
        'delete.mjs': `
          import fs from 'node:fs';
          import { syncBuiltinESMExports } from 'node:module';
          const { openSync } = fs;
          fs.openSync = (file, ...others) => {
            if (String(file).endsWith('victim.ts')) fs.rmSync(file);
            return openSync(file, ...others);
          };
          syncBuiltinESMExports();
        `,
      });
      const env = { NODE_OPTIONS: `--import ${pathToFileURL(path.join(folder, 'delete.mjs')).href}` };
      const { code, stdout } = await kindred(['scan', '--format', 'json', 'src'], { cwd: folder, env });
      assert.equal(code, 0);
      assert.ok(!existsSync(path.join(folder, 'src/victim.ts')));
      const report = JSON.parse(stdout) as JsonReport;
      assert.deepEqual(report.skipped, [{ path: 'victim.ts', reason: 'missing' }]);
      assert.deepEqual(placesOf(report), ['a.ts:4-18 b.ts:16-30']);
    });
  });

  suite('Ctrl+C', () => {
    test('ends with 130 and a report marked as partial', async () => {
      lay(manyFiles(3_000));
      const env = whenReadingBegins(folder, "process.kill(process.pid, 'SIGINT');");
      const child = start(['scan', '--format', 'json', '--output', 'report.json', '.'], { cwd: folder, env });
      const { code, stderr } = await outcomeOf(child);
      assert.deepEqual([code, stderr], [130, 'kindred: interrupted; the result is partial.\n']);
      const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as JsonReport;
      assert.equal(report.complete, false);
      assert.ok(report.totals.files < 3_000, `${report.totals.files} files were read`);
    });
  });
});

/** Returns different files, with a copy of one passage in every tenth file and of another in every fifteenth. */
function manyFiles(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, place) => {
      const own = `export const value${place} = ${place * place};\nexport function double${place}(): number {\n  return value${place} * 2;\n}\n`;
      const name = `folder${place % 7}/file${String(place).padStart(5, '0')}.ts`;
      return [name, own + (place % 10 === 0 ? parsing : '') + (place % 15 === 0 ? drawing : '')];
    }),
  );
}
