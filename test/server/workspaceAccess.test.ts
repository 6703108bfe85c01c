/** Access of tools to a workspace whose worker does not respond in time. */
import assert from 'node:assert/strict';
import { Folders } from '../../src/surfaces/servers/folders.ts';
import type { Workspace } from '../../src/surfaces/servers/workspace.ts';
import { accessTo } from '../../src/surfaces/servers/workspaceAccess.ts';
import { checkChanges } from '../../src/surfaces/tools/checkChanges.ts';
import { findSimilar } from '../../src/surfaces/tools/findSimilar.ts';
import { getDuplicate } from '../../src/surfaces/tools/getDuplicate.ts';
import { listDuplicates } from '../../src/surfaces/tools/listDuplicates.ts';

const never = new Promise<never>(() => undefined);
const soon = { withProgress: 50, without: 50 };
/** Milliseconds that only a busy machine needs. */
const late = { withProgress: 600_000, without: 600_000 };

/** Returns a workspace whose worker is busy with work that it does not interrupt. */
function busy(report: Workspace['report'], state: Workspace['state']): Pick<Workspace, keyof Workspace> {
  return {
    state,
    report,
    folders: new Folders([import.meta.dirname]),
    poll: () => never,
    upToDate: (waitMs: number) => new Promise<void>((resolve) => setTimeout(resolve, waitMs)),
    find: () => never,
    check: () => never,
    changedSince: () => never,
    whyNotCompared: () => never,
    textOf: () => undefined,
    isListed: () => false,
  } as unknown as Pick<Workspace, keyof Workspace>;
}

const matching = { type: 'scanning', progress: { phase: 'matching', done: 3, total: 10 } } as const;

function reported(): Workspace['report'] {
  return {
    generation: 4,
    all: [],
    ignored: [],
    found: { all: [] },
    copies: new Map(),
    judgement: { sources: [] },
    findings: { totals: { files: 2, lines: 9 } },
  } as unknown as Workspace['report'];
}

suite('a busy worker', () => {
  const ask = { text: 'let a = 1;', language: 'ts' };

  test('makes a search report an organization index that does not respond in time', async () => {
    const access = accessTo(busy(reported(), { type: 'idle', stopped: false }), undefined, () => never, soon);
    assert.deepEqual(await findSimilar(access, { ...ask, where: 'organisation' }), {
      problem: 'The index of the organization does not answer. It did not answer in time; try again in a few seconds.',
    });
  });

  test('makes every tool report its progress if there is no report', async () => {
    const access = (): ReturnType<typeof accessTo> => accessTo(busy(undefined, matching), undefined, undefined, soon);
    const answers = [
      await findSimilar(access(), ask),
      await listDuplicates(access(), {}),
      await getDuplicate(access(), { id: 'a' }),
      await checkChanges(access(), {}),
    ];
    for (const answer of answers) {
      assert.deepEqual(answer, {
        problem: 'The index is not ready yet: matching: 3 of 10. Try again in a few seconds.',
      });
    }
  });

  test('makes tools return an earlier report, marked as incomplete', async () => {
    for (const state of [matching, { type: 'idle', stopped: false } as const]) {
      const access = (): ReturnType<typeof accessTo> => accessTo(busy(reported(), state), undefined, undefined, soon);
      const listed = await listDuplicates(access(), {});
      assert.ok('data' in listed);
      assert.equal(listed.data.index.state, 'indexing');
      assert.match(listed.data.index.detail ?? '', /^These findings are older; .*(matching: 3 of 10|being built)/);
      const found = await findSimilar(access(), ask);
      assert.ok('problem' in found);
      assert.match(found.problem, /Try again in a few seconds/);
      const checked = await checkChanges(access(), {});
      assert.ok('problem' in checked);
      assert.match(checked.problem, /^Cannot check: the check is not complete yet\..*Try again/);
      const changed = await listDuplicates(access(), { changedSince: 'HEAD' });
      assert.ok('problem' in changed);
      assert.match(changed.problem, /Git did not answer in time/);
    }
  });

  test('makes a search for several texts return the results that it has, marked as incomplete', async () => {
    const passages: readonly never[] = [];
    const similar = { tokens: 5, hasNoWindow: false, passages, total: 0, leftOut: { documents: 0, windows: 0 } };
    const texts = ['let a = 1;', 'let b = 2;', 'let c = 3;'];
    const answerAfter = (count: number, limits: typeof soon) => {
      const begun: unknown[] = [];
      const workspace = {
        ...busy(reported(), { type: 'idle', stopped: false }),
        upToDate: () => Promise.resolve(),
        find: ({ text }: { text?: string }) =>
          begun.push(text) <= count ? Promise.resolve({ similar, elapsedMs: 2 }) : never,
      };
      return findSimilar(accessTo(workspace, undefined, undefined, limits), { texts, language: 'ts' });
    };
    const some = await answerAfter(2, soon);
    assert.ok('data' in some && 'complete' in some.data);
    const { complete, texts: sections, leftOut, searchMs, next } = some.data;
    assert.deepEqual([complete, leftOut.texts, searchMs], [false, 1, 4]);
    assert.deepEqual(
      sections.map(({ text, total }) => [text, total]),
      [
        [1, 0],
        [2, 0],
      ],
    );
    assert.match(next, /The time limit was reached: repeat the call with the last text\.$/);
    const all = await answerAfter(3, late);
    assert.ok('data' in all && 'complete' in all.data);
    assert.deepEqual([all.data.complete, all.data.leftOut.texts], [true, 0]);
    const none = await answerAfter(0, soon);
    assert.ok('problem' in none);
    assert.match(none.problem, /Try again in a few seconds/);
  });

  test('reuses a check in progress until the report changes', async () => {
    let begun = 0;
    const workspace = {
      ...busy(reported(), { type: 'idle', stopped: false }),
      poll: () => Promise.resolve(),
      upToDate: () => Promise.resolve(),
      check: () => {
        begun++;
        return never;
      },
    };
    for (let call = 0; call < 3; call++) await checkChanges(accessTo(workspace, undefined, undefined, soon), {});
    assert.equal(begun, 1);
    const later = { ...reported()!, generation: 5 };
    Object.assign(workspace, { report: later });
    await checkChanges(accessTo(workspace, undefined, undefined, soon), {});
    assert.equal(begun, 2);
  });
});
