/** Lists for look-ups that are merged from those of small partitions. Searches find the same with and without them. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import type { SimilarPassages } from '../../../src/core/engine/similar/findSimilar.ts';
import { IndexFolder } from '../../../src/organisation/folder/indexFolder.ts';
import { Partitions } from '../../../src/organisation/repositories/folderContents.ts';
import { methodOf } from '../../../src/organisation/repositories/method.ts';
import type { RepositoryInput } from '../../../src/organisation/repositories/addRepository.ts';
import type { OrganisationIndex } from '../../../src/organisation/repositories/organisationIndex.ts';
import { withoutWindows } from '../../engine/matches/portedTexts.ts';
import { inputOf, notCancelled, openFolder, openForEachTest, scanThread, writeFiles } from '../storing.ts';
import { functionText } from '../texts.ts';

suite('merged lists of small partitions', () => {
  let folder = '';
  let index: OrganisationIndex;
  openForEachTest((opened) => ({ folder, index } = opened));

  const at = (...names: string[]): string => path.join(folder, 'index', ...names);
  const nameOf = (repository: number): string => `r${String(repository).padStart(2, '0')}`;
  /**
   * Stores repositories [from, to) with one command. Each has a function of its own and one of three shared ones; two
   * have a function that was ported.
   */
  const store = async (from: number, to: number): Promise<void> => {
    const inputs: RepositoryInput[] = [];
    for (let i = from; i < to; i++) {
      const source = path.join(folder, 'sources', nameOf(i));
      writeFiles(source, {
        'own.ts': functionText(`own${i}`) + functionText(`shared${i % 3}`),
        ...(i % 30 === 5 && { 'Planner.java': withoutWindows['Planner.java'] }),
        'README.md': `# ${i}\n\n${`Words that say little, again and again in ${i % 5}. `.repeat(12)}\n`,
      });
      inputs.push(await inputOf(source));
    }
    await index.adding(methodOf(defaultOptions, scanThread), async (add) => {
      for (const input of inputs) await add(input);
    });
    await index.renewWeights(notCancelled);
  };
  /** Number of files of lists that a search reads. */
  const filesSearched = (): number => {
    const opened = new IndexFolder(at());
    return new Partitions(opened).contentsOf(opened.repositories()).lists.length;
  };
  const find = async (text: string, name: string, opened: OrganisationIndex): Promise<SimilarPassages> => {
    const { similar } = await opened.find(
      scanThread,
      { bytes: Buffer.from(text), lexicon: lexiconForPath(name) },
      () => ({ limit: 100 }),
      notCancelled,
    );
    return similar;
  };
  const searches = async (opened = index): Promise<readonly SimilarPassages[]> => [
    await find(functionText('own7'), 'x.ts', opened),
    await find(functionText('shared1').replace(/^.*4.*$/m, '  // Another step.'), 'x.ts', opened),
    await find('Words that say little, again and again in 2. '.repeat(12), 'x.md', opened),
    await find(withoutWindows['planner.kt'], 'x.kt', opened),
  ];
  /** Searches in processes that have read the index before and in new ones find the same without merged lists. */
  const agree = async (): Promise<void> => {
    const found = await searches();
    const fresh = openFolder(at(), 'read');
    assert.deepEqual(await searches(fresh), found);
    await fresh.close();
    renameSync(at('lists'), at('aside'));
    try {
      const plain = openFolder(at(), 'read');
      assert.deepEqual(await searches(plain), found);
      await plain.close();
    } finally {
      renameSync(at('aside'), at('lists'));
    }
    const [, shared, prose, ported] = found.map(({ total }) => total);
    assert.ok(shared > 5 && prose > 2 && ported > 0, `${shared}, ${prose}, and ${ported}`);
  };

  test('follow stored, replaced, and dropped repositories', async () => {
    await store(0, 31);
    assert.equal(filesSearched(), 31, 'few partitions stay as they are');
    await agree();
    await store(31, 33);
    assert.equal(filesSearched(), 1);
    await agree();
    await store(33, 40);
    assert.equal(filesSearched(), 8);
    await agree();

    writeFiles(path.join(folder, 'sources'), { 'r07/own.ts': functionText('other') });
    await index.adding(methodOf(defaultOptions, scanThread), async (add) => {
      await add(await inputOf(path.join(folder, 'sources', 'r07')));
    });
    assert.ok(
      (await find(functionText('own7'), 'x.ts', index)).passages.every(({ passage }) => !/^r07/.test(passage.path)),
    );
    await agree();

    await store(40, 66);
    assert.equal(filesSearched(), 1, 'they are merged again with new ones');
    assert.equal(readdirSync(at('lists')).length, 2, 'the earlier ones are removed');
    await agree();

    await index.drop(Array.from({ length: 40 }, (_, i) => nameOf(i + 20)));
    assert.deepEqual(readdirSync(at('lists')), [], 'most of their partitions are gone');
    assert.equal(filesSearched(), 27, 'r07 has two');
    await agree();
  });

  test('are not needed, and are checked', async () => {
    await store(0, 33);
    const names = readdirSync(at('lists'));
    assert.equal(names.length, 2);
    for (const name of names) {
      const bytes = readFileSync(at('lists', name));
      truncateSync(at('lists', name), Math.floor(bytes.length / 2));
      const opened = openFolder(at(), 'read');
      await assert.rejects(searches(opened), /is damaged: restore it, or delete/);
      await opened.close();
      writeFileSync(at('lists', name), bytes);
    }
    writeFileSync(at('lists', 'killed.bin'), 'incomplete');
    await index.drop([nameOf(0)]);
    assert.deepEqual(readdirSync(at('lists')).sort(), names.sort());
    // An index of an earlier version has no such folder.
    const before = await searches();
    rmSync(at('lists'), { recursive: true });
    assert.deepEqual(await searches(), before);
    index = openFolder(at());
    await store(33, 34);
    assert.equal(filesSearched(), 1);
    await index.close();
  });
});
