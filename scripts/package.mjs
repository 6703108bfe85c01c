/**
 * Packs the extension into dist/kindred.vsix.
 *
 *   node scripts/package.mjs [--no-build]
 *
 * The files have the date of the last commit or of SOURCE_DATE_EPOCH (reproducible-builds.org). Therefore, a commit
 * always gives the same package.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { packagedManifest, repositoryVariable } from './manifest.mjs';
import { root } from './project.mjs';
import { putTogether, withoutDeadLinks } from './putTogether.mjs';

/** Maximum size, which downloads in about a second. A quarter of it is the extension for browsers. */
const limitBytes = 1_380_000;

if (!process.argv.includes('--no-build')) {
  execFileSync(process.execPath, [path.join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' });
}
const vsix = path.join(root, 'dist', 'kindred.vsix');
process.env['SOURCE_DATE_EPOCH'] ??= String(commitSeconds());
// Zip files contain local times.
process.env['TZ'] = 'UTC';
const folder = path.join(root, 'dist', 'vsix');
const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
// The excluded files are already missing, but vsce warns if there is no ignore file.
putTogether([...files, '.vscodeignore'], folder);
// The package excludes the images of the README, because they would enlarge the download.
const readme = readFileSync(path.join(root, 'README.md'), 'utf8').replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n/gm, '');
const readmeOfPackage = path.join(folder, 'dist', 'README.md');
writeFileSync(readmeOfPackage, withoutDeadLinks('README.md', readme, files));
// The same permissions as all other files, regardless of the umask.
chmodSync(readmeOfPackage, 0o644);
if (process.env[repositoryVariable]) {
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(packagedManifest(), undefined, 2)}\n`);
}
await createVSIX({
  cwd: folder,
  packagePath: vsix,
  // Everything is bundled, so there are no dependencies to collect.
  dependencies: false,
  readmePath: 'dist/README.md',
  // Links to files that the package lacks are already replaced.
  rewriteRelativeLinks: false,
  allowMissingRepository: true,
});
const sizeBytes = statSync(vsix).size;
console.log(`${path.relative(process.cwd(), vsix)}: ${Math.round(sizeBytes / 1000)} kB`);
if (sizeBytes > limitBytes) throw new Error(`The package is larger than ${limitBytes / 1000} kB.`);

/**
 * Returns the time of the last commit in seconds since 1970. Without Git, returns the first second of the zip format.
 */
function commitSeconds() {
  try {
    return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return Date.UTC(1980, 0, 1) / 1000;
  }
}
