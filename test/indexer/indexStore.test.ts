/** Files of a stored index: failed writes, and two programs that use them at once. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sampled } from '../../scripts/scaled.mjs';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import type { Findings } from '../../src/core/engine/report/report.ts';
import type { SimilarPassage } from '../../src/core/engine/similar/findSimilar.ts';
import { lastOf } from '../../src/core/engine/steps.ts';
import { hashBytes64 } from '../../src/core/methods/hash64.ts';
import { openIndexStore } from '../../src/scan/indexer/storeOnDisk.ts';
import type { IndexStore } from '../../src/scan/indexer/indexStore.ts';
import { scanToFollow as scanUnchecked, type ScanOutcome } from '../../src/scan/indexer/scan.ts';
import { defaultSourceOptions, type FolderLimits } from '../../src/scan/io/sources.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { parsing } from '../passages.ts';
import { inputOf, patient, requestOf, scanThreadScript, scanToFollow, storeAt } from './scanning.ts';

/** Returns a TypeScript notebook as Jupyter writes it: one cell, and a picture above its text. */
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

  test('reports a failed write once, and writes as soon as that is possible again', async () => {
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
    assert.deepEqual(storeOf().findings()?.findings, findings);
    // The index then drops its data, so there is nothing left to write.
    rmSync(fileOf('documents'));
    await store.save();
    assert.equal(existsSync(fileOf('documents')), false);
  });

  test('is read in its old state during a write', async () => {
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

  test('is intact and valid after concurrent writes', async () => {
    const [first, second] = [storeOf(), storeOf()];
    await scan(first);
    writeFileSync(path.join(folder, 'd.ts'), parsing);
    const findings = await scan(second);
    await Promise.all([first.save(), second.save(), first.save()]);
    assert.deepEqual(readdirSync(storage).sort(), endings.map((ending) => `index.${ending}`).sort());
    assert.deepEqual(await scan(storeOf()), findings);
    assert.deepEqual(warnings, []);
  });

  test('a notebook that is large because of its pictures is found, and another picture does not change the findings', async () => {
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
    // Wait until another change of the file has a different time.
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

  test('reuses the groups if only skipped files are added, such as a worktree inside the folder', async () => {
    const first = storeOf();
    await scan(first);
    await first.save();
    linkWorktree('.claude/worktrees/x');
    writeFileSync(path.join(folder, 'picture.ts'), Uint8Array.of(0, 1, 2));
    const expected = await scan(undefined);
    assert.deepEqual(
      expected.skipped.map(({ path }) => path),
      ['.claude/worktrees/x/', 'picture.ts'],
    );
    // First the new file is read, then everything is stored.
    for (let times = 0; times < 2; times++) {
      const store = storeOf();
      const { findings, live } = await scanWhole(store);
      assert.equal(live, undefined, 'nothing is compared');
      assert.deepEqual(findings, expected);
      await store.save();
    }
    rmSync(path.join(folder, '.claude'), { recursive: true });
    rmSync(path.join(folder, 'picture.ts'));
    assert.deepEqual((await scanWhole(storeOf())).findings.skipped, []);
    assert.deepEqual(warnings, []);
  });

  test('compares again if a compared file is skipped, because its folder is a worktree or it is binary', async () => {
    mkdirSync(path.join(folder, 'sub'));
    writeFileSync(path.join(folder, 'sub/d.ts'), parsing);
    const skips: readonly (readonly [string, () => void])[] = [
      ['sub/', (): void => linkWorktree('sub')],
      ['b.ts', (): void => writeFileSync(path.join(folder, 'b.ts'), Uint8Array.of(0, 1, 2))],
    ];
    for (const [skipped, skip] of skips) {
      const store = storeOf();
      const before = await scan(store);
      await store.save();
      skip();
      const { findings, live } = await scanWhole(storeOf());
      assert.notEqual(live, undefined, 'the files are compared');
      assert.ok(findings.skipped.some(({ path }) => path === skipped));
      assert.notDeepEqual(findings.groups, before.groups);
      assert.deepEqual(findings, await scan(undefined));
    }
  });

  test('keeps the files that the comparison has skipped for lack of memory', async () => {
    const store = storeOf();
    const { live } = await scanToFollow(
      requestOf(await inputOf(folder), { store, weighing: 'measured' }),
      patient,
      'index',
    );
    const { files, report, ...state } = live!.state();
    const withoutMemory = { path: 'c.ts', reason: 'no memory left (limit 4 GB)', setting: 'memory' } as const;
    const worktree = { path: 'x/', reason: 'a linked Git worktree' };
    const findings = { ...report!.findings, skipped: [withoutMemory, worktree] };
    store.replace({ ...state, files, report: { ...report!, findings } });
    const other = { path: 'a/', reason: 'a linked Git worktree' };
    const reused = store.findingsOf(files, [other], 'measured')!.findings;
    assert.deepEqual(reused.skipped, [other, withoutMemory]);
    assert.equal(reused.totals.skipped, 2);
  });

  test('a file of another program or with other options is ignored until it is overwritten', async () => {
    const store = storeOf();
    const findings = await scan(store);
    await store.save();
    const before = endings.map((ending) => readFileSync(fileOf(ending)));
    const others: Options = { ...defaultOptions, shingleSize: 3 };
    const other = storeOf(others);
    assert.equal(other.openDocuments(), undefined);
    assert.equal(other.findings(), undefined);
    assert.equal(other.matches(), undefined);
    assert.deepEqual(
      endings.map((ending) => readFileSync(fileOf(ending))),
      before,
    );
    assert.deepEqual(storeOf().findings()?.findings, findings);
    await scan(other, others);
    await other.save();
    assert.equal(storeOf().openDocuments(), undefined);
    assert.deepEqual(warnings, []);
  });

  test('ignores documents that were read with other limits', async () => {
    const store = storeOf();
    await scan(store);
    await store.save();
    const isUsedWith = (changes: Partial<FolderLimits>): boolean => {
      const scripts = { scanThread: scanThreadScript, program: scanThreadScript };
      const sources = { ...defaultSourceOptions, ...changes };
      const identity = { options: defaultOptions, sources, lexicons: [], files: '' };
      const documents = openIndexStore(path.join(storage, 'index'), identity, scripts, assert.fail).openDocuments();
      documents?.close();
      return documents !== undefined;
    };
    const { generated, maxFileSizeBytes } = defaultSourceOptions;
    assert.ok(isUsedWith({}));
    assert.ok(!isUsedWith({ generated: !generated }));
    assert.ok(!isUsedWith({ maxFileSizeBytes: 2 * maxFileSizeBytes }));
    assert.ok(!isUsedWith({ inFolders: [{ prefix: 'src/', generated: !generated, maxFileSizeBytes }] }));
  });

  test('a file in the place of another is ignored until it is overwritten', async () => {
    const store = storeOf();
    const findings = await scan(store);
    await store.save();
    const whole = new Map(endings.map((ending) => [ending, readFileSync(fileOf(ending))]));
    for (const ending of endings) {
      for (const other of endings) {
        if (other === ending) continue;
        for (const [name, bytes] of whole) writeFileSync(fileOf(name), bytes);
        writeFileSync(fileOf(ending), whole.get(other)!);
        // Make a change, so that everything stored is needed.
        writeFileSync(path.join(folder, 'c.ts'), `export const alone = ${ending.length + 10 * other.length};\n`);
        assert.deepEqual((await scan(storeOf())).groups, findings.groups, `${other} as ${ending}`);
      }
    }
    assert.deepEqual(warnings, []);
  });

  test('a file that is truncated or changed anywhere is reported in one line, and everything is found', async () => {
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
          // An intact header of another version or program is not damage.
          assert.ok(warnings.length <= 1, warnings.join('\n'));
          for (const warning of warnings)
            assert.match(warning, /^Cannot use the stored index .* \(.*\); rebuilding it\.$/);
        }
      }
      warnings = [];
      writeFileSync(fileOf(ending), changedAt(whole, 60));
      const damaged = storeOf();
      const [documents] = [damaged.openDocuments(), damaged.findings(), damaged.matches()];
      if (documents) lastOf(documents.loadSteps(new Kernel(createMemory())));
      documents?.close();
      assert.equal(warnings.length, 1, ending);
      writeFileSync(fileOf(ending), whole);
    }
  });

  test('impossible content with valid checksums is rejected: everything is found, or a line says why not', async () => {
    const long = new Date(1_000_000_000_000);
    const touch = (): void =>
      ['a.ts', 'b.ts', 'c.ts'].forEach((name) => utimesSync(path.join(folder, name), long, long));
    touch();
    await setTimeout(50);
    const store = storeOf();
    const findings = await scan(store);
    await store.save();
    // The stored documents are used first unchanged, then with texts that are read again.
    const passes = [false, true].flatMap((isTouched) => endings.map((ending) => ({ ending, isTouched })));
    for (const { ending, isTouched } of passes) {
      const whole = readFileSync(fileOf(ending));
      for (const [about, pieces] of sampled([...forgeries(piecesOf(whole))])) {
        if (isTouched) touch();
        warnings = [];
        writeFileSync(fileOf(ending), filed(whole, pieces));
        // Some errors in a report cannot be detected without its files.
        const request = requestOf(await inputOf(folder), { store: storeOf(), weighing: 'measured' });
        const { findings: found } = await scanUnchecked(request, patient, 'findings');
        assert.deepEqual(found.totals, findings.totals, `${ending}: ${about}`);
        assert.ok(
          warnings.every((warning) => /^Cannot use the stored index .*; rebuilding it\.$/.test(warning)),
          about,
        );
      }
      writeFileSync(fileOf(ending), whole);
    }
  });

  test('weights measured by a search are stored, and used while all files are the same', async () => {
    const found = await search();
    assert.equal(found.length, 2);
    const whole = readFileSync(fileOf('weights'));
    assert.deepEqual(await search(), found);
    assert.deepEqual(readFileSync(fileOf('weights')), whole);
    const [digest, table] = piecesOf(whole);
    const other = filed(whole, [digest, Buffer.alloc(table.length, 7)]);
    writeFileSync(fileOf('weights'), other);
    await search();
    assert.deepEqual(readFileSync(fileOf('weights')), other, 'they are not measured again');
    // A table of another size is not a table of this program, although its checksum is valid.
    writeFileSync(fileOf('weights'), filed(whole, [digest, table.subarray(1)]));
    assert.deepEqual(await search(), found);
    assert.deepEqual(readFileSync(fileOf('weights')), whole);
    writeFileSync(path.join(folder, 'c.ts'), parsing);
    assert.equal((await search()).length, 3);
    assert.notDeepEqual(piecesOf(readFileSync(fileOf('weights')))[0], digest);
    assert.deepEqual(warnings, []);

    async function search(): Promise<readonly SimilarPassage[]> {
      const store = storeOf();
      const text = { bytes: Buffer.from(parsing), lexicon: lexiconForPath('a.ts'), query: {} };
      const request = requestOf(await inputOf(folder), { store, weighing: 'measured', scope: [text] });
      const { found } = await scanToFollow(request, patient, 'index');
      await store.save();
      return found!.similar[0].passages;
    }
  });

  test('a report with impossible totals is rejected', async () => {
    const store = storeOf();
    const { totals } = await scan(store);
    await store.save();
    const whole = readFileSync(fileOf('findings'));
    const [summary, ...groups] = piecesOf(whole);
    const text = JSON.stringify(totals);
    for (const forged of [
      { ...totals, groups: 0 },
      { ...totals, files: 0 },
      { ...totals, duplicatedLines: totals.lines + 1 },
      { ...totals, duplicatedPercent: 1 },
      { ...totals, categories: {} },
    ]) {
      warnings = [];
      const piece = Buffer.from(summary.toString().replace(text, JSON.stringify(forged)));
      assert.notDeepEqual(piece, summary);
      writeFileSync(fileOf('findings'), filed(whole, [piece, ...groups]));
      assert.equal(storeOf().findings(), undefined, JSON.stringify(forged));
      assert.equal(warnings.length, 1);
    }
  });

  function fileOf(ending: string): string {
    return path.join(storage, `index.${ending}`);
  }

  function storeOf(options: Options = defaultOptions): IndexStore {
    return storeAt(path.join(storage, 'index'), options, (warning) => warnings.push(warning));
  }

  /** Makes a subfolder a linked worktree of another repository. */
  function linkWorktree(name: string): void {
    const gitFolder = path.join(storage, 'repository/.git/worktrees/x');
    mkdirSync(gitFolder, { recursive: true });
    writeFileSync(path.join(gitFolder, 'commondir'), '../..\n');
    mkdirSync(path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, name, '.git'), `gitdir: ${gitFolder}\n`);
  }

  async function scan(store: IndexStore | undefined, options: Options = defaultOptions): Promise<Findings> {
    return (await scanWhole(store, options)).findings;
  }

  async function scanWhole(store: IndexStore | undefined, options: Options = defaultOptions): Promise<ScanOutcome> {
    const request = requestOf(await inputOf(folder), { options, store, weighing: 'measured' });
    return scanToFollow(request, patient, 'findings');
  }
});

