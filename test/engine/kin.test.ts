/** Additional copies never hide a pair: if two texts are found alone, they are in one row among relatives too. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import type { Findings } from '../../src/core/engine/report/report.ts';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { type Documents, TextCorpus } from './corpusOf.ts';

/** Number of lines of a function, and frequency of changed lines in each relative. */
const lineCount = 14;
const family = fc.record({
  name: fc.constantFrom('copy', 'parse', 'render'),
  relatives: fc.array(
    fc.record({
      edits: fc.uniqueArray(fc.nat(lineCount - 1), { maxLength: 6, size: 'max' }),
      variant: fc.nat(40),
    }),
    { minLength: 3, maxLength: 24, size: 'max' },
  ),
});

suite('relatives', () => {
  test('a pair that is found alone is in one row among its relatives', () => {
    let [found, kept, inRows] = [0, 0, 0];
    fc.assert(
      fc.property(fc.array(family, { minLength: 1, maxLength: 2 }), (families) => {
        const documents = documentsOf(families);
        const all = corpusOf(documents, undefined);
        const findings = all.findings();
        const paths = Object.keys(documents);
        for (let i = 0; i + 1 < paths.length; i += 3) {
          const [x, y] = [paths[i], paths[(i * 7 + 1) % paths.length]];
          if (x === y) continue;
          const alone = corpusOf({ [x]: documents[x], [y]: documents[y] }, all.idfTable()).findings();
          if (!inOne(alone, x, y, groupsAsRows)) continue;
          found++;
          if (inOne(findings, x, y, rowOf)) inRows++;
          if (inOne(findings, x, y, groupsAsRows)) kept++;
        }
      }),
      { numRuns: scaled(60) },
    );
    assert.ok(found > scaled(200), `${found} pairs were found alone`);
    assert.ok(kept < found, 'rows have nothing to join: the relatives are too much alike');
    // In a crowd, windows are linked to few others, so a third relative may be compared with neither of two relatives.
    assert.ok(inRows >= 0.99 * found, `of ${found} pairs ${found - inRows} are in no row`);
  });
});

function documentsOf(families: readonly { name: string; relatives: readonly Relative[] }[]): Documents {
  const documents: Record<string, string> = {};
  for (const [f, { name, relatives }] of families.entries()) {
    for (const [i, relative] of relatives.entries()) documents[`${f}/${name}${i}.ts`] = textOf(`${name}${f}`, relative);
  }
  return documents;
}

interface Relative {
  readonly edits: readonly number[];
  readonly variant: number;
}

/** Returns a function with unique lines at the positions in `edits`, and common lines elsewhere. */
function textOf(name: string, { edits, variant }: Relative): string {
  const lines = Array.from({ length: lineCount }, (_, line) =>
    edits.includes(line)
      ? `  other${variant}${line}.send(${name}${variant}, [${variant}, ${line}]);`
      : `  const ${name}Part${line} = this.${name}Step${line}(input.${name}${line}, ${line});`,
  );
  return `function ${name}(input) {\n${lines.join('\n')}\n  return input;\n}\n`;
}

function corpusOf(documents: Documents, idfTable: Uint8Array | undefined): TextCorpus {
  const corpus = new TextCorpus({}, new Kernel(createMemory()), idfTable);
  for (const [path, text] of Object.entries(documents)) corpus.put(path, text);
  return corpus;
}

type KeyOf = (group: Findings['groups'][number]) => string;

function groupsAsRows({ id }: Findings['groups'][number]): string {
  return id;
}

function rowOf({ id, parent }: Findings['groups'][number]): string {
  return parent ?? id;
}

/** True if one group, or one row, contains most lines of both texts. Groups of whole files do not count. */
function inOne({ groups }: Findings, x: string, y: string, keyOf: KeyOf): boolean {
  const files = new Set(groups.filter(({ kind }) => kind === 'file').map(({ id }) => id));
  const lines = new Map<string, [Set<number>, Set<number>]>();
  for (const group of groups) {
    if (group.kind === 'file') continue;
    const key = files.has(keyOf(group)) ? group.id : keyOf(group);
    for (const { path, startLine, endLine } of group.passages) {
      if (path !== x && path !== y) continue;
      const sides = lines.get(key) ?? [new Set<number>(), new Set<number>()];
      lines.set(key, sides);
      for (let line = startLine; line <= endLine; line++) sides[path === x ? 0 : 1].add(line);
    }
  }
  return [...lines.values()].some((sides) => sides.every(({ size }) => size >= 0.7 * (lineCount + 3)));
}
