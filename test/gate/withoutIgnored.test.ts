/** Rows without ignored groups. */
import assert from 'node:assert/strict';
import type { FilePair, FolderGroup, Group } from '../../src/core/engine/report/report.ts';
import { withoutIgnored } from '../../src/review/gate/withoutIgnored.ts';

const groups = ['x', 'y', 'z'].map((id, i) => ({ id, worth: 10 + i, passages: [], pairs: [] }) as unknown as Group);
const files = [{ paths: ['a.ts', 'b.ts'], groups: ['x', 'y', 'z'], worth: 33 }] as unknown as FilePair[];
const folders = [{ paths: ['a', 'b'], groups: ['x', 'y', 'z'], worth: 33 }] as unknown as FolderGroup[];

/** Returns the groups and the worth of the file pairs and of the folder groups that are left. */
function leftWithout(...ids: readonly string[]): readonly (readonly [string, number])[][] {
  const left = withoutIgnored({ groups, files, folders }, { groups: new Set(ids), passages: new Map() });
  return [left.files, left.folders].map((rows) => rows.map((row) => [row.groups.join(''), row.worth] as const));
}

suite('rows without ignored groups', () => {
  test('a file pair has its other groups, unless only one is left', () => {
    assert.deepEqual(leftWithout('y')[0], [['xz', 22]]);
    assert.deepEqual(leftWithout('x', 'y')[0], []);
  });

  test('a folder group has its other groups, unless none is left', () => {
    assert.deepEqual(leftWithout('x', 'y')[1], [['z', 12]]);
    assert.deepEqual(leftWithout('x', 'y', 'z')[1], []);
  });
});
