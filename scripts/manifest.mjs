/**
 * Manifest of the packages: package.json with the addresses of the repository from which the release is published. The
 * environment variable KINDRED_REPOSITORY names it, because package.json does not know where a release is published.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './project.mjs';

/** Name of the environment variable with the address, such as https://github.com/someone/kindred. */
export const repositoryVariable = 'KINDRED_REPOSITORY';

/** Returns the content of package.json. Addresses that it states itself take precedence. */
export function packagedManifest() {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return { ...addressesOf(process.env[repositoryVariable]), ...manifest };
}

/**
 * Returns the fields of a manifest that depend on the repository.
 *
 * @param {string | undefined} repository  address without `.git`
 * @returns {{ repository?: { type: 'git', url: string }, homepage?: string, bugs?: { url: string } }}
 */
export function addressesOf(repository) {
  if (!repository) return {};
  return {
    repository: { type: 'git', url: `git+${repository}.git` },
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
  };
}
