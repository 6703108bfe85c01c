/** Places in VS Code's own user interface: the language status of the active file, and the walkthrough. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { suiteWorkbench } from './workbench.ts';

suite('integration in the workbench', () => {
  const workbench = suiteWorkbench({
    fixture: 'shop',
    settings: { 'kindred.exclude': ['tools/days.ts'] },
    fill: (folder) => writeFile(path.join(folder, 'made.ts'), '// @generated\nexport const made = true;\n'),
  });

  test('the language status shows whether the active file is compared, and the setting that would include it', async () => {
    const { page } = workbench();
    await workbench().showViews();
    await workbench().treeRows('load_orders').first().waitFor();
    for (const [file, text] of [
      ['tools/days.ts', ['Not compared', 'excluded by kindred.exclude', 'Open Settings']],
      ['made.ts', ['Not compared', 'generated file', 'Open Settings']],
    ] as const) {
      await workbench().open(file);
      const hover = await workbench().languageStatus(new RegExp(`^${text[0]}.*${text[1]}`));
      await workbench().screenshot(`language status ${path.basename(file)}`);
      assert.deepEqual((await hover.innerText()).split('\n'), text, file);
    }
    // The setting that includes it is a click away.
    const setting = page.locator('.setting-item', { hasText: 'Kindred: Generated' }).first();
    const openSettings = async (): Promise<void> => {
      const hover = await workbench().languageStatus('generated file');
      await hover.getByText('Open Settings').click({ timeout: 5_000 });
    };
    await workbench().clickUntil(openSettings, setting);
    await workbench().screenshot('language status settings');
    await setting.locator('.setting-value-checkbox').click();
    // Settings that are closed before a change is written lose it.
    const isWritten = (): boolean => readFileSync(workbench().userSettings, 'utf8').includes('kindred.generated');
    while (!isWritten()) await page.waitForTimeout(100);
    await workbench().screenshot('language status set');
    await workbench().clickUntil(() => page.keyboard.press('Escape'), setting, 'hidden');
    await workbench().languageStatus('compared by Kindred');
    await workbench().run('View: Close All Editors');
  });

  test('the index is rebuilt on request, and finds the same', async () => {
    const { page } = workbench();
    const rows = await workbench().treeRows().allInnerTexts();
    // Eleven files are read almost instantly. An observer records the spinning icon.
    const spinning = '.statusbar-item[id^="kindred"] .codicon-modifier-spin';
    await page.evaluate(`globalThis.hasSpun = false;
      new MutationObserver(() => (globalThis.hasSpun ||= document.querySelector('${spinning}') !== null))
        .observe(document.querySelector('.part.statusbar'), { subtree: true, childList: true, attributes: true })`);
    await workbench().run('Kindred: Rebuild Index');
    await page.waitForFunction('globalThis.hasSpun');
    await page.locator(spinning).waitFor({ state: 'detached' });
    assert.deepEqual(await workbench().treeRows().allInnerTexts(), rows);
  });

  test('the walkthrough has four steps with pictures, each checked when it is done', async () => {
    const { page } = workbench();
    const steps = page.locator('.getting-started-step');
    const picture = page.frameLocator('.getting-started-media iframe').frameLocator('#active-frame').locator('svg');
    const open = async (): Promise<void> => {
      await workbench().run('Welcome: Open Walkthrough...');
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Get Started with Kindred' }).click();
      await steps.nth(3).waitFor();
    };
    await workbench().treeRows('load_orders').first().click();
    for (const [title, button, shown] of [
      ['Find what is repeated', 'Scan Workspace', workbench().tab('Welcome')],
      ['Compare two copies', 'Compare Copies', workbench().tab('↔')],
      ['Set the sensitivity', 'Tune Sensitivity', workbench().tab('Sensitivity')],
      ['Keep what is intentional', 'Ignore…', page.locator('.quick-input-title', { hasText: 'Ignore' })],
    ] as const) {
      await open();
      const step = steps.filter({ hasText: title });
      const begin = step.locator('.monaco-button', { hasText: button });
      // The first incomplete step is open already.
      if (!(await begin.isVisible())) await step.click();
      await picture.waitFor();
      await workbench().screenshot(`walkthrough ${title}`);
      await begin.click();
      await shown.waitFor();
    }
    await page.keyboard.press('Escape');
    await open();
    await workbench().screenshot('walkthrough done');
    assert.equal(await steps.locator('.codicon-getting-started-step-checked').count(), await steps.count());
    assert.equal(await steps.count(), 4);
  });
});
