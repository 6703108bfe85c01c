import assert from 'node:assert/strict';
import { PassageTokens } from '../../src/core/engine/passageTokens.ts';

suite('commentLines', () => {
  const tokens = new PassageTokens();
  const check = (path: string, text: string, expected: readonly number[]): void =>
    assert.deepEqual([...tokens.commentLines(path, Buffer.from(text))], expected);

  test('finds lines with comments only', () => {
    check('a.ts', 'a(); // one\n// two\n\n/* four\n five */ b();\n', [2, 4]);
  });

  test('takes docstrings for comments, but no other strings', () => {
    check('a.py', 'def f():\n    """one\n    two"""\n    g("""three\n    four\n    """)\n', [2, 3]);
  });
});
