/** Each bench runs with the current code on a tiny tree and prints its figures. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { benches } from '../../bench/benches.mjs';

/** Returns the numeric figures at any depth. */
function numbersIn(figures: unknown): number[] {
  if (typeof figures === 'number') return [figures];
  if (typeof figures !== 'object' || figures === null) return [];
  return Object.values(figures).flatMap(numbersIn);
}

suite('benches', () => {
  test('have a tiny run unless they need a window of VS Code', () => {
    const without = benches.flatMap(({ name, tiny }) => (tiny === undefined ? [name] : []));
    assert.deepEqual(without, ['browser', 'editor', 'soak']);
  });
  for (const { name, tiny } of benches) {
    if (tiny === undefined) continue;
    test(`${name} ends with its figures as JSON`, () => {
      const command = ['bench/run.mjs', name, '--tiny', '--no-build'];
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      const figures: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      assert.ok(numbersIn(figures).length > 0, stdout);
    });
  }
  for (const name of ['edit', 'similar']) {
    test(`${name} reports a missing tree`, () => {
      const command = ['bench/run.mjs', name, '--no-build', '--tree', 'missing'];
      const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
      assert.equal(status, 2, stderr);
      assert.match(stderr, /^There are no files to compare in \S*missing: name a folder with --tree\.\n$/);
    });
  }
});
