/** Near-duplicates of a text in all repositories, compared with those from the index of a scan. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import type { SimilarPassages, SimilarQuery } from '../../../src/core/engine/similar/findSimilar.ts';
import { scanToFollow } from '../../../src/scan/indexer/scan.ts';
import type { OrganisationIndex } from '../../../src/organisation/repositories/organisationIndex.ts';
import { withoutWindows } from '../../engine/matches/portedTexts.ts';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { add, compare, notCancelled, openFolder, requestOf, scanThread, writeFiles } from '../storing.ts';
import { functionText } from '../texts.ts';

const monitor = { onProgress: () => undefined, cancelled: () => false };

suite('find in all repositories', () => {
  let index: OrganisationIndex;
  let at = '';
  let folder: string;
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];

  suiteSetup(async () => {
    at = makeFolder({});
    index = openFolder(at);
    folder = makeFolder({});
    for (const [i, name] of names.entries()) {
      const edited = functionText(names[(i + 1) % names.length]).replace(/^.*3.*$/gm, '  // Another step.');
      writeFiles(path.join(folder, `r${i % 3}`), {
        [`${name}.ts`]: functionText(name) + edited,
        [`vendor/${name}.ts`]: functionText(name),
        'README.md': `# ${name}\n\n${'Words that say little, again and again. '.repeat(12)}\n`,
      });
    }
    writeFiles(path.join(folder, 'r0'), { 'two.ts': functionText('theta') + functionText('iota') });
    for (const name of ['r0', 'r1', 'r2']) await add(index, path.join(folder, name));
  });
  suiteTeardown(async () => {
    await index.close();
    for (const made of [at, folder]) removeFolder(made);
  });

  /** Lines across which no passage extends. */
  const unlike = Array.from({ length: 60 }, (_, i) => `@mark(${i}) class C${i} extends Base<${i}> {}\n`).join('');
  const textOf = (text: string, name: string) => ({ bytes: Buffer.from(text), lexicon: lexiconForPath(name) });
  const agree = async (
    text: ReturnType<typeof textOf>,
    query: SimilarQuery,
    searched = { folder, index },
  ): Promise<SimilarPassages> => {
    const request = await requestOf(searched.folder);
    const { live } = await scanToFollow({ ...request, weighing: 'kept' }, monitor, 'index');
    await live!.prepare(() => false);
    const { similar: found } = await searched.index.find(scanThread, text, () => query, notCancelled);
    assert.deepEqual(found, live!.findSimilar(text, query));
    return found;
  };

  test('returns the passages from the index of a scan', async () => {
    for (const name of names) {
      const { passages } = await agree(textOf(functionText(name), 'x.ts'), {});
      assert.ok(passages.length >= 3, `${name}: ${passages.length}`);
      assert.ok(new Set(passages.map(({ passage }) => passage.path.slice(0, 2))).size > 1);
    }
  });

  test('applies the query, and excludes the origin of the text', async () => {
    const text = textOf(functionText('gamma'), 'x.ts');
    const all = await agree(text, { maxDistance: 1, minSimilarity: 0.9 });
    const origin = { path: 'r2/vendor/gamma.ts', startLine: 1, endLine: 27 };
    const { passages, total } = await agree(text, { origin, maxDistance: 1, minSimilarity: 0.9, limit: 1 });
    assert.equal(total, all.total - 1);
    assert.equal(passages.length, 1);
  });

  test('finds windows beyond the distance of the index in documents with near windows', async () => {
    const lines = functionText('iota').split('\n');
    const edited = lines.map((line, i) => (i % 5 === 1 ? `  log.push(${i}, new Entry(${i}));` : line));
    const text = textOf(`${functionText('theta')}${unlike}${edited.join('\n')}`, 'x.ts');
    const isWanted = (name: string): boolean => name === 'r0/two.ts';
    const near = await agree(text, { isWanted });
    assert.notDeepEqual(await agree(text, { isWanted, maxDistance: 8 }), near);
  });

  test('finds passages of prose', async () => {
    const { passages } = await agree(textOf('Words that say little, again and again. '.repeat(12), 'x.md'), {});
    assert.ok(passages.length > 0);
  });

  test('returns nothing for a unique text', async () => {
    const text = names
      .map((name) => `class ${name} { static { void [${name.length}, '${name}'].at(-1); } }`)
      .join('\n');
    const { total, hasNoWindow } = await agree(textOf(text, 'x.ts'), {});
    assert.deepEqual([total, hasNoWindow], [0, false]);
  });

  test('returns functions that were ported to another language, unless many lines have their phrases', async () => {
    const { 'Planner.java': planner, 'planner.kt': port } = withoutWindows;
    /** Has the phrases of most lines of the port, but no windows that are near to its windows. */
    const spread = port.split('\n').map((line) => (line.includes('"') ? line : line.replaceAll(/\w+/g, '!! $& ::')));
    const withSigns = `${spread.join('\n')}\nfun pages(size: Int): Int {\n  return size\n}`;
    const page = `Plan ahead.\n\n\`\`\`kotlin\n${port}\n\`\`\`\n`;
    const texts = {
      java: [planner, `${planner}\nclass Empty {}`, `import depot.Lease;\n${planner}`, functionText('alpha')],
      kt: [port, withSigns],
      md: [page],
    };
    const file = fc
      .constantFrom('java', 'kt', 'kt', 'kt', 'md')
      .chain((language) => fc.record({ language: fc.constant(language), text: fc.constantFrom(...texts[language]) }));
    /** Files of each repository, which are stored in turn: later ones replace some of the earlier ones. */
    const stores = fc.array(fc.array(file, { maxLength: 9, size: 'max' }), { minLength: 1, maxLength: 4, size: 'max' });
    const original = { language: 'java' as const, text: planner };
    const crowd = Array.from({ length: 8 }, () => ({ language: 'kt' as const, text: withSigns }));
    let [ported, crowded] = [0, 0];
    await fc.assert(
      fc.asyncProperty(stores, async (all) => {
        const searched = { folder: makeFolder({}), index: openFolder(makeFolder({})) };
        try {
          for (const [i, files] of all.entries()) {
            const repository = path.join(searched.folder, `r${i % 2}`);
            mkdirSync(repository, { recursive: true });
            const named = files.map(({ language, text }, n) => [`${n}.${language}`, text] as const);
            writeFiles(repository, Object.fromEntries(named));
            await add(searched.index, repository);
          }
          // Measures the token weights of all documents, like the scan.
          await compare(searched.index);
          for (const [text, name] of [
            [port, 'x.kt'],
            [planner, 'x.java'],
            [page, 'x.md'],
          ]) {
            const { passages } = await agree(textOf(text, name), {}, searched);
            if (text !== port) continue;
            if (passages.some(({ passage }) => passage.path.endsWith('.java'))) ported++;
            else if (all.some((files) => files.some((each) => each.text === planner))) crowded++;
          }
        } finally {
          await searched.index.close();
          for (const made of [searched.folder, searched.index.folder]) removeFolder(made);
        }
      }),
      { numRuns: scaled(12), examples: [[[[original], crowd]], [[[original], crowd.slice(1)]]] },
    );
    assert.ok(ported > 0 && crowded > 0, `${ported} and ${crowded}`);
  });
});
