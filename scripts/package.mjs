/**
 * Packs the extension into dist/kindred.vsix, ready to be installed.
 *
 *   node scripts/package.mjs [--no-build]
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { root } from './project.mjs';

/** A download and an update of this size are a matter of a second. */
const limitBytes = 1_000_000;

if (!process.argv.includes('--no-build')) {
  execFileSync(process.execPath, [path.join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' });
}
const vsix = path.join(root, 'dist', 'kindred.vsix');
// Its pictures are not in the package: the download would be larger by all of them.
const readme = readFileSync(path.join(root, 'README.md'), 'utf8').replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n/gm, '');
writeFileSync(path.join(root, 'dist', 'README.md'), readme);
await createVSIX({
  cwd: root,
  packagePath: vsix,
  // Everything is bundled, so no folder of dependencies is looked for.
  dependencies: false,
  readmePath: 'dist/README.md',
  // Links in the README stay as they are: there is no public address yet to complete them with.
  rewriteRelativeLinks: false,
  allowMissingRepository: true,
});
const sizeBytes = statSync(vsix).size;
console.log(`${path.relative(process.cwd(), vsix)}: ${Math.round(sizeBytes / 1000)} kB`);
if (sizeBytes > limitBytes) throw new Error(`The package is larger than ${limitBytes / 1000} kB.`);
