/**
 * Find near-duplicates in an organization's index, with repositories in the workspace and elsewhere.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { toolName } from '../../src/surfaces/vscode/agentTools.ts';
import { mcpServers } from '../../src/surfaces/vscode/mcpServer.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import type { FoundPlace } from '../../src/surfaces/vscode/similar/similarSearch.ts';
import { selectedText } from '../../src/surfaces/vscode/similar/searchedText.ts';
import type { FindSimilarData } from '../../src/surfaces/tools/findSimilar.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { addAll } from '../organisation/storing.ts';
import { drawing, parsing, parsingRenamed } from '../passages.ts';
import { closeEditors, eventually, remove, scan, uriOf, write } from './window.ts';

suite('find near-duplicates in the organization', () => {
  let api: Api;
  let folder = '';
  const lines = parsing.trimEnd().split('\n').length;

  suiteSetup(async () => {
    await write('org-billing/src/a.ts', parsing);
    await write('org-billing/src/own.ts', `export const own = 1;\n\n${parsingRenamed}`);
    await write('org-billing/src/other.ts', drawing);
    api = await scan();
    folder = makeFolder({ 'invoicing/lib/deep/b.ts': `const other = 1;\n\n${parsing}` });
    await addAll(indexFolder(), [uriOf('org-billing').fsPath, path.join(folder, 'invoicing')]);
    restate('invoicing', { commit: 'c0ffee' });
  });

  teardown(async () => {
    await closeEditors();
    await name(undefined);
  });

  suiteTeardown(async () => {
    removeFolder(folder);
    await remove('org-billing');
    await scan();
  });

  const indexFolder = (): string => path.join(folder, 'index');
  /** Changes the stored state of a repository. */
  function restate(repository: string, changes: { readonly commit?: string; readonly origin?: string }): void {
    const file = path.join(indexFolder(), 'repositories', `${repository}.json`);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...changes }));
  }

  async function name(index: string | undefined, target = vscode.ConfigurationTarget.Global): Promise<void> {
    await vscode.workspace.getConfiguration('kindred').update('organisation.index', index, target);
  }

  async function found(): Promise<readonly FoundPlace[]> {
    await vscode.window.showTextDocument(uriOf('org-billing/src/a.ts'), {
      selection: new vscode.Range(0, 0, lines, 0),
    });
    const searched = selectedText();
    assert.ok('text' in searched);
    const similar = await api.organisation.find(searched);
    assert.ok(similar, 'there is no answer');
    assert.equal(similar.total, similar.places.length);
    return similar.places;
  }

  const question = { text: parsing, path: 'x.ts', languageId: 'typescript', limit: 10 };
  async function problem(): Promise<string> {
    const answer = await api.organisation.query(question);
    return answer && 'problem' in answer ? answer.problem : '';
  }

  test('a place in the workspace is its file, and one elsewhere states its location', async () => {
    await name(indexFolder());
    const [elsewhere, here, ...others] = await found();
    assert.deepEqual(others, []);
    assert.equal(here.uri.toString(), uriOf('org-billing/src/own.ts').toString());
    assert.deepEqual([here.range.start.line, here.where], [2, 'org-billing/src']);
    assert.deepEqual([elsewhere.uri.scheme, elsewhere.where], ['kindred-organisation', 'invoicing/lib/deep']);
    const document = await vscode.workspace.openTextDocument(elsewhere.uri);
    const text = document.getText();
    assert.ok(text.startsWith(`invoicing/lib/deep/b.ts:3-${lines + 2}\n`), text);
    const command = text.split('\n').find((line) => line.startsWith('git show '));
    assert.equal(command, 'git show c0ffee:lib/deep/b.ts');
  });

  test('opens no file outside the workspace', async () => {
    await name(indexFolder());
    restate('org-billing', { origin: '/' });
    try {
      const places = await found();
      // The index does not know that this text is the searched one. The window does.
      assert.deepEqual(places.map(({ uri }) => uri.path.replace(/.*\//, '').replace(/:.*/, '')).sort(), [
        'b.ts',
        'own.ts',
      ]);
      for (const { uri } of places) {
        assert.ok(uri.scheme !== 'file' || vscode.workspace.getWorkspaceFolder(uri) !== undefined, uri.toString());
      }
    } finally {
      restate('org-billing', { origin: uriOf('org-billing').fsPath });
    }
  });

  for (const of of ['Selection', 'Clipboard', 'Symbol']) {
    test(`find${of}InOrganisation shows results in the references view`, async () => {
      await name(indexFolder());
      const { document } = await vscode.window.showTextDocument(uriOf('org-billing/src/a.ts'), {
        selection: new vscode.Range(0, 0, lines, 0),
      });
      await vscode.env.clipboard.writeText(document.getText());
      const range = new vscode.Range(0, 0, lines, 0);
      const provider = vscode.languages.registerDocumentSymbolProvider('typescript', {
        provideDocumentSymbols: () => [
          new vscode.DocumentSymbol('parsing', '', vscode.SymbolKind.Function, range, range),
        ],
      });
      const schemes = new Set<string>();
      try {
        await vscode.commands.executeCommand(`kindred.find${of}InOrganisation`);
        await eventually(async () => {
          await vscode.commands.executeCommand('references-view.next');
          const uri = vscode.window.activeTextEditor?.document.uri;
          if (uri && !uri.path.endsWith('/a.ts')) schemes.add(uri.scheme);
          assert.equal(schemes.size, 2);
        });
      } finally {
        provider.dispose();
      }
      assert.deepEqual([...schemes].sort(), ['file', 'kindred-organisation']);
      await vscode.commands.executeCommand('references-view.clear');
    });
  }

  test('a model uses it with the tool', async () => {
    const input = { text: parsingRenamed, language: 'ts', where: 'organisation' };
    const call = async (): Promise<FindSimilarData> => {
      const answer = await vscode.lm.invokeTool(toolName('find_similar'), { input, toolInvocationToken: undefined });
      return JSON.parse((answer.content[0] as vscode.LanguageModelTextPart).value) as FindSimilarData;
    };
    await assert.rejects(call(), /There is no index of the organization\./);
    await name(indexFolder());
    const { passages, index } = await call();
    assert.ok(passages.some(({ place }) => place.startsWith('invoicing/lib/deep/b.ts:3')));
    assert.match(index.detail ?? '', /2 repositories/);
  });

  test("uses only the user's own setting, and explains what it cannot read", async () => {
    assert.equal(await api.organisation.query(question), undefined);
    await name('postgres://me:s3cret@127.0.0.1:9/one');
    const old = await problem();
    assert.match(old, /^kindred\.organisation\.index is the address of a PostgreSQL server, which is no longer supp/);
    assert.doesNotMatch(old, /s3cret/);
    await name(path.join(folder, 'nowhere'));
    assert.match(await problem(), /^There is no index in .*nowhere: store a repository with kindred org add/);
    await name(folder);
    assert.match(await problem(), /name a new or empty folder in kindred\.organisation\.index\.$/);
    await name(undefined);
    // VS Code rejects it, or at least nothing reads it.
    await name(indexFolder(), vscode.ConfigurationTarget.Workspace).catch(() => undefined);
    assert.equal(await api.organisation.query(question), undefined);
    await name(undefined, vscode.ConfigurationTarget.Workspace).catch(() => undefined);
  });

  test('the MCP server for other programs receives it on start, and no earlier', async () => {
    await name(indexFolder());
    const provider = mcpServers(uriOf('cli.js'), '1.0.0');
    const none = new vscode.CancellationTokenSource().token;
    const [offered] = (await provider.provideMcpServerDefinitions(none)) ?? [];
    assert.ok(offered instanceof vscode.McpStdioServerDefinition);
    assert.deepEqual(Object.keys(offered.env), ['ELECTRON_RUN_AS_NODE']);
    const started = await provider.resolveMcpServerDefinition!(offered, none);
    assert.ok(started instanceof vscode.McpStdioServerDefinition);
    assert.equal(started.env['KINDRED_INDEX'], indexFolder());
  });

  test('the MCP server for other programs is not offered in Restricted Mode', async () => {
    const none = new vscode.CancellationTokenSource().token;
    let isTrusted = false;
    const provider = mcpServers(uriOf('cli.js'), '1.0.0', () => isTrusted);
    const offered = async (): Promise<number> => (await provider.provideMcpServerDefinitions(none))?.length ?? 0;
    assert.equal(await offered(), 0);
    isTrusted = true;
    assert.equal(await offered(), 1);
  });

  test('the environment variable of the command line has the lowest precedence', async () => {
    process.env['KINDRED_INDEX'] = indexFolder();
    try {
      assert.equal(await problem(), '');
      await name(path.join(folder, 'nowhere'));
      assert.match(await problem(), /There is no index in .*nowhere/);
    } finally {
      delete process.env['KINDRED_INDEX'];
    }
  });

  test('a message names the older environment variable if only that one is set', async () => {
    process.env['KINDRED_DATABASE'] = 'postgres://127.0.0.1:9/one';
    try {
      assert.match(await problem(), /^KINDRED_DATABASE is the address of a PostgreSQL server/);
      process.env['KINDRED_INDEX'] = 'postgres://127.0.0.1:9/two';
      assert.match(await problem(), /^KINDRED_INDEX is the address of a PostgreSQL server/);
    } finally {
      delete process.env['KINDRED_DATABASE'];
      delete process.env['KINDRED_INDEX'];
    }
  });

  test('the default folder of kindred org add is used if nothing names another one', async () => {
    const { XDG_DATA_HOME: before } = process.env;
    const data = makeFolder({});
    process.env['XDG_DATA_HOME'] = data;
    try {
      assert.equal(await api.organisation.query(question), undefined);
      await cp(indexFolder(), path.join(data, 'kindred', 'index'), { recursive: true });
      assert.equal((await found()).length, 2);
      await name(path.join(folder, 'nowhere'));
      assert.match(await problem(), /There is no index in .*nowhere/);
    } finally {
      if (before === undefined) delete process.env['XDG_DATA_HOME'];
      else process.env['XDG_DATA_HOME'] = before;
      removeFolder(data);
    }
  });
});
