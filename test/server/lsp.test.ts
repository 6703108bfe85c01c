/** `kindred lsp` with a scripted client, and with Neovim. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { CodeAction, Diagnostic, Hover, Location, WorkspaceDiagnosticReport } from 'vscode-languageserver/node';
import { root } from '../../scripts/project.mjs';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, harbour, parsing } from '../passages.ts';
import { recordedCalls, recordingCalls } from '../recordedCalls.ts';
import { LspClient, type LspOptions } from './lspClient.ts';

const before = `${harbour}\n`;
const files = { 'src/a.ts': `${before}${parsing}`, 'src/b.ts': `${drawing}\n${parsing}`, 'other.ts': 'export {};\n' };
const firstLine = before.split('\n').length - 1;

suite('kindred lsp', () => {
  let folder = '';
  let cache = '';
  let client: LspClient;
  setup(() => {
    folder = makeFolder(files);
    cache = makeFolder({});
  });
  teardown(() => {
    client.process.kill('SIGKILL');
    removeFolder(folder);
    removeFolder(cache);
  });

  const uriOf = (name: string): string => pathToFileURL(path.join(folder, name)).href;
  async function begin(options: LspOptions = {}): Promise<void> {
    client = await LspClient.start([folder], cache, options);
  }
  const shown = (name: string): readonly Diagnostic[] => client.diagnostics.get(uriOf(name)) ?? [];

  test('publishes diagnostics of an open document, and moves and clears them on edits', async () => {
    await begin();
    await client.open(uriOf('src/a.ts'), files['src/a.ts']);
    const [diagnostic] = await client.until('diagnostic', () => shown('src/a.ts').length > 0 && shown('src/a.ts'));
    assert.match(diagnostic.message as string, /^Exact copy of src\/b\.ts:\d+-\d+, 2 copies$/);
    assert.deepEqual([diagnostic.source, diagnostic.code, diagnostic.severity], ['kindred', 'exact-duplicate', 3]);
    assert.equal(diagnostic.range.start.line, firstLine);
    const [related] = diagnostic.relatedInformation!;
    assert.equal(related.location.uri, uriOf('src/b.ts'));
    // Insert two lines above the copy.
    await client.change(uriOf('src/a.ts'), 2, 0, 0, '// one\n// two\n');
    await client.until('moved diagnostic', () => shown('src/a.ts')[0]?.range.start.line === firstLine + 2);
    // Delete the body.
    await client.change(uriOf('src/a.ts'), 3, firstLine + 2, firstLine + 2 + 16, '');
    await client.until('end of the diagnostic', () => shown('src/a.ts').length === 0);
    // The diagnostic returns with the file's content when the document is closed without saving.
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf('src/a.ts') } });
    await client.open(uriOf('src/b.ts'), files['src/b.ts']);
    await client.until('diagnostic of the other', () => shown('src/b.ts').length === 1);
    assert.equal(await client.end(), 0);
  });

  test('answers pulled diagnostics, and requests a refresh after a change', async () => {
    const capabilities = {
      textDocument: { diagnostic: {} },
      workspace: { diagnostics: { refreshSupport: true } },
    };
    await begin({ capabilities });
    assert.ok(client.initialized.capabilities.diagnosticProvider);
    const pull = (uri: string, previousResultId?: string) =>
      client.connection.sendRequest<{ kind: string; resultId: string; items?: Diagnostic[] }>(
        'textDocument/diagnostic',
        {
          textDocument: { uri },
          previousResultId,
        },
      );
    let first = await pull(uriOf('src/b.ts'));
    // An answer has a time limit, and may come before the first report.
    while (first.items?.length === 0) first = await pull(uriOf('src/b.ts'));
    assert.deepEqual([first.kind, first.items?.length], ['full', 1]);
    assert.equal((await pull(uriOf('src/b.ts'), first.resultId)).kind, 'unchanged');
    const { items } = await client.connection.sendRequest<WorkspaceDiagnosticReport>('workspace/diagnostic', {
      previousResultIds: [],
    });
    assert.deepEqual(
      items.map(({ uri }) => uri),
      [uriOf('src/a.ts'), uriOf('src/b.ts')],
    );
    const countRefreshes = () =>
      client.requests.filter(({ method }) => method === 'workspace/diagnostic/refresh').length;
    writeFileSync(path.join(folder, 'src/a.ts'), before);
    let next = first;
    // The refresh of the first report may arrive after the write.
    for (let refreshes = 0; next.items?.length !== 0;) {
      refreshes = await client.until('refresh', () => countRefreshes() > refreshes && countRefreshes());
      next = await pull(uriOf('src/b.ts'), first.resultId);
    }
    assert.equal(next.kind, 'full');
    assert.equal(client.diagnostics.size, 0);
  });

  test('offers quick fixes that open a copy, compare with it, and ignore it', async () => {
    await begin({ capabilities: { window: { showDocument: { support: true } } } });
    await client.open(uriOf('src/a.ts'), files['src/a.ts']);
    const diagnostics = await client.until('diagnostic', () => shown('src/a.ts').length > 0 && shown('src/a.ts'));
    const at = { line: firstLine + 4, character: 0 };
    const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: uriOf('src/a.ts') },
      range: { start: at, end: at },
      context: { diagnostics },
    });
    assert.deepEqual(
      actions.map(({ title }) => title.replace(/:\d+-\d+/, '')),
      ['Go to the copy in src/b.ts, identical', 'Compare with src/b.ts, identical', 'Ignore this copy, with a reason'],
    );
    assert.deepEqual(actions[0].diagnostics, diagnostics);
    const [open, compare, ignore] = actions;
    await client.connection.sendRequest('workspace/executeCommand', open.command);
    const [opened] = client.requests.filter(({ method }) => method === 'window/showDocument');
    assert.equal((opened.params as { uri: string }).uri, uriOf('src/b.ts'));
    const text = await client.connection.sendRequest<string>('workspace/executeCommand', compare.command);
    assert.match(text, /^src\/a\.ts:\d+-\d+ and src\/b\.ts:\d+-\d+ are equal:\n\nexport function parseHeader/);
    const shownDocument = client.requests.filter(({ method }) => method === 'window/showDocument')[1];
    const document = fileURLToPath((shownDocument.params as { uri: string }).uri);
    assert.equal(readFileSync(document, 'utf8'), text);
    const [start, stop] = ignore.edit!.changes![uriOf('src/a.ts')];
    assert.match(start.newText, /^\/\/ kindred-ignore-start .*\n$/);
    // From the end, as the protocol requires.
    await client.change(uriOf('src/a.ts'), 2, stop.range.start.line, stop.range.start.line, stop.newText);
    await client.change(uriOf('src/a.ts'), 3, start.range.start.line, start.range.start.line, start.newText);
    await client.until('end of the diagnostic', () => shown('src/a.ts').length === 0);
    await client.end();
    assert.throws(() => readFileSync(document), /ENOENT/);
  });

  test('offers only usable actions to a client that cannot show documents', async () => {
    await begin();
    await client.open(uriOf('src/a.ts'), files['src/a.ts']);
    await client.until('diagnostic', () => shown('src/a.ts').length > 0);
    const at = { line: firstLine + 4, character: 0 };
    const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: uriOf('src/a.ts') },
      range: { start: at, end: at },
      context: { diagnostics: [] },
    });
    assert.deepEqual(
      actions.map(({ title }) => title),
      ['Ignore this copy, with a reason'],
    );
    await client.end();
  });

  test('lists the copies in a hover, a request, and a command', async () => {
    await begin();
    await client.open(uriOf('src/a.ts'), files['src/a.ts']);
    await client.until('diagnostic', () => shown('src/a.ts').length > 0);
    const textDocument = { uri: uriOf('src/a.ts') };
    const request = <Answer>(method: string, line: number): Promise<Answer> =>
      client.connection.sendRequest(method, { textDocument, position: { line, character: 0 } });
    const hover = await request<Hover>('textDocument/hover', firstLine);
    assert.match((hover.contents as { value: string }).value, /\*\*Exact copy of src\/b\.ts.*\*\*\n\n- \[src\/b\.ts:/);
    assert.equal(await request('textDocument/hover', 0), null);
    const copies = await request<Location[]>('kindred/copies', firstLine + 3);
    assert.deepEqual(
      copies.map(({ uri }) => uri),
      [uriOf('src/b.ts')],
    );
    const same = await client.connection.sendRequest('workspace/executeCommand', {
      command: 'kindred.copies',
      arguments: [{ textDocument, position: { line: firstLine + 3, character: 0 } }],
    });
    assert.deepEqual(same, copies);
  });

  test('applies changed settings immediately, and reports invalid ones', async () => {
    let settings: unknown = { diagnostics: { severity: { code: 'error' }, range: 'full', files: 'all' } };
    const changed = () => client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await begin({ capabilities: { workspace: { configuration: true } }, settings: () => settings });
    const [diagnostic] = await client.until('diagnostic', () => shown('src/b.ts').length > 0 && shown('src/b.ts'));
    assert.equal(diagnostic.severity, 1);
    assert.ok(diagnostic.range.end.line > diagnostic.range.start.line);
    settings = { 'diagnostics.severities.source': 'off', diagnostics: { files: 'all' } };
    await changed();
    await client.until('end of diagnostics', () => shown('src/b.ts').length === 0);
    settings = { minTokens: -1 };
    await changed();
    await client.until('message', () => client.messages.some((message) => message.includes('minTokens')));
    settings = { diagnostics: { files: 'all' } };
    await changed();
    await client.until('diagnostic again', () => shown('src/b.ts').length > 0);
  });

  test('adds and removes the copies of added and removed folders', async () => {
    const second = makeFolder({ 'z.ts': `${drawing}\n` });
    await begin({ capabilities: { workspace: { workspaceFolders: true } } });
    await client.open(uriOf('src/b.ts'), files['src/b.ts']);
    await client.until('diagnostic', () => shown('src/b.ts').length === 1);
    const added = { uri: pathToFileURL(second).href, name: 'second' };
    const change = (event: object) =>
      client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
    await change({ added: [added], removed: [] });
    await client.until('copy in the second folder', () => shown('src/b.ts').length === 2);
    const uris = shown('src/b.ts').flatMap(({ relatedInformation = [] }) => relatedInformation);
    assert.ok(uris.some(({ location }) => location.uri === pathToFileURL(path.join(second, 'z.ts')).href));
    await change({ added: [], removed: [added] });
    await client.until('end of it', () => shown('src/b.ts').length === 1);
    removeFolder(second);
  });

  test('relies on the file watcher of a client that has one', async () => {
    const calls = path.join(cache, 'watch');
    const env = recordingCalls('node:fs', 'watch', calls);
    const beginWith = async (dynamicRegistration: boolean): Promise<void> => {
      await begin({ capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration } } }, env });
      await client.open(uriOf('src/b.ts'), files['src/b.ts']);
      await client.until('diagnostic', () => shown('src/b.ts').length === 1);
    };
    await beginWith(true);
    assert.deepEqual(recordedCalls(calls), []);
    const registered = client.requests.find(({ method }) => method === 'client/registerCapability');
    assert.match(JSON.stringify(registered?.params), /workspace\/didChangeWatchedFiles.*\*\*\/\*/);
    writeFileSync(path.join(folder, 'src/a.ts'), before);
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: uriOf('src/a.ts'), type: 2 }],
    });
    await client.until('end of the diagnostic', () => shown('src/b.ts').length === 0);
    await client.end();
    writeFileSync(path.join(folder, 'src/a.ts'), files['src/a.ts']);
    await beginWith(false);
    assert.equal(recordedCalls(calls)[0]?.[0], folder);
  });

  test('exits when its client is gone', async () => {
    await begin();
    const { pid } = client.process;
    assert.ok(pid !== undefined);
    const closed = new Promise((resolve) => client.process.once('close', resolve));
    client.process.stdin?.destroy();
    await closed;
  });
});

