/** `kindred scan --compare A B`, on real folders. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import type { Comparison } from '../../../src/surfaces/cli/compare/comparison.ts';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { drawing, harbour, parsing, parsingRenamed } from '../../passages.ts';
import { readSchema } from '../../reportProblems.ts';
import { kindred, type Outcome } from '../kindred.ts';

const isComparison = new Ajv({ strict: true, allErrors: true }).compile(readSchema('compare'));

type Report = Comparison & { readonly a: { readonly percentInOther: number } };

suite('kindred scan --compare', () => {
  let folder = '';
  teardown(() => removeFolder(folder));

  function call(files: Readonly<Record<string, string>>, ...commandArguments: readonly string[]): Promise<Outcome> {
    folder = makeFolder(files);
    return kindred(['scan', '--compare', ...commandArguments], { cwd: folder });
  }

  /** Compares the folders `a` and `b`. Returns all lists in abbreviated form. */
  async function compare(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): Promise<Report> {
    const files = (tree: string, of: Readonly<Record<string, string>>): [string, string][] =>
      Object.entries(of).map(([name, text]) => [`${tree}/${name}`, text]);
    const { code, stdout, stderr } = await call(
      Object.fromEntries([...files('a', a), ...files('b', b)]),
      ...['a', 'b', '--format', 'json'],
    );
    assert.deepEqual([code, stderr], [0, '']);
    const report = JSON.parse(stdout) as Report;
    assert.ok(isComparison(report), JSON.stringify(isComparison.errors));
    return report;
  }

  function passages({ passages: found }: Report): string[] {
    return found.map(({ change, a, b, type }) => {
      return `${change} ${type} ${a.path}:${a.startLine}-${a.endLine} ${b.path}:${b.startLine}-${b.endLine}`;
    });
  }

  test('distinguishes equal, moved, and single files of any size', async () => {
    const report = await compare(
      { 'same.ts': drawing, 'old/moved.ts': parsing, 'short.ts': 'let a;\n', 'gone.ts': 'let gone;\n', 'empty.ts': '' },
      { 'same.ts': drawing, 'new/moved.ts': parsing, 'brief.ts': 'let a;\n', 'more.ts': 'let more;', 'none.ts': '' },
    );
    assert.deepEqual(report.equal, { files: 1, lines: 15 });
    assert.deepEqual(report.moved, [
      { a: 'old/moved.ts', b: 'new/moved.ts', lines: 15 },
      { a: 'short.ts', b: 'brief.ts', lines: 1 },
    ]);
    assert.deepEqual(
      report.onlyInA.map(({ path: name }) => name),
      ['gone.ts', 'empty.ts'],
    );
    assert.deepEqual(
      report.onlyInB.map(({ path: name }) => name),
      ['more.ts', 'none.ts'],
    );
    assert.deepEqual([report.a.lines, report.a.linesInOther, report.a.percentInOther], [32, 31, 96.87]);
    assert.deepEqual(passages(report), []);
  });

  test('considers a file moved to the path that has most in common', async () => {
    const report = await compare(
      { 'lib/app/x.rb': drawing, 'lib/y.rb': parsing },
      { 'lib/app/x.rb.tt': drawing, 'test/x.rb': drawing, 'lib/z.rb': parsing, 'src/y.rb': parsing },
    );
    assert.deepEqual(
      report.moved.map(({ a, b }) => [a, b]),
      [
        ['lib/app/x.rb', 'lib/app/x.rb.tt'],
        ['lib/y.rb', 'src/y.rb'],
      ],
    );
    assert.deepEqual(
      report.onlyInB.map(({ path: name, copyOf }) => [name, copyOf]),
      [
        ['lib/z.rb', 'lib/y.rb'],
        ['test/x.rb', 'lib/app/x.rb'],
      ],
    );
  });

  test('reports the changes in a file, ignoring whitespace', async () => {
    const report = await compare(
      { 'a.ts': drawing + parsing, 'b.ts': parsing },
      {
        'a.ts': drawing + parsing.replace('100', '200'),
        'b.ts': parsing.replaceAll('\n', '\r\n').replaceAll('  ', '\t'),
      },
    );
    const [first, second] = report.changed;
    assert.deepEqual([first.a.path, first.removed, first.added], ['a.ts', 1, 1]);
    assert.deepEqual([first.a.linesInOther, first.b.linesInOther], [29, 29]);
    assert.deepEqual([second.a.path, second.removed, second.added], ['b.ts', 0, 0]);
    assert.deepEqual(passages(report), []);
  });

  test('finds a file that was moved and changed', async () => {
    const report = await compare(
      { 'lib/turtle.ts': drawing + parsing },
      { 'src/animal.ts': (drawing + parsing).replace('360) % 360', '720) % 720') },
    );
    const [file] = report.movedAndChanged;
    assert.deepEqual([file.a.path, file.b.path, file.removed, file.added], ['lib/turtle.ts', 'src/animal.ts', 1, 1]);
    assert.deepEqual([report.onlyInA, report.onlyInB, passages(report)], [[], [], []]);
  });

  test('finds a function that was moved to another file, renamed or not', async () => {
    const [one, two] = ['const one = 1;\n', "import './two';\n"];
    const moved = await compare({ 'a.ts': drawing + parsing, 'b.ts': two }, { 'a.ts': drawing, 'b.ts': two + parsing });
    assert.deepEqual(passages(moved), ['moved exact a.ts:16-30 b.ts:2-16']);
    assert.equal(moved.a.linesInOther, moved.a.lines);
    assert.deepEqual(
      moved.changed.map(({ a, removed, added }) => [a.path, removed, added]),
      [
        ['a.ts', 15, 0],
        ['b.ts', 0, 15],
      ],
    );
    removeFolder(folder);
    const renamed = await compare({ 'a.ts': one + parsing }, { 'a.ts': one, 'b.ts': two + parsingRenamed });
    assert.deepEqual(passages(renamed), ['moved renamed a.ts:2-16 b.ts:2-16']);
  });

  test('finds copies from a file in both trees, and merged files', async () => {
    const copied = await compare({ 'a.ts': parsing }, { 'a.ts': parsing, 'b.ts': `let b;\n${parsing}` });
    assert.deepEqual(passages(copied), ['copied exact a.ts:1-15 b.ts:2-16']);
    assert.deepEqual(copied.onlyInB, [{ path: 'b.ts', lines: 16, linesInOther: 15 }]);
    removeFolder(folder);
    const merged = await compare(
      { 'a.ts': parsing, 'b.ts': `let b;\n${parsing}` },
      { 'a.ts': parsing, 'b.ts': 'let b;\n' },
    );
    assert.deepEqual(passages(merged), ['merged exact b.ts:2-16 a.ts:1-15']);
  });

  test('names the original of a copied file', async () => {
    const report = await compare({ 'a.md': harbour }, { 'a.md': harbour, 'b.md': harbour });
    assert.deepEqual(report.onlyInB, [{ path: 'b.md', lines: 1, linesInOther: 1, copyOf: 'a.md' }]);
    assert.deepEqual(passages(report), []);
  });

  test('does not report copies within one tree', async () => {
    const report = await compare({ 'a.ts': parsing, 'b.ts': `let b;\n${parsing}` }, { 'c.ts': drawing });
    assert.deepEqual(passages(report), []);
    assert.deepEqual([report.a.linesInOther, report.b.linesInOther], [0, 0]);
  });

  test('excludes the same files as a scan, by the rules and the configuration of the first folder', async () => {
    const minified = `// Code generated by hand. DO NOT EDIT.\n${drawing}`;
    const files = { 'generated.ts': minified, 'a.ts': parsing, 'vendor/x.ts': drawing };
    const report = await compare({ ...files, '.kindredrc.jsonc': '{ "exclude": ["/vendor"] }' }, files);
    assert.deepEqual(report.equal, { files: 1, lines: 15 });
    assert.deepEqual(
      report.skipped.map(({ tree, path: name }) => [tree, name]),
      [
        ['a', 'generated.ts'],
        ['b', 'generated.ts'],
      ],
    );
    assert.equal(report.a.files, 1 + Number(existsSync(path.join(folder, 'a/.kindredrc.jsonc'))));
  });

  test('prints text and Markdown, and writes several formats at once', async () => {
    const files = {
      'a/x.ts': drawing + parsing,
      'b/x.ts': drawing,
      'b/y `z`.ts': `let y;\n${parsing}`,
      'a/_gone_.ts': 'let gone;\n',
    };
    const { code, stdout } = await call(files, 'a', 'b', '--top', '1');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^A {2}a {2}2 files, 31 lines\nB {2}b {2}2 files, 31 lines\n96% of the lines of A are in B, and 96% of/,
    );
    assert.match(stdout, /Changed files: 1\n {3}b\/x\.ts {2}\+0 −15 lines \(50% of A in B, 100% of B in A\)\n/);
    assert.match(stdout, /Passages in other places: 1\n {3}a\/x\.ts:16-30 → b\/y `z`\.ts:2-16 {2}moved\n/);
    const outcome = await kindred(['scan', '--compare', 'a', 'b', '--format', 'markdown=out.md,json=b/out.json'], {
      cwd: folder,
    });
    assert.equal(outcome.code, 0);
    assert.match(outcome.stdout, /^A {2}a[^]*Report written to out\.md, b\/out\.json\.\n$/);
    const markdown = readFileSync(path.join(folder, 'out.md'), 'utf8');
    assert.match(markdown, /- `x\.ts:16-30` → ``y `z`\.ts:2-16``: moved\n/);
    assert.match(markdown, /\| Files only in A \| 1 \| 1 \| {2}\|\n/);
    const json = JSON.parse(readFileSync(path.join(folder, 'b/out.json'), 'utf8')) as Report;
    // The report is not scanned.
    assert.equal(json.b.files, 2);
  });

  test('prints the same each time, except for properties of the machine', async () => {
    const files = { 'a/x.ts': drawing + parsing, 'b/x.ts': drawing, 'b/y.ts': parsing, 'b/z.md': harbour };
    const first = await call(files, 'a', 'b', '--format', 'json');
    const again = ['scan', '--compare', 'a', 'b', '--format', 'json', '--workers', '3'];
    assert.equal((await kindred(again, { cwd: folder })).stdout, first.stdout);
  });

  test('rejects arguments that are not two separate folders', async () => {
    folder = makeFolder({ 'a/x.ts': parsing, 'a/inner/y.ts': parsing, 'b/x.ts': parsing });
    symlinkSync(path.join(folder, 'a'), path.join(folder, 'link'));
    writeFileSync(path.join(folder, 'list'), '');
    const wrong: readonly (readonly [given: readonly string[], sentence: RegExp])[] = [
      [[], /--compare needs two folders/],
      [['a'], /--compare needs two folders/],
      [['a', 'b', 'list'], /--compare needs two folders/],
      [['a', 'nowhere'], /there is no folder nowhere; check the path/],
      [['a', 'list'], /list is not a folder; .* kindred explain two files/],
      [['a', 'a'], /a and a are the same folder/],
      [['a', 'link'], /a and link are the same folder/],
      [['a', 'a/inner'], /a\/inner is inside a; specify two separate folders/],
      [['a/inner', 'a'], /a\/inner is inside a; specify/],
      [['a', 'b', '--format', 'sarif'], /--format must be text, json or markdown with --compare, not sarif/],
      [['a', 'b', '--cache', 'c'], /--cache keeps the index of a scan; omit it/],
      [['a', 'b', '--output', 'none/x'], /there is no folder none/],
    ];
    for (const [commandArguments, sentence] of wrong) {
      const { code, stdout, stderr } = await kindred(['scan', '--compare', ...commandArguments], { cwd: folder });
      assert.deepEqual([code, stdout], [2, ''], commandArguments.join(' '));
      assert.match(stderr, sentence);
    }
  });
});
