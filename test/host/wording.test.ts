import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Group, Totals } from '../../src/core/engine/report/report.ts';
import { explanationText } from '../../src/surfaces/vscode/editor/explainMatch.ts';
import { headlineOf } from '../../src/presentation/wording/headline.ts';
import {
  groupTitle,
  headlineText,
  lineRange,
  nameBeside,
  namesAmong,
  pairOfPlaces,
  place,
  type ShownPassage,
  spokenRange,
} from '../../src/surfaces/vscode/wording.ts';
import { percent } from '../../src/presentation/wording/likeness.ts';
import { findingsOf, groupOf, passageOf, totalsOf } from './reports.ts';

suite('wording', () => {
  test('shows 100% only for equal copies', () => {
    assert.deepEqual([1, 0.999, 0.29, 0.5].map(percent), ['100%', '99%', '29%', '50%']);
  });

  test('explains copies in which only values differ', () => {
    const [a, b] = ['a.ts', 'b.ts'].map((path) => ({ path, startLine: 1, endLine: 9, tokens: 60, totalLines: 9 }));
    const measures = { resemblance: 0.8, containmentOfA: 0.9, containmentOfB: 0.9, weightedResemblance: 0.8 };
    const explained = (sameTokens: number, onlyA: readonly string[]): string =>
      explanationText(
        {
          ...measures,
          a,
          b,
          sameTokens,
          distance: 2,
          windowDistance: 0,
          shingleSize: 5,
          fingerprints: ['0', '3'],
          shared: [],
          differing: [],
          words: { both: ['day'], onlyA, onlyB: [] },
        },
        'renamed, 98% similar',
      );
    const sentence = '\n\nAll names and words occur in both: they differ in values, signs, or order.\n';
    assert.deepEqual(
      [explained(0.98, []), explained(0.98, ['hour']), explained(1, [])].map((text) => text.includes(sentence)),
      [true, false, false],
    );
  });

  test('writes places as terminals link them', () => {
    assert.equal(place(passageOf('src/a.ts', 3, 9)), 'src/a.ts:3-9');
    assert.equal(lineRange(passageOf('a', 3, 3)), '3');
  });

  test('writes places as screen readers say them', () => {
    const inCells = (first: number, last: number, startLine: number, endLine: number): ShownPassage => ({
      ...passageOf('a.ipynb', 1, 99),
      cells: { first, last, startLine, endLine },
    });
    assert.deepEqual(
      [passageOf('a', 3, 9), passageOf('a', 3, 3), inCells(1, 1, 3, 3), inCells(1, 1, 3, 9), inCells(3, 5, 1, 2)].map(
        spokenRange,
      ),
      ['lines 3 to 9', 'line 3', 'cell 1, line 3', 'cell 1, lines 3 to 9', 'cells 3 to 5'],
    );
  });

  test('summarizes a report by the duplicates in source and text', () => {
    const check = (text: string, categories: Totals['categories']): void =>
      assert.equal(headlineText(headlineOf({ ...findingsOf([], []).totals, categories })), text);
    const [source, text, tests] = [totalsOf(60, 100, 7), totalsOf(3, 200, 2), totalsOf(50, 100, 9)];
    check('9 duplicates, 21% of source and text', { source, text, tests });
    check('7 duplicates, 60% of source', { source, tests });
    check('2 duplicates, 1.5% of text', { text });
    check('9 duplicates, 50% of all lines', { tests });
    check('No duplicates in source and text', { source: totalsOf(0, 9, 0), text: totalsOf(0, 9, 0), tests });
    check('No duplicates', {});
  });

  test('names a group by its kind, type, and similarity', () => {
    const title = (changes: Partial<Group>) => groupTitle({ ...groupOf('g'), ...changes });
    assert.equal(title({ type: 'exact', similarity: 1 }), '2 exact copies');
    assert.equal(title({ type: 'near', similarity: 0.934 }), '2 near-duplicates, 93% similar');
    const pairs = [0.934, 0.7, 0.999].map((similarity) => ({ a: 0, b: 1, similarity, distance: 1 }));
    assert.equal(title({ type: 'near', similarity: 0.7, pairs }), '2 near-duplicates, 70 to 99% similar');
    assert.equal(
      title({ type: 'near', similarity: 0.934, pairs: pairs.slice(0, 1) }),
      '2 near-duplicates, 93% similar',
    );
    assert.equal(title({ type: 'renamed', similarity: 0.9 }), '2 renamed copies, 90% similar');
    assert.equal(title({ type: 'exact', kind: 'file' }), '2 identical files');
    assert.equal(title({ type: 'near', kind: 'file', similarity: 0.8 }), '2 near-duplicate files, 80% similar');
    const inside = { pairs: [{ a: 0, b: 1, similarity: 0.5, distance: 9, containment: [0.12, 0.967] as const }] };
    assert.equal(title({ type: 'near', kind: 'file', inside: 1, ...inside }), '96% of b.ts is in a.ts');
    assert.equal(
      title({ type: 'near', kind: 'file', similarity: 0.5, ...inside }),
      '2 near-duplicate files, 50% similar',
    );
  });

  test('names a file with a folder if another one has the same name', () => {
    assert.equal(nameBeside('x/a.ts', 'y/b.ts'), 'a.ts');
    assert.equal(nameBeside('x/web/a.ts', 'x/node/a.ts'), 'web/a.ts');
    assert.equal(nameBeside('web/lib/src/a.ts', 'node/lib/src/a.ts'), 'web/…/a.ts');
    assert.equal(nameBeside('a.ts', 'x/a.ts'), 'a.ts');
    assert.equal(nameBeside('x/a.ts', 'a.ts'), 'x/a.ts');
    assert.equal(nameBeside('b/a.ts', 'x/b/a.ts'), 'b/a.ts');
  });

  test('distinguishes several files of one name by the folders that differ', () => {
    const namesOf = (...paths: readonly string[]) => paths.map((path) => namesAmong(paths).get(path));
    assert.deepEqual(namesOf('packages/core/package.json', 'packages/git/package.json', 'package.json', 'a/b.ts'), [
      ...['core/package.json', 'git/package.json', 'package.json', 'b.ts'],
    ]);
    assert.deepEqual(namesOf('v1/a/src/p.json', 'v1/b/src/p.json', 'v2/a/src/p.json'), [
      ...['v1/a/…/p.json', 'b/…/p.json', 'v2/a/…/p.json'],
    ]);
    const about = (version: string) => passageOf(`reference/${version}/Core/About/about_Arrays.md`, 10, 1172);
    assert.deepEqual(pairOfPlaces(about('7.4'), about('7.5')), [
      ...['7.4/…/about_Arrays.md:10-1172', '7.5/…/about_Arrays.md:10-1172'],
    ]);
    assert.deepEqual(pairOfPlaces(passageOf('a/b.ts', 1, 9), passageOf('a/b.ts', 30, 38)), ['b.ts:1-9', '30-38']);
  });

  test('gives each of several files its own name, made of its path', () => {
    const folderNames = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 });
    const path = fc
      .tuple(folderNames, fc.constantFrom('x.ts', 'y.ts'))
      .map(([folders, name]) => [...folders, name].join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
        const names = namesAmong(paths);
        assert.equal(new Set(names.values()).size, paths.length);
        for (const [of, name] of names) {
          const [start, end] = name.split('/…/');
          assert.ok(end === undefined ? of.endsWith(name) : of.includes(`${start}/`) && of.endsWith(`/${end}`), name);
        }
      }),
    );
  });
});
