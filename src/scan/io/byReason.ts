import { groupBy } from '../../core/collections/lists.ts';
import type { SkippedFile } from '../../core/engine/report/report.ts';

/** Groups skipped files by reason, most frequent first, ignoring text in parentheses, which differs by file. */
export function byReason(skipped: readonly SkippedFile[]): [reason: string, files: readonly SkippedFile[]][] {
  const lists = groupBy(skipped, ({ reason }) => reason.replace(/ \(.*/, ''));
  return [...lists].sort(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1));
}
