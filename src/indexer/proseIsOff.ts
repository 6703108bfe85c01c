/** Files of prose where prose is switched off. They are not even opened. */
import { type FileLexicons, lexiconForPath } from '../engine/languages/lexicon.ts';
import type { Options } from '../engine/options.ts';
import type { Skipped } from '../engine/report/report.ts';

/** Why a file is left out that is prose; undefined for one that is not, or where prose is searched. */
export function proseIsOff(path: string, { prose }: Options, lexicons: FileLexicons): Skipped | undefined {
  const isOff = !prose.enabled && lexiconForPath(path, lexicons).prose;
  return isOff ? { path, reason: 'prose', setting: 'prose' } : undefined;
}
