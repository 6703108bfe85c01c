/** Tools for agents in a real window: models receive the same answers as from the server. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toolName } from '../../src/surfaces/vscode/agentTools.ts';
import type { FindSimilarData } from '../../src/surfaces/tools/findSimilar.ts';
import type { GetDuplicateData } from '../../src/surfaces/tools/getDuplicate.ts';
import type { ListDuplicatesData } from '../../src/surfaces/tools/listDuplicates.ts';
import { toolsFor } from '../../src/surfaces/tools/tools.ts';
import { drawing, harbour, parsing, parsingRenamed } from '../passages.ts';
import { remove, write } from './window.ts';

suite('tools for agents', () => {
  suiteSetup(async () => {
    await write('agents/a.ts', `${parsing}${harbour}`);
    await write('agents/b.ts', `${parsing}export const other = 1;\n`);
    // Each answer reflects the current files, whatever the window is doing.
    const { total } = await call<ListDuplicatesData>('list_duplicates', { folder: 'agents' });
    assert.ok(total > 0);
  });
  suiteTeardown(() => remove('agents'));

  async function call<Data>(name: string, input: object): Promise<Data> {
    const { content } = await vscode.lm.invokeTool(toolName(name), { input, toolInvocationToken: undefined });
    const [part] = content;
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    return JSON.parse(part.value) as Data;
  }

  test('are registered in VS Code', () => {
    const tools = toolsFor({ findInOrganisation: () => Promise.resolve(undefined) });
    const registeredTools = new Map(vscode.lm.tools.map(({ name, description }) => [name, description]));
    for (const { name, description } of tools) assert.equal(registeredTools.get(toolName(name)), description);
  });

  test('find existing code, also with unsaved text of an editor', async () => {
    const found = await call<FindSimilarData>('find_similar', { text: parsingRenamed, language: 'ts' });
    const places = found.passages.map(({ place }) => place.replace(/:.*/, ''));
    assert.ok(places.includes('agents/a.ts') && places.includes('agents/b.ts'), places.join());
    await write('agents/c.ts', drawing);
    const listed = await call<ListDuplicatesData>('list_duplicates', { folder: 'agents' });
    assert.ok(listed.total > 0);
    const fresh = await call<FindSimilarData>('find_similar', { place: 'agents/c.ts' });
    assert.equal(fresh.tooShort, false);
    const { copies } = await call<GetDuplicateData>('get_duplicate', { id: listed.duplicates[0].id });
    assert.ok(copies[0].text.length > 100);
  });

  test('fail with a message that states the remedy', async () => {
    await assert.rejects(call('find_similar', { place: '../../etc/passwd' }), /is outside the followed folders/);
    await assert.rejects(
      call('find_similar', { text: parsing }),
      /^Error: The language of the text is missing; specify/,
    );
    await assert.rejects(call('get_duplicate', { id: 'ffff' }), /There is no duplicate ffff/);
  });
});
