/** Where a server keeps its index from one start to the next: in the folder that the system has for such files. */
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';

/** The folder for the index of some folders: absolute. It need not be there. */
export function storageFor(folders: readonly string[], environment: NodeJS.ProcessEnv): string {
  const name = createHash('sha256')
    .update([...folders].sort().join('\0'))
    .digest('hex')
    .slice(0, 16);
  return path.join(cacheFolder(environment), 'kindred', name);
}

function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = environment;
  if (process.platform === 'win32' && local) return local;
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Caches');
  // The specification: a relative one counts as none.
  return xdg && path.isAbsolute(xdg) ? xdg : path.join(homedir(), '.cache');
}