/** Returns the pieces of a checked file. */
function piecesOf(file: Buffer): Buffer[] {
  const count = file.readUInt32LE(12);
  let start = 48;
  return Array.from({ length: count }, (_, i) => {
    const size = file.readDoubleLE(file.length - 16 * (count - i));
    start += size;
    return file.subarray(start - size, start);
  });
}

/** Returns a checked file with the key of another one, the given pieces, and valid checksums. */
function filed(other: Buffer, pieces: readonly Uint8Array[]): Buffer {
  const directory = Buffer.alloc(16 * pieces.length);
  pieces.forEach((piece, i) => {
    directory.writeDoubleLE(piece.length, 16 * i);
    directory.writeBigUInt64LE(hashBytes64(piece), 16 * i + 8);
  });
  const header = Buffer.from(other.subarray(0, 48));
  header.writeUInt32LE(pieces.length, 12);
  header.writeDoubleLE(48 + directory.length + pieces.reduce((sum, { length }) => sum + length, 0), 24);
  header.writeBigUInt64LE(hashBytes64(directory), 32);
  header.writeBigUInt64LE(hashBytes64(header.subarray(0, 40)), 40);
  return Buffer.concat([header, ...pieces, directory]);
}

/**
 * Yields copies of the pieces with one change each: a piece that is emptied, truncated, or filled, or has another value
 * in its JSON.
 */
