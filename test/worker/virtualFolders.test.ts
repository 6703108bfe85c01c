/** Folders that only the host can read, across restarts of the worker: their stored data, and repeated requests. */
import assert from 'node:assert/strict';
import { mkdtemp, open as openFile, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { uncomparedWords } from '../../src/review/gate/uncompared.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import type { Overlay, VirtualRoot } from '../../src/session/protocol/messages.ts';
import { parsing } from '../passages.ts';
import { Conversation, passageGroups, pathsOf, reportIn, type Response } from './conversation.ts';
import { MemoryFiles } from './memoryFiles.ts';

suite('folders that only the host can read', () => {
  const root: VirtualRoot = { uri: 'memory:/', prefix: 'm/', inner: [], sources: defaultSourceOptions };
  let storage: string;
  let conversation: Conversation;
  let memory: MemoryFiles;

  setup(async () => {
    storage = await mkdtemp(path.join(tmpdir(), 'kindred-virtual-'));
    memory = new MemoryFiles();
    conversation = new Conversation(memory);
    for (const name of ['a', 'b']) memory.write(`${name}.ts`, parsing);
    for (let i = 0; i < 20; i++) memory.write(`c${i}.ts`, `export const alone${i} = ${i};\n`);
  });

  teardown(async () => {
    await conversation.end();
    await rm(storage, { recursive: true, force: true });
  });

  test('a second window shows the findings immediately, and reads only changed files', async () => {
    assert.deepEqual(pathsIn(await open()), [['m/a.ts', 'm/b.ts']]);
    await reopen();
    const again = await open();
    assert.deepEqual(typesOf(again), ['recalled', 'unchanged']);
    assert.deepEqual(memory.read, []);
    memory.write('c3.ts', `// now a copy\n${parsing}`);
    await reopen();
    const changed = await open();
    assert.deepEqual(typesOf(changed), ['recalled', 'report']);
    assert.deepEqual(memory.read, ['c3.ts']);
    assert.deepEqual(pathsIn(changed), [['m/a.ts', 'm/b.ts', 'm/c3.ts']]);
    await reopen();
    memory.delete('b.ts');
    assert.deepEqual(pathsIn(await open()), [['m/a.ts', 'm/c3.ts']]);
    assert.deepEqual(memory.read, []);
  });

  test('are all read if times are unusable, and equal contents are recognized', async () => {
    for (const [name, { bytes }] of memory.files) memory.files.set(name, { bytes, mtimeMs: Number.NaN });
    await open();
    await reopen();
    assert.deepEqual(typesOf(await open()), ['recalled', 'unchanged']);
    assert.equal(memory.read.length, memory.files.size);
    await reopen();
    memory.write('c3.ts', parsing, Number.NaN);
    assert.deepEqual(pathsIn(await open()), [['m/a.ts', 'm/b.ts', 'm/c3.ts']]);
  });

  test('a damaged store is reported in one line of the log', async () => {
    await open();
    await reopen();
    for (const name of await readdir(storage)) await truncate(path.join(storage, name), 100);
    const responses = await open();
    assert.deepEqual(typesOf(responses), ['warning', 'report']);
    assert.deepEqual(pathsIn(responses), [['m/a.ts', 'm/b.ts']]);
  });

  test('a store with damaged documents after its header causes all files to be read', async () => {
    await open();
    await reopen();
    memory.write('c3.ts', parsing);
    await damage(path.join(storage, 'index.documents'));
    const responses = await open();
    assert.deepEqual(typesOf(responses), ['recalled', 'warning', 'report']);
    assert.deepEqual(pathsIn(responses), [['m/a.ts', 'm/b.ts', 'm/c3.ts']]);
    assert.deepEqual(memory.read.sort(), [...memory.files.keys()].sort());
  });

  test('a file that was not read yet is read when it changes, and when an editor closes its text', async () => {
    await open();
    await reopen();
    await open();
    memory.write('c5.ts', parsing);
    assert.deepEqual(pathsIn(await conversation.update(['m/c5.ts'])), [['m/a.ts', 'm/b.ts', 'm/c5.ts']]);
    const overlays: Overlay[] = [{ path: 'm/b.ts', text: 'const other = 1;\n', overFile: true }];
    assert.deepEqual(pathsIn(await conversation.update([], { overlays })), [['m/a.ts', 'm/c5.ts']]);
    const dropped = await conversation.update([], { dropped: ['m/b.ts'] });
    assert.deepEqual(pathsIn(dropped), [['m/a.ts', 'm/b.ts', 'm/c5.ts']]);
    assert.deepEqual(new Set(memory.read), new Set(['c5.ts', 'b.ts']));
  });

  test('a file that cannot be read makes a check incomplete, and one that was deleted does not', async () => {
    memory.locked.add('c1.ts');
    memory.delete('c2.ts');
    const lack = (responses: Response[]): string | undefined => {
      const [path = '', reason = ''] = reportIn(responses).findings.skipped.split('\0');
      return uncomparedWords(path === '' ? [] : [{ path, reason }]);
    };
    assert.equal(lack(await open()), '1 file could not be read (m/c1.ts)');
    memory.locked.clear();
    assert.equal(lack(await conversation.update(['m/c1.ts'])), undefined);
    memory.locked.add('c1.ts');
    assert.equal(lack(await conversation.update(['m/c1.ts'])), '1 file could not be read (m/c1.ts)');
    memory.delete('c1.ts');
    assert.equal(lack(await conversation.update(['m/c1.ts'])), undefined);
  });

  test('many files are lexed by all threads, with the findings of one', async () => {
    for (let i = 0; i < 700; i++)
      memory.write(`many/${i}.ts`, i % 7 === 0 ? `// ${i}\n${parsing}` : `export const a${i} = 1;\n`);
    const { findings } = reportIn(await open());
    assert.equal(findings.totals.files, memory.files.size);
    const [group] = passageGroups(findings);
    assert.equal(group.passages.length, 2 + 100);
  });

  function open(): Promise<Response[]> {
    return conversation.scan([root], storage);
  }

  /** Starts a new worker. Reads are recorded from now on. */
  async function reopen(): Promise<void> {
    await conversation.restart(storage);
    memory.read = [];
  }
});

function typesOf(responses: readonly Response[]): string[] {
  return responses.map(({ type }) => type);
}

/** Returns the paths of each group of passages of the report. */
function pathsIn(responses: readonly Response[]): string[][] {
  return pathsOf(reportIn(responses).findings);
}

/** Changes a byte in the last piece of a stored file, before its directory. */
async function damage(file: string): Promise<void> {
  const handle = await openFile(file, 'r+');
  const { size } = await handle.stat();
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 12);
  const pieces = buffer.readUInt32LE(0);
  const place = size - 16 * pieces - 100;
  const { buffer: byte } = await handle.read(Buffer.alloc(1), 0, 1, place);
  await handle.write(Buffer.from([byte[0] ^ 1]), 0, 1, place);
  await handle.close();
}
