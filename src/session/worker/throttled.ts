/** Throttles the progress of a scan that is sent to the host. */
import type { ScanProgress } from '../../scan/indexer/scanInput.ts';

/** Minimum time between two reports of a phase: a user can follow ten in a second. */
const progressIntervalMs = 100;

/** Reports the first progress of each phase, and some of the others. */
export function throttled(report: (progress: ScanProgress) => void): (progress: ScanProgress) => void {
  let phase = '';
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (progress.phase === phase && now < next) return;
    phase = progress.phase;
    next = now + progressIntervalMs;
    report(progress);
  };
}
