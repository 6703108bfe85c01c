/** Reasons against publishing the last commit of a checkout. Each problem is a sentence with a remedy. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Heading of a version in CHANGELOG.md, optionally followed by other text, such as a date. */
const heading = /^## \[?v?(\d+\.\d+\.\d+[\w.+-]*|Unreleased)\]?.*$/im;
/** References to a version in documents and settings: `rev: v1.2.3`, `kindred@1.2.3`, `kindred-1.2.3.tgz`. */
const named = /\b(?:rev: v|kindred@v?|kindred-)(\d+\.\d+\.\d+(?:-[\w.]+)?)/g;

/**
 * @param {string} folder  folder of the project
 * @param {{ repository?: string, tag?: string }} [published]  address of the repository, and tag of the release
 * @returns {string[]}  empty if the commit can be released
 */
export function releaseProblems(folder, { repository, tag } = {}) {
  const { version, repository: stated } = readJson(folder, 'package.json');
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) {
    return [`package.json has the version "${version}": write it as 1.2.3 or 1.2.3-beta.1.`];
  }
  return [
    ...uncommitted(folder),
    ...inChangelog(folder, version),
    ...inLockFile(folder, version),
    ...inDocuments(folder, version),
    ...inTags(folder, version),
    ...(tag === undefined || tag === `v${version}`
      ? []
      : [`The tag is ${tag}, and package.json has the version ${version}: tag the commit as v${version}.`]),
    ...(repository === undefined ? [] : inRepository(stated, repository)),
    ...inInstalled(folder),
  ];
}

/**
 * npm compares the repository of a package with the one that has published it. If package.json names none, the packages
 * name that of the release.
 *
 * @param {undefined | string | { url?: string }} stated  value of package.json
 * @param {string} repository
 */
function inRepository(stated, repository) {
  const url = typeof stated === 'object' ? stated.url : stated;
  return url === undefined || url.replace(/^git\+/, '').replace(/\.git$/, '') === repository
    ? []
    : [
        `package.json has the repository ${url}, and the release is published from ${repository}: remove or correct it.`,
      ];
}

/** @param {string} folder */
function uncommitted(folder) {
  const changes = git(folder, 'status', '--porcelain').split('\n').filter(Boolean);
  if (changes.length === 0) return [];
  const files = changes.map((line) => line.slice(3));
  const shown = files.slice(0, 3).join(', ') + (files.length > 3 ? ', …' : '');
  return [`The working tree differs from the last commit (${shown}): commit these files, or put them elsewhere.`];
}

/**
 * @param {string} folder
 * @param {string} version
 */
function inChangelog(folder, version) {
  const text = readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8');
  // Text before the first heading, followed by alternating names and texts.
  const [, ...parts] = text.split(heading);
  const names = parts.filter((_, i) => i % 2 === 0);
  const isUnreleased = (/** @type {string} */ name) => name.toLowerCase() === 'unreleased';
  const newest = names.find((name) => !isUnreleased(name));
  const entries = parts[2 * names.findIndex(isUnreleased) + 1]?.match(/^- /gm)?.length ?? 0;
  const has = newest === undefined ? 'has no version yet' : `has ${newest} as its newest version`;
  return [
    ...(newest === version ? [] : [`CHANGELOG.md ${has}, and package.json has ${version}: make them agree.`]),
    ...(entries === 0
      ? []
      : [`CHANGELOG.md has entries under Unreleased (${entries}): move them below a heading ${version}.`]),
  ];
}

/**
 * @param {string} folder
 * @param {string} version
 */
function inLockFile(folder, version) {
  const lock = readJson(folder, 'package-lock.json');
  return [lock.version, lock.packages[''].version].every((locked) => locked === version)
    ? []
    : [`package-lock.json has another version than package.json: run npm install --package-lock-only.`];
}

/**
 * @param {string} folder
 * @param {string} version
 */
function inDocuments(folder, version) {
  const files = git(folder, 'ls-files', '-z', '--', '*.md', '*.yml', '*.yaml', '*.json')
    .split('\0')
    .filter((file) => file !== '' && !/^(?:CHANGELOG\.md|package-lock\.json|bench\/|test\/)/.test(file));
  return files.flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const others = [...text.matchAll(named)].filter(([, found]) => found !== version);
    return others.map(([found]) => `${file} says "${found}": write ${version}.`);
  });
}

/**
 * @param {string} folder
 * @param {string} version
 */
function inTags(folder, version) {
  const tag = `v${version}`;
  if (git(folder, 'tag', '--list', tag).trim() === '') return [];
  return git(folder, 'rev-parse', `${tag}^{commit}`) === git(folder, 'rev-parse', 'HEAD')
    ? []
    : [`The tag ${tag} is on another commit: raise the version in package.json.`];
}

/**
 * Installed packages become part of the bundles, so they must equal the locked ones.
 *
 * @param {string} folder
 */
function inInstalled(folder) {
  const file = 'node_modules/.package-lock.json';
  if (!existsSync(path.join(folder, file))) return ['The packages are not installed: run npm ci.'];
  const installed = readJson(folder, file).packages;
  const locked = readJson(folder, 'package-lock.json').packages;
  // Optional packages may be for other systems. Additional installed packages are not bundled.
  const others = Object.keys(locked).filter(
    (name) =>
      name !== '' &&
      (installed[name] ? installed[name].version !== locked[name].version : locked[name].optional !== true),
  );
  return others.length === 0
    ? []
    : [`Installed packages are not those of package-lock.json (${others.length}, such as ${others[0]}): run npm ci.`];
}

/**
 * @param {string} folder
 * @param {...string} gitArguments
 */
function git(folder, ...gitArguments) {
  return execFileSync('git', gitArguments, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 });
}

/**
 * @param {string} folder
 * @param {string} file
 */
function readJson(folder, file) {
  return JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
}
