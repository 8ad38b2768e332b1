import type { Page } from 'playwright/test';
import { momentPattern } from '../../shared/claims/moment.ts';
import {
  chooseItem,
  expect,
  expectClean,
  expectCleanInBoth,
  goTo,
  openPalette,
  press,
  type Service,
  screenOf,
  test,
} from './fixtures.ts';
import { call, connectBoth, hitsOf } from './own-service.ts';

/** Opens Lookup, Operations by keyboard, on a connection whose only namespace is the description's. */
async function openOperations(page: Page, service: Service): Promise<void> {
  await connectBoth(page, service, { soapNamespace: '', utilitiesNamespace: '' });
  await page.getByRole('tab', { name: 'Search', exact: true }).focus();
  const tab = page.getByRole('tab', { name: 'Operations' });
  for (let step = 0; step < 4 && (await tab.getAttribute('aria-selected')) !== 'true'; step += 1)
    await page.keyboard.press('ArrowRight');
  await expect(tab).toBeFocused();
  await expect(page.getByRole('tree')).toBeVisible();
  // The find box keeps its text when the connection changes, so it is cleared.
  await page.getByRole('textbox', { name: 'Find an operation' }).fill('');
}

/** Finds an operation by typing and opens it with Enter. */
async function choose(page: Page, typed: string, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Find an operation' }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(typed);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
}

/** Opens `ReturnPremise_ByPostcode`, 1 credit a call, with the demo's postcode typed. */
async function openPostcodeLookup(page: Page, service: Service): Promise<void> {
  await openOperations(page, service);
  await choose(page, 'return postcode', 'ReturnPremise_ByPostcode');
  await fill(page, 'Postcode', service.demo.sample.postcode);
}

