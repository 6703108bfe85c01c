/** The addresses of servers, as they are given. */
import assert from 'node:assert/strict';
import { databaseUrls } from '../../src/database/databaseUrls.ts';

suite('addresses of servers', () => {
  const check = (given: readonly string[], environment: string | undefined, expected: readonly string[]): void =>
    assert.deepEqual(databaseUrls(given, environment), expected);

  test('are none when nothing is given', () => check([], undefined, []));
  test('come from the option before the environment', () =>
    check(['postgres://a/b'], 'postgres://c/d', ['postgres://a/b']));
  test('come from the environment else', () => check([], 'postgresql://c/d', ['postgresql://c/d']));
  test('are several, with commas or repeated, each once', () =>
    check(['postgres://a/b, postgres://c/d', 'postgres://a/b'], undefined, ['postgres://a/b', 'postgres://c/d']));
  test('may have commas in them', () =>
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
