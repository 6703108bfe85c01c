/** Limits how often the progress of a scan is sent to the host. */
import type { ScanProgress } from '../../scan/indexer/scanInput.ts';

/** Minimum time in milliseconds between two messages of a phase. A user can follow ten messages in a second. */
const progressIntervalMs = 100;

/** Returns a function that passes on the first progress of each phase, and later ones at a limited rate. */
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
