/** Explanations of the errors of servers, systems, and the client for the user of a command. */
import assert from 'node:assert/strict';
import { DatabaseError, explainDatabaseError } from '../../src/organisation/database/databaseError.ts';

const place = { label: 'db:5432/code', user: 'vera', database: 'code' };

suite('a database error', () => {
  const check = (error: unknown, expected: RegExp, code?: string): void => {
    const explained = explainDatabaseError(error, place);
    assert.match(explained.message, expected);
    assert.equal(explained.code, code);
  };
  const withCode = (code: string, message = 'why'): Error => Object.assign(new Error(message), { code });

  const sentences: readonly (readonly [code: string, expected: RegExp])[] = [
    ['ECONNREFUSED', /^No PostgreSQL server answers at db:5432\/code: start it, or correct --database\.$/],
    ['ENOENT', /^No PostgreSQL server answers/],
    ['ENOTFOUND', /^The host of db:5432\/code cannot be found/],
    ['ETIMEDOUT', /did not answer in time: .*connect_timeout or statement_timeout in --database\.$/],
    [
      'ECONNRESET',
      /was lost: repeat the command when the server is running again; uncommitted changes were not stored\.$/,
    ],
    ['57P01', /was lost/],
    ['57P03', /is starting, stopping or recovering: repeat the command in a moment\.$/],
    ['28P01', /rejected the password of vera/],
    ['3D000', /^There is no database code at db:5432\/code: create it \(createdb code\)/],
    ['42501', /^vera lacks privileges at db:5432\/code \(why\): .*docs\/database\.md/],
    ['25006', /^vera lacks privileges/],
    ['53100', /^The disk of db:5432\/code is full \(why\)/],
    ['53200', /is out of memory/],
    ['53300', /accepts no more connections/],
    ['53400', /has no more temporary space .*temp_file_limit/],
    ['57014', /cancelled a statement .*statement_timeout/],
    ['40P01', /^Another command is writing the same data/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /^The certificate of db:5432\/code is not trusted/],
  ];
  for (const [code, expected] of sentences) test(`explains ${code}`, () => check(withCode(code), expected, code));

  test('keeps the message of an unknown error, with the server', () =>
    check(withCode('22P02', 'odd'), /^db:5432\/code: odd$/, '22P02'));
  test('uses the first error of a host with several addresses', () =>
    check(new AggregateError([withCode('ECONNREFUSED'), withCode('EHOSTUNREACH')]), /^No PostgreSQL/, 'ECONNREFUSED'));
  test('explains a client error without a code by its text', () =>
    check(new Error('Connection terminated unexpectedly'), /was lost/, 'ECONNRESET'));
  test('keeps an error that is already explained', () => {
    const error = new DatabaseError('Explained.');
    assert.equal(explainDatabaseError(error, place), error);
  });
});
