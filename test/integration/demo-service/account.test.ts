import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningDemo, startDemoService } from '../../../electron/demo-service/service.ts';
import { startTestService } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { c1, callRest, callSoap, findAll, textOf } from './demo-client.ts';

/** Licences, machines and credits: what changes, and what is charged. */

let demo: RunningDemo;
beforeEach(async () => {
  demo = await startTestService({ premises: 2000, flags: 'True', now: '2027-03-01T09:00:00Z' });
});
afterEach(() => demo.stop());

const account = () => ({ sAccountName: demo.demo.accountName, sGUID: demo.demo.guid });
const numberOf = (label: string): string => String(demo.demo.licences[label]);

async function change(operation: string, licence: string, sMachineName: string, fields = account()): Promise<string> {
  return (await callSoap(demo, operation, { ...fields, iLicenseID: licence, sMachineName })).result?.text ?? '';
}

/** LicenseIDs of the licences on a machine. */
async function heldBy(sMachineName: string): Promise<(string | undefined)[]> {
  const { result } = await callSoap(demo, 'GetLicenseDetails', { sMachineName });
  return findAll(result, 'LicenseID')
    .map(({ text }) => text)
    .filter((text) => text !== '');
}

/** The record of a licence in the list, by field. */
async function licenceRecord(label: string): Promise<Record<string, string>> {
  const { result } = await callSoap(demo, 'GetLicenseList', { ...account(), sMachineName: '' });
  const record = findAll(result, 'License').find((each) => textOf(each, 'LicenseID') === numberOf(label));
  return Object.fromEntries((record?.children ?? []).map(({ name, text }) => [name, text]));
}

async function credits(sGuid = demo.demo.guid): Promise<number> {
  const { result } = await callSoap(demo, 'GetAvailableCredits', {
    sAccountName: demo.demo.accountName,
    sGuid,
    sIPAddress: '',
  });
  return Number(result?.text);
}

test('the account has licences in every state', async () => {
  const { result } = await callSoap(demo, 'GetLicenseList', { ...account(), sMachineName: '' });
  const list = findAll(result, 'License');
  expect(list.length).toBeGreaterThanOrEqual(12);
  expect(new Set(list.map((record) => textOf(record, 'Status')))).toEqual(new Set(['Active', 'Expired', 'Suspended']));
  expect(await licenceRecord('front-desk')).toMatchObject({
    LicenseInUse: 'True',
    Available: 'False',
    Status: 'Active',
    Return_Code: '1',
  });
  expect(await licenceRecord('warehouse')).toMatchObject({ LicenseInUse: 'True', Available: 'True' });
  expect(await licenceRecord('no-date')).toMatchObject({ ExpiryDate: 'see contract' });
  expect(await licenceRecord('no-credits')).toMatchObject({ CurrentCreditsAvailable: '' });
  expect(await licenceRecord('expired-free')).toMatchObject({
    Status: 'Expired',
    Available: 'False',
    ExpiryDate: '25/01/2026',
  });
});

test('a licence is bound, found bound, and taken off again', async () => {
  expect(await heldBy('NEW-PC')).toEqual([]);
  expect(await change('RegisterLicense', numberOf('free'), 'NEW-PC')).toMatch(/^Success/);
  expect(await heldBy('new-pc')).toEqual([numberOf('free')]);
  expect(await licenceRecord('free')).toMatchObject({ LicenseInUse: 'True', Available: 'False' });
  expect(await change('RegisterLicense', numberOf('free'), 'NEW-PC')).toMatch(/already registered/);
  expect(await change('RegisterLicense', numberOf('free'), 'OTHER-PC')).toMatch(/no free place/);
  expect(await change('UnregisterLicense', numberOf('free'), 'OTHER-PC')).toMatch(/not registered/);
  expect(await change('UnregisterLicense', numberOf('free'), 'NEW-PC')).toMatch(/^Success/);
  expect(await heldBy('NEW-PC')).toEqual([]);
  expect(await licenceRecord('free')).toMatchObject({ LicenseInUse: 'False', Available: 'True' });
});

test('a licence with seats takes machines until it is full', async () => {
  expect(await change('RegisterLicense', numberOf('warehouse'), 'WAREHOUSE-03')).toMatch(/^Success/);
  expect(await change('RegisterLicense', numberOf('warehouse'), 'WAREHOUSE-04')).toMatch(/no free place/);
  expect(await licenceRecord('warehouse')).toMatchObject({ Available: 'False' });
  expect(await change('UnregisterLicense', numberOf('warehouse'), 'WAREHOUSE-01')).toMatch(/^Success/);
  expect(await licenceRecord('warehouse')).toMatchObject({ Available: 'True' });
});

