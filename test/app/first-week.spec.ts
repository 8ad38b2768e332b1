import type { Page } from 'playwright/test';
import { expect, expectClean, press, type Service, screenOf, searchFor, test } from './fixtures.ts';
import { armFault, connectBoth } from './own-service.ts';

// The first week with a service of one's own: a key mistyped, a narrow window, long names, a change that failed. By keyboard.

/** What the focus is on, as it is named. */
const focusName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement;
    return (
      at?.getAttribute('aria-label') ??
      (at as HTMLInputElement | null)?.labels?.[0]?.textContent ??
      at?.textContent ??
      ''
    );
  });

/** Counts the keys that are pressed, a character each. */
function keys(page: Page) {
  let count = 0;
  return {
    press: async (...names: string[]) => {
      for (const name of names) {
        await page.keyboard.press(name);
        count++;
      }
    },
    type: async (text: string) => {
      await page.keyboard.type(text);
      count += text.length;
    },
    count: () => count,
  };
}

test('first run: a mistyped key is corrected in its place, and each step begins where it is typed', async ({
  launch,
  startService,
}) => {
  const service = await startService();
  const { page } = await launch();
  await expect.poll(() => focusName(page)).toBe('Start the demo service');
  await page.getByRole('radio', { name: /Use your own service/ }).press('Space');
  for (const [label, text] of [
    ['Name', 'Wyebank'],
    ['REST base address', service.restBaseUrl],
    ['SOAP address', service.soapUrl],
  ] as const) {
    const field = page.getByRole('textbox', { name: label });
    // As high as any field: these are no search boxes.
    expect((await field.boundingBox())?.height).toBe(28);
    await field.focus();
    await page.keyboard.type(text);
  }
  await expect(page.getByRole('textbox', { name: 'SOAP account name' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start the demo instead' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect.poll(() => focusName(page)).toBe('Key');
  await expect(page.getByLabel(/^Account GUID/)).toBeVisible();
  await expectClean(page);
  await page.keyboard.type('wrong-key-0aab');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Correct the key of Contact centre' })).toBeVisible();
  await expect.poll(() => focusName(page)).toBe('Key');
  await expect(page.getByText(/The service refused the key ending 0aab/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Correct the key and test · free' })).toBeVisible();
  await expectClean(page);
  await page.keyboard.type(service.demo.lookupKey);
  await page.keyboard.press('Enter');
  await expect.poll(() => focusName(page)).toBe('Open Lookup');
  await expect(page.getByText(`ending ${service.demo.lookupKey.slice(-4)}`)).toBeVisible();

  // One key, and it is the new one that the next call sends.
  await page.keyboard.press('Enter');
  await searchFor(page, service.demo.sample.postcode);
  await expect(screenOf(page, 'lookup').getByRole('listbox').first()).toBeVisible();
  await page.keyboard.press('ControlOrMeta+5');
  const connections = screenOf(page, 'connections');
  await expect(connections.getByText('Contact centre')).toHaveCount(1);
});

const longName = 'Wyebank Housing Association, Western region';

async function addKeys(page: Page, labels: readonly string[]): Promise<void> {
  await page.evaluate(async (wanted) => {
    const list = await window.api.call['connections.list']('keys', {});
    const connectionId = list.ok ? (list.value.selectedId ?? '') : '';
    for (const label of wanted)
      await window.api.call['secrets.put'](`key ${label}`, {
        connectionId,
        role: 'lookup-key',
        label,
        value: `refused ${label}`,
      });
  }, labels);
}

test('connections: keys can be told apart at 1024, a refused one is replaced under its row, and what is typed outlives Esc', async ({
  launch,
  startService,
}) => {
  const service = await startService();
  const { page } = await launch({ width: 1024, height: 700, env: { ADDRESS_CONSOLE_HOST_SCROLLBARS: '1' } });
  await connectBoth(page, service, { name: longName });
  await addKeys(page, ['Nightly batch, Hereford and Truro', 'Web forms']);
  await page.keyboard.press('ControlOrMeta+5');
  const screen = screenOf(page, 'connections');
  const table = screen.getByRole('table').first();
  const inPane = await table.evaluate((element) => {
    const pane = element.closest('.pane-r') as HTMLElement;
    const label = element.querySelector('tbody td') as HTMLElement;
    return { label: label.clientWidth, over: element.scrollWidth - pane.clientWidth };
  });
  expect(inPane.label).toBeGreaterThanOrEqual(120);
  expect(inPane.over).toBeLessThanOrEqual(0);
  for (const name of ['Edit', `More for ${longName}`, 'Actions for Web forms'])
    await expect(screen.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });

  await screen.getByRole('button', { name: 'Actions for Web forms' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Use this one first' }).press('Enter');
  await expect(screen.getByText('used first')).toBeVisible();
  await screen.getByRole('button', { name: 'Test · free' }).press('Enter');
  await screen.getByRole('button', { name: 'Replace the key' }).press('Enter');
  await expect.poll(() => focusName(page)).toBe('New key for Web forms');
  await expectClean(page);
  await page.keyboard.type(service.demo.lookupKey);
  await page.keyboard.press('Enter');
  await expect(screen.getByText(/by the free call GetCredits/)).toBeVisible();
  await expect(screen.getByText('Web forms', { exact: true })).toHaveCount(1);

  await screen.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await page.getByRole('textbox', { name: 'Account name' }).fill('WYEBANKUT01');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await screen.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Account name' })).toHaveValue('WYEBANKUT01');
  await expect(page.getByText('These changes were not saved when the form was closed.')).toBeVisible();
  await press(page, 'Discard changes');
  await screen.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Account name' })).toHaveValue(service.demo.accountName);
});

test('bulk: the focus goes to the plan, and a row that failed is planned again by itself', async ({
  launch,
  startService,
}) => {
  const service: Service = await startService('--admin');
  const { page } = await launch();
  await connectBoth(page, service);
  await page.keyboard.press('ControlOrMeta+3');
  const screen = screenOf(page, 'licences');
  await screen.getByRole('tab', { name: 'Bulk change' }).press('Enter');
  const number = await page.evaluate(async () => {
    const { call } = window.api;
    const list = await call['connections.list']('bulk-1', {});
    const connectionId = list.ok ? (list.value.selectedId ?? '') : '';
    const read = await call['licences.read']('bulk-2', { connectionId });
    return read.ok ? (read.value.licences.find(({ seatsFree }) => (seatsFree ?? 0) > 2)?.licenceNumber ?? '') : '';
  });
  await press(page, 'Paste a table');
  await page
    .getByRole('textbox', { name: /Rows from a spreadsheet/ })
    .fill(`licence,machine\n${number},BULK-1\n${number},BULK-2\n`);
  await press(page, 'Look through it');
  await armFault(service, { kind: 'status', status: 503, on: 'GetLicenseDetails', times: 1 });
  await press(page, /and plan/);
  const grid = screen.getByRole('grid', { name: 'Rows of the bulk change' });
  await expect(grid).toBeFocused();
  await expect(screen.getByText('1 failed, not sent')).toBeVisible();
  await expectClean(page);
  await screen.getByRole('textbox', { name: 'Type 1 to confirm' }).fill('1');
  await page.keyboard.press('Enter');
  await expect(screen.getByText('1 seen as wished', { exact: true })).toBeVisible();
  await press(page, /Plan the 1 not done again/);
  await expect(screen.getByRole('textbox', { name: 'Type 1 to confirm' })).toBeVisible();
  await expect(grid).toBeFocused();
  await screen.getByRole('textbox', { name: 'Type 1 to confirm' }).fill('1');
  await page.keyboard.press('Enter');
  await expect(screen.getByText('1 seen as wished', { exact: true })).toBeVisible();
  await expect(screen.getByRole('button', { name: /not done again/ })).toHaveCount(0);
});

test('first run with the demo takes two keys', async ({ launch }) => {
  const { page } = await launch();
  const counted = keys(page);
  await expect.poll(() => focusName(page)).toBe('Start the demo service');
  await counted.press('Enter');
  await expect.poll(() => focusName(page), { timeout: 40_000 }).toBe('Open Lookup');
  await counted.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Postcode, street, business or building' })).toBeFocused();
  expect(counted.count()).toBe(2);
});
