/** Skips prose files without opening them if prose is disabled. */
import { type FileLexicons, lexiconForPath } from '../languages/allLexicons.ts';
import type { Options } from '../options.ts';
import type { SkippedFile } from '../report/report.ts';

/** If prose is disabled and the path is a prose file, returns the reason to skip it. Otherwise returns `undefined`. */
export function proseIsOff(path: string, { prose }: Options, lexicons: FileLexicons): SkippedFile | undefined {
  const isOff = !prose.enabled && lexiconForPath(path, lexicons).prose;
  return isOff ? { path, reason: 'prose', setting: 'prose' } : undefined;
}
