/** The user's cache folder, in which indexes are kept between runs. */
import { homedir } from 'node:os';
import path from 'node:path';

/** Returns the absolute path of the cache folder. The folder may not exist yet. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = environment;
  if (process.platform === 'win32' && local) return local;
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Caches');
  // The XDG specification says to ignore relative paths.
  return xdg && path.isAbsolute(xdg) ? xdg : path.join(homedir(), '.cache');
}
