import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright/test';
import type { Licence } from '../../electron/demo-service/account/licence-seed.ts';
import { listenOnLoopback } from '../helpers/loopback.ts';
import { expect, expectClean, goTo, press, screenOf, searchFor, test } from './fixtures.ts';
import { call, connectBoth, reportConnections } from './own-service.ts';

// Texts of a service are shown literally: nothing in them changes the direction of a line, and a very long word is cut before layout.

const word = 'W'.repeat(10_000);

test('characters that override text direction are shown by name, and a word of 10,000 letters is cut for drawing', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    response.writeHead(200, { 'content-type': 'application/json' });
    if (path.endsWith('/Search'))
      response.end(
        JSON.stringify({
          results: [
            { id: '1', address: `12 \u202eteertS hgiH, AB1 2DF`, type: 'premise' },
            { id: '2', address: `${word}, AB1 2DF`, type: 'premise' },
          ],
        }),
      );
    else if (path.endsWith('/GetPremise'))
      response.end(
        JSON.stringify({
          item: {
            id: '1',
            line1: `${word}\u202e`,
            company: `Acme\u200b\u2066 Ltd`,
            city: word,
            postalCode: 'AB1 2DF',
            odd: word,
          },
        }),
      );
    else response.end('{"credits":"100"}');
  });
  await listenOnLoopback(server);
  try {
    await connectBoth(page, service, {
      restBaseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    await searchFor(page, 'AB1 2DF');
    const screen = screenOf(page, 'lookup');
    await expect(screen.getByText('⟨U+202E⟩teertS hgiH')).toBeVisible();
    await page.getByRole('listbox').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(screen.getByText('Acme⟨U+200B⟩⟨U+2066⟩ Ltd').first()).toBeVisible();
    await expect(screen.getByText(/more characters\)/).first()).toBeVisible();
    // Letters laid out in the longest text, which takes most of the work.
    const long = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (walker.nextNode()) {
        const { textContent, parentElement } = walker.currentNode;
        const drawn = parentElement !== null && !['STYLE', 'SCRIPT'].includes(parentElement.tagName);
        if (drawn && (textContent?.length ?? 0) > 3000) found.push(`${parentElement.outerHTML.slice(0, 80)}`);
      }
      return found;
    });
    expect(long).toEqual([]);
    await expectClean(page);
    // Wherever its saved answer is named: the list of recent premises, the palette, and Side by side with its lists of answers.
    const expectNamed = async () => {
      await expect(page.getByText('Acme⟨U+200B⟩⟨U+2066⟩ Ltd').filter({ visible: true }).first()).toBeVisible();
      expect(await unnamedIn(page)).toEqual([]);
    };
    await screen.getByRole('tab', { name: 'Side by side' }).press('Enter');
    const saved = screen.getByRole('region', { name: 'Premises with saved answers' });
    await expect(saved).toBeVisible();
    await expectNamed();
    await saved.getByRole('button').press('Enter');
    await expect(screen.getByText('1 answer of this premise to compare')).toBeVisible();
    await screen.getByRole('combobox', { name: 'Left answer' }).press('ArrowDown');
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectNamed();
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('acme');
    await expectNamed();
    await page.keyboard.press('Escape');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('in Licences no name changes the direction of what is said of it, or hides a character of a machine', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  const [, first] = service.account.licences;
  if (!first) throw new Error('The demo has no second licence.');
  // The account is in this process, and serves whatever licence is in it.
  (service.account.licences as Licence[]).push({
    ...first,
    number: 700_001,
    reference: 'A\u202eteertS',
    type: 'Desk\u200btop',
    expires: Math.floor(Date.now() / 86_400_000) + 20,
    seats: 5,
    machines: ['OLD\u200b-1'],
  });
  await connectBoth(page, service);
  const { connections, selectedId: id } = await call(page, 'connections.list', {});
  const used = connections.find(({ connection }) => connection.id === id)?.connection;
  if (!used) throw new Error('There is no connection.');
  const { id: _, ...draft } = used;
  await call(page, 'connections.save', { id: used.id, draft: { ...draft, name: `${used.name} \u202edekciP` } });
  await reportConnections(page);
  await expect(page.getByRole('banner').getByText(`${used.name} ⟨U+202E⟩dekciP`).first()).toBeVisible();
  const label = 'in force, as the provider’s letter says';
  await call(page, 'licences.save-label', {
    connectionId: used.id,
    label: { field: 'status', value: 'Active', label },
  });
  await goTo(page, 'licences');
  await press(page, /^Read licences/);
  const screen = screenOf(page, 'licences');
  await screen.getByRole('textbox', { name: 'Filter' }).fill('teert');
  const list = screen.getByRole('grid', { name: 'Licences' });
  // What does not fit into a column ends in “…”: the box of a status too.
  const status = list.getByRole('gridcell').filter({ hasText: label });
  expect(await status.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true);
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await screen.getByText('1 remark on these licences').press('Enter');
  await expect(screen.getByText(/^A⟨U\+202E⟩teertS expires in \d+ days/)).toBeVisible();
  expect(await unnamedIn(page)).toEqual([]);

  await screen.getByRole('button', { name: /^Move/ }).press('Enter');
  await expect(screen.getByRole('heading', { name: 'Move A⟨U+202E⟩teertS' })).toBeVisible();
  await page.keyboard.insertText('OLD\u200b-1');
  await screen.getByRole('textbox', { name: 'To the machine' }).focus();
  await page.keyboard.insertText('NEW\u200b-1');
  // What is typed is in its field as it was typed.
  await press(page, /^Read and plan/);
  await expect(screen.getByRole('heading', { name: 'Move A⟨U+202E⟩teertS to NEW⟨U+200B⟩-1' })).toBeVisible();
  expect(await unnamedIn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await screen.getByRole('tab', { name: 'Machines' }).press('Enter');
  await expect(screen.getByText('NEW⟨U+200B⟩-1').first()).toBeVisible();
  expect(await unnamedIn(page)).toEqual([]);

  await screen.getByRole('tab', { name: 'All licences' }).press('Enter');
  await screen.getByRole('button', { name: 'Close', exact: true }).press('Enter');
  await screen.getByRole('button', { name: /^Register to another/ }).press('Enter');
  await page.keyboard.insertText('NEW\u200b-1');
  await press(page, /^Read and plan/);
  await expect(screen.getByRole('textbox', { name: 'Type the machine’s name' })).toBeFocused();
  await page.keyboard.insertText('NEW\u200b-1');
  service.faults.set({ kind: 'delay', on: 'RegisterLicense', milliseconds: 60_000 });
  await press(page, /^Register · /);
  await expect(page.getByRole('contentinfo')).toContainText('Registering A⟨U+202E⟩teertS');
  service.faults.clear();
  await expect(screen.getByRole('heading', { name: 'A⟨U+202E⟩teertS was seen on NEW⟨U+200B⟩-1' })).toBeVisible();
  expect(await unnamedIn(page)).toEqual([]);
});

/** Texts and tooltips in sight that hold a hidden character itself in place of its name. */
const unnamedIn = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
      if (['STYLE', 'SCRIPT'].includes(element.tagName) || !element.checkVisibility()) return [];
      const own = [...element.childNodes].filter((node) => node instanceof Text).map(({ data }) => data);
      return [...own, element.title, element instanceof HTMLInputElement ? element.value : ''].filter((text) =>
        /[\u200b\u2066\u202e]/.test(text),
      );
    }),
  );
