/**
 * Opens a folder in VS Code with Kindred built from these sources, in a separate profile, and scans it.
 *
 *   npm start -- [--server] [--no-build] <folder>
 *
 * Uses the installed VS Code (`code` on PATH), or a download if there is a desktop. Otherwise, or with --server, it
 * starts the server and prints its address. If there is a desktop, it opens the address in a browser. Ctrl+C ends
 * everything. --no-build opens the extension as it was last built and packaged.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { endGroup, onStop, startGroup } from './processGroup.mjs';
import { asksForHelp, findProgram, hasDesktop, helpOf, isFolder, root } from './project.mjs';
import { installExtension, installServer, quietSettings, startServer, workbenchAddress } from './vscodeServer.mjs';

/** In addition to the quiet settings: scans a folder when it is opened, and shows the view. */
const settings = { 'kindred.scanOnStartup': 'always', 'kindred.showViewOnStartup': true };

if (asksForHelp) console.log(helpOf(import.meta.filename));
else process.exitCode = await main();

async function main() {
  const { values, positionals } = parseArgs({
    options: { server: { type: 'boolean' }, 'no-build': { type: 'boolean' } },
    allowPositionals: true,
  });
  if (positionals[0] === undefined || positionals.length > 1) {
    console.error('Name one folder to open: npm start -- <folder>');
    return 2;
  }
  // npm changes to the project's folder, and stores the original folder in a variable.
  const folder = path.resolve(process.env['INIT_CWD'] ?? process.cwd(), positionals[0]);
  if (!(await isFolder(folder))) {
    console.error(`There is no folder ${folder}.`);
    return 2;
  }
  const isBuilt = values['no-build'] === true;
  if (!isBuilt) runScript('build.mjs');
  const code = values.server === true || !hasDesktop() ? undefined : await findCode();
  if (code === undefined && !isBuilt) runScript('package.mjs', '--no-build');
  await (code === undefined ? openInServer(folder) : openOnDesktop(code, folder));
  return 0;
}

/**
 * @param {string} name
 * @param {string[]} scriptArguments
 */
function runScript(name, ...scriptArguments) {
  execFileSync(process.execPath, [path.join(root, 'scripts', name), ...scriptArguments], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * Returns a desktop VS Code: installed, or downloaded to .vscode-test. Returns undefined if neither is available.
 */
async function findCode() {
  const installed = await findProgram(['code']);
  if (installed !== undefined) return installed;
  try {
    return await downloadAndUnzipVSCode({ version: 'stable', cachePath: path.join(root, '.vscode-test') });
  } catch (error) {
    console.error(`VS Code could not be downloaded (${error instanceof Error ? error.message : error}).`);
    return undefined;
  }
}

/**
 * Resolves when the window is closed.
 *
 * @param {string} code    the executable, or its command-line program
 * @param {string} folder
 */
async function openOnDesktop(code, folder) {
  const profile = await mkdtemp(path.join(tmpdir(), 'kindred-profile-'));
  await mkdir(path.join(profile, 'User'));
  await writeFile(path.join(profile, 'User', 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }));
  const quote = (/** @type {string} */ text) => (process.platform === 'win32' ? `"${text}"` : text);
  const window = startGroup(
    quote(code),
    [
      ...['--wait', '--new-window', '--user-data-dir', profile, '--extensions-dir', path.join(profile, 'extensions')],
      ...[`--extensionDevelopmentPath=${root}`, folder],
    ].map(quote),
    { stdio: 'inherit', shell: process.platform === 'win32' },
  );
  const closed = once(window, 'exit');
  const removeProfile = () => rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  onStop(async () => {
    // The command-line program starts VS Code as a separate process. The profile contains its id.
    const pid = Number(await readFile(path.join(profile, 'code.lock'), 'utf8').catch(() => ''));
    if (pid > 0) process.kill(pid, 'SIGTERM');
    await endGroup(window, 5_000);
    await removeProfile();
  }, 0);
  console.log(`${folder} is open in VS Code. Ctrl+C ends it.`);
  await closed;
  await removeProfile();
}

/**
 * Resolves when the server has ended.
 *
 * @param {string} folder
 */
async function openInServer(folder) {
  await installServer();
  const extensionsFolder = await mkdtemp(path.join(tmpdir(), 'kindred-extensions-'));
  const removeExtensions = () => rm(extensionsFolder, { recursive: true, force: true });
  await installExtension(path.join(root, 'dist', 'kindred.vsix'), extensionsFolder);
  const server = await startServer({ settings, extensionsFolder });
  onStop(async () => {
    await server.stop();
    await removeExtensions();
  }, 0);
  const address = workbenchAddress(server, folder);
  console.log(`${folder} is open in VS Code at\n\n  ${address}\n\nCtrl+C ends it.`);
  if (hasDesktop()) openInBrowser(address);
  await server.ended;
  await removeExtensions();
}

/**
 * @param {string} address
 */
function openInBrowser(address) {
  const [program, first] =
    process.platform === 'win32'
      ? ['rundll32', ['url.dll,FileProtocolHandler']]
      : [process.platform === 'darwin' ? 'open' : 'xdg-open', []];
  const opener = spawn(program, [...first, address], { stdio: 'ignore' });
  opener.on('error', () => console.error('No browser could be opened; the address above works in any.'));
}
