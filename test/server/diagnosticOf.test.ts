/** The range that a diagnostic marks. */
import assert from 'node:assert/strict';
import type { Group } from '../../src/core/engine/report/report.ts';
import { readClientSettings } from '../../src/surfaces/servers/lsp/clientSettings.ts';
import { diagnosticOf } from '../../src/surfaces/servers/lsp/diagnosticOf.ts';

suite('the range of a diagnostic', () => {
  const group: Group = {
    id: 'g',
    kind: 'code',
    type: 'exact',
    similarity: 1,
    lines: 9,
    tokens: 60,
    category: 'source',
    worth: 60,
    passages: ['a.ts', 'b.ts'].map((path) => ({
      path,
      startLine: 3,
      startColumn: 5,
      endLine: 11,
      endColumn: 2,
      tokens: 60,
    })),
    pairs: [{ a: 0, b: 1, similarity: 1, distance: 0 }],
  };
  const rangeWith = (range: string | undefined, endLine = 11) => {
    const passage = { ...group.passages[0], endLine, endColumn: 30 };
    const copy = { group, place: 0, passage };
    const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    return diagnosticOf(copy, readClientSettings({ diagnostics: { range } }), ({ path }) => ({
      uri: `file:///${path}`,
      range: nowhere,
    }))?.range;
  };

  test('is the first line by default, to its end', () => {
    for (const setting of [undefined, 'firstLine', 'unknown']) {
      const { start, end } = rangeWith(setting)!;
      assert.deepEqual([start, end.line], [{ line: 2, character: 4 }, 2]);
      assert.ok(end.character > 200);
    }
  });

  test('is the passage with the setting "full", and if the passage has one line', () => {
    assert.deepEqual(rangeWith('full'), { start: { line: 2, character: 4 }, end: { line: 10, character: 29 } });
    for (const setting of ['firstLine', 'full']) {
      assert.deepEqual(rangeWith(setting, 3), { start: { line: 2, character: 4 }, end: { line: 2, character: 29 } });
    }
  });
});
