/**
 * Real workbench for the interface tests: VS Code with the packaged extension installed, as users have it, and a page
 * that drives it. All windows share one browser, one installation, and one server, unless their options need another
 * server. Each window has its own profile. Opening one takes seconds of processor time, so suites share one where they
 * can. Environment: with KINDRED_SHOTS=1, a screenshot of each state is written to shots, not only of failures.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type SharedBrowser, startBrowser } from '../../scripts/browser.mjs';
import { packageFile } from '../../scripts/packages.mjs';
import { root, version } from '../../scripts/project.mjs';
import { pickRow, repeat } from '../../scripts/quickInput.mjs';
import {
  installExtension,
  installServer,
  type Server,
  startServer,
  workbenchAddress,
  writeProfile,
} from '../../scripts/vscodeServer.mjs';

/** Folder of screenshots, which git ignores. */
const shots = path.join(root, 'shots');
/** Size of the window in CSS pixels: that of a small laptop. */
const viewport = { width: 1400, height: 900 };
/** Default limit of a wait. A busy machine may need it; a test that hangs ends before the limit of mocha. */
const appearMs = 220_000;

/** Parts of the window of which a failed test prints the text. */
const textParts = [
  ...[
    '.sidebar',
    '.panel',
    '.tabs-container',
    '.view-lines',
    '.notifications-toasts',
    '.monaco-dialog-box',
    '.statusbar',
  ],
  ...[':focus', '.monaco-list-row.focused', '.monaco-list-row.selected'],
];

/** Runs in the page. Endless animations, such as a progress bar, are not awaited. */
const endOfAnimations = `Promise.allSettled(document.getAnimations()
  .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity)
  .map((each) => each.finished))`;

/** Global variable of the page with the sentences that the Status Bar has shown for some seconds. */
export const announcements = 'kindredAnnouncements';

/** Runs in the page before its scripts. */
const recordAnnouncements = `
  globalThis.${announcements} = [];
  let shown = '';
  new MutationObserver(() => {
    const now = document.querySelector('.statusbar-item [role="status"]')?.innerText ?? '';
    if (now !== shown && now !== '') globalThis.${announcements}.push(now);
    shown = now;
  }).observe(document, { subtree: true, childList: true, characterData: true });`;

/** A theme of each type, and the class by which the page shows it. */
export const themes = {
  dark: { name: 'Default Dark Modern', cssClass: '.vs-dark' },
  light: { name: 'Default Light Modern', cssClass: '.vs' },
  highContrast: { name: 'Default High Contrast', cssClass: '.hc-black' },
  highContrastLight: { name: 'Default High Contrast Light', cssClass: '.hc-light' },
} as const;

export type Theme = keyof typeof themes;

export const themeNames: readonly Theme[] = ['dark', 'light', 'highContrast', 'highContrastLight'];

export interface WorkbenchOptions {
  /** Folder of test/fixtures of which a copy is opened. Undefined opens a window without a folder. */
  readonly fixture: string | undefined;
  /** Writes into the copy before it is opened. */
  readonly fill?: (folder: string) => Promise<void>;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Display language of the window, such as 'de'. English by default. VS Code itself is only installed in English. */
  readonly language?: string;
  /** Environment variables for the extensions. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Opens the folder as untrusted. */
  readonly restricted?: true;
  /** Called with the folder that the extension was installed to, before the window opens. */
  readonly prepare?: (extension: string) => Promise<void>;
}

/** Paths of a window. */
type Places = Pick<Workbench, 'folder' | 'extension' | 'userSettings'>;

/** A window of VS Code. */
export class Workbench {
  readonly page: Page;
  /** Absolute path of the open copy of the fixture. Empty without a folder. */
  readonly folder: string;
  /** Absolute path of the installed extension. */
  readonly extension: string;
  /** Path of the user settings. */
  readonly userSettings: string;
  readonly #logs: () => string[];
  /** Settings changed by `changeSettings` so far. */
  readonly #settings: Record<string, unknown> = {};
  readonly #close: () => Promise<void>;

