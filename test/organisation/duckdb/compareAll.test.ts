/** Findings of all repositories, compared with those of a scan of real code. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/project.mjs';
import { append } from '../../../src/core/collections/lists.ts';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import type { ScanProgress } from '../../../src/scan/indexer/scanInput.ts';
import { CancellationError } from '../../../src/organisation/folder/cancellation.ts';
import { IndexError } from '../../../src/organisation/folder/indexError.ts';
import { methodOf } from '../../../src/organisation/repositories/method.ts';
import type { OrganisationIndex } from '../../../src/organisation/repositories/organisationIndex.ts';
import { withoutWindows } from '../../engine/matches/portedTexts.ts';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { add, compare, openFolder, openForEachTest, scanFolder, scanThread, writeFiles } from '../storing.ts';
import { functionText } from '../texts.ts';

suite('comparing all repositories', () => {
  let index: OrganisationIndex;
  let at = '';
  openForEachTest(({ folder, index: opened }) => {
    at = path.join(folder, 'index');
    index = opened;
  });

  test('reports that there are no repositories', async () => {
    await index.adding(methodOf(defaultOptions, scanThread), () => Promise.resolve());
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
    assert.deepEqual(steps(), [], 'nothing is left to continue');
    for (const documentBytes of [1, 2_000_002, 3_000_000]) {
      assert.deepEqual(await compare(index, { documentBytes }), found, 'with memory for some documents');
    }
  });

  test('finds code that pages quote with memory for a few documents', async () => {
    const folder = makeFolder({});
    const words = ['alpha', 'beta', 'gamma', 'delta'];
    const page = (name: string): string => `# ${name}\n\n\`\`\`ts\n${functionText(name)}\`\`\`\n`;
    for (const [i, repository] of ['one', 'two', 'three'].entries()) {
      const own = words.map((word, place) => (place === i ? word + repository : word));
      writeFiles(path.join(folder, repository), {
        ...Object.fromEntries(own.map((word) => [`${word}.md`, page(word)])),
        ...Object.fromEntries(own.map((word) => [`${word}.ts`, functionText(word)])),
      });
      await add(index, path.join(folder, repository));
    }
    const found = await compare(index, { documentBytes: 1 });
    const both = found.groups.filter(
      ({ passages }) => new Set(passages.map(({ path: file }) => path.extname(file))).size > 1,
    );
    assert.ok(both.length > 2, String(both.length));
    assert.deepEqual(found, await scanFolder(folder));
    removeFolder(folder);
  });

  for (const [name, repositories] of [
    ['one repository', ['both', 'both']],
    ['two repositories', ['depot', 'planner']],
  ] as const) {
    test(`finds a function that was ported to another language in ${name}`, async () => {
      const folder = makeFolder({});
      for (const [i, [file, text]] of Object.entries(withoutWindows).entries()) {
        writeFiles(path.join(folder, repositories[i]), { [file]: text });
      }
      for (const repository of new Set(repositories)) await add(index, path.join(folder, repository));
      const found = await compare(index);
      assert.equal(found.groups.length, 1);
      assert.deepEqual(found, await scanFolder(folder));
      removeFolder(folder);
    });
  }

  suite('continues an interrupted comparison', () => {
    const folder = path.join(root, 'src', 'review');
    for (const step of ['pairs', 'matches'] as const) {
      test(`after the step ${step}`, async () => {
        await add(index, folder);
        const expected = await compare(index);
        await interruptAfter(step);
        const seen: string[] = [];
        assert.deepEqual(await compare(index, { onContinue: (last) => seen.push(last) }), expected);
        assert.deepEqual(seen, [step]);
        assert.deepEqual(steps(), []);
      });
    }

    test('with the files of pairs that are not aligned', async () => {
      await add(index, folder);
      const expected = await compare(index);
      assert.deepEqual(await compare(index, { pairsInFile: 8 }), expected);
      await interruptAfter('matches', { pairsInFile: 8 });
      const [pairs, matches] = ['pairs', 'matches'].map((step) => steps().filter((file) => file.includes(`/${step}/`)));
      assert.ok(pairs.length > 3, String(pairs.length));
      assert.equal(matches.length, 1);
      const done: number[] = [];
      const monitor = {
        onProgress: ({ phase, done: own, total }: ScanProgress) => phase === 'matching' && done.push(own / total),
        cancelled: () => false,
      };
      const seen: string[] = [];
      assert.deepEqual(await compare(index, { onContinue: (last) => seen.push(last), monitor }), expected);
      assert.deepEqual(seen, ['pairs']);
      assert.ok(done[0] >= 1 / pairs.length, 'the first file is not aligned again');
      assert.deepEqual(
        done,
        [...done].sort((x, y) => x - y),
      );
    });

    test('from the beginning if the repositories have changed', async () => {
      await add(index, folder);
      await interruptAfter('pairs');
      const added = makeFolder({ 'a.ts': functionText('alpha'), 'b.ts': functionText('alpha') });
      await add(index, added);
      removeFolder(added);
      const found = await compare(index, { onContinue: (step) => assert.fail(step) });
      const name = path.basename(added);
      assert.ok(found.groups.some(({ passages }) => passages.some((passage) => passage.path === `${name}/a.ts`)));
      assert.deepEqual(steps(), [], 'the results of the other repositories are removed');
    });

    test('from the beginning if a result is incomplete', async () => {
      await add(index, folder);
      const expected = await compare(index);
      await interruptAfter('matches');
      for (const file of steps()) truncateSync(file, statSync(file).size - 4);
      assert.deepEqual(await compare(index, { onContinue: (step) => assert.fail(step) }), expected);
    });

    test('not in a folder that it cannot write', async () => {
      await add(index, folder);
      const expected = await compare(index);
      const writing = path.join(at, 'writing');
      rmSync(writing, { recursive: true });
      assert.deepEqual(await compare(index), expected);
      assert.ok(!existsSync(writing));
    });

    /** Cancels a comparison as soon as the result of a step exists. */
    async function interruptAfter(step: string, comparing: { readonly pairsInFile?: number } = {}): Promise<void> {
      const cancelled = (): boolean => steps().some((file) => file.includes(`/${step}/`));
      await assert.rejects(
        compare(index, { ...comparing, monitor: { onProgress: () => undefined, cancelled } }),
        CancellationError,
      );
    }
  });

  test('ends when it is interrupted at any time, and the next one finds the same', async () => {
    for (const name of ['review', 'session']) await add(index, path.join(root, 'src', name));
    const expected = await compare(index);
    let interrupted = 0;
    for (const checks of [0, 1, 2, 4, 8, 16, 32, 64, 128]) {
      let left = checks;
      const monitor = { onProgress: () => undefined, cancelled: () => left-- <= 0 };
      try {
        assert.deepEqual(await compare(index, { monitor, pairsInFile: 200 }), expected);
      } catch (error) {
        assert.ok(error instanceof CancellationError, String(error));
        interrupted++;
      }
      assert.deepEqual(
        readdirSync(path.join(at, 'writing')).filter((name) => !name.endsWith('.steps')),
        [],
        'only complete steps are left',
      );
    }
    assert.ok(interrupted > 5, String(interrupted));
    assert.deepEqual(await compare(index), expected);
    assert.deepEqual(readdirSync(path.join(at, 'writing')), []);
  });

  test('reports the progress of each phase in increasing order, up to its total', async () => {
    const folder = path.join(root, 'src');
    for (const name of readdirSync(folder)) await add(index, path.join(folder, name));
    const shares = new Map<string, number[]>();
    const onProgress = ({ phase, done, total }: ScanProgress): void => append(shares, phase, done / total);
    await compare(index, { monitor: { onProgress, cancelled: () => false } });
    for (const phase of ['reading', 'grouping']) {
      const own = shares.get(phase) ?? [];
      const increasing = [...own].sort((x, y) => x - y);
      assert.ok(own.length > 5, `${phase}: ${own.length} reports`);
      assert.deepEqual([phase, own, own.at(-1)], [phase, increasing, 1]);
    }
    const grouping = shares.get('grouping')!;
    assert.ok(grouping.some((share) => share > 0 && share < 0.5) && grouping.some((share) => share > 0.5 && share < 1));
  });

  test('has one state of the repositories if another process replaces them meanwhile', async () => {
    for (const name of ['review', 'session']) await add(index, path.join(root, 'src', name));
    const monitor = { onProgress: () => undefined, cancelled: () => false };
    const expected = await index.compare({ scanThread, workers: 1, monitor });
    const cancelled = (): boolean => {
      rmSync(path.join(at, 'repositories', 'review.json'), { force: true });
      return false;
    };
    assert.deepEqual(await index.compare({ scanThread, workers: 1, monitor: { ...monitor, cancelled } }), expected);
    assert.equal(index.repositories().length, 1);
  });

  test('keeps what it reads while another process drops a repository', async () => {
    for (const name of ['review', 'session']) await add(index, path.join(root, 'src', name));
    const expected = await compare(index);
    const other = openFolder(at);
    let dropped: Promise<void> | undefined;
    const cancelled = (): boolean => {
      if (steps().length > 0) dropped ??= other.drop(['review', 'session']);
      return false;
    };
    assert.deepEqual(await compare(index, { monitor: { onProgress: () => undefined, cancelled } }), expected);
    await dropped;
    await other.close();
    assert.deepEqual([index.repositories(), readdirSync(path.join(at, 'writing'))], [[], []]);
    assert.deepEqual(readdirSync(path.join(at, 'contents')), [], 'the scan removes what nothing refers to');
  });

  /** Returns the files with the results of steps. */
  function steps(): string[] {
    return readdirSync(path.join(at, 'writing'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.steps\/(?:pairs|matches)\/.*\.parquet$/.test(name))
      .map((name) => path.join(at, 'writing', name));
  }
});
