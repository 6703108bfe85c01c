/** Ignore comments that are followed from report to report, compared with those of the current texts. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { regionsIn } from '../../src/check/sourceTexts.ts';
import type { Group } from '../../src/engine/report/report.ts';
import { IgnoreTexts } from '../../src/worker/ignoreTexts.ts';

const paths = ['a.ts', 'b.ts', 'c.ts', 'd.ts'];
const texts = ['let x;\n', '// kindred-ignore-start\nlet x;\n// kindred-ignore-end\n', '// kindred-ignore-start why\n'];
const group = fc
  .uniqueArray(fc.constantFrom(...paths), { minLength: 1, maxLength: 3 })
  .map((own) => ({ passages: own.map((path) => ({ path })) }) as unknown as Group);
const step = fc.record({
  /** Shares of the groups that stay and that are added. */
  stays: fc.integer({ min: 0, max: 4 }),
  added: fc.array(group, { maxLength: 3 }),
  texts: fc.dictionary(fc.constantFrom(...paths), fc.constantFrom(...texts), { noNullPrototype: true }),
});

suite('ignore comments', () => {
  test('are those of the current texts after any history', async () => {
    let count = 0;
    const encoder = new TextEncoder();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (history) => {
        const live = new IgnoreTexts();
        const now = new Map(paths.map((path) => [path, texts[0]]));
        let groups: readonly Group[] = [];
        for (const { stays, added, texts: changed } of history) {
          for (const [path, text] of Object.entries(changed)) now.set(path, text);
          live.forget(Object.keys(changed));
          groups = [...groups.filter((_, place) => place % 4 < stays), ...added];
          const bytesOf = (path: string): Uint8Array => encoder.encode(now.get(path));
          await live.read(groups, [], bytesOf, undefined);
          for (const { path } of groups.flatMap(({ passages }) => passages)) {
            assert.deepEqual(live.regionsOf(path), regionsIn(bytesOf(path)));
            count += live.regionsOf(path).length;
          }
        }
      }),
    );
    assert.ok(count > 100, `${count} regions`);
  });
});