suite('Neovim', () => {
  test('shows a diagnostic, and clears it after an edit', async () => {
    const folder = makeFolder(files);
    const cache = makeFolder({});
    const script = path.join(cache, 'try.lua');
    const command = [process.execPath, path.join(root, 'dist/cli.js'), 'lsp', '--cache', path.join(cache, 'index')];
    writeFileSync(
      script,
      `
      local results = {}
      local config = { name = 'kindred', cmd = ${luaList(command)}, root_dir = ${JSON.stringify(folder)} }
      vim.cmd('edit ' .. ${JSON.stringify(path.join(folder, 'src/a.ts'))})
      if vim.lsp.start then vim.lsp.start(config) else vim.lsp.buf_attach_client(0, vim.lsp.start_client(config)) end
      local function count() return #vim.diagnostic.get(0) end
      results.shown = vim.wait(250000, function() return count() > 0 end, 50)
      results.message = (vim.diagnostic.get(0)[1] or {}).message
      vim.api.nvim_buf_set_lines(0, ${firstLine}, -1, false, {})
      results.cleared = vim.wait(250000, function() return count() == 0 end, 50)
      io.stdout:write(vim.fn.json_encode(results))
      vim.cmd('qall!')
      `,
    );
    const { stdout } = await promisify(execFile)(
      'nvim',
      ['--headless', '-u', 'NONE', '-i', 'NONE', '-c', `luafile ${script}`],
      {
        timeout: 550_000,
      },
    );
    const { shown, cleared, message } = JSON.parse(stdout) as { shown: boolean; cleared: boolean; message: string };
    assert.deepEqual([shown, cleared], [true, true]);
    assert.match(message, /^Exact copy of src\/b\.ts/);
    removeFolder(folder);
    removeFolder(cache);
  });
});

