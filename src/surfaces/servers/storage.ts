/** Location of a server's index between sessions: the system's cache folder. */
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';

/** Returns the absolute path of the index for some folders. It may not exist yet. */
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
  // According to the specification, relative paths are ignored.
  return xdg && path.isAbsolute(xdg) ? xdg : path.join(homedir(), '.cache');
}
