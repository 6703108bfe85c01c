/** Addresses of servers, from options and the environment. */
import assert from 'node:assert/strict';
import { databaseUrls } from '../../src/organisation/database/databaseUrls.ts';

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
