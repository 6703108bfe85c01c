/** `kindred hook`: notes for agents that write code which exists, in the shapes of three clients. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/project.mjs';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, merging, mergingAgain, parsing, parsingRenamed } from '../passages.ts';
import { recordedCalls, recordingCalls } from '../recordedCalls.ts';
import { kindred } from './kindred.ts';

/** More than a loaded machine needs. */
const slow = ['--timeout', '120000'];

const recorded = path.join(root, 'test/fixtures/hooks');

/** Shape of the answer by client. */
const shapes: Readonly<Record<string, (note: string) => object>> = {
  claude: (note) => ({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: note } }),
  vscode: (note) => ({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: note } }),
  copilot: (note) => ({ additionalContext: note }),
  cursor: (note) => ({ additional_context: note }),
};

function noteIn(answer: unknown): string | undefined {
  return /"(?:additionalContext|additional_context)":"((?:\\.|[^"\\])*)"/.exec(JSON.stringify(answer) ?? '')?.[1];
}

suite('kindred hook', () => {
  let folder = '';
  let cache = '';

  setup(async () => {
    cache = makeFolder({});
    folder = makeFolder({ '.git/HEAD': '', 'src/a.ts': parsing, 'src/b.ts': 'let x = 1;\n' });
    await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
  });

  teardown(() => {
    removeFolder(folder);
    removeFolder(cache);
  });

  async function answer(event: object, env: NodeJS.ProcessEnv = {}): Promise<unknown> {
    const surroundings = { cwd: folder, env: { XDG_CACHE_HOME: cache, ...env }, input: JSON.stringify(event) };
    const { code, stdout, stderr } = await kindred(['hook', ...slow], surroundings);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout === '' ? undefined : JSON.parse(stdout);
  }

  function written(text: string): object {
    appendFileSync(path.join(folder, 'src/b.ts'), text);
    return { file_path: path.join(folder, 'src/b.ts'), content: readFileSync(path.join(folder, 'src/b.ts'), 'utf8') };
  }

  test('names the existing function, in the shape of each client', async () => {
    const tool = written(parsingRenamed);
    const claude = {
      session_id: 's',
      cwd: folder,
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: tool,
    };
    const { hookSpecificOutput } = (await answer(claude)) as {
      hookSpecificOutput: { hookEventName: string; additionalContext: string };
    };
    const note = hookSpecificOutput.additionalContext;
    assert.equal(hookSpecificOutput.hookEventName, 'PostToolUse');
    assert.match(
      note,
      /^Kindred: parseHeader in src\/a\.ts:1-15 is \.98 like readSettings \(src\/b\.ts:2-16\); differs: /,
    );
    assert.match(
      note,
      /differs: .*, `size > 100` → `size > 250`, .*function parseHeader\(input: string, limit: number\)/,
    );
  });

  // The inputs are the examples of the clients' documentation, with the file of this test.
  for (const name of readdirSync(recorded)) {
    test(`answers the recorded input ${name} in the shape of its client`, async () => {
      const old = 'let x = 1;\n';
      written(parsingRenamed);
      const file = path.join(folder, 'src/b.ts');
      const content = readFileSync(file, 'utf8');
      const texts: Readonly<Record<string, string>> = {
        '{root}': folder,
        '{file}': file,
        '{old}': old,
        '{content}': content,
        '{content as JSON}': JSON.stringify(content).slice(1, -1),
      };
      const input = readFileSync(path.join(recorded, name), 'utf8').replaceAll(/\{[a-zA-Z ]+\}/g, (key) =>
        JSON.stringify(texts[key]).slice(1, -1),
      );
      const output = await answer(JSON.parse(input) as object);
      const note = noteIn(output);
      const isSilent = /-(?:pre|bash|stop)\b/.test(name);
      assert.deepEqual(output, isSilent ? undefined : shapes[name.split('-')[0]](note!));
      if (!isSilent) assert.match(note!, /^Kindred: parseHeader in src\/a\.ts:1-15 /);
    });
  }

  test('gives one note for a write if the client calls the hook several times', async () => {
    const { file_path, content } = written(parsingRenamed) as { file_path: string; content: string };
    const vscode = {
      sessionId: 's',
      cwd: folder,
      hookEventName: 'PostToolUse',
      tool_name: 'create_file',
      tool_use_id: 't1',
      tool_input: { filePath: file_path, content },
    };
    // VS Code calls the hook in .github/hooks and the one in .claude/settings.json.
    const answers = await Promise.all([answer(vscode), answer(vscode)]);
    assert.equal(answers.filter((one) => one !== undefined).length, 1);
    const copilot = {
      sessionId: 's',
      cwd: folder,
      toolName: 'create',
      toolResult: { resultType: 'success' },
      toolArgs: { path: file_path, file_text: content },
    };
    assert.equal(await answer(copilot), undefined);
    const sessions = path.join(cache, 'kindred/hook/sessions');
    const past = new Date(Date.now() - 60_000);
    for (const name of readdirSync(sessions)) utimesSync(path.join(sessions, name), past, past);
    assert.match(noteIn(await answer(copilot)) ?? '', /^Kindred: parseHeader /);
    assert.equal(await answer(vscode), undefined);
  });

  test('names a function that was written again with other statements', async () => {
    writeFileSync(path.join(folder, 'src/merge.ts'), merging);
    await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
    const event = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Write' };
    const note = noteIn(await answer({ ...event, tool_input: written(mergingAgain) }));
    assert.match(
      note ?? '',
      /^Kindred: mergeRanges in src\/merge\.ts:1-13 is \.52 like unite \(src\/b\.ts:2-14\); .* both use start, sort/,
    );
  });

  async function noteAfter(text: string): Promise<string | undefined> {
    const event = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Write' };
    return noteIn(await answer({ ...event, tool_input: written(text) }));
  }

  test('reports that code exists only if nothing but local names differs', async () => {
    const renamed = parsing.replaceAll('parseHeader', 'readSettings').replaceAll('fields', 'table');
    // `line` is also in a template string.
    for (const text of [renamed, renamed.replaceAll(/\bline\b/g, 'row')]) {
      assert.match(
        (await noteAfter(text)) ?? '',
        /already does what readSettings .*: only local names differ\. If you are moving it/,
      );
    }
  });

  test('names an equal function in a tree of two short functions', async () => {
    const total = (name: string): string =>
      `export function ${name}(rows: Row[]): number {\n  let sum = 0;\n  for (const row of rows) sum += row.price * row.count;\n  return sum;\n}\n`;
    writeFileSync(path.join(folder, 'src/a.ts'), total('totalOf'));
    writeFileSync(
      path.join(folder, 'src/c.ts'),
      'export function pad(text: string): string {\n  return text.padStart(8);\n}\n',
    );
    await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
    assert.match(
      (await noteAfter(total('sumOfRows'))) ?? '',
      /^Kindred: totalOf in src\/a\.ts:1-5 already does what sumOfRows \(.*\) does: the text is equal\. /,
    );
  });

  test('names the only difference', async () => {
    const stricter = parsing.replace('parseHeader', 'readSettings').replace('fields.size > 100', 'fields.size >= 100');
    assert.match(
      (await noteAfter(stricter)) ?? '',
      /is \.99 like readSettings \(.*\); differs: `size >` → `size >=`\. If it fits, call it instead: /,
    );
  });

  test('names differences in the body before those in the parameters', async () => {
    const search = (name: string, head: string, sign: string): string =>
      `export function ${name}<${head}>(items: readonly ${head}[], compare: (item: ${head}) => number): number {\n  let low = 0;\n  let high = items.length;\n` +
      `  while (low < high) {\n    const middle = (low + high) >> 1;\n    if (compare(items[middle]) ${sign} 0) low = middle + 1;\n    else high = middle;\n  }\n  return high;\n}\n`;
    writeFileSync(path.join(folder, 'src/search.ts'), search('lowerBound', 'Item', '>'));
    await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
    assert.match(
      (await noteAfter(search('firstBelow', 'T, U', '<'))) ?? '',
      /^Kindred: lowerBound .*; differs in \d places, such as `> 0` → `< 0`, `/,
    );
  });

  test('answers for the repository of the file if the agent works around it, and not for files outside', async () => {
    const event = { session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Write' };
    const outside = makeFolder({ 'b.ts': parsingRenamed });
    try {
      const around = path.dirname(folder);
      assert.match(
        noteIn(await answer({ ...event, cwd: around, tool_input: written(parsingRenamed) })) ?? '',
        /^Kindred/,
      );
      const tool_input = { file_path: path.join(outside, 'b.ts'), content: parsingRenamed };
      assert.equal(await answer({ ...event, cwd: folder, tool_input }), undefined);
    } finally {
      removeFolder(outside);
    }
  });

  test('ignores a function that is renamed or moved in its file', async () => {
    const file_path = path.join(folder, 'src/a.ts');
    const event = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse' };
    // A copy of the function stays in another file.
    writeFileSync(path.join(folder, 'src/c.ts'), parsing.replace('parseHeader', 'parseFields'));
    await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
    const renamed = parsing.replaceAll('parseHeader', 'readHeader').replaceAll('line', 'row');
    for (const content of [renamed, `${drawing}${renamed}`]) {
      writeFileSync(file_path, content);
      assert.equal(await answer({ ...event, tool_name: 'Write', tool_input: { file_path, content } }), undefined);
    }
    // The index does not contain a function that is renamed directly after it was written.
    const before = parsing.replace('parseHeader', 'firstName');
    const after = parsing.replace('parseHeader', 'secondName');
    writeFileSync(path.join(folder, 'src/d.ts'), after);
    const tool_input = { file_path: path.join(folder, 'src/d.ts'), old_string: before, new_string: after };
    assert.equal(await answer({ ...event, tool_name: 'Edit', tool_input }), undefined);
  });

  test('ignores overload signatures', async () => {
    const overload = (name: string, type: string): string =>
      `export function ${name}(\n  values: readonly ${type}[],\n  wanted: ${type},\n  compare: (a: ${type}, b: ${type}) => number,\n): number;\n`;
    const content = (name: string): string => `${overload(name, 'string')}${overload(name, 'Date')}${parsing}`;
    const file_path = path.join(folder, 'src/a.ts');
    writeFileSync(file_path, content('lowerBound'));
    await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
    writeFileSync(file_path, content('firstNotLess'));
    const tool_input = {
      file_path,
      old_string: overload('lowerBound', 'string'),
      new_string: overload('firstNotLess', 'string'),
    };
    const event = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Edit' };
    assert.equal(await answer({ ...event, tool_input }), undefined);
  });

  test('ignores accessors and methods that an interface prescribes', async () => {
    const list = (name: string, what: string): string =>
      `export class ${name} extends View {\n  #${what}: string[] = [];\n  get items(): string[] {\n    return this.#${what}.filter((item) => item.startsWith(prefixOf${name}(this)));\n  }\n` +
      `  override wasShown(): void {\n    super.wasShown();\n    this.requestUpdate({ full: true });\n    registry.announce(this.#${what}.length, registry.now());\n  }\n}\n`;
    writeFileSync(path.join(folder, 'src/list.ts'), list('Folders', 'folders'));
    await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
    assert.equal(await noteAfter(list('Labels', 'labels')), undefined);
  });

  test('names a copy that other files can call, if another one matches as well', async () => {
    // The copy that is not exported comes first.
    writeFileSync(path.join(folder, 'src/a.ts'), `export const one = 1;\n${parsing.replace('export ', '')}`);
    writeFileSync(path.join(folder, 'src/c.ts'), `export const two = 2;\n${parsing}`);
    await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
    const event = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Write' };
    const note = noteIn(
      await answer({ ...event, tool_input: written(parsing.replace('parseHeader', 'readSettings')) }),
    );
    assert.match(note ?? '', /^Kindred: parseHeader in src\/c\.ts:2-16 .* function parseHeader\(/);
  });

  test('names the function of source code, even if an example has a copy of it', async () => {
    mkdirSync(path.join(folder, 'examples'));
    writeFileSync(path.join(folder, 'examples/head.ts'), parsing);
    await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
    assert.match((await noteAfter(parsingRenamed)) ?? '', /^Kindred: parseHeader in src\/a\.ts:1-15 /);
  });

  test('names the committed function, even if a new copy of it is more similar', async () => {
    const copy = parsing.replace('parseHeader', 'readHead').replaceAll('fields', 'entries');
    const git = (...words: string[]): void => {
      const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.org'];
      execFileSync('git', [...who, ...words], { cwd: folder, stdio: 'ignore' });
    };
    removeFolder(path.join(folder, '.git'));
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    const noteAfter = async (session: string): Promise<string | undefined> => {
      await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
      const tool = written(copy.replace('readHead', session));
      const event = { session_id: session, cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Write' };
      const note = noteIn(await answer({ ...event, tool_input: tool }));
      git('checkout', '-q', 'src/b.ts');
      return note;
    };
    mkdirSync(path.join(folder, 'app'));
    writeFileSync(path.join(folder, 'app/head.ts'), copy);
    assert.match((await noteAfter('readAll')) ?? '', /^Kindred: parseHeader in src\/a\.ts:1-15 /);
    git('add', '.');
    git('commit', '-qm', 'two');
    assert.match((await noteAfter('readMore')) ?? '', /^Kindred: readHead in app\/head\.ts:1-15 /);
  });

  test('ignores a function that the file had before, a removed one, and tests', async () => {
    const event = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Write' };
    const original = path.join(folder, 'src/a.ts');
    assert.equal(await answer({ ...event, tool_input: { file_path: original, content: parsing } }), undefined);
    const file_path = path.join(folder, 'src/b.test.ts');
    writeFileSync(file_path, parsingRenamed);
    assert.equal(await answer({ ...event, tool_input: { file_path, content: parsingRenamed } }), undefined);
    writeFileSync(original, '');
    assert.equal(await answer({ ...event, tool_input: written(parsingRenamed) }), undefined);
  });

  test('answers clients that pass no options, and ignores invalid input', () => {
    const tool_input = written(parsingRenamed) as { file_path: string; content: string };
    // The second call for a write gets no note, so each event has other text.
    const eventOf = (start: number): object => ({
      session_id: 's',
      cwd: folder,
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: { ...tool_input, content: tool_input.content.slice(start) },
    });
    const answerTo = (input: string): string => {
      const program = [path.join(root, 'dist/kindred.cjs'), 'hook'];
      const env = { ...process.env, XDG_CACHE_HOME: cache };
      const { status, stdout, stderr } = spawnSync(process.execPath, program, {
        cwd: folder,
        env,
        input,
        encoding: 'utf8',
      });
      assert.deepEqual([status, stderr], [0, '']);
      return stdout;
    };
    // A loaded machine may take longer than the default timeout, and then there is no answer.
    let answer = '';
    for (let start = 0; answer === ''; start = (start + 1) % 5) answer = answerTo(JSON.stringify(eventOf(start)));
    assert.match(answer, /Kindred: parseHeader in src\/a\.ts:1-15/);
    assert.equal(answerTo('no JSON'), '');
    assert.equal(answerTo(''), '');
  });

  test('indexes repositories in the background, and other folders only if the user has indexed them', async () => {
    const indexes = (): number =>
      readdirSync(path.join(cache, 'kindred/hook')).filter((name) => name.endsWith('.units')).length;
    const [home, repository] = [makeFolder({ 'a.ts': parsing }), makeFolder({ '.git/HEAD': '', 'a.ts': parsing })];
    const calls = path.join(cache, 'spawn');
    const env = recordingCalls('node:child_process', 'spawn', calls);
    try {
      assert.equal(indexes(), 1);
      for (const cwd of [home, repository]) {
        const tool_input = { file_path: path.join(cwd, 'a.ts'), content: parsing };
        const event = { session_id: 's', cwd, hook_event_name: 'PostToolUse', tool_name: 'Write', tool_input };
        assert.equal(await answer(event, env), undefined);
      }
      // The process in the background inherits the recording, and calls Git.
      const starts = recordedCalls(calls).filter(([program]) => program === process.execPath);
      const folders = starts.map(([, , options]) => (options as { readonly cwd: string }).cwd);
      assert.deepEqual(folders, [repository]);
      while (indexes() < 2) await setTimeout(50);
      await kindred(['hook', '--index'], { cwd: home, env: { XDG_CACHE_HOME: cache } });
      assert.equal(indexes(), 3);
    } finally {
      removeFolder(home);
      removeFolder(repository);
    }
  });

  test('removes the marks of old sessions and the indexes of old trees', async () => {
    const sessions = path.join(cache, 'kindred/hook/sessions');
    mkdirSync(sessions, { recursive: true });
    const files = ['sessions/old', 'sessions/new', 'old.units'].map((name) => path.join(cache, 'kindred/hook', name));
    for (const file of files) writeFileSync(file, 'noted');
    const past = new Date(Date.now() - 31 * 86_400_000);
    for (const file of files.filter((name) => name.includes('old'))) utimesSync(file, past, past);
    await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
    assert.deepEqual(
      files.map((file) => existsSync(file)),
      [false, true, false],
    );
  });

  test('ignores new code, edits of a copy, and unknown input', async () => {
    const event = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Edit' };
    assert.equal(await answer({ ...event, tool_input: written(drawing) }), undefined);
    written(parsing);
    const file_path = path.join(folder, 'src/b.ts');
    const edit = {
      file_path,
      old_string: 'const fields = new Map();',
      new_string: 'const fields = new Map<string, string[]>();',
    };
    assert.equal(await answer({ ...event, tool_input: edit }), undefined);
    assert.equal(await answer({ hook_event_name: 'PreToolUse' }), undefined);
    assert.equal(await answer({ ...event, tool_input: { file_path: 'gone.ts', content: parsing } }), undefined);
  });

  test('reminds once a session, and never if the agent was kept from stopping', async () => {
    const stop = { session_id: 's', cwd: folder, hook_event_name: 'Stop', stop_hook_active: false };
    const indexes = path.join(cache, 'kindred/hook');
    const [units] = readdirSync(indexes).filter((name) => name.endsWith('.units'));
    const indexedAt = (): number => statSync(path.join(indexes, units)).mtimeMs;
    const before = indexedAt();
    assert.equal(await answer(stop), undefined);
    // The index is made again, and must not contain what is written next.
    while (indexedAt() === before) await setTimeout(50);
    const write = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Write' };
    assert.notEqual(await answer({ ...write, tool_input: written(parsingRenamed) }), undefined);
    assert.equal(await answer({ ...stop, stop_hook_active: true }), undefined);
    assert.match(JSON.stringify(await answer(stop)), /^\{"systemMessage":"Kindred: a function /);
    assert.equal(await answer(stop), undefined);
  });

  test('lists the functions that are left at the stop, with commands that work', async () => {
    writeFileSync(path.join(folder, 'src/merge.ts'), merging);
    await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
    for (const text of [parsingRenamed, mergingAgain]) {
      assert.match((await noteAfter(text)) ?? '', /^Kindred: /);
      // The next note is not about this function again.
      await kindred(['hook', '--index'], { cwd: folder, env: { XDG_CACHE_HOME: cache } });
    }
    // The functions have moved since the notes.
    const file = path.join(folder, 'src/b.ts');
    writeFileSync(file, `\n\n${readFileSync(file, 'utf8')}`);
    // The commands run in the folder of the agent.
    const cwd = path.join(folder, 'src');
    const reminder = await reminderIn(cwd);
    assert.deepEqual(reminder?.split('\n'), [
      'Kindred: 2 functions that this session wrote are still like existing ones.',
      'readSettings is like parseHeader: kindred explain a.ts:1-15 b.ts:4-18',
      'unite is like mergeRanges: kindred explain merge.ts:1-13 b.ts:19-31',
    ]);
    for (const [, command] of reminder.matchAll(/: kindred (.*)/g)) {
      const { code, stdout, stderr } = await kindred(command.split(' '), { cwd });
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /^same tokens /m);
    }
  });

  test('quotes names of files for a shell in the reminder', async () => {
    const name = "src/it's a copy.ts";
    writeFileSync(path.join(folder, name), parsingRenamed);
    const tool_input = { file_path: path.join(folder, name), content: parsingRenamed };
    const event = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Write' };
    assert.match(noteIn(await answer({ ...event, tool_input })) ?? '', /^Kindred: /);
    const command = /kindred explain .*/.exec((await reminderIn(folder)) ?? '')?.[0] ?? '';
    const printed = execFileSync('sh', ['-c', command.replace('kindred explain', 'printf "%s\\n"')], {
      encoding: 'utf8',
    });
    assert.equal(printed, `src/a.ts:1-15\n${name}:1-15\n`);
  });

  async function reminderIn(cwd: string): Promise<string | undefined> {
    const reminder = await answer({ session_id: 's', cwd, hook_event_name: 'Stop', stop_hook_active: false });
    return (reminder as { systemMessage: string } | undefined)?.systemMessage;
  }

  const mended: Readonly<Record<string, (name: string) => void>> = {
    'the copy was removed': (name) => writeFileSync(name, 'let x = 1;\n'),
    'the copy calls the existing function': (name) =>
      writeFileSync(name, 'export function readSettings(source: string) {\n  return parseHeader(source, 10);\n}\n'),
    'the existing function was removed': () => writeFileSync(path.join(folder, 'src/a.ts'), ''),
  };
  for (const [title, mend] of Object.entries(mended)) {
    test(`does not remind if ${title}, but reminds of what comes later`, async () => {
      const text = readFileSync(path.join(folder, 'src/a.ts'), 'utf8');
      assert.match((await noteAfter(parsingRenamed)) ?? '', /^Kindred: /);
      mend(path.join(folder, 'src/b.ts'));
      assert.equal(await reminderIn(folder), undefined);
      writeFileSync(path.join(folder, 'src/a.ts'), text);
      writeFileSync(path.join(folder, 'src/b.ts'), parsingRenamed);
      assert.match((await reminderIn(folder)) ?? '', /^Kindred: a function that this session wrote is still like /);
    });
  }

  test('reports that the old function can be deleted if an agent moves it in two writes', async () => {
    const event = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse' };
    const write = async (name: string, content: string): Promise<string | undefined> => {
      const file_path = path.join(folder, name);
      writeFileSync(file_path, content);
      return noteIn(await answer({ ...event, tool_name: 'Write', tool_input: { file_path, content } }));
    };
    assert.match(
      (await write('src/header.ts', `const one = 1;\n${parsing}`)) ?? '',
      /: the text is equal\. If you are moving it, delete the old one; otherwise call it instead: function parseHeader/,
    );
    assert.equal(await write('src/a.ts', "export { parseHeader } from './header.ts';\n"), undefined);
    assert.equal(await reminderIn(folder), undefined);
  });

  test('ends without output at the time limit, even in the middle of a search', async () => {
    const preload = path.join(cache, 'endless.mjs');
    // Searching never ends after the index was opened.
    writeFileSync(
      preload,
      `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { openSync } = fs;
      fs.openSync = (file, ...others) => {
        if (String(file).endsWith('.units')) { fs.writeFileSync(${JSON.stringify(preload)} + '.opened', ''); for (;;); }
        return openSync(file, ...others);
      };
      syncBuiltinESMExports();`,
    );
    const tool_input = written(parsingRenamed);
    const event = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Write' };
    const input = JSON.stringify({ ...event, tool_input });
    const env = { XDG_CACHE_HOME: cache, NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` };
    const opened = `${preload}.opened`;
    // On a loaded machine, a short limit passes before the search begins.
    for (let limitMs = 1; !existsSync(opened); limitMs *= 4) {
      const { code, stdout, stderr } = await kindred(['hook', '--timeout', `${limitMs}`], { cwd: folder, env, input });
      assert.deepEqual([code, stdout, stderr], [0, '', '']);
    }
    // The search itself would have found something, and no note was recorded as given.
    assert.match(noteIn(await answer(JSON.parse(input) as object)) ?? '', /^Kindred: parseHeader /);
  });
});
