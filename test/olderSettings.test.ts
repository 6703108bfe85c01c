/** Older names of settings: values under them apply as if they had been moved. */
import assert from 'node:assert/strict';
import { type Move, movedValues, movesIn } from '../src/surfaces/vscode/olderSettings.ts';

suite('older names of settings', () => {
  const moves: readonly { title: string; values: object | undefined; expected: readonly Move[] }[] = [
    { title: 'nothing is moved if nothing is set', values: undefined, expected: [] },
    {
      title: 'current names stay',
      values: { gitignore: false, editor: { marks: false, show: { hover: false } }, diagnostics: { files: 'all' } },
      expected: [],
    },
    {
      title: 'a value is moved',
      values: { useGitignore: false },
      expected: [{ from: ['useGitignore'], to: 'gitignore', value: false }],
    },
    {
      title: 'a value is moved into another object',
      values: { organisation: { database: '/srv/index' } },
      expected: [{ from: ['organisation.database'], to: 'organisation.index', value: '/srv/index' }],
    },
    {
      title: 'a number with a unit becomes a size',
      values: { maxFileSizeKB: 500, performance: { memory: 512, workers: 3 } },
      expected: [
        { from: ['maxFileSizeKB'], to: 'maxFileSize', value: '500kb' },
        { from: ['performance.workers'], to: 'workers', value: 3 },
        { from: ['performance.memory'], to: 'memory', value: '512mb' },
      ],
    },
    {
      title: 'no memory limit stays none',
      values: { performance: { memory: 0 } },
      expected: [{ from: ['performance.memory'], to: 'memory', value: '0' }],
    },
    {
      title: 'several values become one object',
      values: { editor: { gutterIcon: true, hover: false, marks: true } },
      expected: [
        { from: ['editor.hover', 'editor.gutterIcon'], to: 'editor.show', value: { hover: false, gutterIcon: true } },
      ],
    },
    {
      title: 'severities have the names of categories',
      values: { diagnostics: { severity: { code: 'error', prose: 'off', boilerplate: 'hint' }, max: 9 } },
      expected: [
        {
          from: ['diagnostics.severity.code', 'diagnostics.severity.prose', 'diagnostics.severity.boilerplate'],
          to: 'diagnostics.severities',
          value: { source: 'error', text: 'off', boilerplate: 'hint' },
        },
      ],
    },
    {
      title: 'a value under the current name has precedence',
      values: { useGitignore: false, gitignore: true },
      expected: [{ from: ['useGitignore'], to: 'gitignore', value: true }],
    },
    {
      title: 'a key under the current name has precedence, and other keys are kept',
      values: { editor: { hover: false, codeLens: true, show: { hover: true, gutterIcon: true } } },
      expected: [
        {
          from: ['editor.hover', 'editor.codeLens'],
          to: 'editor.show',
          value: { hover: true, codeLens: true, gutterIcon: true },
        },
      ],
    },
    { title: 'values of unexpected types are ignored', values: { editor: 5, diagnostics: null }, expected: [] },
  ];
  for (const { title, values, expected } of moves) {
    test(title, () => {
      assert.deepEqual(movesIn(values), expected);
    });
  }

  test('values are not read from older names that are not set', () => {
    assert.deepEqual(movedValues([{ gitignore: true }, undefined, { gitignore: false }, {}]), new Map());
  });

  test('the place with the highest precedence wins, whichever name it uses', () => {
    const defaults = { gitignore: true };
    const check = (expected: boolean, ...places: readonly object[]): void => {
      assert.equal(movedValues([defaults, ...places]).get('gitignore'), expected);
    };
    check(false, { useGitignore: false });
    check(true, { useGitignore: false }, { gitignore: true });
    check(false, { gitignore: true }, { useGitignore: false });
    check(false, { useGitignore: true }, { useGitignore: false }, {});
  });

  test('merges objects that are set in several places', () => {
    const show = { copyRange: true, hover: true, gutterIcon: false, codeLens: false };
    const values = movedValues([
      { editor: { show } },
      { editor: { hover: false, show: { gutterIcon: true } } },
      { editor: { gutterIcon: false } },
    ]);
    assert.deepEqual(values, new Map([['editor.show', { ...show, hover: false, gutterIcon: false }]]));
  });
});
