/** Ignore comments that are followed from report to report, compared with those of the current texts. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { regionsIn } from '../../src/review/check/regionsIn.ts';
import type { Group } from '../../src/core/engine/report/report.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { IgnoreTexts } from '../../src/session/worker/ignoreTexts.ts';
import { nodeDisk } from '../../src/session/worker/nodeDisk.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

const paths = ['a.ts', 'b.ts', 'c.ts', 'd.ts'];
const texts = ['let x;\n', '// kindred-ignore-start\nlet x;\n// kindred-ignore-end\n', '// kindred-ignore-start why\n'];
const group = fc
  .uniqueArray(fc.constantFrom(...paths), { minLength: 1, maxLength: 3 })
  .map((own) => ({ passages: own.map((path) => ({ path })) }) as unknown as Group);
const step = fc.record({
  /** Shares of the groups that stay and of those that are added. */
  stays: fc.integer({ min: 0, max: 4 }),
  added: fc.array(group, { maxLength: 3 }),
  texts: fc.dictionary(fc.constantFrom(...paths), fc.constantFrom(...texts), { noNullPrototype: true }),
});

suite('ignore comments', () => {
  test('equal those of the current texts after any history', async () => {
    let count = 0;
    const encoder = new TextEncoder();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (history) => {
        const live = new IgnoreTexts(nodeDisk);
        const now = new Map(paths.map((path) => [path, texts[0]]));
        let groups: readonly Group[] = [];
        for (const { stays, added, texts: changed } of history) {
          for (const [path, text] of Object.entries(changed)) now.set(path, text);
          live.forget(Object.keys(changed));
          groups = [...groups.filter((_, place) => place % 4 < stays), ...added];
          const bytesOf = (path: string): Uint8Array => encoder.encode(now.get(path));
          await live.read({ groups }, [], bytesOf, undefined);
          for (const { path } of groups.flatMap(({ passages }) => passages)) {
            assert.deepEqual(live.regionsOf(path), regionsIn(bytesOf(path)));
            count += live.regionsOf(path).length;
          }
        }
      }),
    );
    assert.ok(count > 100, `${count} regions`);
  });

  suite('are read from a file on disk', () => {
    let folder: string;
    let live: IgnoreTexts;
    setup(() => {
      folder = makeFolder({ 'a.ts': texts[1] });
      live = new IgnoreTexts(nodeDisk);
    });
    teardown(() => removeFolder(folder));

    const read = (): Promise<void> => {
      const groups = [{ passages: [{ path: 'a.ts' }] }] as unknown as Group[];
      return live.read({ groups }, [{ folder, prefix: '', sources: defaultSourceOptions }], () => 'disk', undefined);
    };

    test('are complete at the end of each of two concurrent calls', async () => {
      void read();
      await read();
      assert.equal(live.regionsOf('a.ts').length, 1);
    });

    test('are dropped if the file was changed while it was read', async () => {
      const first = read();
      await Promise.resolve();
      await Promise.resolve();
      live.forget(['a.ts']);
      await first;
      writeFileSync(path.join(folder, 'a.ts'), texts[0]);
      await read();
      assert.deepEqual(live.regionsOf('a.ts'), []);
    });
  });
});
