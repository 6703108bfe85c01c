/** Limits how often the progress of a scan is sent to the host. */
import type { ScanProgress } from '../../scan/indexer/scanInput.ts';

/** Minimum time in milliseconds between two messages about the same phase. Users can follow ten messages per second. */
const progressIntervalMs = 100;

/** Returns a function that forwards progress: the first of each phase at once, and later ones at a limited rate. */
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
