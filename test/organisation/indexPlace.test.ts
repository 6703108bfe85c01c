/** Place of an index: the option, the environment, or the user's folder for data. */
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import path from 'node:path';
import { indexFolder } from '../../src/organisation/folder/indexPlace.ts';

suite('place of an index', () => {
  test('is the option, or else the variable, or else in the folder for data', () => {
    const environment = { KINDRED_DATABASE: '/srv/index', XDG_DATA_HOME: '/data' };
    assert.equal(indexFolder('index', environment), path.resolve('index'));
    assert.equal(indexFolder('~/index', environment), path.join(homedir(), 'index'));
    assert.equal(indexFolder(undefined, environment), '/srv/index');
    assert.equal(indexFolder(undefined, { ...environment, KINDRED_DATABASE: ' ' }), '/data/kindred/index');
    const own = indexFolder(undefined, {});
    assert.ok(own.startsWith(homedir()) && own.endsWith(path.join('kindred', 'index')), own);
    assert.equal(indexFolder(undefined, { XDG_DATA_HOME: 'relative' }), own);
  });

  test('is no server, and the message has no password', () => {
    const refusal = (given: string | undefined, environment: NodeJS.ProcessEnv = {}): string => {
      try {
        return `accepted: ${indexFolder(given, environment)}`;
      } catch (error) {
        return String(error);
      }
    };
    const ofPostgres =
      /^IndexError: --database is the address of a PostgreSQL server, which is no longer supported: run "kindred org add PATH\.\.\. --database FOLDER" to store the repositories in a folder, and name that folder\.$/;
    for (const address of ['postgres://me:secret@host/db', 'PostgreSQL://host/db', 'postgres://a/x,postgres://b/x']) {
      assert.match(refusal(address), ofPostgres);
    }
    assert.match(refusal(undefined, { KINDRED_DATABASE: 'postgres://me:secret@host/db' }), /^IndexError: KINDRED_DATA/);
    assert.equal(
      refusal('mysql://me:secret@host/db'),
      'IndexError: --database is not a folder: name one, such as ./index.',
    );
  });
});
