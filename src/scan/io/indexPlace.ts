/** Determines the path of an index in a cache folder. */
import { createHash } from 'node:crypto';
import path from 'node:path';

/**
 * Returns the absolute path of the index for some folders, without extensions. The index may not exist yet.
 *
 * @param cache    absolute path of the cache folder
 * @param folders  absolute paths
 */
export function placeOfIndex(cache: string, folders: readonly string[]): string {
  const digest = createHash('sha256')
    .update([...folders].sort().join('\0'))
    .digest('hex');
  return path.join(cache, digest.slice(0, 16));
}
