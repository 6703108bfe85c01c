/** Notebooks: the text of their cells and its positions in the file. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { cellLines, moveToOrigin, readNotebook } from '../../../src/core/engine/languages/notebook.ts';
import { anyText } from '../arbitraries.ts';

suite('notebooks', () => {
  test('the text of cells is that of their strings, with the file position of each byte', () => {
    const line = fc.string({
      unit: fc.constantFrom('a', 'b ', '"', '\\', '\t', 'é', '😀', '\u0001', '\n'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(fc.array(line, { maxLength: 4 }), { maxLength: 4 }), fc.nat(2), (cells, indent) => {
        const list = cells.map((source) => ({ outputs: [{ x: '"]}' }, -1.5e3, null], cell_type: 'code', source }));
        const file = new TextEncoder().encode(JSON.stringify({ cells: list }, null, indent));
        const { text, origin } = readNotebook(file)!;
        const expectedText = cells.map((source) => `${source.join('')}\n`).join('');
        assert.equal(new TextDecoder().decode(text), expectedText);
        // Each byte is a token, except the ends of cells, which have no position.
        const offsets = Array.from(text.keys()).filter((at) => text[at] >= 0x61 && text[at] <= 0x62);
        const starts = Uint32Array.from(offsets);
        moveToOrigin(file, origin, {
          starts,
          lengths: new Uint16Array(starts.length).fill(1),
          lines: new Uint32Array(),
        });
        starts.forEach((start, i) => assert.equal(file[start], text[offsets[i]]));
      }),
      { numRuns: scaled(1000) },
    );
  });
  test('arbitrary bytes either are a notebook or are not', () => {
    const beginnings = [new Uint8Array(), new TextEncoder().encode('{"cells": [{"cell_type": "code", "source": ["')];
    fc.assert(
      fc.property(fc.constantFrom(...beginnings), anyText, (beginning, rest) => {
        const file = Uint8Array.from([...beginning, ...rest]);
        const notebook = readNotebook(file);
        for (const { start, end } of notebook?.segments ?? []) assert.ok(start < end && end <= notebook!.text.length);
      }),
      { numRuns: scaled(3000) },
    );
  });

  /** Returns the parts of a notebook: the language and text of each. */
  function partsOf(notebook: unknown): [language: string, text: string][] {
    const { text, segments } = readNotebook(new TextEncoder().encode(JSON.stringify(notebook)))!;
    return segments.map(({ lexicon, start, end }) => [lexicon.id, new TextDecoder().decode(text.subarray(start, end))]);
  }

  test('the language of code is that of the kernel, whichever field states it', () => {
    const cells = [{ cell_type: 'code', source: 'x' }];
    const check = (metadata: unknown, language: string): void =>
      assert.deepEqual(partsOf({ cells, metadata }), [[language, 'x\n']]);
    check({}, 'python');
    check({ kernelspec: { name: 'ir', language: 'R' } }, 'r');
    check({ language_info: { name: 'julia', version: '1' }, kernelspec: { language: 'python' } }, 'julia');
    check({ language_info: { version: '3' }, kernelspec: { language: 'scala' } }, 'scala');
  });
  test('a cell may have its own language', () => {
    const cell = (source: string, languageId?: string): unknown => ({
      cell_type: 'code',
      ...(languageId !== undefined && { metadata: { tags: [], vscode: { x: [1], languageId } } }),
      source,
    });
    const cells = [cell('a'), cell('select 1', 'sql'), cell('c')];
    assert.deepEqual(
      partsOf({ cells }).map(([language]) => language),
      ['python', 'sql', 'python'],
    );
  });
  test('a magic sets the language of its cell or keeps it, and is not code', () => {
    const check = (source: string, language: string, text: string): void =>
      assert.deepEqual(partsOf({ cells: [{ cell_type: 'code', source }] }), [[language, text]]);
    check('%%bash --out x\nls | wc', 'shellscript', 'ls | wc\n');
    check('%%html\n<b>x</b>', 'html', '<b>x</b>\n');
    check('%%time\nx = 1', 'python', 'x = 1\n');
    check('%%script --bg /usr/bin/perl -w\nmy $x;', 'perl', 'my $x;\n');
    check('%%sx\nls', 'shellscript', 'ls\n');
    check('%%writefile -a src/boats.ts\nlet x;', 'typescript', 'let x;\n');
    check('%%writefile notes\nx = 1', 'python', 'x = 1\n');
    check('%%sql\nselect 1', 'sql', 'select 1\n');
    // Lines like these are mixed with others.
    check('!ls\n%timeit f()\nx = 1', 'python', '!ls\n%timeit f()\nx = 1\n');
  });
  test('nbformat 3 has worksheets, and stores code as input', () => {
    const cells = [
      { cell_type: 'heading', level: 1, source: ['Boats'] },
      { cell_type: 'markdown', source: 'About.' },
      { cell_type: 'code', input: ['x = 1\n', 'y = 2'], language: 'python', outputs: [{ text: ['z'] }] },
      { cell_type: 'raw', source: 'raw' },
    ];
    const notebook = { metadata: { name: '' }, nbformat: 3, worksheets: [{ metadata: {}, cells }, { cells: [] }] };
    assert.deepEqual(partsOf(notebook), [
      ['markdown', 'Boats\n'],
      ['markdown', 'About.\n'],
      ['python', 'x = 1\ny = 2\n'],
    ]);
  });
  test('lines of a file map to the text of cells on them', () => {
    const source = ['a = "é"\n', '\tb = 2\n', 'c = 3'];
    const file = JSON.stringify({ cells: [{ cell_type: 'code', source }], nbformat: 4 }, null, 1);
    const lines = file.split('\n');
    const first = lines.findIndex((line) => line.includes('a = ')) + 1;
    const bytes = new TextEncoder().encode(file);
    const textOf = (start: number, end: number): string =>
      new TextDecoder().decode(cellLines(bytes, readNotebook(bytes)!, { start, end }).text);
    assert.equal(textOf(first, first + 1), 'a = "é"\n\tb = 2\n');
    assert.equal(textOf(1, lines.length), `${source.join('')}\n`);
    assert.equal(textOf(1, first - 1), '');
    assert.equal(cellLines(bytes, readNotebook(bytes)!, { start: first, end: first }).lexicon.id, 'python');
  });
});
