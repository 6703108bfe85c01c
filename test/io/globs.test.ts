import assert from 'node:assert/strict';
import { compileGlobs, longestGlob, maxGlobCharacters, names, problemOfGlobs } from '../../src/scan/io/globs.ts';

function check(glob: string, matched: readonly string[], unmatched: readonly string[]): void {
  const matches = compileGlobs([glob]);
  assert.deepEqual([...matched, ...unmatched].filter(matches), matched, glob);
}

suite('globs', () => {
  test('match at any depth without a slash', () => {
    check('*.ts', ['a.ts', 'x/y/a.ts', 'x/.hidden.ts'], ['a.tsx', 'ts']);
    check('a.ts', ['a.ts', 'x/a.ts'], ['aa.ts']);
  });

  test('match all content of a folder', () => {
    check('gen', ['gen', 'gen/a.ts', 'x/gen/y/a.ts'], ['generated/a.ts']);
    check('gen/', ['gen/a.ts', 'x/gen/y/a.ts'], ['generated/a.ts']);
    check('src/gen', ['src/gen', 'src/gen/y/a.ts'], ['x/src/gen/a.ts', 'src/general.ts']);
    check('.github', ['.github/workflows/a.yml'], ['github/a.yml']);
  });

  test('match from the root with a slash', () => {
    check('/gen', ['gen/a.ts'], ['x/gen/a.ts']);
    check('./src/*.ts', ['src/a.ts'], ['x/src/a.ts', 'src/x/a.ts']);
    check('src/**/*.test.ts', ['src/a.test.ts', 'src/x/y/a.test.ts'], ['src/a.ts', 'a.test.ts']);
    check('**/*.{js,ts}', ['a.js', 'x/a.ts'], ['a.py']);
  });

  test('match a folder, but no file, with an ending such as /**', () => {
    check('src/**', ['src/', 'src/a.ts', 'src/x/a.ts'], ['src', 'x/src/a.ts']);
    check('*/**', ['src/', 'src/a.ts'], ['a.ts']);
    check('src/**/', ['src/x/'], ['src']);
    check('**', ['a.ts', 'src/', 'src/a.ts'], []);
    check('gen/', ['gen/', 'x/gen/'], ['gen']);
  });

  test('treat braces as alternatives, brackets as classes, and unclosed ones as plain characters', () => {
    check('{a,b/{c,d*}}/e', ['a/e', 'b/c/e', 'b/dd/e'], ['b/e', 'x/a/e']);
    check('v{1..3}', ['v1', 'v3'], ['v4', 'v{1..3}']);
    check('{a}{b', ['{a}{b'], ['ab']);
    check('{,a}', ['a'], ['b', 'b/']);
    check('\\{a,b}', ['{a,b}'], ['a', 'b']);
    check('[!a-c]x', ['dx'], ['ax', 'x']);
    check('[a', ['[a'], ['a']);
    check('(a)/[id].ts', ['(a)/i.ts'], ['a/i.ts']);
    check('a+b$.^ts', ['a+b$.^ts'], ['aab$.^ts']);
  });

  test('reject globs that would take too long', () => {
    const problem = (...globs: readonly string[]): string | undefined =>
      problemOfGlobs(globs)?.replace(/^"a+…"/, '"a…"');
    const tooLong = `the globs are too long; with braces expanded, together they may have at most 200,000 characters.`;
    assert.equal(problem('a'.repeat(longestGlob)), undefined);
    assert.equal(problem('a'.repeat(longestGlob + 1)), '"a…" has 4,097 characters; a glob may have at most 4,096.');
    assert.equal(problem('{a,b}'.repeat(10)), undefined);
    assert.equal(problem('{a,b}'.repeat(100)), tooLong);
    assert.equal(problem('{'.repeat(longestGlob)), undefined);
    assert.equal(problem(`${'{a,'.repeat(300)}a${'}'.repeat(300)}`), undefined);
    assert.equal(problem(...Array.from({ length: maxGlobCharacters / 4 + 1 }, () => '*.ts')), tooLong);
    assert.equal(problem('src', ' '), 'a glob must not be empty.');
    assert.match(problem('@(a|b)') ?? '', /^"@\(a\|b\)" uses parentheses for alternatives/);
    assert.equal(problem('app/(group)/page.tsx', 'copy (1).txt'), undefined);
  });

  test('match nothing without globs', () => {
    assert.equal(compileGlobs([])('a'), false);
  });

  test('name a folder or an ending', () => {
    assert.equal(names(['**/node_modules/left-pad/**'], 'node_modules'), true);
    assert.equal(names(['icons/*.svg'], '.svg'), true);
    assert.equal(names(['**/*', 'modules'], 'node_modules'), false);
  });
});
