/**
 * Latency in VS Code with a large tree open: the activation of the extension, the time from a paste of a function to
 * its mark in the editor, and the time from its deletion to the removal of its group. Times are measured in the page of
 * a real window, from the input to the frame that shows the result.
 *
 *   npm run bench -- editor [--tree FOLDER] [--pastes N]
 *
 * --tree    the tree (`corpora/go` in the project), which is copied
 * --pastes  number of pastes and deletions (20)
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser } from '../scripts/browser.mjs';
import { root } from '../scripts/project.mjs';
import { pickRow, repeat } from '../scripts/quickInput.mjs';
import { installExtension, installServer, startServer, workbenchAddress } from '../scripts/vscodeServer.mjs';
import { machine, median, quantile, round, table } from './measuring.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: path.join(root, 'corpora', 'go') },
    pastes: { type: 'string', default: '20' },
  },
});

/**
 * Debounce delay of the extension after an edit of many lines: `quietAfterBlockMs` in
 * src/surfaces/vscode/scanning/scanner.ts.
 */
const debounceMs = 50;
/** Pause between two edits, like that of a user who reads the result. */
const pauseMs = 1_000;
/** Time limit for the scan of a large tree on a busy machine. */
const scanMs = 300_000;

/** A function that no tree contains. */
const pasted = `export function mooringPlan(vessels: Vessel[], quays: Quay[]): Plan {
  const plan = new Plan(quays.length * 17);
  for (const vessel of vessels.sort((a, b) => b.draught - a.draught)) {
    const quay = quays.find(({ depth, berths }) => depth > vessel.draught + 1.5 && berths.length < 4);
    if (quay === undefined) {
      plan.refuse(vessel, 'no quay is deep enough', lanterns.count('north pier'));
      continue;
    }
    quay.berths.push({ vessel, from: tide.slack(vessel.arrival), until: vessel.departure ?? plan.end });
    pilot.book(vessel.arrival, bearing(quay.buoy, compass.needle) - drift.at(quay));
  }
  return plan.seal(customs.clear(vessels, duty * 0.075, 'bonded'));
}
`;

