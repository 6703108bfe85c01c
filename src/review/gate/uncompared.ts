/** Describes files that could not be compared, although no rule excludes them: a check is incomplete. */
import type { SkippedFile } from '../../core/engine/report/report.ts';

/** Maximum number of unreadable files whose names are listed. If there are more, only their number is given. */
const namesShown = 3;

/**
 * Returns a text such as "948 files were not compared for lack of memory (limit 256 MB); 1 file could not be read
 * (src/a.ts)". Returns `undefined` if every file was compared or excluded by a rule.
 */
export function uncomparedWords(skipped: readonly SkippedFile[]): string | undefined {
  const withoutMemory = skipped.filter(({ setting }) => setting === 'memory');
  const unread = skipped.filter(isUnread).map(({ path }) => path);
  const parts: string[] = [];
  if (withoutMemory.length > 0) {
    const limit = /\(.*\)$/.exec(withoutMemory[0]!.reason)?.[0] ?? '';
    parts.push(`${counted(withoutMemory.length, 'was', 'were')} not compared for lack of memory ${limit}`);
  }
  if (unread.length > 0) {
    const names = unread.slice(0, namesShown).join(', ') + (unread.length > namesShown ? ', …' : '');
    parts.push(`${counted(unread.length)} could not be read (${names})`);
  }
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** Returns true for a file that exists but could not be read, unlike a broken link or a removed file. */
function isUnread({ reason }: SkippedFile): boolean {
  return reason === 'changed while being read' || reason.startsWith('unreadable');
}

function counted(files: number, one = '', many = one): string {
  const words = files === 1 ? `1 file ${one}` : `${files.toLocaleString('en-US')} files ${many}`;
  return words.trim();
}
