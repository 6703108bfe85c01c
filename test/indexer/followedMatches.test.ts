/** Matches that are followed: after any edits, they equal those of a comparison of all documents. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { Corpus } from '../../src/core/engine/corpus.ts';
import type { DocumentIndex } from '../../src/core/engine/documents/documents.ts';
import type { LiveCorpus } from '../../src/core/engine/liveCorpus.ts';
import { pairKey } from '../../src/core/engine/seeds/liveSeeds.ts';
import { hashBytes64 } from '../../src/core/methods/hash64.ts';
import { DocumentIndexer } from '../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { noMatches } from '../../src/core/engine/matches/knownMatches.ts';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { Matcher } from '../../src/core/engine/matches/matches.ts';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import { lastOf } from '../../src/core/engine/steps.ts';
import { type EarlierMatches, removeKnownSteps, noComparisons } from '../../src/scan/indexer/earlierMatches.ts';
import { beginEpoch, type Epoch } from '../../src/scan/indexer/epoch.ts';
import { FollowedMatches } from '../../src/scan/indexer/followedMatches.ts';
import type { IndexedFile } from '../../src/scan/indexer/indexedFile.ts';
import type { IndexStore } from '../../src/scan/indexer/indexStore.ts';
import type { LiveScan } from '../../src/scan/indexer/liveScan.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { fileEntries, passageEntries } from './comparisonEntries.ts';
import { allBodies, names, text } from './functionTexts.ts';
import { indexedFile } from './indexedFile.ts';
import { inputOf, patient, requestOf, scanToFollow } from './scanning.ts';

const options: Options = { ...defaultOptions, minTokens: 20, readComments: 'asText' };

/** A live corpus and its matches. */
class Compared {
  readonly #kernel = new Kernel(createMemory());
  readonly #corpus: LiveCorpus;
  readonly #files = new Map<string, IndexedFile>();
  #matches: FollowedMatches;

