import type { Locator, Page } from 'playwright';

/** The text of the active row of a list or table, which aria-activedescendant names, once that row is drawn; without one, the empty text. */
const activeText = (owner: Locator): Promise<string> =>
  owner.evaluate(async (element) => {
    for (;;) {
      const id = element.getAttribute('aria-activedescendant');
      const row = id === null ? null : document.getElementById(id);
      if (id === null || row !== null) return row?.textContent ?? '';
      // A list that is taken off the page keeps the name of a row that is drawn no more.
      if (!element.isConnected) throw new Error('The list went away while its rows were walked through.');
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
  });

/**
 * Moves through a list or table with the arrow keys from its first row and opens the row with this text. It reads only the active row,
 * because rows far from it are not in the page.
 */
export async function openRow(page: Page, owner: Locator, text: RegExp): Promise<void> {
  await owner.focus();
  await page.keyboard.press('Home');
  for (let step = 0; step < 200; step++) {
    if (text.test(await activeText(owner))) {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`No row has ${text}.`);
}
