/** Restricted Mode: whatever a folder or a person names, no database is asked before the folder is trusted. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type OldServer, startOldServer } from '../harness/oldServer.ts';
import { suiteWorkbench, type Workbench } from './workbench.ts';

suite('a folder that is not trusted', () => {
  let database: OldServer;
  const settings = { 'security.workspace.trust.startupPrompt': 'never' };
  const environment: Record<string, string> = {};
  suiteSetup(async () => {
    database = await startOldServer();
    environment['KINDRED_DATABASE'] = database.url;
  });
  suiteTeardown(() => database.close());
  const workbench = suiteWorkbench({ fixture: 'shop', settings, environment, restricted: true });

  test('asks no database, and says what to do; the same folder asks when it is trusted', async () => {
    await workbench().page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await search(workbench());
    await workbench().notifications('In Restricted Mode, no database is asked. Trust the workspace first.').waitFor();
    await workbench().screenshot('restricted');
    assert.ok(!database.wasAsked());
    await workbench().run('Workspaces: Manage Workspace Trust');
    await workbench().page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
    await workbench().page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ state: 'detached' });
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

async function search(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await page.keyboard.press('Control+P');
  const input = page.locator('.quick-input-widget .quick-input-box input');
  await input.fill('dates.ts');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'dates.ts' }).first().click();
  await page.locator('.editor-group-container.active .view-line', { hasText: 'function' }).first().click();
  await page.keyboard.press('Control+A');
  await workbench.run('Kindred: Find Near-Duplicates of Selection in Organisation');
}
