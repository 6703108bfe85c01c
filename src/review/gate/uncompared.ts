/** Files that a comparison lacks although no rule excludes them. A check that lacks any has not seen the whole tree. */
import type { Skipped } from '../../core/engine/report/report.ts';

/** More unreadable files are counted only. */
const namesShown = 3;

/**
 * "948 files were not compared for lack of memory (limit 256 MB); 1 file could not be read (src/a.ts)". Undefined if all
 * files were compared or excluded by a rule.
 */
export function uncomparedWords(skipped: readonly Skipped[]): string | undefined {
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

/** True for a file that exists and could not be read. A broken link and a removed file have no content to compare. */
function isUnread({ reason }: Skipped): boolean {
  return reason === 'changed while being read' || reason.startsWith('unreadable');
}

function counted(files: number, one = '', many = one): string {
  const words = files === 1 ? `1 file ${one}` : `${files.toLocaleString('en-US')} files ${many}`;
  return words.trim();
}
