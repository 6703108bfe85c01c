/** The built worker on a thread, used like the host does: each request has one answer, the correct one. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import type { Group } from '../../src/core/engine/report/report.ts';
import type { ExplainParams, PolledChanges } from '../../src/session/protocol/calls.ts';
import type { CategoryGlobs } from '../../src/scan/io/chosenCategories.ts';
import { stampOf } from '../../src/scan/io/readSource.ts';
import { defaultSourceOptions, settled, type SourceOptions } from '../../src/scan/io/sources.ts';
import type {
  Overlay,
  ReportResponse,
  Request,
  Root,
  ScanRequest,
  UpdateRequest,
} from '../../src/session/protocol/messages.ts';
import { unpackGroups } from '../../src/scan/io/packedGroups.ts';
import { type PackedFindings } from '../../src/session/protocol/packedFindings.ts';
import { passageGroups, pathsOf, reportIn, type Response, untilStored, WorkerThread } from './conversation.ts';
import { MemoryFiles } from './memoryFiles.ts';

suite('the worker', () => {
  let folder: string;
  let worker: WorkerThread;
  let wantedGeneration: Int32Array;
  let generation: number;
  /** Time of the last request. */
  let askedAt: number;

  setup(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kindred-worker-'));
    generation = 0;
    wantedGeneration = new Int32Array(new SharedArrayBuffer(4));
    worker = new WorkerThread(wantedGeneration);
  });

  teardown(async () => {
    await worker.terminate();
    await rm(folder, { recursive: true });
    await rm(`${folder}-storage`, { recursive: true, force: true });
  });

  test('reports the findings of the folder', async () => {
    await write('a.ts', copied);
    await write('sub/b.ts', `const other = 1;\n${copied}`);
    const { findings } = await report(scanOf());
    assert.deepEqual(pathsOf(findings), [['a.ts', 'sub/b.ts']]);
    assert.equal(findings.complete, true);
    assert.equal(findings.totals.files, 2);
  });

  test('names files of several folders by the prefix of their folder', async () => {
    await write('one/a.ts', copied);
    await write('two/a.ts', copied);
    const roots = [rootOf('two', 'second/'), rootOf('one', 'first/')];
    const { findings } = await report({ ...scanOf(), roots });
    assert.deepEqual(pathsOf(findings), [['first/a.ts', 'second/a.ts']]);
  });

  test('counts a file once if one folder contains the other', async () => {
    await write('a.ts', copied);
    await write('inner/b.ts', copied);
    const roots = [rootOf('', 'outer/'), rootOf('inner', 'inner/')];
    const { findings } = await report({ ...scanOf(), roots });
    assert.deepEqual(pathsOf(findings), [['inner/b.ts', 'outer/a.ts']]);
  });

  test('applies the settings of each folder', async () => {
    for (const name of ['one/a.ts', 'one/b.ts', 'two/a.ts', 'two/b.ts']) await write(name, copied);
    const roots = [rootOf('one', 'one/', { exclude: ['b.ts'] }), rootOf('two', 'two/', { exclude: ['a.ts'] })];
    const { findings } = await report({ ...scanOf(), roots });
    assert.deepEqual(pathsOf(findings), [['one/a.ts', 'two/b.ts']]);
  });

  test('applies to each file the limits of its innermost folder', async () => {
    for (const name of ['one/a.ts', 'one/in/b.ts', 'two/a.ts']) await write(name, `// @generated\n${copied}`);
    const made = { generated: true };
    const rootsOf = (own: Partial<SourceOptions>): Root[] => [
      rootOf('one', 'one/'),
      rootOf('one/in', 'one/in/', made),
      rootOf('two', 'two/', own),
    ];
    const found = async (own: Partial<SourceOptions>): Promise<string[][]> =>
      pathsOf((await report({ ...scanOf(), roots: rootsOf(own) })).findings);
    assert.deepEqual(await found({}), []);
    // Both from scratch and after an update of the same worker.
    assert.deepEqual(await found(made), [['one/in/b.ts', 'two/a.ts']]);
    assert.deepEqual(await found({ ...made, maxFileSizeBytes: 10 }), []);
    const text = { path: 'two/a.ts', text: `// @generated\n\n${copied}`, overFile: true };
    const edited = await report({ ...scanOf(), roots: rootsOf(made), overlays: [text] });
    assert.deepEqual(pathsOf(edited.findings), [['one/in/b.ts', 'two/a.ts']]);
  });

  test('scans languages that only VS Code knows according to their configuration', async () => {
    await write('configuration.json', '{ "comments": { "lineComment": "%%" }, /* no more */ }');
    const noted = (note: string): string => copied.replaceAll('\n', ` %% ${note} ${note.length}\n`);
    await write('a.zeta', noted('first'));
    await write('sub/b.zeta', noted('something else'));
    const typesOf = (findings: PackedFindings): string[] => passageGroups(findings).map(({ type }) => type);
    const language = { id: 'zeta', files: ['.zeta'], configuration: path.join(folder, 'configuration.json') };
    const withLanguage = await report({ ...scanOf(), languages: [language] });
    assert.deepEqual(typesOf(withLanguage.findings), ['exact']);
    assert.notDeepEqual(typesOf((await report(scanOf())).findings), ['exact']);
    // The command line does not know them, and its user is told that its result may differ.
    const told = (await ask({ ...scanOf(), languages: [language] })).flatMap((it) =>
      it.type === 'note' ? [it.message] : [],
    );
    assert.deepEqual(
      told.map((message) => /^2 files use languages known only to VS Code \(2 zeta\)\./.test(message)),
      [true],
    );
    // An invalid configuration, and a language without files, are harmless.
    await write('configuration.json', '[');
    const odd = [language, { ...language, id: 'eta', files: ['', 'a b'], configuration: path.join(folder, 'missing') }];
    assert.equal((await report({ ...scanOf(), languages: odd })).findings.complete, true);
  });

  test('scans files that are assigned to a built-in language with its table', async () => {
    await write('a.zeta', `-- one\n${copied}`);
    const languages = [{ id: 'markdown', files: ['.zeta'], configuration: undefined }];
    const options: Options = { ...defaultOptions, prose: { ...defaultOptions.prose, enabled: false } };
    const { findings } = await report({ ...scanOf(), languages, options });
    assert.equal(findings.totals.files, 0);
  });

  test('explains a match in a language that only VS Code knows according to its configuration', async () => {
    await write('configuration.json', '{ "comments": { "lineComment": "%%" } }');
    const configuration = path.join(folder, 'configuration.json');
    const noted = (note: string): string => copied.replaceAll('\n', ` %% ${note} ${note.length}\n`);
    const passage = (note: string) => ({
      path: 'a.zeta',
      text: noted(note),
      languageId: 'zeta',
      startLine: 1,
      startColumn: 1,
      endLine: 99,
      endColumn: 1,
    });
    const explanation = await worker.call('explain', {
      options: defaultOptions,
      languages: [{ id: 'zeta', files: ['.zeta'], configuration }],
      a: passage('first'),
      b: passage('something else'),
    });
    assert.equal(explanation.sameTokens, 1);
  });

  test('explains a match before and after a scan', async () => {
    const passage = (path: string, before: string) => ({
      path,
      text: before + copied,
      languageId: 'typescript',
      startLine: 1,
      startColumn: 1,
      endLine: 99,
      endColumn: 1,
    });
    const explanation = await worker.call('explain', {
      options: defaultOptions,
      languages: [],
      a: passage('a.ts', ''),
      b: passage('b.unknown', 'let one = 1;\n'),
    });
    assert.equal(explanation.containmentOfA, 1);
    assert.ok(explanation.containmentOfB < 1);
    assert.ok(explanation.b.tokens === explanation.a.tokens + 5, `${explanation.a.tokens}, ${explanation.b.tokens}`);
  });

  test('rejects a call that throws, and continues', async () => {
    const nothing = undefined as unknown as ExplainParams;
    await assert.rejects(worker.call('explain', nothing), /Cannot destructure/);
    assert.equal(await worker.call('listFiles'), '');
  });

  test('compares folders that only the host can read with those on disk, and follows both', async () => {
    await write('a.ts', copied);
    const memory = new MemoryFiles();
    memory.write('b.ts', `const other = 1;\n${copied}`);
    memory.write('c.ts', 'const alone = 1;\n');
    worker.files = memory;
    const virtual = { uri: 'memory:/', prefix: 'memory/', inner: [], sources: defaultSourceOptions };
    const { findings } = await report({ ...scanOf(), roots: [rootOf('', 'disk/'), virtual] });
    assert.deepEqual(pathsOf(findings), [['disk/a.ts', 'memory/b.ts']]);
    assert.equal(findings.totals.files, 3);

    memory.write('c.ts', copied);
    const more = await report(update('memory/c.ts'));
    assert.deepEqual(pathsOf(more.findings), [['disk/a.ts', 'memory/b.ts', 'memory/c.ts']]);
    assert.deepEqual(memory.read, ['b.ts', 'c.ts', 'c.ts']);

    // Created, deleted, and deleted on disk.
    memory.write('d.ts', copied);
    memory.delete('b.ts');
    const moved = await report(update('memory/b.ts', 'memory/d.ts'));
    assert.deepEqual(pathsOf(moved.findings), [['disk/a.ts', 'memory/c.ts', 'memory/d.ts']]);
    await unlink(path.join(folder, 'a.ts'));
    const less = await report(update('disk/a.ts'));
    assert.deepEqual(pathsOf(less.findings), [['memory/c.ts', 'memory/d.ts']]);

    // Exclusions also apply to editors.
    const overlay = (name: string): Overlay => ({ path: `memory/${name}`, text: copied, overFile: true });
    memory.write('.kindredrc.jsonc', '{ "exclude": ["d.ts"] }');
    const changes = { overlays: [overlay('d.ts'), overlay('c.ts')], dropped: [] };
    const configured = await report({ ...update('memory/.kindredrc.jsonc'), ...changes });
    assert.deepEqual(pathsOf(configured.findings), []);
    assert.equal(configured.findings.totals.files, 2);
  });

  test('changed globs and folders add and remove files without other effects', async () => {
    for (const name of ['one/a.ts', 'one/b.ts', 'two/a.ts', 'two/b.ts']) await write(name, copied);
    const all = { ...scanOf(), roots: [rootOf('one', 'one/'), rootOf('two', 'two/')] };
    await report(all);
    const check = async (roots: readonly Root[], paths: readonly string[]): Promise<void> => {
      const responses = await ask({ ...scanOf(), roots });
      const answer = responses.at(-1)!;
      assert.ok(answer.type === 'report', JSON.stringify(answer));
      assert.deepEqual(pathsOf(answer.findings), [paths]);
      const read = responses.filter((it) => it.type === 'progress' && it.progress.phase === 'reading');
      assert.deepEqual(read, []);
    };
    await check(
      [rootOf('one', 'one/', { exclude: ['b.ts'] }), rootOf('two', 'two/')],
      ['one/a.ts', 'two/a.ts', 'two/b.ts'],
    );
    await check([rootOf('two', 'two/')], ['two/a.ts', 'two/b.ts']);
    // Missed changes are included.
    await write('two/b.ts', 'const other = 1;\n');
    await check(all.roots, ['one/a.ts', 'one/b.ts', 'two/a.ts']);
    // Files that are read differently are read again.
    const large = rootOf('one', 'one/', { maxFileSizeBytes: 10 });
    assert.equal((await report({ ...scanOf(), roots: [large] })).findings.totals.files, 0);
  });

  test('reports its progress', async () => {
    for (let file = 0; file < 50; file++) await write(`${file}.ts`, `const a${file} = ${file};\n`);
    const responses = await ask(scanOf());
    const progress = responses.flatMap((response) => (response.type === 'progress' ? [response.progress] : []));
    assert.deepEqual([...new Set(progress.map(({ phase }) => phase))], ['reading', 'matching']);
    assert.equal(progress[0].total, 50);
  });

  test('rejects invalid options with a message', async () => {
    const options: Options = { ...defaultOptions, minTokens: 3, maxDistance: 99 };
    const [answer] = await ask({ ...scanOf(), options });
    assert.equal(answer.type, 'rejected');
    assert.deepEqual(
      answer.problems.map((problem) => problem.split(' ')[0]),
      ['maxDistance', 'minTokens'],
    );
  });

  test('changed options cost no more than necessary, with the findings of a new scan', async () => {
    const page =
      'Whoever reads this page has read the other one as well, word for word, and knows how it ends.\n'.repeat(3);
    const files = { 'a.ts': copied, 'b.ts': copied.replaceAll('options', 'table'), 'c.md': page, 'sub/d.md': page };
    for (const [name, text] of Object.entries(files)) await write(name, text);
    await report(scanOf());
    let options: Options = defaultOptions;
    const steps: [Partial<Options>, string | undefined, readonly string[]][] = [
      [{ maxDistance: 5 }, 'matches', ['maxDistance']],
      [{ method: 'simhash' }, 'files', ['method']],
      [{ minSimilarity: 0.95, method: 'minhash' }, 'matches', ['method', 'minSimilarity']],
      [{ shingleSize: 3, minSimilarity: 0.5 }, 'fingerprints', ['minSimilarity', 'shingleSize']],
      [{ renamed: false }, 'fingerprints', ['renamed']],
      [{ readComments: 'asText' }, undefined, []],
      [{ renamed: true }, 'fingerprints', ['renamed']],
    ];
    for (const [changes, work, names] of steps) {
      options = { ...options, ...changes };
      // Concurrent changes are detected without being named.
      await write('e.ts', `${copied}// ${names.join()}${work ?? ''}\n`);
      const responses = await ask({ ...scanOf(), options });
      const answer = responses.at(-1)!;
      assert.ok(answer.type === 'report' && answer.findings.complete, JSON.stringify(answer));
      assert.deepEqual(answer.turned, work && { names, work });
      const read = responses.filter((it) => it.type === 'progress' && it.progress.phase === 'reading');
      assert.equal(read.length > 0, work === undefined);
      const other = worker;
      worker = new WorkerThread(wantedGeneration);
      const { findings } = await report({ ...scanOf(), options });
      await worker.terminate();
      worker = other;
      assert.deepEqual([...unpackGroups(answer.findings)], [...unpackGroups(findings)]);
      assert.ok(findings.totals.groups > 0);
    }
  });

  test('changed categories of files only repeat the grouping, with the findings of a new scan', async () => {
    for (const name of ['one/a.ts', 'one/b.ts', 'two/c.ts']) await write(name, copied);
    const rootsWith = (one: CategoryGlobs, two: CategoryGlobs = {}): Root[] => [
      rootOf('one', 'one/', { categories: one }),
      rootOf('two', 'two/', { categories: two }),
    ];
    const categoriesOf = ({ findings }: ReportResponse): string[] =>
      [...unpackGroups(findings)].flatMap(({ kind, category }) => (kind === 'file' ? [] : [category]));
    assert.deepEqual(categoriesOf(await report({ ...scanOf(), roots: rootsWith({}) })), ['source']);
    const steps: [Root[], string][] = [
      [rootsWith({ data: ['*.ts'] }), 'source'],
      [rootsWith({ data: ['*.ts'] }, { tests: ['c.ts'] }), 'tests'],
      [rootsWith({ data: ['*.ts'] }, { data: ['c.ts'] }), 'data'],
      [rootsWith({}), 'source'],
    ];
    for (const [roots, category] of steps) {
      const responses = await ask({ ...scanOf(), roots });
      const answer = reportIn(responses);
      assert.deepEqual(categoriesOf(answer), [category]);
      assert.deepEqual(answer.turned, { names: ['categories'], work: 'groups' });
      assert.ok(responses.every((it) => it.type !== 'progress' || it.progress.phase !== 'reading'));
      const other = worker;
      worker = new WorkerThread(wantedGeneration);
      const { findings } = await report({ ...scanOf(), roots });
      await worker.terminate();
      worker = other;
      assert.deepEqual([...unpackGroups(answer.findings)], [...unpackGroups(findings)]);
      // Later changes use them as well.
      await write('one/d.ts', copied);
      assert.deepEqual(categoriesOf(await report(update('one/d.ts'))), [category]);
      await unlink(path.join(folder, 'one/d.ts'));
      assert.deepEqual(categoriesOf(await report(update('one/d.ts'))), [category]);
    }
    // With other options, both are applied at once.
    const both = await report({
      ...scanOf(),
      roots: rootsWith({ data: ['*'] }, { data: ['*'] }),
      options: { ...defaultOptions, maxDistance: 5 },
    });
    assert.deepEqual(categoriesOf(both), ['data']);
    assert.deepEqual(both.turned, { names: ['maxDistance', 'categories'], work: 'matches' });
    await write('one/.kindredrc.jsonc', '{ "categories": { "tests": ["*.ts"] } }');
    assert.deepEqual(categoriesOf(await report(update('one/.kindredrc.jsonc'))), ['tests']);
  });

  test('rejects invalid globs once for all folders', async () => {
    const roots = [rootOf('one', 'one/', { exclude: ['!a'] }), rootOf('two', 'two/', { exclude: ['!a'] })];
    const [answer] = await ask({ ...scanOf(), roots });
    assert.equal(answer.type === 'rejected' && answer.problems.length, 1);
  });

  test('the configuration file of a folder overrides the settings as soon as it is written', async () => {
    await write('a.ts', copied);
    await write('b.ts', copied);
    await report(scanOf());
    await write('.kindredrc.jsonc', '{ "minTokens": 500 /* long ones only */ }');
    assert.deepEqual(pathsOf((await report(update('.kindredrc.jsonc'))).findings), []);
    await write('.kindredrc.jsonc', '{ "exclude": ["c.ts"] }');
    await write('c.ts', copied);
    assert.deepEqual(pathsOf((await report(update('.kindredrc.jsonc'))).findings), [['a.ts', 'b.ts']]);
    await unlink(path.join(folder, '.kindredrc.jsonc'));
    assert.deepEqual(pathsOf((await report(update('.kindredrc.jsonc'))).findings), [['a.ts', 'b.ts', 'c.ts']]);
  });

  test('a window that starts with a broken configuration uses the last valid one, and reports the error', async () => {
    for (const name of ['a.ts', 'b.ts', 'c.ts']) await write(name, copied);
    const storage = `${folder}-storage`;
    await write('.kindredrc.jsonc', '{ "exclude": ["c.ts"] }');
    const opened = (): ScanRequest => ({ ...scanOf(), storage, recall: true });
    await report(opened());
    await restart();
    await write('.kindredrc.jsonc', '{ "exclude": ["c.ts" }');
    const found = await report(opened());
    assert.deepEqual(pathsOf(found.findings), [['a.ts', 'b.ts']]);
    assert.match(found.refused!.problems.join(), /^\.kindredrc\.jsonc, line 1: /);
    // Edits are followed with it, and the error remains reported.
    await write('d.ts', copied);
    const edited = await report(update('d.ts'));
    assert.deepEqual(pathsOf(edited.findings), [['a.ts', 'b.ts', 'd.ts']]);
    assert.ok(edited.refused);
    await write('.kindredrc.jsonc', '{ "exclude": ["b.ts"] }');
    const mended = await report(update('.kindredrc.jsonc'));
    assert.deepEqual(pathsOf(mended.findings), [['a.ts', 'c.ts', 'd.ts']]);
    assert.equal(mended.refused, undefined);
    // With other settings, their earlier result is unknown.
    await restart();
    await write('.kindredrc.jsonc', '{ broken');
    const [other] = await ask({ ...opened(), options: { ...defaultOptions, minTokens: 60 } });
    assert.equal(other.type, 'rejected');
  });

  test('reports the position of an error in a configuration file', async () => {
    await write('.kindredrc.jsonc', '{\n  "minToken": 50\n}');
    const [unknown] = await ask(scanOf());
    assert.match(unknown.type === 'rejected' ? unknown.problems.join() : '', /^\.kindredrc\.jsonc, line 2: .*minToken/);
    assert.deepEqual(unknown.type === 'rejected' && unknown.place, { path: '.kindredrc.jsonc', line: 2 });
    await write('.kindredrc.jsonc', '{\n  "minLines": 9,\n  "k": 99\n}');
    const [outside] = await ask(update('.kindredrc.jsonc'));
    assert.match(
      outside.type === 'rejected' ? outside.problems.join() : '',
      /^\.kindredrc\.jsonc, line 3: maxDistance must be/,
    );
    assert.deepEqual(outside.type === 'rejected' && outside.place, { path: '.kindredrc.jsonc', line: 3 });
    const [setting] = await ask({ ...scanOf(), options: { ...defaultOptions, minTokens: 3 } });
    assert.equal(setting.type === 'rejected' && setting.place, undefined);
  });

  test('reports the number of skipped files by reason', async () => {
    for (const name of ['a.ts', 'b.ts']) await write(name, '\0');
    await write('c.ts', copied);
    const first = rootOf('', '', { maxFileSizeBytes: 100 });
    const reported = await report({ ...scanOf(), roots: [first] });
    assert.deepEqual(reported.leftOut, [
      ['binary', 2],
      ['too large', 1],
    ]);
    await write('c.ts', '\0');
    assert.deepEqual((await report(update('c.ts'))).leftOut, [['binary', 3]]);
  });

  test('finds nothing in an empty folder', async () => {
    const { findings } = await report(scanOf());
    assert.deepEqual([findings.totals.groups, findings.totals.files, findings.complete], [0, 0, true]);
  });

  test('uses the text of an editor until it is closed', async () => {
    await write('a.ts', copied);
    await write('b.ts', 'const nothing = 1;\n');
    await report(scanOf());
    const typed = { ...update(), overlays: [{ path: 'b.ts', text: copied, overFile: true }] };
    assert.deepEqual(pathsOf((await report(typed)).findings), [['a.ts', 'b.ts']]);
    await write('b.ts', 'const less = 1;\n');
    assert.deepEqual((await ask(update('b.ts'))).at(-1)?.type, 'unchanged');
    assert.deepEqual(pathsOf((await report({ ...update(), dropped: ['b.ts'] })).findings), []);
  });

  test('includes a new file that an editor changes before it was listed', async () => {
    await write('a.ts', copied);
    await report(scanOf());
    await write('b.ts', 'const nothing = 1;\n');
    const typed = { ...update('b.ts'), overlays: [{ path: 'b.ts', text: copied, overFile: true }] };
    assert.deepEqual(pathsOf((await report(typed)).findings), [['a.ts', 'b.ts']]);
    await write('node_modules/c.ts', copied);
    const overlays = [{ path: 'node_modules/c.ts', text: copied, overFile: true }];
    assert.deepEqual(pathsOf((await report({ ...update(), overlays })).findings), [['a.ts', 'b.ts']]);
    assert.equal((await ask({ ...update(), overlays })).at(-1)?.type, 'unchanged');
  });

  test('includes an editor text without a file, but not the text of an excluded file', async () => {
    await write('a.ts', copied);
    const overlays = [
      { path: 'Untitled-1.ts', text: copied, overFile: false },
      { path: 'node_modules/c.ts', text: copied, overFile: true },
    ];
    assert.deepEqual(pathsOf((await report({ ...scanOf(), overlays })).findings), [['Untitled-1.ts', 'a.ts']]);
    assert.deepEqual(pathsOf((await report(scanOf())).findings), []);
  });

  test('updates a report with added, changed, and removed files', async () => {
    await write('a.ts', copied);
    await report(scanOf());
    await write('b.ts', copied);
    assert.deepEqual(pathsOf((await report(update('b.ts'))).findings), [['a.ts', 'b.ts']]);
    await write('b.ts', 'const nothing = 1;\n');
    assert.deepEqual(pathsOf((await report(update('b.ts'))).findings), []);
    await write('b.ts', copied);
    assert.deepEqual(pathsOf((await report(update('b.ts'))).findings), [['a.ts', 'b.ts']]);
    await unlink(path.join(folder, 'a.ts'));
    assert.deepEqual(pathsOf((await report(update('a.ts'))).findings), []);
  });

  test('detects immediately that a change has no effect', async () => {
    await write('.gitignore', 'ignored.ts\n');
    await write('a.ts', copied);
    await report(scanOf());
    await write('ignored.ts', copied);
    assert.deepEqual(await ask(update('ignored.ts')), [{ type: 'unchanged' }]);
  });

  test('keeps the changes of an update that a newer one supersedes', async () => {
    await changeBeforeUpdate();
    // The first request is superseded before it runs. The second one alone would have no effect.
    void worker.run(update('b.ts'));
    assert.deepEqual(pathsOf((await report(update('ignored.ts'))).findings), [['a.ts', 'b.ts']]);
  });

  test('keeps the changes of an update that other, canceled options supersede', async () => {
    await changeBeforeUpdate();
    void worker.run(update('b.ts'));
    const other = { ...scanOf(), options: { ...defaultOptions, minTokens: defaultOptions.minTokens + 1 } };
    Atomics.store(wantedGeneration, 0, other.generation + 1);
    await worker.run(other);
    assert.deepEqual(pathsOf((await report(update('ignored.ts'))).findings), [['a.ts', 'b.ts']]);
  });

  test('stops if its generation is superseded, and an update completes it', async () => {
    await write('a.ts', copied);
    await write('b.ts', copied);
    const request = scanOf();
    askedAt = Date.now();
    Atomics.store(wantedGeneration, 0, request.generation + 1);
    const answer = (await worker.run(request)).at(-1)!;
    assert.equal(answer.type === 'report' && answer.findings.complete, false, JSON.stringify(answer).slice(0, 200));
    assert.deepEqual(pathsOf((await report(update('c.ts'))).findings), [['a.ts', 'b.ts']]);
  });

  test('an update after a stopped request for other folders includes their files', async () => {
    for (const name of ['one/a.ts', 'one/b.ts', 'two/a.ts']) await write(name, copied);
    const scanRequestOf = (...roots: Root[]): ScanRequest => ({ ...scanOf(), roots });
    const one = rootOf('one', 'one/');
    await report(scanRequestOf(one));
    for (const roots of [
      [one, rootOf('two', 'two/')],
      [rootOf('one', 'one/', { exclude: ['b.ts'] }), rootOf('two', 'two/')],
    ]) {
      const request = scanRequestOf(...roots);
      Atomics.store(wantedGeneration, 0, request.generation + 1);
      const stopped = (await worker.run(request)).at(-1)!;
      assert.equal(stopped.type === 'report' && stopped.findings.complete, false);
      const paths = ['one/a.ts', ...(roots[0] === one ? ['one/b.ts'] : []), 'two/a.ts'];
      assert.deepEqual(pathsOf((await report(update())).findings), [paths]);
    }
  });

  test('a canceled request for other options leaves no folder behind', async () => {
    await write('a.ts', copied);
    const memory = new MemoryFiles();
    memory.write('b.ts', copied);
    worker.files = memory;
    const virtual = { uri: 'memory:/', prefix: 'memory/', inner: [], sources: defaultSourceOptions };
    const scanRequestOf = (): ScanRequest => ({ ...scanOf(), roots: [rootOf('', 'disk/'), virtual] });
    await report(scanRequestOf());
    assert.equal(await indexedFiles(), 2);
    for (const options of [
      { ...defaultOptions, method: 'combined' as const },
      { ...defaultOptions, maxDistance: 0 },
    ]) {
      const request = { ...scanRequestOf(), options };
      Atomics.store(wantedGeneration, 0, request.generation + 1);
      const stopped = (await worker.run(request)).at(-1)!;
      assert.ok(stopped.type === 'report' && !stopped.findings.complete);
      const { findings } = await report({ ...update(), has: 0 });
      assert.equal(findings.totals.files, 2, JSON.stringify(options));
    }
  });

  test('answers an invalid request with an error, and continues', async () => {
    const [answer] = await ask(update('a.ts'));
    assert.equal(answer.type, 'failed');
    assert.match(answer.message, /before the first scan/);
    assert.match(answer.stack, /worker\.js/);
    assert.equal((await report(scanOf())).findings.complete, true);
  });

  test('measures the weights of words again in the background if the code has changed', async () => {
    // Every file contains all names and literals of the copy in another order, so they carry no weight.
    const words = [...new Set(copied.match(/[a-z]+\(?|\d+|'.*?'|`.*?`/gi))].map((word) => word.replace(/\($/, '()'));
    const lists = Array.from({ length: 256 }, (_, n) => `${n}.ts`);
    for (const [n, name] of lists.entries()) {
      const order = (word: string): number => ((words.indexOf(word) + 1) ** 2 * (n + 1)) % 257;
      await write(name, [...words].sort((a, b) => order(a) - order(b)).join('\n'));
    }
    assert.deepEqual(pathsOf((await report(scanOf())).findings), []);
    for (const name of lists) await unlink(path.join(folder, name));
    await write('b.ts', copied);
    await write('c.ts', reworked);
    const before = await report(update('b.ts', 'c.ts', ...lists));
    assert.deepEqual(pathsOf(before.findings), []);
    const noted = await new Promise<string[]>((resolve) => {
      const seen: string[] = [];
      worker.onDidSay((notice) => {
        seen.push(notice.type === 'note' ? notice.message : notice.type);
        if (notice.type === 'note') resolve(seen);
      });
    });
    assert.equal(noted.length, 2);
    assert.equal(noted[0], 'renewed');
    assert.match(noted[1], /^Recomputed token weights.* the findings changed/);
    const { findings } = await report(update());
    assert.deepEqual(pathsOf(findings), [['b.ts', 'c.ts']]);
    assert.deepEqual([...unpackGroups(findings)], await groupsAfresh(scanOf()));
  });

  suite('the stored index', () => {
    setup(async () => {
      for (const name of ['a.ts', 'b.ts']) await write(name, copied);
      await write('c.ts', 'const nothing = 1;\n');
      await age('a.ts', 'b.ts', 'c.ts');
    });

    test('a new worker shows the findings of the previous one, and reads nothing', async () => {
      await report(stored());
      await restart();
      const responses = await ask(stored());
      assert.deepEqual(summary(responses), [['recalled', ['a.ts', 'b.ts']], ['unchanged']]);
    });

    test('an empty report differs from that of a canceled listing', async () => {
      const names = ['a.ts', 'b.ts', 'c.ts'];
      for (const name of names) await unlink(path.join(folder, name));
      assert.equal((await report(stored())).findings.totals.files, 0);
      await restart();
      for (const name of names) await write(name, copied);
      const answered = worker.run(stored());
      const newer = report(update());
      const first = (await answered).at(-1)!;
      assert.ok(first.type === 'report' && !first.findings.complete);
      assert.deepEqual(pathsOf((await newer).findings), [names]);
    });

    test('reads only files that were changed meanwhile', async () => {
      await report(stored());
      await restart();
      await write('c.ts', copied);
      const responses = await ask(stored());
      assert.deepEqual(summary(responses), [
        ['recalled', ['a.ts', 'b.ts']],
        ['reading', 1],
        ['report', ['a.ts', 'b.ts', 'c.ts']],
      ]);
      await restart();
      await unlink(path.join(folder, 'a.ts'));
      assert.deepEqual(summary(await ask(stored())).at(-1), ['report', ['b.ts', 'c.ts']]);
    });

    test('includes changes during its preparation in the next report', async () => {
      const names = Array.from({ length: 500 }, (_, i) => `many/${i}.ts`);
      for (const name of names) await write(name, `export const ${path.basename(name, '.ts')}a = 1;\n`);
      await write('z.ts', 'const nothing = 1;\n');
      await age(...names, 'z.ts');
      await report(stored());
      await restart();
      // As soon as the stored report is confirmed. The index is built of the files at that time.
      const answer = (await ask(stored())).at(-1);
      writeFileSync(path.join(folder, 'z.ts'), copied);
      assert.equal(answer?.type, 'unchanged');
      // The index is built of the listed files, so the next check detects this file.
      await write('later.ts', 'const later = 1;\n');
      await indexedFiles();
      assert.ok((await pollDisk()).paths.includes('later.ts'));
      await unlink(path.join(folder, 'later.ts'));
      const { findings } = await report(update('z.ts'));
      assert.deepEqual(pathsOf(findings), [['a.ts', 'b.ts', 'z.ts']]);
    });

    test('a search is answered while the index is being built, as it is afterwards', async () => {
      await report(stored());
      await restart();
      const answered: string[] = [];
      const find = async () => {
        const { similar } = await worker.call('find', {
          text: copied,
          path: 'x.ts',
          languageId: 'typescript',
          limit: 9,
        });
        answered.push('find');
        return similar;
      };
      // Other questions need the complete index, so this one is answered later although it is asked first.
      const opened = ask(stored());
      const counted = worker.call('countFiles').then(() => answered.push('countFiles'));
      const early = await find();
      await Promise.all([counted, opened]);
      assert.deepEqual(answered, ['find', 'countFiles']);
      assert.deepEqual(early?.passages.map(({ passage }) => passage.path).sort(), ['a.ts', 'b.ts']);
      assert.deepEqual(await find(), early);
    });

    test('is kept up to date by updates', async () => {
      await report(stored());
      await write('c.ts', copied);
      await age('c.ts');
      await report(update('c.ts'));
      await restart();
      assert.deepEqual(summary(await ask(stored()))[0], ['recalled', ['a.ts', 'b.ts', 'c.ts']]);
    });

    test('findings with other options are not shown, but no file is read again for another k', async () => {
      await report(stored());
      await restart();
      const responses = await ask({ ...stored(), options: { ...defaultOptions, maxDistance: 5 } });
      assert.deepEqual(summary(responses), [['report', ['a.ts', 'b.ts']]]);
    });

    test('findings with other categories are not shown, but no file is read again for them', async () => {
      await report(stored());
      await restart();
      const roots = [rootOf('', '', { categories: { data: ['*.ts'] } })];
      const responses = await ask({ ...stored(), roots });
      assert.deepEqual(summary(responses), [['report', ['a.ts', 'b.ts']]]);
      const [{ category }] = unpackGroups(reportIn(responses).findings);
      assert.equal(category, 'data');
      await restart();
      assert.deepEqual(summary(await ask({ ...stored(), roots }))[0], ['recalled', ['a.ts', 'b.ts']]);
      assert.deepEqual(summary(await ask(stored())).at(-1), ['report', ['a.ts', 'b.ts']]);
    });

    test('editor texts are used, but not stored as files', async () => {
      const overlays = [{ path: 'c.ts', text: copied, overFile: true }];
      await report({ ...stored(), overlays });
      await restart();
      const withText = await ask({ ...stored(), overlays });
      assert.deepEqual(summary(withText), [['recalled', ['a.ts', 'b.ts', 'c.ts']], ['unchanged']]);
      const without = await ask({ ...stored(), recall: false });
      assert.deepEqual(summary(without).at(-1), ['report', ['a.ts', 'b.ts']]);
    });

    test('damage is reported in one line of the log', async () => {
      await report(stored());
      await restart();
      for (const name of await readdir(storage())) await truncate(path.join(storage(), name), 100);
      const responses = await ask(stored());
      assert.deepEqual(summary(responses), [['warning'], ['reading', 3], ['report', ['a.ts', 'b.ts']]]);
    });

    test('two workers with one folder do not interfere', async () => {
      const first = worker;
      await report(stored());
      worker = new WorkerThread(wantedGeneration);
      await write('c.ts', copied);
      await report(stored());
      await restart();
      await first.terminate();
      const responses = await ask(stored());
      assert.ok(!responses.some(({ type }) => type === 'warning'), JSON.stringify(responses));
      assert.deepEqual(pathsOf((await report({ ...stored(), recall: false })).findings), [['a.ts', 'b.ts', 'c.ts']]);
    });

    function stored(): ScanRequest {
      return { ...scanOf(), storage: storage(), recall: true };
    }

    function storage(): string {
      return `${folder}-storage`;
    }

    /** Returns recalled and reported paths, and the number of files read. */
    function summary(responses: readonly Response[]): unknown[][] {
      const reading = responses.find((it) => it.type === 'progress' && it.progress.phase === 'reading');
      return responses.flatMap((response): unknown[][] => {
        if (response.type === 'progress') return response === reading ? [['reading', response.progress.total]] : [];
        return 'findings' in response ? [[response.type, ...pathsOf(response.findings)]] : [[response.type]];
      });
    }

    /** Ends the worker after it has written the last findings, and starts another one. */
    async function restart(): Promise<void> {
      await untilStored(storage(), askedAt);
      await worker.terminate();
      worker = new WorkerThread(wantedGeneration);
    }
  });

  suite('missed changes', () => {
    setup(async () => {
      await write('a.ts', copied);
      await write('b.ts', 'const b = 1;\n');
      await write('out/c.ts', copied);
      await age('a.ts', 'b.ts', 'out/c.ts');
      await report(scanOf());
    });

    test('are empty if nothing changed', async () => {
      await nothingUnheard();
    });

    test('include a written file, a new file, and a removed file', async () => {
      await write('b.ts', copied);
      await write('new/within/d.ts', copied);
      await unlink(path.join(folder, 'a.ts'));
      assert.deepEqual(await changedUnheard(), ['a.ts', 'b.ts', 'new/within/d.ts']);
      await followed([['b.ts', 'new/within/d.ts', 'out/c.ts']]);
    });

    test('include a file that rules now exclude', async () => {
      await write('.git/info/exclude', 'out\n');
      assert.deepEqual(await changedUnheard(), ['out/c.ts']);
      await followed([]);
    });

    test('include a new configuration, a broken one, and a repaired one', async () => {
      const name = '.kindredrc.jsonc';
      await write(name, '{ "exclude": ["out"] }');
      assert.deepEqual(await changedUnheard(), [name]);
      await followed([]);
      await write(name, '{ "exclude": 1 }');
      assert.deepEqual(await changedUnheard(), [name]);
      assert.equal((await ask(update(name))).at(-1)?.type, 'rejected');
      await nothingUnheard();
      await unlink(path.join(folder, name));
      assert.deepEqual(await changedUnheard(), [name]);
      await followed([['a.ts', 'out/c.ts']]);
    });

    test('exclude a file with another text in an editor', async () => {
      await report({ ...update(), overlays: [{ path: 'b.ts', text: copied, overFile: true }] });
      await write('b.ts', 'const b = 2;\n');
      await nothingUnheard();
    });

    test('are not reported during another request', async () => {
      await write('b.ts', copied);
      const scanned = ask({ ...scanOf(), workers: 1 });
      const looked = pollDisk();
      assert.equal((await scanned).at(-1)?.type, 'report');
      assert.deepEqual((await looked).paths, []);
    });

    /** Returns the changes since the last report. */
    async function changedUnheard(): Promise<string[]> {
      // While the worker builds its index, a poll finds nothing.
      await indexedFiles();
      return [...(await pollDisk()).paths].sort();
    }

    async function nothingUnheard(): Promise<void> {
      assert.deepEqual(await changedUnheard(), []);
    }

    /** Reports changed files to the worker, and checks that it finds copies in them and no other changes. */
    async function followed(paths: readonly (readonly string[])[]): Promise<void> {
      const changed = await changedUnheard();
      const { findings } = await report({ ...update(...changed), has: 0 });
      assert.deepEqual(pathsOf(findings), paths);
      await untilSettled(...changed);
      await ask(update(...changed));
      await nothingUnheard();
    }
  });

  function pollDisk(): Promise<PolledChanges> {
    return worker.call('pollDisk');
  }

  /** Returns the number of files in the index, after the worker has built it for the last report. */
  async function indexedFiles(): Promise<number | undefined> {
    return (await worker.call('countFiles'))?.length;
  }

  /** Waits until the times of files are old enough to be trusted, so that they are not read again. */
  async function untilSettled(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      const stamp = stampOf({ path: name, file: path.join(folder, name) });
      while (stamp && Number.isNaN(settled(stamp).mtimeMs)) await setTimeout(5);
    }
  }

  /** Sets the times of files a minute back, because recent writes are never considered settled. */
  async function age(...names: readonly string[]): Promise<void> {
    const time = Date.now() / 1000 - 60;
    for (const name of names) await utimes(path.join(folder, name), time, time);
  }

  /** Returns the groups that a new worker finds. */
  async function groupsAfresh(request: ScanRequest): Promise<Group[]> {
    await restart();
    return [...unpackGroups((await report(request)).findings)];
  }

  async function restart(): Promise<void> {
    await worker.terminate();
    worker = new WorkerThread(wantedGeneration);
  }

  function scanOf(): ScanRequest {
    generation++;
    return {
      type: 'scan',
      generation,
      roots: [rootOf('', '')],
      options: defaultOptions,
      languages: [],
      workers: 2,
      memoryMB: 0,
      overlays: [],
      storage: undefined,
      recall: false,
      ignored: [],
    };
  }

  function update(...paths: string[]): UpdateRequest {
    generation++;
    return { type: 'update', generation, paths, overlays: [], dropped: [] };
  }

  /** Scans, and then makes b.ts a copy of a.ts. An update of ignored.ts alone has no effect. */
  async function changeBeforeUpdate(): Promise<void> {
    await write('.gitignore', 'ignored.ts\n');
    await write('a.ts', copied);
    await write('b.ts', 'const nothing = 1;\n');
    await report(scanOf());
    await write('b.ts', copied);
    await write('ignored.ts', copied);
  }

  function rootOf(name: string, prefix: string, sources: Partial<SourceOptions> = {}): Root {
    return { folder: path.join(folder, name), prefix, sources: { ...defaultSourceOptions, ...sources } };
  }

  async function write(name: string, text: string): Promise<void> {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Sends a request and returns the responses without progress, the answer last. */
  async function ask(request: Request): Promise<Response[]> {
    askedAt = Date.now();
    Atomics.store(wantedGeneration, 0, request.generation);
    return worker.run(request);
  }

  async function report(request: Request): Promise<ReportResponse> {
    return reportIn(await ask(request));
  }
});

/** Long enough to be found wherever it occurs twice. */
const copied = `
export function parseOptions(text: string, known: ReadonlySet<string>): Map<string, string> {
  const options = new Map<string, string>();
  for (const [place, part] of text.split(',').entries()) {
    const equals = part.indexOf('=');
    if (equals < 0) throw new SyntaxError(\`option \${place + 1} has no value\`);
    const name = part.slice(0, equals).trim().toLowerCase();
    if (!known.has(name)) throw new RangeError(\`there is no option \${name}\`);
    if (options.has(name)) throw new RangeError(\`option \${name} is given twice\`);
    options.set(name, part.slice(equals + 1).trim());
  }
  return options;
}
`;

/** Like `copied`, with four different lines. It is only a copy if its words carry weight. */
const reworked = copied
  .replace(/ {2}for .*/, '    seen.push(part);')
  .replace(/ {4}const equals.*/, '    tally.count(place);')
  .replace(/ {4}const name.*/, '    if (place > 40) break;')
  .replace(/ {4}if \(options.*/, '    tally.count(place);');
