/** `kindred hook`: notes for agents that write code which exists, in the shapes of three clients. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, parsing, parsingRenamed } from '../passages.ts';
import { kindred } from './kindred.ts';

/** More than a loaded machine needs. */
const slow = ['--timeout', '120000'];

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

  async function answer(event: object): Promise<unknown> {
    const surroundings = { cwd: folder, env: { XDG_CACHE_HOME: cache }, input: JSON.stringify(event) };
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
      /^Kindred: parseHeader in src\/a\.ts:1-15 already does what readSettings \(src\/b\.ts:2-16\) does/,
    );
    assert.match(note, /only names or values differ.*function parseHeader\(input: string, limit: number\)/);
    const { content } = tool as { content: string };
    const copilot = {
      ...{ timestamp: 1, cwd: folder, toolName: 'create', toolResult: { resultType: 'success' } },
      toolArgs: JSON.stringify({ path: 'src/b.ts', file_text: content }),
    };
    assert.deepEqual(await answer(copilot), { additionalContext: note });
    const cursor = {
      ...{ conversation_id: 'c', hook_event_name: 'afterFileEdit', workspace_roots: [folder] },
      ...{ file_path: path.join(folder, 'src/b.ts'), edits: [{ old_string: 'let x = 1;\n', new_string: content }] },
    };
    assert.deepEqual(await answer(cursor), { additional_context: note });
  });

  test('says nothing about new code, edits of a copy, and unknown input', async () => {
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
    assert.equal(await answer(stop), undefined);
    const write = { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Write' };
    assert.notEqual(await answer({ ...write, tool_input: written(parsingRenamed) }), undefined);
    assert.equal(await answer({ ...stop, stop_hook_active: true }), undefined);
    assert.match(JSON.stringify(await answer(stop)), /^\{"systemMessage":"Kindred found/);
    assert.equal(await answer(stop), undefined);
  });
});
