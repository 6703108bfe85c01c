/** Search for probes in samples, compared with its definition. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  containmentCandidatesSteps,
  mayContain,
  probesOf,
  SampleList,
} from '../../../src/core/engine/files/containmentCandidates.ts';
import { sketchBytes } from '../../../src/core/engine/documents/fileSketch.ts';
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import { constants } from '../../../src/core/engine/constants.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { lastOf, Pace } from '../../../src/core/engine/steps.ts';
import { reachesAllCases, scaled } from '../../../scripts/scaled.mjs';

const kernel = new Kernel(createMemory());

/** Returns a document with a sample only, since the search reads nothing else. */
function documentOf(sample: readonly number[]): DocumentIndex {
  const sketch = kernel.allocate(sketchBytes(sample.length));
  kernel.words.set(sample, (sketch + sketchBytes(0)) >>> 2);
  return { sketch, sketchSample: sample.length } as DocumentIndex;
}

/** Hashes that often collide, in the bit table as well, hashes of all ranges, and the greatest possible hash. */
const hash = fc.oneof(
  fc.nat(40),
  fc.nat(3).map((n) => 5 + 0x10000 * n),
  fc.nat(15).map((n) => 5 + 0x1000_0000 * n),
  fc.constantFrom(0xffff_ffff, 0xffff_fffe),
);

function listOf(samples: readonly (readonly number[])[]): SampleList {
  const list = new SampleList();
  samples.forEach((sample, number) => list.add(kernel, number, documentOf(sample)));
  return list;
}

/** Changes of a list: documents with new samples, or without one. Some numbers have more than 16 bits. */
const changes = fc.dictionary(
  fc.constantFrom('0', '1', '2', '3', '4', '5', '70000', '70001'),
  fc.option(fc.array(hash, { maxLength: 12 }), { nil: undefined }),
  { maxKeys: 5 },
);

suite('probes', () => {
  test('each sample receives each probe that it contains once', () => {
    const seen = { hits: 0, indexed: 0 };
    fc.assert(
      fc.property(
        fc.array(fc.tuple(changes, fc.uniqueArray(hash, { minLength: 1, maxLength: 8 })), { minLength: 1 }),
        fc.nat(6),
        fc.nat(24),
        (history, maxUnindexed, maxLater) => {
          const mark = kernel.mark();
          const list = new SampleList(maxUnindexed, maxLater);
          const samples = new Map<number, readonly number[]>();
          for (const [changed, hashes] of history) {
            for (const [key, sample] of Object.entries(changed)) {
              const number = Number(key);
              if (samples.delete(number)) list.delete(number);
              if (sample === undefined) continue;
              samples.set(number, sample);
              list.add(kernel, number, documentOf(sample));
            }
            lastOf(list.indexSteps(kernel, new Pace()));
            const probes = Uint32Array.from(hashes).sort();
            const found = list.find(kernel, probes);
            const pairs = Array.from({ length: found.length / 2 }, (_, i) => `${found[2 * i]} ${found[2 * i + 1]}`);
            const expected = Array.from(samples).flatMap(([number, sample]) =>
              [...probes.keys()].filter((p) => sample.includes(probes[p])).map((p) => `${number} ${p}`),
            );
            assert.deepEqual(pairs.sort(), expected.sort());
            seen.hits += pairs.length;
            if (samples.size > maxUnindexed) seen.indexed++;
          }
          kernel.release(mark);
        },
      ),
      { numRuns: scaled(300) },
    );
    assert.ok(!reachesAllCases || Math.min(...Object.values(seen)) > 20, JSON.stringify(seen));
  });
  test('the output grows if it was too small at first', () => {
    const mark = kernel.mark();
    const list = listOf(Array.from({ length: 3000 }, () => [3, 1, 2, 1]));
    assert.equal(list.find(kernel, Uint32Array.of(1, 3, 9)).length, 2 * 2 * 3000);
    kernel.release(mark);
  });
  test('the filter grows with the number of probes', () => {
    const mark = kernel.mark();
    const probes = Uint32Array.from({ length: 20_000 }, (_, i) => 3 * i);
    const list = listOf([Array.from({ length: 60_000 }, (_, i) => i)]);
    const found = list.find(kernel, probes);
    kernel.release(mark);
    assert.deepEqual(
      found.filter((_, i) => i % 2 === 1),
      Uint32Array.from(probes.keys()),
    );
  });
  test('the probes of a document are the smallest hashes of its sample', () => {
    fc.assert(
      fc.property(fc.array(hash, { maxLength: 40 }), (sample) => {
        const mark = kernel.mark();
        const probes = probesOf(kernel, documentOf(sample));
        kernel.release(mark);
        assert.deepEqual(probes, smallestOf(sample));
      }),
    );
  });
  test('a document may contain those of which its sample has half of the probes', () => {
    const samples = fc.array(fc.array(fc.nat(9), { maxLength: 12 }), { maxLength: 80, size: 'max' });
    let [foundCount, commonCount] = [0, 0];
    fc.assert(
      fc.property(samples, (all) => {
        const mark = kernel.mark();
        const found = lastOf(containmentCandidatesSteps(kernel, all.map(documentOf)));
        kernel.release(mark);
        const { commonProbe, containersTried } = constants.files.containment;
        const probes = all.map(smallestOf);
        const isCommon = (probe: number): boolean => probes.filter((list) => list.includes(probe)).length > commonProbe;
        commonCount += Number(probes.flat().some(isCommon));
        const rare = probes.map((list) => list.filter((probe) => !isCommon(probe)));
        const expected = all.map((_, inner) =>
          all
            .map((sample, outer) => ({ outer, hits: rare[inner].filter((probe) => sample.includes(probe)).length }))
            .filter(({ outer, hits }) => outer !== inner && hits > 0 && mayContain(hits, probes[inner].length))
            .sort((x, y) => y.hits - x.hits || x.outer - y.outer)
            .slice(0, containersTried)
            .map(({ outer }) => outer),
        );
        foundCount += expected.flat().length;
        assert.deepEqual(found, expected);
      }),
    );
    assert.ok(foundCount > 0 && commonCount > 0);
  });
});

/** Returns the smallest distinct hashes of a sample, by definition. */
function smallestOf(sample: readonly number[]): number[] {
  return [...new Set(sample)].sort((x, y) => x - y).slice(0, constants.files.containment.probes);
}
