/** Passages move with the text of their documents during edits, in every view, until the next report arrives. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import { scaled } from '../../scripts/scaled.mjs';
import type { Passage } from '../../src/core/engine/report/report.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import type { Row } from '../../src/surfaces/vscode/tree/rows.ts';
import { movePassage } from '../../src/surfaces/vscode/findings/passageMoves.ts';
import { closeEditors, groupsIn, remove, scan, until, uriOf, withSettings, write } from './window.ts';

suite('a passage with edits around it', () => {
  test('stays with its text through insertions and deletions', () => {
    const text = fc.stringMatching(/^[ab\n]{0,12}$/);
    const part = fc.tuple(fc.nat(12), fc.nat(12)).map(([x, y]) => [Math.min(x, y), Math.max(x, y)] as const);
    fc.assert(
      fc.property(text, part, part, text, (before, passagePart, editPart, written) => {
        const [from, to] = passagePart.map((offset) => Math.min(offset, before.length));
        const [start, end] = editPart.map((offset) => Math.min(offset, before.length));
        fc.pre(from < to);
        const after = before.slice(0, start) + written + before.slice(end);
        const moved = movePassage(passageAt(before, from, to), {
          range: new vscode.Range(positionAt(before, start), positionAt(before, end)),
          text: written,
        });
        // Reference implementation with offsets, where it is simple.
        const longer = written.length - (end - start);
        const isBehind = start >= to;
        const newFrom = isBehind ? from : end <= from ? from + longer : Math.min(from, start);
        const newTo = isBehind ? to : end <= to ? to + longer : start + written.length;
        assert.deepEqual(moved, passageAt(after, newFrom, newTo));
      }),
      { numRuns: scaled(2_000) },
    );
  });
});

suite('while a document is edited', () => {
  const copied = `
export function lockTimes(barges: readonly Barge[], chambers: ReadonlyMap<string, Chamber>): Passage[] {
  const passages: Passage[] = [];
  for (const { name, beam, length, arrival } of barges) {
    const chamber = [...chambers.values()].find((it) => it.width > beam + 0.4 && it.free >= length);
    if (chamber === undefined) {
      passages.push({ name, at: arrival + 3_600_000, note: 'has to wait' });
      continue;
    }
    chamber.free -= length;
    passages.push({ name, at: Math.max(arrival, chamber.next), note: chamber.free < 10 ? 'full' : '' });
  }
  return passages.sort((left, right) => left.at - right.at);
}
`;
  let api: Api;

  setup(async () => {
    await write('moves/a.ts', copied);
    await write('moves/b.ts', copied);
    api = await scan();
  });

  teardown(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await closeEditors();
    await remove('moves');
  });

  test('rows, marks, opening, and comparing follow its lines', async () => {
    await withSettings({ run: 'manual' }, async () => {
      const { generation } = api.findings.snapshot!;
      const [group] = groupsIn(api, 'moves/a.ts');
      const place = group.passages.findIndex(({ path }) => path === 'moves/a.ts');
      const row: Row = { type: 'copy', group, place, passage: group.passages[place] };
      const lines = async (): Promise<string> => (await api.tree.getTreeItem(row)).label as string;
      assert.match(await lines(), /^a\.ts:2-14 /);

      const uri = uriOf('moves/a.ts');
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: false });
      const marks = (): number[] =>
        vscode.languages
          .getDiagnostics(uri)
          .filter(({ source }) => source === 'kindred')
          .map(({ range }) => range.start.line);
      await until('the mark', vscode.languages.onDidChangeDiagnostics, () => marks().join() === '1');
      await edit(uri, new vscode.Range(0, 0, 0, 0), '// one\n// two\n// three\n');
      await until('the mark to follow', vscode.languages.onDidChangeDiagnostics, () => marks().join() === '4');
      assert.match(await lines(), /^a\.ts:5-17 /);

      // An insertion inside makes it longer. Text after it has no effect.
      await edit(uri, new vscode.Range(6, 0, 6, 0), '  // four\n');
      await edit(uri, new vscode.Range(18, 0, 18, 0), '// behind\n');
      assert.match(await lines(), /^a\.ts:5-18 /);
      assert.equal(document.lineAt(17).text, '}');

      await vscode.commands.executeCommand('kindred.openCopy', row);
      assert.equal(vscode.window.activeTextEditor!.selection.start.line, 4);
      await vscode.commands.executeCommand('kindred.copyLocations', row);
      assert.equal(await vscode.env.clipboard.readText(), 'moves/a.ts:5-18');

      await vscode.commands.executeCommand('kindred.compareCopies', { type: 'group', group });
      const tab = await until('the compare', vscode.window.tabGroups.onDidChangeTabs, () => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return input instanceof vscode.TabInputTextDiff && input;
      });
      const side = place === 0 ? tab.original : tab.modified;
      const compared = (await vscode.workspace.openTextDocument(side)).getText().split('\n');
      assert.match(compared[0], /^export function lockTimes/);
      assert.equal(compared.at(-1), '}');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');

      // Undo moves it back.
      assert.equal(api.findings.snapshot!.generation, generation);
      await vscode.window.showTextDocument(document);
      for (let undone = 0; undone < 3; undone++) await vscode.commands.executeCommand('undo');
      await until('it to move back', api.findings.onDidMove, () => api.findings.now(row.passage).startLine === 2);
      assert.match(await lines(), /^a\.ts:2-14 /);
    });
  });

  test('a report without the last edits is moved by them', async () => {
    await withSettings({ run: 'manual' }, async () => {
      const uri = uriOf('moves/a.ts');
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
      await edit(uri, new vscode.Range(0, 0, 0, 0), '// known\n');
      const running = api.scanner.scan();
      await edit(uri, new vscode.Range(0, 0, 0, 0), '// not known\n// nor this\n');
      assert.equal((await running).type, 'report');
      const passage = groupsIn(api, 'moves/a.ts')[0].passages.find(({ path }) => path === 'moves/a.ts')!;
      assert.equal(passage.startLine, 3);
      assert.equal(api.findings.now(passage).startLine, 5);
      // The file as a whole follows it.
      assert.equal(api.findings.copiesAt(uri, 4)[0].passage, passage);
      assert.notEqual(api.findings.copiesAt(uri, 3)[0].passage, passage);
      // The next report includes them.
      await scan();
      const next = groupsIn(api, 'moves/a.ts')[0].passages.find(({ path }) => path === 'moves/a.ts')!;
      assert.equal(next.startLine, 5);
      assert.equal(api.findings.now(next), next);
    });
  });
});

function positionAt(text: string, offset: number): vscode.Position {
  const lines = text.slice(0, offset).split('\n');
  return new vscode.Position(lines.length - 1, lines.at(-1)!.length);
}

function passageAt(text: string, from: number, to: number): Passage {
  const [start, end] = [positionAt(text, from), positionAt(text, to)];
  return {
    path: 'a.ts',
    tokens: 1,
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
}

async function edit(uri: vscode.Uri, range: vscode.Range, text: string): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  change.replace(uri, range, text);
  assert.ok(await vscode.workspace.applyEdit(change));
}
