/** The first findings of a plan: some of the exact copies, which leave the plan unchanged. */
import assert from 'node:assert/strict';
import { Corpus } from '../../src/core/engine/corpus.ts';
import type { CorpusPlan } from '../../src/core/engine/comparison.ts';
import { DocumentIndexer } from '../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { Matcher } from '../../src/core/engine/matches/matches.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import type { Findings, Group } from '../../src/core/engine/report/report.ts';
import { lastOf } from '../../src/core/engine/steps.ts';
import { functionsOf } from '../passages.ts';
import type { Documents } from './corpusOf.ts';

suite('first findings', () => {
  test('contain the longest copies of source, and only pairs of files that the report has', () => {
    const { plan, finish } = planOf(tree());
    const first = lastOf(plan.firstSteps({ skipped: [], complete: false }));
    const last = finish();
    assert.equal(first.complete, false);
    assert.ok(first.groups.some((group) => isOf(group, 'long.ts', 'longCopy.ts')));
    assert.ok(first.groups.length < last.groups.length);
    assert.deepEqual(
      first.groups.filter(({ category }) => category === 'tests'),
      [],
    );
    const pairs = new Set(last.groups.flatMap(pairsIn));
    for (const pair of first.groups.flatMap(pairsIn)) assert.ok(pairs.has(pair), pair);
  });

  test('do not change the report, even if their computation is ended early', () => {
    const alone = planOf(tree()).finish();
    const { kernel, plan, finish } = planOf(tree());
    const before = kernel.mark();
    lastOf(plan.firstSteps({ skipped: [], complete: false }));
    const cut = plan.firstSteps({ skipped: [], complete: false });
    for (let step = 0; step < 2; step++) assert.notEqual(cut.next().done, true);
    cut.return(undefined as unknown as Findings);
    assert.equal(kernel.mark(), before);
    assert.equal(JSON.stringify(finish()), JSON.stringify(alone));
  });

  test('are not limited by copies of a single file', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`copies/${i}.ts`, functionsOf('same', 40)]));
    const { plan } = planOf({ ...many, ...tree() });
    const { groups } = lastOf(plan.firstSteps({ skipped: [], complete: false }));
    assert.ok(groups.some((group) => isOf(group, 'long.ts', 'longCopy.ts')));
    assert.ok(groups.some(({ passages }) => passages.some(({ path }) => path.startsWith('copies/'))));
  });
});

/** A pair of long copies, many pairs of shorter ones, and a pair of tests. */
function tree(): Documents {
  const short = Array.from({ length: 60 }, (_, i): [string, string][] => [
    [`short/${i}.ts`, `${functionsOf(`own${i}`, 2)}${functionsOf(`shared${i}`, 2)}`],
    [`short/${i}b.ts`, `${functionsOf(`other${i}`, 2)}${functionsOf(`shared${i}`, 2)}`],
  ]).flat();
  const long = functionsOf('long', 60);
  const tests = functionsOf('test', 50);
  return Object.fromEntries<string>([
    ...short,
    ['long.ts', `${functionsOf('before', 3)}${long}`],
    ['longCopy.ts', `${long}${functionsOf('after', 3)}`],
    ['a.test.ts', tests],
    ['b.test.ts', tests],
  ]);
}

function planOf(documents: Documents): { kernel: Kernel; plan: CorpusPlan; finish: () => Findings } {
  const kernel = new Kernel(createMemory());
  const indexer = new DocumentIndexer(kernel, defaultOptions);
  const corpus = new Corpus(kernel, defaultOptions);
  for (const [path, text] of Object.entries(documents)) {
    const bytes = new TextEncoder().encode(text);
    const room = indexer.reserve(bytes.length);
    room.set(bytes);
    corpus.adopt(path, indexer.index(room, lexiconForPath(path)));
  }
  const plan = lastOf(corpus.planSteps());
  const finish = (): Findings => {
    const records = new Matcher(kernel, plan.task, defaultOptions).matchSeeds(0, plan.task.seeds.count);
    return lastOf(plan.finishSteps(records, { skipped: [], complete: true }));
  };
  return { kernel, plan, finish };
}

function pairsIn({ passages }: Group): string[] {
  const paths = passages.map(({ path }) => path);
  return paths.flatMap((a) => paths.map((b) => `${a} ${b}`));
}

function isOf({ passages }: Group, ...paths: readonly string[]): boolean {
  return paths.every((path) => passages.some((passage) => passage.path === path));
}
