/**
 * Ignored groups in the worker: by the project's baseline, by comments, and by the user; and the cases in which they
 * are reported again.
 */
import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BaselineEntry, printBaseline } from '../../src/review/gate/baseline.ts';
import { contentsOf } from '../../src/review/gate/contents.ts';
import type { Group } from '../../src/core/engine/report/report.ts';
import type { Judgement } from '../../src/session/protocol/judgement.ts';
import type { Root } from '../../src/session/protocol/messages.ts';
import { unpackGroups } from '../../src/scan/io/packedGroups.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, parsing } from '../passages.ts';
import { Conversation, reportIn, type Response } from './conversation.ts';
import { MemoryFiles } from './memoryFiles.ts';

const file = '.kindred-baseline.jsonc';
const lines = Array.from({ length: 40 }, (_, at) => `let line${at} = ${at * 7} + other${at}(${at});\n`).join('');
const pair = { 'a.ts': `let a;\n${parsing}`, 'b.ts': lines + parsing };

suite('ignored groups in the worker', () => {
  let folder = '';
  let worker: Conversation;
  let roots: Root[] = [];
  setup(() => {
    folder = makeFolder(pair);
    roots = [{ folder, prefix: '', sources: defaultSourceOptions }];
    worker = new Conversation();
  });
  teardown(async () => {
    await worker.end();
    removeFolder(folder);
  });

  function put(name: string, text: string): void {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }

  function entryOf(group: Group): BaselineEntry {
    return { contents: contentsOf(group), reason: 'why' };
  }

  /** Returns the last judgment, sent with a report or alone. */
  function judgementIn(responses: readonly Response[]): Judgement {
    const found = responses.flatMap((response) => ('judgement' in response ? [response.judgement] : []));
    assert.ok(found.length > 0, JSON.stringify(responses.map(({ type }) => type)));
    return found.at(-1)!;
  }

  function idsIn({ sources }: Judgement): string[] {
    return sources.flatMap(({ groups }) => groups).sort();
  }

  async function groupsFound(): Promise<Group[]> {
    return [...unpackGroups(reportIn(await worker.scan(roots, undefined)).findings)];
  }

  test('a file without comments is read again if it was rewritten with the same size and time', async () => {
    const storage = makeFolder({});
    // The files must be older, because recent ones could change again without a new stamp.
    const old = new Date(Date.now() - 60_000);
    const date = (): void => utimesSync(path.join(folder, 'a.ts'), old, old);
    date();
    utimesSync(path.join(folder, 'b.ts'), old, old);
    await worker.scan(roots, storage);
    await worker.restart(storage);
    // Only the inode's change time shows that the text is new.
    const comment = '// kindred-ignore-file';
    put('a.ts', `${comment}${pair['a.ts'].slice(comment.length)}`);
    date();
    const responses = await worker.scan(roots, storage);
    // The stored report is sent before files are checked for changes.
    const [recalled] = responses.filter(({ type }) => type === 'recalled');
    assert.deepEqual(judgementIn([recalled]).sources, []);
    const { sources } = judgementIn(responses);
    assert.deepEqual(
      sources.map(({ by }) => by),
      ['comment'],
    );
    removeFolder(storage);
  });

  test('are empty without baseline, comments, and own entries', async () => {
    const judgement = judgementIn(await worker.scan(roots, undefined));
    assert.deepEqual([judgement.sources, judgement.aside, judgement.unknown], [[], [], undefined]);
  });

  test('follow a baseline that is added, changed, and removed, although the report stays', async () => {
    const groups = await groupsFound();
    put(file, printBaseline(groups.map((group) => entryOf(group))));
    const ignored = await worker.update([file]);
    assert.deepEqual(idsIn(judgementIn(ignored)), groups.map(({ id }) => id).sort());
    assert.equal(judgementIn(ignored).totals.duplicatedLines, 0);
    put(file, printBaseline(groups.map((group) => ({ contents: contentsOf(group), reason: undefined }))));
    const changed = await worker.update([file]);
    assert.deepEqual(
      changed.map(({ type }) => type),
      ['judged', 'unchanged'],
    );
    const judgement = judgementIn(changed);
    assert.deepEqual([idsIn(judgement), judgement.unknown], [[], []]);
    put(file, '{\n  nothing');
    assert.deepEqual(judgementIn(await worker.update([file])).trouble[0].path, file);
    removeFolder(path.join(folder, file));
    assert.equal(judgementIn(await worker.update([file])).unknown, undefined);
    assert.deepEqual(
      (await worker.update([file])).map(({ type }) => type),
      ['unchanged'],
    );
  });

  test('an entry no longer applies if there is an additional copy, and names the group', async () => {
    const groups = await groupsFound();
    put(file, printBaseline(groups.map((group) => entryOf(group))));
    put('c.ts', lines.replaceAll('line', 'row') + parsing);
    const judgement = judgementIn(await worker.update([file, 'c.ts']));
    const code = judgement.sources.filter(({ by, groups: ids }) => by === 'baseline' && ids.length === 0);
    assert.ok(code.length > 0);
    assert.ok(code.every((source) => source.by !== 'baseline' || source.about !== undefined));
    assert.ok(judgement.unknown!.length > 0);
  });

  test('comments apply, also in an editor text and where they move no line', async () => {
    await worker.scan(roots, undefined);
    put('a.ts', `let a; // kindred-ignore-file: mine\n${parsing}`);
    const byFile = judgementIn(await worker.update(['a.ts']));
    assert.deepEqual(
      byFile.sources.map((source) => source.by === 'comment' && [source.path, source.region.reason, source.passages]),
      [['a.ts', 'mine', 2]],
    );
    const overlays = [{ path: 'a.ts', text: pair['a.ts'], overFile: true }];
    assert.deepEqual(judgementIn(await worker.update([], { overlays })).sources, []);
    const dropped = judgementIn(await worker.update([], { dropped: ['a.ts'] }));
    assert.equal(dropped.sources.length, 1);
  });

  test('a comment that ignores one of three copies leaves the group with two', async () => {
    put('c.ts', `// kindred-ignore-file\n${lines.replaceAll('line', 'row')}${parsing}`);
    const responses = await worker.scan(roots, undefined);
    const groups = [...unpackGroups(reportIn(responses).findings)];
    const { aside, totals } = judgementIn(responses);
    const code = groups.find(({ kind, passages }) => kind === 'code' && passages.length === 3)!;
    assert.deepEqual(aside, [[code.id, [2]]]);
    assert.equal(reportIn(responses).findings.totals.duplicatedLines - totals.duplicatedLines > 10, true);
  });

  test("include the user's own entries immediately and after a restart", async () => {
    const storage = makeFolder({});
    try {
      const responses = await worker.scan(roots, storage);
      const groups = [...unpackGroups(reportIn(responses).findings)];
      const own = groups.map((group) => ({ contents: contentsOf(group), reason: undefined }));
      const told = await worker.ignore(own);
      assert.deepEqual(idsIn(told.judgement), groups.map(({ id }) => id).sort());
      assert.ok(told.judgement.sources.every(({ by }) => by === 'own'));
      put(file, printBaseline(groups.map((group) => entryOf(group))));
      await worker.update([file]);
      await worker.restart(storage);
      const again = await worker.scan(roots, storage);
      assert.deepEqual(
        again.map(({ type }) => type),
        ['recalled', 'unchanged'],
      );
      assert.deepEqual(idsIn(judgementIn(again)), groups.map(({ id }) => id).sort());
      assert.equal((await worker.ignore(own)).generation, 0);
    } finally {
      removeFolder(storage);
    }
  });
});

