/** Why files were left out, for people. */
import type { Skipped } from '../engine/report/report.ts';

/**
 * Files that were left out, by why: the most frequent reason first. What a reason says in brackets is about the one file,
 * and makes no other reason of it.
 */
export function byReason(skipped: readonly Skipped[]): [reason: string, files: readonly Skipped[]][] {
  const lists = new Map<string, Skipped[]>();
  for (const file of skipped) {
    const reason = file.reason.replace(/ \(.*/, '');
    const list = lists.get(reason);
    if (list) list.push(file);
    else lists.set(reason, [file]);
  }
  return [...lists].sort(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1));
}
