/** Rows in the binary format of COPY, byte by byte, according to the manual of PostgreSQL. */
import assert from 'node:assert/strict';
import { copiedRows, CopyRows } from '../../src/organisation/database/copyRows.ts';

const header = '5047434f50590aff0d0a00' + '00000000' + '00000000';

suite('rows of COPY', () => {
  const check = async (columns: number, write: (rows: CopyRows) => void, expected: string): Promise<void> => {
    const chunks: Buffer[] = [];
    const rows = new CopyRows(columns, (chunk) => {
      chunks.push(chunk);
      return Promise.resolve();
    });
    write(rows);
    await rows.finish();
    const copied = Buffer.concat(chunks);
    assert.equal(copied.toString('hex'), `${header}${expected}ffff`);
    // Reading the rows and writing them again gives the same bytes.
    const again: Buffer[] = [];
    const other = new CopyRows(columns, (chunk) => Promise.resolve(void again.push(chunk)));
    for (const values of copiedRows(copied)) {
      other.begin();
      for (const value of values) {
        if (value === undefined) other.null();
        else other.bytes(value);
      }
    }
    await other.finish();
    assert.deepEqual(Buffer.concat(again), copied);
  };

  test('consist of a header and a trailer without rows', () => check(1, () => {}, ''));
  test('contain numbers with their length, in big-endian order', () =>
    check(
      3,
      (rows) => {
        rows.begin();
        rows.int2(-2);
        rows.int4(0xfffffffd);
        rows.int8(1, 0xffffffff);
      },
      `0003${'00000002fffe'}${'00000004fffffffd'}${'0000000800000001ffffffff'}`,
    ));
  test('contain NULL, booleans, text, and bytes', () =>
    check(
      4,
      (rows) => {
        rows.begin();
        rows.null();
        rows.bool(true);
        rows.text('ä\0b');
        rows.bytes(Uint8Array.of(0, 255));
      },
      `0004${'ffffffff'}${'0000000101'}${'00000003c3a462'}${'0000000200ff'}`,
    ));

  test('are written in chunks of any size that never change afterwards', async () => {
    const chunks: Buffer[] = [];
    const copies: Buffer[] = [];
    const rows = new CopyRows(1, (chunk) => {
      chunks.push(chunk);
      copies.push(Buffer.from(chunk));
      return Promise.resolve();
    });
    for (const size of [10, 70_000, 1_000_000, 3, 131_000, 131_072, 5]) {
      rows.begin();
      rows.bytes(new Uint8Array(size).fill(size % 251));
      if (rows.isFull) await rows.flush();
    }
    await rows.finish();
    assert.equal(rows.count, 7);
    assert.deepEqual(chunks, copies);
    const bytes = Buffer.concat(chunks);
    assert.equal(bytes.length, 19 + 7 * 6 + 10 + 70_000 + 1_000_000 + 3 + 131_000 + 131_072 + 5 + 2);
  });
});
