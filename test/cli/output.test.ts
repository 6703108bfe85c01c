import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { beginFile, writeTo } from '../../src/surfaces/cli/output.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

suite('output', () => {
  test('a slow stream receives everything, in order, piece by piece', async () => {
    const got: string[] = [];
    const slow = new Writable({
      highWaterMark: 10,
      write: (chunk: Buffer, _encoding, done) => {
        got.push(chunk.toString());
        setImmediate(done);
      },
    });
    const pieces = Array.from({ length: 3_000 }, (_, place) => `${place} `.repeat(20));
    await writeTo(slow, pieces);
    assert.equal(got.join(''), pieces.join(''));
    assert.ok(got.length > 2 && Math.max(...got.map((text) => text.length)) < 2 * 65_536);
  });

  test('stops when the stream is closed', async () => {
    let made = 0;
    const broken = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
    });
    function* pieces(): Generator<string> {
      for (; made < 100; made++) yield 'x'.repeat(65_536);
    }
    await writeTo(broken, pieces());
    assert.equal(made, 0);
  });

  test('throws any other error', async () => {
    const full = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('disk full'), { code: 'ENOSPC' })),
    });
    await assert.rejects(writeTo(full, ['x']), /disk full/);
  });

  test('a file is replaced when complete, or not at all', () => {
    const folder = makeFolder({ 'report.json': 'old' });
    const file = path.join(folder, 'report.json');
    const begun = beginFile(file);
    assert.ok('write' in begun);
    begun.write(['a', 'ü'.repeat(70_000)]);
    assert.equal(readFileSync(file, 'utf8'), 'old');
    begun.commit();
    begun.discard();
    assert.equal(readFileSync(file, 'utf8'), `a${'ü'.repeat(70_000)}`);

    const abandonedFile = beginFile(file);
    assert.ok('write' in abandonedFile);
    abandonedFile.write(['half']);
    abandonedFile.discard();
    abandonedFile.commit();
    assert.equal(readFileSync(file, 'utf8').length, 70_001);
    assert.deepEqual(readdirSync(folder), ['report.json']);
    removeFolder(folder);
  });

  test('a file whose folder was removed meanwhile throws and leaves no trace', () => {
    const folder = makeFolder({});
    const begun = beginFile(path.join(folder, 'report.json'));
    assert.ok('write' in begun);
    rmSync(folder, { recursive: true });
    assert.throws(begun.commit, /ENOENT/);
    writeFileSync(folder, '');
    rmSync(folder);
  });
});
