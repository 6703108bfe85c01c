/** What the view says when it has no duplicates to show: why, and what a person can do about it. */
import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeManyFiles } from '../manyFiles.ts';
import { suiteWorkbench, themeNames, type Workbench } from './workbench.ts';

suite('without a folder', () => {
  const workbench = suiteWorkbench({ fixture: undefined });

  test('the view offers to open one', async () => {
    await workbench().activity('Kindred').click();
    await welcome(workbench(), 'Open a folder to find near-duplicates in it.').waitFor();
    await workbench().screenshot('empty noFolder');
  });
});

suite('a view without duplicates', () => {
  const workbench = suiteWorkbench({ fixture: 'workspace', settings: { 'kindred.scanOnStartup': 'never' } });

  test('offers to scan what has not been scanned', async () => {
    await workbench().activity('Kindred').click();
    await welcome(workbench(), 'This workspace has not been scanned yet.').waitFor();
    for (const theme of themeNames) {
      await workbench().changeTheme(theme);
      await workbench().screenshot(`empty notScanned ${theme}`);
    }
  });

  test('says that a scan failed, and how to go on', async () => {
    // The thread starts with the first scan: without its script it cannot.
    const script = path.join(workbench().extension, 'dist', 'worker.js');
    await rename(script, `${script}.away`);
    await button('Scan Workspace').click();
    await message('The scanner stopped unexpectedly').waitFor();
    await workbench().notifications('The scanner stopped unexpectedly').waitFor();
    await workbench().screenshot('empty failed');
    await rename(`${script}.away`, script);
  });

  test('says that nothing was found', async () => {
    await workbench().changeSettings({ 'kindred.exclude': ['*.ts'] });
    await workbench().treeRows('Restart').click();
    await welcome(workbench(), 'No near-duplicates found.').waitFor();
    await workbench().notifications('The scanner stopped').waitFor({ state: 'detached' });
    await workbench().screenshot('empty nothingFound');
  });

  test('says that there is nothing to read', async () => {
    await workbench().changeSettings({ 'kindred.exclude': ['**'] });
    await message('There are no files to compare: 3 files and 1 folder excluded by kindred.exclude.').waitFor();
    await workbench().treeRows('Open Settings').waitFor();
    await workbench().screenshot('empty nothingRead');
    await workbench().changeSettings({ 'kindred.exclude': ['*.ts'] });
    await welcome(workbench(), 'No near-duplicates').waitFor();
    const rules = path.join(workbench().folder, '.gitignore');
    await writeFile(rules, '*\n');
    await message(
      /: 4 files and 1 folder excluded by \.gitignore\. To include them, turn off kindred\.useGitignore\./,
    ).waitFor();
    await workbench().screenshot('empty ignored');
    await rm(rules);
    await welcome(workbench(), 'No near-duplicates').waitFor();
  });

  test('says that a setting cannot be used', async () => {
    await workbench().changeSettings({ 'kindred.minTokens': 3 });
    await message('minTokens must be').waitFor();
    await workbench().treeRows('Open Settings').waitFor();
    await workbench().notifications('minTokens must be').waitFor();
    await workbench().screenshot('empty rejected');
  });

  test('shows the duplicates when there are some', async () => {
    await workbench().changeSettings({ 'kindred.minTokens': 50, 'kindred.exclude': [] });
    await workbench().treeRows('Line ·').waitFor();
    // And its section.
    assert.equal(await workbench().treeRows().count(), 2);
    await workbench().screenshot('empty no longer');
  });

  function message(text: string | RegExp) {
    return workbench().page.locator('.sidebar .message', { hasText: text });
  }

  function button(title: string) {
    return workbench().page.locator('.welcome-view-content .monaco-button', { hasText: title });
  }
});

suite('a view during the first scan', () => {
  const workbench = suiteWorkbench({
    fixture: 'workspace',
    settings: { 'kindred.scanOnStartup': 'never', 'kindred.performance.workers': 1, 'kindred.exclude': ['/cart.ts'] },
  });

  test('says so and offers to stop, and then that it was stopped', async () => {
    await writeManyFiles(path.join(workbench().folder, 'many'), 2500);
    await workbench().activity('Kindred').click();
    await workbench().page.locator('.welcome-view-content .monaco-button', { hasText: 'Scan Workspace' }).click();
    await welcome(workbench(), 'Finding near-duplicates').waitFor();
    await workbench().screenshot('empty scanning');
    await workbench().page.locator('.welcome-view-content .monaco-button', { hasText: 'Stop' }).click();
    await welcome(workbench(), 'The scan was stopped before it found any duplicates.').waitFor();
    await workbench().screenshot('empty stopped');
  });
});

function welcome(workbench: Workbench, text: string) {
  return workbench.page.locator('.welcome-view-content', { hasText: text });
}
