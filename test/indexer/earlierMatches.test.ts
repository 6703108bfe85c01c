/** Matches of an earlier run: reusing the valid ones has the same result as matching everything. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Corpus } from '../../src/core/engine/corpus.ts';
import { DocumentIndexer } from '../../src/core/engine/documents/indexDocument.ts';
import { partsOf } from '../../src/core/engine/documents/namedDocument.ts';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { pairWords } from '../../src/core/engine/matches/knownMatches.ts';
import { Matcher } from '../../src/core/engine/matches/matches.ts';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import type { Findings } from '../../src/core/engine/report/report.ts';
import { lastOf } from '../../src/core/engine/steps.ts';
import {
  type ComparedDocument,
  type EarlierMatches,
  knownOverlaps,
  removeKnownSteps,
  noComparisons,
} from '../../src/scan/indexer/earlierMatches.ts';
import { beginEpoch } from '../../src/scan/indexer/epoch.ts';
import { withoutOthers } from '../../src/scan/indexer/matchesFile.ts';
import { passageEntries } from './comparisonEntries.ts';
import { allBodies, names, text } from './functionTexts.ts';
import { indexedFile } from './indexedFile.ts';

type Texts = Readonly<Record<string, string>>;

/** Findings of a corpus, and the number of seeds that had to be matched. */
interface Compared {
  readonly findings: Findings;
  readonly matches: EarlierMatches;
  readonly seeds: number;
  /** Number of words of reused comparisons of passages. */
  readonly reused: number;
  readonly isProse: (document: ComparedDocument) => boolean;
}

function compare(texts: Texts, options: Options, earlier: EarlierMatches | undefined, idfTable?: Uint8Array): Compared {
  const mark = kernel.mark();
  const indexer = new DocumentIndexer(kernel, options);
  const corpus = new Corpus(kernel, options, idfTable);
  const files = Object.entries(texts).map(([path, text]) => indexedFile(indexer, path, text));
  for (const { path, content } of files) corpus.adopt(path, content);
  for (const { a, b, counts } of earlier ? knownOverlaps(files, earlier) : []) corpus.knowOverlap(a, b, counts);
  const plan = lastOf(corpus.planSteps());
  const left = lastOf(removeKnownSteps(kernel, plan, files, earlier));
  const { count } = left.task.seeds;
  const records = left.join([new Matcher(kernel, left.task, options).matchSeeds(0, count)]);
  const findings = lastOf(plan.finishSteps(records, { skipped: [], complete: true, compared: left.compared }));
  const matches = left.keep(records, beginEpoch(corpus.idfTable()!, files), () => corpus.comparisons());
  kernel.release(mark);
  const prose = files.flatMap(({ path, content }) => partsOf(path, content)).filter(({ index }) => index.prose);
  const isProse = (document: ComparedDocument): boolean =>
    prose.some(({ path, part }) => path === document.path && part === document.part);
  return { findings, matches, seeds: count, reused: left.compared.length, isProse };
}

/** Shared by all tests. Its memory is released after use. */
const kernel = new Kernel(createMemory());

const texts = fc.dictionary(names, text);

