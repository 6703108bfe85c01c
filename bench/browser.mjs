/**
 * First rows in VS Code for the web: a tree is opened in headless Chromium with the extension in the page, and opened
 * again with the stored index. The files are read from the server, or from a file system with a delay for each request.
 *
 *   npm run bench -- browser --tree FOLDER [--delay MS] [--isolated] [--workers N] [--desktop] [--pause S]
 *
 * --delay     the files are in a virtual file system that answers each request after this time
 * --isolated  the page is cross-origin isolated, so threads can share memory
 * --workers   number of threads (0: one less than processors)
 * --pause     seconds after the first rows in which the index is stored (10)
 * --desktop   the extension runs in Node, for comparison
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { openBrowser } from '../scripts/browser.mjs';
import { root } from '../scripts/project.mjs';
import { pickRow, repeat } from '../scripts/quickInput.mjs';
import { installExtension, installServer, startServer, workbenchAddress } from '../scripts/vscodeServer.mjs';
import { machine, table } from './measuring.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: path.join(root, 'src') },
    delay: { type: 'string' },
    isolated: { type: 'boolean', default: false },
    workers: { type: 'string', default: '0' },
    desktop: { type: 'boolean', default: false },
    pause: { type: 'string', default: '10' },
  },
});

/** Time limit for first rows on a busy machine. */
const rowsMs = 600_000;

/** @param {string} tree */
async function main(tree) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  /** @type {(() => unknown)[]} */
  const closers = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    await installServer();
    const extensionsFolder = path.join(folder, 'extensions');
    await installExtension(path.join(root, 'dist/kindred.vsix'), extensionsFolder);
    const isVirtual = values.delay !== undefined;
    if (isVirtual) await installExtension(await packSlowFolder(tree, folder), extensionsFolder);
    const isolatePages = pathToFileURL(path.join(root, 'scripts/isolatePages.mjs')).href;
    const kind = values.desktop ? {} : { 'kindred.kindred': ['web'] };
    const server = await startServer({
      extensionsFolder,
      environment: values.isolated ? { NODE_OPTIONS: `--import=${isolatePages}` } : {},
      settings: {
        'remote.extensionKind': { ...kind, 'kindred.slow-folder': ['web'] },
        'kindred.workers': Number(values.workers),
        'kindred.showViewOnStartup': true,
      },
    });
    closers.push(server.stop);
    const { page, close } = await openBrowser({ width: 1400, height: 900 });
    closers.push(close);
    page.setDefaultTimeout(rowsMs);
    const address = workbenchAddress(server, isVirtual ? 'slow-folder:/' : path.resolve(tree));
    /** @type {object[]} */
    const figures = [];
    for (const visit of ['first', 'again']) {
      const started = performance.now();
      await page.goto(address);
      const icon = page.locator('.activitybar .action-label[aria-label^="Kindred"]');
      await icon.waitFor();
      const windowMs = performance.now() - started;
      const atWindow = ofRenderers(processorSecondsOf);
      const views = page.locator('.sidebar .composite.title', { hasText: 'Kindred' });
      if (!(await views.isVisible())) await icon.click({ force: true });
      const rows = page.locator('.sidebar .customview-tree .monaco-list-row');
      await rows.nth(2).waitFor();
      const rowsAtMs = performance.now() - started;
      const processorSeconds = ofRenderers(processorSecondsOf) - atWindow;
      // Until the index is stored.
      await setTimeout(Number(values.pause) * 1000);
      const log = await logOf(page);
      figures.push({
        visit,
        windowMs: Math.round(windowMs),
        firstRowsMs: Math.round(rowsAtMs),
        rows: await rows.allInnerTexts(),
        message: await page.locator('.sidebar .message').first().innerText(),
        reads: isVirtual
          ? await page
              .locator('.statusbar-item', { hasText: / read, / })
              .first()
              .innerText()
          : '',
        processorSeconds,
        rendererMB: Math.round(ofRenderers(memoryOf)),
        log,
      });
    }
    print(tree, figures);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/**
 * @param {string} tree
 * @param {any[]} figures
 */
