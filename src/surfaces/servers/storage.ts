/** Finds where a server stores its index: in the system's cache folder. */
import path from 'node:path';
import { cacheFolder } from '../../scan/io/cacheFolder.ts';
import { placeOfIndex } from '../../scan/io/indexPlace.ts';

/** Returns the absolute path of the stored index for some folders. The file may not exist. */
export function storageFor(folders: readonly string[], environment: NodeJS.ProcessEnv): string {
  return placeOfIndex(path.join(cacheFolder(environment), 'kindred'), folders);
}
