import assert from 'node:assert/strict';
import path from 'node:path';
import { commentsIn } from '../../src/review/check/sourceTexts.ts';
import { CommentlessFiles } from '../../src/scan/indexer/commentlessFiles.ts';
import { stampOf } from '../../src/scan/io/readSource.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

const stamp = { sizeBytes: 10, mtimeMs: 1_000_000, ctimeMs: 1_000_001, inode: 3 };
const other = { ...stamp, sizeBytes: 5, mtimeMs: 7 };

suite('files without comments about copies', () => {
  test('are recognized by their stamps', () => {
    const files = new CommentlessFiles({ 'a.ts': stamp });
    assert.equal(files.has('a.ts', stamp), true);
    assert.equal(files.has('a.ts', { ...stamp, sizeBytes: 11 }), false);
    assert.equal(files.has('a.ts', { ...stamp, mtimeMs: 1_000_001 }), false);
    assert.equal(files.has('toString', stamp), false);
  });

  test('are stored with those of the previous run, unless they could be written again at the same time', () => {
    const files = new CommentlessFiles({ 'a.ts': stamp, 'gone.ts': other });
    files.keepAmong(new Set(['a.ts', 'b.ts', 'new.ts']));
    files.add('b.ts', other);
    files.add('new.ts', { ...other, mtimeMs: Number.NaN });
    const changed = files.changed();
    assert.deepEqual(changed, { 'a.ts': stamp, 'b.ts': other });
    const later = new CommentlessFiles(changed);
    assert.equal(later.changed(), undefined);
  });

  test('are not read for comments while their stamps are unchanged', () => {
    const folder = makeFolder({ 'a.ts': '// kindred-ignore-file\nexport const one = 1;\n' });
    const file = { path: 'a.ts', file: path.join(folder, 'a.ts') };
    const regionsWith = (files: CommentlessFiles): number => commentsIn({ files: [file] }, [], files)('a.ts').length;
    const knownStamp = stampOf(file)!;
    assert.equal(regionsWith(new CommentlessFiles({ 'a.ts': knownStamp })), 0);
    assert.equal(regionsWith(new CommentlessFiles({ 'a.ts': { ...knownStamp, ctimeMs: knownStamp.ctimeMs - 1 } })), 1);
    removeFolder(folder);
  });
});
