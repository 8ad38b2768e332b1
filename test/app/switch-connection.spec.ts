import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright/test';
import type { SecretRole } from '../../shared/domain/connection.ts';
import { connectionSettings, runProgram, secretVariables } from '../helpers/demo-process.ts';
import {
  expect,
  expectCleanInBoth,
  focusTaken,
  goTo,
  openPalette,
  press,
  screenOf,
  searchFor,
  settle,
  test,
} from './fixtures.ts';
import { call, connectBoth, hitsOf, reportConnections, selectedConnection } from './own-service.ts';

const resultsOf = (page: Page) => screenOf(page, 'lookup').getByRole('listbox', { name: /^Results for/ });

/** Searches, and opens the first premise that is found. */
async function openFirst(page: Page, postcode: string): Promise<void> {
  await searchFor(page, postcode);
  await resultsOf(page).press('Home');
  await resultsOf(page).press('Enter');
}

async function choose(page: Page, words: string, option: RegExp): Promise<void> {
  await openPalette(page);
  await page.keyboard.type(words);
  const command = page.getByRole('dialog').getByRole('option', { name: option });
  await expect(command).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
}

async function run(page: Page, words: string, option: RegExp): Promise<void> {
  await choose(page, words, option);
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('switching the connection sends nothing again that was asked of the previous one', async ({
  sharedPage: page,
  startService,
}) => {
  const [first, second] = await Promise.all([startService(), startService('--seed', '7')]);
  await connectBoth(page, second, { name: 'Second' });
  await connectBoth(page, first, { name: 'First' });
  const lookup = screenOf(page, 'lookup');
  await openFirst(page, first.demo.sample.postcode);
  await expect(lookup.getByText('UDPRN').first()).toBeVisible();
  const line = (await resultsOf(page).getByRole('option').first().innerText()).split('\n')[0] ?? '';

  // Opened with the palette: a saved address, which is free, and the licences.
  await run(page, line, /saved, free/);
  await run(page, 'read licences', /^Read licences/);
  await expect(screenOf(page, 'licences').getByRole('row').nth(1)).toBeVisible();

  await run(page, 'Second', /Use the connection Second/);
  await expect(screenOf(page, 'licences').getByText(/have not been read yet/)).toBeVisible();
  // The second service gets one search, and its free balance is read, but nothing else.
  await searchFor(page, second.demo.sample.postcode);
  await expect(resultsOf(page)).toBeVisible();
  const { calls } = second.meter.read();
  const asked = Object.keys(calls).filter((name) => !['GetCredits', 'GetAvailableCredits'].includes(name));
  expect(asked).toEqual(['Search']);
  expect(calls.Search?.hits).toBe(1);
});

test('two long names that differ only at their end are told apart in the top bar, also at 200 %', async ({
  sharedPage: page,
  startService,
}) => {
  await connectBoth(page, await startService(), {
    name: 'Wyebank Borough Council Customer Contact Centre Production 2',
  });
  const chip = page.getByRole('banner').getByRole('button', { name: /^Connection: Wyebank Borough/ });
  for (const [width, height] of [
    [1280, 800],
    [1024, 768],
    [640, 400],
  ] as const) {
    await page.setViewportSize({ width, height });
    await settle(page);
    const end = chip.getByText('Production 2', { exact: true });
    const [inner, outer] = [await end.boundingBox(), await chip.boundingBox()];
    if (!inner || !outer) throw new Error('The end of the name is not drawn.');
    expect(await end.evaluate((one) => one.scrollWidth <= one.clientWidth || one.clientWidth === 0)).toBe(true);
    expect(inner.x).toBeGreaterThanOrEqual(outer.x);
    expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
    await expect(chip.getByTitle('Wyebank Borough Council Customer Contact Centre Production 2')).toBeVisible();
  }
});

test('a short name that does not fit ends before the badge beside it', async ({ sharedPage: page, startService }) => {
  const name = 'Wyebank Production';
  await connectBoth(page, await startService(), { name, kind: 'production' });
  const chip = page.getByRole('banner').getByRole('button', { name: `Connection: ${name}` });
  for (const [width, height] of [
    [1280, 800],
    [1024, 768],
    [960, 720],
  ] as const) {
    await page.setViewportSize({ width, height });
    await settle(page);
    const drawn = await chip.getByText(name, { exact: true }).boundingBox();
    const badge = await chip.getByText('Production', { exact: true }).boundingBox();
    if (!drawn || !badge) throw new Error('The name or its badge is not drawn.');
    expect(drawn.x + drawn.width).toBeLessThanOrEqual(badge.x);
  }
});

test('after its address is edited a connection shows nothing that came from the former server', async ({
  sharedPage: page,
  startService,
}) => {
  const [first, second] = await Promise.all([startService(), startService()]);
  await connectBoth(page, first);
  const lookup = screenOf(page, 'lookup');
  const open = async () => {
    await openFirst(page, first.demo.sample.postcode);
    await expect(lookup.getByText('UDPRN').first()).toBeVisible();
  };
  await open();
  const { connections } = await call(page, 'connections.list', {});
  const edited = connections.find(({ connection }) => connection.restBaseUrl === first.restBaseUrl)?.connection;
  if (!edited) throw new Error('no connection');
  const { id, ...draft } = edited;
  const { restBaseUrl, soapUrl } = second;
  await call(page, 'connections.save', { id, draft: { ...draft, restBaseUrl, soapUrl } });
  await reportConnections(page);
  await expect(resultsOf(page)).toHaveCount(0);
  await open();
  expect([hitsOf(second, 'Search'), hitsOf(second, 'GetPremise')]).toEqual([1, 1]);
});

test('a network check is not shown under another connection than it was made for', async ({
  sharedPage: page,
  startService,
}) => {
  const [first, second] = await Promise.all([startService(), startService()]);
  await connectBoth(page, second, { name: 'Not checked' });
  await connectBoth(page, first);
  await goTo(page, 'settings');
  const settings = screenOf(page, 'settings');
  await settings.getByRole('button', { name: 'Check the network · free' }).press('Enter');
  await expect(settings.getByText('All reached: 1 address.')).toBeVisible();
  // It stays while another screen is shown.
  await goTo(page, 'lookup');
  await expect(screenOf(page, 'lookup')).toBeVisible();
  await goTo(page, 'settings');
  await expect(settings.getByText('All reached: 1 address.')).toBeVisible();
  await run(page, 'Not checked', /Use the connection Not checked/);
  await expect(settings.getByText(/Connects to each address of Not checked/)).toBeVisible();
  await expect(settings.getByText('All reached: 1 address.')).toHaveCount(0);
});

test('a connection that cannot be taken into use is said above the screen, and said once', async ({
  sharedPage: page,
  sharedProgram: { dataFolder },
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service, { name: 'Wanted' });
  await connectBoth(page, service, { name: 'Stays' });
  const notice = page
    .locator('main .notice')
    .filter({ hasText: 'Changing the connection: Another program is writing' });
  const other = new DatabaseSync(join(dataFolder, 'address-console.sqlite'), { timeout: 5000 });
  try {
    other.exec('BEGIN EXCLUSIVE');
    await run(page, 'Wanted', /Use the connection Wanted/);
    await expect(notice).toBeVisible();
  } finally {
    other.close();
  }
  await expect(page.getByRole('alert').filter({ hasText: 'Changing the connection:' })).toHaveCount(1);
  await expect(page.getByRole('banner').getByRole('button', { name: 'Connection: Stays' })).toBeVisible();
  await expectCleanInBoth(page);
  await goTo(page, 'credits');
  await expect(notice).toHaveCount(1);
  // The line of the menu that has the focus, and that of the palette under the pointer.
  await press(page, 'Connection: Stays');
  await focusTaken(page.getByRole('menu'));
  await page.getByRole('menuitem', { name: /^Wanted/ }).focus();
  await expectCleanInBoth(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await openPalette(page);
  await page.keyboard.type('connection');
  await page
    .getByRole('dialog')
    .getByRole('option', { name: /Use the connection Wanted/ })
    .hover();
  await expectCleanInBoth(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // It is no longer so once the connection has changed.
  await run(page, 'Wanted', /Use the connection Wanted/);
  await expect(notice).toHaveCount(0);
});

test('the addresses that are free to open again are those that the connection’s keys have paid for', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  const connectionId = await selectedConnection(page);
  await openFirst(page, service.demo.sample.postcode);
  const recent = page.getByRole('list', { name: 'Recent, free to open again' }).getByRole('listitem');
  await expect(recent).toHaveCount(1);
  const { secrets } = (await call(page, 'connections.list', {})).connections.find(
    ({ connection }) => connection.id === connectionId,
  ) ?? { secrets: [] };
  const first = secrets.find(({ role }) => role === 'lookup-key')?.id ?? '';
  const put = (label: string, value: string) =>
    call(page, 'secrets.put', { connectionId, role: 'lookup-key', label, value });
  await put('second', service.demo.lookupKey2);
  await call(page, 'secrets.remove', { secretId: first });
  await expect(recent).toHaveCount(0);
  await put('first again', service.demo.lookupKey);
  await expect(recent).toHaveCount(1);
});

test('the form of a connection stays that connection’s while another is taken into use', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service, { name: 'Other' });
  await connectBoth(page, service, { name: 'Edited' });
  await goTo(page, 'connections');
  const connections = screenOf(page, 'connections');
  await connections.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  const form = page.getByRole('dialog', { name: /^(?:Edit|Add)/ });
  await focusTaken(form);
  await form.getByRole('textbox', { name: 'Account name' }).fill('OF-EDITED');
  await choose(page, 'Other', /Use the connection Other/);
  await expect(page.getByRole('button', { name: 'Connection: Other', includeHidden: true })).toBeVisible();
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Edited');
  await press(page, 'Save');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const accounts = async (name: string) =>
    (await call(page, 'connections.list', {})).connections
      .filter(({ connection }) => connection.name === name)
      .map(({ connection }) => connection.accountName);
  expect(await accounts('Edited')).toEqual(['OF-EDITED']);
  expect(await accounts('Other')).toEqual([service.demo.accountName]);
});