suite('recipes for Neovim', () => {
  test('attach the server, and list the copies at the cursor', async () => {
    const folder = makeFolder({ ...files, '.kindredrc.jsonc': '{}' });
    const place = makeFolder({});
    // The recipes start the program by name, as users do.
    const program = path.join(place, 'kindred');
    const commandLine = [process.execPath, path.join(root, 'dist/cli.js')].map((word) => `'${word}'`).join(' ');
    writeFileSync(program, `#!/bin/sh\nexec ${commandLine} "$@"\n`);
    chmodSync(program, 0o755);
    const guide = readFileSync(path.join(root, 'docs/editors.md'), 'utf8');
    const [since11, since8, before8, quickfix] = [...guide.matchAll(/```lua\n([^]*?)```/g)].map(([, text]) => text);
    const script = path.join(place, 'try.lua');
    const setUps = [since11, since8, before8].map((text) => `function()\n${text}\nend`).join(',\n');
    writeFileSync(
      script,
      `
      vim.cmd('filetype on')
      local setUps = { ${setUps} }
      setUps[vim.fn.has('nvim-0.11') == 1 and 1 or vim.fn.has('nvim-0.8') == 1 and 2 or 3]()
      ${quickfix}
      vim.cmd('edit ' .. ${JSON.stringify(path.join(folder, 'src/a.ts'))})
      local results = {}
      results.shown = vim.wait(250000, function() return #vim.diagnostic.get(0) > 0 end, 50)
      vim.api.nvim_win_set_cursor(0, { ${firstLine + 2}, 0 })
      vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<leader>kc', true, false, true), 'x', false)
      results.listed = vim.wait(250000, function() return #vim.fn.getqflist() > 0 end, 50)
      results.copies = vim.tbl_map(function(item) return vim.fn.bufname(item.bufnr) end, vim.fn.getqflist())
      io.stdout:write(vim.fn.json_encode(results))
      vim.cmd('qall!')
      `,
    );
    const nvimArguments = ['--headless', '-u', 'NONE', '-i', 'NONE', '-c', `luafile ${script}`];
    const { stdout } = await promisify(execFile)('nvim', nvimArguments, {
      timeout: 550_000,
      env: { ...process.env, PATH: `${place}${path.delimiter}${process.env['PATH']}`, XDG_CACHE_HOME: place },
    });
    const { shown, listed, copies } = JSON.parse(stdout) as { shown: boolean; listed: boolean; copies: string[] };
    assert.deepEqual([shown, listed], [true, true]);
    assert.ok(copies.length > 0 && copies.every((name) => name.endsWith('src/b.ts')), copies.join());
    removeFolder(folder);
    removeFolder(place);
  });
});

function luaList(items: readonly string[]): string {
  return `{ ${items.map((item) => JSON.stringify(item)).join(', ')} }`;
}
