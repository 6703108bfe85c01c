import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Group } from '../../src/core/engine/report/report.ts';
import type { Copy } from '../../src/session/client/report.ts';
import { makeSnapshot, type Snapshot } from '../../src/surfaces/vscode/findings/snapshot.ts';
import { FindingsPacker, packFindings } from '../../src/session/protocol/packedFindings.ts';
import { findingsOf, foldersOf, groupOf, nothingIgnored, passageOf } from './reports.ts';

suite('a snapshot', () => {
  test('of a report by difference equals that of the complete report', async () => {
    const places = fc.array(
      fc.tuple(fc.constantFrom('a.ts', 'b.ts', 'c.ts', 'd.ts'), fc.integer({ min: 1, max: 90 })),
      { minLength: 2, maxLength: 4 },
    );
    const groups = fc.uniqueArray(
      fc.tuple(fc.string({ minLength: 1 }), places, fc.constantFrom<Group['kind']>('code', 'prose', 'file')),
      { selector: ([id]) => id, maxLength: 12, size: 'max' },
    );
    const histories = groups
      .map((all) =>
        all.map(([id, at, kind]): Group => {
          const passages = at.map(([path, line]) => passageOf(path, line, line + 9));
          return { ...groupOf(id.replaceAll('\0', ''), passages), kind };
        }),
      )
      .chain((all) =>
        fc.array(fc.tuple(fc.shuffledSubarray(all), fc.nat(2), fc.boolean()), { maxLength: 6, size: 'max' }),
      );
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const packer = new FindingsPacker();
        const folders = foldersOf(['/w', '']);
        let held: Snapshot | undefined;
        for (const [i, [list, skips, isMissed]] of history.entries()) {
          const generation = i + 1;
          const skipped = Array.from({ length: skips }, (_, place) => ({ path: `${place}.ts`, reason: 'binary' }));
          const findings = findingsOf(list, skipped);
          const packed = packer.pack(findings, generation, held?.generation);
          assert.equal(packed.base?.generation, held?.generation);
          if (isMissed) continue;
          const after: Snapshot | undefined = await makeSnapshot(
            { generation, findings: packed, judgement: nothingIgnored(findings), hidden: [], elapsedMs: 1 },
            folders,
            held,
          );
          assert.ok(after);
          const judgement = nothingIgnored(findings);
          const whole = { generation, findings: packFindings(findings), judgement, hidden: [], elapsedMs: 1 };
          assert.deepEqual(contentsOf(after), contentsOf((await makeSnapshot(whole, folders, undefined))!));
          // A difference applies only to the report it is based on.
          if (held) {
            const other = { ...held, generation: generation + 7 };
            assert.equal(await makeSnapshot({ ...whole, findings: packed }, folders, other), undefined);
          }
          held = after;
        }
      }),
    );
  });

  /** Returns a snapshot without its time, and with the copies of a file as a set, because they are in no order. */
  function contentsOf({ copies, fileCopies, found, ...snapshot }: Snapshot) {
    const sorted = (lists: ReadonlyMap<string, readonly Copy[]>) =>
      new Map(
        [...lists].map(([path, list]) => [
          path,
          new Set(list.map(({ group, place, passage }) => JSON.stringify([group.id, place, passage]))),
        ]),
      );
    const foundSorted = { ...found, copies: sorted(found.copies), fileCopies: sorted(found.fileCopies) };
    return {
      ...snapshot,
      madeAt: undefined,
      found: foundSorted,
      copies: sorted(copies),
      fileCopies: sorted(fileCopies),
    };
  }
});
