/** Texts and differences of copies for agents, within the limits of an answer. */
import assert from 'node:assert/strict';
import type { Group } from '../../src/core/engine/report/report.ts';
import { copiesOf, type ShownCopy } from '../../src/surfaces/tools/copyTexts.ts';

suite('texts of copies for agents', () => {
  /** Returns the shown copies of texts that are one prose group. */
  const show = (texts: readonly string[], withTexts = true): Promise<ShownCopy[]> => {
    const passages = texts.map((text, at) => ({
      path: String(at),
      startLine: 1,
      startColumn: 1,
      endLine: text.split('\n').length,
      endColumn: 1,
    }));
    const group = { kind: 'prose', type: 'near', passages } as unknown as Group;
    const leftOut = (lines: number): string => `left out: ${lines}`;
    return copiesOf(group, { textOf: (path) => Promise.resolve(texts[Number(path)]), withTexts, leftOut }, 50);
  };
  const numbered = (count: number, width = 0): string[] =>
    Array.from({ length: count }, (_, at) => `line ${at + 1}`.padEnd(width, '.'));

  test('are complete if they fit', async () => {
    const [first, second] = await show(['a\nb\nc', 'a\nx\nc']);
    assert.deepEqual(first, { place: '0:1-3', text: 'a\nb\nc', isCut: false });
    const differs = '@@ -1,3 +1,3 @@\n a\n-b\n+x\n c';
    assert.deepEqual(second, { place: '1:1-3', difference: { differs }, text: 'a\nx\nc', isCut: false });
  });

  test('are cut in the middle if they have more than 300 lines', async () => {
    const [{ text, isCut }] = await show([numbered(1_000).join('\n')]);
    const all = numbered(1_000);
    assert.equal(text, [...all.slice(0, 150), 'left out: 700', ...all.slice(-150)].join('\n'));
    assert.equal(isCut, true);
  });

  test('are cut in the middle of a line if it is very long', async () => {
    for (const sign of ['x', '😀']) {
      const [{ text, isCut }] = await show([`begin ${sign.repeat(60_000)} end`]);
      assert.match(text, /^begin .* … .* end$/u);
      assert.doesNotMatch(text, /\p{Surrogate}/u);
      assert.ok(text.length <= 20_000 && isCut, String(text.length));
    }
  });

  test('share the room, so that every copy is shown, and its difference', async () => {
    const edited = Array.from({ length: 40 }, (_, copy) =>
      numbered(250, 100)
        .map((line, at) => (at % 4 === 0 ? `${line} in copy ${copy}` : line))
        .join('\n'),
    );
    const copies = await show(edited);
    assert.equal(copies.length, 40);
    for (const { text, isCut } of copies) {
      assert.match(text, /^left out: \d+$/m);
      assert.ok(isCut);
    }
    for (const { difference } of copies.slice(1)) assert.match(difference!.differs, /^@@ [^]*^left out: \d+$/m);
    const total = copies.reduce(
      (sum, { text, difference }) => sum + text.length + (difference?.differs.length ?? 0),
      0,
    );
    assert.ok(total > 30_000 && total < 42_000, String(total));
    const [first, second] = copies;
    assert.ok(first.text.length > 5 * second.text.length);
  });

  test('are limited to the first copy if only differences are requested', async () => {
    const long = numbered(290, 100).join('\n');
    const [first, second] = await show([long, `${long}\nmore`], false);
    assert.equal(first.text, long);
    assert.deepEqual([second.text, second.isCut], ['', true]);
    assert.match(second.difference!.differs, /^@@ .*\n.*\n\+more$/);
  });

  test('have no difference if more than 600 lines differ, however fast the machine is', async () => {
    for (const [lines, isUnlike] of [
      [300, undefined],
      [301, true],
    ] as const) {
      const [, second] = await show([numbered(lines).join('\n'), numbered(lines, 12).join('\n')]);
      assert.equal(second.difference!.isUnlike, isUnlike, String(lines));
      assert.equal(second.difference!.differs === '', isUnlike === true);
    }
  });

  test('have an empty difference if they are equal', async () => {
    const [, equal] = await show(['a\nb', 'a\nb']);
    assert.deepEqual(equal.difference, { differs: '' });
  });
});
