/**
 * Tune Sensitivity in the user interface: opened from the view, changed with keys, previewed in the tree, applied, and
 * reset.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { dials } from '../../src/core/engine/dials.ts';
import { statementsOf } from '../manyFiles.ts';
import { shopWorkbench } from './workbench.ts';

suite('tuning the sensitivity', () => {
  const workbench = shopWorkbench();

  test('shows the current findings, and fills in the stops of every dial', async () => {
    await workbench().showViews();
    await message(/^\s*4 duplicates/).waitFor();
    await workbench().clickTitle('Tune Sensitivity', tuner().locator('dd', { hasText: '4 duplicates' }).first());
    // The page keeps its results if it is opened again.
    await workbench().run('Kindred: Tune Sensitivity');
    await untilSwept();
    // Trials have replaced all estimates. Distances above 6 are only tried when the slider is there.
    assert.equal(await tuner().locator('.column.estimate').count(), 0);
    const stops = dials.flatMap((dial) => dial.stops.map((stop) => stop > dial.swept));
    assert.equal(await tuner().locator('.column').count(), stops.length);
    assert.equal(await tuner().locator('.column.unknown').count(), stops.filter(Boolean).length);
    assert.equal(await tuner().locator('#apply').isDisabled(), true);
    assert.equal(await tuner().locator('[data-preset="balanced"]').getAttribute('aria-pressed'), 'true');
    await workbench().screenshot('tuning');
  });

  test('moves just far enough to hide a row, and back again', async () => {
    const row = workbench().treeRows('load_orders · 2 copies · 21 lines').first();
    await workbench().chooseInMenu(row, 'Tune Sensitivity to Hide This…');
    await workbench()
      .notifications(/hides this duplicate and (?:no|1) other\./)
      .waitFor();
    await message(/^\s*Preview of other settings: 3 duplicates/).waitFor();
    await row.waitFor({ state: 'detached' });
    await tuner().locator('.removed .example', { hasText: 'load_orders.py' }).first().waitFor();
    await workbench().screenshot('tuning to hide');
    await workbench().clickUntil(tuner().locator('#reset'), row);
    assert.equal(await settings(), undefined);
  });

  test('previews the findings of a dial that is moved with a key, also in the tree', async () => {
    await tuner().locator('#dial-minTokens').focus();
    for (let press = 0; press < 6; press++) await workbench().page.keyboard.press('ArrowRight');
    await message(/^\s*Preview of other settings: \d+ duplicate/).waitFor();
    // Stops on the way have previews, too.
    await tuner().locator('#dial-minTokens[aria-valuetext^="300 tokens, 1 duplicate,"]').waitFor();
    await tuner().locator('.removed .example').first().waitFor();
    await tuner().locator('.here .difference', { hasText: /^−/ }).first().waitFor();
    await untilSwept();
    await workbench().screenshot('tuning preview');
    assert.equal(await settings(), undefined);
  });

  test('reports that a dial changes nothing', async () => {
    await workbench().clickUntil(tuner().locator('#reset'), message(/^\s*4 duplicates/));
    await tuner().locator('#dial-maxDistance').focus();
    await workbench().page.keyboard.press('ArrowRight');
    await tuner().locator('.added .note', { hasText: 'Nothing is added or removed.' }).waitFor();
    await tuner().locator('#dial-maxDistance[aria-valuetext^="k = 4, 4 duplicates,"]').waitFor();
    assert.equal(await tuner().locator('.dials h2').first().textContent(), 'Code');
    await workbench().clickUntil(tuner().locator('#reset'), message(/^\s*4 duplicates/));
    await tuner().locator('#dial-minTokens').focus();
    for (let press = 0; press < 6; press++) await workbench().page.keyboard.press('ArrowRight');
    await tuner().locator('.removed .example').first().waitFor();
  });

  test('counts only the chosen rows, and filters the tree by them', async () => {
    await workbench().clickUntil(tuner().locator('#reset'), message(/^\s*4 duplicates/));
    const exact = tuner().locator('[data-counted="exact"]');
    const text = tuner().locator('[data-counted="text"]');
    assert.equal(await exact.getAttribute('aria-pressed'), 'true');
    await workbench().clickUntil(exact, message(/^\s*Filter: Renamed Copies \+ Edited Copies/));
    await tuner().locator('[data-counted="exact"][aria-pressed="false"]').waitFor();
    await workbench().clickUntil(text, message(/^\s*Filter: .*Source/));
    await untilSwept();
    await workbench().screenshot('tuning counted');
    // Clearing the filter in the view counts everything again here.
    await workbench().run('Kindred: Clear Filter');
    await tuner().locator('[data-counted="exact"][aria-pressed="true"]').waitFor();
    await tuner().locator('[data-counted="text"][aria-pressed="true"]').waitFor();
    await tuner().locator('dd', { hasText: '4 duplicates' }).first().waitFor();
    await tuner().locator('#dial-minTokens').focus();
    for (let press = 0; press < 6; press++) await workbench().page.keyboard.press('ArrowRight');
    await tuner().locator('.removed .example').first().waitFor();
  });

  test('opens the compare of a removed row', async () => {
    // Close Editor closes the active editor, and the compare becomes active only when it is open.
    await workbench().clickUntil(tuner().locator('.removed .example').first(), workbench().tab('↔'));
    await workbench().run('View: Close Editor');
    await tuner().locator('#reset').waitFor();
  });

  test('shows the findings again after a reset', async () => {
    await workbench().clickUntil(tuner().locator('#reset'), message(/^\s*4 duplicates/));
    await tuner().locator('.removed .example').first().waitFor({ state: 'detached' });
    assert.equal(await settings(), undefined);
  });

  test('accepts a preset, and writes it to the workspace settings when applied', async () => {
    await workbench().clickUntil(tuner().locator('[data-preset="loose"]'), message(/^\s*Preview of other settings: /));
    const previewed = await message('Preview').textContent();
    await workbench().clickUntil(
      tuner().locator('#apply'),
      tuner().locator('.note', { hasText: 'The sliders match the settings.' }),
    );
    const summary = /\d+ duplicates.*/.exec(previewed ?? '')![0];
    await message(new RegExp(`^\\s*${summary.replaceAll(/[.*+?]/g, '\\$&')}`)).waitFor();
    const written = await settings();
    assert.equal(written?.['kindred.maxDistance'], 6);
    assert.equal(written['kindred.prose.minWords'], 20);
    assert.equal('kindred.shingleSize' in written, false);
  });

  test('writes settings of the configuration file into that file', async () => {
    const file = path.join(workbench().folder, '.kindredrc.jsonc');
    await writeFile(file, '{\n  // Ours.\n  "minTokens": 40\n}\n');
    await tuner().locator('label', { hasText: '40 tokens (current)' }).waitFor();
    await workbench().clickUntil(
      tuner().locator('[data-preset="strict"]'),
      tuner().locator('.note', { hasText: 'Some of them are set in .kindredrc.jsonc' }),
    );
    await workbench().clickUntil(
      tuner().locator('#apply'),
      tuner().locator('.note', { hasText: 'The sliders match the settings.' }),
    );
    assert.equal(await readFile(file, 'utf8'), '{\n  // Ours.\n  "minTokens": 60\n}\n');
    assert.equal((await settings())?.['kindred.minTokens'], 30);
    assert.equal((await settings())?.['kindred.minLines'], 6);
  });

  test('ends the preview when it is closed', async () => {
    await workbench().clickUntil(tuner().locator('[data-preset="loose"]'), message(/^\s*Preview of other settings: /));
    await workbench().run('View: Close Editor');
    await message(/^\s*Preview/).waitFor({ state: 'detached' });
  });

  test('offers to ignore a row that only hides together with many others, or not at all', async () => {
    const { page, folder } = workbench();
    // Twelve pairs of equal length, and one that is longer than each slider allows, each below other text.
    const copied = Array.from({ length: 13 }, (_, pair) => statementsOf(500_000 + pair * 1000, pair < 12 ? 15 : 150));
    for (const [place, text] of [...copied, ...copied].entries()) {
      await writeFile(path.join(folder, `file${place}.ts`), `${statementsOf(1 + place * 1000, 100)}\n${text}\n`);
    }
    const toast = workbench().notifications('hides this duplicate and 1');
    await tuneToHide('file0.ts ↔ file13.ts');
    await workbench().keepToast(toast);
    await workbench().screenshot('tuning price');
    assert.match(await toast.innerText(), /hides this duplicate and 1\d others\./);
    assert.deepEqual(await toast.locator('.monaco-button').allInnerTexts(), ['Ignore…', 'Tune Anyway']);
    await toast.locator('.codicon-notifications-clear').click();
    const impossible = workbench().notifications('No single slider hides this duplicate.');
    await tuneToHide('file12.ts ↔ file25.ts');
    await workbench().clickUntil(
      impossible.locator('.monaco-button', { hasText: 'Ignore…' }),
      page.locator('.quick-input-title', { hasText: 'Ignore This Duplicate' }),
    );
    await page.keyboard.press('Escape');
  });

  async function tuneToHide(text: string): Promise<void> {
    await workbench().chooseInMenu(workbench().treeRows(text).first(), 'Tune Sensitivity to Hide This…');
  }

  function tuner(): FrameLocator {
    return workbench().page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  async function untilSwept(): Promise<void> {
    await tuner().locator('.progress:empty').waitFor({ state: 'attached' });
  }

  function message(text: string | RegExp): Locator {
    return workbench().page.locator('.sidebar .message', { hasText: text });
  }

  /** Returns the settings of the workspace, or undefined if there are none. */
  async function settings(): Promise<Record<string, unknown> | undefined> {
    const file = path.join(workbench().folder, '.vscode', 'settings.json');
    const text = await readFile(file, 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
  }
});
