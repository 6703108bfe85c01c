/** Groups of a set that are not inside another group of the set. */
import assert from 'node:assert/strict';
import { outermost } from '../../src/session/client/outermost.ts';
import type { Group } from '../../src/core/engine/report/report.ts';

function group(id: string, parent?: string): Group {
  return {
    id,
    kind: 'code',
    type: 'exact',
    similarity: 1,
    lines: 1,
    tokens: 60,
    category: 'source',
    worth: 1,
    passages: [],
    pairs: [],
    ...(parent !== undefined && { parent }),
  } as unknown as Group;
}

suite('outermost groups', () => {
  test('exclude groups whose parent is in the set', () => {
    const groups = [group('files'), group('row', 'files'), group('inner', 'row'), group('other', 'elsewhere')];
    assert.deepEqual(
      outermost(groups).map(({ id }) => id),
      ['files', 'other'],
    );
  });
});
