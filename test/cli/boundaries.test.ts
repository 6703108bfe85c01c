/** `kindred check --boundaries`: copies across the configured parts of a tree. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, harbour, parsing } from '../passages.ts';
import { type JsonReport, kindred, type Outcome } from './kindred.ts';

const boundaries = '{\n  "boundaries": { "api": ["packages/api/**"], "web": ["/packages/web"] }\n}\n';

const crossing = {
  '.kindredrc.jsonc': boundaries,
  'packages/api/a.ts': `let a;\n${parsing}`,
  'packages/web/b.ts': `let b;\n${drawing}${parsing}`,
  'packages/web/c.ts': `let c;\n${drawing}`,
  'tools/d.ts': `let d;\n${harbour}`,
};

suite('kindred check --boundaries', () => {
  let folder = '';
  teardown(() => removeFolder(folder));

  function call(files: Readonly<Record<string, string>>, ...commandArguments: readonly string[]): Promise<Outcome> {
    folder = makeFolder(files);
    return kindred(['check', '--boundaries', ...commandArguments], { cwd: folder });
  }

  test('fails for a copy in two parts, lists it first, and ignores copies within a part', async () => {
    const { code, stdout } = await call(crossing);
    assert.equal(code, 1);
    const [first] = stdout.split('\n\nCompared');
    assert.match(
      first,
      /^Copies across boundaries: 1 group\n\n1\. Near-duplicate files across api and web, 55% similar/,
    );
    assert.match(first, /\n {3}packages\/api\/a\.ts\n {3}packages\/web\/b\.ts$/);
    assert.match(stdout, /Failed: 1 group with copies across boundaries \(--boundaries\)\.\n$/);
  });

  test('passes if no group is in two parts; files outside all parts may have copies anywhere', async () => {
    const outside = { ...crossing, 'packages/api/a.ts': '', 'tools/d.ts': `let d;\n${parsing}` };
    const { code, stdout } = await call(outside);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Passed: 0 groups with copies across boundaries/);
  });

  test('a file is in the first part that contains it', async () => {
    const both = '{ "boundaries": { "web": ["*.ts"], "api": ["packages/api/**"] } }';
    assert.equal((await call({ ...crossing, '.kindredrc.jsonc': both })).code, 0);
  });

  test('is reported in every format, with JSON valid by its schema', async () => {
    const formats = ['sarif', 'github', 'gitlab', 'rdjson', 'junit', 'markdown', 'html'];
    const { code } = await call(
      crossing,
      '--format',
      `${formats.map((name) => `${name}=${name}.out`).join(',')},json=-`,
    );
    assert.equal(code, 1);
    const outputs = await Promise.all(
      ['github', 'gitlab', 'rdjson', 'junit', 'markdown', 'sarif'].map(async (format) => {
        const { stdout } = await kindred(['check', '--boundaries', '--format', format], { cwd: folder });
        return [format, stdout] as const;
      }),
    );
    for (const [format, text] of outputs) assert.match(text, /across api and web/, format);
    assert.match(outputs[0][1], /^::error file=packages\/api\/a\.ts,line=1/);
    const { stdout } = await kindred(['check', '--boundaries', '--format', 'json'], { cwd: folder });
    const report = JSON.parse(stdout) as JsonReport & { check: { limits: unknown } };
    assert.deepEqual(report.check.limits, [{ option: 'boundaries', limit: 0, actual: 1, holds: false }]);
  });

  test('skips ignored groups and those of the baseline', async () => {
    const files = { ...crossing, 'packages/api/a.ts': `// kindred-ignore-file: two teams\n${parsing}` };
    assert.equal((await call(files)).code, 0);
    removeFolder(folder);
    folder = makeFolder(crossing);
    assert.equal((await kindred(['baseline', 'write'], { cwd: folder })).code, 0);
    const commandArguments = ['check', '--boundaries', '--baseline', '.kindred-baseline.jsonc'];
    assert.equal((await kindred(commandArguments, { cwd: folder })).code, 0);
    writeFileSync(path.join(folder, 'packages/api/e.ts'), `let e;\n${drawing}`);
    const { code, stdout } = await kindred(commandArguments, { cwd: folder });
    assert.equal(code, 1);
    // They are also new, and are reported once.
    assert.match(stdout, /^Copies across boundaries: 2 groups\n/);
    assert.doesNotMatch(stdout, /\nNew copies/);
    assert.match(stdout, /Failed: 2 groups with new copies.*; 2 groups with copies across boundaries/);
  });

  test('with --since also fails for old copies', async () => {
    folder = makeFolder(crossing);
    const git = (...gitArguments: readonly string[]): void => {
      execFileSync('git', ['-C', folder, '-c', 'user.name=n', '-c', 'user.email=n@example.com', ...gitArguments]);
    };
    git('init', '-q', '-b', 'main');
    git('add', '--all');
    git('commit', '-q', '-m', 'base');
    const { code, stdout } = await kindred(['check', '--boundaries', '--since', 'main'], { cwd: folder });
    assert.equal(code, 1);
    assert.match(stdout, /Failed: 1 group with copies across boundaries \(--boundaries\)\.\n$/);
  });

  test('requires two parts, in order', async () => {
    const wrong: readonly (readonly [configuration: string, sentence: RegExp])[] = [
      ['{}', /--boundaries needs at least two named parts under "boundaries" in \.kindredrc\.jsonc/],
      ['{ "boundaries": { "api": ["a"] } }', /needs at least two named parts/],
      ['{\n"boundaries": []\n}', /line 2: boundaries must be an object with lists of globs under names/],
      ['{\n"boundaries": { "a b": ["x"] }\n}', /line 2: boundaries must be an object/],
      [
        '{\n"boundaries": {\n"api": ["a"],\n"web": "b" } }',
        /line 4: boundaries\.web must be a list of strings, not "b"/,
      ],
      [
        '{\n"boundaries": {\n"api": ["a"],\n"web-ui": ["!b"] } }',
        /line 4: boundaries\.web-ui: "!b" begins with "!"; list/,
      ],
      ['{\n"boundaries": {\n"api": [""],\n"web": ["b"] } }', /line 3: boundaries\.api: a glob must not be empty/],
    ];
    for (const [configuration, sentence] of wrong) {
      const { code, stdout, stderr } = await call({ ...crossing, '.kindredrc.jsonc': configuration });
      assert.deepEqual([code, stdout], [2, ''], configuration);
      assert.match(stderr, sentence);
      removeFolder(folder);
    }
    folder = makeFolder({});
  });
});
