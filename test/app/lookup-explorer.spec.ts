import type { Page } from 'playwright/test';
import { momentPattern } from '../../shared/claims/moment.ts';
import { doubleClick, expect, expectClean, focusTaken, goTo, press, searchFor, test } from './fixtures.ts';
import { call, connectBoth, hitsOf, selectedConnection } from './own-service.ts';

// The lookup explorer by keyboard, in both answer shapes and over SOAP. The service's meter shows what was spent.

const showcase = 'HR10 2DT';
const list = (page: Page) => page.getByRole('listbox', { name: /^Results for/ });
const details = (page: Page) => page.getByRole('region', { name: /^Details of/ });

/** Opens a row of the results with the arrow keys and Enter. */
async function openRow(page: Page, name: RegExp): Promise<void> {
  await list(page).focus();
  const row = list(page).getByRole('option', { name }).first();
  for (let step = 0; step < 40; step++) {
    const [active, id] = [await list(page).getAttribute('aria-activedescendant'), await row.getAttribute('id')];
    if (active !== null && active === id) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

const chooseTab = async (page: Page, name: string) => {
  const tab = page.getByRole('tab', { name, exact: true });
  await tab.press('Enter');
  await expect(tab).toHaveAttribute('aria-selected', 'true');
};

for (const [way, args, changes] of [
  ['REST in shape A', ['--shape', 'a'], {}],
  ['REST in shape B', ['--shape', 'b'], {}],
  ['SOAP', [], { preferredInterface: 'soap' }],
] as const)
  test(`an address over ${way} is asked once, at the price shown, and is free the second time`, async ({
    sharedPage: page,
    startService,
  }) => {
    const service = await startService(...args);
    await connectBoth(page, service, changes);
    const soap = way === 'SOAP';
    await page.keyboard.press('ControlOrMeta+l');
    await page.keyboard.type(showcase);
    await expect(page.getByText('A postcode that can exist.')).toBeVisible();
    // Enter takes the free way, whichever interface is preferred; the other is beside it.
    await expect(page.getByRole('button', { name: 'Search · free over SOAP' })).toBeEnabled();
    await expect(page.getByRole('button', { name: 'Over REST · 1 credit' })).toBeEnabled();
    expect(service.meter.read().credits).toBe(0);
    if (soap) await page.keyboard.press('Enter');
    else await press(page, 'Over REST · 1 credit');
    await expect(page.getByText('34 premises')).toBeVisible();
    await expect(page.getByText('All in Bartonsham Mead, Hereford, HR10 2DT')).toBeVisible();
    await expectClean(page);

    await openRow(page, /^4 Tannery Row/);
    await expect(details(page).getByRole('region', { name: 'Address', exact: true })).toContainText('HEREFORD');
    await expect(
      page.getByText(soap ? 'SOAP GetPremiseAddress' : `REST GetPremise, shape ${way.at(-1)}`).last(),
    ).toBeVisible();
    const spent = soap ? 1 : 2;
    expect(service.meter.read().credits).toBe(spent);
    await expectClean(page);
    // Half of a wide screen has room for the list and for all that can be done with the address.
    await page.setViewportSize({ width: 960, height: 700 });
    for (const name of [/^Ask again/, /^Copy$/])
      await expect(page.locator('.lookup-head').getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1280, height: 800 });

    // Opened again from the list and from the box, twice each: the answer is saved, so no more calls are made.
    await openRow(page, /^4 Tannery Row/);
    await page.keyboard.press('Enter');
    await searchFor(page, showcase.toLowerCase());
    await page.keyboard.press('Enter');
    await expect(page.getByText('34 premises, 1 saved')).toBeVisible();
    expect(service.meter.read().credits).toBe(spent);

    // An answer saved over one interface does not make the other free.
    if (!soap) {
      await openRow(page, /^4 Tannery Row/);
      await press(page, /^Get UPRN/);
      await expect(
        details(page)
          .getByText(/^\d{8,12}$/)
          .first(),
      ).toBeVisible();
      const cost = way === 'REST in shape A' ? 1 : 2;
      await expect.poll(() => service.meter.read().credits).toBe(spent + cost);
    } else {
      await openRow(page, /^4 Tannery Row/);
      await press(page, 'The same over REST · 1 credit');
      const free = details(page).getByRole('button', { name: 'The same over SOAP · saved, free' });
      await expect(free).toBeEnabled();
      // The answer goes in the same turn in which the button is pressed: what is called free sends nothing, and says so.
      const label = await free.evaluate((button: HTMLElement) => {
        const purged = window.api.call['lookup.purge']('purge', { what: 'all' });
        const { textContent } = button;
        button.click();
        return purged.then(() => textContent);
      });
      expect(label).toContain('saved, free');
      const failure = page.getByRole('region', { name: 'What went wrong' });
      await expect(failure).toContainText('The answer is no longer saved.');
      await expect(failure).toContainText('No request left this computer.');
      await expect(failure.getByRole('button', { name: 'Ask again · 1 credit' })).toBeVisible();
      await press(page, 'Back to the address · free');
      await expect(details(page).getByRole('button', { name: 'The same over SOAP · 1 credit' })).toBeVisible();
      expect(service.meter.read().credits).toBe(spent + 1);
    }
  });

test('the same request from two places at once makes one call', async ({ sharedPage: page, startService }) => {
  const service = await startService();
  await connectBoth(page, service);
  service.faults.set({ kind: 'delay', milliseconds: 1500, on: 'Search', times: 1 });
  await searchFor(page, showcase);
  // The second request goes through the same contract, as from another window.
  const second = page.evaluate(async (text) => {
    const connections = await window.api.call['connections.list']('second-1', {});
    const connectionId = connections.ok ? (connections.value.selectedId ?? '') : '';
    const answer = await window.api.call['lookup.search']('second-2', { connectionId, text });
    return answer.ok ? answer.value.results.length : 0;
  }, 'hr102dt');
  expect(await second).toBe(34);
  await expect(page.getByText('34 premises')).toBeVisible();
  expect([hitsOf(service, 'Search'), service.meter.read().credits]).toEqual([1, 1]);
});

test('a row that says saved shows what was saved meanwhile, not the failure of an earlier call for it', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  await searchFor(page, showcase);
  service.faults.set({ kind: 'status', status: 500, on: 'GetPremise', times: 1 });
  await openRow(page, /^4 Tannery Row/);
  await expect(page.getByRole('button', { name: 'Ask again · 1 credit' })).toBeVisible();
  // The same premise is opened in another window.
  const connectionId = await selectedConnection(page);
  const { results } = await call(page, 'lookup.search', { connectionId, text: showcase });
  const premiseId = results.find(({ line }) => line.startsWith('4 Tannery Row'))?.premiseId ?? '';
  await call(page, 'lookup.open', { connectionId, premiseId, interface: 'rest', cache: 'default' });
  await expect(page.getByText('34 premises, 1 saved')).toBeVisible();
  const spent = service.meter.read().credits;
  await openRow(page, /^4 Tannery Row/);
  await expect(details(page)).toBeVisible();
  expect(service.meter.read().credits).toBe(spent);
});