suite('ignored groups in folders that only the host can read', () => {
  test('use their own baseline and comments', async () => {
    const files = new MemoryFiles();
    const worker = new Conversation(files);
    try {
      files.write('a.ts', pair['a.ts']);
      files.write('b.ts', `${lines}// kindred-ignore-start: as there\n${parsing}// kindred-ignore-end\n`);
      files.write('c.ts', `let c;\n${drawing}`);
      files.write('d.ts', lines.replaceAll('line', 'row') + drawing);
      const roots: Root[] = [{ uri: 'mem:/w', prefix: '', inner: [], sources: defaultSourceOptions }];
      const responses = await worker.scan(roots, undefined);
      const report = reportIn(responses);
      const [source] = report.judgement.sources;
      assert.ok(source.by === 'comment' && source.region.reason === 'as there');
      const groups = [...unpackGroups(report.findings)].filter(({ passages }) => passages[0].path === 'c.ts');
      files.write(file, printBaseline(groups.map((group) => ({ contents: contentsOf(group), reason: 'both' }))));
      const told = (await worker.update([file])).flatMap((it) => ('judgement' in it ? [it.judgement] : []));
      assert.ok(told.at(-1)?.sources.some(({ by, groups: ids }) => by === 'baseline' && ids.length > 0));
      // After a baseline is written, another judgment is requested immediately, without a comparison.
      files.write(file, printBaseline([]));
      const { judgement } = await worker.ignore([]);
      assert.ok(judgement.sources.every(({ by }) => by !== 'baseline'));
    } finally {
      await worker.end();
    }
  });
});
