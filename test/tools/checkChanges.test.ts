/** `check_changes` without a server. */
import assert from 'node:assert/strict';
import type { Access } from '../../src/surfaces/tools/access.ts';
import { checkChanges } from '../../src/surfaces/tools/checkChanges.ts';

suite('check_changes', () => {
  test('does not ask Git for changed lines if there is no new copy to describe', async () => {
    const check = { holds: true, newGroups: [], diverged: [], unread: [] };
    const access = {
      waitForChanges: () => Promise.resolve({ state: 'ready' }),
      report: () => ({ generation: 1, findings: { totals: { files: 2, lines: 30 } } }),
      prefixes: () => [''],
      exists: () => Promise.resolve(true),
      check: () => Promise.resolve({ check, ignoredGroups: 0 }),
      // If the client disconnects meanwhile, the promise is rejected, and nobody would await it.
      changedSince: () => assert.fail('Git is asked.'),
    };
    const answer = await checkChanges(access as unknown as Access, {});
    assert.ok('data' in answer, JSON.stringify(answer));
    assert.match(answer.data.next, /^No copy was added\. Functions that are only alike are not counted/);
  });
});
