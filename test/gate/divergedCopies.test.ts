/** Edits of one copy, at the edges of its passage. */
import assert from 'node:assert/strict';
import type { Group } from '../../src/core/engine/report/report.ts';
import { divergedCopies } from '../../src/review/gate/divergedCopies.ts';
import { Changes } from '../../src/review/gate/newCopies.ts';

const passages = ['a.ts', 'b.ts'].map((path) => ({ path, startLine: 3, endLine: 12 }));
const group = { id: 'g', kind: 'code', passages } as unknown as Group;

/** Returns the edited copies after some lines of a.ts were replaced by as many others. */
function editedBy(start: number, count: number): string[] {
  const [removed, added] = ['old', 'new'].map((text) => Array.from({ length: count }, () => text));
  const hunk = { start, count, baseStart: start, baseCount: count, added, removed };
  const changes = new Changes([{ path: 'a.ts', basePath: 'a.ts', hunks: [hunk] }]);
  return divergedCopies([group], changes, () => false).flatMap(({ edited }) => edited.map(({ path }) => path));
}

suite('diverged copies', () => {
  test('are edited in the first and in the last line', () => {
    for (const [start, count] of [
      [3, 1],
      [12, 1],
      [11, 2],
    ] as const) {
      assert.deepEqual(editedBy(start, count), ['a.ts'], `${count} lines from ${start} on`);
    }
  });

  test('are not edited by a change that begins or ends outside', () => {
    for (const [start, count] of [
      [1, 2],
      [2, 2],
      [12, 2],
      [13, 1],
    ] as const) {
      assert.deepEqual(editedBy(start, count), [], `${count} lines from ${start} on`);
    }
  });
});
