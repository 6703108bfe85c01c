/** Contents that stay in memory between tasks. They equal those of the database, also after evictions. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import {
  readDocuments,
  readRepositories,
  type StoredDocuments,
} from '../../src/organisation/repositories/catalogue.ts';
import { HeldContents } from '../../src/organisation/repositories/heldContents.ts';
import {
  contentBytes,
  ContentGone,
  type LoadedContents,
  loadContents,
  payloadsOf,
} from '../../src/organisation/repositories/payloads.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { add, indexOfEachTest } from './storing.ts';
import { functionText } from './texts.ts';

suite('contents in the memory of a worker', () => {
  const index = indexOfEachTest();
  let folder = '';
  let stored: StoredDocuments;
  let contents: number[];
  setup(async () => {
    const names = ['alpha', 'beta', 'gamma', 'delta'];
    folder = makeFolder(Object.fromEntries(names.map((name) => [`one/${name}.ts`, functionText(name)])));
    await add(index.database, path.join(folder, 'one'));
    const repositories = await readRepositories(index.database.home);
    stored = await readDocuments(
      index.database.home,
      repositories.map((repository) => [repository, repository.generation] as const),
    );
    contents = [...stored.shapes.keys()];
  });
  teardown(() => {
    removeFolder(folder);
  });

  /** Returns the arrays of a content in a kernel's memory. */
  const arraysOf = (kernel: Kernel, loaded: LoadedContents, content: number): Uint8Array => {
    const { tokens } = loaded.place(content);
    return kernel.bytes.slice(tokens, tokens + contentBytes(stored.shapes, content));
  };

  test('equal those of the database, also after eviction', async () => {
    const kernel = new Kernel(createMemory());
    const most = Math.max(...contents.map((id) => contentBytes(stored.shapes, id)));
    const held = new HeldContents(payloadsOf(index.database), kernel, stored.shapes, 2 * most);
    const other = new Kernel(createMemory());
    const loaded = await loadContents(payloadsOf(index.database), other, stored.shapes, contents);
    let highest = 0;
    for (const [x, y] of [
      [0, 1],
      [1, 2],
      [3, 0],
      [2, 2],
      [0, 3],
      [1, 0],
    ]) {
      const ids = [contents[x], contents[y]];
      const own = await held.load(ids);
      for (const id of ids) assert.deepEqual(arraysOf(kernel, own, id), arraysOf(other, loaded, id));
      highest = Math.max(highest, kernel.mark());
    }
    // In units of 16 bytes: at most the two contents that fit, and the initial memory of a kernel.
    assert.ok(highest * 16 < new Kernel(createMemory()).mark() * 16 + 2 * most + 1024, String(highest));
  });

  test('are not read again while they are in memory, and are reported if they are removed from the database', async () => {
    const held = new HeldContents(payloadsOf(index.database), new Kernel(createMemory()), stored.shapes);
    await held.load(contents.slice(0, 2));
    await index.server.run('DELETE FROM kindred.payload');
    await held.load([...contents.slice(0, 2), contents[1]]);
    await assert.rejects(held.load(contents), ContentGone);
  });
});
