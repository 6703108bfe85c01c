/** The packages that are tested: those of the last build, or those of a release. */
import path from 'node:path';
import { root, version } from './project.mjs';

/**
 * Returns the absolute path of a package. If `KINDRED_PACKAGES` names a folder, it is that of the release there.
 *
 * @param {'vsix' | 'tgz'} extension
 */
export function packageFile(extension) {
  const folder = process.env['KINDRED_PACKAGES'];
  return folder === undefined
    ? path.join(root, 'dist', `kindred.${extension}`)
    : path.resolve(root, folder, `kindred-${version}.${extension}`);
}
