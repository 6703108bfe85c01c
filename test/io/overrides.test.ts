/** Overrides of options: precedence, folders, and invalid overrides. */
import assert from 'node:assert/strict';
import { fileLexicons, languageIds } from '../../src/core/engine/languages/allLexicons.ts';
import { configuredPaths } from '../../src/scan/indexer/configuredPaths.ts';
import { type Override, problemsOfOverrides } from '../../src/scan/io/overrideKeys.ts';
import { type OverriddenRoot, overridesAlike } from '../../src/scan/io/overrides.ts';

type Effects = Readonly<
  Record<string, { tokens?: number; lines?: number; similarity?: number; category?: string } | undefined>
>;

function check(roots: readonly OverriddenRoot[], expected: Effects): void {
  const configured = roots.map((root) => ({ ...root, categories: { tests: ['qa/**'] } }));
  const { minimumOf, chosenCategory } = configuredPaths(configured, fileLexicons([]));
  for (const [path, effect] of Object.entries(expected)) {
    const { tokens, lines, similarity } = minimumOf(path) ?? {};
    const all = { tokens, lines, similarity, category: chosenCategory(path) };
    assert.deepEqual(JSON.parse(JSON.stringify(all)), effect ?? {}, path);
  }
}

function of(...overrides: readonly Override[]): OverriddenRoot[] {
  return [{ prefix: '', overrides }];
}

function checkProblem(override: unknown, problem: string): void {
  assert.deepEqual(problemsOfOverrides([{ files: 'a' }, override], languageIds), [problem]);
}

suite('overrides', () => {
  test('apply by globs as those of include, by languages, or by both', () => {
    check(
      of(
        { files: '*.md', minTokens: 80 },
        { files: ['src/gen', '/x.ts'], minLines: 9 },
        { languages: ['java'], minSimilarity: 0.9 },
        { languages: ['python', 'c'], files: 'tools/**', minTokens: 60 },
      ),
      {
        'a/b.md': { tokens: 80 },
        'src/gen/a.ts': { lines: 9 },
        'x.ts': { lines: 9 },
        'a/x.ts': undefined,
        'A.java': { similarity: 0.9 },
        'tools/a.py': { tokens: 60 },
        'a.py': undefined,
        'tools/a.rb': undefined,
      },
    );
  });

  test('use the last one that sets a value', () => {
    check(of({ files: '*', minTokens: 90, minLines: 9 }, { files: '*.ts', minTokens: 60 }), {
      'a.ts': { tokens: 60, lines: 9 },
      'a.js': { tokens: 90, lines: 9 },
    });
  });

  test('choose categories with precedence over globs of categories', () => {
    check(of({ files: '*.sql', category: 'data' }), {
      'a.sql': { category: 'data' },
      'qa/a.sql': { category: 'data' },
      'qa/a.ts': { category: 'tests' },
    });
  });

  test('accept other names of languages, and ignore languages that only VS Code knows', () => {
    check(of({ languages: ['typescriptreact'], minTokens: 60 }, { languages: ['nobodys'], minTokens: 70 }), {
      'a.ts': { tokens: 60 },
      'a.js': undefined,
    });
  });

  test('apply per folder, by paths relative to it', () => {
    check(
      [
        {
          prefix: 'one/',
          overrides: [
            { files: 'src/**', minTokens: 60 },
            { files: '*.md', minTokens: 90 },
          ],
        },
        { prefix: 'one/inner/', overrides: [] },
      ],
      {
        'one/src/a.ts': { tokens: 60 },
        'one/inner/src/a.ts': undefined,
        'one/b.md': { tokens: 90 },
        'one/inner/b.md': undefined,
        'src/a.ts': undefined,
        'two/src/a.ts': undefined,
      },
    );
  });

  test('are equal if they have the same effect on every path', () => {
    const one = { prefix: 'one/', overrides: [{ files: 'a', minTokens: 60 }] };
    const two = { prefix: 'two/', overrides: [] };
    assert.ok(overridesAlike([one], [two, one]));
    assert.ok(overridesAlike([], [two]));
    assert.ok(!overridesAlike([one], [two]));
    assert.ok(!overridesAlike([one], [one, { prefix: 'one/inner/', overrides: [] }]));
  });

  test('report invalid ones with their place', () => {
    assert.deepEqual(problemsOfOverrides([{ files: ['a'], minTokens: 10 }, { languages: ['java'] }], languageIds), []);
    checkProblem(1, 'overrides.1 must be an object, such as { "files": "*.md", "minTokens": 80 }, not 1.');
    checkProblem(['*.md'], 'overrides.1 must be an object, such as { "files": "*.md", "minTokens": 80 }.');
    checkProblem({ minTokens: 80 }, 'overrides.1 must have files or languages that it applies to.');
    checkProblem({ files: 'a', minToken: 80 }, 'overrides.1.minToken: there is no such key; did you mean "minTokens"?');
    checkProblem({ files: [] }, 'overrides.1.files must be a glob or a list of globs.');
    checkProblem({ files: 7 }, 'overrides.1.files must be a glob or a list of globs, not 7.');
    checkProblem(
      { languages: 'java' },
      'overrides.1.languages must be a list of languages, such as ["java"], not "java".',
    );
    checkProblem({ files: '!a' }, 'overrides.1.files: "!a" begins with "!"; list the files it applies to only.');
    checkProblem({ files: 'a', minTokens: 5 }, 'overrides.1.minTokens must be a whole number from 10 to 10000, not 5.');
    checkProblem({ files: 'a', minLines: '5' }, 'overrides.1.minLines must be a whole number from 1 to 1000, not "5".');
    checkProblem(
      { files: 'a', minSimilarity: 70 },
      'overrides.1.minSimilarity must be a number from 0.3 to 1, not 70.',
    );
    checkProblem(
      { files: 'a', category: 'test' },
      'overrides.1.category: there is no category "test"; did you mean "tests"?',
    );
    checkProblem({ languages: ['jav'] }, 'overrides.1.languages: there is no language "jav"; did you mean "java"?');
    assert.deepEqual(problemsOfOverrides([{ languages: ['my-own-language'] }], languageIds), []);
  });
});
