/** Each command that the Command Palette always shows changes something that the user sees, also without a copy. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { announcements, suiteWorkbench } from './workbench.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
  };
}

const { contributes } = read('package.json') as Manifest;
const strings = read('package.nls.json') as Readonly<Record<string, string>>;

/**
 * Visible texts, as an expression for the page: tabs, notifications, questions, views with their actions, and the
 * Status Bar.
 */
const visible = `(() => {
  const textsOf = (selector) => [...document.querySelectorAll(selector)]
    .filter((it) => it.offsetParent !== null)
    .map((it) => it.ariaLabel ?? it.innerText);
  const question = document.querySelector('.quick-input-widget');
  const isPalette = question?.querySelector('input')?.value.startsWith('>');
  return JSON.stringify([
    textsOf('.tabs-container .tab'),
    textsOf('.modal-editor-header'),
    textsOf('.notification-toast .notification-list-item-message'),
    isPalette || question?.offsetParent == null ? '' : question.innerText,
    textsOf('.sidebar .monaco-list-row'),
    textsOf('.sidebar .action-label'),
    textsOf('.panel .action-label'),
    textsOf('.statusbar-item:not(:has([role="status"]))'),
    textsOf('.peekview-widget'),
  ]);
})()`;

/** Commands whose condition is true in a new window outside a browser. */
const shownHere: ReadonlySet<string> = new Set(['kindred.hideMarks', 'kindred.showNewSince']);

suite('feedback of commands', () => {
  const workbench = suiteWorkbench({ fixture: 'shop' });

  for (const { command, title } of commandsInPalette()) {
    const name = `Kindred: ${title}`;
    test(`${name} (${command})`, async () => {
      const { page } = workbench();
      await workbench().showViews();
      await workbench().treeRows('load_orders').first().waitFor();
      await workbench().run('Notifications: Clear All Notifications');
      await workbench().forgetAnnouncements();
      const before = await page.evaluate<string>(visible);
      await workbench().run(name);
      const isAnnounced = `globalThis.${announcements}.length > 0`;
      await page.waitForFunction(`${isAnnounced} || ${visible} !== ${JSON.stringify(before)}`);
      await workbench().restore();
    });
  }
});

/** Returns the commands without a condition, and those with one that is true in this window. */
function commandsInPalette(): { readonly command: string; readonly title: string }[] {
  const conditions = new Set(contributes.menus.commandPalette.map(({ command }) => command));
  return contributes.commands
    .filter(({ command }) => !conditions.has(command) || shownHere.has(command))
    .map(({ command, title }) => ({ command, title: strings[title.slice(1, -1)] }));
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(path.join(root, name), 'utf8'));
}
