#!/usr/bin/env node
/**
 * Stands in for the `code` executable that @vscode/test-electron starts: takes the same switches, but runs the tests in
 * the extension host of the VS Code server, with a headless browser for the window.
 *
 *   serverAsCode.mjs <folder or .code-workspace> --extensionDevelopmentPath=… --extensionTestsPath=…     (other switches are ignored)
 *
 * Leaves with the code that the workbench reports. That alone proves nothing: it is 0 as well when the extension host
 * dies half-way, so whoever starts this reads the results file.
 */
import { openBrowser } from './browser.mjs';
import { onStop } from './processGroup.mjs';
import { installServer, remoteUri, startServer, workbenchAddress } from './vscodeServer.mjs';

/** What the workbench itself says on the channel that the tests' output comes through: its state, and stacks of its own. */
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