test('a licence that cannot be bound is refused with a message', async () => {
  expect(await change('RegisterLicense', numberOf('expired-free'), 'PC')).toMatch(/expired/);
  expect(await change('RegisterLicense', numberOf('suspended'), 'PC')).toMatch(/suspended/);
  expect(await change('RegisterLicense', numberOf('default'), 'PC')).toMatch(/not bound to machines/);
  expect(await change('RegisterLicense', '1', 'PC')).toMatch(/not known/);
  expect(await change('RegisterLicense', String(demo.demo.otherAccount.licence), 'PC')).toMatch(
    /not a licence of this account/,
  );
  expect(await change('RegisterLicense', numberOf('free'), ' ')).toMatch(/machine name is missing/);
  expect(await change('RegisterLicense', numberOf('free'), 'PC', { ...account(), sGUID: 'wrong' })).toMatch(
    /not valid/,
  );
  expect(await heldBy('PC')).toEqual([]);
  demo.settings.registerAnswer = 'code';
  expect(await change('RegisterLicense', numberOf('suspended'), 'PC')).toBe('-1');
  expect(await change('RegisterLicense', numberOf('free'), 'PC')).toBe('1');
});

test('time passes: a licence expires, and no longer answers', async () => {
  expect(await licenceRecord('free-soon')).toMatchObject({ Status: 'Active', Available: 'True' });
  demo.clock.advance(13 * 86_400_000);
  expect(await licenceRecord('free-soon')).toMatchObject({ Status: 'Expired', Available: 'False' });
  const { result } = await callSoap(demo, 'SearchPremise_ByPostcode', {
    ...c1(demo),
    sPostcode: demo.demo.sample.postcode,
    LicenceID: demo.demo.licenceIds['free-soon'] ?? '',
  });
  expect(textOf(result, 'Return_Code')).toBe('201');
});

test('SOAP calls are charged to the licence that made them', async () => {
  const { postcode, premiseId } = demo.demo.sample;
  const spentBy = async (operation: string, fields: Record<string, string>): Promise<number> => {
    const before = await credits();
    await callSoap(demo, operation, { ...fields, ...c1(demo) });
    return before - (await credits());
  };
  expect(await spentBy('SearchPremise_ByPostcode', { sPostcode: postcode })).toBe(0);
  expect(await spentBy('SearchPremise_ByPostcode_Dataset', { sPostcode: postcode })).toBe(0);
  expect(await spentBy('ReturnPremise_ByPostcode', { sPostcode: postcode })).toBe(1);
  expect(await spentBy('GetPremiseAddress', { sUniqueDeliveryPointID: premiseId })).toBe(1);
  expect(await spentBy('GetPremiseAddress_Dataset', { sUniqueDeliveryPointID: premiseId })).toBe(1);
  expect(await spentBy('GetPremiseAddress', { sUniqueDeliveryPointID: '99999999' })).toBe(0);
  expect(await spentBy('GetPremiseAddress', { sUniqueDeliveryPointID: '1234' })).toBe(0);
  expect(await spentBy('ServiceTest', {})).toBe(0);
  demo.settings.prices.GeoData_ForUDP = 7;
  expect(await spentBy('GeoData_ForUDP', { sUDP: premiseId })).toBe(7);
  expect((await callRest(demo, '/GetCredits')).body.credits).toBe(5000);
  expect(demo.meter.read().payers[`licence ${demo.demo.licences.default}`]?.credits).toBe(10);
  const other = demo.demo.licenceIds.office ?? '';
  expect(await credits(other)).toBe(12_000);
});

test('an operation that nobody pays for is not counted as charged, whatever price is set', async () => {
  Object.assign(demo.settings.prices, { RegisterLicense: 5, ServiceTest: 2 });
  const before = await credits();
  expect(await change('RegisterLicense', numberOf('free'), 'NEW-01')).toContain('Success');
  await callSoap(demo, 'ServiceTest', c1(demo));
  expect(before - (await credits())).toBe(2);
  expect(demo.meter.read().credits).toBe(2);
});

test('ServiceTest tells status, credits and that it is a demo', async () => {
  const { result } = await callSoap(demo, 'ServiceTest', c1(demo));
  expect(result?.text).toBe('DEMO SERVICE with invented addresses. Status: OK. Credits available: 2500.');
});

