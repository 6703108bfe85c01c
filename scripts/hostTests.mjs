/**
 * Runs the suites of dist/test/host inside a real VS Code, through @vscode/test-electron. Environment variables select
 * the VS Code:
 *
 *   VSCODE_PATH=<executable>   an installed desktop VS Code
 *   VSCODE_DESKTOP=1           a downloaded desktop VS Code (on macOS and Windows without this variable as well)
 *   neither                    the server, which needs no desktop, only the npm registry and a Chromium
 *
 *   KINDRED_RESULTS=<results file> node scripts/hostTests.mjs
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import { root } from './project.mjs';

// On a stop, VS Code receives the signal too. This process waits for it to exit.
process.on('SIGTERM', () => {});
// The suites edit files, so they run on a copy. The window shows its name.
const temporary = await mkdtemp(path.join(tmpdir(), 'kindred-host-'));
const workspace = path.join(temporary, 'workspace');
await cp(path.join(root, 'test', 'fixtures', 'workspace'), workspace, { recursive: true });
// In a window with a single folder, VS Code restarts the extension host if another folder is added.
const workspaceFile = path.join(temporary, 'tests.code-workspace');
// In a browser, VS Code saves edits after a second, which may be after a test has removed the file.
const settings = { 'files.autoSave': 'off' };
await writeFile(workspaceFile, JSON.stringify({ folders: [{ path: 'workspace' }], settings }));
try {
  await runTests({
    ...chooseCode(),
    extensionDevelopmentPath: root,
    extensionTestsPath: path.join(root, 'dist', 'test', 'host', 'run.js'),
    launchArgs: [workspaceFile, '--disable-extensions'],
  });
} catch (error) {
  // The failed tests have already been reported.
  if (!(error instanceof TestRunFailedError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await rm(temporary, { recursive: true, force: true });
}

function chooseCode() {
  const executable = process.env['VSCODE_PATH'];
  if (executable !== undefined) return { vscodeExecutablePath: executable };
  if (process.env['VSCODE_DESKTOP'] === '1' || process.platform !== 'linux') return { version: 'stable' };
  return { vscodeExecutablePath: path.join(root, 'scripts', 'serverAsCode.mjs') };
}
