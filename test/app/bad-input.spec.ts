import type { Page } from 'playwright/test';
import { expect, expectClean, focusTaken, goTo, press, screenOf, searchFor, test } from './fixtures.ts';
import { call, connectBoth, hitsOf } from './own-service.ts';

// Every failure ends in one sentence that says what happened, what it means for credits and what to do. Nothing typed is lost.

const box = (page: Page) => page.getByRole('textbox', { name: 'Postcode, street, business or building' });

test('an impossible postcode is doubted after a pause, corrected by a button, and can be searched for all the same', async ({
  sharedPage: page,
  startService,
}) => {
  await connectBoth(page, await startService());
  await page.keyboard.press('ControlOrMeta+l');
  await page.keyboard.type('SW1A OAA');
  await expect(
    page.getByText('SW1A OAA is not in the published form of a postcode: the fifth character is the letter O.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeDisabled();
  await expect(page.getByRole('button', { name: /^Search for it as typed over SOAP/ })).toBeVisible();
  await expectClean(page);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: 'Use SW1A 0AA' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(box(page)).toHaveValue('SW1A 0AA');
  await expect(box(page)).toBeFocused();
  await expect(page.getByText('A postcode that can exist.')).toBeVisible();
});

test('a search that finds nothing says so, and what it cost', async ({ sharedPage: page, startService }) => {
  await connectBoth(page, await startService());
  await searchFor(page, 'HR10 9ZX');
  await expect(page.getByRole('heading', { name: /No premise found in HR10 9ZX/ })).toBeVisible();
  await expect(box(page)).toHaveValue('HR10 9ZX');
  await expectClean(page);
});

test('a wrong key is recognised, and nothing typed is lost', async ({ sharedPage: page, startService }) => {
  await connectBoth(page, await startService());
  const { connections, selectedId } = await call(page, 'connections.list', {});
  const key = connections
    .find(({ connection }) => connection.id === selectedId)
    ?.secrets.find(({ role }) => role === 'lookup-key');
  await call(page, 'secrets.replace', { secretId: key?.id ?? '', value: '00000000000000000000000000000000' });
  // An answer is shown under the keys that the window knows, so it must know the new one before it asks.
  await goTo(page, 'connections');
  await expect(screenOf(page, 'connections').getByText('••0000')).toBeVisible();
  await searchFor(page, 'HR10 2DT');
  await expect(page.getByRole('heading', { name: /does not accept the key/ })).toBeVisible();
  await expect(page.getByText(/Whether a refusal costs is not published/).first()).toBeVisible();
  await expect(box(page)).toHaveValue('HR10 2DT');
  await expectClean(page);
});

test('a refusal for lack of credit is named as that', async ({ sharedPage: page, startService }) => {
  const service = await startService();
  await connectBoth(page, { ...service, demo: { ...service.demo, lookupKey: service.demo.spentKey } });
  await searchFor(page, 'HR10 2DT');
  await expect(page.getByRole('heading', { name: /not enough credits/ })).toBeVisible();
  await expect(box(page)).toHaveValue('HR10 2DT');
  await expectClean(page);
});

test('an unknown identifier shows the service’s own words in one sentence', async ({
  sharedPage: page,
  startService,
}) => {
  await connectBoth(page, await startService());
  const result = await page.evaluate(async () => {
    const list = await window.api.call['connections.list']('t-1', {});
    const connectionId = list.ok ? (list.value.selectedId ?? '') : '';
    return window.api.call['lookup.open']('t-2', { connectionId, premiseId: '99999999', interface: 'rest' });
  });
  expect(result).toMatchObject({ ok: false, error: { code: 'not-found' } });
});

test('a sign-in page of the network is distinguished from a refusal by the service', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  service.faults.set({ kind: 'html', on: 'Search', times: 1 });
  await searchFor(page, 'HR10 2DT');
  await expect(page.getByRole('heading', { name: /A web page came back/ })).toBeVisible();
  await expect(box(page)).toHaveValue('HR10 2DT');
});

test('a slow server: stop waiting says what it may have cost, and asks only once', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  const before = hitsOf(service, 'Search');
  service.faults.set({ kind: 'delay', milliseconds: 60_000, on: 'Search', times: 1 });
  await searchFor(page, 'HR10 2DT');
  await expect.poll(() => hitsOf(service, 'Search')).toBe(before + 1);
  await press(page, 'Stop waiting');
  await expect(page.getByText(/It may have cost credits/).first()).toBeVisible();
  await expect(page.getByText(/A charge may still come until/).first()).toBeVisible();
  await expectClean(page);
  expect(hitsOf(service, 'Search')).toBe(before + 1);
  await searchFor(page, 'HR10 2DT');
  await expect(page.getByText('34 premises')).toBeVisible();
});

test('a key pasted into the search box is asked about, not sent and not lost; what is no key can be sent', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  const before = hitsOf(service, 'Search');
  await searchFor(page, service.demo.lookupKey);
  const question = page.getByRole('dialog', { name: 'Is this a key?' });
  await expect(question.getByText(/No request has left this computer/)).toBeVisible();
  await expectClean(page);
  await question.getByRole('button', { name: 'Take it out' }).press('Enter');
  await expect(question).toBeHidden();
  await expect(box(page)).toHaveValue(service.demo.lookupKey);
  expect(hitsOf(service, 'Search')).toBe(before);
  await searchFor(page, service.demo.lookupKey);
  await focusTaken(question);
  await question.getByRole('button', { name: 'It is not a key: carry on' }).press('Enter');
  await expect.poll(() => hitsOf(service, 'Search')).toBe(before + 1);
});

test('a server that is down: not reached, so no request left this computer', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  await service.stop();
  await searchFor(page, 'HR10 2DX');
  await expect(page.getByRole('heading', { name: /did not accept a connection/ })).toBeVisible();
  await expect(page.getByText(/No request left this computer/).first()).toBeVisible();
  await expectClean(page);
});
