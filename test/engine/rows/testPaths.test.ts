/** Recognition of test files by their paths, and the mark of groups in them. */
import assert from 'node:assert/strict';
import { isTestPath } from '../../../src/core/engine/rows/testPaths.ts';
import { groupsOf } from '../corpusOf.ts';

const tests = [
  'src/a.test.ts',
  'src/a.spec.js',
  'pkg/reader_test.go',
  'test/a.ts',
  'a/Tests/b.cs',
  'src/__tests__/a.tsx',
  'tests/test_models.py',
  'test_a.py',
  'src/test/java/a/B.java',
  'a/ReaderTest.java',
  'a/TestReader.java',
  'a/ReaderIT.java',
  'spec/models/user_spec.rb',
  'go/testdata/x.go',
  'conftest.py',
  'features/step_definitions.rb',
  'features/step_definitions/cart_steps.rb',
  'features/cart.feature',
  'docs/_tests/quotes.html',
  'playground/css/__test__/css.ts',
  'src/Shop.Core.Test/PriceFixture.cs',
  'src/Shop.IntegrationTests/Host.cs',
  'app/src/androidTest/java/a/Screen.kt',
  'src/lexer/tests.rs',
  'shop/tests.py',
  'mm/kfence_kunit.c',
  'base/a_unittest.cc',
  'src/types.test-d.ts',
];
const others = [
  'src/a.ts',
  'src/contest.py',
  'src/Shop.Contests/Price.cs',
  'src/latest.ts',
  'src/attestation/key.go',
  'src/protest_march.py',
  'a/Latest.java',
  'a/Testament.java',
  'src/inspector.ts',
  'SPLIT.java',
  'testing.md',
  'src/feature.ts',
  'src/_testing.ts',
];

suite('tests by path', () => {
  test('are recognized by their folders and names', () => {
    assert.deepEqual(
      tests.filter((path) => !isTestPath(path)),
      [],
    );
  });
  test('do not include other files', () => {
    assert.deepEqual(others.filter(isTestPath), []);
  });

  const copied = Array.from(
    { length: 12 },
    (_, i) => `  total${i} = scale(total${i}, ${i}) + offset(values[${i}], limit);`,
  );
  const text = `function f() {\n${copied.join('\n')}\n}\n`;
  test('mark a group if all its passages are in tests', () => {
    const marks = (...paths: string[]): unknown[] =>
      groupsOf(Object.fromEntries(paths.map((path, i) => [path, `${'// a\n'.repeat(i)}${text}`]))).map(
        (group) => group.tests,
      );
    assert.deepEqual(new Set(marks('a.test.ts', 'test/b.ts')), new Set([true]));
    assert.deepEqual(new Set(marks('a.test.ts', 'b.ts')), new Set([undefined]));
  });
});
