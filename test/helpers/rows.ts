import type { Locator, Page } from 'playwright';

/** The text of the active row of a list or table, which aria-activedescendant names. */
async function activeText(owner: Locator, page: Page): Promise<string> {
  const id = await owner.getAttribute('aria-activedescendant');
  if (id === null) return '';
  return (
    (await page
      .locator(`[id="${id}"]`)
      .textContent({ timeout: 5000 })
      .catch(() => '')) ?? ''
  );
}

/**
 * Moves through a list or table with the arrow keys from its first row and opens the row with this text. It reads only the active row,
 * because rows far from it are not in the page.
 */
export async function openRow(page: Page, owner: Locator, text: RegExp): Promise<void> {
  await owner.focus();
  await page.keyboard.press('Home');
  for (let step = 0; step < 200; step++) {
    if (text.test(await activeText(owner, page))) {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`No row has ${text}.`);
}
