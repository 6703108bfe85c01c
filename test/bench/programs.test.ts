/** Each bench runs with the current code on a tiny tree and prints its figures. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { benches } from '../../bench/benches.mjs';

/** Returns the figure at a path such as `trees.0.rows`. */
function figureAt(figures: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], figures);
}

/** Returns true for a number (NaN is `null` in JSON) and for a text or list that is not empty. */
function isFilled(figure: unknown): boolean {
  return typeof figure === 'number' || ((typeof figure === 'string' || Array.isArray(figure)) && figure.length > 0);
}

suite('benches', () => {
  test('have a tiny run unless they need a window of VS Code', () => {
    const without = benches.flatMap(({ name, tiny }) => (tiny === undefined ? [name] : []));
    assert.deepEqual(without, ['browser', 'editor', 'soak']);
  });
  for (const { name, tiny, figures: paths } of benches) {
    if (tiny === undefined) continue;
    test(`${name} ends with its figures as JSON`, () => {
      const command = ['bench/run.mjs', name, '--tiny', '--no-build'];
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      const figures: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      assert.ok(paths !== undefined && paths.length > 0);
      const missing = paths.filter((path) => !isFilled(figureAt(figures, path)));
      assert.deepEqual(missing, [], stdout);
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
