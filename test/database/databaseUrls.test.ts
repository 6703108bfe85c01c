/** Addresses of servers, from options and the environment. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { databaseFolder, databaseUrls } from '../../src/organisation/database/databaseUrls.ts';

suite('addresses of servers', () => {
  const check = (optionValues: readonly string[], environment: string | undefined, expected: readonly string[]): void =>
    assert.deepEqual(databaseUrls(optionValues, environment), expected);

  test('are empty without an option or a variable', () => check([], undefined, []));
  test('come from the option if it is optionValues', () =>
    check(['postgres://a/b'], 'postgres://c/d', ['postgres://a/b']));
  test('come from the environment without an option', () => check([], 'postgresql://c/d', ['postgresql://c/d']));
  test('are separated by commas or repeated options, without duplicates', () =>
    check(['postgres://a/b, postgres://c/d', 'postgres://a/b'], undefined, ['postgres://a/b', 'postgres://c/d']));
  test('may contain commas', () =>
    check(['postgres://a:p,w@h/b,postgres://c/d'], undefined, ['postgres://a:p,w@h/b', 'postgres://c/d']));
  test('may be that of a folder', () => {
    const folderOf = (value: string): string | undefined => databaseFolder([value], 'postgres://a/b');
    for (const folder of ['./index', '../index', '/srv/index', '.', '..', '.\\index']) {
      assert.equal(folderOf(folder), path.resolve(folder), folder);
    }
    for (const other of ['postgres://a/b', 'secret', 'a/b', 'file:///a', '']) assert.equal(folderOf(other), undefined);
    assert.equal(databaseFolder([], ' /srv/index '), '/srv/index');
    assert.equal(databaseFolder([], undefined), undefined);
    assert.equal(databaseFolder(['/a', '/b'], undefined), undefined);
  });
  test('are rejected for other services, without repeating them', () => {
    assert.throws(
      () => databaseUrls([], 'mysql://u:secret@h/d'),
      /^DatabaseError: KINDRED_DATABASE is not the address of a PostgreSQL server/,
    );
    assert.throws(
      () => databaseUrls(['secret'], undefined),
      (error: Error) => !error.message.includes('secret') && error.message.startsWith('--database'),
    );
  });
});
