import type { Locator, Page } from 'playwright/test';
import { openRow } from '../helpers/rows.ts';
import { lookAll } from './accessibility-checks.ts';
import { findViolations } from './axe-look.ts';
import { chooseItem, expect, expectClean, press, screenOf, searchFor, startDemo, test } from './fixtures.ts';
import { connectBoth, hitsOf } from './own-service.ts';

// Checks every screen, dialog and menu, empty, full and failing, with each setting of the system that a person may have.

const showcase = 'HR10 2DT';

async function chooseTab(page: Page, screen: string, name: string): Promise<void> {
  const tab = screenOf(page, screen).getByRole('tab', { name, exact: true });
  await tab.press('Enter');
  await expect(tab).toHaveAttribute('aria-selected', 'true');
}

/** Opens what a button opens, closes it with Escape, expects the focus on the button, then opens it again and checks it. */
async function lookInto(page: Page, opener: Locator, inside: Locator, name: string): Promise<void> {
  const open = async () => {
    await opener.press('Enter');
    await expect(inside).toBeVisible();
    await expect.poll(() => inside.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  };
  await open();
  await page.keyboard.press('Escape');
  await expect(inside).toHaveCount(0);
  await expect(opener).toBeFocused();
  await open();
  // A menu is looked at with the focus on a line of it.
  if ((await inside.getAttribute('role')) === 'menu') await page.keyboard.press('ArrowDown');
  await lookAll(page, name);
  // A popover at its button is hidden and loses the focus if a small window scrolls the button out of view.
  await inside.evaluate((box) =>
    (box.querySelector<HTMLElement>('button, input, [tabindex]') ?? (box as HTMLElement)).focus(),
  );
  await page.keyboard.press('Escape');
  await expect(inside).toHaveCount(0);
}

test('what axe is not shown hides no fault: a name comes from a hidden part, and a hidden label is missed', async ({
  sharedPage: page,
}) => {
  await page.evaluate(() => {
    const make = <T extends 'button' | 'input' | 'label' | 'span'>(tag: T) => document.createElement(tag);
    const [name, empty, label, field] = [make('span'), make('span'), make('label'), make('input')];
    const buttons = [name, empty].map((one, at) => {
      one.id = `planted-${at}`;
      const button = make('button');
      button.setAttribute('aria-labelledby', one.id);
      return button;
    });
    name.appendChild(make('span')).append('Its name');
    label.append('A label that nobody sees');
    field.id = 'planted-field';
    label.htmlFor = field.id;
    for (const { style } of [name, empty, label]) style.display = 'none';
    const planted = document.createElement('section');
    planted.id = 'planted';
    planted.append(name, empty, ...buttons, label, field);
    document.querySelector('main')?.append(planted);
  });
  const found = await findViolations(page, ['button-name', 'label']);
  expect(found.map((one) => one.split(' ').slice(0, 2)).sort()).toEqual([
    ['button-name:', 'button[aria-labelledby="planted-1"]'],
    ['label:', '#planted-field'],
  ]);
  await page.evaluate(() => document.querySelector('#planted')?.remove());
});

test('first run, Lookup and its parts', async ({ launch }) => {
  const { page } = await launch({ width: 1280, height: 800 });
  await expect(page.getByRole('heading', { name: 'Set up in three steps' })).toBeVisible();
  // The focus starts on the page's heading; on the first run it is on this button.
  await expect(page.getByRole('button', { name: 'Start the demo service' })).toBeFocused();
  await page
    .getByRole('button', { name: /Skip|screen/i })
    .first()
    .focus();
  await lookAll(page, 'first-run');
  await page.getByRole('radio', { name: /Use your own service/ }).press('Space');
  await expect(page.getByRole('textbox', { name: 'REST base address' })).toBeVisible();
  await lookAll(page, 'first-run-own');
  await page.getByRole('radio', { name: /demo service/ }).press('Space');
  await startDemo(page);
  await lookAll(page, 'lookup-empty');
  await searchFor(page, showcase);
  await expect(page.getByText('34 premises')).toBeVisible();
  await lookAll(page, 'lookup-results');
  await openRow(page, page.getByRole('listbox').first(), /^14 Tannery Row/);
  await expect(page.locator('address')).toBeVisible();
  await lookAll(page, 'lookup-premise');
  const lookup = screenOf(page, 'lookup');
  await lookInto(page, lookup.getByRole('button', { name: 'Map, distances' }), page.getByRole('dialog'), 'lookup-map');
  await lookInto(page, lookup.getByRole('button', { name: 'Raw answer' }), page.getByRole('dialog'), 'lookup-raw');
  await lookInto(
    page,
    lookup.getByRole('button', { name: /^Copy as|^Copy$/ }).first(),
    page.getByRole('menu'),
    'lookup-copy',
  );
  await lookInto(
    page,
    page.getByRole('banner').getByRole('button', { name: /^Connection/ }),
    page.getByRole('menu'),
    'connection-menu',
  );
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await lookAll(page, 'palette');
  await page.keyboard.press('Escape');
  await press(page, /over SOAP/);
  await press(page, 'Compare');
  await expect(page.getByRole('table', { name: 'The two answers, field by field' })).toBeVisible();
  await lookAll(page, 'compare');
  await chooseTab(page, 'lookup', 'Rewrite a request');
  await lookAll(page, 'rewrite-empty');
  await lookup
    .getByRole('textbox')
    .filter({ visible: true })
    .first()
    .fill('https://lookup.example/v1/GetPremise?key=0123456789abcdef0123456789abcdef&id=00284147&includeGeoData=true');
  await lookAll(page, 'rewrite');
});

test('Operations, and failures', async ({ sharedPage: page, startService }) => {
  const service = await startService();
  await page.setViewportSize({ width: 1280, height: 800 });
  await connectBoth(page, service);
  await chooseTab(page, 'lookup', 'Operations');
  await expect(page.getByRole('tree')).toBeVisible();
  await lookAll(page, 'operations-none');
  await page.getByRole('textbox', { name: 'Find an operation' }).fill('return postcode');
  await page.keyboard.press('Enter');
  const postcode = page.getByRole('textbox', { name: 'Postcode', exact: true });
  await postcode.fill(showcase);
  await lookAll(page, 'operations-form');
  await postcode.press('Enter');
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  await expect(answer.getByRole('grid')).toBeVisible();
  for (const name of ['Table', 'Fields', 'Raw', 'History']) {
    await answer.getByRole('tab', { name, exact: true }).press('Enter');
    await lookAll(page, `operations-${name.toLowerCase()}`);
  }
  for (const [key, name] of [
    ['2', 'credits'],
    ['3', 'licences'],
    ['4', 'activity'],
  ] as const) {
    await page.keyboard.press(`ControlOrMeta+${key}`);
    await expect(screenOf(page, name).getByRole('heading', { level: 1 })).toBeVisible();
    await lookAll(page, `${name}-empty`);
  }
  await page.keyboard.press('ControlOrMeta+5');
  const own = screenOf(page, 'connections');
  const dialog = page.getByRole('dialog');
  await lookInto(page, own.getByRole('button', { name: 'Edit', exact: true }), dialog, 'connection-edit');
  await lookInto(page, own.getByRole('button', { name: 'Add a key' }), dialog, 'connection-key');
  await searchFor(page, showcase);
  await chooseTab(page, 'lookup', 'Search');
  await expect(page.getByText('34 premises')).toBeVisible();
  const before = hitsOf(service, 'Search');
  service.faults.set({ kind: 'delay', milliseconds: 60_000, on: 'Search', times: 1 });
  await searchFor(page, 'HR10 2DW');
  await expect.poll(() => hitsOf(service, 'Search')).toBe(before + 1);
  await press(page, 'Stop waiting');
  await expect(page.getByText(/A charge may still come until/).first()).toBeVisible();
  await lookAll(page, 'lookup-unknown');
  await service.stop();
  await searchFor(page, 'HR10 2DX');
  await expect(page.getByRole('heading', { name: /did not accept a connection/ })).toBeVisible();
  await lookAll(page, 'lookup-failed');
  await page.keyboard.press('ControlOrMeta+2');
  await press(page, /^Read balance/);
  await expect(
    screenOf(page, 'credits')
      .getByText(/did not accept a connection/)
      .first(),
  ).toBeVisible();
  await lookAll(page, 'credits-failed');
  await chooseTab(page, 'credits', 'Ledger');
  const ledger = screenOf(page, 'credits').getByRole('grid', { name: 'Ledger' });
  await openRow(page, ledger, /open/);
  await expect(screenOf(page, 'credits').getByRole('table', { name: 'Evidence' })).toBeVisible();
  await lookAll(page, 'credits-evidence');
  await page.keyboard.press('ControlOrMeta+3');
  await screenOf(page, 'licences')
    .getByRole('button', { name: /^Read licences/ })
    .first()
    .press('Enter');
  await expect(
    screenOf(page, 'licences')
      .getByText(/did not accept a connection/)
      .first(),
  ).toBeVisible();
  await lookAll(page, 'licences-failed');
  await page.keyboard.press('ControlOrMeta+5');
  await press(page, /Test · free/);
  await expect(
    screenOf(page, 'connections')
      .getByText(/did not accept a connection/)
      .first(),
  ).toBeVisible();
  await lookAll(page, 'connections-failed');
});

test.describe('the demo service', () => {
  test.describe.configure({ mode: 'default' });
  let page: Page;
  test.beforeAll(async ({ launchForAll }) => {
    ({ page } = await launchForAll({ width: 1280, height: 800 }));
    await startDemo(page);
  });

  test('Credits with its tabs, and Settings', async () => {
    await page.keyboard.press('ControlOrMeta+2');
    const credits = screenOf(page, 'credits');
    await expect(credits.getByRole('img', { name: /^Balance over time/ })).toBeVisible();
    await lookAll(page, 'credits');
    // Keys change the chart's range: a week less at the left, after which no preset is chosen.
    const first = credits.getByRole('slider', { name: 'First day' });
    const before = await first.getAttribute('aria-valuetext');
    await first.press('PageUp');
    await expect(first).not.toHaveAttribute('aria-valuetext', before ?? '');
    const chosen = (await first.getAttribute('aria-valuetext')) ?? '';
    await expectClean(page);
    await first.press('Enter');
    await expect(
      credits.getByRole('radiogroup', { name: 'Range shown' }).getByRole('radio', { checked: true }),
    ).toHaveCount(0);
    await expect(first).toHaveAttribute('aria-valuetext', chosen);
    await expect(first).toBeFocused();
    await lookInto(page, credits.getByRole('button', { name: 'Export' }), page.getByRole('dialog'), 'credits-export');
    await chooseTab(page, 'credits', 'Ledger');
    await lookAll(page, 'credits-ledger');
    await openRow(page, credits.getByRole('grid', { name: 'Ledger' }), /No priced call/);
    await lookInto(
      page,
      credits.getByRole('button', { name: 'Say what it was' }),
      page.getByRole('dialog'),
      'credits-note',
    );
    await chooseTab(page, 'credits', 'Reconciliation');
    await lookAll(page, 'credits-reconciliation');
    await chooseTab(page, 'credits', 'Caps and alerts');
    await lookAll(page, 'credits-caps');
    await page.keyboard.press('ControlOrMeta+4');
    await expect(screenOf(page, 'activity').getByRole('grid')).toBeVisible();
    await screenOf(page, 'activity').getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await lookAll(page, 'activity');
    await page.keyboard.press('ControlOrMeta+6');
    await expect(screenOf(page, 'settings').getByRole('heading', { name: 'This program' })).toBeVisible();
    await lookAll(page, 'settings');
    const licences = screenOf(page, 'settings').getByRole('button', { name: /^Open-source licences/ });
    await lookInto(page, licences, page.getByRole('dialog'), 'settings-licences');
    const signIn = screenOf(page, 'settings').getByRole('button', { name: 'Add a sign-in' });
    await lookInto(page, signIn, page.getByRole('dialog'), 'settings-sign-in');
    await licences.press('Enter');
    await page.getByRole('textbox', { name: 'Find a package or a licence' }).fill('keyring');
    await expect(page.getByRole('dialog').getByRole('status')).toHaveText(/of \d+/);
    await page.getByText('@napi-rs/keyring', { exact: true }).click();
    await expect(page.getByText(/Permission is hereby granted/).first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('Licences with its tabs, Connections and its forms', async () => {
    await page.keyboard.press('ControlOrMeta+3');
    await press(page, /^Read licences/);
    const licences = screenOf(page, 'licences');
    const grid = licences.getByRole('grid', { name: 'Licences' });
    await expect(grid).toBeVisible();
    await lookAll(page, 'licences');
    // It expires within the longest lead time of a reminder, in every zone.
    await openRow(page, grid, /Multi Machine 3.*1 free/);
    await lookAll(page, 'licences-detail');
    await lookInto(
      page,
      licences.getByRole('button', { name: 'By type' }),
      page.getByRole('dialog'),
      'licences-by-type',
    );
    await lookInto(
      page,
      licences.getByRole('button', { name: 'View', exact: true }),
      page.getByRole('menu'),
      'licences-views',
    );
    await licences.getByRole('textbox', { name: /^Remind me/ }).fill('365');
    await press(page, 'Save');
    await expect(licences.getByRole('region', { name: 'Reminders' })).toBeVisible();
    await lookAll(page, 'licences-reminder');
    await licences.getByRole('textbox', { name: 'Filter licences' }).fill('single');
    await licences.getByRole('button', { name: 'View', exact: true }).press('Enter');
    await chooseItem(page, 'Save this filter as a view…');
    await expect(page.getByRole('textbox', { name: 'Name of the view' })).toBeFocused();
    await lookAll(page, 'licences-save-view');
    await page.keyboard.press('Escape');
    await licences.getByRole('textbox', { name: 'Filter licences' }).fill('');
    await press(page, /Register to this machine/);
    await lookAll(page, 'licences-wish');
    await press(page, /Read and plan/);
    const confirm = page.getByRole('textbox', { name: /machine’s name/ });
    await expect(confirm).toBeVisible();
    await lookAll(page, 'licences-plan');
    const machine = await page.evaluate(async () => {
      const info = await window.api.call['app.info']('look-1', {});
      return info.ok ? info.value.machineName : '';
    });
    await confirm.fill(machine);
    await press(page, /^Register · price not published/);
    await expect(page.getByText('seen as planned').first()).toBeVisible();
    await lookAll(page, 'licences-receipt');
    // The screen's own key leads from a change back to the list.
    await page.keyboard.press('ControlOrMeta+3');
    await chooseTab(page, 'licences', 'Machines');
    await lookAll(page, 'machines-empty');
    await press(page, /^Ask this machine/);
    await expect(licences.getByRole('grid', { name: 'Machines' })).toBeVisible();
    await lookAll(page, 'machines');
    await chooseTab(page, 'licences', 'Bulk change');
    await lookAll(page, 'bulk-empty');
    await press(page, 'Paste a table');
    await page
      .getByRole('textbox', { name: /Rows from a spreadsheet/ })
      .fill('licence,machine\nDR0229585,HFD-LT-0301\nDR9999999,HFD-LT-0303\n');
    await press(page, 'Look through it');
    await expect(licences.getByText(/2 rows/).first()).toBeVisible();
    await lookAll(page, 'bulk-columns');
    await press(page, /and plan/);
    await expect(licences.getByRole('grid', { name: 'Rows of the bulk change' })).toBeVisible();
    await lookAll(page, 'bulk');
    await chooseTab(page, 'licences', 'Journal');
    await lookAll(page, 'journal');
    await page.keyboard.press('ControlOrMeta+5');
    const connections = screenOf(page, 'connections');
    await press(page, /Test · free/);
    await lookAll(page, 'connections');
    await lookInto(
      page,
      connections.getByRole('button', { name: 'Add connection' }),
      page.getByRole('dialog'),
      'connection-form',
    );
    await connections.getByRole('button', { name: /^More for/ }).press('Enter');
    await chooseItem(page, 'Remove the connection…');
    await expect(page.getByRole('dialog')).toBeVisible();
    await lookAll(page, 'connection-remove');
  });
});
