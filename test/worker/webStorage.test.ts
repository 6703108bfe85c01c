/** The stored index of a browser: large files in parts, and writes that are interrupted. */
import assert from 'node:assert/strict';
import type { CheckedFile } from '../../src/scan/io/checkedFile.ts';
import type { FileQuestion, FileSystem } from '../../src/session/protocol/messages.ts';
import { webStorage } from '../../src/session/worker/webStorage.ts';

const folder = 'storage:/kindred';
const key = 7n;
/** Small, so that a small index has several parts. */
const partSize = 64;

/** The host's files. Writes fail after a number of them. */
class Host {
  readonly files = new Map<string, Uint8Array>();
  writesLeft = Number.POSITIVE_INFINITY;
  largest = 0;

  readonly call = (name: string, ...params: readonly unknown[]): Promise<never> =>
    Promise.resolve(
      (name === 'readFile'
        ? this.#read(params[0] as FileQuestion)
        : this.#write(params[1] as string, params[2] as Uint8Array)) as never,
    );

  #read({ path, maxSizeBytes }: FileQuestion): Awaited<ReturnType<FileSystem['readFile']>> {
    const bytes = this.files.get(path);
    if (bytes === undefined) return { reason: 'missing' };
    const stamp = { sizeBytes: bytes.length, mtimeMs: 1, ctimeMs: 0, inode: 0 };
    return { stamp, bytes: bytes.length > maxSizeBytes ? undefined : bytes };
  }

  #write(name: string, bytes: Uint8Array): string | undefined {
    if (this.writesLeft-- <= 0) return 'the disk is full';
    this.largest = Math.max(this.largest, bytes.buffer.byteLength);
    this.files.set(name, bytes);
    return undefined;
  }
}

suite('the storage of a browser', () => {
  let host: Host;
  setup(() => (host = new Host()));

  const open = (): ReturnType<typeof webStorage> => webStorage(host, 'test', partSize);

  function write(storage: ReturnType<typeof webStorage>, piece: Uint8Array): Promise<string | undefined> {
    return storage.indexIn(folder).write('documents', { key, pieces: [piece] }, () => false);
  }

  /** Returns the stored piece as another session reads it, or what is wrong with it. */
  async function stored(): Promise<Uint8Array | string> {
    const storage = open();
    await storage.load(folder, []);
    const opened = storage.indexIn(folder).open('documents', key);
    if (opened.type !== 'file') return opened.type;
    const file: CheckedFile = opened;
    const into = new Uint8Array(file.sizes[0]);
    file.read(0, into);
    return into;
  }

  const pieceOf = (length: number, seed: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * seed) % 251);

  test('keeps a file in parts, and reads it again', async () => {
    const storage = open();
    for (const [length, seed] of [
      [10 * partSize, 3],
      [1, 5],
      [5 * partSize, 7],
    ]) {
      const piece = pieceOf(length, seed);
      assert.equal(await write(storage, piece), undefined);
      assert.deepEqual(await stored(), piece);
      const used = [...host.files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
      assert.ok(used < length + 100, 'earlier parts are emptied');
    }
    assert.equal(host.largest, partSize);
  });

  test('keeps the previous file if a write is interrupted', async () => {
    const piece = pieceOf(3 * partSize, 3);
    await write(open(), piece);
    const next = open();
    await next.load(folder, []);
    host.writesLeft = 2;
    assert.equal(await write(next, pieceOf(5 * partSize, 7)), 'the disk is full');
    assert.deepEqual(await stored(), piece);
    host.writesLeft = Number.POSITIVE_INFINITY;
    const other = pieceOf(4 * partSize, 11);
    assert.equal(await write(next, other), undefined);
    assert.deepEqual(await stored(), other);
  });

  test('has no file if its head has another format, and a damaged one if a part is missing', async () => {
    assert.equal(await stored(), 'missing');
    await write(open(), pieceOf(3 * partSize, 3));
    const head = host.files.get('index.documents')!;
    host.files.set('index.documents', Uint8Array.of(1, 2, 3));
    assert.equal(await stored(), 'missing');
    host.files.set('index.documents', head);
    host.files.delete('index.documents.0.1');
    assert.equal(await stored(), 'damaged');
  });
});
