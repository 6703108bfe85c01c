import assert from 'node:assert/strict';
import { CommentlessFiles } from '../../src/indexer/commentlessFiles.ts';

const stamp = { sizeBytes: 10, mtimeMs: 1_000_000, ctimeMs: 1_000_001, inode: 3 };
const other = { ...stamp, sizeBytes: 5, mtimeMs: 7 };

suite('files without comments about copies', () => {
  test('are known by their stamps', () => {
    const files = new CommentlessFiles({ 'a.ts': stamp });
    assert.equal(files.has('a.ts', stamp), true);
    assert.equal(files.has('a.ts', { ...stamp, sizeBytes: 11 }), false);
    assert.equal(files.has('a.ts', { ...stamp, mtimeMs: 1_000_001 }), false);
    assert.equal(files.has('toString', stamp), false);
  });

  test('are stored with those of the last time, and not when they may be written again at the same time', () => {
    const files = new CommentlessFiles({ 'a.ts': stamp, 'gone.ts': other });
    files.keepAmong(new Set(['a.ts', 'b.ts', 'new.ts']));
    files.add('b.ts', other);
    files.add('new.ts', { ...other, mtimeMs: Number.NaN });
    const changed = files.changed;
    assert.deepEqual(changed, { 'a.ts': stamp, 'b.ts': other });
    const later = new CommentlessFiles(changed);
    assert.equal(later.changed, undefined);
  });
});
