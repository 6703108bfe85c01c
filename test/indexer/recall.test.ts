/** The memory budget of stored documents. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { nodeSystem } from '../../src/scan/indexer/nodeSystem.ts';
import { recall } from '../../src/scan/indexer/recall.ts';
import { settled } from '../../src/scan/io/sources.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { parsing } from '../passages.ts';
import { inputOf, patient, requestOf, scan, scanThreadScript, storeAt } from './scanning.ts';

suite('stored documents', () => {
  let folder: string;
  let storage: string;
  setup(() => {
    folder = makeFolder({ 'a.ts': parsing, 'b.ts': parsing });
    storage = makeFolder({});
  });
  teardown(() => {
    removeFolder(folder);
    removeFolder(storage);
  });

  test('are loaded only if the memory budget has room for all of them', async () => {
    const storeOf = () => storeAt(path.join(storage, 'index'), defaultOptions);
    const store = storeOf();
    const { reader } = nodeSystem(scanThreadScript);
    const input = await inputOf(folder);
    for (const file of input.listing.files) {
      while (Number.isNaN(settled(reader.stampOf(file)!).mtimeMs)) await setTimeout(5);
    }
    await scan(requestOf(input, { store }), patient);
    await store.save();
    const opened = storeOf().openDocuments()!;
    const size = opened.sizeBytes();
    opened.close();
    assert.ok(size > 0);
    const namesWithin = async (bytes: number) => {
      const listed = { ...input.listing, fetch: undefined, reader };
      const recalled = await recall(storeOf(), listed, undefined, bytes, () => false);
      assert.ok(!('findings' in recalled));
      const names = (files: readonly { readonly path: string }[]) => files.map(({ path: name }) => name);
      return { kept: names(recalled.kept), files: names(recalled.files) };
    };
    assert.deepEqual(await namesWithin(size), { kept: ['a.ts', 'b.ts'], files: [] });
    assert.deepEqual(await namesWithin(size - 1), { kept: [], files: ['a.ts', 'b.ts'] });
  });
});
