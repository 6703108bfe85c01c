/** Searches of the documents of a scan in progress: they find the same as the complete index, and change nothing. */
import assert from 'node:assert/strict';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import type { SimilarPassages } from '../../src/core/engine/similar/findSimilar.ts';
import type { SearchedText } from '../../src/core/engine/windowIndex.ts';
import type { ScanMonitor } from '../../src/scan/indexer/scanInput.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { inputOf, patient, requestOf, scanToFollow } from './scanning.ts';

suite('a search of a scan in progress', () => {
  let folder = '';
  setup(() => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, file) => [`src/${file}.ts`, textOf(file)]));
    folder = makeFolder(files);
  });
  teardown(() => removeFolder(folder));

  test('finds the same as the complete index in each pause, and does not affect the scan', async () => {
    const request = requestOf(await inputOf(folder));
    const alone = await scanToFollow(request, patient, 'index');
    const texts = [searchedFor(3), searchedFor(17), { ...searchedFor(3), bytes: new TextEncoder().encode('let a;') }];
    const expected = texts.map((text) => alone.live!.findSimilar(text, text.query));
    assert.deepEqual(
      expected,
      texts.map(() => undefined),
      'there is no index yet',
    );
    await alone.live!.prepare(() => false);
    const complete = texts.map((text) => alone.live!.findSimilar(text, text.query)!);
    assert.ok(complete[0].total > 10 && complete[1].total > 0 && complete[2].total === 0);

    const early: (SimilarPassages | undefined)[][] = [];
    const pausing: ScanMonitor = {
      ...patient,
      onPause: async (search) => {
        const found: (SimilarPassages | undefined)[] = [];
        for (const text of texts) found.push(await search(text));
        early.push(found);
      },
    };
    const { findings, live } = await scanToFollow(request, pausing, 'index');
    assert.deepEqual(findings, alone.findings);
    assert.ok(early.length >= 3, `paused ${early.length} times`);
    for (const found of early) assert.deepEqual(found, complete);
    await live!.prepare(() => false);
    assert.deepEqual(
      texts.map((text) => live!.findSimilar(text, text.query)),
      complete,
    );
  });

  test('returns nothing after a cancellation', async () => {
    let isCancelled = false;
    const found: unknown[] = [];
    const monitor: ScanMonitor = {
      onProgress: () => undefined,
      cancelled: () => isCancelled,
      onPause: async (search) => {
        isCancelled = true;
        found.push(await search(searchedFor(3)));
      },
    };
    const { findings } = await scanToFollow(requestOf(await inputOf(folder)), monitor, 'index');
    assert.equal(findings.complete, false);
    assert.deepEqual(found, [undefined]);
  });
});

function searchedFor(file: number): SearchedText {
  const bytes = new TextEncoder().encode(textOf(file));
  return { bytes, lexicon: lexiconForPath('a.ts'), query: { origin: undefined, explains: true, limit: 50 } };
}

/** Returns a text that repeats that of every second file, with some other names and numbers. */
function textOf(file: number): string {
  const lines = Array.from({ length: 12 }, (_, line) =>
    file % 2 === 0
      ? `  const even${line} = measure(${line}, "${'abcdefghijkl'[line]}", limits.of${line}) + ${file};`
      : `  if (odd${line}.length > ${line * 7}) queue${line % 3}.push(part${line}(entry, ${line}));`,
  );
  return `export function work${file}(entry, limits) {\n${lines.join('\n')}\n  return entry;\n}\n`;
}