function print(tree, figures) {
  console.log(machine());
  console.log(`\n${tree}: ${JSON.stringify(values)}\n`);
  console.log(
    table(
      ['visit', 'window ms', 'first rows ms', 'processor s after window', 'reads', 'renderer MB'],
      figures.map((it) => [
        it.visit,
        it.windowMs,
        it.firstRowsMs,
        it.processorSeconds.toFixed(1),
        it.reads,
        it.rendererMB,
      ]),
    ),
  );
  for (const { log, message } of figures) console.log(`\n${message}\n${log.join('\n')}`);
  console.log(JSON.stringify({ visits: figures }));
}

/**
 * Returns the lines of the extension's log.
 *
 * @param {import('playwright-core').Page} page
 */
async function logOf(page) {
  const title = 'Kindred: Show Log';
  await repeat(page, rowsMs, (timeout) => pickRow(page, { key: 'F1', query: `>${title}`, rowText: title }, timeout));
  const lines = page.locator('.panel .view-line');
  await lines.filter({ hasText: '[info]' }).first().waitFor();
  return lines.allInnerTexts();
}

/**
 * Returns the sum of a figure of all Chromium renderers, which run the page and its workers.
 *
 * @param {(read: (name: string) => string) => number} figureOf  given a function that reads a file of the process
 */
function ofRenderers(figureOf) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.reduce((sum, pid) => {
    const read = (/** @type {string} */ name) => {
      try {
        return readFileSync(`/proc/${pid}/${name}`, 'utf8');
      } catch {
        return '';
      }
    };
    return read('cmdline').includes('--type=renderer') && isOurs(pid) ? sum + figureOf(read) : sum;
  }, 0);
}

/**
 * Returns the resident memory of a process in MB.
 *
 * @param {(name: string) => string} read
 */
function memoryOf(read) {
  return Number(/^Rss:\s+(\d+)/m.exec(read('smaps_rollup'))?.[1] ?? 0) / 1024;
}

/**
 * Returns the processor time of a process in seconds.
 *
 * @param {(name: string) => string} read
 */
function processorSecondsOf(read) {
  // The name of a program may contain spaces. The kernel counts in ticks of 10 ms.
  const fields = read('stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/**
 * True if this process has started a process, directly or through others.
 *
 * @param {string} pid
 * @returns {boolean}
 */
function isOurs(pid) {
  if (Number(pid) === process.pid) return true;
  if (Number(pid) <= 1) return false;
  try {
    // The name of a program may contain spaces.
    const [, parent = '0'] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return isOurs(parent);
  } catch {
    return false;
  }
}

/**
 * Packs the extension with the virtual file system and the files of a tree.
 *
 * @param {string} tree
 * @param {string} folder
 */
async function packSlowFolder(tree, folder) {
  const extension = path.join(folder, 'slowFolder');
  cpSync(path.join(root, 'bench/slowFolder'), extension, { recursive: true });
  const files = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  const texts = files.map((file) => readFileSync(file));
  const sizes = files.map((file, i) => [`/${path.relative(tree, file).split(path.sep).join('/')}`, texts[i]?.length]);
  writeFileSync(path.join(extension, 'corpus.bin'), Buffer.concat(texts));
  writeFileSync(path.join(extension, 'corpus.json'), JSON.stringify({ delayMs: Number(values.delay), sizes }));
  writeFileSync(path.join(extension, 'README.md'), 'For a bench.\n');
  writeFileSync(path.join(extension, 'LICENSE'), 'MIT\n');
  const packagePath = path.join(folder, 'slow-folder.vsix');
  mkdirSync(folder, { recursive: true });
  await createVSIX({ cwd: extension, packagePath, dependencies: false, allowMissingRepository: true });
  return packagePath;
}

await main(values.tree);
