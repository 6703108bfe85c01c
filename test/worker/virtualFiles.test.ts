/** Files that only the host can read: requested as rarely as possible, and always with their current contents. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { readSource } from '../../src/scan/io/readSource.ts';
import {
  defaultSourceOptions,
  type FileStamp,
  type RemoteFile,
  type SourceOptions,
} from '../../src/scan/io/sources.ts';
import type {
  EntryKind,
  FileContent,
  FileQuestion,
  FolderContent,
  Unreadable,
  VirtualRoot,
} from '../../src/session/protocol/messages.ts';
import { type StampSource, VirtualFiles } from '../../src/session/worker/virtualFiles.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Time in milliseconds at which files have settled. */
const longAgo = 1_700_000_000_000;

/** A file system as a host provides it. Paths begin with the URI of their root. */
class Host {
  readonly files = new Map<string, { bytes: Uint8Array; mtimeMs: number }>();
  readonly unreadable = new Set<string>();
  /** Files that were read, not only checked. */
  readonly read: string[] = [];
  readonly requestedStamps: string[] = [];
  readonly virtual = new VirtualFiles({
    readFolder: (uri, path) => later(() => this.#readFolder(`${uri}/${path}`)),
    readFile: (question) => later(() => this.#readFile(question)),
  });
  #time = longAgo;

  write(path: string, content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    this.files.set(path, { bytes, mtimeMs: ++this.#time });
  }

  #readFolder(path: string): FolderContent | Unreadable {
    if (this.#isUnreadable(path)) return { reason: 'unreadable (permission denied)' };
    const entries = new Map<string, EntryKind>();
    for (const name of this.files.keys()) {
      if (!name.startsWith(path)) continue;
      const [first, ...others] = name.slice(path.length).split('/');
      entries.set(first, others.length > 0 ? 'folder' : 'file');
    }
    return { entries: [...entries] };
  }

  #readFile({ uri, path: name, knownStamp, maxSizeBytes }: FileQuestion): FileContent | Unreadable {
    const path = `${uri}/${name}`;
    if (this.#isUnreadable(path)) return { reason: 'unreadable (permission denied)' };
    const file = this.files.get(path);
    if (file === undefined) return { reason: 'missing' };
    const stamp = stampOf(file);
    const isKnown = knownStamp?.sizeBytes === stamp.sizeBytes && knownStamp.mtimeMs === stamp.mtimeMs;
    if (isKnown || stamp.sizeBytes > maxSizeBytes) return { stamp, bytes: undefined };
    this.read.push(path);
    return { stamp, bytes: file.bytes };
  }

  #isUnreadable(path: string): boolean {
    this.requestedStamps.push(path);
    return this.unreadable.has(path);
  }
}

function later<Value>(answer: () => Value): Promise<Value> {
  return new Promise((resolve) => setImmediate(() => resolve(answer())));
}

function stampOf({ bytes, mtimeMs }: { bytes: Uint8Array; mtimeMs: number }): FileStamp {
  return { sizeBytes: bytes.length, mtimeMs, ctimeMs: 0, inode: 0 };
}

function rootAt(uri: string, prefix: string, changes: Partial<SourceOptions> = {}): VirtualRoot {
  return { uri, prefix, inner: [], sources: { ...defaultSourceOptions, ...changes } };
}

const nothing: StampSource = () => undefined;
const never = (): boolean => false;

const untouched = (stored: StampSource): { stored: StampSource; touched: ReadonlySet<string> } => ({
  stored,
  touched: new Set(),
});

async function list({ virtual }: Host, ...roots: readonly VirtualRoot[]): Promise<void> {
  await virtual.list(roots, untouched(nothing), () => undefined, never);
}

/** Returns the texts by path as a scan reads them, or the reasons why files were skipped. */
function contents({ virtual: { listing } }: Host): Record<string, string> {
  const read = (file: RemoteFile): string => {
    const source = readSource(file, { ...defaultSourceOptions, generated: true }, (size) => new Uint8Array(size));
    return 'skipped' in source ? `(${source.skipped.reason})` : decoder.decode(source.bytes);
  };
  return Object.fromEntries([
    ...listing.files.map((file) => [file.path, read(file as RemoteFile)]),
    ...listing.skipped.map(({ path, reason }) => [path, `(${reason})`]),
  ]) as Record<string, string>;
}

suite('virtual files', () => {
  test('have the texts of several roots, with the prefix of each', async () => {
    const host = new Host();
    host.write('memory:/one/a.ts', 'a');
    host.write('memory:/one/sub/b.ts', 'b');
    host.write('memory:/two/a.ts', 'c');
    await list(host, rootAt('memory:/one', 'one/'), rootAt('memory:/two', 'two/'));
    assert.deepEqual(contents(host), { 'one/a.ts': 'a', 'one/sub/b.ts': 'b', 'two/a.ts': 'c' });
    assert.deepEqual(
      host.virtual.listing.files.map(({ path }) => path),
      ['one/a.ts', 'one/sub/b.ts', 'two/a.ts'],
    );
    assert.equal(host.virtual.owns('two/z.ts'), true);
    assert.equal(host.virtual.owns('three/z.ts'), false);
  });

  test('a file in two roots belongs to the inner one', async () => {
    const host = new Host();
    host.write('memory:/one/a.ts', 'a');
    host.write('memory:/one/sub/b.ts', 'b');
    const outer = { ...rootAt('memory:/one', 'outer/'), inner: ['sub/'] };
    await list(host, outer, rootAt('memory:/one/sub', 'inner/'));
    assert.deepEqual(contents(host), { 'outer/a.ts': 'a', 'inner/b.ts': 'b' });
    assert.equal(host.virtual.owns('outer/sub/b.ts'), false);
  });

  test('are skipped with a reason if they cannot be read', async () => {
    const host = new Host();
    host.write('memory:/a.ts', 'a');
    host.write('memory:/large.ts', 'a'.repeat(2_000));
    host.write('memory:/binary.ts', Uint8Array.of(1, 0, 2));
    host.write('memory:/wide.ts', Uint8Array.of(0xff, 0xfe, 0x61, 0));
    host.write('memory:/shut/b.ts', 'b');
    host.write('memory:/shut.ts', 'b');
    for (const path of ['memory:/shut/', 'memory:/shut.ts']) host.unreadable.add(path);
    const limited = rootAt('memory:', '', { maxFileSizeBytes: 1_000 });
    await list(host, limited);
    assert.deepEqual(contents(host), {
      'a.ts': 'a',
      'wide.ts': 'a',
      'binary.ts': '(binary)',
      'large.ts': '(too large (2 KB, limit 1000 B))',
      'shut/': '(unreadable (permission denied))',
      'shut.ts': '(unreadable (permission denied))',
    });
    assert.equal(host.read.includes('memory:/large.ts'), false);
    // With another limit and permissions, it is included.
    host.unreadable.clear();
    await list(host, rootAt('memory:', ''));
    assert.equal(contents(host)['large.ts'].length, 2_000);
    assert.equal(contents(host)['shut/b.ts'], 'b');
  });

  test('are read again only if their size or time has changed', async () => {
    const host = new Host();
    for (const name of ['a', 'b', 'c']) host.write(`memory:/${name}.ts`, name);
    const root = rootAt('memory:', '');
    await list(host, root);
    host.read.length = 0;
    await list(host, root);
    assert.deepEqual(host.read, []);
    host.write('memory:/b.ts', 'B');
    await list(host, rootAt('memory:', 'renamed/'));
    assert.deepEqual(host.read, ['memory:/b.ts']);
    assert.deepEqual(contents(host), { 'renamed/a.ts': 'a', 'renamed/b.ts': 'B', 'renamed/c.ts': 'c' });
  });

  test('are read up to a limit in the order of their paths, and only the others when it is raised', async () => {
    const host = new Host();
    for (const name of ['d', 'b/x', 'a', 'c']) host.write(`memory:/${name}.ts`, name);
    await list(host, { ...rootAt('memory:', 'm/'), maxFiles: 2 });
    const beyond = '(not read (limit 2 files))';
    assert.deepEqual(contents(host), { 'm/a.ts': 'a', 'm/b/x.ts': 'b/x', 'm/c.ts': beyond, 'm/d.ts': beyond });
    assert.deepEqual(host.read, ['memory:/a.ts', 'memory:/b/x.ts']);
    assert.equal(await host.virtual.read('m/c.ts'), undefined);
    // One more file takes the place of the last one.
    host.write('memory:/a2.ts', 'new');
    await host.virtual.follow(['m/a2.ts'], never);
    assert.deepEqual(Object.keys(contents(host)), ['m/a.ts', 'm/a2.ts', 'm/b/x.ts', 'm/c.ts', 'm/d.ts']);
    assert.equal(contents(host)['m/b/x.ts'], beyond);
    host.read.length = 0;
    await list(host, rootAt('memory:', 'm/'));
    assert.deepEqual(host.read, ['memory:/b/x.ts', 'memory:/c.ts', 'memory:/d.ts']);
  });

  test('are read once for a scan and for the text of a row', async () => {
    const host = new Host();
    for (const name of ['a', 'b']) host.write(`memory:/${name}.ts`, name);
    const stored = stampOf(host.files.get('memory:/a.ts')!);
    await host.virtual.list(
      [rootAt('memory:', 'm/')],
      untouched((path) => (path === 'm/a.ts' ? stored : undefined)),
      () => undefined,
      never,
    );
    assert.deepEqual(host.read, ['memory:/b.ts']);
    for (let times = 0; times < 2; times++) {
      for (const name of ['a', 'b']) {
        const bytes = (await host.virtual.read(`m/${name}.ts`))!;
        assert.equal(decoder.decode(bytes), name);
        // A browser decodes no shared memory.
        assert.ok(bytes.buffer instanceof ArrayBuffer);
      }
    }
    assert.deepEqual(host.read, ['memory:/b.ts', 'memory:/a.ts']);
    assert.equal(await host.virtual.read('m/z.ts'), undefined);
    assert.equal(await host.virtual.read('elsewhere.ts'), undefined);
  });

  test('are read once for several rows of stored findings and for the scan, even before they are listed', async () => {
    const host = new Host();
    for (const name of ['a', 'b', 'c']) host.write(`memory:/${name}.ts`, name);
    const stored = new Map([...host.files].map(([path, file]) => [path.replace('memory:/', 'm/'), stampOf(file)]));
    const listing = host.virtual.list(
      [rootAt('memory:', 'm/')],
      untouched((path) => stored.get(path)),
      () => undefined,
      never,
    );
    assert.deepEqual(host.virtual.listing.files, []);
    const texts = await Promise.all(['m/a.ts', 'm/a.ts', 'm/b.ts'].map((path) => host.virtual.read(path)));
    assert.deepEqual(
      texts.map((text) => decoder.decode(text)),
      ['a', 'a', 'b'],
    );
    await listing;
    const files = host.virtual.listing.files as readonly RemoteFile[];
    await Promise.all([host.virtual.read('m/c.ts'), host.virtual.fetch(files, never), host.virtual.read('m/c.ts')]);
    assert.deepEqual(contents(host), { 'm/a.ts': 'a', 'm/b.ts': 'b', 'm/c.ts': 'c' });
    assert.deepEqual(host.read, ['memory:/a.ts', 'memory:/b.ts', 'memory:/c.ts']);
  });

  test('are not read before they are needed if they are stored with the same size and time', async () => {
    const host = new Host();
    for (const name of ['a', 'b', 'c', 'd']) host.write(`memory:/${name}.ts`, name);
    const stored = new Map([...host.files].map(([path, file]) => [path.replace('memory:/', 'm/'), stampOf(file)]));
    host.write('memory:/b.ts', 'B');
    stored.delete('m/d.ts');
    const opened = (): Promise<void> =>
      host.virtual.list(
        [rootAt('memory:', 'm/')],
        untouched((path) => stored.get(path)),
        () => undefined,
        never,
      );
    await opened();
    assert.deepEqual(host.read, ['memory:/b.ts', 'memory:/d.ts']);
    const files = host.virtual.listing.files as readonly RemoteFile[];
    assert.deepEqual(
      files.filter(({ content }) => content === undefined).map(({ path, stamp }) => ({ path, stamp })),
      ['m/a.ts', 'm/c.ts'].map((path) => ({ path, stamp: stored.get(path) })),
    );
    assert.equal((await host.virtual.follow(['elsewhere'], never)).length, 0);
    await host.virtual.fetch(files, () => true);
    assert.deepEqual(host.virtual.listing.files, files);
    const fetched = await host.virtual.fetch([files[2]], never);
    assert.deepEqual(fetched, [host.virtual.listing.files[2]]);
    assert.equal(contents(host)['m/c.ts'], 'c');
    host.read.length = 0;
    await opened();
    assert.deepEqual(host.read, []);
    // A file removed between the listing and the reading.
    host.files.delete('memory:/a.ts');
    const [removedFile] = await host.virtual.fetch([files[0]], never);
    assert.deepEqual(removedFile.content, { reason: 'missing' });
  });

  test('times of the stored index are ignored if they are the same for all files', async () => {
    const host = new Host();
    for (const name of ['a', 'b'])
      host.files.set(`memory:/${name}.ts`, { bytes: encoder.encode(name), mtimeMs: longAgo });
    await host.virtual.list(
      [rootAt('memory:', '')],
      untouched(() => ({ sizeBytes: 1, mtimeMs: longAgo, ctimeMs: 0, inode: 0 })),
      () => undefined,
      never,
    );
    assert.deepEqual(contents(host), { 'a.ts': 'a', 'b.ts': 'b' });
  });

  for (const [kind, time] of [
    ['the same', () => longAgo],
    ['missing', () => Number.NaN],
    ['those of the request', () => Date.now()],
    ['later each time', (requestCount: number) => longAgo + 10_000 * requestCount],
  ] as const) {
    test(`nothing is read twice if all times are ${kind}, except changed files`, async () => {
      const host = new Host();
      const put = (name: string, text: string): void => {
        const bytes = encoder.encode(text);
        // A getter, because some file systems make up a time for each request.
        const file = Object.defineProperty({ bytes, mtimeMs: 0 }, 'mtimeMs', {
          get: () => time(host.requestedStamps.length),
        });
        host.files.set(`memory:/${name}`, file);
      };
      for (const name of ['a.ts', 'b.ts', 'c.ts']) put(name, name);
      const small = ['.gitignore', 'sub/.gitignore', '.kindredrc.jsonc', '.kindred-baseline.jsonc'];
      for (const name of small) put(name, '# one');
      put('sub/d.ts', 'd');
      const root = rootAt('memory:', '');
      const scan = async (): Promise<(string | undefined)[]> => {
        const found = [
          await host.virtual.firstOf(root, ['.kindredrc.json', '.kindredrc.jsonc']),
          await host.virtual.firstOf(root, ['.kindred-baseline.jsonc']),
        ];
        await list(host, root);
        return found.map((one) => one?.text);
      };
      assert.deepEqual(await scan(), ['# one', '# one']);
      assert.deepEqual(
        host.read.filter((name) => !name.endsWith('.ts')).sort(),
        small.map((name) => `memory:/${name}`).sort(),
      );
      host.read.length = 0;
      for (let scans = 0; scans < 3; scans++) assert.deepEqual(await scan(), ['# one', '# one']);
      assert.deepEqual(host.read, []);
      // The change of one is reported, and the others have another size.
      for (const name of small) put(name, name === '.kindredrc.jsonc' ? '# two' : 'sub/');
      host.virtual.forgetTexts(['.kindredrc.jsonc']);
      assert.deepEqual(await scan(), ['# two', 'sub/']);
      const listed = host.virtual.listing.files.map(({ path }) => path);
      assert.deepEqual(listed, ['.gitignore', '.kindredrc.jsonc', 'a.ts', 'b.ts', 'c.ts']);
      assert.deepEqual(
        host.read,
        ['.kindredrc.jsonc', '.kindred-baseline.jsonc', '.gitignore'].map((name) => `memory:/${name}`),
      );
      for (const name of small) put(name, '# one');
      await scan();
      host.read.length = 0;
      // One change is reported, and the other has another size.
      put('a.ts', 'A.ts');
      put('b.ts', 'longer');
      const knownFiles = { stored: nothing, touched: new Set(['a.ts']) };
      await host.virtual.list([root], knownFiles, () => undefined, never);
      assert.deepEqual(host.read, ['memory:/a.ts', 'memory:/b.ts']);
      const texts = contents(host);
      for (const name of small) delete texts[name];
      assert.deepEqual(texts, { 'a.ts': 'A.ts', 'b.ts': 'longer', 'c.ts': 'c.ts', 'sub/d.ts': 'd' });
    });
  }

  test('configurations and rules are read again if their time differs, although no change was reported', async () => {
    const host = new Host();
    for (const name of ['a.ts', 'b.ts', 'c.ts']) host.write(`memory:/${name}`, 'x');
    host.write('memory:/.gitignore', 'a.ts');
    host.write('memory:/.kindredrc.jsonc', '{ }');
    const root = rootAt('memory:', '');
    const configuration = async (): Promise<string | undefined> =>
      (await host.virtual.firstOf(root, ['.kindredrc.jsonc']))?.text;
    assert.equal(await configuration(), '{ }');
    await list(host, root);
    host.read.length = 0;
    assert.equal(await configuration(), '{ }');
    await list(host, root);
    assert.deepEqual(host.read, []);
    host.write('memory:/.gitignore', 'b.ts');
    host.write('memory:/.kindredrc.jsonc', '[ ]');
    assert.equal(await configuration(), '[ ]');
    await list(host, root);
    assert.deepEqual(Object.keys(contents(host)), ['.gitignore', '.kindredrc.jsonc', 'a.ts', 'c.ts']);
    host.files.delete('memory:/.kindredrc.jsonc');
    assert.equal(await configuration(), undefined);
  });

  test('a file that may change again within the same tick is read again', async () => {
    const host = new Host();
    for (const name of ['a', 'b']) host.write(`memory:/${name}.ts`, name);
    // This time stays in the future while the test runs.
    const fresh = Date.now() + 3_600_001;
    host.files.set('memory:/b.ts', { bytes: encoder.encode('b'), mtimeMs: fresh });
    await list(host, rootAt('memory:', ''));
    host.files.set('memory:/b.ts', { bytes: encoder.encode('B'), mtimeMs: fresh });
    await list(host, rootAt('memory:', ''));
    assert.deepEqual(contents(host), { 'a.ts': 'a', 'b.ts': 'B' });
  });

  test('requests nothing but the changed file', async () => {
    const host = new Host();
    for (const name of ['a', 'sub/b', 'sub/c']) host.write(`memory:/${name}.ts`, name);
    await list(host, rootAt('memory:', ''));
    const { skipped } = host.virtual.listing;
    host.write('memory:/sub/b.ts', 'B');
    host.requestedStamps.length = 0;
    assert.deepEqual(await host.virtual.follow(['sub/b.ts'], () => false), ['sub/b.ts']);
    assert.deepEqual(host.requestedStamps, ['memory:/sub/b.ts']);
    assert.equal(host.virtual.listing.skipped, skipped);
    // An unchanged touched file, and a path that does not exist.
    assert.deepEqual(await host.virtual.follow(['a.ts'], never), []);
    const { listing } = host.virtual;
    assert.deepEqual(await host.virtual.follow(['elsewhere'], never), []);
    assert.equal(host.virtual.listing, listing);
  });

  test('configuration files are found by their names, the first name before the second', async () => {
    const host = new Host();
    const root = rootAt('memory:', '');
    assert.equal(await host.virtual.firstOf(root, ['one', 'two']), undefined);
    host.write('memory:/two', '2');
    assert.deepEqual(await host.virtual.firstOf(root, ['one', 'two']), { name: 'two', text: '2' });
    host.write('memory:/one', '1');
    assert.deepEqual(await host.virtual.firstOf(root, ['one', 'two']), { name: 'one', text: '1' });
  });

  test('a canceled listing is completed later, whichever path is touched next', async () => {
    const names = ['a', 'sub/b', 'sub/inner/c', ...Array.from({ length: 40 }, (_, i) => `many/${i}`)];
    const paths = names.map((name) => `${name}.ts`).sort();
    let [stops, isWhole] = [0, false];
    for (; !isWhole; stops++) {
      const host = new Host();
      for (const path of paths) host.write(`memory:/${path}`, path);
      const cancelled = (): boolean => host.requestedStamps.length > stops;
      await host.virtual.list([rootAt('memory:', '')], untouched(nothing), () => undefined, cancelled);
      isWhole = !cancelled();
      for (const touched of [[], ['a.ts'], ['elsewhere']]) {
        await host.virtual.follow(touched, never);
        assert.deepEqual(Object.keys(contents(host)).sort(), paths, `stopped at question ${stops}`);
      }
    }
    assert.ok(stops > paths.length, `stopped ${stops} times`);
  });

  test('a new folder whose reading was interrupted is completed later', async () => {
    for (const stops of [0, 1, 2, 20]) {
      const host = new Host();
      host.write('memory:/a.ts', 'a');
      await list(host, rootAt('memory:', ''));
      const paths = Array.from({ length: 40 }, (_, i) => `many/${i}.ts`);
      for (const path of paths) host.write(`memory:/${path}`, path);
      host.requestedStamps.length = 0;
      const told = await host.virtual.follow(['many'], () => host.requestedStamps.length > stops);
      assert.ok(Object.keys(contents(host)).length < 41);
      const toldThen = await host.virtual.follow([], never);
      assert.deepEqual(Object.keys(contents(host)).sort(), ['a.ts', ...paths].sort(), `stopped at question ${stops}`);
      assert.deepEqual([...new Set([...told, ...toldThen])].sort(), [...paths].sort());
    }
  });

  test('use stored contents only after a check', async () => {
    const host = new Host();
    for (const name of ['a', 'b']) host.write(`memory:/${name}.ts`, name);
    const stored = new Map([...host.files].map(([path, file]) => [path.replace('memory:/', ''), stampOf(file)]));
    host.write('memory:/b.ts', 'B');
    let isStopped = false;
    const root = rootAt('memory:', '');
    const listed = host.virtual.list(
      [root],
      untouched((path) => stored.get(path)),
      () => undefined,
      () => isStopped,
    );
    // Wait until the folder and the files with rules were requested.
    while (host.requestedStamps.length < 2) await new Promise(setImmediate);
    isStopped = true;
    await listed;
    await host.virtual.follow(['elsewhere.ts'], never);
    assert.equal(contents(host)['b.ts'], 'B');
  });

  test('equal a new listing after any history, and report the changes', async () => {
    const folder = fc.constantFrom('', 'sub/', 'sub/inner/', 'other/');
    const file = fc.tuple(folder, fc.constantFrom('a.ts', 'b.ts', 'c.log')).map(([place, name]) => place + name);
    const rules = fc.tuple(folder, fc.constantFrom('*.log', 'inner', '/a.ts', '!a.ts'));
    const step = fc.oneof(
      fc.record({ type: fc.constant('write' as const), path: file, text: fc.string() }),
      fc.record({ type: fc.constant('rules' as const), rules }),
      fc.record({ type: fc.constant('remove' as const), path: fc.oneof(file, fc.constantFrom('sub', 'other')) }),
    );
    const histories = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const host = new Host();
        const root = rootAt('memory:', 'm/');
        await list(host, root);
        for (const steps of history) {
          const before = contents(host);
          const touched = steps.map((it) => {
            if (it.type === 'write') host.write(`memory:/${it.path}`, it.text);
            else if (it.type === 'rules') host.write(`memory:/${it.rules[0]}.gitignore`, it.rules[1]);
            else {
              for (const path of host.files.keys()) {
                if (path === `memory:/${it.path}` || path.startsWith(`memory:/${it.path}/`)) host.files.delete(path);
              }
            }
            return `m/${it.type === 'rules' ? `${it.rules[0]}.gitignore` : it.path}`;
          });
          const changed = new Set(await host.virtual.follow(touched, () => false));
          const fresh = new Host();
          for (const [path, content] of host.files) fresh.files.set(path, content);
          await list(fresh, root);
          const after = contents(host);
          assert.deepEqual(after, contents(fresh));
          for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
            if (before[path] !== after[path]) assert.ok(changed.has(path), `${path} has changed in silence`);
          }
        }
      }),
      { numRuns: scaled(100) },
    );
  });
});
