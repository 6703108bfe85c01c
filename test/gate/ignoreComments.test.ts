/** Comments that set copies aside: which lines they mean, and why. */
import assert from 'node:assert/strict';
import { ignoredRegions } from '../../src/gate/ignoreComments.ts';

suite('comments that ignore', () => {
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

  check('from start to end', 'a\n// kindred-ignore-start: as in the standard\nb\n// kindred-ignore-end\nc\n', [
    [2, 4, 'as in the standard'],
  ]);
  check('that nothing ends, to the end', 'a\n# kindred-ignore-start\nb\nc', [[2, 4]]);
  check('the whole file', 'a\n<!-- kindred-ignore-file - kept for readers -->\nb', [[1, 3, 'kept for readers']]);
  check('of jscpd', '/* jscpd:ignore-start */\na\n/* jscpd:ignore-end */\n', [[1, 3]]);
  check('of PMD', 'a\n// CPD-OFF same as upstream\nb\n// CPD-ON\n', [[2, 4, 'same as upstream']]);
  check('of JetBrains, for the function below', '//noinspection DuplicatedCode\nf() {\n  a\n\n  b\n}\ng();\n', [
    [1, 6],
  ]);
  check('among other inspections', '// noinspection Foo,DuplicatedCode\nf() {\n  a\n}\n', [[1, 4]]);
  check(
    'the next block, by its indentation',
    '# kindred-ignore-next: two protocols\ndef f():\n    a\n\n    b\n\ndef g():\n    c\n',
    [[1, 5, 'two protocols']],
  );
  check('the next paragraph', '<!-- kindred-ignore-next -->\nOne line\nanother line.\n\nNot this.\n', [[1, 3]]);
  check('the next function behind its attribute', '// kindred-ignore-next\n@memo\nf() {\n  a\n}\nb\n', [[1, 5]]);
  check('inside a comment of several lines', '/*\n * kindred-ignore-file\n */\na', [[1, 4]]);
  check('in JSX', '{/* kindred-ignore-start: x */}\na\n{/* kindred-ignore-end */}', [[1, 3, 'x']]);
  check('not in a text', "const help = 'kindred-ignore-file sets a file aside';\n", []);
  check('not another word', '// kindred-ignore-files\n// CPD-OFFSET\n// noinspection Other\n', []);
  check('an end alone is nothing', '// kindred-ignore-end\na\n', []);
  const cell = ['# kindred-ignore-next: shown twice\n', 'def f():\n', '    a\n', '\n', '    b\n', 'c'];
  check('in a cell of a notebook', JSON.stringify({ cells: [{ source: cell }] }, null, 1), [[5, 9, 'shown twice']]);
});
