/** Each bench still runs with the present code, on a tiny tree, and ends with its figures. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { benches } from '../../bench/benches.mjs';

/** Figures that are numbers, at any depth. */
function numbersIn(figures: unknown): number[] {
  if (typeof figures === 'number') return [figures];
  if (typeof figures !== 'object' || figures === null) return [];
  return Object.values(figures).flatMap(numbersIn);
}

suite('benches', () => {
  test('only those that need a window of VS Code have no tiny run', () => {
    const without = benches.flatMap(({ name, tiny }) => (tiny === undefined ? [name] : []));
    assert.deepEqual(without, ['editor', 'soak']);
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
});
