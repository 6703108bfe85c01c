import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { textOfCells } from '../../src/core/engine/languages/notebook.ts';
import { readSource, stampOf } from '../../src/scan/io/readSource.ts';
import type { Source } from '../../src/scan/io/sourceReader.ts';
import {
  defaultSourceOptions,
  type FileStamp,
  highestFileSizeBytes,
  isSameStamp,
  type ReadLimits,
  settled,
} from '../../src/scan/io/sources.ts';
import { makeFolder, removeFolder } from './temporaryFolder.ts';

const code = 'export function add(a: number, b: number): number {\n  return a + b;\n}\n';

/** Returns the text of a file with this content, or the reason why it was skipped. */
function check(content: string | Uint8Array, limits: Partial<ReadLimits> = {}): string {
  const folder = makeFolder({ 'a.ts': content });
  try {
    return answer(readSource(at(folder), { ...defaultSourceOptions, ...limits }, (size) => new Uint8Array(size)));
  } finally {
    removeFolder(folder);
  }
}

function at(folder: string, name = 'a.ts'): { file: string; path: string } {
  return { file: path.join(folder, name), path: name };
}

function answer(source: Source): string {
  if ('bytes' in source) return Buffer.from(source.bytes).toString('latin1');
  assert.equal(source.skipped.path, 'a.ts');
  return `skipped: ${source.skipped.reason}${source.skipped.setting ? ` (${source.skipped.setting})` : ''}`;
}

