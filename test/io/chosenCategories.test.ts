/** Categories that users choose by globs: precedence, folders, and invalid globs. */
import assert from 'node:assert/strict';
import {
  type CategorizedRoot,
  type CategoryGlobs,
  chosenCategories,
  choosesAlike,
  problemsOfCategories,
} from '../../src/scan/io/chosenCategories.ts';

function check(roots: readonly CategorizedRoot[], expected: Readonly<Record<string, string | undefined>>): void {
  const categoryOf = chosenCategories(roots);
  for (const [path, category] of Object.entries(expected)) assert.equal(categoryOf(path), category, path);
}

function checkProblems(categories: Readonly<Record<string, readonly string[]>>, ...problems: readonly string[]): void {
  assert.deepEqual(problemsOfCategories(categories as CategoryGlobs), problems);
}

suite('chosen categories', () => {
  test('use globs as in include, and choose nothing without one', () => {
    check([{ prefix: '', categories: { data: ['**/golden/**', '*.lst'], tests: ['qa/**', '/e.ts'] } }], {
      'a/golden/b.ts': 'data',
      'golden/b.ts': 'data',
      'a/b.lst': 'data',
      'qa/a/b.ts': 'tests',
      'e.ts': 'tests',
      'a/qa/b.ts': undefined,
      'a/e.ts': undefined,
      'golden.ts': undefined,
    });
    check([{ prefix: '', categories: {} }], { 'a.ts': undefined });
    check([], { 'a.ts': undefined });
  });

  test('use the first of several in category order', () => {
    const categories = { boilerplate: ['*'], data: ['*.ts'], tests: ['a/**'], text: ['a/b.ts'], source: ['a/b.ts'] };
    check([{ prefix: '', categories }], {
      'a/b.ts': 'source',
      'a/c.ts': 'tests',
      'c.ts': 'data',
      'c.md': 'boilerplate',
    });
  });

  test('are chosen per folder, by paths relative to it', () => {
    check(
      [
        { prefix: 'one/', categories: { data: ['lists/**'] } },
        { prefix: 'two/', categories: { tests: ['*.ts'] } },
        { prefix: 'two/inner/', categories: {} },
      ],
      {
        'one/lists/a.ts': 'data',
        'one/a.ts': undefined,
        'lists/a.ts': undefined,
        'two/a.ts': 'tests',
        'two/lists/a.md': undefined,
        'two/inner/a.ts': undefined,
        'untitled:a.ts': undefined,
      },
    );
  });

  test('are equal if the same globs apply', () => {
    const root = (categories: CategoryGlobs): CategorizedRoot[] => [{ prefix: '', categories }];
    assert.ok(choosesAlike(root({ data: ['a'], tests: [] }), root({ data: ['a'] })));
    assert.ok(choosesAlike(root({ data: ['a'], tests: ['b'] }), root({ tests: ['b'], data: ['a'] })));
    assert.ok(!choosesAlike(root({ data: ['a'] }), root({ tests: ['a'] })));
    assert.ok(!choosesAlike(root({ data: ['a'] }), root({})));
    const [one, two] = [
      { prefix: 'one/', categories: { data: ['a'] } },
      { prefix: 'two/', categories: {} },
    ];
    assert.ok(choosesAlike([one], [two, one]));
    assert.ok(choosesAlike([], [two]));
    assert.ok(!choosesAlike([one], [one, { prefix: 'one/inner/', categories: {} }]));
  });

  test('report invalid globs with their category', () => {
    checkProblems({ data: ['a', '**/b'], tests: [] });
    checkProblems(
      { data: ['!a'], tests: [' '] },
      'categories.data: "!a" begins with "!"; list the files of the category only.',
      'categories.tests: a glob must not be empty.',
    );
    checkProblems({ test: ['a'] }, 'categories: there is no category "test"; did you mean "tests"?');
    checkProblems(
      { zzz: [] },
      'categories: there is no category "zzz"; the categories are source, text, tests, examples, data, boilerplate.',
    );
    const long = Array.from({ length: 30 }, () => 'a'.repeat(4_000));
    checkProblems(
      { data: long, tests: long },
      'categories: the globs are too long; with braces expanded, together they may have at most 200,000 characters.',
    );
  });
});
