import { groupBy } from '../../core/collections/lists.ts';
import type { Skipped } from '../../core/engine/report/report.ts';

/** Groups skipped files by reason, most frequent first, ignoring text in parentheses, which differs by file. */
export function byReason(skipped: readonly Skipped[]): [reason: string, files: readonly Skipped[]][] {
  const lists = groupBy(skipped, ({ reason }) => reason.replace(/ \(.*/, ''));
  return [...lists].sort(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1));
}
