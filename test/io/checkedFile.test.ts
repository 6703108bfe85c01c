/** Files that are either read completely or rejected, with every kind of damage. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { hashBytes64 } from '../../src/core/methods/hash64.ts';
import { openChecked, writeChecked } from '../../src/scan/io/checkedFile.ts';
import { makeFolder, removeFolder } from './temporaryFolder.ts';

suite('checked files', () => {
  let folder = '';
  let file = '';
  setup(() => {
    folder = makeFolder({});
    file = path.join(folder, 'index');
  });
  teardown(() => removeFolder(folder));

  test('are read as they were written', async () => {
    await fc.assert(
      fc.asyncProperty(pieceLists, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), async (pieces, key) => {
        assert.equal(await write(pieces, key), undefined);
        assert.deepEqual(read(key), pieces);
        assert.equal(openChecked(file, key ^ 1n, hashBytes64).type, 'other');
      }),
    );
    assert.deepEqual(readdirSync(folder), ['index']);
  });

  test('are rejected if any byte is changed or the end is missing', async () => {
    await fc.assert(
      fc.asyncProperty(pieceLists, fc.nat(), fc.integer({ min: 1, max: 255 }), async (pieces, place, change) => {
        await write(pieces, 7n);
        const whole = readFileSync(file);
        const damaged = Uint8Array.from(whole);
        damaged[place % whole.length] ^= change;
        writeFileSync(file, damaged);
        assert.equal(read(7n), undefined);
        writeFileSync(file, whole.subarray(0, place % whole.length));
        assert.equal(read(7n), undefined);
      }),
    );
  });

  test('are unchanged after a cancelled write, which leaves no other files', async () => {
    const old = [Uint8Array.of(1, 2, 3)];
    await write(old, 1n);
    let checks = 0;
    const content = { key: 1n, pieces: [Uint8Array.of(4), Uint8Array.of(5), Uint8Array.of(6)] };
    await writeChecked(file, content, hashBytes64, () => ++checks === 2);
    assert.deepEqual(read(1n), old);
    assert.deepEqual(readdirSync(folder), ['index']);
  });

  test('are complete after concurrent writes', async () => {
    const contents = Array.from({ length: 8 }, (_, i) =>
      Array.from({ length: i + 1 }, () => new Uint8Array(1000).fill(i)),
    );
    await Promise.all(contents.map((pieces) => write(pieces, 1n)));
    const left = read(1n);
    assert.ok(contents.some((pieces) => JSON.stringify(pieces) === JSON.stringify(left)));
    assert.deepEqual(readdirSync(folder), ['index']);
  });

  test('stay readable for an open reader while they are replaced', async () => {
    await write([Uint8Array.of(1)], 1n);
    const opened = openChecked(file, 1n, hashBytes64);
    assert.equal(opened.type, 'file');
    if (opened.type !== 'file') return;
    await write([Uint8Array.of(2)], 1n);
    const bytes = new Uint8Array(1);
    assert.equal(opened.read(0, bytes), true);
    opened.close();
    assert.deepEqual(bytes, Uint8Array.of(1));
  });

  test('are rejected if they belong to another user', async () => {
    await write([Uint8Array.of(1)], 1n);
    const { uid } = statSync(file);
    const opened = openChecked(file, 1n, hashBytes64, uid);
    assert.equal(opened.type, 'file');
    if (opened.type === 'file') opened.close();
    const refused = { type: 'damaged', reason: 'it belongs to another user' };
    assert.deepEqual(openChecked(file, 1n, hashBytes64, uid + 1), refused);
  });

  test('explain errors of opening and writing', async () => {
    assert.deepEqual(openChecked(file, 1n, hashBytes64), { type: 'missing' });
    assert.deepEqual(openChecked(folder, 1n, hashBytes64), { type: 'damaged', reason: 'not a file' });
    const problem = await writeChecked(path.join(folder, 'no', 'index'), { key: 1n, pieces: [] }, hashBytes64);
    assert.equal(problem, 'its folder does not exist');
  });

  function write(pieces: readonly Uint8Array[], key: bigint): Promise<string | undefined> {
    return writeChecked(file, { key, pieces }, hashBytes64);
  }

  /** Returns all pieces. If the file or a piece is damaged, or has another key, returns `undefined`. */
  function read(key: bigint): Uint8Array[] | undefined {
    const opened = openChecked(file, key, hashBytes64);
    if (opened.type !== 'file') return undefined;
    const pieces = opened.sizes.map((size) => new Uint8Array(size));
    const isComplete = pieces.every((into, place) => opened.read(place, into));
    opened.close();
    return isComplete ? pieces : undefined;
  }
});

const pieceLists = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 });
