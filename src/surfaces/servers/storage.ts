/** Location of a server's index between sessions: the system's cache folder. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { cacheFolder } from '../../scan/io/cacheFolder.ts';

/** Returns the absolute path of the index for some folders. It may not exist yet. */
export function storageFor(folders: readonly string[], environment: NodeJS.ProcessEnv): string {
  const name = createHash('sha256')
    .update([...folders].sort().join('\0'))
    .digest('hex')
    .slice(0, 16);
  return path.join(cacheFolder(environment), 'kindred', name);
}
