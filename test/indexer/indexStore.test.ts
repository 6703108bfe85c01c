/** The files of a stored index: what becomes of them when they cannot be written, and when two programs have them at once. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createMemory, Kernel } from '../../src/engine/kernel.ts';
import { defaultOptions, type Options } from '../../src/engine/options.ts';
import type { Findings } from '../../src/engine/report/report.ts';
import { lastOf } from '../../src/engine/steps.ts';
import type { IndexStore } from '../../src/indexer/indexStore.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { parsing } from '../passages.ts';
import { inputOf, patient, requestOf, scanToFollow, storeAt } from './scanning.ts';

/** A notebook of TypeScript with one cell and a picture above its text, as Jupyter writes it. */
function notebookOf(text: string, picture: string): string {
  const outputs = [{ output_type: 'display_data', data: { 'image/png': picture } }];
  const cells = [{ cell_type: 'code', outputs, source: text.split(/(?<=\n)/) }];
  return JSON.stringify({ cells, metadata: { kernelspec: { language: 'typescript' } }, nbformat: 4 }, null, 1);
}

const endings = ['documents', 'matches', 'findings'];

suite('a stored index', () => {
  let folder: string;
  let storage: string;
  let warnings: string[];

  setup(() => {
    folder = makeFolder({ 'a.ts': parsing, 'b.ts': parsing, 'c.ts': 'export const alone = 1;\n' });
    storage = makeFolder({});
    warnings = [];
  });

  teardown(() => {
    removeFolder(folder);
    removeFolder(storage);
  });

  test('what could not be written is said once, and written as soon as that can be', async () => {
    const store = storeOf();
    const findings = await scan(store);
    mkdirSync(fileOf('documents'));
    await store.save();
    await store.save();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /index\.documents: a folder is in its place\.$/);
    assert.deepEqual(readdirSync(storage).sort(), ['index.documents', 'index.findings', 'index.matches']);
    rmSync(fileOf('documents'), { recursive: true });
    await store.save();
    assert.equal(warnings.length, 1);
    assert.equal(storeOf().openDocuments()?.size, 3);
    assert.deepEqual(storeOf().findings?.findings, findings);
    // It is forgotten then: there is nothing left to write.
    rmSync(fileOf('documents'));
    await store.save();
    assert.equal(existsSync(fileOf('documents')), false);
  });

  test('one that is written while it is read is read as it was', async () => {
    const store = storeOf();
    await scan(store);
    await store.save();
    const documents = storeOf().openDocuments()!;
    writeFileSync(path.join(folder, 'd.ts'), parsing);
    await scan(store);
    await store.save();
    assert.ok(lastOf(documents.loadSteps(new Kernel(createMemory()))));
    assert.equal(documents.size, 3);
    documents.close();
    assert.equal(storeOf().openDocuments()?.size, 4);
    assert.deepEqual(warnings, []);
  });

  test('of two that write at once both leave whole files, and what holds is found with them', async () => {
    const [first, second] = [storeOf(), storeOf()];
    await scan(first);
    writeFileSync(path.join(folder, 'd.ts'), parsing);
    const findings = await scan(second);
    await Promise.all([first.save(), second.save(), first.save()]);
    assert.deepEqual(readdirSync(storage).sort(), endings.map((ending) => `index.${ending}`).sort());
    assert.deepEqual(await scan(storeOf()), findings);
    assert.deepEqual(warnings, []);
  });

  test('a notebook that is large by its pictures is found, and another picture changes nothing that is found', async () => {
    const draw = (picture: string): void => writeFileSync(path.join(folder, 'n.ipynb'), notebookOf(parsing, picture));
    draw('iVBORw0K'.repeat(2 ** 18));
    const store = storeOf();
    const before = await scan(store);
    await store.save();
    assert.deepEqual(before.skipped, []);
    const places = before.groups.map(({ passages }) => passages.map((passage) => passage.path));
    assert.deepEqual(places, [
      ['a.ts', 'b.ts', 'n.ipynb'],
      ['a.ts', 'b.ts', 'n.ipynb'],
    ]);
    for (const picture of ['R0lGODlh'.repeat(2 ** 18), 'R0lGODlh'.repeat(2 ** 19), '', 'é'.repeat(2 ** 20)]) {
      draw(picture);
      const after = await scan(storeOf());
      assert.deepEqual([after.groups, after.files, after.skipped], [before.groups, before.files, []]);
      assert.deepEqual(after, await scan(undefined));
    }
    assert.deepEqual(warnings, []);
  });

  test('rereads a file that was rewritten with the same size and time', async () => {
    const file = path.join(folder, 'b.ts');
    const long = new Date(1_000_000_000_000);
    utimesSync(file, long, long);
    // Until another change of the file cannot have the same time.
    await setTimeout(50);
    const store = storeOf();
    const before = await scan(store);
    await store.save();
    const other = parsing.replaceAll(/[a-z]/gi, 'x');
    writeFileSync(file, other);
    utimesSync(file, long, long);
    const after = await scan(storeOf());
    assert.notDeepEqual(after, before);
    assert.deepEqual(after, await scan(undefined));
    assert.deepEqual(warnings, []);
  });

  test('does not reuse a report if other files are skipped now', async () => {
    const skipped = [{ path: 'linked', reason: 'leads outside' }];
    const listed = await inputOf(folder);
    const store = storeOf();
    await scan(store);
    await store.save();
    const request = requestOf(
      { ...listed, listing: { ...listed.listing, skipped } },
      { store: storeOf(), weighing: 'measured' },
    );
    const { findings } = await scanToFollow(request, patient, 'findings');
    assert.deepEqual(findings.skipped, skipped);
    assert.deepEqual(warnings, []);
  });

  test('a file of another program or with other options is left alone until it is written over', async () => {
    const store = storeOf();
    const findings = await scan(store);
    await store.save();
    const before = endings.map((ending) => readFileSync(fileOf(ending)));
    const others: Options = { ...defaultOptions, shingleSize: 3 };
    const other = storeOf(others);
    assert.equal(other.openDocuments(), undefined);
    assert.equal(other.findings, undefined);
    assert.equal(other.matches, undefined);
    assert.deepEqual(
      endings.map((ending) => readFileSync(fileOf(ending))),
      before,
    );
    assert.deepEqual(storeOf().findings?.findings, findings);
    await scan(other, others);
    await other.save();
    assert.equal(storeOf().openDocuments(), undefined);
    assert.deepEqual(warnings, []);
  });

  test('a file in the place of another is left alone until it is written over', async () => {
    const store = storeOf();
    const findings = await scan(store);
    await store.save();
    const whole = new Map(endings.map((ending) => [ending, readFileSync(fileOf(ending))]));
    for (const ending of endings) {
      for (const other of endings) {
        if (other === ending) continue;
        for (const [name, bytes] of whole) writeFileSync(fileOf(name), bytes);
        writeFileSync(fileOf(ending), whole.get(other)!);
        // So that all of what is stored is asked for.
        writeFileSync(path.join(folder, 'c.ts'), `export const alone = ${ending.length + 10 * other.length};\n`);
        assert.deepEqual((await scan(storeOf())).groups, findings.groups, `${other} as ${ending}`);
      }
    }
    assert.deepEqual(warnings, []);
  });

  test('wherever a file is cut off or changed, a line says so, and everything is found', async () => {
    const store = storeOf();
    const findings = await scan(store);
    await store.save();
    for (const ending of endings) {
      const whole = readFileSync(fileOf(ending));
      for (const place of [0, 10, 45, 60, Math.floor(whole.length / 2), whole.length - 1]) {
        for (const bytes of [whole.subarray(0, place), changedAt(whole, place)]) {
          warnings = [];
          writeFileSync(fileOf(ending), bytes);
          assert.deepEqual(await scan(storeOf()), findings, `${ending}, ${place}`);
          // What an intact header says to be of another version or program is no damage.
          assert.ok(warnings.length <= 1, warnings.join('\n'));
          for (const warning of warnings)
            assert.match(warning, /^Cannot use the stored index .* \(.*\); rebuilding it\.$/);
        }
      }
      warnings = [];
      writeFileSync(fileOf(ending), changedAt(whole, 60));
      const damaged = storeOf();
      const [documents] = [damaged.openDocuments(), damaged.findings, damaged.matches];
      if (documents) lastOf(documents.loadSteps(new Kernel(createMemory())));
      documents?.close();
      assert.equal(warnings.length, 1, ending);
      writeFileSync(fileOf(ending), whole);
    }
  });

  function fileOf(ending: string): string {
    return path.join(storage, `index.${ending}`);
  }

  function storeOf(options: Options = defaultOptions): IndexStore {
    return storeAt(path.join(storage, 'index'), options, (warning) => warnings.push(warning));
  }

  async function scan(store: IndexStore | undefined, options: Options = defaultOptions): Promise<Findings> {
    const request = requestOf(await inputOf(folder), { options, store, weighing: 'measured' });
    return (await scanToFollow(request, patient, 'findings')).findings;
  }
});

function changedAt(bytes: Uint8Array, place: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[place] ^= 1;
  return changed;
}