test('with one pane at a time the keys that copy the address copy only one that is shown', async ({
  sharedPage: page,
  startService,
}) => {
  await connectBoth(page, await startService());
  await page.setViewportSize({ width: 640, height: 700 });
  await searchFor(page, showcase);
  await openRow(page, /^4 Tannery Row/);
  await expect(details(page)).toBeVisible();
  /** Whether a key was taken by the window. */
  const isTaken = async (key: string) => {
    // Listens before the key is pressed.
    const heard = await page.evaluateHandle(() => ({
      taken: new Promise<boolean>((done) => {
        const look = (event: KeyboardEvent) => {
          if (event.key.toLowerCase() !== 'c') return;
          window.removeEventListener('keydown', look);
          done(event.defaultPrevented);
        };
        window.addEventListener('keydown', look);
      }),
    }));
    await page.keyboard.press(key);
    return heard.evaluate(({ taken }) => taken);
  };
  const keys = ['ControlOrMeta+c', 'ControlOrMeta+Shift+c'];
  for (const key of keys) expect(await isTaken(key)).toBe(true);
  // Of the two, what was copied last is said.
  await expect(page.getByText(/^Copied as (one line|on an envelope)/).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  for (const key of keys) expect(await isTaken(key)).toBe(false);
});

test('where it is: the map by keys, coordinates both ways, distances in four units, an outside map by a click', async ({
  sharedPage: page,
  sharedProgram,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  await searchFor(page, showcase);
  await openRow(page, /^4 Tannery Row/);
  await press(page, 'Map, distances');
  const map = page.getByRole('group', { name: /^Map of Great Britain/ });
  await expect(map).toBeVisible();
  await focusTaken(page.getByRole('dialog'));
  await map.focus();
  const drawn = () => map.locator('path').first().getAttribute('transform');
  const steps: (string | null)[] = [await drawn()];
  for (const key of ['+', 'ArrowLeft', 'ArrowUp', '0']) {
    await page.keyboard.press(key);
    steps.push(await drawn());
  }
  expect(new Set(steps).size).toBe(steps.length);
  await page.keyboard.press('Home');
  await expect.poll(drawn).toBe(steps[0]);
  await map.hover();
  await page.mouse.wheel(0, -400);
  await expect.poll(drawn).not.toBe(steps[0]);

  await page.getByRole('textbox', { name: /^Degrees, grid reference/ }).focus();
  await page.keyboard.type('SO 50803 40125');
  const both = page.getByRole('region', { name: 'Coordinates both ways' });
  await expect(both.getByText('350803, 240125')).toBeVisible();
  await expect(both.getByText(/Helmert, ± 5 m/)).toBeVisible();

  await page.getByRole('textbox', { name: /^From HR10 2DT to these postcodes/ }).focus();
  const many = Array.from({ length: 300 }, (_, at) => `HR${(at % 60) + 10} ${Math.floor(at / 60)}AA`);
  await page.keyboard.insertText(many.join(', '));
  await expect(page.getByText('300 postcodes; one call takes 100 at most.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Rank 300 postcodes/ })).toBeDisabled();
  await expectClean(page);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('HR10 0AA, HR15 3RR');
  const before = service.meter.read();
  await press(page, 'Rank 2 postcodes · price not published');
  const table = page.getByRole('table', { name: 'Distances from HR10 2DT' });
  await expect(table.getByRole('row')).toHaveCount(3);
  await expect(table.getByRole('row').nth(1)).toContainText('HR10 0AA');
  await expect(table.getByRole('columnheader')).toHaveText(['Postcode', 'm', 'km', 'miles', 'nautical']);
  await expect(page.getByRole('button', { name: 'Rank 2 postcodes · saved, free' })).toBeVisible();
  expect(hitsOf(service, 'NearestData_ForPostcode') - (before.calls.NearestData_ForPostcode?.hits ?? 0)).toBe(1);
  const ring = page.getByText(/Drawn as a ring/);
  await expect(ring).toBeVisible();
  await expect(page.getByText('2 postcodes, nearest HR10 0AA', { exact: true })).toBeAttached();
  await expectClean(page);
  // Shown again for nothing, it is called saved only as long as it is.
  await press(page, 'Rank 2 postcodes · saved, free');
  const source = page.getByText(/^SOAP NearestData_ForPostcode/).filter({ hasText: ';' });
  await expect(source).toContainText('; saved, free.');
  const { cachePolicy } = await call(page, 'settings.read', {});
  await call(page, 'settings.save', { cachePolicy: { mode: 'off', amount: 1 } });
  const connectionId = await selectedConnection(page);
  await call(page, 'credits.read-balances', { connectionId, sources: ['rest-key'] });
  await expect(source).toContainText('; price not published');
  await call(page, 'settings.save', { cachePolicy });
  // Of a postcode without a distance, or at the same place, no ring is drawn; of two, one of which has none, neither is the nearest.
  const record = (fields: string) => `<Nearest>${fields}<Return_Code>1</Return_Code></Nearest>`;
  const result = `<List>${record('<Postcode_Return>HR10 0AA</Postcode_Return>')}${record('<Postcode_Return>HR15 3RR</Postcode_Return><Distance_Metres>0</Distance_Metres>')}</List>`;
  const name = 'NearestData_ForPostcode';
  service.faults.set({
    kind: 'status',
    on: name,
    status: 200,
    type: 'text/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><${name}Response xmlns="http://address-demo.example/service19/"><${name}Result>${result}</${name}Result></${name}Response></soap:Body></soap:Envelope>`,
    times: 1,
  });
  await press(page, 'Ask again · price not published');
  await expect(page.getByText('2 postcodes', { exact: true })).toBeAttached();
  await expect(table.getByRole('row').nth(1)).toContainText('HR15 3RR');
  await expect(ring).toHaveCount(0);

  await expect(page.getByText(/Tells www.openstreetmap.org the place 52\.\d{5}, -2\.\d{5}/)).toBeVisible();
  await press(page, 'Open OpenStreetMap in the browser');
  await expect(page.getByText('Opened in the browser')).toBeVisible();
  expect(sharedProgram.output()).toMatch(
    /opens outside https:\/\/www\.openstreetmap\.org\/\?mlat=52\.\d{5}&mlon=-2\.\d{5}#map=/,
  );
});

test('side by side: REST against SOAP in one click at its price, then for nothing', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  await searchFor(page, showcase);
  // What had the focus once and still can take it is no place to go on from.
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Connection: / })
    .focus();
  await openRow(page, /^4 Tannery Row/);
  await press(page, 'Compare');
  await expect(page.getByRole('tab', { name: 'Side by side' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('No SOAP answer with this address is saved.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'All premises' })).toBeFocused();
  await expectClean(page);
  // A call that failed is shown with the premise it was for, and with no other.
  service.faults.set({ kind: 'status', status: 500, on: 'GetPremiseAddress', times: 1 });
  await press(page, 'Get the SOAP answer · 1 credit');
  const wrong = page.getByText(/^The server answered with an error status/);
  await expect(wrong).toBeVisible();
  await chooseTab(page, 'Search');
  await openRow(page, /^8 Tannery Row/);
  await press(page, 'Compare');
  await expect(page.getByText('No SOAP answer with this address is saved.')).toBeVisible();
  // The button has gone with its tab; the focus goes neither to the tab that was left nor to a button with a price.
  await expect(page.getByRole('button', { name: 'All premises' })).toBeFocused();
  await expect(wrong).toHaveCount(0);
  await chooseTab(page, 'Search');
  await list(page).press('Home');
  await openRow(page, /^4 Tannery Row/);
  await press(page, 'Compare');
  await expect(wrong).toBeVisible();
  await press(page, 'Close');
  const spent = service.meter.read().credits;
  await press(page, 'Get the SOAP answer · 1 credit');
  const table = page.getByRole('table', { name: 'The two answers, field by field' });
  await expect(table.getByRole('row', { name: /^Country United Kingdom England/ })).toContainText('differs');
  await expect(table.getByRole('row', { name: /^UDPRN/ })).toContainText('REST only');
  expect(service.meter.read().credits - spent).toBe(1);
  await expectClean(page);
  await page.getByRole('radio', { name: /^Differ 1/ }).press('Space');
  await expect(table.getByRole('row', { name: /^Postcode/ })).toHaveCount(0);
  await press(page, 'Copy differences');
  await press(page, 'Swap');
  await expect(table.getByRole('row', { name: /^Country England United Kingdom/ })).toBeVisible();
  await page.getByRole('radio', { name: 'Raw' }).press('Space');
  await expect(page.getByRole('region', { name: 'Raw answers side by side' })).toContainText(
    'GetPremiseAddressResponse',
  );
  await expectClean(page);
  const choose = async (side: string, words: string) => {
    const answer = page.getByRole('combobox', { name: side });
    await answer.fill(words);
    await answer.press('ArrowDown');
    await answer.press('Enter');
  };
  const cut = await page
    .locator('.compare-raw-row > span')
    .evaluateAll((lines) =>
      lines.filter((line) => line.scrollWidth > line.clientWidth).map((line) => line.textContent),
    );
  expect(cut).toEqual([]);
  // An answer beside itself: there is no difference to copy.
  await page.getByRole('radio', { name: 'Fields' }).press('Space');
  await choose('Left answer', 'REST GetPremise, A');
  await choose('Right answer', 'REST GetPremise, A');
  await expect(page.getByRole('radio', { name: /^Differ 0/ })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Copy differences' })).toBeDisabled();
  // Two answers that are not of the premise chosen before do not stand under its name.
  const chosen = page.getByRole('heading', { name: '4 Tannery Row', exact: true, level: 2 });
  await expect(chosen).toBeVisible();
  await choose('Left answer', 'REST Search');
  await choose('Right answer', '8 Tannery Row');
  await expect(page.getByRole('heading', { name: 'Any two answers' })).toBeVisible();
  await expect(chosen).toHaveCount(0);
  // Back to the list and into the other premise, by keyboard alone.
  const all = page.getByRole('button', { name: 'All premises' });
  await all.press('Enter');
  const premises = page.getByRole('region', { name: 'Premises with saved answers' }).getByRole('button');
  await expect(premises.first()).toBeFocused();
  await expect(all).toHaveCount(0);
  await premises.filter({ hasText: '4 Tannery Row' }).press('Enter');
  await expect(chosen).toBeVisible();
  await expect(all).toBeFocused();
  expect(service.meter.read().credits - spent).toBe(1);
});

test('side by side over a connection of one interface: no other interface’s answer is offered', async ({
  sharedPage: page,
  startService,
}) => {
  await connectBoth(page, await startService(), { soapUrl: '' });
  await searchFor(page, showcase);
  await openRow(page, /^4 Tannery Row/);
  await press(page, 'Compare');
  await expect(page.getByText('1 answer of this premise to compare')).toBeVisible();
  await expect(page.getByText(/^Choose any other saved answer to set beside it/)).toBeVisible();
  await expect(page.getByText(/answer above/)).toHaveCount(0);
});

test('side by side while answers are not saved: a premise that was opened over both is compared, and of none that it is saved', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  await call(page, 'settings.save', { cachePolicy: { mode: 'off', amount: 1 } });
  await searchFor(page, showcase);
  await openRow(page, /^4 Tannery Row/);
  await press(page, 'Compare');
  await expect(page.getByRole('heading', { name: '1 answer of this premise to compare' })).toBeVisible();
  await press(page, 'Get the SOAP answer · 1 credit');
  const table = page.getByRole('table', { name: 'The two answers, field by field' });
  await expect(table).toBeVisible();
  expect([hitsOf(service, 'GetPremise'), hitsOf(service, 'GetPremiseAddress')]).toEqual([1, 1]);
  await chooseTab(page, 'Search');
  await press(page, 'Compare');
  await expect(table).toBeVisible();
  // Of another connection nothing is there.
  await connectBoth(page, service);
  await chooseTab(page, 'Side by side');
  await expect(page.getByRole('heading', { name: 'Nothing to set side by side yet' })).toBeVisible();
  await expect(page.getByText(/^Open an address under Search\. An answer that is saved can be compared/)).toBeVisible();
});

test('an old request is rewritten, its key masked at once, its cost before and now', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  await chooseTab(page, 'Rewrite a request');
  // The arrows lead past Search, whose box takes the focus only from elsewhere.
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Search', exact: true })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Rewrite a request' })).toBeFocused();
  const old = page.getByRole('textbox', { name: /^Old requests/ });
  await old.focus();
  await page.keyboard.insertText(
    "fetch('https://service.example/v1/GetPremise?key=0123456789abcdef&id=00284147&includeGeoData=true')",
  );
  await expect(old).toHaveValue(/key=••••cdef/);
  await expect(page.getByText('1 request: before 2 credits, now 2 credits')).toBeVisible();
  await page.getByRole('radio', { name: 'Without the UPRN' }).press('Space');
  await expect(page.getByText('1 request: before 2 credits, now 1 credit, 1 less')).toBeVisible();
  await press(page, 'Copy the rewritten text');
  await expect(page.getByText('Copied the rewritten text').first()).toBeVisible();
  expect(await page.content()).not.toContain('0123456789abcdef');
  await expectClean(page);

  // A key pasted over as many characters as it has.
  await old.evaluate((box: HTMLTextAreaElement) => {
    const at = box.value.indexOf('id=00284147');
    box.setSelectionRange(at, at + 'id=00284147&inclu'.length);
  });
  await page.keyboard.insertText('key=fedcba9876543');
  await expect(old).toHaveValue(/••••6543/);
  expect(await page.content()).not.toContain('fedcba9876543');
  // More than there is room for: whole lines are taken, and what was left out is said.
  const line = `https://service.example/v1/GetPremise?id=00284147&includeGeoData=true&${'x'.repeat(929)}\n`;
  await old.fill(line.repeat(200) + line.trim());
  await expect(page.getByText(/^The last 1,000 characters were left out: there is room for 200,000/)).toBeVisible();
  await expect(page.getByText(/^200 requests: before/)).toBeVisible();
  await old.fill('');
  await expect(page.getByText(/were left out/)).toHaveCount(0);
  expect(service.meter.read().credits).toBe(0);
});

test('the box by keyboard: typed text is recognised before anything is sent, saved answers come first, streets lead to an address', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  const box = page.getByRole('textbox', { name: 'Postcode, street, business or building' });
  const panel = page.getByRole('region', { name: 'What is typed' });
  const type = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+l');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  };
  const calls = () => service.meter.read().calls;
  const before = await calls();
  for (const [text, note] of [
    ['///kettle.orbit.plum', 'what3words: no search by it is published. Nothing is sent or spent.'],
    ['D02 AF30', 'An address outside the United Kingdom: no search by it is published.'],
    ['SO 50803 40125', '52.05731, -2.71894'],
    ['100012345678', 'No saved address has it.'],
    ['HR10 2DT; HR10 2DX', '2 postcodes. Each is a search of its own.'],
  ] as const) {
    await type(text);
    await expect(panel).toContainText(note);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeDisabled();
  }
  // What can be searched for over either interface is not sent by typing it.
  await type(showcase);
  for (const name of ['Search · free over SOAP', 'Over REST · 1 credit'])
    await expect(page.getByRole('button', { name })).toBeEnabled();
  await expectClean(page);
  expect(await calls()).toEqual(before);

  // Enter takes the free way for pasted lines too. A single-line field would join them.
  const paste = async (text: string) => {
    await box.press('ControlOrMeta+a');
    await box.evaluate((field, given) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', given);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  };
  await paste('14 Tannery Row\r\nHereford\r\nhr10 2dt.\r\n');
  await expect(box).toHaveValue('14 Tannery Row, Hereford, hr10 2dt');
  await expect(panel).toContainText('An address in HR10 2DT.');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue('HR10 2DT');
  // What is put there for a person is taken back as what they typed, and what is read follows.
  await press(page, 'Clear the search box');
  await expect(box).toHaveValue('');
  for (const text of ['HR10 2DT', '14 Tannery Row, Hereford, hr10 2dt', showcase]) {
    await box.press('ControlOrMeta+z');
    await expect(box).toHaveValue(text);
  }
  await expect(panel).toContainText('A postcode that can exist.');
  for (const text of ['14 Tannery Row, Hereford, hr10 2dt', 'HR10 2DT']) {
    await box.press('ControlOrMeta+Shift+z');
    await expect(box).toHaveValue(text);
  }
  await expect(page.getByRole('button', { name: 'Search · free over SOAP' })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page.getByText('34 premises')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show · saved, free' })).toBeVisible();
  expect([hitsOf(service, 'SearchPremise_ByPostcode'), service.meter.read().credits]).toEqual([1, 0]);

  // For half a postcode, the saved answer is the first row and the streets another; each is a button.
  await type('HR10');
  await expect(panel.getByRole('button')).toHaveText([
    /^HR10 2DT, 34 premises.*saved, open free$/,
    'Streets in HR10price not published',
    /^Search for “HR10” as words over SOAP/,
    /^Search for “HR10” as words over REST1 credit$/,
  ]);
  await expectClean(page);
  await page.keyboard.press('ArrowDown');
  await expect(panel.getByRole('button').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const streets = page.getByText(/^\d+ streets?$/);
  await expect(streets).toBeVisible();
  // A street without premises: nothing was said in words that fewer of them could mend, and the list of streets is not lost.
  const onStreet = 'SearchPremise_ByThouroughfareID';
  service.faults.set({
    kind: 'status',
    on: onStreet,
    status: 200,
    type: 'text/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><${onStreet}Response xmlns="http://address-demo.example/service19/"><${onStreet}Result><List/><IsError>false</IsError></${onStreet}Result></${onStreet}Response></soap:Body></soap:Envelope>`,
    times: 1,
  });
  await openRow(page, /^(?!Tannery Row)/);
  await expect(page.getByText('The service named no premise on this street.')).toBeVisible();
  await expectClean(page);
  await press(page, 'Back to the streets · free');
  await expect(streets).toBeVisible();
  await openRow(page, /^Tannery Row/);
  await expect(page.getByText(/^\d+ premises$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back to the streets · free' })).toBeVisible();
  expect(service.meter.read().credits).toBe(0);
  await openRow(page, /^4 Tannery Row/);
  await expect(details(page)).toBeVisible();
  expect(service.meter.read().credits).toBe(1);

  // A list of several postcodes says above it, uncut, what opening one costs: its rows have no room for it.
  await type('Hereford');
  await page.keyboard.press('Enter');
  const opening = page.getByText('Opening one that is not saved: 1 credit', { exact: true });
  await expect(opening).toBeVisible();
  expect(await opening.evaluate((line) => line.scrollWidth <= line.clientWidth)).toBe(true);

  // An empty answer says how long it is saved, and the search can be made again at its price over either interface.
  await type('HR10 9ZX');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No premise found in HR10 9ZX' })).toBeVisible();
  await expect(page.getByText(/an empty answer, a day at most/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ask over REST · 1 credit' })).toBeVisible();
  await press(page, 'Ask again · free');
  await expect.poll(() => hitsOf(service, 'SearchPremise_ByPostcode')).toBe(3);
  await expectClean(page);

  // Several postcodes become a table of a batch, whose plan is shown before anything is sent.
  await type('HR10 2DT; HR10 2DX');
  await expect(panel.getByRole('button', { name: /^Look all of them up as a batch/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const rows = page.getByRole('textbox', { name: /^Rows from a spreadsheet/ });
  await expect(rows).toHaveValue('HR10 2DT\nHR10 2DX');
  expect(service.meter.read().credits).toBe(1);

  // A pasted list longer than the box goes into the batch whole; of another text what is left out is said.
  await page.keyboard.press('Escape');
  await chooseTab(page, 'Search');
  const letters = [...'ABDEFGHJLN'];
  const postcodes = letters.flatMap((one) =>
    letters.map((other, nth) => `${nth % 3 === 0 ? 'M1 1' : 'HR10 2'}${one}${other}`),
  );
  await paste(postcodes.join('\r\n'));
  // Half a postcode would make words of it, for which a search may cost.
  const shown = await page.getByRole('textbox', { name: 'Postcode, street, business or building' }).inputValue();
  expect(shown.length).toBeLessThanOrEqual(500);
  expect(shown.split(', ').filter((one) => !postcodes.includes(one))).toEqual([]);
  const said = page.getByText(/^The box shows the first \d+ of 100 postcodes; a batch takes all 100\./);
  await expect(said).toContainText(`first ${shown.split(', ').length} of`);
  await expect(panel).toContainText('100 postcodes. Each is a search of its own.');
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeDisabled();
  await page.keyboard.press('Enter');
  await expectClean(page);
  await press(page, 'Look all of them up as a batch');
  await expect(rows).toHaveValue(postcodes.join('\n'));
  await page.keyboard.press('Escape');
  await chooseTab(page, 'Search');
  await expect(said).toBeVisible();
  // A window that is loaded anew has the box's text, and says of it what it said before. Which tab was left is stored a moment later.
  const tabLeft = async () =>
    (await call(page, 'app.read-session', {})).pieces.find(({ name }) => name === 'lookup/tab');
  await expect.poll(tabLeft).toBeUndefined();
  await page.reload();
  await expect(said).toBeVisible();
  // What is beyond the room for pasted text is cut after a whole postcode, so that the rest is still a list of them.
  const long = Array.from({ length: 30_000 }, (_, nth) => postcodes[nth % 100]).join('\r\n');
  await paste(long);
  await expect(
    page.getByText(/^The box shows .* [\d,]+ characters at the end left out: there is room for 200,000\.$/),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Look all of them up as a batch' })).toBeVisible();
  await paste('x'.repeat(600));
  await expect(page.getByText('100 characters at the end left out: there is room for 500.')).toBeVisible();
  expect(service.meter.read().credits).toBe(1);
});

test('a number entered before what is saved of it was read opens the saved premise, for nothing', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  const connectionId = await selectedConnection(page);
  const found = await call(page, 'lookup.search', { connectionId, text: showcase, interface: 'soap' });
  const premiseId = found.results[0]?.premiseId ?? '';
  await call(page, 'lookup.open', { connectionId, premiseId, interface: 'soap', cache: 'default' });
  const { credits } = service.meter.read();
  await page.getByRole('textbox', { name: 'Postcode, street, business or building' }).evaluate((field, number) => {
    document.execCommand('insertText', false, number);
    (field as HTMLInputElement).form?.requestSubmit();
  }, premiseId);
  await expect(details(page)).toBeVisible();
  expect(service.meter.read().credits).toBe(credits);
});

test('in dark: axe finds nothing in any part, and a change of the answer shape is shown until dismissed', async ({
  sharedPage: page,
  startService,
}) => {
  const first = await startService('--shape', 'a');
  await connectBoth(page, first);
  await goTo(page, 'settings');
  await page.getByRole('radio', { name: 'Dark' }).press('Space');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await searchFor(page, showcase);
  await openRow(page, /^4 Tannery Row/);
  await expect(details(page)).toBeVisible();
  await expectClean(page);
  await press(page, 'Map, distances');
  await expect(page.getByRole('group', { name: /^Map of Great Britain/ })).toBeVisible();
  await expectClean(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // The server at the same address now answers in the other shape. A saved answer belongs to the connection's address.
  await first.stop();
  await startService('--shape', 'b', '--port', new URL(first.restBaseUrl).port);
  await press(page, 'Ask again · 1 credit');
  await expect(page.getByText('This service now answers in shape B.')).toBeVisible();
  await expect(page.getByText('REST GetPremise, shape B')).toBeVisible();
  // Both answers to the same request are saved, and both can be opened.
  const held = page.getByRole('region', { name: 'Answers saved for this premise' });
  await expect(held.getByRole('button', { name: /^REST GetPremise, [AB]$/ })).toHaveText([
    'REST GetPremise, B',
    'REST GetPremise, A',
  ]);
  await expectClean(page);
  await press(page, 'Dismiss');
  await expect(page.getByText('This service now answers in shape B.')).toHaveCount(0);

  await press(page, 'Compare');
  const table = page.getByRole('table', { name: 'The two answers, field by field' });
  await expect(table.getByRole('row', { name: /^UDPRN/ })).toContainText(/only/);
  await expectClean(page);
  await chooseTab(page, 'Rewrite a request');
  await expectClean(page);
});

test('a double click sends once, stopping sends nothing more, and a time-out is shown as an unknown outcome', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  await searchFor(page, showcase);
  await expect(page.getByText('34 premises')).toBeVisible();
  const connectionId = await selectedConnection(page);
  for (const text of ['HR10 2DU', 'HR10 2DW', 'HR10 2DX'])
    await call(page, 'lookup.search', { connectionId, text, interface: 'soap' });
  service.faults.set({ kind: 'delay', milliseconds: 1200, on: 'GetPremise', times: 1 });
  await list(page)
    .getByRole('option', { name: /^8 Tannery Row/ })
    .dblclick();
  await expect(details(page)).toBeVisible();
  expect(hitsOf(service, 'GetPremise')).toBe(1);
  // A button is pressed once by a double click, though its call has been answered in between.
  const again = page.getByRole('button', { name: 'Ask again · 1 credit' });
  await again.click();
  await expect.poll(() => hitsOf(service, 'GetPremise')).toBe(2);
  await expect(again).toBeEnabled();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.mouse.move(0, 0);
  // What the first click closed covers rows of the list, one of which the second click would buy.
  await page.keyboard.press('ControlOrMeta+l');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('HR10 2D');
  const typed = page.getByRole('region', { name: 'What is typed' });
  await expect(typed.getByRole('button', { name: /saved, open free/ })).toHaveCount(4);
  await doubleClick(
    page,
    typed.getByRole('button', { name: /^HR10 2DT, 34 premises .*saved, open free/ }),
    page.getByText('Choose a premise', { exact: true }),
  );
  await searchFor(page, showcase);
  await expect(page.getByText('34 premises')).toBeVisible();
  await expect(details(page)).toHaveCount(0);
  expect(hitsOf(service, 'GetPremise')).toBe(2);

  service.faults.set({ kind: 'delay', milliseconds: 60_000, on: 'GetPremise', times: 1 });
  await openRow(page, /^10 Tannery Row/);
  await expect.poll(() => hitsOf(service, 'GetPremise')).toBe(3);
  await press(page, 'Stop waiting');
  await expect(page.getByRole('heading', { name: 'You stopped waiting after the request was sent.' })).toBeVisible();
  await expect(page.getByText(new RegExp(`A charge may still come until ${momentPattern}\\.`))).toBeVisible();
  await expectClean(page);
  expect(hitsOf(service, 'GetPremise')).toBe(3);

  await goTo(page, 'settings');
  const wait = page.getByRole('textbox', { name: 'Longest wait for one call' });
  await wait.fill('4');
  await wait.press('Tab');
  await goTo(page, 'lookup');
  service.faults.set({ kind: 'delay', milliseconds: 60_000, on: 'GetPremise', times: 1 });
  await openRow(page, /^12 Tannery Row/);
  await expect.poll(() => hitsOf(service, 'GetPremise')).toBe(4);
  await expect(page.getByRole('heading', { name: 'The request was sent and no complete answer came.' })).toBeVisible();
  await expect(page.getByText(/It may have cost credits\. It was not sent again\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Read the balance · free' })).toBeVisible();
  expect(hitsOf(service, 'GetPremise')).toBe(4);

  // A search whose outcome is not known is shown over the premise that was open, and what is saved of it is one Enter away.
  await list(page).press('Home');
  await openRow(page, /^8 Tannery Row/);
  await expect(details(page)).toBeVisible();
  const searched = hitsOf(service, 'Search');
  service.faults.set({ kind: 'delay', milliseconds: 60_000, on: 'Search', times: 1 });
  await press(page, /^Search again/);
  await expect.poll(() => hitsOf(service, 'Search')).toBe(searched + 1);
  await expect(page.getByRole('heading', { name: 'The request was sent and no complete answer came.' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+l');
  await expect(page.getByRole('button', { name: 'Show · saved, free' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('34 premises')).toBeVisible();
  expect(hitsOf(service, 'Search')).toBe(searched + 1);
  await call(page, 'settings.save', { timeoutSeconds: 30 });
  // Two rows may have one id: the keys go past both.
  const results = ['1', '1', '2'].map((id, n) => ({ id, address: `${n + 1} Pomona Place, Hereford` }));
  const body = JSON.stringify({ results });
  service.faults.set({ kind: 'status', status: 200, body, type: 'application/json', on: 'Search', times: 1 });
  await searchFor(page, 'Pomona Place');
  await expect(page.getByText('3 premises')).toBeVisible();
  await list(page).press('Home');
  await list(page).press('ArrowDown');
  await list(page).press('ArrowDown');
  const last = await list(page)
    .getByRole('option', { name: /^3 Pomona Place/ })
    .getAttribute('id');
  await expect(list(page)).toHaveAttribute('aria-activedescendant', last ?? '');
});
