/** Benches that need only Node run on tiny trees. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { benches } from '../../bench/benches.mjs';
import { testTinyRuns } from './tinyRuns.ts';

suite('benches', () => {
  testTinyRuns(benches.filter(({ opensWindow }) => opensWindow === undefined));
  for (const name of ['edit', 'similar']) {
    test(`${name} reports a missing tree`, () => {
      const command = ['bench/run.mjs', name, '--no-build', '--tree', 'missing'];
      const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
      assert.equal(status, 2, stderr);
      assert.match(stderr, /^There are no files to compare in \S*missing: name a folder with --tree\.\n$/);
    });
  }
});
