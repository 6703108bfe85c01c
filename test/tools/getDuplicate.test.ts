/** Advice of `get_duplicate`: the copy to keep, and what to do with the others. */
import assert from 'node:assert/strict';
import type { Group } from '../../src/core/engine/report/report.ts';
import type { AddedLines } from '../../src/session/client/changedSince.ts';
import type { Access } from '../../src/surfaces/tools/access.ts';
import { getDuplicate, type GetDuplicateData } from '../../src/surfaces/tools/getDuplicate.ts';
import { parsing, parsingRenamed } from '../passages.ts';

interface Tree {
  /** Texts of the copies by path, each one a passage. */
  readonly texts: Readonly<Record<string, string>>;
  readonly type?: Group['type'];
  /** Language of all files. */
  readonly language?: string;
  readonly kind?: Group['kind'];
  readonly changed?: AddedLines | { readonly problem: string };
}

suite('get_duplicate', () => {
  const passageOf = ([path, text]: [string, string]): object => ({
    path,
    startLine: 1,
    startColumn: 1,
    endLine: text.trimEnd().split('\n').length,
    endColumn: 1,
  });

  async function show({
    texts,
    type = 'near',
    language = 'typescript',
    kind = 'code',
    changed,
  }: Tree): Promise<GetDuplicateData> {
    const passages = Object.entries(texts).map(passageOf);
    const group = { id: 'a', kind, type, passages, similarity: 0.9, category: 'source', worth: 1 } as unknown as Group;
    const report = {
      generation: 1,
      all: [group],
      found: { all: [group] },
      judgement: { sources: [] },
      findings: { totals: { files: 2, lines: 30 } },
    };
    const access = {
      waitForChanges: () => Promise.resolve({ state: 'ready' }),
      report: () => report,
      textOf: (path: string) => Promise.resolve(texts[path]),
      languageOf: () => language,
      changedSince: () => Promise.resolve(changed ?? { problem: 'no Git' }),
    };
    const answer = await getDuplicate(access as unknown as Access, { id: 'a' });
    assert.ok('data' in answer, JSON.stringify(answer));
    return answer.data;
  }
  const documented = `/** Parses a header. */\n${parsing}`;
  const allLines = [{ startLine: 1, endLine: 2 ** 31 }];

  test('keeps the committed copy, although a new one comes before it', async () => {
    const changed = new Map([
      ['src/a.ts', allLines],
      ['src/z.ts', [{ startLine: 1, endLine: 2 }]],
    ]);
    const { copies, differences, next } = await show({
      texts: { 'src/a.ts': documented, 'src/z.ts': parsing },
      changed,
    });
    assert.deepEqual([copies[0].place, differences[0].place], ['src/z.ts:1-15', 'src/a.ts:1-16']);
    assert.match(next, /^Make one function of src\/z\.ts:1-15, function parseHeader\(/);
  });

  test('keeps the documented copy, and source rather than tests, without Git', async () => {
    const texts = { 'src/a.ts': parsing, 'src/b.ts': documented, 'src/c.test.ts': documented };
    assert.equal((await show({ texts })).copies[0].place, 'src/b.ts:1-16');
    const hidden = parsing.replace('export ', '');
    const others = { 'a/x.test.ts': documented, 'src/a.ts': `import 'x';\n${hidden}`, 'src/b.ts': parsing };
    const { copies } = await show({ texts: others });
    assert.deepEqual(
      copies.map(({ place }) => place),
      ['src/b.ts:1-15', 'a/x.test.ts:1-16', 'src/a.ts:1-16'],
    );
  });

  test('does not advise a parameter if the copies have obstacles', async () => {
    const other = parsing.replace('known.push(', 'if (limit > 3) known.push(');
    const { merge, next } = await show({ texts: { 'src/a.ts': parsing, 'src/b.ts': other } });
    assert.deepEqual(merge?.signatures, []);
    assert.ok(merge.obstacles.length > 0);
    assert.equal(
      next,
      'One function cannot replace them as they are: see merge.obstacles. Extract only the part that is equal from src/a.ts:1-15 and call it in the other place, or leave the copies and apply each edit of one copy to all.',
    );
  });

  test('does not advise a function that saves no lines', async () => {
    const call = (name: string): string =>
      `export const ${name} = (row: Row, size: number): string =>\n  row.read(size).map((cell) => cell.text).join('${name}');\n`;
    const { merge, next } = await show({ texts: { 'src/a.ts': call('one'), 'src/b.ts': call('two') } });
    assert.deepEqual([merge?.obstacles, merge?.savedLines], [[], 0]);
    assert.equal(next, 'Merging them saves no lines: leave the copies, and apply each edit of one copy to all.');
  });

  test('advises one function if it replaces all copies, and one text for prose', async () => {
    const renamed = parsingRenamed.replace('no sign', 'no colon');
    const { next } = await show({ texts: { 'src/a.ts': parsing, 'src/b.ts': renamed } });
    assert.match(
      next,
      /^Make one function of src\/a\.ts:1-15, function .*\(.*, and call that in both places; until then,/,
    );
    const prose = { kind: 'prose', language: 'markdown' } as const;
    const texts = { 'a.md': 'One line of text.\n', 'b.md': 'One line of text.\n', 'c.md': 'One line of text.\n' };
    assert.equal(
      (await show({ texts, type: 'exact', ...prose })).next,
      'Keep a.md:1, and use it in the 2 other places; until then, apply each edit of one copy to all.',
    );
    assert.match((await show({ texts, ...prose })).next, /^Keep what they have in common in a\.md:1, and refer to it/);
  });
});
