/** Runs of benches on tiny trees, which show that they work with the current code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { Bench } from '../../bench/benches.mjs';

/** Returns the figure at a path such as `trees.0.rows`. */
function figureAt(figures: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], figures);
}

/** Returns true for a number (NaN is `null` in JSON) and for a text or list that is not empty. */
function isFilled(figure: unknown): boolean {
  return typeof figure === 'number' || ((typeof figure === 'string' || Array.isArray(figure)) && figure.length > 0);
}

/** Defines a test for each bench: a tiny run ends with all figures as JSON. */
export function testTinyRuns(benches: readonly Bench[]): void {
  for (const { name, figures: paths } of benches) {
    test(`${name} ends with its figures as JSON`, () => {
      const command = ['bench/run.mjs', name, '--tiny', '--no-build'];
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      const figures: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      assert.ok(paths.length > 0);
      const missing = paths.filter((path) => !isFilled(figureAt(figures, path)));
      assert.deepEqual(missing, [], stdout);
    });
  }
}
