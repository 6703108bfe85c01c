/** Path of a server's index, which is stored in the system's cache folder between sessions. */
import path from 'node:path';
import { cacheFolder } from '../../scan/io/cacheFolder.ts';
import { placeOfIndex } from '../../scan/io/indexPlace.ts';

/** Returns the absolute path of the index for some folders. The index may not exist yet. */
export function storageFor(folders: readonly string[], environment: NodeJS.ProcessEnv): string {
  return placeOfIndex(path.join(cacheFolder(environment), 'kindred'), folders);
}
