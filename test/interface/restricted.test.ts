/**
 * Restricted Mode: whatever a folder or a person names, no database is asked before the folder is trusted; and one that the
 * settings of a folder name is never asked.
 */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type OldServer, startOldServer } from '../harness/oldServer.ts';
import { suiteWorkbench, type Workbench } from './workbench.ts';

const settings = { 'security.workspace.trust.startupPrompt': 'never' };
const inRestrictedMode = 'In Restricted Mode, no database is searched. Trust the workspace first.';
/** Also the beginning of what searches the organisation. */
const searchCommand = 'Find Near-Duplicates of Selection';

suite('a folder that is not trusted', () => {
  let database: OldServer;
  const environment: Record<string, string> = {};
  suiteSetup(async () => {
    database = await startOldServer();
    environment['KINDRED_DATABASE'] = database.url;
  });
  suiteTeardown(() => database.close());
  const workbench = suiteWorkbench({ fixture: 'shop', settings, environment, restricted: true });

  test('is compared all the same, without Git and without the programs of its folder', async () => {
    await workbench().page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await workbench().activity('Kindred').click();
    const row = workbench()
      .treeRows(/dates\.ts.* · 3 copies · 28 lines/)
      .first();
    await row.waitFor();
    await row.hover();
    await row.locator('.action-label[aria-label^="Compare Copies"]').click();
    await workbench().tab('↔ period.ts:1-25').waitFor();
    await workbench().run('Kindred: Show Only What Is New Since');
    await workbench().notifications('In Restricted Mode, nothing is compared with Git.').waitFor();
    await workbench().run('Notifications: Clear All Notifications');
    await workbench().run('Kindred: Filter');
    await workbench().choose('Files Changed in Git');
    await workbench().notifications('In Restricted Mode, nothing is compared with Git.').waitFor();
    await workbench().screenshot('restricted compared');
    await workbench().page.keyboard.press('Escape');
    await workbench().run('Notifications: Clear All Notifications');
    await workbench().run('View: Close All Editors');
  });

  test('asks no database, and says what to do; the same folder asks when it is trusted', async () => {
    await workbench().page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await search(workbench());
    await workbench().notifications(inRestrictedMode).waitFor();
    await workbench().screenshot('restricted');
    assert.ok(!database.wasAsked());
    await trust(workbench());
    // Extensions begin to know it a moment later than the window.
    for (let attempt = 0; attempt < 5 && !database.wasAsked(); attempt++) {
      await search(workbench());
      await delay(2_000);
    }
    await workbench().notifications('is PostgreSQL 14.9').waitFor();
    await workbench().screenshot('restricted trusted');
    assert.ok(database.wasAsked());
  });
});

suite('a folder whose settings name a database', () => {
  let database: OldServer;
  suiteSetup(async () => {
    database = await startOldServer();
  });
  suiteTeardown(() => database.close());
  const fill = async (folder: string): Promise<void> => {
    await mkdir(path.join(folder, '.vscode'), { recursive: true });
    const named = { 'kindred.organisation.database': database.url };
    await writeFile(path.join(folder, '.vscode', 'settings.json'), JSON.stringify(named));
  };
  const workbench = suiteWorkbench({ fixture: 'shop', fill, settings, restricted: true });

  test('names none: neither in Restricted Mode nor when it is trusted', async () => {
    await workbench().page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await search(workbench());
    await workbench().notifications(inRestrictedMode).waitFor();
    // The menu has the command where the setting has a value.
    assert.deepEqual(await searchesInMenu(workbench()), [searchCommand]);
    await trust(workbench());
    const nobodyNames = workbench().notifications('Set the database of the organisation in the settings');
    for (let attempt = 0; attempt < 5 && (await nobodyNames.count()) === 0 && !database.wasAsked(); attempt++) {
      await search(workbench());
      await delay(2_000);
    }
    await workbench().screenshot('restricted setting of the folder');
    assert.deepEqual(await searchesInMenu(workbench()), [searchCommand]);
    assert.ok(!database.wasAsked());
    await nobodyNames.first().waitFor();
  });
});

async function trust(workbench: Workbench): Promise<void> {
  await workbench.run('Workspaces: Manage Workspace Trust');
  await workbench.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
  await workbench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ state: 'detached' });
}

/** Returns the search commands in the editor's context menu. */
async function searchesInMenu({ page }: Workbench): Promise<string[]> {
  await page
    .locator('.editor-group-container.active .view-line', { hasText: 'function' })
    .first()
    .click({ button: 'right' });
  const items = page.locator('.monaco-menu .action-label', { hasText: searchCommand });
  await items.first().waitFor();
  const labels = await items.allTextContents();
  await page.keyboard.press('Escape');
  await items.first().waitFor({ state: 'detached' });
  return labels;
}

async function search(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await page.keyboard.press('Control+P');
  const input = page.locator('.quick-input-widget .quick-input-box input');
  await input.fill('dates.ts');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'dates.ts' }).first().click();
  await page.locator('.editor-group-container.active .view-line', { hasText: 'function' }).first().click();
  await page.keyboard.press('Control+A');
  await workbench.run(`Kindred: ${searchCommand} in Organisation`);
}
