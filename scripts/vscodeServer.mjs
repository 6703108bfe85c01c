/**
 * A real VS Code that needs no desktop: the server and the web workbench of the npm package code-server. Extensions run
 * in the same Node extension host as on a remote machine. The window is a page of a browser.
 *
 * It is unpacked once into a cache folder (about 360 MB). Install scripts are not needed. Only two native modules have
 * no prebuilt binary, and these are replaced by a few lines of JavaScript.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { endGroup, startGroup } from './processGroup.mjs';
import { root } from './project.mjs';

/** code-server 4.139.1 carries VS Code 1.139.1, which runs on Node 24 and no other. */
const codeServerVersion = '4.139.1';
const nodeVersion = '24.21.0';

/** KINDRED_VSCODE_CACHE allows several checkouts to share one copy. */
const cache = process.env['KINDRED_VSCODE_CACHE'] ?? path.join(root, '.vscode-test', 'server');
/** Incremented when other parts are removed or replaced, so that older installations are not reused. */
const revision = 2;
const installed = path.join(cache, `${codeServerVersion}-node-${nodeVersion}-${revision}`);
const serverProgram = path.join(installed, 'vscode', 'out', 'server-main.js');
const unpackedNode = path.join(installed, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Limit for the start of the server, which takes seconds on an idle machine. Only a hang exceeds it. */
const startMs = 600_000;
/** Disables the gallery, so that the server looks up no extensions. */
const serverEnvironment = { EXTENSIONS_GALLERY: '{}' };

/** Settings for a quiet new profile, without telemetry, offers, or a start page. */
export const quietSettings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'update.mode': 'none',
  'typescript.disableAutomaticTypeAcquisition': true,
  'chat.disableAIFeatures': true,
};

/**
 * Installs the server into the cache if it is missing.
 *
 * @throws if the npm registry does not respond or has no Node 24 for this system
 */