function* forgeries(pieces: readonly Buffer[]): Generator<[about: string, pieces: readonly Buffer[]]> {
  yield ['no pieces', []];
  yield ['one piece more', [...pieces, Buffer.from('null')]];
  for (const [place, piece] of pieces.entries()) {
    const changed = function* (): Generator<[string, Buffer]> {
      yield ['is empty', Buffer.alloc(0)];
      yield ['is cut', piece.subarray(0, piece.length >> 1)];
      yield ['is odd', piece.subarray(1)];
      yield ['is doubled', Buffer.concat([piece, piece])];
      const isJson = piece[0] === 0x7b || piece[0] === 0x5b;
      if (!isJson) {
        yield ['is 0', Buffer.alloc(piece.length)];
        yield ['is all bits', Buffer.alloc(piece.length, 0xff)];
        return;
      }
      for (const text of ['null', '0', '[]', '{}', '[null]']) yield [text, Buffer.from(text)];
      const json = piece.toString();
      for (const value of ['null', '-1', '1e15', '0.5', '"x"', '{}', '[]']) {
        let index = 0;
        for (const { 0: key } of json.matchAll(/"\w+":(?=[^,}\]])/g)) {
          const at = json.indexOf(key, index);
          index = at + key.length;
          const end = /^(?:"[^"]*"|[\w.-]+)/.exec(json.slice(index))?.[0].length;
          // Strings may have any value, and these are digests or names.
          if (end === undefined || (value === '"x"' && json[index] === '"')) continue;
          yield [`${key} ${value}`, Buffer.from(json.slice(0, index) + value + json.slice(index + end))];
        }
      }
    };
    for (const [about, forged] of changed()) {
      yield [`piece ${place} ${about}`, pieces.map((other, i) => (i === place ? forged : other))];
    }
  }
}

function changedAt(bytes: Uint8Array, place: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[place] ^= 1;
  return changed;
}