  constructor(page: Page, places: Places, logs: () => string[], close: () => Promise<void>) {
    this.page = page;
    this.folder = places.folder;
    this.extension = places.extension;
    this.userSettings = places.userSettings;
    this.#logs = logs;
    this.#close = close;
  }

  /**
   * Runs a command from the palette by its full title, such as 'Kindred: Scan Workspace'.
   *
   * @param choice  see `choose`. The command runs again if its list of choices closes, as when a page takes the focus
   */
  async run(title: string, choice?: string): Promise<void> {
    await this.repeat(async (timeout) => {
      await pickRow(this.page, { key: 'F1', query: `>${title}`, rowText: title }, timeout);
      if (choice !== undefined) await this.choose(choice, Math.max(timeout, 20_000));
    });
  }

  /** Changes settings of the workspace by editing the file, as users can. */
  async changeSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    Object.assign(this.#settings, changes);
    await mkdir(path.join(this.folder, '.vscode'), { recursive: true });
    await writeFile(path.join(this.folder, '.vscode', 'settings.json'), JSON.stringify(this.#settings));
  }

  /** Shows the window in a theme. */
  async changeTheme(theme: Theme): Promise<void> {
    // A tooltip would be in the picture.
    await this.#leave();
    await this.changeSettings({ 'workbench.colorTheme': themes[theme].name });
    await this.page.locator(`.monaco-workbench${themes[theme].cssClass}`).waitFor();
  }

  /**
   * Opens a file of the folder as *Go to File…* does.
   *
   * @param file  path in the folder, which a line may follow, such as 'src/money.ts:10'
   */
  async open(file: string): Promise<void> {
    const name = path.posix.basename(file).replace(/:\d+$/, '');
    await this.repeat(async (timeout) => {
      await pickRow(this.page, { key: 'Control+p', query: file, rowText: name }, timeout);
      await this.tab(name).waitFor({ timeout });
    });
  }

  /** Returns the active tab, if its title has this text. */
  tab(title: string): Locator {
    return this.page.locator('.tabs-container .tab.active', { hasText: title }).first();
  }

  /** Returns the active text editor. */
  editor(): Locator {
    return this.page.locator('.editor-group-container.active .monaco-editor').first();
  }

  /**
   * Clicks the first line in the active editor with this text. Scrolls up while a sticky line covers it. Does not use
   * Playwright's click, which scrolls the editor's elements when a hover or a toast covers the line for a moment; the
   * first lines then stay out of sight.
   */
  async click(text: string | RegExp): Promise<void> {
    const line = this.editor().locator('.view-line', { hasText: text }).first();
    await line.waitFor();
    await this.until(async () => {
      const box = await line.boundingBox();
      if (box !== null) {
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await this.page.mouse.move(x, y);
        const isOnTop = await this.page.evaluate(
          `Boolean(document.elementFromPoint(${x}, ${y})?.closest('.monaco-editor .lines-content'))`,
        );
        if (isOnTop) {
          await this.page.mouse.click(x, y);
          return true;
        }
      }
      await this.editor().hover({ force: true });
      await this.page.mouse.wheel(0, -60);
      return false;
    });
  }

  /**
   * Opens the light bulb's menu at the cursor and returns an item of it. Opens it again if the item is missing, because
   * the menu does not change while it is open, and the marks of the line may be late.
   */
  async lightBulbItem(label: string): Promise<Locator> {
    const item = this.page.locator('.action-widget .monaco-list-row', { hasText: label }).first();
    await this.repeat(async (timeout) => {
      await this.page.keyboard.press('Control+.');
      await item.waitFor({ timeout }).catch(async (error: unknown) => {
        await this.page.keyboard.press('Escape');
        throw error;
      });
    });
    return item;
  }

  /**
   * Hovers over the language status and returns the hover when it has this text. Hovers again until then, because the
   * hover does not change while it is open, and the extension may be late.
   */
  async languageStatus(text: string | RegExp): Promise<Locator> {
    const hovers = this.page.locator('.hover-language-status');
    const hover = hovers.filter({ hasText: text }).first();
    let x = 600;
    await this.until(async () => {
      if (await hover.isVisible()) return true;
      // Move to another place each time, because a hover stays if the mouse leaves before it is shown.
      x = x < 700 ? x + 1 : 600;
      await this.page.mouse.move(x, 300);
      await this.page.locator('#status\\.languageStatus').hover();
      await hovers.first().waitFor();
      await hover.waitFor({ timeout: 500 }).catch(() => undefined);
      return false;
    });
    return hover;
  }

  /** Chooses a command in the light bulb's menu at the cursor. */
  async chooseInLightBulb(label: string): Promise<void> {
    await (await this.lightBulbItem(label)).click();
  }

  /**
   * Waits until the Status Bar has reported the result of a command, which screen readers read. The sentence may have
   * disappeared again, because it is shown for five seconds. Each sentence is accepted once.
   *
   * @param sentences  parts of possible sentences
   * @returns          the part that was reported first
   */
  async announced(...sentences: readonly string[]): Promise<string> {
    const reported = await this.page.waitForFunction(`(() => {
      const partOf = (it) => ${JSON.stringify(sentences)}.find((part) => it.includes(part));
      const place = globalThis.${announcements}.findIndex(partOf);
      return place >= 0 && partOf(globalThis.${announcements}.splice(0, place + 1).at(-1));
    })()`);
    return (await reported.jsonValue()) as string;
  }

  /** Forgets the sentences that `announced` would accept. */
  async forgetAnnouncements(): Promise<void> {
    await this.page.evaluate(`globalThis.${announcements}.length = 0`);
  }

  /**
   * Chooses a command in the context menu of a row. Opens the menu again if it belongs to another row: rows may move
   * when the findings change.
   *
   * @param choice  see `choose`. The command runs again if its list of choices closes, as when the menu returns the
   *   focus
   */
  async chooseInMenu(row: Locator, command: string, choice?: string): Promise<void> {
    const menu = this.page.locator('.context-view .monaco-menu');
    const isOfRow = row.and(this.page.locator('.focused'));
    const item = menu.locator('.action-item', { hasText: command }).first();
    await this.repeat(async (timeout) => {
      // Do not press Escape without a menu, because it would also clear the selection.
      if (await menu.isVisible()) await this.page.keyboard.press('Escape');
      await row.click({ button: 'right', timeout });
      await menu.waitFor({ timeout });
      await isOfRow.waitFor({ timeout });
      // Do not click, because an opening menu ignores clicks: they could be the end of the click that opened it.
      await item.hover({ timeout });
      await item.and(this.page.locator('.focused')).waitFor({ timeout });
      await this.page.keyboard.press('Enter');
      if (choice !== undefined) await this.choose(choice, Math.max(timeout, 20_000));
    });
  }

  /**
   * Clicks until an element is shown or hidden. A click is lost if its target is redrawn between its two halves, or if
   * a tooltip covers it. Rows and hovers are redrawn when the findings change. An expanded row is not clicked again.
   *
   * @param target  element to click, or another action
   */
  async clickUntil(
    target: Locator | ((timeout: number) => Promise<void>),
    changed: Locator,
    state: 'visible' | 'hidden' = 'visible',
  ): Promise<void> {
    const click = async (timeout: number): Promise<void> => {
      if (typeof target === 'function') await target(timeout);
      else if ((await target.getAttribute('aria-expanded', { timeout })) !== 'true') await target.click({ timeout });
    };
    await this.repeat(async (timeout) => {
      await click(timeout).catch(() => this.#leave());
      await changed.waitFor({ state, timeout });
    });
  }

  /** Moves the mouse to the editor, so that a tooltip in the side bar closes. */
  async #leave(): Promise<void> {
    await this.page.mouse.move(viewport.width / 2, viewport.height / 2);
  }

  /** Repeats an action until it succeeds, each time with more time. */
  async repeat(action: (timeout: number) => Promise<void>): Promise<void> {
    await repeat(this.page, appearMs, action);
  }

  /** Waits until a condition holds that no locator can state. */
  async until(condition: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + appearMs; !(await condition());) {
      if (Date.now() > end) throw new Error(`This never came true: ${String(condition)}`);
      await this.page.waitForTimeout(100);
    }
  }

  /** Answers the prompt in the input at the top. */
  async answer(text: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget .quick-input-box input');
    await input.waitFor();
    await input.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Clicks an icon in the title of a view; see `clickAction`. */
  async clickTitle(label: string, changed?: Locator, view = 'Duplicates'): Promise<void> {
    await this.clickAction(this.pane(view), label, changed);
  }

  /**
   * Hovers over a row until its tooltip is shown. A tooltip is lost if its row is redrawn, and returns only if the
   * mouse comes from another place.
   */
  async hoverUntil(row: Locator, tooltip: Locator): Promise<void> {
    const hover = async (timeout: number): Promise<void> => {
      await this.#leave();
      await row.hover({ timeout });
    };
    await this.clickUntil(hover, tooltip);
  }

  /** Selects several rows. Repeats the clicks if one is lost. */
  async select(first: Locator, ...others: readonly Locator[]): Promise<void> {
    const selected = this.page.locator('.sidebar .monaco-list-row.selected');
    await this.repeat(async (timeout) => {
      await first.click({ timeout });
      for (const other of others) await other.click({ modifiers: ['ControlOrMeta'], timeout });
      for (const row of [first, ...others]) await row.and(selected).waitFor({ timeout });
    });
  }

  /** Returns the header of a view in the side bar. */
  pane(name: string): Locator {
    return this.page.locator('.sidebar .pane-header', { hasText: name }).first();
  }

  /** Returns the icon of a view container in the activity bar. */
  activity(title: string): Locator {
    return this.page.locator(`.activitybar .action-label[aria-label^="${title}"]`);
  }

  /**
   * Clicks an action of a row or header. It is visible only under the mouse, and hidden if the row is redrawn.
   *
   * @param changed  element that the action shows. Until then, the action is clicked again
   */
  async clickAction(row: Locator, label: string, changed?: Locator): Promise<void> {
    const action = row.locator(`.action-label[aria-label*="${label}"]`).first();
    await this.repeat(async (timeout) => {
      try {
        await row.hover({ timeout });
        await action.click({ timeout });
      } catch (error) {
        if (!(await changed?.isVisible())) {
          await this.#leave();
          throw error;
        }
      }
      await changed?.waitFor({ timeout });
    });
  }

  /** Returns rows of the tree views in the side bar, from the top. */
  treeRows(text?: string | RegExp): Locator {
    return this.page.locator('.sidebar .customview-tree .monaco-list-row', text === undefined ? {} : { hasText: text });
  }

  /**
   * Picks the first item of the open list of choices whose label begins with this text. Clicks the beginning of the
   * label, because the tooltip of a description can cover the middle of the row.
   */
  async choose(label: string, timeout = appearMs): Promise<void> {
    await this.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: new RegExp(`^\\s*${label}`) })
      .first()
      .click({ position: { x: 20, y: 8 }, timeout });
  }

