/** A headless Chromium with a fresh profile, driven by playwright-core. It talks to this machine and to nobody else. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { findProgram } from './project.mjs';

/** Names on PATH, then the places where installers put it. */
const programNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const usualPlaces = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * Opens a browser with one empty page.
 *
 * @param {{ width: number, height: number }} viewport  in CSS pixels
 */
export async function openBrowser(viewport) {
  const profile = await mkdtemp(path.join(tmpdir(), 'kindred-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await browserProgram(),
    headless: true,
    viewport,
    // A container's root user cannot have Chromium's own sandbox; only the local workbench is ever opened.
    chromiumSandbox: false,
    args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  await context.route(
    (address) => /^https?:$/.test(address.protocol) && address.hostname !== '127.0.0.1',
    (request) => request.abort(),
  );
  return {
    page: context.pages()[0] ?? (await context.newPage()),
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/**
 * Where a Chromium or Chrome is, by whatever way it came: named, installed, or downloaded by playwright-core.
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

/** What to do about it. */
export const noBrowser =
  'There is no Chromium or Chrome for the tests: install one (on Debian: apt-get install chromium fonts-dejavu-core), ' +
  'or name its program in the environment variable CHROMIUM_PATH.';