/** @param {string} tree */
async function main(tree) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  /** @type {(() => unknown)[]} */
  const closers = [() => rmSync(folder, { recursive: true })];
  try {
    const copy = path.join(folder, path.basename(tree));
    cpSync(tree, copy, { recursive: true, verbatimSymlinks: true });
    writeFileSync(path.join(copy, 'mooringOrigin.ts'), pasted);
    writeFileSync(path.join(copy, 'mooringTarget.ts'), '// Nothing yet.\n\n');
    await installServer();
    const extensionsFolder = path.join(folder, 'extensions');
    await installExtension(path.join(root, 'dist/kindred.vsix'), extensionsFolder);
    const server = await startServer({ extensionsFolder, settings: { 'git.enabled': false } });
    closers.push(server.stop);
    const browser = await openBrowser({ width: 1400, height: 900 });
    closers.push(browser.close);
    const { page } = browser;
    await page.goto(workbenchAddress(server, copy));
    await page.locator('.activitybar .action-label[aria-label^="Kindred"]').click();
    await page.locator('.sidebar .customview-tree .monaco-list-row').nth(2).waitFor({ timeout: scanMs });
    // The scan is complete when its badge has disappeared.
    await page
      .locator('.statusbar-item[id^="kindred"]', { hasText: /^\s*[\d,.]+ duplicates\s*$/ })
      .first()
      .waitFor({ timeout: scanMs });
    const groups = await page.locator('.sidebar .message').first().innerText();

    await open(page, 'mooringTarget.ts');
    // Typed text would change the document once per character, which would measure the input handling of VS Code.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate((text) => globalThis.navigator.clipboard.writeText(text), pasted);
    const [shown, hiddenMs] = await paste(page, Number(values.pastes));
    const activation = await readActivation(page);

    console.log(`${path.basename(tree)}: ${groups}; ${machine()}\n`);
    const row = (/** @type {string} */ name, /** @type {readonly number[]} */ times) => [
      ...[name, round(median(times), 0), round(quantile(times, 0.95), 0), round(median(times) - debounceMs, 0)],
    ];
    const head = ['from the input to', 'median, ms', '95%, ms', `median without the pause of ${debounceMs} ms`];
    console.log(table(head, [row('the mark of a paste', shown), row('the count after its deletion', hiddenMs)]));
    const { loadMs, callMs, finishMs } = activation;
    const figures = {
      activation,
      shownP50Ms: round(median(shown), 0),
      shownP95Ms: round(quantile(shown, 0.95), 0),
      goneP50Ms: round(median(hiddenMs), 0),
      goneP95Ms: round(quantile(hiddenMs, 0.95), 0),
      debounceMs,
      shownMs: shown.map((ms) => round(ms, 0)),
    };
    const parts = `${loadMs} ms to load the code, ${callMs} ms in activate, ${finishMs} ms until it was done`;
    console.log(`\nactivation: ${parts}\n\n${JSON.stringify(figures)}`);
  } finally {
    for (const closer of closers.reverse()) await closer();
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function open(page, name) {
  await repeat(page, scanMs, async (timeout) => {
    await pickRow(page, { key: 'Control+P', query: name, rowText: name }, timeout);
    await page.locator('.tabs-container .tab.active', { hasText: name }).waitFor({ timeout });
  });
  await page.locator('.monaco-editor .view-line').first().click();
  await page.keyboard.press('Control+End');
}

/**
 * @param {import('playwright-core').Page} page
 * @param {number} times
 * @returns {Promise<[shown: number[], gone: number[]]>}  milliseconds
 */
async function paste(page, times) {
  /** @type {[number[], number[]]} */
  const [shown, hiddenMs] = [[], []];
  for (let i = 0; i < times; i++) {
    shown.push(await timeTo(page, 'mark', () => page.keyboard.press('Control+V')));
    await page.waitForTimeout(pauseMs);
    await page.keyboard.press('Control+A');
    hiddenMs.push(await timeTo(page, 'count', () => page.keyboard.press('Delete')));
    await page.waitForTimeout(pauseMs);
  }
  return [shown, hiddenMs];
}

/**
 * Measures the time from the change of the text to the frame that shows a mark, or another number of groups in the
 * status bar. (The mark of a deleted text disappears with the text, whatever the findings are.)
 *
 * @param {import('playwright-core').Page} page
 * @param {'mark' | 'count'} sign
 * @param {() => Promise<void>} act
 * @returns {Promise<number>}  milliseconds
 */
async function timeTo(page, sign, act) {
  const clock = await page.evaluateHandle(startClock, { sign, limitMs: 60_000 });
  await act();
  return clock.evaluate(({ elapsed }) => elapsed);
}

/**
 * Runs in the page. Starts observing it, and returns a promise of the elapsed time.
 *
 * @param {{ sign: 'mark' | 'count', limitMs: number }} options
 * @returns {{ elapsed: Promise<number> }}
 */
function startClock({ sign, limitMs }) {
  const { document, performance, requestAnimationFrame, MutationObserver } = globalThis;
  const countNow = () => document.querySelector('.statusbar-item[id^="kindred"]')?.textContent.trim();
  const before = countNow();
  const isThere = () =>
    sign === 'mark' ? document.querySelector('.monaco-editor .squiggly-info') !== null : countNow() !== before;
  const elapsed = new Promise((resolve, reject) => {
    /** @type {number | undefined} */
    let started;
    const called = performance.now();
    const observer = new MutationObserver(() => (started ??= performance.now()));
    observer.observe(document.querySelector('.monaco-editor .view-lines') ?? document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    const look = () => {
      const now = performance.now();
      if (started !== undefined && isThere()) {
        observer.disconnect();
        resolve(now - started);
      } else if (now - called > limitMs) reject(new Error(`The ${sign} did not change.`));
      else requestAnimationFrame(look);
    };
    look();
  });
  return { elapsed };
}

/**
 * Reads the times of the activation from VS Code's report of startup performance. They are wall times, so they include
 * other work of the extension host. Loading the code takes several turns of the event loop.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<{ loadMs: number, callMs: number, finishMs: number }>}
 */
async function readActivation(page) {
  // A window of this height renders all lines of the report.
  await page.setViewportSize({ width: 1400, height: 4_000 });
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget .quick-input-box input');
  await input.waitFor();
  await input.fill('>Developer: Startup Performance');
  await page.locator('.quick-input-list .monaco-list-row').first().click();
  const line = page.locator('.monaco-editor .view-line', { hasText: 'kindred.kindred' }).first();
  await line.waitFor();
  const text = (await line.innerText()).replaceAll(/\s+/g, ' ');
  const times = /\| (\d+) \| (\d+) \| (\d+) \|/.exec(text);
  if (times === null) throw new Error(`VS Code does not say how long the activation took: ${text}`);
  const [loadMs, callMs, finishMs] = times.slice(1).map(Number);
  return { loadMs, callMs, finishMs };
}

await main(path.resolve(values.tree));
