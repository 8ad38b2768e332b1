import type { Locator, Page } from 'playwright';

/** The text of the row that the arrows are at, in a list or table that names it by aria-activedescendant. */
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
 * Moves through a list or table by the arrows, from its first row on, and opens the row that has this text. Rows far away are not in
 * the page until the arrows come near, so what is looked at is the row they are at.
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
