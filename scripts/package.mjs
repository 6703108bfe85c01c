/**
 * Packs the extension into dist/kindred.vsix, ready to be installed.
 *
 *   node scripts/package.mjs [--no-build]
 *
 * Its files have the date of the last commit, or what SOURCE_DATE_EPOCH says (reproducible-builds.org), so that one commit
 * makes one package, whenever and wherever it is packed.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { root } from './project.mjs';
import { putTogether, withoutDeadLinks } from './putTogether.mjs';

/** A download and an update of this size are a matter of a second. */
const limitBytes = 1_000_000;

if (!process.argv.includes('--no-build')) {
  execFileSync(process.execPath, [path.join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' });
}
const vsix = path.join(root, 'dist', 'kindred.vsix');
process.env['SOURCE_DATE_EPOCH'] ??= String(commitSeconds());
// A .zip has local time.
process.env['TZ'] = 'UTC';
const folder = path.join(root, 'dist', 'vsix');
const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
// What is not to be packed is not there any more, but vsce warns when nobody says so.
putTogether([...files, '.vscodeignore'], folder);
// Its pictures are not in the package: the download would be larger by all of them.
const readme = readFileSync(path.join(root, 'README.md'), 'utf8').replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n/gm, '');
const readmeOfPackage = path.join(folder, 'dist', 'README.md');
writeFileSync(readmeOfPackage, withoutDeadLinks('README.md', readme, files));
// Like all other files of the package, whoever makes it.
chmodSync(readmeOfPackage, 0o644);
await createVSIX({
  cwd: folder,
  packagePath: vsix,
  // Everything is bundled, so no folder of dependencies is looked for.
  dependencies: false,
  readmePath: 'dist/README.md',
  // There is no public address yet to complete links with.
  rewriteRelativeLinks: false,
  allowMissingRepository: true,
});
const sizeBytes = statSync(vsix).size;
console.log(`${path.relative(process.cwd(), vsix)}: ${Math.round(sizeBytes / 1000)} kB`);
if (sizeBytes > limitBytes) throw new Error(`The package is larger than ${limitBytes / 1000} kB.`);

/** When the last commit was made, in seconds since 1970; without Git the first second that a .zip can tell. */
function commitSeconds() {
  try {
    return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return Date.UTC(1980, 0, 1) / 1000;
  }
}
