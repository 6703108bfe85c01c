/** Place of an index: the option, the environment, or the user's folder for data. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { checkedFolder, defaultFolder, indexFolder } from '../../src/organisation/folder/indexPlace.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

suite('place of an index', () => {
  test('is the option, or else the variable, or else the default folder if it exists', async () => {
    const data = makeFolder({});
    try {
      const environment = { KINDRED_DATABASE: '/srv/index', XDG_DATA_HOME: data };
      assert.equal(indexFolder(' index ', environment), 'index');
      assert.equal(indexFolder(undefined, environment), '/srv/index');
      const unnamed = { ...environment, KINDRED_DATABASE: ' ' };
      assert.equal(indexFolder(undefined, unnamed), undefined);
      await mkdir(path.join(data, 'kindred', 'index'), { recursive: true });
      assert.equal(indexFolder(undefined, unnamed), path.join(data, 'kindred', 'index'));
      assert.equal(indexFolder(undefined, environment), '/srv/index');
    } finally {
      removeFolder(data);
    }
  });

  test('is in the folder for data by default', () => {
    const own = defaultFolder({});
    assert.ok(own.startsWith(homedir()) && own.endsWith(path.join('kindred', 'index')), own);
    assert.equal(defaultFolder({ XDG_DATA_HOME: '/data' }), '/data/kindred/index');
    assert.equal(defaultFolder({ XDG_DATA_HOME: 'relative' }), own);
  });

  test('is an absolute path', () => {
    assert.equal(checkedFolder('index', '--database'), path.resolve('index'));
    assert.equal(checkedFolder('~/index', '--database'), path.join(homedir(), 'index'));
  });

  test('is no server, and the message has no password', () => {
    const refusal = (given: string, setting: string): string => {
      try {
        return `accepted: ${checkedFolder(given, setting)}`;
      } catch (error) {
        return String(error);
      }
    };
    const ofPostgres =
      /^IndexError: --database is the address of a PostgreSQL server, which is no longer supported: run "kindred org add PATH\.\.\. --database FOLDER" to store the repositories in a folder, and name that folder\.$/;
    for (const address of ['postgres://me:secret@host/db', 'PostgreSQL://host/db', 'postgres://a/x,postgres://b/x']) {
      assert.match(refusal(address, '--database'), ofPostgres);
    }
    assert.match(refusal('postgres://me:secret@host/db', 'KINDRED_DATABASE'), /^IndexError: KINDRED_DATA/);
    assert.equal(
      refusal('mysql://me:secret@host/db', '--database'),
      'IndexError: --database is not a folder: name one, such as ./index.',
    );
  });
});
