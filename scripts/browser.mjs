/** A headless Chromium with a fresh profile, driven by playwright-core. It can connect only to this machine. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { findProgram } from './project.mjs';

/** Names on PATH, then default locations of installers. */
const programNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const usualPlaces = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * A page with its own cookies and storage.
 *
 * @typedef {object} OpenPage
 * @property {import('playwright-core').Page} page
 * @property {() => Promise<void>} close
 */

/**
 * A browser that opens several pages, also at the same time.
 *
 * @typedef {object} SharedBrowser
 * @property {(viewport: { width: number, height: number }) => Promise<OpenPage>} open  with a size in CSS pixels
 * @property {() => Promise<void>} close
 */

/** @returns {Promise<SharedBrowser>} */
export async function startBrowser() {
  const browser = await chromium.launch({
    executablePath: await browserProgram(),
    headless: true,
    // Chromium's sandbox does not work for the root user of a container. Only the local workbench is ever opened.
    chromiumSandbox: false,
    args: [
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      // No other host is reached. Interception of requests would take processor time for each, and disable the cache.
      ...['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--no-proxy-server'],
    ],
  });
  return { open: (viewport) => openPage(browser, viewport), close: () => browser.close() };
}

/**
 * Opens a browser with one empty page.
 *
 * @param {{ width: number, height: number }} viewport  in CSS pixels
 * @returns {Promise<OpenPage>}
 */
export async function openBrowser(viewport) {
  const browser = await startBrowser();
  const { page } = await browser.open(viewport);
  return { page, close: browser.close };
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {{ width: number, height: number }} viewport
 * @returns {Promise<OpenPage>}
 */
async function openPage(browser, viewport) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  // A busy machine may need more than Playwright's limit of 30 s to open the workbench.
  page.setDefaultTimeout(200_000);
  return {
    page,
    close: async () => {
      // Navigation notifies the server that the page was left. Closing the page does not.
      await page.goto('about:blank').catch(() => {});
      await context.close();
    },
  };
}

/**
 * Returns the path of a Chromium or Chrome: specified, installed, or downloaded by playwright-core.
 *
 * @returns {Promise<string | undefined>}
 */
export async function findBrowser() {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return named;
  return (await findProgram(programNames)) ?? [...usualPlaces, chromium.executablePath()].find((it) => existsSync(it));
}

async function browserProgram() {
  const found = await findBrowser();
  if (found === undefined) throw new Error(noBrowser);
  return found;
}

/** Message for a missing browser. */
export const noBrowser =
  'There is no Chromium or Chrome for the tests: install one (on Debian: apt-get install chromium fonts-dejavu-core), ' +
  'or name its program in the environment variable CHROMIUM_PATH.';
