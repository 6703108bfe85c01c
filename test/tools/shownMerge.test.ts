/** Size of proposals to merge copies in answers. */
import assert from 'node:assert/strict';
import type { Group } from '../../src/core/engine/report/report.ts';
import { mergeOf } from '../../src/surfaces/tools/shownMerge.ts';

suite('the proposal to merge copies in an answer', () => {
  const leftOut = (lines: number): string => `left out: ${lines}`;
  const languageOf = (): string => 'javascript';
  const groupOf = (texts: readonly string[], kind: Group['kind'] = 'code'): Pick<Group, 'kind' | 'passages'> => ({
    kind,
    passages: texts.map((text, at) => ({
      path: String(at),
      startLine: 1,
      startColumn: 1,
      endLine: text.split('\n').length,
      endColumn: 1,
      tokens: 1,
    })),
  });
  const textOf = (texts: readonly string[]) => (path: string) => Promise.resolve(texts[Number(path)]);

  test('has at most 20,000 characters, however many copies and differences there are', async () => {
    const texts = Array.from({ length: 60 }, (_, copy) =>
      Array.from(
        { length: 300 },
        (_, line) => `send('${'x'.repeat(50)}', ${line}, '${'y'.repeat(50)}${copy * line}');`,
      ).join('\n'),
    );
    const merge = await mergeOf(groupOf(texts), { textOf: textOf(texts), languageOf, leftOut }, 50);
    assert.ok(JSON.stringify(merge).length < 20_000);
    assert.deepEqual([merge!.parameters.length, merge!.moreParameters], [8, 291]);
    assert.match(merge!.template, /^left out: \d+$/m);
    assert.equal(merge!.savedLines, 300 * 49 - 50);
  });

  test('has no template if the copies are equal', async () => {
    const texts = ['f(1);\ng(2);', 'f(1);\ng(2);'];
    const merge = await mergeOf(groupOf(texts), { textOf: textOf(texts), languageOf, leftOut }, 10);
    assert.deepEqual([merge!.template, merge!.parameters, merge!.obstacles], ['', [], []]);
  });

  test('does not exist for prose, files, and very long copies', async () => {
    const texts = ['f(1);', 'f(2);'];
    for (const kind of ['prose', 'file'] as const)
      assert.equal(await mergeOf(groupOf(texts, kind), { textOf: textOf(texts), languageOf, leftOut }, 10), undefined);
    const long = ['f(1);\n'.repeat(20_000), 'f(2);'];
    assert.equal(await mergeOf(groupOf(long), { textOf: textOf(long), languageOf, leftOut }, 10), undefined);
  });
});
