/**
 * Invariant in a real window: the shown findings equal those of a scan. This holds after any history of editors, files,
 * settings, and crashes of the worker, at any pace.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { scaled } from '../../scripts/scaled.mjs';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import { changesOf, document, type DocumentStep, steps } from '../engine/histories.ts';
import { configure, rest, settings, setUpHistories, shown } from './longHistories.ts';
import { remove, scan, uriOf, write } from './window.ts';

/** An action of a user or a program, and the pause after it in milliseconds. */
type Deed = { readonly pauseMs: number } &
  /** A file written, deleted, or renamed outside VS Code. */
  (
    | { readonly type: 'files'; readonly step: DocumentStep }
    /** The text of a file in an editor, saved or not. */
    | { readonly type: 'edit'; readonly to: readonly [string, string]; readonly isSaved: boolean }
    | { readonly type: 'rename'; readonly from: string; readonly to: string }
    | { readonly type: 'revert' | 'close' | 'untitled' | 'death' | 'scan' | 'cancel' }
    | { readonly type: 'settings'; readonly name: string; readonly value: unknown }
  );

const pauseMs = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 300, max: 1_200 }));
const names = fc.constantFrom('a.ts', 'b.ts', 'c/d.ts', 'f.md', 'm.js', 'k.vue');
const isOfDocuments = (step: { readonly type: string }): step is DocumentStep =>
  ['put', 'interruption', 'remove', 'rename', 'edit'].includes(step.type);
const deed: fc.Arbitrary<Deed> = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: steps.filter(isOfDocuments).map((step) => ({ type: 'files' as const, step })) },
      { weight: 6, arbitrary: fc.record({ type: fc.constant('edit' as const), to: document, isSaved: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('rename' as const), from: names, to: names }) },
      {
        weight: 4,
        arbitrary: fc
          .constantFrom('revert', 'revert', 'close', 'untitled', 'death', 'scan', 'cancel')
          .map((type) => ({ type })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...settings), fc.boolean())
          .map(([[name, value], isSet]) => ({ type: 'settings' as const, name, value: isSet ? value : undefined })),
      },
    ),
    pauseMs,
  )
  .map(([what, pauseMs]) => ({ ...what, pauseMs }));

/** Actions before everything settles. */
const deeds = fc.array(deed, { minLength: 7, maxLength: 7 });

suite('findings after any history', () => {
  /** Contents of files written outside VS Code, by name. */
  const texts = new Map<string, string>();

  setUpHistories();
  suiteTeardown(() => remove('history'));

  test('equal those of a scan', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deeds, { minLength: 3, maxLength: 3 }), async (history) => {
        await write('history/a.ts', 'export const first = 1;\n');
        const api = await scan();
        for (const all of history) {
          for (const it of all) {
            await act(api, it);
            await setTimeout(it.pauseMs);
          }
          await rest(api);
          const followed = shown(api);
          await api.scanner.scan();
          assert.deepEqual(followed, shown(api));
        }
      }),
      { numRuns: scaled(1), endOnFailure: true },
    );
  });

  async function act(api: Api, it: Deed): Promise<void> {
    switch (it.type) {
      case 'files':
        for (const [name, text] of changesOf(it.step, texts)) {
          if (text === undefined) texts.delete(name);
          else texts.set(name, text);
          await (text === undefined ? remove(`history/${name}`) : write(`history/${name}`, text));
        }
        return;
      case 'edit':
        return edit(...it.to, it.isSaved);
      case 'rename': {
        const edit = new vscode.WorkspaceEdit();
        if (!existsSync(uriOf(`history/${it.from}`).fsPath)) return;
        edit.renameFile(uriOf(`history/${it.from}`), uriOf(`history/${it.to}`), { overwrite: true });
        await vscode.workspace.applyEdit(edit);
        return;
      }
      case 'revert':
        await vscode.commands.executeCommand('workbench.action.files.revert');
        return;
      case 'close':
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
        return;
      case 'untitled': {
        const content = [...texts.values()].at(-1) ?? '';
        const untitled = await vscode.workspace.openTextDocument({ language: 'typescript', content });
        await vscode.window.showTextDocument(untitled, { preview: false });
        return;
      }
      case 'death':
        // Otherwise, it would not be restarted after several crashes.
        api.client.forgive();
        return api.client.terminateWorker();
      case 'scan':
        void api.scanner.scan();
        return;
      case 'cancel':
        api.scanner.cancel();
        return;
      case 'settings':
        return configure(`kindred.${it.name}`, it.value);
    }
  }

  /** Sets the text of a document in an editor. */
  async function edit(name: string, text: string, isSaved: boolean): Promise<void> {
    const uri = uriOf(`history/${name}`);
    if (!existsSync(uri.fsPath)) await write(`history/${name}`, '');
    const opened = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(opened, { preview: false });
    const change = new vscode.WorkspaceEdit();
    change.replace(uri, new vscode.Range(0, 0, opened.lineCount, 0), text);
    await vscode.workspace.applyEdit(change);
    if (isSaved) await opened.save();
  }
});
