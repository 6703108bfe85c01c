/** Names and texts of files that contain Markdown, links, icons, or line ends are shown as text in every view. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import { scaled } from '../../scripts/scaled.mjs';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import type { Row } from '../../src/surfaces/vscode/tree/rows.ts';
import { codeSpan } from '../../src/presentation/wording/markdownCode.ts';
import { asMarkdown, asNotification, codeBlock } from '../../src/surfaces/vscode/markdown.ts';
import { closeEditors, explained, groupsIn, remove, scan, until, write } from './window.ts';

const names = [
  '![x](https:/example.org/a.png) **b** _c_ <img src=x onerror=y> $(flame).ts',
  '[y](command:workbench.action.quit) www.example.org `d` ~~e~~ me@example.org #1.ts',
  '# h\n- i\u202e ```j` &lt; \\.ts',
] as const;

/** Renders Markdown with file contents and names as in VS Code's preview. */
function render(markdown: string): Thenable<string> {
  return vscode.commands.executeCommand<string>('markdown.api.render', markdown);
}

/** Returns the visible text. */
function textOf(html: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|amp|quot);/g, (_, name: string) => characters[name])
    .trim();
}

suite('names of files', () => {
  let api: Api;
  const code = Array.from(
    { length: 14 },
    (_, n) => `  tally.push(measure(${n}, "\`\`\`", [link](https://e.org/${n})));`,
  );

  suiteSetup(async () => {
    for (const name of names) await write(`hostile/${name}`, `function sum(tally) {\n${code.join('\n')}\n}\n`);
    api = await scan();
    assert.equal(group().passages.length, names.length);
  });

  suiteTeardown(async () => {
    await closeEditors();
    await remove('hostile');
    await scan();
  });

  function group() {
    const [found] = groupsIn(api, `hostile/${names[0]}`);
    assert.ok(found);
    return found;
  }

  test('are text in the tooltips of all rows', async () => {
    const rowsIn = (row?: Row): Row[] => api.tree.getChildren(row).flatMap((child) => [child, ...rowsIn(child)]);
    const rows = rowsIn();
    let seen = 0;
    for (const row of rows) {
      const { tooltip } = await api.tree.resolveTreeItem(await api.tree.getTreeItem(row), row);
      if (!(tooltip instanceof vscode.MarkdownString)) continue;
      assert.ok(!tooltip.isTrusted && !tooltip.supportHtml && !tooltip.supportThemeIcons);
      const html = await render(tooltip.value);
      // Kindred adds the title, the list, and the code below it.
      const prose = html.replace(/<pre>[^]*<\/pre>/, '');
      assert.doesNotMatch(prose, /<(a|img|em|code|s|h\d)\b/);
      assert.ok((html.match(/<pre>/g) ?? []).length <= 1, html);
      if (prose.includes('x onerror=y')) seen++;
    }
    assert.ok(seen >= 3, `${seen} tooltips have the name`);
  });

  test('stay on the line of their row, and do not reverse its direction', async () => {
    const rows: Row[] = [{ type: 'group', group: group() }];
    rows.push(...api.tree.getChildren(rows[0]));
    for (const row of rows) {
      const { label } = await api.tree.getTreeItem(row);
      assert.equal(typeof label, 'string');
      assert.doesNotMatch(label as string, /[\n\u202e]/);
    }
  });

  test('are text in an explanation and in a compare, whose button works', async () => {
    await vscode.commands.executeCommand('kindred.compareCopies', { type: 'group', group: group() });
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const sides = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.ok(sides.every((side) => side.getText().includes('tally.push')));
    await vscode.commands.executeCommand('kindred.explainMatch', input.modified, { groupId: 0, editorIndex: 0 });
    const html = await render(await explained());
    assert.doesNotMatch(html.replaceAll(/<(code|pre)\b[^]*?<\/\1>/g, ''), /<(a|img|em|s)\b/);
  });

  test('are text in marks and in the light bulb', async () => {
    const { passages } = group();
    const uri = api.findings.uriOf(passages[0]);
    await vscode.window.showTextDocument(uri);
    const [mark] = await until('the mark', vscode.languages.onDidChangeDiagnostics, () => {
      const found = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'kindred');
      return found.length > 0 && found;
    });
    assert.doesNotMatch(
      [mark.message, ...mark.relatedInformation!.map(({ message }) => message)].join(''),
      /[\n\u202e]/,
    );
  });
});

suite('Markdown generated from text', () => {
  const parts = [
    'a',
    'b c',
    '\n',
    '*',
    '_',
    '`',
    '```',
    '[',
    ']',
    '(',
    ')',
    '](',
    '!',
    '<',
    '>',
    '&',
    '#',
    '-',
    '\\',
    '.',
  ];
  const marks = [...parts, 'www.e.org', 'https://e.org', 'me@e.org', '1.', '~~', '|', '$(x)', '[x](command:y)', '&lt;'];
  const text = fc.array(fc.constantFrom(...marks), { minLength: 1, maxLength: 12 }).map((all) => all.join(''));
  const flat = (some: string): string => some.replaceAll(/\s+/g, ' ').trim();

  test('renders as the text', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (some) => {
        const html = await render(`x ${asMarkdown(some)} x`);
        assert.doesNotMatch(html.replace(/^<p[^>]*>|<\/p>\s*$/g, ''), /<\w/);
        assert.equal(flat(textOf(html)), flat(`x ${some} x`));
      }),
      { numRuns: scaled(200) },
    );
  });

  test('as code renders nothing outside the code', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (some) => {
        const [span, block] = [await render(`x ${codeSpan(some)} x`), await render(codeBlock(some, 'plaintext'))];
        assert.match(span, /^<p[^>]*>x <code>[^<]*<\/code> x<\/p>\s*$/);
        assert.equal(block.match(/<pre/g)?.length, 1);
        assert.equal(textOf(block.replace(/<pre[^]*<\/pre>/, '')), '');
      }),
      { numRuns: scaled(100) },
    );
  });

  test('in a notification has no links', () => {
    // VS Code's pattern for links.
    const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
    assert.match('there is no key "[x](command:y)"', link);
    fc.assert(fc.property(text, (some) => assert.doesNotMatch(asNotification(some), link)));
  });
});
