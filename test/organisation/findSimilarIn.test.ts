/** A search that the user has cancelled. */
import assert from 'node:assert/strict';
import { CancellationError } from '../../src/organisation/folder/cancellation.ts';
import type { IndexFolder } from '../../src/organisation/folder/indexFolder.ts';
import { type EpochWeights, findSimilarIn, SearchMemory } from '../../src/organisation/repositories/findSimilarIn.ts';
import type { FolderContents, Partitions } from '../../src/organisation/repositories/folderContents.ts';
import type { SearchedLists } from '../../src/organisation/repositories/mergedLists.ts';
import { methodOf } from '../../src/organisation/repositories/method.ts';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { scanThreadScript } from '../indexer/scanning.ts';
import { parsing } from '../passages.ts';

suite('a cancelled search in all repositories', () => {
  /** Searches three lists, of which none can be read, and counts the attempts. */
  async function attempts(cancelled: () => boolean): Promise<{ readonly count: number; readonly error: unknown }> {
    let count = 0;
    const reading = (): void => {
      count++;
    };
    const lists = Array.from({ length: 3 }, () => ({ reading, lists: [] }) as unknown as SearchedLists);
    const source = { lists, byPartition: () => [], shapesSteps: () => [].values() } as unknown as FolderContents;
    const searched = {
      index: { epoch: () => undefined } as unknown as IndexFolder,
      partitions: { contentsOf: () => source } as unknown as Partitions,
      weights: { of: () => Promise.resolve(new Uint8Array()) } as unknown as EpochWeights,
      memory: new SearchMemory(),
      states: [],
    };
    const text = { bytes: Buffer.from(parsing), lexicon: lexiconForPath('a.ts') };
    const method = methodOf(defaultOptions, scanThreadScript);
    const error: unknown = await findSimilarIn(searched, method, text, {}, { cancelled }).catch((it: unknown) => it);
    return { count, error };
  }

  test('reads no further list', async () => {
    const atOnce = await attempts(() => true);
    assert.ok(atOnce.error instanceof CancellationError);
    assert.equal(atOnce.count, 0);
    let checks = 0;
    const later = await attempts(() => ++checks > 2);
    assert.ok(later.error instanceof CancellationError);
    assert.equal(later.count, 2);
  });
});