suite('matches of an earlier run', () => {
  test('are not affected by known results of other documents, k, tables, and orders', () => {
    let reused = 0;
    fc.assert(
      fc.property(
        texts,
        texts,
        fc.integer({ min: 0, max: 4 }),
        fc.boolean(),
        (before, changes, maxDistance, isKept) => {
          const options: Options = { ...defaultOptions, minTokens: 20, readComments: 'asText' };
          const earlier = compare(before, options, undefined);
          const now = { ...options, maxDistance };
          const after = { ...before, ...changes };
          const table = isKept ? earlier.matches.epoch.idfTable : undefined;
          const fresh = compare(after, now, undefined, table);
          const valid = withoutOthers(earlier.matches, [options, now], earlier.isProse);
          const resumedScan = compare(after, now, valid, table);
          assert.deepEqual(resumedScan.findings, fresh.findings);
          assert.deepEqual(resumedScan.matches.documents, fresh.matches.documents);
          assert.deepEqual(resumedScan.matches.matches, fresh.matches.matches);
          const [all, left] = [fresh, resumedScan].map(({ matches }) => passageEntries(matches.comparisons));
          assert.deepEqual(left, all);
          assert.ok(resumedScan.seeds <= fresh.seeds);
          reused += resumedScan.reused;
        },
      ),
    );
    assert.ok(reused > 0);
  });

  test('are not affected by known matches of one kind, if only the limits of the other kind have changed', () => {
    const limits = fc.record({
      tokens: fc.constantFrom(25, 30, 60),
      similarity: fc.constantFrom(0.4, 0.55, 0.8),
    });
    const page = 'Whoever buys what is sold here pays for it before it is sent, and gets it within a week or two. ';
    fc.assert(
      fc.property(texts, limits, fc.boolean(), (documents, { tokens, similarity }, ofProse) => {
        const options: Options = { ...defaultOptions, minTokens: 20, readComments: 'asText' };
        const all = { ...documents, 'g.md': page.repeat(3), 'h.md': page.repeat(2) };
        const now: Options = ofProse
          ? { ...options, prose: { ...options.prose, minWords: tokens, minSimilarity: similarity } }
          : { ...options, minTokens: tokens, minSimilarity: similarity };
        const earlier = compare(all, options, undefined);
        const table = earlier.matches.epoch.idfTable;
        const kept = {
          ...withoutOthers(earlier.matches, [options, now], earlier.isProse),
          comparisons: noComparisons,
        };
        const [fresh, resumedScan] = [undefined, kept].map((it) => compare(all, now, it, table));
        assert.deepEqual(resumedScan.findings, fresh.findings);
        assert.deepEqual(resumedScan.matches.matches, fresh.matches.matches);
        const has = (prose: boolean): boolean =>
          earlier.matches.matches.pairs.some(
            (document, at) => at % pairWords === 0 && earlier.isProse(earlier.matches.documents[document]) === prose,
          );
        assert.equal(resumedScan.seeds > 0, has(ofProse));
        assert.equal(resumedScan.seeds < fresh.seeds, has(!ofProse));
      }),
    );
  });

  test('are all reused if nothing has changed', () => {
    fc.assert(
      fc.property(texts, (documents) => {
        const earlier = compare(documents, defaultOptions, undefined);
        assert.equal(compare(documents, defaultOptions, earlier.matches).seeds, 0);
      }),
    );
  });

  const work = (name: string, call: string): string =>
    `function ${name}() {\n${allBodies.join('')}  ${call};\n}\n`.repeat(2);
  const three = { 'a.ts': work('one', 'tide(4)'), 'b.ts': work('one', 'moon(5)'), 'c.md': 'Nothing is said here.\n' };

  test('are valid with distances of code that require the same score', () => {
    const earlier = compare(three, defaultOptions, undefined);
    const optionsAt = (maxDistance: number): Options => ({ ...defaultOptions, maxDistance });
    const isValid = (before: number, after: number): boolean => {
      const valid = withoutOthers(earlier.matches, [optionsAt(before), optionsAt(after)], earlier.isProse);
      return valid.matches.pairs.length > 0;
    };
    assert.deepEqual([isValid(3, 0), isValid(1, 3), isValid(6, 16)], [true, true, true]);
    assert.deepEqual([isValid(3, 4), isValid(6, 3), isValid(5, 6)], [false, false, false]);
  });

  test('a changed document is matched with the current table', () => {
    const earlier = compare(three, defaultOptions, undefined);
    assert.ok(earlier.seeds > 0);
    const { idfTable } = earlier.matches.epoch;
    const prose = { ...three, 'c.md': 'Something else is said here.\n' };
    assert.equal(compare(prose, defaultOptions, earlier.matches, idfTable).seeds, 0);
    const code = { ...three, 'b.ts': work('one', 'moon(6)') };
    assert.ok(compare(code, defaultOptions, earlier.matches, idfTable).seeds > 0);
    const others = Uint8Array.from(idfTable, (idf) => (idf > 0 ? idf - 1 : 0));
    const reweighed = compare(three, defaultOptions, earlier.matches, others);
    assert.equal(reweighed.seeds, earlier.seeds);
    assert.deepEqual(reweighed.findings, compare(three, defaultOptions, undefined, others).findings);
  });
});
