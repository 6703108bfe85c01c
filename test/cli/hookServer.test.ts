/** `kindred hook` with a server: what the hook sends and accepts, and the part of `kindred mcp` that answers it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../scripts/project.mjs';
import { addressOf, hookCache } from '../../src/surfaces/hook/hookFiles.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { parsing, parsingRenamed } from '../passages.ts';
import { kindred } from './kindred.ts';

suite('kindred hook with a server', () => {
  let folder = '';
  let cache = '';
  /** Folder of sockets. */
  let runtime = '';
  let servers: ChildProcess[] = [];
  let fake: Server | undefined;

  setup(async () => {
    cache = makeFolder({});
    runtime = makeFolder({});
    folder = makeFolder({ '.git/HEAD': '', 'src/a.ts': parsing, 'src/b.ts': 'let x = 1;\n' });
    await kindred(['hook', '--index'], { cwd: folder, env: environment() });
  });

  teardown(async () => {
    fake?.close();
    await Promise.all(servers.map(stop));
    servers = [];
    for (const one of [folder, cache, runtime]) removeFolder(one);
  });

  function environment(): { XDG_CACHE_HOME: string; XDG_RUNTIME_DIR: string } {
    return { XDG_CACHE_HOME: cache, XDG_RUNTIME_DIR: runtime };
  }

  function place(): string {
    return addressOf(hookCache(environment()), folder);
  }

  function event(): object {
    appendFileSync(path.join(folder, 'src/b.ts'), parsingRenamed);
    const file_path = path.join(folder, 'src/b.ts');
    const tool_input = { file_path, content: readFileSync(file_path, 'utf8') };
    return { session_id: 's', cwd: folder, hook_event_name: 'PostToolUse', tool_name: 'Write', tool_input };
  }

  async function answer(timeoutMs = 120_000): Promise<string> {
    const surroundings = { cwd: folder, env: environment(), input: JSON.stringify(event()) };
    const { code, stdout, stderr } = await kindred(['hook', '--timeout', `${timeoutMs}`], surroundings);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  }

  /** Starts a server, and waits until it answers hooks in place of `before`. */
  async function serve(before?: string): Promise<ChildProcess> {
    const program = [path.join(root, 'dist/cli.js'), 'mcp', folder, '--no-cache'];
    const env = { ...process.env, ...environment() };
    const server = spawn(process.execPath, program, { env, stdio: ['pipe', 'ignore', 'inherit'] });
    servers.push(server);
    if (before === undefined) await addressOtherThan(before);
    return server;
  }

  async function stop(server: ChildProcess): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.stdin?.end();
    await exited;
  }

  async function addressOtherThan(before: string | undefined): Promise<string> {
    for (;;) {
      const address = existsSync(place()) ? readFileSync(place(), 'utf8') : undefined;
      if (address !== undefined && address !== before) return address;
      await setTimeout(20);
    }
  }

  /** Listens at an address of its own, and replies to a message with a text, or never. */
  async function serveFake(reply: string | undefined): Promise<string[]> {
    const received: string[] = [];
    const address = path.join(runtime, 'fake.sock');
    fake = createServer({ allowHalfOpen: true }, (socket) => {
      let message = '';
      socket.on('data', (part) => void (message += String(part)));
      socket.on('end', () => {
        received.push(message);
        if (reply !== undefined) socket.end(reply);
      });
      socket.on('error', () => undefined);
    }).listen(address);
    await once(fake, 'listening');
    mkdirSync(path.dirname(place()), { recursive: true });
    writeFileSync(place(), address);
    return received;
  }

  test('prints the answer of the server, which gets the event and its folder', async () => {
    const received = await serveFake('an answer');
    assert.equal(await answer(), 'an answer');
    const { cwd, event: sent } = JSON.parse(received[0]) as { cwd: string; event: { type: string; client: string } };
    assert.deepEqual([received.length, cwd, sent.type, sent.client], [1, folder, 'written', 'claude']);
  });

  test('is silent, and ends in time, if the server does not answer', async () => {
    await serveFake(undefined);
    const program = [path.join(root, 'dist/kindred.cjs'), 'hook'];
    const hook = spawn(process.execPath, program, { env: { ...process.env, ...environment() } });
    let output = '';
    hook.stdout.on('data', (part) => void (output += String(part)));
    hook.stdin.end(JSON.stringify(event()));
    // The fake server would never end the connection.
    await once(hook, 'close');
    assert.equal(output, '');
  });

  test('answers from the stored index if the server has left its address', async () => {
    writeFileSync(place(), path.join(runtime, 'gone.sock'));
    assert.match(await answer(), /Kindred: parseHeader in src\/a\.ts:1-15/);
  });

  test('gets the note from the socket of kindred mcp, which only the user can access', async () => {
    await serve();
    const address = readFileSync(place(), 'utf8');
    assert.equal(statSync(address).mode & 0o777, 0o600);
    const socket = connect(address).setEncoding('utf8');
    const { tool_input } = event() as { tool_input: { file_path: string; content: string } };
    const write = { file: tool_input.file_path, edits: [{ before: '', after: tool_input.content }] };
    socket.end(JSON.stringify({ cwd: folder, event: { type: 'written', client: 'claude', session: 's', write } }));
    let reply = '';
    for await (const part of socket) reply += part;
    assert.match(reply, /"additionalContext":"Kindred: parseHeader in src\/a\.ts:1-15/);
    // The server ended the connection, not the test; and a message of another program does not end the server.
    const other = connect(address).setEncoding('utf8');
    other.end('no JSON');
    let nothing = '';
    for await (const part of other) nothing += part;
    assert.equal(nothing, '');
    assert.match(await answer(), /Kindred: parseHeader in src\/a\.ts:1-15/);
  });

  test('is answered by another server after the first one ends, and by none after the last one', async () => {
    const first = await serve();
    const before = readFileSync(place(), 'utf8');
    await serve(before);
    await stop(first);
    const after = await addressOtherThan(before);
    assert.deepEqual([existsSync(before), existsSync(after)], [false, true]);
    await stop(servers[1]);
    assert.deepEqual([existsSync(place()), existsSync(after)], [false, false]);
  });

  test('is answered by a server that follows a killed one', async () => {
    const first = await serve();
    const before = readFileSync(place(), 'utf8');
    const exited = once(first, 'exit');
    first.kill('SIGKILL');
    await exited;
    assert.equal(existsSync(before), true);
    await serve(before);
    const after = await addressOtherThan(before);
    assert.deepEqual([existsSync(before), existsSync(after)], [false, true]);
    assert.match(await answer(), /Kindred: parseHeader in src\/a\.ts:1-15/);
  });
});
