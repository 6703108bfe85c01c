import assert from 'node:assert/strict';
import { viewOf } from '../../src/surfaces/cli/deliver.ts';
import { wrapLines } from '../../src/surfaces/cli/wrapLines.ts';

const heading = '2. Renamed copies of code: 2 places, 21 lines · 154 tokens · 01e5bcc53f873d5a\n';

suite('wrapLines', () => {
  function check(text: string, width: number, expected: string): void {
    assert.equal([...wrapLines([text], width)].join(''), expected);
    assert.equal([...wrapLines(text, width)].join(''), expected, 'in pieces of one character');
  }

  test('breaks a heading between words, and indents its continuation', () => {
    const expected =
      '2. Renamed copies of code: 2 places, 21 lines ·\n' + '   154 tokens · 01e5bcc53f873d5a\n   src/a.ts:1-9\n';
    check(`${heading}   src/a.ts:1-9\n`, 50, expected);
    check(heading, 77, heading);
  });

  test('does not break a longer word', () => {
    check('   some/very/long/path.ts:10-42 and more\n', 20, '   some/very/long/path.ts:10-42\n      and more\n');
  });

  test('does not count color codes', () => {
    check('\u001b[1mone two\u001b[22m\nthree', 7, '\u001b[1mone two\u001b[22m\nthree');
  });

  test('applies to terminals, except those of VS Code, whose problem matchers read a heading as one line', () => {
    const extent = { folders: 5, rows: 5, inFolders: 5, all: false };
    const terminal = Object.assign(Object.create(process.stdout) as NodeJS.Process['stdout'], { columns: 50 });
    const pipe = Object.assign(Object.create(process.stdout) as NodeJS.Process['stdout'], { columns: undefined });
    assert.equal(viewOf({ stdout: terminal, env: {} }, extent).wrapAt, 50);
    assert.equal(viewOf({ stdout: terminal, env: { TERM_PROGRAM: 'vscode' } }, extent).wrapAt, undefined);
    assert.equal(viewOf({ stdout: pipe, env: {} }, extent).wrapAt, undefined);
  });
});