test('what a command in a terminal writes is seen in the window, which was told nothing', async ({
  sharedPage: page,
  sharedProgram,
  startService,
  folder,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  const file = join(folder, 'terminal.json');
  writeFileSync(file, JSON.stringify({ name: 'Terminal', ...connectionSettings(service) }));
  const command = async (...args: string[]) => {
    const ended = await runProgram([...args, '--connection', file], {
      env: { ...secretVariables(service.demo), ADDRESS_CONSOLE_DATA_FOLDER: sharedProgram.dataFolder },
    });
    expect(ended.status, ended.stderr).toBe(0);
    return ended.json;
  };
  const { value } = await command('licences', 'list');
  const seat = value.List.find((one: Record<string, string>) => one.LicenseTypeName === 'Site').LicenseID;
  await goTo(page, 'licences');
  const licences = screenOf(page, 'licences');
  await licences.getByRole('tab', { name: 'Journal' }).press('Enter');
  const journal = licences.getByRole('tabpanel', { name: 'Journal' });
  await expect(journal).toBeVisible();
  await expect(journal.getByText('FROM-TERMINAL-01')).toHaveCount(0);
  await command('licences', 'register', '--licence', seat, '--machine', 'FROM-TERMINAL-01', '--yes');
  await expect(journal.getByText('FROM-TERMINAL-01').first()).toBeVisible();
});

/** Replaces the preferred key of a role of the connection in use, and lets the window know. */
async function replaceKey(page: Page, role: SecretRole, value: string): Promise<void> {
  const { connections, selectedId } = await call(page, 'connections.list', {});
  const used = connections.find(({ connection }) => connection.id === selectedId)?.secrets ?? [];
  const secretId = used.find((secret) => secret.role === role)?.id ?? '';
  await call(page, 'secrets.replace', { secretId, value });
  await reportConnections(page);
}

test('the balance of a replaced key is not said to be that of the key in its place, nor is its refusal', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  await goTo(page, 'credits');
  const credits = screenOf(page, 'credits');
  const chip = page.getByRole('banner').getByRole('button', { name: /^Balance/ });
  await expect(credits.getByText('Key balance', { exact: true })).toBeVisible();
  await replaceKey(page, 'lookup-key', 'LK-51b2c7d90e1f4a2f4f2a');
  await expect(credits.getByText('Key balance, key removed')).toBeVisible();
  await expect(chip).toHaveText('Balance not read');
  await press(page, /^Read balance/);
  const refused = credits.getByRole('region', { name: /^Key balance not read/ });
  await expect(refused).toBeVisible();
  await replaceKey(page, 'lookup-key', service.demo.lookupKey);
  await expect(refused).toHaveCount(0);
  await expect(chip).toHaveText(/^Balance: [\d,]+credits/);
  await expect(credits.getByText('Key balance, key removed')).toHaveCount(0);
});