test('a licence without credits, of another machine or of another account is refused', async () => {
  const address = async (fields: Record<string, string>) => {
    const { result } = await callSoap(demo, 'GetPremiseAddress', {
      sUniqueDeliveryPointID: demo.demo.sample.premiseId,
      ...c1(demo),
      ...fields,
    });
    return textOf(result, 'Return_Code');
  };
  const ids = demo.demo.licenceIds;
  expect(await address({})).toBe('1');
  expect(await address({ LicenceID: ids.spent ?? '' })).toBe('203');
  expect(await address({ LicenceID: ids.suspended ?? '' })).toBe('201');
  expect(await address({ LicenceID: ids['front-desk'] ?? '' })).toBe('201');
  expect(await address({ LicenceID: ids['front-desk'] ?? '', MachineID: 'front-desk-01' })).toBe('1');
  expect(await address({ AccountName: demo.demo.otherAccount.accountName })).toBe('201');
  const forAddress = (sIPAddress: string) =>
    callSoap(demo, 'GetAddress', {
      sUDP: demo.demo.sample.premiseId,
      ...account(),
      sIPAddress,
      sLicenseID: numberOf('ip'),
    });
  expect(textOf((await forAddress('192.0.2.1')).result, 'Return_Code')).toBe('201');
  expect(textOf((await forAddress('203.0.113.7')).result, 'Return_Code')).toBe('1');
});

test('credits with wrong credentials are a fault, or what the setting says', async () => {
  const ask = () => callSoap(demo, 'GetAvailableCredits', { sAccountName: 'nobody', sGuid: '', sIPAddress: '' });
  const fault = await ask();
  expect(fault.status).toBe(500);
  expect(textOf(fault.body, 'faultstring')).toMatch(/not valid/);
  demo.settings.badCredits = 'minus-one';
  expect((await ask()).result?.text).toBe('-1');
});

test('a state file keeps credits and bindings over a restart, and another seed’s is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  const state = join(folder, 'state.json');
  const cache = join(folder, 'gazetteer.db');
  const options = { premises: 2000, state, cache };
  try {
    await demo.stop();
    demo = await startDemoService(options);
    await change('RegisterLicense', numberOf('free'), 'KEPT-PC');
    await callRest(demo, '/Search', { query: demo.demo.sample.postcode });
    await demo.stop();
    demo = await startDemoService(options);
    expect(await heldBy('KEPT-PC')).toEqual([numberOf('free')]);
    expect((await callRest(demo, '/GetCredits')).body.credits).toBe(4999);
    expect(readFileSync(state, 'utf8')).not.toContain(demo.demo.lookupKey);
    await expect(startDemoService({ ...options, seed: 7 })).rejects.toThrow(/belongs to seed 42/);
    writeFileSync(state, '{"half":');
    await expect(startDemoService(options)).rejects.toThrow(/not one of this service/);
  } finally {
    removeFolder(folder);
  }
});

test('the same seed gives the same account, another seed another', async () => {
  const twin = await startTestService({ premises: 2000 });
  const other = await startTestService({ premises: 2000, seed: 43 });
  try {
    expect(twin.demo).toEqual(demo.demo);
    expect(other.demo.lookupKey).not.toBe(demo.demo.lookupKey);
    expect(other.demo.licenceId).not.toBe(demo.demo.licenceId);
  } finally {
    await twin.stop();
    await other.stop();
  }
});

test('seats are counted unless the option says otherwise, and expired ones are not hidden', async () => {
  const counted = await startTestService({ premises: 2000 });
  try {
    const records = counted.account.licences.map((licence) => licence.machines.length);
    expect(records.some((machines) => machines > 0)).toBe(true);
    const answer = await fetch(counted.soapUrl, {
      method: 'POST',
      headers: {
        'content-type': 'text/xml; charset=utf-8',
        soapaction: `"${counted.soapNamespace}GetLicenseList"`,
      },
      body: `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><GetLicenseList xmlns="${counted.soapNamespace}"><sAccountName>${counted.demo.accountName}</sAccountName><sGUID>${counted.demo.guid}</sGUID></GetLicenseList></s:Body></s:Envelope>`,
    });
    const text = await answer.text();
    expect(text).toContain('<LicenseTypeName>Multi Machine 3</LicenseTypeName>');
    for (const [, used, free] of text.matchAll(/<LicenseInUse>([^<]*)<\/LicenseInUse><Available>([^<]*)<\/Available>/g))
      expect(`${used} ${free}`).toMatch(/^(\d+ \d+| )$/);
  } finally {
    await counted.stop();
  }
});
