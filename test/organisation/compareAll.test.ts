/** Findings of all repositories, compared with those of a scan of real code. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { IndexError } from '../../src/organisation/folder/indexError.ts';
import type { OrganisationIndex } from '../../src/organisation/repositories/organisationIndex.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { add, compare, openFolder, scanFolder } from './storing.ts';

suite('comparing all repositories', () => {
  let index: OrganisationIndex;
  let at = '';
  setup(() => {
    at = makeFolder({});
    index = openFolder(at);
  });
  teardown(async () => {
    await index.close();
    removeFolder(at);
  });

  test('reports that there are no repositories', async () => {
    await assert.rejects(compare(index), (error: unknown) => {
      assert.ok(error instanceof IndexError);
      return /no repository yet/.test(error.message);
    });
  });

  test('equals a scan of real code, with each folder as a repository', async () => {
    const folder = path.join(root, 'src');
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    assert.ok(names.length > 7);
    for (const name of names) await add(index, path.join(folder, name));
    const found = await compare(index);
    assert.ok(found.groups.length > 50);
    assert.deepEqual(found, await scanFolder(folder));
  });
});