/** Returns a notebook with one cell, on a single line. */
function notebookOf(source: readonly string[], picture: string): string {
  const outputs = [{ output_type: 'display_data', data: { 'image/png': picture }, metadata: {} }];
  const cells = [{ cell_type: 'code', execution_count: 1, metadata: {}, outputs, source }];
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

suite('stamps', () => {
  const long = 1_000_000_000_123.5;
  const stamp: FileStamp = { sizeBytes: 10, mtimeMs: long, ctimeMs: long + 1, inode: 7 };

  test('are the same only if all their parts are', () => {
    assert.equal(isSameStamp(stamp, { ...stamp }), true);
    for (const part of Object.keys(stamp) as (keyof FileStamp)[]) {
      assert.equal(isSameStamp(stamp, { ...stamp, [part]: stamp[part] + 1 }), false, part);
    }
    assert.equal(isSameStamp(undefined, undefined), false);
    assert.equal(isSameStamp({ ...stamp, mtimeMs: Number.NaN }, { ...stamp, mtimeMs: Number.NaN }), false);
  });

  test('are not trusted while the file may change within the same tick', () => {
    const isTrusted = (changes: Partial<FileStamp>): boolean => {
      const settledStamp = settled({ ...stamp, ...changes });
      return isSameStamp(settledStamp, settledStamp);
    };
    const now = Date.now();
    const second = Math.floor(now / 1_000) * 1_000;
    assert.equal(isTrusted({}), true);
    // Some file systems have no change time.
    assert.equal(isTrusted({ ctimeMs: 0 }), true);
    assert.equal(isTrusted({ mtimeMs: now + 0.5 }), false);
    assert.equal(isTrusted({ ctimeMs: now + 0.5 }), false);
    assert.equal(isTrusted({ mtimeMs: now - 60_000.5 }), true);
    // Timestamps in whole seconds may have a resolution of two seconds.
    assert.equal(isTrusted({ mtimeMs: second }), false);
    assert.equal(isTrusted({ mtimeMs: second - 60_000 }), true);
  });

  test('report whether they are trusted for a read file', async () => {
    const folder = makeFolder({ 'a.ts': code });
    try {
      const read = (): FileStamp | undefined =>
        readSource(at(folder), defaultSourceOptions, (size) => new Uint8Array(size)).stamp;
      const file = path.join(folder, 'a.ts');
      utimesSync(file, Date.now() / 1_000 + 60, Date.now() / 1_000 + 60);
      assert.equal(isSameStamp(read(), stampOf(at(folder))), false);
      utimesSync(file, long / 1_000, long / 1_000);
      while (!isSameStamp(read(), stampOf(at(folder)))) await setImmediate();
      const before = stampOf(at(folder));
      chmodSync(file, 0o600);
      assert.equal(isSameStamp(before, stampOf(at(folder))), false, 'other permissions');
    } finally {
      removeFolder(folder);
    }
  });
});

suite('readSource', () => {
  let folder = '';
  setup(() => {
    folder = makeFolder({ 'a.ts': code });
  });
  teardown(() => removeFolder(folder));

  test('keeps text unchanged, including its line ends', () => {
    assert.equal(check(code), code);
    assert.equal(check(code.replaceAll('\n', '\r\n')), code.replaceAll('\n', '\r\n'));
    assert.equal(check('no newline at the end'), 'no newline at the end');
    assert.equal(check(''), '');
  });

  test('writes the bytes into the reserved memory, also if it is shared', () => {
    const shared = new SharedArrayBuffer(1000);
    const source = readSource(at(folder), defaultSourceOptions, (size) => new Uint8Array(shared, 16, size));
    assert.ok('bytes' in source);
    assert.equal(source.bytes.buffer, shared);
    assert.equal(source.bytes.byteOffset, 16);
    assert.equal(answer(source), code);
  });

  test('removes a byte order mark', () => {
    assert.equal(check(`\ufeff${code}`), code);
  });

  test('converts UTF-16 of either byte order to UTF-8', () => {
    const text = `${code}// grün, 語, 😀\n`;
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    const expected = Buffer.from(text).toString('latin1');
    assert.equal(check(little), expected);
    assert.equal(check(Buffer.from(little).swap16()), expected);
    // An odd byte at the end is half a character, and is dropped.
    assert.equal(check(Buffer.concat([little, Buffer.of(0x41)])), expected);
  });

  test('keeps invalid UTF-8', () => {
    const latin1 = Buffer.from(`// gr\xfcn \xff\xfe\xc0\n${code}`, 'latin1');
    assert.equal(check(latin1), latin1.toString('latin1'));
  });

  test('treats a file with a NUL as binary, regardless of its name', () => {
    assert.equal(check(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0])), 'skipped: binary');
    assert.equal(check(Buffer.from(code, 'utf16le')), 'skipped: binary');
    assert.equal(check(Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0])), 'skipped: binary');
    assert.equal(check(Buffer.from([0xef, 0xbb, 0xbf, 0x41, 0])), 'skipped: binary');
  });

  test('skips a file above the size limit, and reads one at the limit', () => {
    assert.equal(check('x'.repeat(2048), { maxFileSizeBytes: 2048 }), 'x'.repeat(2048));
    assert.equal(
      check('x'.repeat(2048), { maxFileSizeBytes: 2047 }),
      'skipped: too large (2048 B, limit 2047 B) (maxFileSize)',
    );
    truncateSync(at(folder).file, 300 * 2 ** 20);
    const huge = readSource(at(folder), defaultSourceOptions, () => assert.fail('memory was reserved'));
    assert.equal(answer(huge), 'skipped: too large (300 MB, limit 1 MB) (maxFileSize)');
  });

  test('names no setting for a file above the maximum of the setting', () => {
    truncateSync(at(folder).file, highestFileSizeBytes + 1);
    const limits = { ...defaultSourceOptions, maxFileSizeBytes: highestFileSizeBytes };
    const source = readSource(at(folder), limits, () => assert.fail('memory was reserved'));
    assert.deepEqual('skipped' in source && source.skipped, {
      path: 'a.ts',
      reason: 'too large for any limit (1073741825 B)',
    });
  });

  test('counts the cells of a notebook, not the images in its outputs', () => {
    const notebook = path.join(folder, 'a.ipynb');
    const read = (content: string, limits: Partial<ReadLimits> = {}): string => {
      writeFileSync(notebook, content);
      const source = readSource(
        { file: notebook, path: 'a.ipynb' },
        { ...defaultSourceOptions, textOfCells, ...limits },
        (size) => new Uint8Array(size),
      );
      return 'bytes' in source ? Buffer.from(source.bytes).toString('latin1') : source.skipped.reason;
    };
    const content = notebookOf(['a = 1\n', 'b = a\n'], 'iVBORw0K'.repeat(2 ** 18));
    assert.equal(read(content), content);
    assert.equal(read(content, { maxFileSizeBytes: 13 }), content);
    assert.equal(read(content, { maxFileSizeBytes: 12 }), 'too large (13 B of cells, limit 12 B)');
    // An invalid notebook is read as plain text.
    assert.equal(read(content.slice(0, -2)), 'too large (2 MB, limit 1 MB)');
    // A file above the limit of notebooks is skipped before memory is reserved.
    truncateSync(notebook, 300 * 2 ** 20);
    const huge = readSource({ file: notebook, path: 'a.ipynb' }, defaultSourceOptions, () =>
      assert.fail('memory was reserved'),
    );
    assert.equal('skipped' in huge && huge.skipped.reason, 'too large (300 MB, limit 32 MB)');
  });

  test('returns the reason for an unreadable file', () => {
    const reasonOf = (name: string): string => {
      const source = readSource(at(folder, name), defaultSourceOptions, (size) => new Uint8Array(size));
      return 'skipped' in source ? source.skipped.reason : 'it was read';
    };
    mkdirSync(path.join(folder, 'folder'));
    symlinkSync('loop', path.join(folder, 'loop'));
    assert.equal(reasonOf('gone.ts'), 'missing');
    assert.equal(reasonOf('folder'), 'not a file');
    assert.equal(reasonOf('loop'), 'unreadable (a circular symbolic link)');
    if (process.platform === 'linux') {
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/gr`), Buffer.from([0xfc]), Buffer.from('n.ts')]), code);
      const [listed] = readdirSync(folder).filter((name) => name.startsWith('gr'));
      assert.equal(reasonOf(listed), 'unreadable (its name is not UTF-8)');
    }
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [path.join(folder, 'pipe')]);
      assert.equal(reasonOf('pipe'), 'not a file');
    }
    if (process.platform !== 'win32' && process.getuid?.() !== 0) {
      chmodSync(at(folder).file, 0);
      assert.equal(reasonOf('a.ts'), 'unreadable (permission denied)');
    }
  });

  test('returns the reason if memory cannot be reserved', () => {
    const source = readSource(at(folder), defaultSourceOptions, () => {
      throw new RangeError('no memory left');
    });
    assert.equal(answer(source), 'skipped: unreadable (no memory left)');
  });

  test('reads a growing file again, and skips one that keeps growing', () => {
    const growing = (times: number): Source => {
      writeFileSync(at(folder).file, code);
      let left = times;
      return readSource(at(folder), defaultSourceOptions, (size) => {
        if (left-- > 0) appendFileSync(at(folder).file, 'more();\n');
        return new Uint8Array(size);
      });
    };
    assert.equal(answer(growing(1)), `${code}more();\n`);
    assert.equal(answer(growing(2)), `${code}more();\nmore();\n`);
    assert.equal(answer(growing(9)), 'skipped: changed while being read');
  });

  test('reads the remaining bytes of a file that shrank', () => {
    const source = readSource(at(folder), defaultSourceOptions, (size) => {
      truncateSync(at(folder).file, 10);
      return new Uint8Array(size).fill(0x7a);
    });
    assert.equal(answer(source), code.slice(0, 10));
  });

  test('skips minified and generated files unless they are requested', () => {
    const generated = `// Code generated by hand. DO NOT EDIT.\n${code}`;
    const minified = 'a(function(b,c){return b[c]=0;}),'.repeat(100);
    assert.equal(check(generated), 'skipped: generated (generated)');
    assert.equal(check(minified), 'skipped: minified (generated)');
    assert.equal(check(generated, { generated: true }), generated);
    assert.equal(check(minified, { generated: true }), minified);
  });
});