  /** Returns the toasts: messages from the extension to the user. */
  notifications(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  /** Waits for a toast, and keeps the mouse on it: others close after ten seconds. */
  async keepToast(toast: Locator): Promise<void> {
    await this.repeat((timeout) => toast.hover({ timeout }));
  }

  /** Returns the extension host's log, with activated extensions and errors. */
  extensionHostLog(): string {
    return this.#logs()
      .map((log) => readFileSync(log, 'utf8'))
      .join('');
  }

  /** Shows the views of Kindred. If they are shown already, a click on their icon would hide them. */
  async showViews(): Promise<void> {
    if (!(await this.page.locator('.sidebar .composite.title', { hasText: 'Kindred' }).isVisible())) {
      // A badge covers the icon.
      await this.activity('Kindred').click({ force: true });
    }
  }

  /** Closes all editors, and restores the fixture and the settings. */
  async restore(): Promise<void> {
    await this.page.setViewportSize(viewport);
    await this.page.keyboard.press('Escape');
    // Typed text is saved a moment later.
    await this.page.locator('.tabs-container .tab.dirty').first().waitFor({ state: 'detached' });
    await this.run('View: Close All Editors');
    for (const key of Object.keys(this.#settings)) delete this.#settings[key];
    await restoreFixture(this.folder);
    await this.forgetAnnouncements();
  }

  /** Writes a picture of the window to shots/<name>.png, if pictures were requested. */
  async screenshot(name: string): Promise<void> {
    if (process.env['KINDRED_SHOTS'] !== undefined) await this.#shoot(name);
  }

  /** Writes a picture of the window to shots, and its texts to the console, where there may be no pictures. */
  async recordFailure(test: string): Promise<void> {
    const name = `failed ${test.replaceAll(/\W+/g, ' ')}`;
    const texts = await this.page.evaluate<string[]>(`${JSON.stringify(textParts)}.flatMap((part) =>
      [...document.querySelectorAll(part)].map((each) => part + ': ' + (each.innerText ?? "").replaceAll(/\\s+/g, ' ').slice(0, 600)))`);
    console.log([`The window of "${test}":`, ...texts].join('\n'));
    await this.#shoot(name);
  }

  /** Writes a picture of the window to shots/<name>.png after pending animations. */
  async #shoot(name: string): Promise<void> {
    await mkdir(shots, { recursive: true });
    await this.page.evaluate(endOfAnimations);
    await this.page.screenshot({ path: path.join(shots, `${name}.png`) });
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

/** Opens one window for all tests of a suite. A failed test leaves a picture of it in shots. */
export function suiteWorkbench(options: WorkbenchOptions): () => Workbench {
  let workbench: Workbench | undefined;

  suiteSetup(async () => {
    workbench = await openWorkbench(options);
  });
  teardown(async function () {
    if (hasFailed(this.currentTest)) await workbench?.recordFailure(this.currentTest.fullTitle());
  });
  suiteTeardown(() => workbench?.close());

  return () => opened(workbench);
}

/** Window of `shopWorkbench`, unless a test in it has failed. */
let shop: Workbench | undefined;

/**
 * Opens a window with the fixture shop for suites that do not depend on the initial state: rows may be expanded, and
 * views shown. Editors are closed and files restored between suites. After a failure, the next suite gets another
 * window.
 */
export function shopWorkbench(): () => Workbench {
  suiteSetup(async () => {
    await shop?.restore();
    shop ??= await openWorkbench({ fixture: 'shop' });
  });
  teardown(async function () {
    if (!hasFailed(this.currentTest)) return;
    await shop?.recordFailure(this.currentTest.fullTitle());
    isSpoiled = true;
  });
  suiteTeardown(async () => {
    if (isSpoiled) await closeShop();
  });

  return () => opened(shop);
}

/** True if a test has failed in the window `shop`, so that the next suite needs another one. */
let isSpoiled = false;

/** Returns true if a test has failed. If it is to run again, its state is undefined. */
function hasFailed(test: Mocha.Test | undefined): test is Mocha.Test {
  return test !== undefined && test.state !== 'passed';
}

async function closeShop(): Promise<void> {
  await shop?.close();
  shop = undefined;
  isSpoiled = false;
}

function opened(workbench: Workbench | undefined): Workbench {
  if (workbench === undefined) throw new Error('The window opens when the first test of the suite runs.');
  return workbench;
}

/** Browser and server shared by the windows of one process. The first window that needs them starts them. */
const shared: { browser?: Promise<SharedBrowser>; server?: Promise<SharedServer> } = {};

interface SharedServer {
  readonly server: Server;
  readonly extensionsFolder: string;
  readonly stop: () => Promise<void>;
}

suiteTeardown(async () => {
  await closeShop();
  await (await shared.browser)?.close();
  await (await shared.server)?.stop();
});

/** Opens a window and waits until it is usable: the parts of the workbench are drawn, and extensions have started. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  await installServer();
  const temporary = await mkdtemp(path.join(tmpdir(), 'kindred-interface-'));
  const closers = [() => rm(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    let folder = '';
    if (options.fixture !== undefined) {
      folder = path.join(temporary, options.fixture);
      await cp(fixtureOf(folder), folder, { recursive: true });
      await options.fill?.(folder);
    }
    const { server, extensionsFolder, stop } = await serverFor(options);
    if (stop !== undefined) closers.push(stop);
    await writeProfile(server, options.settings ?? {}, options.restricted ?? false);
    const earlierLogs = hostLogs(server);
    shared.browser ??= startBrowser();
    const { page, close: closePage } = await (await shared.browser).open(viewport);
    closers.push(closePage);
    page.setDefaultTimeout(appearMs);
    await page.addInitScript(recordAnnouncements);
    const { language } = options;
    // A server with the language pack would write it into the page.
    if (language !== undefined) await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${language}';`);
    const extension = path.join(extensionsFolder, `kindred.kindred-${version}`);
    const logs = (): string[] => hostLogs(server).filter((log) => !earlierLogs.includes(log));
    const userSettings = path.join(server.dataFolder, 'data', 'User', 'settings.json');
    const workbench = new Workbench(page, { folder, extension, userSettings }, logs, close);
    await page.goto(workbenchAddress(server, folder === '' ? undefined : folder));
    await page.locator('.monaco-workbench .activitybar .action-item').first().waitFor();
    return workbench;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the server for a window. `stop` is defined if no other window may use it. */
async function serverFor(
  options: WorkbenchOptions,
): Promise<Omit<SharedServer, 'stop'> & { stop?: () => Promise<void> }> {
  if (options.prepare ?? options.environment ?? options.restricted) return startServerOf(options);
  shared.server ??= startServerOf({});
  const { server, extensionsFolder } = await shared.server;
  return { server, extensionsFolder };
}

/** Installs the extension into a new folder and starts a server with it. */
async function startServerOf(options: Partial<WorkbenchOptions>): Promise<SharedServer> {
  const { prepare, environment = {}, restricted = false } = options;
  const extensionsFolder = await mkdtemp(path.join(tmpdir(), 'kindred-extensions-'));
  const removeExtensions = (): Promise<void> =>
    rm(extensionsFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  try {
    await installExtension(packageFile('vsix'), extensionsFolder);
    await prepare?.(path.join(extensionsFolder, `kindred.kindred-${version}`));
    const server = await startServer({ extensionsFolder, environment, restricted });
    const stop = async (): Promise<void> => {
      await server.stop();
      await removeExtensions();
    };
    return { server, extensionsFolder, stop };
  } catch (error) {
    await removeExtensions();
    throw error;
  }
}

/** Returns the logs of all extension hosts of a server. */
function hostLogs({ dataFolder }: Server): string[] {
  const logs = path.join(dataFolder, 'data', 'logs');
  if (!existsSync(logs)) return [];
  return readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name) === 'remoteexthost.log')
    .map((name) => path.join(logs, name));
}

/** Returns the fixture of which a folder is a copy. */
function fixtureOf(folder: string): string {
  return path.join(root, 'test', 'fixtures', path.basename(folder));
}

/** Removes files added to a copy of a fixture and restores changed ones. Leaves the rest untouched. */
async function restoreFixture(folder: string): Promise<void> {
  const fixture = fixtureOf(folder);
  const fixtureFiles = new Set(await readdir(fixture, { recursive: true }));
  for (const name of await readdir(folder, { recursive: true })) {
    if (!fixtureFiles.has(name)) await rm(path.join(folder, name), { recursive: true, force: true });
  }
  for (const name of fixtureFiles) {
    const text = await readFile(path.join(fixture, name)).catch(() => undefined);
    // Skip folders.
    if (text === undefined) continue;
    const now = await readFile(path.join(folder, name)).catch(() => undefined);
    if (now?.equals(text) !== true) await writeFile(path.join(folder, name), text);
  }
}
