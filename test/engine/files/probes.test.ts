/** Search for probes in samples, compared with its definition. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SampleList } from '../../../src/core/engine/files/containmentCandidates.ts';
import { sketchBytes } from '../../../src/core/engine/documents/fileSketch.ts';
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';

const kernel = new Kernel(createMemory());

/** Returns a document with a sample only, since the search reads nothing else. */
function documentOf(sample: readonly number[]): DocumentIndex {
  const sketch = kernel.allocate(sketchBytes(sample.length));
  kernel.words.set(sample, (sketch + sketchBytes(0)) >>> 2);
  return { sketch, sketchSample: sample.length } as DocumentIndex;
}

/** Hashes that often collide, in the bit table as well, and the greatest possible hash. */
const hash = fc.oneof(
  fc.nat(40),
  fc.nat(3).map((n) => 5 + 0x10000 * n),
  fc.constantFrom(0xffff_ffff, 0xffff_fffe),
);

function listOf(samples: readonly (readonly number[])[]): SampleList {
  const list = new SampleList();
  samples.forEach((sample, number) => list.add(number, documentOf(sample)));
  return list;
}

suite('probes', () => {
  test('each sample receives each probe that it contains once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(hash, { maxLength: 12 }), { maxLength: 6 }),
        fc.uniqueArray(hash, { minLength: 1, maxLength: 8 }),
        fc.uniqueArray(fc.nat(5), { maxLength: 4 }),
        (samples, hashes, removedSamples) => {
          const mark = kernel.mark();
          const probes = Uint32Array.from(hashes).sort();
          const list = listOf(samples);
          const left = removedSamples.filter((number) => number < samples.length);
          for (const number of left) list.delete(number);
          const found = list.find(kernel, probes);
          const pairs = Array.from(
            { length: found.length / 2 },
            (_, i) => `${list.ownerOf(found[2 * i])} ${found[2 * i + 1]}`,
          );
          kernel.release(mark);
          const expected = samples.flatMap((sample, s) =>
            [...probes.keys()].filter((p) => !left.includes(s) && sample.includes(probes[p])).map((p) => `${s} ${p}`),
          );
          assert.deepEqual(pairs.sort(), expected.sort());
        },
      ),
    );
  });
  test('the output grows if it was too small at first', () => {
    const mark = kernel.mark();
    const list = listOf(Array.from({ length: 3000 }, () => [3, 1, 2, 1]));
    assert.equal(list.find(kernel, Uint32Array.of(1, 3, 9)).length, 2 * 2 * 3000);
    kernel.release(mark);
  });
});
