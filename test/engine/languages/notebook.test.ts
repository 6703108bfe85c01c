/** Notebooks: what their cells say, and where in the file it stands. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { moveToOrigin, readNotebook } from '../../../src/engine/languages/notebook.ts';
import { anyText } from '../arbitraries.ts';

suite('notebooks', () => {
  test('the text of cells is that of their strings, each byte where it stands in the file', () => {
    const line = fc.string({
      unit: fc.constantFrom('a', 'b ', '"', '\\', '\t', 'é', '😀', '\u0001', '\n'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(fc.array(line, { maxLength: 4 }), { maxLength: 4 }), fc.nat(2), (cells, indent) => {
        const list = cells.map((source) => ({ outputs: [{ x: '"]}' }, -1.5e3, null], cell_type: 'code', source }));
        const file = new TextEncoder().encode(JSON.stringify({ cells: list }, null, indent));
        const { text, origin } = readNotebook(file)!;
        const said = cells.map((source) => `${source.join('')}\n`).join('');
        assert.equal(new TextDecoder().decode(text), said);
        // Each byte as a token, but for the ends of cells, which stand nowhere.
        const offsets = Array.from(text.keys()).filter((at) => text[at] >= 0x61 && text[at] <= 0x62);
        const starts = Uint32Array.from(offsets);
        moveToOrigin(file, origin, {
          starts,
          lengths: new Uint16Array(starts.length).fill(1),
          lines: new Uint32Array(),
        });
        starts.forEach((start, i) => assert.equal(file[start], text[offsets[i]]));
      }),
      { numRuns: 1000 },
    );
  });
  test('any bytes are a notebook or none', () => {
    const beginnings = [new Uint8Array(), new TextEncoder().encode('{"cells": [{"cell_type": "code", "source": ["')];
    fc.assert(
      fc.property(fc.constantFrom(...beginnings), anyText, (beginning, rest) => {
        const file = Uint8Array.from([...beginning, ...rest]);
        const notebook = readNotebook(file);
        for (const { start, end } of notebook?.segments ?? []) assert.ok(start < end && end <= notebook!.text.length);
      }),
      { numRuns: 3000 },
    );
  });
});