test('a search that may have been charged says so under the key that was put in its place while it was under way', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  service.faults.set({ kind: 'hang', on: 'Search' });
  const lookup = screenOf(page, 'lookup');
  await searchFor(page, service.demo.sample.postcode);
  await expect(lookup.getByText(/^Searching /)).toBeVisible();
  await expect.poll(() => hitsOf(service, 'Search')).toBe(1);
  await replaceKey(page, 'lookup-key', service.demo.lookupKey2);
  // The window knows the new key: an answer for the old one is not shown as its own.
  await expect(lookup.getByText(/^Searching /)).toHaveCount(0);
  await service.stop();
  await expect(lookup.getByRole('region', { name: 'Unknown outcome' })).toBeVisible();
});

test('so do a call of Operations and one of Side by side', async ({ sharedPage: page, startService }) => {
  const service = await startService();
  await connectBoth(page, service);
  const lookup = screenOf(page, 'lookup');
  const unknown = lookup.getByRole('heading', { name: 'The request was sent and no complete answer came.' });
  await openFirst(page, service.demo.sample.postcode);
  await press(page, 'Compare');
  service.faults.set({ kind: 'hang', on: 'GetPremiseAddress' });
  await press(page, 'Get the SOAP answer · 1 credit');
  await expect(lookup.getByText('Asking SOAP for this address')).toBeVisible();
  await lookup.getByRole('tab', { name: 'Operations' }).press('Enter');
  await lookup.getByRole('textbox', { name: 'Find an operation' }).fill('return postcode');
  await page.keyboard.press('Enter');
  await lookup.getByRole('textbox', { name: 'Postcode', exact: true }).fill(service.demo.sample.postcode);
  service.faults.set({ kind: 'hang', on: 'ReturnPremise_ByPostcode' });
  await press(page, 'Call · 1 credit');
  await expect(lookup.getByText('Calling ReturnPremise_ByPostcode')).toBeVisible();
  // Of a call that has not left before the service stops nothing is to be said under another key.
  for (const name of ['GetPremiseAddress', 'ReturnPremise_ByPostcode'])
    await expect.poll(() => hitsOf(service, name)).toBeGreaterThan(0);
  await replaceKey(page, 'licence-id', service.demo.guid);
  await expect(lookup.getByText('Calling ReturnPremise_ByPostcode')).toHaveCount(0);
  await service.stop();
  await expect(unknown).toBeVisible();
  await lookup.getByRole('tab', { name: 'Side by side' }).press('Enter');
  await expect(unknown).toBeVisible();
});
