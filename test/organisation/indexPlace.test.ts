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
      const environment = { KINDRED_INDEX: '/srv/index', XDG_DATA_HOME: data };
      assert.equal(indexFolder(' index ', environment), 'index');
      assert.equal(indexFolder(undefined, environment), '/srv/index');
      assert.equal(indexFolder(undefined, { KINDRED_DATABASE: '/srv/older' }), '/srv/older');
      assert.equal(indexFolder(undefined, { ...environment, KINDRED_DATABASE: '/srv/older' }), '/srv/index');
      const unnamed = { ...environment, KINDRED_INDEX: ' ' };
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
    assert.equal(checkedFolder('index', '--index'), path.resolve('index'));
    assert.equal(checkedFolder('~/index', '--index'), path.join(homedir(), 'index'));
  });

  test('is no server, and the message has no password', () => {
    const refusal = (folderSetting: string, setting: string): string => {
      try {
        return `accepted: ${checkedFolder(folderSetting, setting)}`;
      } catch (error) {
        return String(error);
      }
    };
    const ofPostgres =
      /^IndexError: --index is the address of a PostgreSQL server, which is no longer supported: run "kindred org add PATH\.\.\. --index FOLDER" to store the repositories in a folder, and name that folder\.$/;
    for (const address of ['postgres://me:secret@host/db', 'PostgreSQL://host/db', 'postgres://a/x,postgres://b/x']) {
      assert.match(refusal(address, '--index'), ofPostgres);
    }
    assert.match(refusal('postgres://me:secret@host/db', 'KINDRED_INDEX'), /^IndexError: KINDRED_INDEX/);
    assert.equal(
      refusal('mysql://me:secret@host/db', '--index'),
      'IndexError: --index is not a folder: name one, such as ./index. Object storage needs to be mounted as a file system.',
    );
  });
});