export async function installServer() {
  if (existsSync(installed)) return;
  console.error(`Setting up VS Code (server) in ${cache}; this happens once.`);
  await mkdir(cache, { recursive: true });
  await removeAbandoned();
  // Unpacked into a temporary folder and then renamed, so that interrupted or concurrent installations have no effect.
  const partial = await mkdtemp(path.join(cache, 'partial-'));
  try {
    if (!runsOnNode24()) await unpackPackage(nodePackage(), 'package/bin', path.join(partial, 'node', 'bin'));
    const vscode = path.join(partial, 'vscode');
    await unpackPackage(`code-server@${codeServerVersion}`, 'package/lib/vscode', vscode);
    await npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], vscode);
    await dropUnused(vscode);
    await replaceNativeModules(vscode);
    await rename(partial, installed).catch((error) => {
      if (!existsSync(installed)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Removes interrupted installations. A recent one may still be in progress in another process. */
async function removeAbandoned() {
  const oldMs = Date.now() - 3_600_000;
  for (const name of await readdir(cache)) {
    const folder = path.join(cache, name);
    if (name.startsWith('partial-') && (await stat(folder)).mtimeMs < oldMs) await rm(folder, { recursive: true });
  }
}

function runsOnNode24() {
  return process.versions.node.startsWith('24.');
}

function nodePackage() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  return `node-${system}-${process.arch}@${nodeVersion}`;
}

/**
 * @param {string} name    package of the npm registry, with its version
 * @param {string} part    the folder of its archive to unpack
 * @param {string} folder  target folder, which is created
 */
async function unpackPackage(name, part, folder) {
  await mkdir(folder, { recursive: true });
  await npm(['pack', name, '--silent', '--pack-destination', folder], folder);
  const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm pack ${name} wrote no archive.`);
  const depth = part.split('/').length;
  await promisify(execFile)('tar', ['xzf', archive, `--strip-components=${depth}`, part], { cwd: folder });
  await rm(path.join(folder, archive));
}

/**
 * @param {readonly string[]} npmArguments
 * @param {string} folder
 */
async function npm(npmArguments, folder) {
  // `npm run` provides the path of npm. Using it avoids the search, and the .cmd file on Windows.
  const script = process.env['npm_execpath'];
  const [program, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  await promisify(execFile)(program, [...first, ...npmArguments], { cwd: folder, shell: program === 'npm' });
}

/**
 * Removes the parts that neither tests nor `npm start` need: more than half of the size.
 *
 * @param {string} vscode
 */
async function dropUnused(vscode) {
  const unused = [
    'extensions/copilot',
    'extensions/mermaid-markdown-features',
    'extensions/microsoft-authentication',
    // Its tsserver is not part of the package, and its absence causes a notification.
    'extensions/typescript-language-features',
    'node_modules/@github',
    'node_modules/@microsoft/mxc-sdk',
  ];
  const ripgrep = 'node_modules/@vscode/ripgrep-universal/bin';
  if (existsSync(path.join(vscode, ripgrep))) {
    const systems = await readdir(path.join(vscode, ripgrep));
    const own = `${process.platform}-${process.arch}`;
    unused.push(...systems.filter((system) => system !== own).map((system) => `${ripgrep}/${system}`));
  }
  for (const folder of unused) await rm(path.join(vscode, folder), { recursive: true, force: true });
}

/**
 * @param {string} vscode
 */
async function replaceNativeModules(vscode) {
  await writeFile(path.join(vscode, 'node_modules/@vscode/spdlog/index.js'), logWriter);
  await writeFile(path.join(vscode, 'node_modules/@vscode/native-watchdog/index.js'), watchdog);
}

/** Replacement for spdlog that appends each line to the log file immediately. */
const logWriter = `'use strict';
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];
class Logger {
  constructor(file) { this.file = file; this.level = 2; this.plain = false; }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  clearFormatters() { this.plain = true; }
  setPattern() {}
  flush() {}
  drop() {}
  write(level, text) {
    if (level < this.level) return;
    const line = this.plain ? text : new Date().toISOString() + ' [' + levels[level] + '] ' + text + '\\n';
    try { appendFileSync(this.file, line); } catch { /* the folder is gone: so is the reader */ }
  }
}
levels.forEach((name, level) => { Logger.prototype[name] = function (text) { this.write(level, text); }; });
const open = async (name, file) => { mkdirSync(dirname(file), { recursive: true }); return new Logger(file); };
// One statement per name, so that an import detects the names of the CommonJS module.
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = open;
exports.createAsyncRotatingLogger = open;
`;

/** Replacement for native-watchdog that ends the process when its parent has ended. */
const watchdog = `'use strict';
exports.start = (parent) => {
  setInterval(() => { try { process.kill(parent, 0); } catch { process.exit(87); } }, 1000).unref();
};
`;

/**
 * A running server.
 *
 * @typedef {object} Server
 * @property {string} authority               host and port, as in a vscode-remote URI
 * @property {string} token                   access token for browsers
 * @property {string} dataFolder              profile and logs; removed by `stop`
 * @property {() => string} output            returns the output so far
 * @property {() => Promise<void>} stop       ends the server and all its child processes
 * @property {Promise<unknown>} ended         resolves when it has ended for any reason
 */

/**
 * Starts a server on a free port of this machine. Needs `installServer` before.
 *
 * @param {object} options
 * @param {Readonly<Record<string, unknown>>} [options.settings]   user settings in addition to the quiet ones
 * @param {string} [options.extensionsFolder]                      from `installExtension`; without it, there are none
 * @param {Readonly<Record<string, string>>} [options.environment] variables of the extension host
 * @param {boolean} [options.restricted]  trusts no folder until the user confirms it in the window
 * @param {boolean} [options.testDriver]  makes the workbench run `extensionTestsPath`; it also rejects modal dialogs
 *                                        and hides notifications
 * @returns {Promise<Server>}
 * @throws if it does not listen within ten minutes
 */
export async function startServer({
  settings = {},
  extensionsFolder,
  environment = {},
  restricted = false,
  testDriver = false,
}) {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'kindred-vscode-'));
  await writeProfile({ dataFolder }, settings, restricted);
  const token = randomUUID();
  const server = startGroup(
    runsOnNode24() ? process.execPath : unpackedNode,
    [
      ...['--import', pathToFileURL(path.join(root, 'scripts', 'endWithParent.mjs')).href],
      serverProgram,
      ...['--host', '127.0.0.1', '--port', '0', '--connection-token', token, '--accept-server-license-terms'],
      ...['--server-data-dir', dataFolder, '--telemetry-level', 'off'],
      ...(restricted ? [] : ['--disable-workspace-trust']),
      ...['--extensions-dir', extensionsFolder ?? path.join(dataFolder, 'extensions')],
      // The extension host of a crashed window must not run for hours.
      ...['--reconnection-grace-time', '60'],
      ...(testDriver ? ['--enable-smoke-test-driver'] : []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...serverEnvironment, ...environment } },
  );
  let output = '';
  const ended = new Promise((resolve) => server.once('close', resolve));
  const stop = async () => {
    await endGroup(server, 3_000);
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const port = await new Promise((resolve, reject) => {
      const late = `VS Code did not start within ${startMs / 1000} s.`;
      const deadline = setTimeout(() => reject(new Error(`${late}\n${output}`)), startMs);
      server.once('error', reject);
      server.once('exit', (code) => reject(new Error(`VS Code ended with ${code}.\n${output}`)));
      for (const stream of [server.stdout, server.stderr]) {
        stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
          output += text;
          const listening = /Extension host agent listening on (\d+)/.exec(output);
          if (listening === null) return;
          clearTimeout(deadline);
          resolve(listening[1]);
        });
      }
    });
    return { authority: `127.0.0.1:${port}`, token, dataFolder, output: () => output, stop, ended };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Replaces the profile of a server by a new one for the next window.
 *
 * @param {Pick<Server, 'dataFolder'>} server
 * @param {Readonly<Record<string, unknown>>} settings  user settings in addition to the quiet ones
 * @param {boolean} restricted  see `startServer`
 */
export async function writeProfile({ dataFolder }, settings, restricted) {
  const profile = path.join(dataFolder, 'data', 'User');
  await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  await mkdir(profile, { recursive: true });
  const all = { ...quietSettings, 'security.workspace.trust.enabled': restricted, ...settings };
  await writeFile(path.join(profile, 'settings.json'), JSON.stringify(all, undefined, 2));
}

/**
 * Installs a packaged extension into a folder of extensions. Requires `installServer`.
 *
 * @param {string} vsix
 * @param {string} extensionsFolder
 */
export async function installExtension(vsix, extensionsFolder) {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'kindred-vscode-'));
  try {
    await promisify(execFile)(
      runsOnNode24() ? process.execPath : unpackedNode,
      [
        serverProgram,
        ...['--install-extension', vsix, '--extensions-dir', extensionsFolder],
        ...['--server-data-dir', dataFolder, '--accept-server-license-terms', '--telemetry-level', 'off'],
      ],
      { env: { ...process.env, ...serverEnvironment } },
    );
  } finally {
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/**
 * Returns the address of the workbench with a folder or a .code-workspace open.
 *
 * @param {Server} server
 * @param {string | undefined} folder  or file, absolute; undefined opens an empty window
 * @param {Readonly<Record<string, string>>} [payload]  options that require `testDriver`
 */
export function workbenchAddress(server, folder, payload = {}) {
  const query = new URLSearchParams({ tkn: server.token });
  if (folder === undefined) query.set('ew', 'true');
  else query.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', folder);
  query.set('payload', JSON.stringify([['skipWelcome', 'true'], ...Object.entries(payload)]));
  return `http://${server.authority}/?${query}`;
}

/**
 * Returns the URI of a local file in the workbench.
 *
 * @param {Server} server
 * @param {string} file
 */
export function remoteUri(server, file) {
  return `vscode-remote://${server.authority}${path.resolve(file)}`;
}
