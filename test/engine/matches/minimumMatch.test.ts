/** Limits for some paths in a complete corpus: for each pair, the stricter limits of both files apply. */
import assert from 'node:assert/strict';
import type { Minimum } from '../../../src/core/engine/matches/minimumMatch.ts';
import type { Group } from '../../../src/core/engine/report/report.ts';
import { harbour, parsing, parsingRenamed } from '../../passages.ts';
import { findingsOf } from '../corpusOf.ts';

/** Checks the files of each group of passages if limits apply to some files. */
function check(
  documents: Readonly<Record<string, string>>,
  minimums: Readonly<Record<string, Minimum>>,
  expected: readonly string[],
): readonly Group[] {
  const { groups } = findingsOf(documents, {}, undefined, undefined, (path) => minimums[path]);
  const passages = groups.filter(({ kind }) => kind !== 'file');
  assert.deepEqual(
    passages.map((group) => group.passages.map(({ path }) => path).join(' ')),
    expected,
  );
  return passages;
}

suite('limits of matches', () => {
  const three = { 'a.ts': parsing, 'b.ts': parsing, 'c.ts': parsing };
  const { lines, tokens } = check(three, {}, ['a.ts b.ts c.ts'])[0];

  test('apply to the lines and tokens of both passages', () => {
    check(three, { 'c.ts': { lines, tokens } }, ['a.ts b.ts c.ts']);
    check(three, { 'c.ts': { lines: lines + 1 } }, ['a.ts b.ts']);
    check(three, { 'c.ts': { tokens: tokens + 1 } }, ['a.ts b.ts']);
  });

  test('are those of the stricter file, in either order', () => {
    check(three, { 'a.ts': { tokens: tokens + 1 }, 'b.ts': { tokens } }, ['b.ts c.ts']);
    check(three, { 'a.ts': { tokens: tokens + 1 }, 'b.ts': { lines: lines + 1 } }, []);
  });

  test('cannot be lower than the general options', () => {
    check({ 'a.ts': parsing, 'b.ts': parsing }, { 'a.ts': { tokens: 10, lines: 1, similarity: 0.3 } }, ['a.ts b.ts']);
    const short = parsing.split('\n').slice(0, 4).join('\n');
    check({ 'a.ts': short, 'b.ts': short }, { 'a.ts': { tokens: 10, lines: 1 } }, []);
  });

  test('exclude copies with more edits if they limit the similarity', () => {
    const edited = parsing.replace(/^(.*\n){2}/, (head) => `${head}  const another = other(1, 'something else');\n`);
    const documents = { 'a.ts': parsing, 'b.ts': parsing, 'c.ts': edited };
    const [all] = check(documents, {}, ['a.ts b.ts c.ts']);
    assert.ok(all.similarity < 0.99, String(all.similarity));
    check(documents, { 'c.ts': { similarity: 0.999 } }, ['a.ts b.ts']);
    check({ 'a.ts': parsing, 'c.ts': parsingRenamed }, { 'c.ts': { similarity: 0.5 } }, ['a.ts c.ts']);
  });

  test('count words for prose, and lines for code only', () => {
    const pages = { 'a.md': harbour, 'b.md': harbour };
    const [{ tokens: words }] = check(pages, { 'a.md': { lines: 500 } }, ['a.md b.md']);
    check(pages, { 'a.md': { tokens: words } }, ['a.md b.md']);
    check(pages, { 'a.md': { tokens: words + 1 } }, []);
  });
});
