/** Comments that ignore copies: their lines and reasons. */
import assert from 'node:assert/strict';
import { ignoredRegions } from '../../src/review/gate/ignoreComments.ts';

suite('comments that ignore copies', () => {
  function check(name: string, text: string, regions: readonly [start: number, end: number, reason?: string][]): void {
    test(name, () => {
      assert.deepEqual(
        ignoredRegions(text).map(({ startLine, endLine, reason }) =>
          reason === undefined ? [startLine, endLine] : [startLine, endLine, reason],
        ),
        regions,
      );
    });
  }

  check(
    'ignore the lines from start to end',
    'a\n// kindred-ignore-start: as in the standard\nb\n// kindred-ignore-end\nc\n',
    [[2, 4, 'as in the standard']],
  );
  check('ignore the rest of the file without an end', 'a\n# kindred-ignore-start\nb\nc', [[2, 4]]);
  check('ignore the whole file', 'a\n<!-- kindred-ignore-file - kept for readers -->\nb', [[1, 3, 'kept for readers']]);
  check('of jscpd are accepted', '/* jscpd:ignore-start */\na\n/* jscpd:ignore-end */\n', [[1, 3]]);
  check('of PMD are accepted', 'a\n// CPD-OFF same as upstream\nb\n// CPD-ON\n', [[2, 4, 'same as upstream']]);
  check('of JetBrains ignore the function below', '//noinspection DuplicatedCode\nf() {\n  a\n\n  b\n}\ng();\n', [
    [1, 6],
  ]);
  check('of JetBrains may list other inspections', '// noinspection Foo,DuplicatedCode\nf() {\n  a\n}\n', [[1, 4]]);
  check(
    'ignore the next block by its indentation',
    '# kindred-ignore-next: two protocols\ndef f():\n    a\n\n    b\n\ndef g():\n    c\n',
    [[1, 5, 'two protocols']],
  );
  check('ignore the next paragraph', '<!-- kindred-ignore-next -->\nOne line\nanother line.\n\nNot this.\n', [[1, 3]]);
  check('ignore the next function after its attribute', '// kindred-ignore-next\n@memo\nf() {\n  a\n}\nb\n', [[1, 5]]);
  check('may be inside a comment of several lines', '/*\n * kindred-ignore-file\n */\na', [[1, 4]]);
  check('may be in JSX', '{/* kindred-ignore-start: x */}\na\n{/* kindred-ignore-end */}', [[1, 3, 'x']]);
  check('are not recognized in strings', "const help = 'kindred-ignore-file sets a file aside';\n", []);
  check('are not recognized in longer words', '// kindred-ignore-files\n// CPD-OFFSET\n// noinspection Other\n', []);
  check('are without effect if only the end is present', '// kindred-ignore-end\na\n', []);
  const cell = ['# kindred-ignore-next: shown twice\n', 'def f():\n', '    a\n', '\n', '    b\n', 'c'];
  check('may be in a cell of a notebook', JSON.stringify({ cells: [{ source: cell }] }, null, 1), [
    [5, 9, 'shown twice'],
  ]);
});
