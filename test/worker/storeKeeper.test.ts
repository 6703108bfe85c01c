/** Folder in which the extension and the servers keep an index. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import path from 'node:path';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { nodeStorage } from '../../src/session/worker/nodeStorage.ts';
import { StoreKeeper } from '../../src/session/worker/storeKeeper.ts';
import { scanThreadScript } from '../indexer/scanning.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

suite('folder of an index', () => {
  // Windows does not have these permissions.
  const expected = process.platform === 'win32' ? 0o666 : 0o700;

  test('is created for its user only', () => {
    const folder = makeFolder({});
    try {
      const storage = nodeStorage({ scanThread: scanThreadScript, program: scanThreadScript }, assert.fail);
      const identity = { options: defaultOptions, sources: defaultSourceOptions, lexicons: [], files: '' };
      const keeper = new StoreKeeper(storage, (problem) => assert.fail(problem));
      keeper.open(path.join(folder, 'kindred', 'index'), { ...identity, ...storage.digests() });
      for (const name of ['kindred', 'kindred/index']) {
        assert.equal(statSync(path.join(folder, name)).mode & 0o777, expected, name);
      }
    } finally {
      removeFolder(folder);
    }
  });
});
