/** Sorted lists of fingerprints, read from files in memory and in parts, against a search of all fingerprints. */
import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { ListReader, ListWriter, sortFingerprints } from '../../src/organisation/repositories/fingerprintLists.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

suite('lists of fingerprints', () => {
  let folder = '';
  suiteSetup(() => {
    folder = makeFolder({});
  });
  suiteTeardown(() => removeFolder(folder));

  const word = fc.nat({ max: 0xffff_ffff });
  const fingerprints = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 300 });

  test('have the same fingerprints with some leading bits, whether a file is small or large', () => {
    const kernel = new Kernel(createMemory());
    fc.assert(
      fc.property(fingerprints, fc.integer({ min: 1, max: 32 }), fc.nat(), (all, bits, which) => {
        const pairs = Uint32Array.from(all.flatMap(([high, low]) => [low, high]));
        const { order, sorted } = sortFingerprints(kernel, pairs);
        const file = openSync(path.join(folder, 'lists.bin'), 'w+');
        try {
          const writer = new ListWriter(file, kernel);
          writer.write(0, sorted, order, 0);
          const [list] = writer.lists;
          const wantedFingerprint = all[which % all.length][0];
          const isNear = (other: number): boolean => other >>> (32 - bits) === wantedFingerprint >>> (32 - bits);
          const expected = all.filter(([other]) => isNear(other)).map(String);
          // A file of this size is read in parts.
          for (const bytes of [writer.end, 2 ** 40]) {
            const reader = new ListReader(file, bytes);
            const near: string[] = [];
            const places: number[] = [];
            reader.forEachNear(list, wantedFingerprint, bits, (otherHigh, otherLow, place) => {
              if (!isNear(otherHigh)) return;
              near.push(String([otherHigh, otherLow]));
              places.push(place);
            });
            assert.deepEqual(near.sort(), [...expected].sort());
            for (const place of places) {
              const [content] = reader.contents(list, place, place + 1);
              assert.ok(isNear(all[content][0]));
            }
          }
        } finally {
          closeSync(file);
        }
      }),
    );
  });
});
