import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright/test';
import { chooseItem, expect, expectClean, focusTaken, goTo, press, screenOf, searchFor, test } from './fixtures.ts';
import { connectBoth } from './own-service.ts';

// What every table can do, by keyboard, on a list of licences: mark, copy, find, arrange, remember, save, print.

/** The text of the active row. */
const activeRow = async (page: Page): Promise<string> => {
  const id = await page.getByRole('grid', { name: 'Licences' }).getAttribute('aria-activedescendant');
  return (await page.locator(`[id="${id}"]`).textContent()) ?? '';
};

/** A pause of a second between two letters begins the word anew, which a busy machine may make: then it is typed again after a longer one. */
const typeAhead = (page: Page, text: string, leadsThere: () => Promise<void>) =>
  expect(async () => {
    await page.keyboard.press('Home');
    await page.keyboard.type(text);
    await leadsThere();
  }).toPass({ intervals: [1500] });

const heads = (page: Page) =>
  page
    .getByRole('grid', { name: 'Licences' })
    .getByRole('columnheader')
    .evaluateAll((all) => all.map((one) => one.textContent));

test('a table: rows marked and copied, found, columns arranged and remembered, saved, printed', async ({
  sharedPage: page,
  startService,
  dialogs: { saved: folder },
}) => {
  await connectBoth(page, await startService());
  await page.evaluate(() => {
    window.print = () => {
      document.documentElement.dataset.printed = document.querySelector('.print-sheet')?.textContent ?? '';
      window.dispatchEvent(new Event('afterprint'));
    };
  });
  await goTo(page, 'licences');
  await press(page, /^Read licences/);
  const grid = page.getByRole('grid', { name: 'Licences' });
  await expect(grid).toBeVisible();
  const selected = grid.getByRole('row', { selected: true });
  const said = page.getByRole('status').or(page.locator('[aria-live]'));

  await test.step('Shift and Ctrl mark, Ctrl and C copies, Escape unmarks', async () => {
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(selected).toHaveCount(3);
    await page.keyboard.press('ControlOrMeta+c');
    await expect(said.filter({ hasText: 'Copied 3 rows' }).first()).toBeAttached();
    await page.keyboard.press('ControlOrMeta+ ');
    await expect(selected).toHaveCount(2);
    await page.keyboard.press('Escape');
    await expect(selected).toHaveCount(0);
    await page.keyboard.press('ControlOrMeta+a');
    await expect(selected).toHaveCount(16);
    await page.keyboard.press('Escape');
  });

  await test.step('a column head’s menu sorts; Alt, Shift and an arrow move the column', async () => {
    // A click beside the word sorts as well.
    const expires = grid.getByRole('columnheader', { name: 'Expires' });
    const { width = 0, height = 0 } = (await expires.boundingBox()) ?? {};
    await expires.click({ position: { x: width - 20, y: height / 2 } });
    await expect(expires).toHaveAttribute('aria-sort', 'ascending');
    await grid.getByRole('button', { name: 'Reference' }).press('Enter');
    await expect(grid.getByRole('columnheader', { name: 'Reference' })).toHaveAttribute('aria-sort', 'ascending');
    await grid.getByRole('button', { name: 'Reference' }).press('Alt+Shift+ArrowRight');
    expect((await heads(page)).slice(0, 2)).toEqual(['Type', 'Reference']);
  });

  await test.step('dragging a head moves its column and does not sort; Escape cancels', async () => {
    const middleOf = async (name: string) => {
      const box = await grid.getByRole('columnheader', { name, exact: true }).boundingBox();
      return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2, left: box?.x ?? 0 };
    };
    const drag = async (name: string, to: string) => {
      const [from, onto] = [await middleOf(name), await middleOf(to)];
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(onto.left + 4, onto.y, { steps: 4 });
    };
    await drag('Reference', 'Type');
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect((await heads(page)).slice(0, 2)).toEqual(['Type', 'Reference']);
    await drag('Reference', 'Type');
    await page.mouse.up();
    expect((await heads(page)).slice(0, 2)).toEqual(['Reference', 'Type']);
    await expect(grid.getByRole('columnheader', { name: 'Reference' })).toHaveAttribute('aria-sort', 'ascending');
    await grid.getByRole('button', { name: 'Reference' }).press('Alt+Shift+ArrowRight');
  });

  await test.step('Ctrl and F finds within the table, Escape returns the focus', async () => {
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+f');
    const field = page.getByRole('textbox', { name: 'Find in the table' });
    await expect(field).toBeFocused();
    await page.keyboard.type('multi');
    const first = await activeRow(page);
    expect(first.toLowerCase()).toContain('multi');
    await page.keyboard.press('Enter');
    await expect.poll(() => activeRow(page)).not.toBe(first);
    await expectClean(page);
    await page.keyboard.press('Escape');
    await expect(field).toHaveCount(0);
    await expect(grid).toBeFocused();
  });

  await test.step('typing goes to the row that begins with it', async () => {
    const reference = (await grid.getByRole('row').nth(9).getByRole('gridcell').nth(1).textContent()) ?? '';
    await typeAhead(page, reference.toLowerCase(), async () => expect(await activeRow(page)).toContain(reference));
  });

  await test.step('the menu of a row hides a column, saves and prints', async () => {
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menu')).toBeVisible();
    await expectClean(page);
    await chooseItem(page, 'Columns…');
    const dialog = page.getByRole('dialog', { name: 'Columns' });
    await focusTaken(dialog);
    await dialog.getByRole('checkbox', { name: 'Credits' }).press('Space');
    await expectClean(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    expect(await heads(page)).not.toContain('Credits');

    await grid.focus();
    await page.keyboard.press('Shift+F10');
    await chooseItem(page, 'Save the table as CSV…');
    await expect(said.filter({ hasText: '16 rows saved in licences-' }).first()).toBeAttached();
    const name = readdirSync(folder).find((one) => one.startsWith('licences-')) ?? '';
    const rows = parse(readFileSync(join(folder, name)), { bom: true }) as string[][];
    expect(rows[0]?.slice(0, 2)).toEqual(['Type', 'Reference']);
    expect(rows[0]).not.toContain('Credits');
    const references = rows.slice(1).map(([, reference]) => reference ?? '');
    expect(references).toHaveLength(16);
    expect(references).toEqual([...references].sort((a, b) => a.localeCompare(b, 'en-GB', { numeric: true })));

    const file = join(folder, name);
    rmSync(file);
    // Of the row that was clicked it offers the whole table, whichever rows were marked before.
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await grid.getByRole('row').nth(5).getByRole('gridcell').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Save the table as CSV…' }).click();
    await expect.poll(() => (existsSync(file) ? parse(readFileSync(file), { bom: true }).length : 0)).toBe(17);

    await grid.focus();
    await page.keyboard.press('ControlOrMeta+p');
    const printed = () => page.evaluate(() => document.documentElement.dataset.printed ?? '');
    await expect.poll(printed).toContain(references[15] ?? 'none');
    await expect(page.getByText(/^Asked the system to print \d+ rows$/).last()).toBeVisible();
    await expect(page.locator('.print-sheet')).toHaveCount(0);
  });

  await test.step('order, widths and columns are restored in the next window', async () => {
    await page.reload();
    await expect(page.getByRole('grid', { name: 'Licences' })).toBeVisible();
    expect((await heads(page)).slice(0, 2)).toEqual(['Type', 'Reference']);
    expect(await heads(page)).not.toContain('Credits');
    await expect(grid.getByRole('columnheader', { name: 'Reference' })).toHaveAttribute('aria-sort', 'ascending');
  });

  await test.step('the columns are put back as they were', async () => {
    await grid.focus();
    await page.keyboard.press('Shift+F10');
    await chooseItem(page, 'Columns…');
    await focusTaken(page.getByRole('dialog'));
    await press(page, 'As they were');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect((await heads(page)).slice(0, 2)).toEqual(['Reference', 'Type']);
    expect(await heads(page)).toContain('Credits');
  });

  await test.step('a list of results: marked, copied, saved', async () => {
    await searchFor(page, 'HR10 2DT');
    const list = screenOf(page, 'lookup').getByRole('listbox').first();
    await expect(list).toBeVisible();
    await list.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ControlOrMeta+c');
    await expect(said.filter({ hasText: 'Copied 2 rows' }).first()).toBeAttached();
    await typeAhead(page, '14 tan', async () => {
      const id = await list.getAttribute('aria-activedescendant');
      expect(await page.locator(`[id="${id}"]`).textContent()).toContain('14 Tannery Row');
    });
    // A marked row stays marked wherever the filter leaves it.
    await page.keyboard.press('Shift+ArrowUp');
    const filter = screenOf(page, 'lookup').getByRole('textbox', { name: 'Filter the results' });
    // The key of a table's search leads here from the list, where the letters would choose a row and Enter pay for it.
    await list.press('ControlOrMeta+f');
    await expect(filter).toBeFocused();
    await page.keyboard.type('14 tannery');
    await expect(list.getByRole('option', { name: /^14 Tannery Row/, selected: true })).toBeVisible();
    await filter.fill('');
    await expect(list.getByRole('option', { selected: true })).toHaveCount(2);
    await screenOf(page, 'lookup').getByRole('button', { name: 'Export' }).press('Enter');
    await chooseItem(page, 'Save as CSV…');
    await expect(said.filter({ hasText: '34 rows saved in results-for-hr10-2dt-' }).first()).toBeAttached();
  });
});