async function fill(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label, exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Shows another screen and then Lookup again, as it was left. */
async function leaveAndReturn(page: Page): Promise<void> {
  await goTo(page, 'credits');
  await expect(screenOf(page, 'credits')).toBeVisible();
  await goTo(page, 'lookup');
  await expect(screenOf(page, 'lookup')).toBeVisible();
}

const answer = (page: Page) => page.getByRole('region', { name: 'Answer', exact: true });

test('a developer finds an operation by typing, calls it once at its price, and sees what went over the wire', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await openOperations(page, service);
  await expectCleanInBoth(page);
  await choose(page, 'return postcode', 'ReturnPremise_ByPostcode');
  await expect(answer(page).getByRole('heading', { name: 'No answer is shown' })).toBeVisible();
  const form = page.getByRole('form', { name: 'ReturnPremise_ByPostcode' });
  await expect(form).toContainText(`•••• ${service.demo.licenceId.slice(-4)}`);
  await expect(form).not.toContainText(service.demo.licenceId);
  await fill(page, 'Postcode', service.demo.sample.postcode);
  await expect(form.getByRole('button', { name: 'Call · 1 credit' })).toBeVisible();
  expect(service.meter.read().calls.ReturnPremise_ByPostcode).toBeUndefined();

  // Enter makes the call; pressing it twice makes one call.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(answer(page).getByRole('grid')).toBeVisible();
  await expect(answer(page)).toContainText('success');
  await expect(form.getByRole('button', { name: 'Show · saved, free' })).toBeVisible();
  expect(service.meter.read().calls.ReturnPremise_ByPostcode).toMatchObject({ hits: 1, credits: 1 });
  await expectCleanInBoth(page);

  // The same request is answered from the saved answer.
  await form.getByRole('button', { name: 'Show · saved, free' }).press('Enter');
  await expect(answer(page)).toContainText('saved, free');
  expect(service.meter.read().calls.ReturnPremise_ByPostcode?.hits).toBe(1);

  // Raw shows the request with masks; it can be searched and folded by keyboard.
  await answer(page).getByRole('tab', { name: 'Table' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(answer(page).getByText('List[0].List_Address')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(answer(page).getByText('HTTP 200').first()).toBeVisible();
  await answer(page).getByRole('radio', { name: 'Answer' }).focus();
  await page.keyboard.press('ArrowLeft');
  const request = answer(page).getByRole('region', { name: 'Request as sent' });
  await expect(request).toContainText(`••••${service.demo.licenceId.slice(-4)}`);
  await answer(page).getByRole('textbox', { name: 'Find in this text' }).focus();
  await page.keyboard.type('machineid');
  // The place of “machine” too is 1 of 1, and a place that is found later opens the fold that hides it.
  await expect(request.locator('mark').first()).toHaveText('MachineID');
  await expect(answer(page).getByRole('status').filter({ hasText: '1 of 1' })).toBeVisible();
  await request
    .getByRole('button', { name: /fold \d+ lines/ })
    .first()
    .press('Enter');
  await expect(request).not.toContainText('sPostcode');
  await expectCleanInBoth(page);
  // Laid out anew, the text has its places on other lines, and they are counted from the first.
  const place = answer(page)
    .getByRole('status')
    .filter({ hasText: / of \d/ });
  await answer(page).getByRole('textbox', { name: 'Find in this text' }).fill('<');
  await expect(place).toHaveText(/^1 of \d{2}/);
  await page.keyboard.press('Shift+Enter');
  await expect(place).toHaveText(/^(\d\d) of \1/);
  await answer(page).getByRole('switch', { name: 'Indented' }).press('Space');
  await expect(place).toHaveText(/^1 of \d/);
  await answer(page).getByRole('switch', { name: 'Indented' }).press('Space');
  await expect(place).toHaveText(/^1 of \d{2}/);

  // The request as code, without keys.
  await press(page, 'Copy as');
  await chooseItem(page, 'Python');
  await expect(page.getByText('Copied Python').first()).toBeVisible();

  // The history has this call and the free second showing; its saved answer opens for nothing.
  await answer(page).getByRole('tab', { name: 'Raw' }).focus();
  await page.keyboard.press('ArrowRight');
  const history = page.getByRole('grid', { name: 'Calls of ReturnPremise_ByPostcode' });
  await expect(history.getByRole('row')).toHaveCount(3);
  const outcome = history.getByRole('gridcell', { name: 'answered saved' });
  expect(await outcome.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await fill(page, 'Postcode', 'HR10 2DZ');
  await history.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expectCleanInBoth(page);
  await press(page, 'Open · free');
  await expect(answer(page).getByRole('tab', { name: 'Table' })).toHaveAttribute('aria-selected', 'true');
  // The form asks something else: what the answer is to stands by it, until they are of one question again.
  const otherwise = answer(page).getByText(
    `This answer was asked with other values than the form has now: Postcode ${service.demo.sample.postcode}`,
  );
  await expect(otherwise).toBeVisible();
  await expectCleanInBoth(page);
  await fill(page, 'Postcode', service.demo.sample.postcode);
  await expect(otherwise).toHaveCount(0);
  await answer(page).getByRole('tab', { name: 'Fields' }).press('Enter');
  await leaveAndReturn(page);
  await expect(answer(page).getByText('List[0].List_Address')).toBeVisible();
  const meter = service.meter.read();
  expect(meter.calls.ReturnPremise_ByPostcode).toMatchObject({ hits: 1, credits: 1 });
  expect(meter.credits).toBe(1);
});

test('an answer opened from the history is called saved only as long as it is', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await openPostcodeLookup(page, service);
  const form = page.getByRole('form', { name: 'ReturnPremise_ByPostcode' });
  const again = form.getByRole('button', { name: 'Call · 1 credit' });
  const openFirst = async () => {
    await answer(page).getByRole('tab', { name: 'History' }).press('Enter');
    const history = page.getByRole('grid', { name: 'Calls of ReturnPremise_ByPostcode' });
    await history.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await press(page, 'Open · free');
    await expect(answer(page).getByText(/^34 rows$/)).toBeVisible();
  };
  const saved = answer(page).getByText('saved, free', { exact: true });
  await again.press('Enter');
  await expect(form.getByRole('button', { name: 'Show · saved, free' })).toBeVisible();
  await openFirst();
  await expect(saved).toBeVisible();
  // Nothing is saved any more, so the same request is a call.
  await call(page, 'settings.save', { cachePolicy: { mode: 'off', amount: 1 } });
  await fill(page, 'Postcode', service.demo.sample.postcode);
  await expect(again).toBeVisible();
  await again.press('Enter');
  await expect(answer(page).getByText(/^34 rows$/)).toBeVisible();
  await openFirst();
  await expect(again).toBeVisible();
  await expect(saved).toHaveCount(0);
  expect(hitsOf(service, 'ReturnPremise_ByPostcode')).toBe(2);
});

test('the history of an operation says that it is of the connection in use', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await openPostcodeLookup(page, service);
  await page.keyboard.press('Enter');
  await expect(answer(page).getByRole('grid')).toBeVisible();
  // Over another connection there is none, although Activity shows the call just made.
  await openPostcodeLookup(page, service);
  await answer(page).getByRole('tab', { name: 'History' }).press('Enter');
  await expect(
    answer(page).getByRole('heading', { name: 'No calls of this operation over this connection yet' }),
  ).toBeVisible();
  await expect(answer(page).getByText(/^Each one over this connection is kept here with/)).toBeVisible();
});

test('an Enter kept pressed makes one call, also where the call fails at once', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await openPostcodeLookup(page, service);
  service.faults.set({ kind: 'status', status: 500, on: 'ReturnPremise_ByPostcode', times: 'always' });
  const failed = page.getByRole('heading', { name: /^The server answered with an error status/ });
  const form = page.getByRole('form', { name: 'ReturnPremise_ByPostcode' });
  for (const [part, hits] of [
    [form.getByRole('textbox', { name: 'Postcode', exact: true }), 1],
    [form.getByRole('button', { name: 'Call · 1 credit' }), 2],
  ] as const) {
    await part.focus();
    await page.keyboard.down('Enter');
    await expect.poll(() => hitsOf(service, 'ReturnPremise_ByPostcode')).toBe(hits);
    await expect(failed).toBeVisible();
    await expect(form.getByRole('button', { name: 'Call · 1 credit' })).toBeEnabled();
    for (let repeat = 0; repeat < 20; repeat++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await expect(failed).toBeVisible();
    expect(hitsOf(service, 'ReturnPremise_ByPostcode')).toBe(hits);
  }
  const history = answer(page).getByRole('tab', { name: 'History' });
  await history.press('Enter');
  await leaveAndReturn(page);
  await expect(history).toHaveAttribute('aria-selected', 'true');
});

test('a data-set twin is a switch, a list has one value a line, and operations known only from the description are marked', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService('--radius-operation', '--guide-operation', 'PostcodeLookup');
  await openOperations(page, service);
  await press(page, 'Read the description · free');
  const tree = page.getByRole('tree');
  await expect(tree.getByRole('treeitem', { name: /^PostcodeLookup/ })).toBeAttached();
  await choose(page, 'maximum radius', 'NearestData_ForPostcodeWithinAMaximumRadius');
  await expect(page.getByText('only in the description', { exact: true })).toBeVisible();
  await expectCleanInBoth(page);

  await choose(page, 'guide', 'PostcodeLookup');
  await fill(page, 'Postcode', service.demo.sample.postcode);
  await page.keyboard.press('Enter');
  await expect(answer(page).getByRole('grid')).toContainText(service.demo.sample.postcode);

  await choose(page, 'geodata postcode', 'GeoData_ForPostcode');
  await fill(page, 'Postcodes', service.demo.sample.postcode);
  await page.keyboard.press('Enter');
  await page.keyboard.type('ZZ99 9ZZ');
  await page.getByRole('switch', { name: 'Answer as a data set' }).press('Space');
  await press(page, /^Call · price not published/);
  // One record is shown as fields first, and as a row of a table.
  await expect(answer(page).getByText('Geographic[0].Grid_Reference')).toBeVisible();
  await answer(page).getByRole('tab', { name: 'Fields' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(answer(page).getByRole('grid', { name: /^Geographic, 1 row/ })).toBeVisible();
  const { calls } = service.meter.read();
  expect(calls.GeoData_ForPostcode_Dataset?.hits).toBe(1);
  expect(calls.GeoData_ForPostcode).toBeUndefined();

  // From Activity the call's form opens with the switch as it was for that call.
  await page.getByRole('switch', { name: 'Answer as a data set' }).press('Space');
  await choose(page, 'return postcode', 'ReturnPremise_ByPostcode');
  await goTo(page, 'activity');
  await page
    .getByRole('grid', { name: 'Calls' })
    .getByRole('row', { name: /GeoData_ForPostcode_Dataset/ })
    .first()
    .click();
  await press(page, 'Open its form');
  await expect(page.getByRole('heading', { name: 'GeoData_ForPostcode', level: 2 })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Answer as a data set' })).toBeChecked();
});

test('an answer of five megabytes is drawn only where in sight, read while scrolling, and searchable', async ({
  sharedPage: page,
  startService,
}) => {
  test.slow();
  const service = await startService();
  await openOperations(page, service);
  const row = (n: number) =>
    `<ListAddressPremise><List_Address>${n} Kiln Brow, Kendal &amp; District, LA24 9RX</List_Address>` +
    `<Unique_Delivery_Point>${String(n).padStart(8, '0')}</Unique_Delivery_Point><Return_Code>1</Return_Code></ListAddressPremise>`;
  const name = 'SearchPremise_ByWordMatchOnLocality';
  const rowCount = Math.ceil(5_000_000 / row(0).length);
  const body =
    '<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>' +
    `<${name}Response xmlns="http://address-demo.example/service19/"><${name}Result><IsError>false</IsError><List>${Array.from({ length: rowCount }, (_, n) => row(n)).join('')}</List>` +
    `</${name}Result></${name}Response></soap:Body></soap:Envelope>`;
  service.faults.set({ kind: 'status', on: name, status: 200, type: 'text/xml; charset=utf-8', body });
  await choose(page, 'search word locality', name);
  await fill(page, 'Words', 'kendal');
  await page.keyboard.press('Enter');
  const rows = answer(page).getByText(`${rowCount.toLocaleString('en-GB')} rows`, { exact: true });
  await expect(rows).toBeVisible();
  const grid = answer(page).getByRole('grid');
  expect(await grid.getByRole('row').count()).toBeLessThan(120);
  await expect(answer(page).getByText(/read so far/)).toBeVisible();
  await grid.focus();
  await page.keyboard.press('End');
  await expect(answer(page).getByText(/^2,000 of/)).toBeVisible();
  expect(await grid.getByRole('row').count()).toBeLessThan(120);

  // Sorted and filtered in the decoder's thread: the last of all rows comes first.
  const last = rowCount - 1;
  const first = grid.getByRole('row').nth(1);
  const byPoint = grid.getByRole('columnheader', { name: 'Unique_Delivery_Point' }).getByRole('button').first();
  await byPoint.click();
  await byPoint.click();
  await expect(answer(page).getByText(/^1,000 of/)).toBeVisible();
  await grid.focus();
  await page.keyboard.press('Home');
  await expect(first).toContainText(`${last} Kiln Brow`);
  await answer(page).getByRole('textbox', { name: 'Filter the rows' }).fill(`${last} kiln`);
  await expect(answer(page).getByText(`1 of ${rowCount.toLocaleString('en-GB')} rows`)).toBeVisible();
  await expect(grid.getByRole('row')).toHaveCount(2);
  await expect(first).toContainText(`${last} Kiln Brow`);
  await expectClean(page);
  await answer(page).getByRole('textbox', { name: 'Filter the rows' }).fill('nowhere');
  await expect(answer(page).getByText('No rows contain “nowhere”.')).toBeVisible();
  await press(page, `Show all ${rowCount.toLocaleString('en-GB')}`);
  await expect(grid).toBeVisible();

  // Main saves all of it, of which the window has read a part; here no place is chosen.
  await grid.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+F10');
  await chooseItem(page, 'Save the table as CSV…');
  await expect(answer(page).getByText('Nothing was saved.').first()).toBeAttached();

  await answer(page).getByRole('tab', { name: 'Table' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const raw = answer(page).getByRole('region', { name: 'Answer as it came' });
  await expect(raw).toContainText('soap:Envelope');
  await raw.focus();
  await page.keyboard.press('End');
  await expect(raw).toContainText('</soap:Envelope>');
  expect(await raw.locator('.raw-line').count()).toBeLessThan(120);
  await answer(page).getByRole('textbox', { name: 'Find in this text' }).focus();
  await page.keyboard.type('<Return_Code>');
  await expect(
    answer(page)
      .getByRole('status')
      .filter({ hasText: /1 of 5,000 or more/ }),
  ).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(raw.locator('[data-current]')).toContainText('Return_Code');
  await expectClean(page);
});

test('at 200 % one pane is shown at a time, and Escape leads back', async ({ sharedPage: page, startService }) => {
  const service = await startService();
  await openOperations(page, service);
  await page.setViewportSize({ width: 640, height: 400 });
  await choose(page, 'credits', 'GetCredits');
  await expectCleanInBoth(page);
  await press(page, 'Call · free');
  await expect(answer(page)).toBeVisible();
  await expect(answer(page).getByRole('tab', { name: 'Table' })).toBeVisible();
  await expectCleanInBoth(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'GetCredits', level: 2 })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tree')).toBeFocused();
  await expectCleanInBoth(page);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a failure says what it means and shows what was sent; an unknown outcome says what was seen, and what may still come', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await openOperations(page, service);
  await choose(page, 'getpremise', 'GetPremise');
  await fill(page, 'Premise identifier', '99999999');
  await page.keyboard.press('Enter');
  await expect(
    answer(page).getByText('The answer was 404: no such record, or the server has no such page.'),
  ).toBeVisible();
  // The switch with a surcharge changes every price from then on; a failed call shows the price of its own request.
  await page.getByRole('switch', { name: /With UPRN/ }).press('Space');
  await expect(page.getByRole('button', { name: 'Call · 2 credits' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ask again · 1 credit' })).toBeVisible();
  await page.getByRole('switch', { name: /With UPRN/ }).press('Space');
  await press(page, 'Show what was sent');
  await expect(answer(page).getByRole('region', { name: 'Request as sent' })).toContainText('id=99999999');
  await expectCleanInBoth(page);
  await press(page, 'Close');

  service.faults.set({ kind: 'delay', on: 'GetPremise', milliseconds: 60_000 });
  await fill(page, 'Premise identifier', service.demo.sample.premiseId);
  await page.keyboard.press('Enter');
  await expect(answer(page).getByText('Calling GetPremise')).toBeVisible();
  await expect.poll(() => hitsOf(service, 'GetPremise')).toBe(2);
  await expectCleanInBoth(page);
  await press(page, 'Stop waiting');
  await expect(answer(page).getByText('You stopped waiting after the request was sent.')).toBeVisible();
  await press(page, 'Read the balance · free');
  await expect(
    answer(page)
      .getByText(new RegExp(`A charge may still come until ${momentPattern}\\.`))
      .first(),
  ).toBeVisible();
  await expectCleanInBoth(page);
  expect(hitsOf(service, 'GetPremise')).toBe(2);
  // The typed text is still there.
  await expect(page.getByRole('textbox', { name: 'Premise identifier' })).toHaveValue(service.demo.sample.premiseId);
});

test('a lookup is saved in a folder, found, renamed, deleted, and restored', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await openPostcodeLookup(page, service);
  await press(page, 'Save this lookup');
  await page.keyboard.type('Depot');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Sites');
  await expectCleanInBoth(page);
  await press(page, 'Save lookup');
  const tree = page.getByRole('tree');
  await choose(page, 'depot', 'ReturnPremise_ByPostcode');
  await expect(tree.getByRole('treeitem', { name: /Saved: Sites/ })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Postcode', exact: true })).toHaveValue(service.demo.sample.postcode);
  await press(page, 'Rename');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Yard');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sites / Yard')).toBeVisible();
  await press(page, 'Delete');
  await expect(page.getByText('Deleted “Yard”.')).toBeVisible();
  await expectCleanInBoth(page);
  await press(page, 'Undo');
  await expect(page.getByText('Sites / Yard')).toBeVisible();

  // A name that is being typed for one is not given to another that is opened meanwhile.
  await press(page, 'Save as new');
  await page.keyboard.type('Quay');
  await press(page, 'Save lookup');
  await press(page, 'Rename');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Pier');
  await choose(page, 'yard', 'ReturnPremise_ByPostcode');
  await expect(page.getByText('Sites / Yard')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveCount(0);

  // Opened from another screen with the palette.
  await goTo(page, 'credits');
  await openPalette(page);
  await page.keyboard.type('yard');
  await expect(page.getByRole('option', { name: /Sites \/ Yard/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'ReturnPremise_ByPostcode', level: 2 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Call · 1 credit' })).toBeVisible();
  expect(service.meter.read().calls.ReturnPremise_ByPostcode).toBeUndefined();
});

test('a licence write leads to the Licences screen and is not called', async ({ sharedPage: page, startService }) => {
  const service = await startService();
  await openOperations(page, service);
  await choose(page, 'unregister', 'UnregisterLicense');
  await expect(page.getByRole('button', { name: /^Call/ })).toHaveCount(0);
  await press(page, 'Open Licences');
  await expect(screenOf(page, 'licences')).toBeVisible();
  expect(service.meter.read().calls.UnregisterLicense).toBeUndefined();
});
