/**
 * Restricted Mode: no index of an organization is read before the folder is trusted, whatever the user names. An index
 * in the settings of a folder is never read, because VS Code reads the setting from the machine only
 * (test/manifest.test.ts).
 */
import assert from 'node:assert/strict';
import { suiteWorkbench, type Workbench } from './workbench.ts';

const settings = { 'security.workspace.trust.startupPrompt': 'never' };
const inRestrictedMode =
  "In Restricted Mode, Kindred does not search an organization's index. Trust the workspace first.";

suite('an untrusted folder', () => {
  const environment = { KINDRED_INDEX: '/nowhere/index' };
  const workbench = suiteWorkbench({ fixture: 'shop', settings, environment, restricted: true });

  test('is compared, without Git and without programs in its folder', async () => {
    await workbench().page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await workbench().showViews();
    const row = workbench()
      .treeRows(/dates\.ts.* · 3 copies · 28 lines/)
      .first();
    await row.waitFor();
    await workbench().clickAction(row, 'Compare Copies', workbench().tab('↔ period.ts:1-25'));
    await workbench().run('Kindred: Show Only What Is New Since');
    await workbench().notifications('In Restricted Mode, Kindred does not compare with Git.').waitFor();
    await workbench().run('Notifications: Clear All Notifications');
    await workbench().run('Kindred: Filter', 'Files Changed in Git');
    await workbench().notifications('In Restricted Mode, Kindred does not compare with Git.').waitFor();
    await workbench().screenshot('restricted compared');
    await workbench().page.keyboard.press('Escape');
    await workbench().run('Notifications: Clear All Notifications');
    await workbench().run('View: Close All Editors');
  });

  test('reads no index, and shows the remedy; the same folder does after it is trusted', async () => {
    await workbench().page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await search(workbench());
    await workbench().notifications(inRestrictedMode).waitFor();
    assert.equal(await workbench().notifications('There is no index').count(), 0);
    await workbench().screenshot('restricted');
    await trust(workbench());
    // Extensions learn it a moment later than the window.
    const answer = workbench().notifications('There is no index in /nowhere/index');
    await workbench().clickUntil(() => search(workbench()), answer.first());
    await workbench().screenshot('restricted trusted');
  });
});

async function trust(workbench: Workbench): Promise<void> {
  await workbench.run('Workspaces: Manage Workspace Trust');
  const button = workbench.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' });
  const notice = workbench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' });
  await workbench.clickUntil(button.first(), notice, 'hidden');
}

async function search(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.open('dates.ts');
  await page.locator('.editor-group-container.active .view-line', { hasText: 'function' }).first().click();
  await page.keyboard.press('Control+A');
  await workbench.run('Kindred: Find Near-Duplicates');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Selection' }).nth(1).click();
}
