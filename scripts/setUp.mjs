/**
 * Installs the requirements of the tests that no lock file contains: a browser, Neovim, and VS Code's server. Keeps
 * existing installations. If one cannot be installed, exits with 1 and prints a sentence for each.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findBrowser, noBrowser } from './browser.mjs';
import { findProgram, root } from './project.mjs';
import { installServer } from './vscodeServer.mjs';

/**
 * A way to install a browser.
 *
 * @typedef {object} Way
 * @property {string} name
 * @property {readonly (readonly string[])[]} commands  in order, each with its arguments
 */

for (const problem of [await setUpBrowser(), await setUpNeovim(), await setUpServer()]) {
  if (problem === undefined) continue;
  console.error(problem);
  process.exitCode = 1;
}

/** @returns {Promise<string | undefined>}  reason for a missing VS Code, as a sentence */
async function setUpServer() {
  try {
    await installServer();
    return undefined;
  } catch (error) {
    return `There is no VS Code for the tests (${error instanceof Error ? error.message.trim() : error}).`;
  }
}

/** @returns {Promise<string | undefined>}  reason for a missing Neovim, as a sentence */
async function setUpNeovim() {
  const isThere = async () => (await findProgram(['nvim'])) !== undefined;
  if (await isThere()) return undefined;
  if ((await findProgram(['apt-get'])) !== undefined) {
    console.log("There is no Neovim for the tests: installing the system's package.");
    for (const command of installing(['neovim'])) await run(command);
  }
  return (await isThere())
    ? undefined
    : 'There is no Neovim for the tests: install it (on Debian: apt-get install neovim).';
}

/** @returns {Promise<string | undefined>}  reason for a missing browser, as a sentence */
async function setUpBrowser() {
  let found = await findBrowser();
  if (found !== undefined) return whyUseless(found);
  for (const { name, commands } of await ways()) {
    console.log(`There is no browser for the tests: ${name}.`);
    // A failed command is ignored: the existing packages may be enough for the next one.
    for (const command of commands) await run(command);
    found = await findBrowser();
    if (found !== undefined && (await whyUseless(found)) === undefined) return undefined;
  }
  return found === undefined ? noBrowser : whyUseless(found);
}

/**
 * Returns the reason if a browser does not start. A new machine may lack the libraries that a downloaded browser needs.
 *
 * @param {string} program
 * @returns {Promise<string | undefined>}
 */
async function whyUseless(program) {
  // On Windows, a browser with --version opens a window.
  if (process.platform === 'win32') return undefined;
  try {
    await promisify(execFile)(program, ['--version'], { timeout: 120_000 });
    return undefined;
  } catch (error) {
    const [reason] = String(/** @type {{ stderr?: string }} */ (error).stderr || error)
      .trim()
      .split('\n');
    return `The browser ${program} does not start (${reason}): install what it needs, or another one.`;
  }
}

/**
 * Returns the available ways on this machine. The package of Debian contains everything except fonts. On other systems,
 * and without privileges, playwright-core downloads a browser.
 *
 * @returns {Promise<Way[]>}
 */
async function ways() {
  const isRoot = process.getuid?.() === 0;
  const playwright = [process.execPath, path.join(root, 'node_modules', 'playwright-core', 'cli.js')];
  const download = {
    name: 'downloading one',
    commands: [
      ...(isRoot ? [[...playwright, 'install-deps', 'chromium']] : []),
      [...playwright, 'install', 'chromium'],
    ],
  };
  if (!isDebian() || (await findProgram(['apt-get'])) === undefined) return [download];
  const install = { name: "installing Debian's package", commands: installing(['chromium', 'fonts-dejavu-core']) };
  // Without root, privileges are needed only if the download fails.
  return isRoot ? [install, download] : [download, install];
}

/**
 * Returns the commands that install packages on Debian and similar systems.
 *
 * @param {readonly string[]} packages
 */
function installing(packages) {
  const first = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  return [
    [...first, 'apt-get', 'update'],
    [...first, 'apt-get', 'install', '-y', '--no-install-recommends', ...packages],
  ];
}

/** Returns true on Debian. Ubuntu's package of the same name contains no browser. */
function isDebian() {
  const file = '/etc/os-release';
  return existsSync(file) && /^ID="?debian"?$/m.test(readFileSync(file, 'utf8'));
}

/**
 * Runs a program to its end.
 *
 * @param {readonly string[]} command
 * @returns {Promise<void>}
 */
async function run([program = '', ...programArguments]) {
  const child = spawn(program, programArguments, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' },
  });
  await new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', resolve);
  });
}
