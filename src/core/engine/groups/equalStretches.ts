/**
 * Finds runs of equal tokens in two ranges. After joining passages, clustering checks that the joined passages still
 * contain every such run of a match.
 */
import type { Kernel } from '../kernel.ts';
import * as layout from '../../kernel/matches/equalStretchesLayout.ts';

/**
 * Returns true if a condition holds for all maximal runs of at least the given number of equal tokens in [a0, a1) and
 * [b0, b1), which are indices into the kernel's words. If a run occurs several times, the nearest combinations are
 * checked. Stops at the first run for which the condition fails, because two tables may have thousands of runs.
 *
 * @param holds  must not keep allocated memory of the kernel
 */
export function everyEqualStretch(
  kernel: Kernel,
  [a0, a1]: readonly [number, number],
  [b0, b1]: readonly [number, number],
  minLength: number,
  holds: (a: number, b: number, length: number) => boolean,
): boolean {
  const { exports } = kernel;
  const mark = kernel.mark();
  const search = kernel.allocate(exports.equalStretchBytes(a1 - a0, b1 - b0, minLength));
  exports.openEqualStretches(search, 4 * a0, a1 - a0, 4 * b0, b1 - b0, minLength);
  let isEach = true;
  while (isEach && exports.nextEqualStretch(search) !== 0) {
    const { words } = kernel;
    const valueAt = (offset: number): number => words[(search + offset) >>> 2];
    isEach = holds(
      a0 + valueAt(layout.equalStretchesAAt),
      b0 + valueAt(layout.equalStretchesBAt),
      valueAt(layout.equalStretchesLengthAt),
    );
  }
  kernel.release(mark);
  return isEach;
}
