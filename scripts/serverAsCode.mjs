#!/usr/bin/env node
/**
 * Replaces the `code` executable that @vscode/test-electron starts. Takes the same switches, but runs the tests in the
 * extension host of the VS Code server, with a headless browser as the window.
 *
 *   serverAsCode.mjs <folder or .code-workspace> --extensionDevelopmentPath=… --extensionTestsPath=…
 *
 * Ignores other switches. Exits with the code that the workbench reports. This code is not sufficient, because it is
 * also 0 if the extension host crashes. The caller must therefore read the results file.
 */
import { openBrowser } from './browser.mjs';
import { onStop } from './processGroup.mjs';
import { installServer, remoteUri, startServer, workbenchAddress } from './vscodeServer.mjs';

/** Messages of the workbench itself on the channel of the tests' output: its state, and its own stacks. */
const workbenchNoise =
  /^(\[|Resolv(ing|ed) connection token|Creating a socket|Updating additional builtin|Ignoring fetching|getaddrinfo|Creation of workbench contribution|SettingsEditor2:)|\/workbench\.js:/;

const folder = process.argv.slice(2).find((argument) => !argument.startsWith('-'));
/** @type {Awaited<ReturnType<typeof startServer>> | undefined} */
let server;
/** @type {Awaited<ReturnType<typeof openBrowser>> | undefined} */
let browser;
onStop(close);
try {
  process.exitCode = await runTests();
} finally {
  await close();
}

async function runTests() {
  await installServer();
  server = await startServer({ testDriver: true });
  // Nobody looks at it, and drawing it takes more processor time than the tests themselves.
  browser = await openBrowser({ width: 900, height: 600 });
  const { page } = browser;
  const exitCode = new Promise((resolve) => {
    void page.exposeFunction('codeAutomationExit', resolve);
    page.on('crash', () => {
      console.error('The workbench page crashed.');
      resolve(1);
    });
  });
  await page.exposeFunction('codeAutomationLog', print);
  await page.goto(
    workbenchAddress(server, folder, {
      extensionDevelopmentPath: remoteUri(server, valueOf('extensionDevelopmentPath')),
      extensionTestsPath: remoteUri(server, valueOf('extensionTestsPath')),
    }),
  );
  return /** @type {Promise<number>} */ (exitCode);
}

/**
 * @param {string} level
 * @param {readonly unknown[]} values
 */
function print(level, values) {
  if (workbenchNoise.test(String(values[0]))) return;
  if (level === 'error' || level === 'warn') console.error(...values);
  else console.log(...values);
}

async function close() {
  await browser?.close();
  await server?.stop();
}

/** @param {string} name */
function valueOf(name) {
  const start = `--${name}=`;
  const found = process.argv.find((argument) => argument.startsWith(start));
  if (found === undefined) throw new Error(`${start}… is missing.`);
  return found.slice(start.length);
}
