/** If prose is disabled, skips prose files without opening them. */
import { type FileLexicons, lexiconForPath } from '../languages/allLexicons.ts';
import type { Options } from '../options.ts';
import type { Skipped } from '../report/report.ts';

/** Returns the reason to skip a prose file; `undefined` for other files, or if prose is enabled. */
export function proseIsOff(path: string, { prose }: Options, lexicons: FileLexicons): Skipped | undefined {
  const isOff = !prose.enabled && lexiconForPath(path, lexicons).prose;
  return isOff ? { path, reason: 'prose', setting: 'prose' } : undefined;
}