  /** @param epoch epoch for the weights, or undefined to begin one */
  constructor(texts: ReadonlyMap<string, string>, epoch: Epoch | undefined) {
    const corpus = new Corpus(this.#kernel, options, epoch?.idfTable);
    const indexer = new DocumentIndexer(this.#kernel, options);
    for (const [path, text] of texts) {
      const file = indexedFile(indexer, path, text);
      corpus.adopt(path, file.content);
      this.#files.set(path, file);
    }
    this.#matches = this.#compare(corpus, epoch);
    this.#corpus = corpus.keep();
  }

  get matches(): EarlierMatches {
    return this.#matches.read([...this.#files.values()], () => this.#corpus.comparisons());
  }

  /** Ingests changed paths; undefined means removed. Returns true if the live corpus was updated. */
  update(changes: Readonly<Record<string, string | undefined>>): boolean {
    for (const [path, text] of Object.entries(changes)) {
      if (text === undefined) {
        this.#corpus.remove(path);
        this.#files.delete(path);
        continue;
      }
      const bytes = new TextEncoder().encode(text);
      const room = this.#corpus.reserve(bytes.length);
      room.set(bytes);
      const content = this.#corpus.put(path, room, lexiconForPath(path));
      this.#files.set(path, { path, content, digest: hashBytes64(bytes), stamp: undefined });
    }
    const onMatched = this.#matches.add.bind(this.#matches);
    if (lastOf(this.#corpus.updateSteps({ skipped: [], complete: true, onMatched }))) return true;
    this.#matches = this.#compare(this.#corpus, this.#matches.epoch);
    return false;
  }

  #compare(corpus: Corpus | LiveCorpus, epoch: Epoch | undefined): FollowedMatches {
    const plan = lastOf(corpus.planSteps());
    const left = lastOf(removeKnownSteps(this.#kernel, plan, this.#files.values(), undefined));
    const matcher = new Matcher(this.#kernel, left.task, options);
    const records = left.join([matcher.matchSeeds(0, left.task.seeds.count)]);
    lastOf(plan.finishSteps(records, { skipped: [], complete: true }));
    const measured = epoch ?? beginEpoch(corpus.idfTable()!, this.#files.values());
    const kept = left.keep(records, measured, () => corpus.comparisons()!);
    return new FollowedMatches(kept);
  }
}

/** @param epoch  epoch of an otherwise empty store */
async function follow(folder: string, epoch: Epoch | undefined): Promise<LiveScan> {
  const nothing = (): undefined => undefined;
  const stored = epoch && { documents: [], epoch, matches: noMatches, comparisons: noComparisons };
  const store: Partial<IndexStore> = {
    openDocuments: nothing,
    findingsOf: nothing,
    replace: nothing,
    findings: nothing,
    matches: () => stored,
  };
  const { live } = await scanToFollow(
    requestOf(await inputOf(folder), { options, store: store as IndexStore }),
    patient,
    'index',
  );
  assert.ok(live);
  return live;
}

function workOf(name: string): string {
  return `function ${name}() {\n${allBodies.join('')}}\n`.repeat(3);
}

const changes = fc.dictionary(names, fc.option(text, { nil: undefined, freq: 4 }), { minKeys: 1, maxKeys: 3 });

suite('followed matches', () => {
  test('equal those of a comparison of all documents after any edits', () => {
    let [followed, pairs] = [0, 0];
    fc.assert(
      fc.property(fc.dictionary(names, text), fc.array(changes, { minLength: 1, maxLength: 6 }), (first, history) => {
        const texts = new Map(Object.entries(first));
        const compared = new Compared(texts, undefined);
        for (const step of history) {
          if (compared.update(step)) followed++;
          for (const [path, text] of Object.entries(step)) {
            if (text === undefined) texts.delete(path);
            else texts.set(path, text);
          }
          const { documents, matches, comparisons, epoch } = compared.matches;
          const fresh = new Compared(texts, epoch).matches;
          assert.deepEqual(documents, fresh.documents);
          assert.deepEqual(matches, fresh.matches);
          // Comparisons that are no longer necessary may be left.
          const left = new Set(passageEntries(comparisons));
          const lost = passageEntries(fresh.comparisons).filter((entry) => !left.has(entry));
          assert.deepEqual(lost, []);
          // An update compares other files than a scan, with the same result.
          const ofFiles = fileEntries(fresh.comparisons);
          for (const [documents, counts] of fileEntries(comparisons)) {
            assert.equal(counts, ofFiles.get(documents) ?? counts);
          }
          pairs += matches.pairs.length / 4;
        }
      }),
      { numRuns: scaled(60) },
    );
    assert.ok(followed > scaled(50) && pairs > scaled(100), `${followed} updates, ${pairs} pairs`);
  });

  test('equal those that a followed scan passes to the store after an update', async () => {
    const folder = makeFolder({ 'a.ts': workOf('one'), 'b.ts': workOf('two'), 'c.ts': 'const nothing = 1;\n' });
    try {
      const live = await follow(folder, undefined);
      const before = live.state().matches!;
      writeFileSync(path.join(folder, 'c.ts'), workOf('three'));
      rmSync(path.join(folder, 'b.ts'));
      await live.update(await inputOf(folder), new Set(['b.ts', 'c.ts']), patient);
      const { documents, matches, epoch } = live.state().matches!;
      assert.equal(epoch, before.epoch);
      assert.deepEqual(
        documents.map((document) => document.path),
        ['a.ts', 'c.ts'],
      );
      assert.ok(matches.records.length > 0);
      const fresh = (await follow(folder, epoch)).state().matches!;
      assert.deepEqual(documents, fresh.documents);
      assert.deepEqual(matches, fresh.matches);
    } finally {
      removeFolder(folder);
    }
  });

  test('lack a pair that an update voided and did not match again', () => {
    const indexer = new DocumentIndexer(new Kernel(createMemory()), options);
    const files = ['a.ts', 'b.ts'].map((path, n) => indexedFile(indexer, path, `const n = ${n};\n`));
    const documents = files.map(({ path, digest }) => ({ path, part: 'text' as const, digest }));
    const epoch = beginEpoch(new Uint8Array(), files);
    const followed = new FollowedMatches({ documents, epoch, matches: noMatches, comparisons: noComparisons });
    const take = (pairs: readonly number[]): readonly number[] => {
      const others = new Set([pairKey(0, 1)]);
      const documentOf = (number: number): DocumentIndex => files[number].content;
      followed.add({
        renewed: new Set(),
        others,
        pairs: Uint32Array.from(pairs),
        records: new Uint32Array(),
        documentOf,
      });
      return [...followed.read(files).matches.pairs];
    };
    assert.deepEqual(take([0, 1, 7, 8]), [0, 1, 7, 8]);
    assert.deepEqual(take([0, 1, 7, 9]), [0, 1, 7, 9]);
    assert.deepEqual(take([]), []);
  });

  test('are the same object while nothing is matched', () => {
    const compared = new Compared(new Map([['a.ts', 'const nothing = 1;\n']]), undefined);
    const { matches } = compared;
    assert.equal(compared.matches, matches);
    compared.update({ 'b.ts': 'const something = 2;\n' });
    assert.notEqual(compared.matches, matches);
    assert.equal(compared.matches, compared.matches);
  });
});
