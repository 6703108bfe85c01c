/** Excerpts in a compare: colored in their language, and invisible to language services. */
import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { excerptPath } from '../../src/surfaces/vscode/workspace/excerpts.ts';
import { languageOf } from '../../src/surfaces/vscode/workspace/languages.ts';
import { closeEditors, groupsIn, remove, scan, until, uriOf, write } from './window.ts';

suite('excerpts', () => {
  /** An object in the middle of a file, which is incomplete JSON as an excerpt. */
  const rows = Array.from({ length: 30 }, (_, n) => `    "berth ${n}": { "quay": "north ${n * 7}", "depth": ${n}.5 },`);
  const file = (other: (n: number) => string): string => {
    const others = Array.from({ length: 90 }, (_, n) => `  "${n * n}": ${other(n)},`);
    return `{\n${others.join('\n')}\n  "berths": {\n${rows.join('\n')}\n    "last": 1\n  }\n}\n`;
  };

  suiteSetup(async () => {
    await write(
      'excerpts/a.json',
      file((n) => `[${n}, "${n % 7} of ${n % 11}", null]`),
    );
    await write(
      'excerpts/b.json',
      file((n) => `{ "is": ${n % 3 === 0}, "at": ${n}e3 }`),
    );
    await write('excerpts/broken.json', '{ "port": }');
  });

  suiteTeardown(async () => {
    await closeEditors();
    await remove('excerpts');
    await scan();
  });

  test('have no diagnostics, although services diagnose files of their language', async () => {
    const api = await scan();
    const [group] = groupsIn(api, 'excerpts/a.json');
    await vscode.commands.executeCommand('kindred.compareCopies', { type: 'group', group });
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const sides = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.deepEqual(
      sides.map(({ languageId }) => languageId),
      ['kindred-json', 'kindred-json'],
    );
    assert.ok(sides.every((side) => !side.getText().startsWith('{')));
    // The service that would report the excerpts later reports a file that is opened beside them.
    await vscode.window.showTextDocument(uriOf('excerpts/broken.json'), { viewColumn: vscode.ViewColumn.Beside });
    await until(
      'JSON to be diagnosed',
      vscode.languages.onDidChangeDiagnostics,
      () => vscode.languages.getDiagnostics(uriOf('excerpts/broken.json')).length > 0,
    );
    const ofExcerpts = vscode.languages.getDiagnostics().filter(([uri]) => uri.scheme === 'kindred');
    assert.deepEqual(
      ofExcerpts.flatMap(([, diagnostics]) => diagnostics.map(({ message }) => message)),
      [],
    );
  });

  test('of prose have one sentence a line, however its lines are broken', async () => {
    const sentences = [
      'The harbor master assigns a berth as soon as the pilot reports the draft of the vessel.',
      'Vessels that carry dangerous goods wait outside of the breakwater until a tug is free.',
      'At low tide, the northern quay is closed to everything deeper than seven meters.',
      'A vessel that leaves its berth early pays for the whole day in any case.',
      'The lock keeper opens the inner gate only when the water on both sides is level.',
    ];
    const wrapped = (width: number): string =>
      sentences.join(' ').replaceAll(new RegExp(`(.{1,${width}})(?: |$)`, 'g'), '$1\n');
    await write('excerpts/a.md', `# Harbor\n\n${wrapped(60)}`);
    await write('excerpts/b.md', `# Port\n\n${wrapped(90)}`);
    const api = await scan();
    const [group] = groupsIn(api, 'excerpts/a.md');
    await vscode.commands.executeCommand('kindred.compareCopies', { type: 'group', group });
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const left = await vscode.workspace.openTextDocument(input.original);
    const right = await vscode.workspace.openTextDocument(input.modified);
    assert.equal(left.getText(), sentences.join('\n'));
    assert.equal(right.getText(), left.getText());
    // A passage that begins inside a fence is code up to its end.
    await write('excerpts/fenced.md', 'Open it:\n\n```js\nopen();\nshut();\n```\n');
    const source = JSON.parse(input.original.query) as object;
    const file = uriOf('excerpts/fenced.md').toString();
    const query = JSON.stringify({ ...source, file, startLine: 4, endLine: 5 });
    const code = await vscode.workspace.openTextDocument(input.original.with({ query }));
    assert.equal(code.getText(), 'open();\nshut();');
    // Names are aligned in code only.
    await vscode.commands.executeCommand('kindred.alignNames');
    const { input: after } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.equal(after instanceof vscode.TabInputTextDiff && after.modified.scheme, 'kindred-prose');
  });

  test('have the excerpt language of the language of their file', () => {
    for (const [name, language, excerpt] of [
      ['src/a.ts', 'typescript', '/kindred-typescript/a.ts:3-9'],
      ['src/a.d.ts', 'typescript', '/kindred-typescript/a.d.ts:3-9'],
      ['Makefile', 'makefile', '/kindred-makefile/Makefile:3-9'],
      ['a/Dockerfile', 'dockerfile', '/kindred-dockerfile/Dockerfile:3-9'],
      ['notes.unheard-of', 'plaintext', '/kindred-plaintext/notes.unheard-of:3-9'],
    ]) {
      assert.equal(languageOf(name), language);
      assert.equal(excerptPath(language, `${path.posix.basename(name)}:3-9`), excerpt);
    }
  });

  test('have only the line numbers of their files, also in an unknown language', async () => {
    const uri = vscode.Uri.parse('untitled:/kindred-plaintext/a.unheard-of:3-9');
    const { languageId } = await vscode.workspace.openTextDocument(uri);
    assert.equal(languageId, 'kindred-plaintext');
    assert.equal(vscode.workspace.getConfiguration('editor', { languageId }).get('lineNumbers'), 'off');
  });

  test('have a language for each one that VS Code has a grammar for', () => {
    const brought = vscode.extensions.all
      .filter(({ id }) => id.startsWith('vscode.'))
      .flatMap(({ packageJSON }) => {
        const { contributes } = packageJSON as {
          contributes?: { grammars?: readonly { readonly language?: string }[] };
        };
        return (contributes?.grammars ?? []).flatMap(({ language }) => language ?? []);
      });
    assert.ok(brought.length > 30);
    // Languages without compared files, or for parts of other files only.
    const others = [
      'cpp_embedded_latex',
      'markdown-math',
      'markdown_latex_combined',
      'search-result',
      'snippets',
      'log',
    ];
    const ofOthers = ['chatagent', 'instructions', 'prompt', 'skill', 'diff', 'ignore', 'git-commit', 'git-rebase'];
    const missing = brought.filter((id) => excerptPath(id, 'a') === '/kindred-plaintext/a');
    assert.deepEqual(
      missing.filter((id) => ![...others, ...ofOthers].includes(id)),
      [],
    );
  });
});
