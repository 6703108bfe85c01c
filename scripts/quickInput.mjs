/** Drives the list at the top of a window of VS Code: the palette, and *Go to File…*. */

/**
 * Opens the list of a key, filters it, and clicks the first row with a text. Fails if the list closes in between,
 * because an earlier action still moves the focus.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ key: string, query: string, rowText: string }} wanted
 * @param {number} timeout  milliseconds for each step
 */
export async function pickRow(page, { key, query, rowText }, timeout) {
  await page.keyboard.press(key);
  // Fill it at once, because keys that are typed one by one get lost while the list is built.
  await page.locator('.quick-input-widget .quick-input-box input').fill(query, { timeout });
  // Do not press Enter: it selects the first row, which is a recently opened file until the list is filtered.
  await page.locator('.quick-input-list .monaco-list-row', { hasText: rowText }).first().click({ timeout });
}

/**
 * Repeats an action until it succeeds: clicks and keys get lost while the window is drawn again, and before VS Code
 * knows a key binding. Each attempt has more time than the one before, because the machine may be busy.
 *
 * @param {import('playwright-core').Page} page
 * @param {number} limitMs
 * @param {(timeout: number) => Promise<void>} action
 */
export async function repeat(page, limitMs, action) {
  const end = Date.now() + limitMs;
  for (let timeout = 3_000; ; timeout *= 2) {
    try {
      return await action(Math.min(timeout, Math.max(1_000, end - Date.now())));
    } catch (error) {
      if (Date.now() > end) throw error;
      await page.waitForTimeout(100);
    }
  }
}
