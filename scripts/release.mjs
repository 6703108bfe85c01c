/**
 * Builds the packages of a release without publishing them:
 *
 *   node scripts/release.mjs [--repository ADDRESS] [--tag TAG]
 *
 * Both packages and the page to try Kindred are built from a clone of the last commit, and written to dist/release with
 * their digests. The preconditions are in releaseProblems.mjs. docs/releasing.md describes the steps before and after.
 *
 * --repository  address that the manifests name as repository, homepage, and bugs; package.json must not name another
 * --tag         also checks that this tag names the version
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packClone } from './cleanPackages.mjs';
import { repositoryVariable } from './manifest.mjs';
import { missingNotices, noticesFile } from './notices.mjs';
import { root, version } from './project.mjs';
import { releaseProblems } from './releaseProblems.mjs';

const { values } = parseArgs({ options: { repository: { type: 'string' }, tag: { type: 'string' } } });
const problems = releaseProblems(root, values);
if (problems.length > 0) refuse(problems);
else await release();

async function release() {
  const temporary = mkdtempSync(path.join(tmpdir(), 'kindred-release-'));
  try {
    const named = values.repository === undefined ? {} : { [repositoryVariable]: values.repository };
    const packages = packClone(root, path.join(temporary, 'kindred'), { ...process.env, ...named });
    const unnamed = await problemsOfNotices(packages);
    if (unnamed.length > 0) refuse(unnamed);
    else publishable(packages);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** @param {readonly string[]} reasons */
function refuse(reasons) {
  console.error(`Kindred ${version} cannot be released yet:\n${reasons.map((reason) => `- ${reason}`).join('\n')}`);
  process.exitCode = 1;
}

/**
 * Checks that both packages contain the notices, and that these include every bundled package.
 *
 * @param {import('./cleanPackages.mjs').Packages} packages
 */
async function problemsOfNotices({ folder, vsix }) {
  // Imported late, because the dependencies may not be installed before the first checks.
  const { unzipSync } = await import('fflate');
  const notices = readFileSync(path.join(folder, noticesFile));
  const inVsix = unzipSync(readFileSync(vsix))[`extension/${noticesFile}`];
  const inNpm = readFileSync(path.join(folder, 'dist/npm', noticesFile));
  return [
    ...missingNotices(folder).map((name) => `${noticesFile} lacks the license of ${name}: see scripts/notices.mjs.`),
    ...(inVsix !== undefined && notices.equals(inVsix) ? [] : [`The .vsix lacks ${noticesFile}: see .vscodeignore.`]),
    ...(notices.equals(inNpm) ? [] : [`The npm package has another ${noticesFile}: see .npmignore.`]),
  ];
}

/**
 * Writes the packages and the page to dist/release, and prints the commands to publish the packages.
 *
 * @param {import('./cleanPackages.mjs').Packages} packages
 */
function publishable({ vsix, npm, page }) {
  const folder = path.join(root, 'dist', 'release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const named = [
    { made: vsix, name: `kindred-${version}.vsix` },
    { made: npm, name: `kindred-${version}.tgz` },
    { made: page, name: `kindred-try-${version}.html` },
  ];
  const digests = named.map(({ made, name }) => {
    copyFileSync(made, path.join(folder, name));
    return `${createHash('sha256').update(readFileSync(made)).digest('hex')}  ${name}\n`;
  });
  // In the format of sha256sum.
  writeFileSync(path.join(folder, 'SHA256SUMS'), digests.join(''));
  console.log(
    [
      `Kindred ${version} is in dist/release:\n`,
      digests.join(''),
      'Nothing is published yet. The workflow .github/workflows/release.yml does it if you push the tag:\n',
      `git tag v${version} && git push origin v${version}`,
      `\nThe page kindred-try-${version}.html is one file. The workflow attaches it to the release; any static host can have it.`,
    ].join('\n'),
  );
}
